//! The lines of a robots.txt for a plan.

use super::plan::{ClosedRobot, Plan};
use crate::compare::prominence;
use crate::words::enumerated;
use abide::ProductToken;
use abide::explain::visible;
use abide::verdict::Sense;
use abide::write::GroupWriter;
use abide_known_robots::{Basis, KnownRobot};
use std::fmt::Write as _;

/// The file.
pub(super) fn text(plan: &Plan<'_>) -> String {
    let checked = abide_known_robots::all().iter().map(|row| row.checked);
    let mut text = format!(
        "# Written for: {}\n# The names are from the table of known robots of abide, as of {}.\n",
        visible(plan.names.join(", ").as_bytes()),
        checked.max().unwrap_or_default()
    );
    if plan.wishes.staging {
        everybody(plan, &mut text);
        return text;
    }
    for closing in &plan.closings {
        for kind in Source::ALL {
            let robots = closing.robots.iter();
            let robots: Vec<_> = robots.filter(|robot| Source::of(robot) == kind).collect();
            if robots.is_empty() {
                continue;
            }
            let wish = visible(closing.wish.as_bytes());
            let _ = writeln!(text, "\n# {wish}: {}", kind.words());
            text.push_str(&group(
                robots.into_iter().map(|robot| &*robot.name),
                Sense::Disallow,
            ));
        }
    }
    let delay = plan.wishes.delay;
    let by_name = plan.kept_by_name();
    if !by_name.is_empty() {
        text.push_str("\n# keep-search: robots that come in only by their own name\n");
        text.push_str(&group(by_name.iter().map(|row| row.token), Sense::Allow));
        text.extend(delay.map(|seconds| format!("Crawl-delay: {seconds}\n")));
    }
    text.push('\n');
    if delay.is_some() {
        text.push_str(&readers_of_delay());
    }
    text.push_str("User-agent: *\nDisallow:\n");
    text.extend(delay.map(|seconds| format!("Crawl-delay: {seconds}\n")));
    if !plan.wishes.sitemaps.is_empty() {
        text.push('\n');
    }
    for url in &plan.wishes.sitemaps {
        let _ = writeln!(text, "Sitemap: {url}");
    }
    text
}

/// A group for every robot. Those that ignore groups for `*` are named in it.
fn everybody(plan: &Plan<'_>, text: &mut String) {
    text.push_str(
        "\n# staging: closed to every robot; some read no group for *, so they are named\n",
    );
    let group = named(plan.closed().map(|robot| &*robot.name)).for_everyone();
    text.push_str(&written(&group.with_rule(Sense::Disallow, "/")));
}

/// A group that opens or closes everything for robots with these names.
fn group<'n>(names: impl Iterator<Item = &'n str>, sense: Sense) -> String {
    written(&named(names).with_rule(sense, "/"))
}

fn named<'n>(names: impl Iterator<Item = &'n str>) -> GroupWriter {
    let tokens = names.map(ProductToken::verbatim);
    tokens.fold(GroupWriter::new(), |group, token| group.for_robot(&token))
}

fn written(group: &GroupWriter) -> String {
    group
        .text()
        .expect("the plan has names that lines can have")
}

/// A comment that says who reads a `Crawl-delay`.
fn readers_of_delay() -> String {
    const MAX_READERS: usize = 5;
    let names = |honours: bool| {
        let robots = abide_known_robots::all().iter();
        let robots = robots.filter(|row| row.honours_crawl_delay == Some(honours));
        let mut names: Vec<&str> = robots.map(|row: &KnownRobot| row.token).collect();
        names.sort_by_cached_key(|name| prominence(name));
        enumerated(&names, MAX_READERS)
    };
    let mut comment = String::new();
    let _ = writeln!(comment, "# Crawl-delay is read by {}.", names(true));
    let _ = writeln!(comment, "# It is ignored by {}.", names(false));
    comment
}

/// What says that a robot has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Operator,
    ControlToken,
    Others,
    Site,
}

impl Source {
    /// In the order of the file.
    const ALL: [Self; 4] = [Self::Operator, Self::ControlToken, Self::Others, Self::Site];

    fn of(robot: &ClosedRobot) -> Self {
        match robot.row {
            None => Self::Site,
            Some(row) if row.is_control_token() => Self::ControlToken,
            Some(row) if row.basis == Basis::Operator => Self::Operator,
            Some(_) => Self::Others,
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::Operator => "names that their operators document",
            Self::ControlToken => {
                "names that send no requests, and say how others may use what they fetch"
            }
            Self::Others => "names that no operator documents, from lists of others",
            Self::Site => "names that the table does not have",
        }
    }
}
