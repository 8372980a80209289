//! Where empty lines stand: one before each group and record, with the comments that stand right
//! above it; none among the lines of a group or record; elsewhere one where there were some.

use abide::syntax::{Content, FieldKind};
use abide::{Robots, syntax::Line};

/// What a line asks of the place before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    /// No empty line.
    Without,
    /// One where there were some.
    Kept,
    /// One.
    With,
}

/// What a line is to its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Comment,
    /// A conventional record that opens a group.
    Opener,
    /// A conventional line between the opener and the last rule of its group.
    Member,
    Sitemap,
    /// Any other conventional record.
    Record,
    Acap(AcapRole),
    Unreadable,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AcapRole {
    /// The first crawler field of a record.
    Opener,
    /// A usage purpose, or a crawler field behind another.
    Head,
    /// Any other line of a record.
    Member,
    /// A line before all records.
    Definition,
}

/// For each line of the file: `None` where it is empty, and goes; else whether an empty line stands
/// before it.
pub(super) fn spaced(robots: &Robots) -> Vec<Option<bool>> {
    let roles = roles(robots);
    let mut spaced: Vec<Option<bool>> = vec![None; roles.len()];
    // Where the comments begin that stand right above the line at hand.
    let mut attached: Option<usize> = None;
    let (mut had_gap, mut last) = (false, None::<LinePlace>);
    for (at, place) in roles.iter().enumerate() {
        let Some(place) = place else {
            had_gap = true;
            continue;
        };
        let gap = if place.role == Role::Comment {
            Gap::Kept
        } else {
            gap(*place, last)
        };
        let top = attached.filter(|_| !had_gap);
        let before = match gap {
            Gap::Kept => had_gap,
            Gap::Without => false,
            Gap::With => top.is_none(),
        };
        if let (Gap::With, Some(top)) = (gap, top)
            && let Some(first) = spaced.get_mut(top)
        {
            *first = Some(true);
        }
        if let Some(own) = spaced.get_mut(at) {
            *own = Some(before);
        }
        if place.role == Role::Comment {
            attached = top.or(Some(at));
        } else {
            (attached, last) = (None, Some(*place));
        }
        had_gap = false;
    }
    spaced
}

/// A line that is not empty, and whether it lies within a group.
#[derive(Clone, Copy, Debug)]
struct LinePlace {
    role: Role,
    in_group: bool,
}

/// What stands before a line that is no comment, behind `last`, the last such line.
fn gap(place: LinePlace, last: Option<LinePlace>) -> Gap {
    let last_role = last.map(|last| last.role);
    let behind_acap = matches!(last_role, Some(Role::Acap(_)));
    let behind_group = last.is_some_and(|last| last.in_group || last.role == Role::Opener);
    if last_role == Some(Role::Unreadable) && place.role != Role::Opener {
        return Gap::Kept;
    }
    match place.role {
        Role::Opener => Gap::With,
        Role::Member if behind_acap => Gap::Kept,
        Role::Member => Gap::Without,
        Role::Sitemap if behind_group && !behind_acap => Gap::With,
        Role::Acap(AcapRole::Opener) if !place.in_group => Gap::With,
        Role::Acap(AcapRole::Definition) if !place.in_group && !behind_acap => Gap::With,
        Role::Acap(AcapRole::Member) if behind_acap => Gap::Without,
        Role::Acap(_) | Role::Comment | Role::Sitemap | Role::Record | Role::Unreadable => {
            Gap::Kept
        }
    }
}

/// The roles of all lines, `None` for empty ones.
fn roles(robots: &Robots) -> Vec<Option<LinePlace>> {
    let extents = extents(robots);
    let mut acap = AcapState::default();
    let own = |line: &Line| {
        let at = line.number as usize - 1;
        let extent = extents.get(at).copied().unwrap_or_default();
        let in_group = extent == GroupPosition::Inside;
        let role = match &line.content {
            Content::Blank => line.comment.map(|_| Role::Comment)?,
            Content::Unreadable => Role::Unreadable,
            Content::Field(field) if field.kind == FieldKind::Acap => {
                Role::Acap(acap.role(field.key.of(robots.text().as_bytes())))
            }
            Content::Field(_) if extent == GroupPosition::Opens => Role::Opener,
            Content::Field(_) if in_group => Role::Member,
            Content::Field(field) if field.kind == FieldKind::Sitemap => Role::Sitemap,
            Content::Field(_) => Role::Record,
        };
        Some(LinePlace { role, in_group })
    };
    robots.lines().iter().map(own).collect()
}

/// Where a line stands to the groups.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum GroupPosition {
    #[default]
    Outside,
    Opens,
    Inside,
}

/// Groups reach from their first starter to their last starter, rule or delay: behind it stand
/// records that only happen to follow.
fn extents(robots: &Robots) -> Vec<GroupPosition> {
    let mut extents = vec![GroupPosition::Outside; robots.lines().len()];
    for group in robots.groups() {
        let delays = group.others.iter().filter(|at| {
            let field = robots.lines().get(**at).and_then(Line::field);
            field.is_some_and(|field| field.kind == FieldKind::CrawlDelay)
        });
        let members = group.starters.iter().chain(&group.rules).chain(delays);
        let (Some(&first), Some(&last)) = (group.starters.first(), members.max()) else {
            continue;
        };
        if let Some(lines) = extents.get_mut(first..=last) {
            lines.fill(GroupPosition::Inside);
        }
        if let Some(opener) = extents.get_mut(first) {
            *opener = GroupPosition::Opens;
        }
    }
    extents
}

/// Follows the records of the ACAP stream (ACAP-24).
#[derive(Clone, Copy, Debug, Default)]
struct AcapState {
    is_open: bool,
    has_body: bool,
}

impl AcapState {
    fn role(&mut self, key: &[u8]) -> AcapRole {
        let opens = key.eq_ignore_ascii_case(b"acap-crawler");
        let begins = opens && (!self.is_open || self.has_body);
        self.is_open |= opens;
        self.has_body = self.is_open && !opens;
        if begins {
            AcapRole::Opener
        } else if !self.is_open {
            AcapRole::Definition
        } else if key.eq_ignore_ascii_case(b"acap-usage-purpose") {
            AcapRole::Head
        } else {
            AcapRole::Member
        }
    }
}
