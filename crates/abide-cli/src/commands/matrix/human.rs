//! The matrix as text for people.

use super::{MatrixReport, answer, grouped, preferring, why};
use crate::width::{cut, folded, heading, paragraph};
use abide::Usage;
use abide::explain::visible;
use abide_analysis::compare::prominence;
use abide_analysis::matrix::{Category, Row, Section};
use abide_analysis::words::listed;
use abide_analysis::words::usage;
use anstyle::AnsiColor;
use std::io::{self, Write};

/// The width of the output.
const WIDTH: usize = 80;
/// How many of the robots that people look for come first, and how many robots at most.
const MAX_PROMINENT: usize = 12;
const MAX_FIRST: usize = 24;
/// The largest number of names shown together.
const MAX_NAMES: usize = 12;
/// The largest number of names of robots that get the answer of every other robot.
const MAX_USUAL_NAMES: usize = 6;
/// The width of the column with robots that share preferences.
const ROBOTS: usize = 44;
/// The largest number of names of robots that share preferences.
const MAX_PREFERENCE_NAMES: usize = 4;
/// The width of the column with the answers.
const ANSWER: usize = 9;

pub(super) fn write(report: &MatrixReport<'_>) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    let matrix = report.matrix;
    if matrix.sections.len() > 1 {
        overview(&mut out, report)?;
    }
    for note in &matrix.notes {
        writeln!(out)?;
        paragraph(&mut out, &note.to_string(), 0, WIDTH)?;
    }
    preferences(&mut out, report)?;
    let mut usual = matrix.sections.iter();
    let usual = usual.find(|section| section.category == Category::EveryOther);
    let usual = usual.and_then(|section| section.rows.first());
    for (at, section) in matrix.sections.iter().enumerate() {
        let has_more = !matrix.notes.is_empty() || !matrix.preference_groups().is_empty();
        if at > 0 || matrix.sections.len() > 1 || has_more {
            writeln!(out)?;
        }
        heading(&mut out, &section.summary().to_string(), WIDTH)?;
        let note = section.category.note();
        if !note.is_empty() {
            paragraph(&mut out, note, 0, WIDTH)?;
        }
        if report.args.all {
            rows(&mut out, section)?;
        } else {
            groups(&mut out, section, usual)?;
        }
    }
    out.flush()
}

/// The answers for the robots that people ask about first, and for those that were named.
fn first(out: &mut impl Write, report: &MatrixReport<'_>) -> io::Result<()> {
    let is_asked = !report.args.agents.is_empty();
    let rows = report.matrix.sections.iter();
    let rows = rows.flat_map(|section| &section.rows);
    let place = |row: &Row| prominence(&row.name);
    let mut rows: Vec<&Row> = rows
        .filter(|row| {
            let is_named = || report.named.contains(&row.name.to_ascii_lowercase());
            is_asked || row.name == "*" || place(row).0 < MAX_PROMINENT || is_named()
        })
        .collect();
    rows.sort_by_key(|row| (row.name != "*", place(row)));
    for row in rows.iter().take(MAX_FIRST) {
        let name = match row.name.as_str() {
            "*" => "every other robot".to_owned(),
            name => visible(name.as_bytes()),
        };
        let text = format!("{name:<22} {}", why(&[row], &visible));
        labelled(out, row, &cut(&text, WIDTH - 2 - ANSWER))?;
    }
    match rows.len().saturating_sub(MAX_FIRST) {
        0 => writeln!(out),
        more => writeln!(out, "  and {more} more, below\n"),
    }
}

/// How many robots of each kind get each answer.
fn overview(out: &mut impl Write, report: &MatrixReport<'_>) -> io::Result<()> {
    let name = &report.name;
    writeln!(out, "Which robots may crawl the site, by {name}\n")?;
    first(out, report)?;
    writeln!(
        out,
        "{:<38} {:>7} {:>7} {:>7} {:>8}",
        "", "allowed", "partly", "closed", "ignoring"
    )?;
    let number = |count: usize| {
        if count == 0 {
            "-".to_owned()
        } else {
            count.to_string()
        }
    };
    for section in &report.matrix.sections {
        let counts = section.counts();
        writeln!(
            out,
            "{:<38} {:>7} {:>7} {:>7} {:>8}",
            section.category.title(),
            number(counts.allowed),
            number(counts.partly),
            number(counts.closed),
            number(counts.not_following)
        )?;
    }
    Ok(())
}

