//! `groups-run-together`: a group without rules that shares the rules of the next group.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::{Findings, Rule as LintRule, RuleCheck};
use abide::explain::{shown, visible};
use abide::syntax::{Addressee, Content, FieldKind, Group, Line, Rule};
use abide::verdict::Sense;
use abide::{Severity, Span};
use abide_analysis::words::enumerated;
use std::collections::BTreeSet;

pub(crate) static RULE: LintRule = LintRule::new(
    "groups-run-together",
    Severity::Error,
    include_str!("groups_run_together.md"),
    RuleCheck::File(check),
)
.or(Severity::Info);

fn check(file: &File<'_>, found: &mut Findings) {
    for (group, rules) in file.robots.groups().iter().zip(&file.rules) {
        let Some(heads) = Heads::of(file, group) else {
            continue;
        };
        let disallows = rules
            .iter()
            .filter(|rule| rule.sense == Sense::Disallow && rule.pattern.is_ok());
        let disallows: Vec<_> = disallows.collect();
        let (Some(first), Some(start)) = (disallows.first(), heads.first.first()) else {
            continue;
        };
        let opens = rules
            .iter()
            .any(|rule| rule.sense == Sense::Allow && !rule.value.is_empty());
        let closes = disallows
            .iter()
            .find(|rule| matches!(rule.value, b"/" | b"*" | b"/*"))
            .filter(|_| !opens);
        let who = heads.who();
        let effect = match (closes, disallows.len()) {
            (Some(_), _) if heads.names_anybody() => {
                "the whole site is closed to every robot without its own group".to_owned()
            }
            (Some(_), _) => format!("the whole site is closed to {who}"),
            (None, 1) => format!("{} also applies to {who}", shown(first.value)),
            (None, count) => format!("{count} Disallow lines also apply to {who}"),
        };
        let message = format!(
            "{who} (line {}) {} the rules of {}: {effect}",
            start.number,
            if heads.is_one() {
                "has no rules, so it shares"
            } else {
                "have no rules, so they share"
            },
            heads.others()
        );
        let last = heads.before;
        let end = File::whole(last).end;
        let line_end = match last.ending.as_bytes() {
            b"" => "\n",
            ending => std::str::from_utf8(ending).unwrap_or("\n"),
        };
        let fix = Fix::replace(
            Safety::Unsafe,
            if heads.is_one() {
                format!("give {who} its own rule, which allows everything")
            } else {
                format!("give {who} their own rule, which allows everything")
            },
            Span::new(end, end),
            format!("Disallow:{line_end}"),
        );
        let severity = match closes {
            Some(_) if heads.names_anybody() => Severity::Error,
            // An empty line may be there to be read more easily.
            _ if heads.is_divided_by_blank => Severity::Info,
            // The rules are for everybody anyway.
            None if heads.others_include_anybody() => Severity::Info,
            // Rules for a part of the site may well be meant for everybody.
            None if heads.names_anybody() => Severity::Info,
            _ if is_for_anybody(file, &disallows) => Severity::Info,
            _ => Severity::Error,
        };
        let place = found.say(Some(heads.second.number), heads.second.span, message);
        let place = place.severity(severity);
        let rule = closes.unwrap_or(first);
        // If the robots are probably meant to share the rules, a fix would open the site to them.
        let fix = (severity > Severity::Info).then_some(fix);
        file.relate(
            place.fix(fix),
            rule.line.number,
            "this rule applies to all of them",
        );
    }
}

/// Whether all of these rules are also those of a group for `*`.
fn is_for_anybody(file: &File<'_>, rules: &[&Rule<'_>]) -> bool {
    let groups = file.addressees.iter().zip(&file.rules);
    let stars = groups.filter(|(all, _)| all.contains(&Addressee::Anybody));
    let theirs: BTreeSet<&[u8]> = stars
        .flat_map(|(_, rules)| rules)
        .filter(|rule| rule.sense == Sense::Disallow)
        .map(|rule| rule.value)
        .collect();
    rules.iter().all(|rule| theirs.contains(rule.value))
}

/// A group whose head has another field, or an empty line, between its `User-agent` lines.
struct Heads<'a> {
    /// The `User-agent` lines before that field.
    first: Vec<&'a Line>,
    names: [Vec<String>; 2],
    /// The last field before the second part.
    before: &'a Line,
    /// Whether only an empty line divides the parts.
    is_divided_by_blank: bool,
    /// The first `User-agent` line of the second part.
    second: &'a Line,
}

