//! `abide robots`

use crate::args::{RobotsArgs, RobotsFormat};
use crate::csv::line;
use crate::exit::{Exit, complain, put, written};
use crate::markdown::cell;
use crate::width::{self, folded};
use abide::explain::visible;
use abide_contract::text;
use abide_contract::tools::KnownRobots;
use abide_known_robots::{AnyGroup, Basis, Kind, KnownRobot, Purpose, RobotError};
use anstyle::Style;
use std::io::{self, Write};

/// The width of labels in columns.
const LABEL: usize = 16;

/// Lists robots, or shows one.
pub(crate) fn run(args: &RobotsArgs) -> anyhow::Result<Exit> {
    let query = args.robot.as_deref().unwrap_or("@all");
    let is_set = query.starts_with('@');
    let operator = args.operator.as_deref().unwrap_or_default();
    let robots = match abide_known_robots::search(query, operator) {
        Err(error @ RobotError::Unknown { .. }) => {
            let operator = abide_known_robots::operator_named(query);
            let hint = operator.map_or_else(String::new, |operator| {
                format!("; abide robots --operator \"{operator}\" lists the robots of {operator}")
            });
            complain(&format!("{error}{hint}"));
            return Ok(Exit::Prohibited);
        }
        found => found?,
    };
    if robots.is_empty() {
        complain("no known robot fits; abide robots lists all of them");
        return Ok(Exit::Prohibited);
    }
    written(match (args.format, robots.as_slice()) {
        (RobotsFormat::Human, [only]) if !is_set => shown(only),
        (RobotsFormat::Human, robots) => listed(robots),
        (RobotsFormat::Json, robots) => json(robots),
        (RobotsFormat::Csv, robots) => csv(robots),
        (RobotsFormat::Markdown, robots) => markdown(robots),
    })?;
    Ok(Exit::Done)
}

/// Everything that is known about one robot.
fn shown(robot: &KnownRobot) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    let bold = Style::new().bold();
    let width = width::columns(None).saturating_sub(LABEL);
    let kind = match robot.kind {
        Kind::Robot => "a robot",
        Kind::UserTriggered => "fetches pages when people ask for them",
        Kind::ControlToken => "a name that controls how content is used; it sends no requests",
        _ => robot.kind.name(),
    };
    writeln!(out, "{bold}{}{bold:#}: {kind}", robot.token)?;
    let mut row = |label: &str, text: &str| -> io::Result<()> {
        let lines = if text.contains("://") {
            // Nobody can open half a URL.
            vec![text.to_owned()]
        } else {
            folded(text, width)
        };
        for (at, line) in lines.iter().enumerate() {
            let label = if at == 0 { label } else { "" };
            writeln!(out, "  {label:<14}{line}")?;
        }
        Ok(())
    };
    row("operator", robot.operator)?;
    let purposes: Vec<_> = robot.purposes.iter().copied().map(Purpose::title).collect();
    row("purpose", &purposes.join(", "))?;
    match robot.note.strip_prefix("Blocking it ") {
        Some(effect) => row("if disallowed", effect)?,
        None => row("note", robot.note)?,
    }
    let behaviour = behaviour(robot);
    if !behaviour.is_empty() {
        row("robots.txt", &behaviour.join("; "))?;
    }
    if let Some(mark) = robot.user_agent {
        row("User-Agent", &format!("contains \"{mark}\""))?;
    }
    if let Some(url) = robot.ip_ranges {
        row("addresses", url)?;
    }
    if !robot.reverse_dns.is_empty() {
        row("reverse DNS", &robot.reverse_dns.join(", "))?;
    }
    row("source", &source(robot))?;
    out.flush()
}

/// How the robot treats robots.txt, as far as that is documented.
fn behaviour(robot: &KnownRobot) -> Vec<String> {
    let mut phrases = Vec::new();
    match robot.follows_robots_txt {
        Some(true) => phrases.push("follows it".to_owned()),
        Some(false) => phrases.push("does not follow it".to_owned()),
        None if robot.kind == Kind::ControlToken => {}
        None => phrases.push("not documented whether it follows it".to_owned()),
    }
    match robot.follows_any_group {
        Some(AnyGroup::Ignored) => phrases.push("ignores groups for *".to_owned()),
        Some(AnyGroup::NotAsPermission) => {
            phrases.push("does not take groups for * as permission".to_owned());
        }
        _ => {}
    }
    if !robot.falls_back_to.is_empty() {
        phrases.push(format!(
            "without a group of its own it follows that of {}",
            robot.falls_back_to.join(", then ")
        ));
    }
    match robot.honours_crawl_delay {
        Some(true) => phrases.push("honours Crawl-delay".to_owned()),
        Some(false) => phrases.push("ignores Crawl-delay".to_owned()),
        None => {}
    }
    phrases
}

