//! `abide matrix`

mod csv;
mod human;
mod markdown;

use crate::args::{MatrixArgs, MatrixFormat};
use crate::exit::{Exit, put, warn, written};
use crate::fetch::Network;
use crate::page_args::{documents, warn_of_whole_urls};
use crate::robot_args::{purposes, robots};
use crate::robots_source;
use crate::source::Source;
use abide::preference::Vocabulary;
use abide::{Profile, Robots};
use abide_analysis::Bound;
use abide_analysis::matrix::{
    DecidingLine, Matrix, MatrixSettings, PathException, RobotAccess, Row, named_robot,
};
use abide_analysis::preferences::{self, SiteQuestion};
use abide_analysis::words::{Phrase, enumerated_lines};
use abide_contract::matrix::FileMatrix;
use abide_contract::text;
use anyhow::{Context, ensure};
use std::collections::BTreeSet;
use std::io;

/// Shows which robots may crawl a site.
pub(crate) fn run(args: &MatrixArgs) -> anyhow::Result<Exit> {
    let profile = args.profile;
    let agents = robots(&args.agents, false, false)?;
    let network = Network::of_abide(&args.network);
    let robots = robots_source::read(&args.robots, profile, &network)?;
    let asks = args.preferences || args.vocabulary.are_given() || preferences::are_stated(&robots);
    let settings = MatrixSettings {
        literal: args.literal,
        preferences: asks.then(|| question(args)).transpose()?,
        purposes: purposes(&args.purpose, None)?,
    };
    let matrix = Matrix::of_file(&robots, &agents, &settings, Bound::default());
    let matrix = matrix.context("in --agent")?;
    let report = MatrixReport {
        args,
        name: args.robots.shown(),
        matrix: &matrix,
        named: named(&robots),
    };
    written(match args.format {
        MatrixFormat::Human => human::write(&report),
        MatrixFormat::Markdown => markdown::write(&report),
        MatrixFormat::Json => json(&report, profile),
        MatrixFormat::Csv => csv::write(&matrix),
    })?;
    if matrix.left_out > 0 {
        warn(&format!(
            "the file names {} more robots that are not in the table; name them with --agent",
            matrix.left_out
        ));
    }
    if !matrix.is_proven() {
        warn(
            "the file is too complex to compare all paths for every robot: answers marked \"not proven\" may be wrong",
        );
    }
    Ok(Exit::Done)
}

/// What is asked about preferences.
fn question(args: &MatrixArgs) -> anyhow::Result<SiteQuestion> {
    let given = &args.vocabulary;
    ensure!(
        !given.vocabularies.contains(&Vocabulary::RobotsTag),
        "robots-tag has no effect, because abide matrix reads no pages; use abide check"
    );
    let standard = SiteQuestion::default();
    let mut question = SiteQuestion {
        vocabularies: (!given.vocabularies.is_empty()).then(|| given.vocabularies.clone()),
        revision: given.revision.unwrap_or(standard.revision),
        signal_scope: given.signal_scope.unwrap_or_default(),
        documents: documents(given)?,
        ..standard
    };
    if let Source::Url(url) = Source::named(&args.robots) {
        question = question.with_origin_of(url.as_str());
    }
    if question.origin.is_none() {
        let remedy = "name the robots.txt by its URL";
        warn_of_whole_urls(&question.documents, ["/"], remedy);
    }
    Ok(question)
}

/// The report.
struct MatrixReport<'a> {
    args: &'a MatrixArgs,
    name: String,
    matrix: &'a Matrix,
    /// The robots that the file names, in lower case.
    named: BTreeSet<String>,
}

/// The robots that the `User-agent` lines name, in lower case.
fn named(robots: &Robots) -> BTreeSet<String> {
    let lines = robots.lines().iter();
    let names = lines.filter_map(|line| named_robot(robots, line));
    names.map(|name| name.to_ascii_lowercase()).collect()
}

fn json(report: &MatrixReport<'_>, profile: Profile) -> io::Result<()> {
    let args = report.args;
    let json = FileMatrix::new(args.robots.as_str(), profile, args.literal, report.matrix);
    put(text::pretty(&json) + "\n")
}

