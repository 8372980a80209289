//! What matters, in a few sentences.

use super::{kind_title, robot_name};
use crate::report::document::{Text, count, number_of, share};
use crate::report::numbers::{CaptureState, KindCount, Numbers, OverTime, RobotCount};

/// The sentences at the top of a report.
pub(in crate::report) fn summary(numbers: &Numbers) -> Vec<Text> {
    let sentences = [
        Some(files(numbers)),
        most_closed(numbers),
        any_robot(numbers),
        kinds(numbers),
        change(numbers),
        preferences(numbers),
        names(numbers),
        findings(numbers),
        left_out(numbers),
    ];
    sentences.into_iter().flatten().collect()
}

fn files(numbers: &Numbers) -> Text {
    let coverage = &numbers.coverage;
    if coverage.answered == 0 {
        return Text::own("No site answers what robots may do.");
    }
    Text::own(format!(
        "Of {}, {} have a robots.txt. The others have none, which allows everything.",
        number_of(coverage.answered, "site that answers", "sites that answer"),
        share(coverage.with_file, coverage.answered)
    ))
}

/// The robots that the survey asked for by name, those that most sites are closed to first.
fn asked(numbers: &Numbers) -> impl Iterator<Item = &RobotCount> {
    let robots = numbers.robots.iter().flat_map(|robots| &robots.robots);
    robots.filter(|robot| robot.robot != "*" && robot.classes.sites > 0)
}

fn most_closed(numbers: &Numbers) -> Option<Text> {
    let mut robots = asked(numbers).filter(|robot| robot.classes.closed > 0);
    let first = robots.next()?;
    let closed = |robot: &RobotCount| share(robot.classes.closed, robot.classes.sites);
    let text = Text::own(format!(
        "Of {}, {} do not let ",
        number_of(first.classes.sites, "site", "sites"),
        closed(first)
    ));
    let text = text.foreign(&first.robot).and(" crawl anything.");
    Some(match (robots.next(), robots.next()) {
        (Some(second), Some(third)) => text
            .and(" Next are ")
            .foreign(&second.robot)
            .and(format!(" ({}) and ", closed(second)))
            .foreign(&third.robot)
            .and(format!(" ({}).", closed(third))),
        _ => text,
    })
}

fn any_robot(numbers: &Numbers) -> Option<Text> {
    let mut robots = numbers.robots.iter().flat_map(|robots| &robots.robots);
    let any = robots.find(|robot| robot.robot == "*" && robot.classes.sites > 0)?;
    let classes = any.classes;
    Some(Text::own(format!(
        "{} of sites are closed to every robot that they do not name, and {} are open to them.",
        share(classes.closed, classes.sites),
        share(classes.open, classes.sites)
    )))
}

fn kinds(numbers: &Numbers) -> Option<Text> {
    let kinds = numbers.robots.iter().flat_map(|robots| &robots.kinds);
    let closed = |kind: &&KindCount| kind.classes.all_closed + kind.classes.some_closed;
    let together = kinds.filter(|kind| kind.robots > 1 && closed(kind) > 0);
    // Of kinds with the same counts the first one, as in the table.
    let kind = together.rev().max_by_key(closed)?;
    let classes = kind.classes;
    Some(
        Text::own(format!(
            "{} of sites are closed to {} ",
            share(classes.all_closed, classes.sites),
            match kind.robots {
                2 => "both".to_owned(),
                robots => format!("all {}", count(robots)),
            }
        ))
        .text(&kind_title(kind.kind.as_deref()))
        .and(format!(
            " of the survey, and a further {} to {} of them.",
            share(classes.some_closed, classes.sites),
            if kind.robots == 2 { "one" } else { "some" }
        )),
    )
}

/// How the share of the first robot changed.
fn change(numbers: &Numbers) -> Option<Text> {
    let OverTime { period, periods } = numbers.over_time.as_ref()?;
    let first_robot = asked(numbers).next()?;
    let mut shares = periods.iter().filter_map(|period| {
        let mut robots = period.robots.iter();
        let robot = robots.find(|robot| robot.robot == first_robot.robot)?;
        let classes = robot.classes;
        (classes.sites > 0).then(|| (&period.label, share(classes.closed, classes.sites)))
    });
    let (first, before) = shares.next()?;
    let (last, after) = shares.next_back()?;
    Some(
        Text::own("The share of sites that are closed to ")
            .foreign(&robot_name(&first_robot.robot))
            .and(format!(
                " was {before} in the {period} {first} and {after} in {last}."
            )),
    )
}

fn preferences(numbers: &Numbers) -> Option<Text> {
    let files = numbers.coverage.with_file;
    let sites = |vocabulary: &str| {
        let mut counts = numbers.vocabularies.iter();
        let found = counts.find(|count| count.vocabulary == vocabulary);
        found.map_or(0, |count| count.sites)
    };
    let lines = ["content-signal", "content-usage", "rsl"].map(sites);
    if files == 0 {
        return None;
    }
    let tokens = format!(
        "{} name a control token",
        share(sites("control-token"), files)
    );
    if lines == [0; 3] {
        return Some(Text::own(format!(
            "No file has a Content-Signal, Content-Usage or License line. {tokens}."
        )));
    }
    let [signal, usage, license] = lines.map(|sites| share(sites, files));
    Some(Text::own(format!(
        "Of the files, {signal} have Content-Signal lines, {usage} Content-Usage lines and {license} License lines. {tokens}."
    )))
}

fn names(numbers: &Numbers) -> Option<Text> {
    let names = numbers.names.as_ref()?;
    let first = names.names.first()?;
    Some(
        Text::own("The robot that most files name is ")
            .foreign(&first.name)
            .and(format!(
                ", with {} of the {}.",
                share(first.sites, names.sites),
                number_of(
                    names.sites,
                    "file that has a group",
                    "files that have a group"
                )
            )),
    )
}

fn findings(numbers: &Numbers) -> Option<Text> {
    let first = numbers.findings.as_ref()?.first()?;
    Some(
        Text::own("The finding that most files have is ")
            .foreign(&first.code)
            .and(format!(
                ", with {} of the files.",
                share(first.sites, numbers.coverage.with_file)
            )),
    )
}

fn left_out(numbers: &Numbers) -> Option<Text> {
    let sum = |is_wanted: fn(CaptureState) -> bool| {
        let wanted = numbers.states.iter().filter(|state| is_wanted(state.state));
        wanted.map(|state| state.sites).sum::<u64>()
    };
    let left_out = sum(|state| !state.answers());
    if left_out == 0 {
        return None;
    }
    let parts = [
        (
            "unreachable",
            sum(|state| state == CaptureState::Unreachable),
        ),
        (
            "redirects that could not be followed",
            sum(|state| state == CaptureState::RedirectNotFollowed),
        ),
        (
            "something else in place of a robots.txt",
            sum(|state| {
                matches!(
                    state,
                    CaptureState::NoFields
                        | CaptureState::Html
                        | CaptureState::Json
                        | CaptureState::Image
                )
            }),
        ),
        (
            "another answer",
            sum(|state| matches!(state, CaptureState::NotModified | CaptureState::Other)),
        ),
    ];
    let parts = parts.iter().filter(|(_, sites)| *sites > 0);
    let parts: Vec<String> = parts
        .map(|(what, sites)| format!("{} {what}", count(*sites)))
        .collect();
    Some(Text::own(format!(
        "Left out of the shares about robots: {} of {} ({}).",
        count(left_out),
        number_of(numbers.coverage.sites, "site", "sites"),
        parts.join(", ")
    )))
}