/// What the row rests on.
fn source(robot: &KnownRobot) -> String {
    let by = match (robot.basis, robot.documentation) {
        (Basis::Operator, Some(url)) => url.to_owned(),
        (Basis::Operator, None) => format!("documentation of {}", robot.operator),
        (_, Some(url)) => format!("lists of others; the operator: {url}"),
        (_, None) => "lists of others".to_owned(),
    };
    format!("{by} (checked {})", robot.checked)
}

/// A line for each robot, by purpose.
fn listed(robots: &[&'static KnownRobot]) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    let bold = Style::new().bold();
    let width = |of: fn(&KnownRobot) -> &str| {
        let widths = robots.iter().map(|robot| of(robot).chars().count());
        widths.max().unwrap_or_default()
    };
    let (tokens, operators) = (width(|robot| robot.token), width(|robot| robot.operator));
    let mut has_row = false;
    for &purpose in Purpose::ALL {
        let theirs = robots
            .iter()
            .filter(|robot| robot.main_purpose() == purpose);
        let theirs: Vec<_> = theirs.collect();
        if theirs.is_empty() {
            continue;
        }
        if has_row {
            writeln!(out)?;
        }
        has_row = true;
        writeln!(out, "{bold}{}{bold:#}", purpose.title())?;
        for robot in theirs {
            let kind = match robot.kind {
                Kind::Robot => "",
                other => other.name(),
            };
            let row = format!(
                "  {:<tokens$}  {:<operators$}  {kind}",
                robot.token, robot.operator
            );
            writeln!(out, "{}", row.trim_end())?;
        }
    }
    out.flush()
}

fn json(robots: &[&'static KnownRobot]) -> io::Result<()> {
    let known = KnownRobots::of(robots.iter().copied());
    put(text::pretty(&known.robots()) + "\n")
}

/// The columns of the tables: the name in CSV, which JSON has too, and the title for people.
const COLUMNS: [(&str, &str); 11] = [
    ("token", "token"),
    ("operator", "operator"),
    ("kind", "kind"),
    ("purposes", "purposes"),
    ("falls_back_to", "falls back to"),
    ("follows_any_group", "follows *"),
    ("honours_crawl_delay", "honours Crawl-delay"),
    ("follows_robots_txt", "follows robots.txt"),
    ("user_agent", "User-Agent contains"),
    ("documentation", "source"),
    ("checked", "checked"),
];

fn cells(robot: &KnownRobot) -> [String; 11] {
    let known = |fact: Option<bool>| match fact {
        Some(true) => "yes".to_owned(),
        Some(false) => "no".to_owned(),
        None => String::new(),
    };
    let purposes: Vec<_> = robot.purposes.iter().copied().map(Purpose::name).collect();
    [
        robot.token.to_owned(),
        robot.operator.to_owned(),
        robot.kind.name().to_owned(),
        purposes.join(" "),
        robot.falls_back_to.join(" "),
        robot
            .follows_any_group
            .map_or("", AnyGroup::name)
            .to_owned(),
        known(robot.honours_crawl_delay),
        known(robot.follows_robots_txt),
        robot.user_agent.unwrap_or_default().to_owned(),
        robot.documentation.unwrap_or_default().to_owned(),
        robot.checked.to_owned(),
    ]
}

fn csv(robots: &[&'static KnownRobot]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    line(&mut out, &COLUMNS.map(|(name, _)| name.to_owned()))?;
    for robot in robots {
        line(&mut out, &cells(robot))?;
    }
    out.flush()
}

fn markdown(robots: &[&'static KnownRobot]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let titles = COLUMNS.map(|(_, title)| title.replace('*', "\\*"));
    writeln!(out, "| {} |", titles.join(" | "))?;
    writeln!(out, "|{}", "---|".repeat(COLUMNS.len()))?;
    for robot in robots {
        let cells = cells(robot).map(|text| cell(&visible(text.as_bytes())));
        writeln!(out, "| {} |", cells.join(" | "))?;
    }
    out.flush()
}