/// The answer in a word or two.
fn answer(row: &Row) -> &'static str {
    match (row.follows_robots_txt, row.access) {
        (Some(false), _) => "ignores",
        _ => row.access.name(),
    }
}

/// The robots of a group with the same preferences: `GPTBot, CCBot and 3 more`, `every other robot
/// and 240 known ones`. `most` is the largest number of names.
fn preferring(rows: &[&Row], most: usize) -> Phrase {
    let is_named = |row: &&&Row| row.name != "*";
    let names = rows.iter().filter(is_named).map(|row| row.name.as_str());
    match names.clone().count() {
        all if all == rows.len() => Phrase::default().names(names, most),
        0 => Phrase::of("every other robot"),
        many if many > most => Phrase::of(format!("every other robot and {many} known ones")),
        1 => Phrase::of("every other robot and ").names(names, 1),
        many => Phrase::of("every other robot, ").names(names, many),
    }
}

/// Rows that differ only in their robot, together; the strictest answer comes first.
fn grouped(rows: &[Row]) -> Vec<Vec<&Row>> {
    let mut groups: Vec<Vec<&Row>> = Vec::new();
    for row in rows {
        let known = groups
            .iter_mut()
            .find(|group| group.first().is_some_and(|one| one.has_same_answer(row)));
        match known {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    groups.sort_by_key(|group| group.first().map(|row| strictness(row)));
    groups
}

fn strictness(row: &Row) -> u8 {
    match (row.follows_robots_txt, row.access) {
        (Some(false), _) => 3,
        (_, RobotAccess::Closed) => 0,
        (_, RobotAccess::Partly) => 1,
        (_, RobotAccess::Allowed) => 2,
    }
}

/// Why robots with the same answer get it, made of text that `show` makes safe.
fn why(rows: &[&Row], show: &dyn Fn(&[u8]) -> String) -> String {
    let Some(row) = rows.first() else {
        return String::new();
    };
    if row.follows_robots_txt == Some(false) {
        return "does not follow robots.txt".to_owned();
    }
    let why = match (&row.exception, &row.decided_by) {
        (Some(exception), own) => partly(row, own.as_ref(), exception, show),
        (None, None) => "no group applies".to_owned(),
        (None, Some(_)) if row.access == RobotAccess::Allowed => {
            format!("nothing is disallowed in the group of {}", lines(rows))
        }
        (None, Some(own)) => format!("{}: {}", lines(rows), show(&own.statement)),
    };
    if row.is_proven {
        why
    } else {
        format!("{why} (not proven)")
    }
}

/// Which rules decide otherwise than about the whole site.
fn partly(
    row: &Row,
    own: Option<&DecidingLine>,
    exception: &PathException,
    show: &dyn Fn(&[u8]) -> String,
) -> String {
    let line = |line: &DecidingLine| format!("line {}: {}", line.number, show(&line.statement));
    let more = match row.exceptions.saturating_sub(1) {
        0 => String::new(),
        1 => " and 1 more rule".to_owned(),
        more => format!(" and {more} more rules"),
    };
    let other = exception.decided_by.as_ref();
    let exception = match other.filter(|other| is_rule(other)) {
        Some(other) => format!("{}{more}", line(other)),
        None => format!("not for {}", show(exception.path.as_bytes())),
    };
    match own.filter(|own| is_rule(own)) {
        Some(own) => format!("{}; but {exception}", line(own)),
        None => exception,
    }
}

/// The numbers of the lines that decide about the whole site.
fn lines(rows: &[&Row]) -> String {
    const MAX_LINES: usize = 3;
    let numbers = rows
        .iter()
        .filter_map(|row| Some(row.decided_by.as_ref()?.number));
    let numbers: BTreeSet<u32> = numbers.collect();
    enumerated_lines(&numbers.into_iter().collect::<Vec<_>>(), MAX_LINES)
}

/// Whether a line is a rule, and not the beginning of a group.
fn is_rule(line: &DecidingLine) -> bool {
    let key = line.statement.split(|byte| *byte == b':').next();
    !key.is_some_and(|key| key.eq_ignore_ascii_case(b"user-agent"))
}

/// What is documented about robots with the same answer and matters, one sentence per robot.
fn notes<'r>(rows: &[&'r Row]) -> Vec<&'r String> {
    rows.iter().flat_map(|row| &row.documented).collect()
}