/// What the file asks about training, AI input and search: robots with the same answers together.
fn preferences(out: &mut impl Write, report: &MatrixReport<'_>) -> io::Result<()> {
    let groups = report.matrix.preference_groups();
    if groups.is_empty() {
        return Ok(());
    }
    if report.matrix.sections.len() > 1 {
        writeln!(out)?;
    }
    let title = "preferences (\u{2013}: none)";
    let heads = Usage::PREFERENCES.iter();
    let heads = heads.map(|one| format!(" {:>10}", usage(*one)));
    let heads = heads.collect::<Vec<_>>().concat();
    writeln!(out, "{title:<ROBOTS$}{heads}")?;
    for group in groups {
        let names = preferring(&group.rows, MAX_PREFERENCE_NAMES).to_string();
        let labels = group
            .answers
            .iter()
            .map(|answer| format!(" {:>10}", answer.label()));
        let labels = labels.collect::<Vec<_>>().concat();
        let lines = folded(&names, ROBOTS - 2);
        for (at, line) in lines.iter().enumerate() {
            let indent = if at == 0 { "" } else { "  " };
            let labels = if at == 0 { labels.as_str() } else { "" };
            let width = ROBOTS - indent.len();
            writeln!(
                out,
                "{}",
                format!("{indent}{line:<width$}{labels}").trim_end()
            )?;
        }
    }
    Ok(())
}

fn groups(out: &mut impl Write, section: &Section, usual: Option<&Row>) -> io::Result<()> {
    for group in grouped(&section.rows) {
        let Some(first) = group.first() else { continue };
        let is_other = section.category != Category::EveryOther;
        let is_usual = is_other && usual.is_some_and(|usual| usual.has_same_answer(first));
        let why = if is_usual {
            "as every other robot".to_owned()
        } else {
            why(&group, &visible)
        };
        labelled(out, first, &why)?;
        if !is_other {
            continue;
        }
        let most = if is_usual { MAX_USUAL_NAMES } else { MAX_NAMES };
        let names = group.iter().map(|row| visible(row.name.as_bytes()));
        let names = listed(&names.collect::<Vec<_>>(), most);
        paragraph(out, &names, 2 + ANSWER, WIDTH)?;
    }
    Ok(())
}

fn rows(out: &mut impl Write, section: &Section) -> io::Result<()> {
    if section.rows.iter().any(|row| !row.preferences.is_empty()) {
        let heads = Usage::PREFERENCES.iter();
        let heads = heads.map(|one| format!("{:<10} ", usage(*one)));
        let heads = heads.collect::<Vec<_>>().concat();
        writeln!(out, "  {:ANSWER$}{:<28} {}", "", "", heads.trim_end())?;
    }
    for row in &section.rows {
        let name = visible(row.name.as_bytes());
        let labels = row.preferences.iter();
        let labels = labels.map(|answer| format!("{:<10} ", answer.label()));
        let preferences = labels.collect::<Vec<_>>().concat();
        let text = format!("{name:<28} {preferences}{}", why(&[row], &visible));
        labelled(out, row, &text)?;
        for note in &row.documented {
            writeln!(
                out,
                "  {:ANSWER$}{:<28} {}",
                "",
                "",
                visible(note.as_bytes())
            )?;
        }
    }
    Ok(())
}

fn labelled(out: &mut impl Write, row: &Row, text: &str) -> io::Result<()> {
    let label = answer(row);
    let colour = match label {
        "allowed" => AnsiColor::Green,
        "closed" => AnsiColor::Red,
        _ => AnsiColor::Yellow,
    };
    let style = colour.on_default();
    let pad = ANSWER.saturating_sub(label.len());
    writeln!(out, "  {style}{label}{style:#}{:pad$}{text}", "")
}