impl<'a> Heads<'a> {
    /// The parts of a group's head, if the first names a robot that the second does not.
    fn of(file: &File<'a>, group: &'a Group) -> Option<Self> {
        let lines = file.robots.lines();
        let by_field = divided_by_field(lines, group);
        let is_divided_by_blank = by_field.is_none();
        let (at, before) = by_field.or_else(|| divided_by_blank(lines, group))?;
        let starters: Vec<&'a Line> = group
            .starters
            .iter()
            .filter_map(|at| lines.get(*at))
            .collect();
        let (first, second) = starters.split_at_checked(at)?;
        let names = |lines: &[&'a Line]| {
            let mut names: Vec<String> = Vec::new();
            for name in lines.iter().filter_map(|line| name(file, line)) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            names
        };
        let names = [names(first), names(second)];
        let is_new = names[0].iter().any(|name| !names[1].contains(name));
        is_new.then_some(Self {
            names,
            before,
            is_divided_by_blank,
            second: second.first().copied()?,
            first: first.to_vec(),
        })
    }

    /// Whether the first part has one name.
    fn is_one(&self) -> bool {
        self.names[0].len() < 2
    }

    fn names_anybody(&self) -> bool {
        self.names[0].iter().any(|name| name == "*")
    }

    /// Whether the second part names every robot.
    fn others_include_anybody(&self) -> bool {
        self.names[1].iter().any(|name| name == "*")
    }

    fn who(&self) -> String {
        listed(&self.names[0])
    }

    fn others(&self) -> String {
        listed(&self.names[1])
    }
}

/// After how many `User-agent` lines another field follows before the next one, and that field.
fn divided_by_field<'a>(lines: &'a [Line], group: &Group) -> Option<(usize, &'a Line)> {
    let pairs = group.starters.windows(2).enumerate();
    let mut divided = pairs.filter_map(|(at, pair)| {
        let between = lines.get(pair.first()? + 1..*pair.get(1)?)?;
        let field = between.iter().rev().find(|line| line.field().is_some())?;
        Some((at + 1, field))
    });
    divided.next_back()
}

/// After how many `User-agent` lines an empty line follows before the next one, and the last of
/// them, if the rules follow the last one without an empty line. If not, empty lines divide
/// everything, so they do not show that a group was meant to end.
fn divided_by_blank<'a>(lines: &'a [Line], group: &Group) -> Option<(usize, &'a Line)> {
    let has_blank = |from: usize, to: usize| {
        let between = lines.get(from + 1..to).unwrap_or_default();
        let mut blank = between.iter().filter(|line| line.comment.is_none());
        blank.any(|line| line.content == Content::Blank)
    };
    let (last, rule) = (*group.starters.last()?, *group.rules.first()?);
    if has_blank(last, rule) {
        return None;
    }
    let pairs = group.starters.windows(2).enumerate();
    let mut divided = pairs.filter_map(|(at, pair)| {
        let (one, next) = (*pair.first()?, *pair.get(1)?);
        has_blank(one, next).then_some((at + 1, lines.get(one)?))
    });
    divided.next_back()
}

/// The first name, and how many more.
fn listed(names: &[String]) -> String {
    match names {
        [] => "nobody".to_owned(),
        names => enumerated(names, 1),
    }
}

fn name(file: &File<'_>, line: &Line) -> Option<String> {
    match file.robots.addressee(line)? {
        Addressee::Anybody => Some("*".to_owned()),
        Addressee::Purpose(purpose) => Some(format!("the purpose {purpose}")),
        // As the file has it: a person does not find `ly.st` by what robots read of it, `ly`.
        Addressee::Token(_) | Addressee::Nobody => {
            let field = line
                .field()
                .filter(|field| field.kind == FieldKind::UserAgent)?;
            let value = visible(field.value.of(file.text()));
            (!value.is_empty()).then_some(value)
        }
    }
}

impl File<'_> {
    /// Whether two groups probably run together: another field is between the `User-agent` lines
    /// of the group, or an empty line after `*`.
    pub(crate) fn runs_together(&self, group: Option<usize>) -> bool {
        let group = group.and_then(|group| self.robots.groups().get(group));
        let heads = group.and_then(|group| Heads::of(self, group));
        heads.is_some_and(|heads| !heads.is_divided_by_blank || heads.names_anybody())
    }
}
