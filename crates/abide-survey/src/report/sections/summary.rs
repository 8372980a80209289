//! What matters, in a few sentences.

use super::{kind_title, robot_name};
use crate::report::document::share;
use crate::report::numbers::{
    CaptureState, Coverage, KindClasses, KindCount, Numbers, OverTime, RobotCount,
};
use crate::report::sites::Sites;
use abide_analysis::words::{Phrase, counted, grouped};

/// The sentences at the top of a report.
pub(in crate::report) fn summary(numbers: &Numbers) -> Vec<Phrase> {
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

fn files(numbers: &Numbers) -> Phrase {
    let Coverage {
        answered,
        with_file,
        ..
    } = numbers.coverage;
    Phrase::of(match (with_file.number(), answered.number()) {
        (_, 0) => "No site answers what robots may do.".to_owned(),
        (0, 1) => "The site that answers has no robots.txt, which allows everything.".to_owned(),
        (1, 1) => "The site that answers has a robots.txt.".to_owned(),
        (0, sites) => format!(
            "None of the {} sites that answer has a robots.txt, which allows everything.",
            grouped(sites)
        ),
        (files, sites) if files == sites => {
            format!(
                "All {} sites that answer have a robots.txt.",
                grouped(sites)
            )
        }
        (_, sites) => format!(
            "Of {} sites that answer, {} have a robots.txt. The others have none, which allows everything.",
            grouped(sites),
            share(with_file, answered)
        ),
    })
}

/// The subject of a sentence about a part of the sites: `No site is`, `12% of sites are`.
fn sites_are(part: Sites, sites: Sites) -> String {
    match (part.number(), sites.number()) {
        (1, 1) => "The site is".to_owned(),
        (0, _) => "No site is".to_owned(),
        (one, all) if one == all => "All sites are".to_owned(),
        _ => format!("{} of sites are", share(part, sites)),
    }
}

/// The robots that the survey asked for, those that most sites are closed to first.
fn surveyed_robots(numbers: &Numbers) -> impl Iterator<Item = &RobotCount> {
    let robots = numbers.robots.iter().flat_map(|robots| &robots.robots);
    let robots = robots.filter(|robot| robot.robot != "*" && !robot.classes.sites.is_none());
    let mut robots: Vec<&RobotCount> = robots.collect();
    robots.sort_by_key(|robot| std::cmp::Reverse(robot.classes.closed.size()));
    robots.into_iter()
}

fn most_closed(numbers: &Numbers) -> Option<Phrase> {
    let mut robots = surveyed_robots(numbers).filter(|robot| !robot.classes.closed.is_none());
    let first = robots.next()?;
    let closed = |robot: &RobotCount| share(robot.classes.closed, robot.classes.sites);
    let text = Phrase::of(
        match (first.classes.closed.number(), first.classes.sites.number()) {
            (1, 1) => "The site does not let ".to_owned(),
            (closed, sites) if closed == sites => format!("None of {} sites lets ", grouped(sites)),
            (_, sites) => format!("Of {} sites, {} do not let ", grouped(sites), closed(first)),
        },
    );
    let text = text.name(&first.robot).words(" crawl anything.");
    Some(match (robots.next(), robots.next()) {
        (Some(second), Some(third)) => text
            .words(" Next are ")
            .name(&second.robot)
            .words(format!(" ({}) and ", closed(second)))
            .name(&third.robot)
            .words(format!(" ({}).", closed(third))),
        _ => text,
    })
}

fn any_robot(numbers: &Numbers) -> Option<Phrase> {
    let mut robots = numbers.robots.iter().flat_map(|robots| &robots.robots);
    let any = robots.find(|robot| robot.robot == "*" && !robot.classes.sites.is_none())?;
    let classes = any.classes;
    let (closed, open) = (classes.closed, classes.open);
    let (how, part) = if open == classes.sites {
        ("open", open)
    } else {
        ("closed", closed)
    };
    let text = format!(
        "{} {how} to robots that the file does not name",
        sites_are(part, classes.sites)
    );
    Some(Phrase::of(match open.number() {
        _ if part == classes.sites => format!("{text}."),
        0 => format!("{text}, and none is open to them."),
        _ => format!(
            "{text}, and {} are open to them.",
            share(open, classes.sites)
        ),
    }))
}

fn kinds(numbers: &Numbers) -> Option<Phrase> {
    let kinds = numbers.robots.iter().flat_map(|robots| &robots.kinds);
    let closed = |kind: &&KindCount| {
        let parts = [kind.classes.all_closed, kind.classes.some_closed];
        parts.into_iter().sum::<Sites>().size()
    };
    let together = kinds.filter(|kind| kind.robots > 1 && closed(kind) > 0);
    // Of kinds with the same counts the first one, as in the table.
    let kind = together.rev().max_by_key(closed)?;
    let KindClasses {
        all_closed,
        some_closed,
        sites,
        ..
    } = kind.classes;
    let robots = kind_title(kind.kind.as_deref());
    let (all, some) = match kind.robots {
        2 => ("both".to_owned(), "one"),
        robots => (format!("all {}", grouped(robots)), "some"),
    };
    if all_closed.is_none() {
        let text = format!("{} closed to {some} of the ", sites_are(some_closed, sites));
        let text = Phrase::of(text).then(robots);
        return Some(text.words(match sites.number() {
            1 => " of the survey.",
            _ => " of the survey, and none to all of them.",
        }));
    }
    let text = Phrase::of(format!("{} closed to {all} ", sites_are(all_closed, sites)));
    let text = text.then(robots).words(" of the survey");
    Some(match some_closed.number() {
        0 => text.words("."),
        _ => text.words(format!(
            ", and {} more to {some} of them.",
            share(some_closed, sites)
        )),
    })
}

/// How the share of the first robot changed.
fn change(numbers: &Numbers) -> Option<Phrase> {
    let OverTime {
        period, periods, ..
    } = numbers.over_time.as_ref()?;
    let first_robot = surveyed_robots(numbers).next()?;
    let mut shares = periods.iter().filter_map(|period| {
        let mut robots = period.robots.iter();
        let robot = robots.find(|robot| robot.robot == first_robot.robot)?;
        let classes = robot.classes;
        (!classes.sites.is_none()).then(|| (&period.label, share(classes.closed, classes.sites)))
    });
    let (first, before) = shares.next()?;
    let (last, after) = shares.next_back()?;
    Some(
        Phrase::of("The share of sites that are closed to ")
            .name(&robot_name(&first_robot.robot))
            .words(format!(
                " was {before} in the {period} {first} and {after} in {last}."
            )),
    )
}

fn preferences(numbers: &Numbers) -> Option<Phrase> {
    let files = numbers.coverage.with_file;
    let none = Sites::none(files.weight().is_some());
    let sites = |vocabulary: &str| {
        let mut counts = numbers.vocabularies.iter();
        let found = counts.find(|count| count.vocabulary == vocabulary);
        found.map_or(none, |count| count.sites)
    };
    let lines = ["content-signal", "content-usage", "rsl"].map(sites);
    if files.is_none() {
        return None;
    }
    let tokens = match sites("control-token") {
        sites if sites.is_none() => "No file names a control token".to_owned(),
        sites if sites == files => "All files name a control token".to_owned(),
        sites => format!("{} of files name a control token", share(sites, files)),
    };
    if lines.iter().all(|sites| sites.is_none()) {
        return Some(Phrase::of(format!(
            "No file has a Content-Signal, Content-Usage or License line. {tokens}."
        )));
    }
    let [signal, usage, license] = lines.map(|sites| match sites.number() {
        0 => "none".to_owned(),
        _ => share(sites, files),
    });
    Some(Phrase::of(format!(
        "Of the files, {signal} have Content-Signal lines, {usage} Content-Usage lines and {license} License lines. {tokens}."
    )))
}

fn names(numbers: &Numbers) -> Option<Phrase> {
    let names = numbers.names.as_ref()?;
    let first = names.names.first()?;
    Some(
        Phrase::of("The robot that most files name is ")
            .name(&first.name)
            .words(format!(
                ": {} of {} ({}).",
                grouped(first.sites.number()),
                counted(
                    names.sites.number(),
                    "file that has a group",
                    "files that have a group"
                ),
                share(first.sites, names.sites)
            )),
    )
}

fn findings(numbers: &Numbers) -> Option<Phrase> {
    let first = numbers.findings.as_ref()?.first()?;
    Some(
        Phrase::of("The finding that most files have is ")
            .name(&first.code)
            .words(format!(
                ": {} of {} ({}).",
                grouped(first.sites.number()),
                counted(numbers.coverage.with_file.number(), "file", "files"),
                share(first.sites, numbers.coverage.with_file)
            )),
    )
}

fn left_out(numbers: &Numbers) -> Option<Phrase> {
    let sum = |is_wanted: fn(CaptureState) -> bool| {
        let wanted = numbers.states.iter().filter(|state| is_wanted(state.state));
        wanted.map(|state| state.sites.number()).sum::<u64>()
    };
    let left_out = sum(|state| !state.answers());
    if left_out == 0 {
        return None;
    }
    let is_something_else = |state| {
        matches!(
            state,
            CaptureState::NoFields
                | CaptureState::Html
                | CaptureState::Json
                | CaptureState::Image
                | CaptureState::Compressed
                | CaptureState::Damaged
        )
    };
    let parts = [
        (
            sum(|state| state == CaptureState::Unreachable),
            ["was unreachable", "were unreachable"],
        ),
        (
            sum(|state| state == CaptureState::RedirectNotFollowed),
            [
                "redirects to something outside the survey",
                "redirect to something outside the survey",
            ],
        ),
        (sum(is_something_else), ["served something else"; 2]),
        (
            sum(|state| matches!(state, CaptureState::NotModified | CaptureState::Other)),
            ["gave another answer"; 2],
        ),
    ];
    let parts = parts.iter().filter(|(sites, _)| *sites > 0);
    let parts: Vec<String> = parts
        .map(|(sites, [one, several])| counted(*sites, one, several))
        .collect();
    Some(Phrase::of(format!(
        "Left out of the shares about robots: {} of {} ({}).",
        grouped(left_out),
        counted(numbers.coverage.sites.number(), "site", "sites"),
        parts.join(", ")
    )))
}
