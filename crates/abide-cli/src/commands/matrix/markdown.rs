//! The matrix as Markdown: one table of all kinds, and a folded table of robots for each.

use super::{MatrixReport, answer, grouped, notes, preferring, why};
use crate::markdown::{cell, code, html, name, phrase};
use abide::Usage;
use abide_analysis::matrix::{Row, Section};
use abide_analysis::words::usage;
use std::io::{self, Write};

/// The largest number of names of robots that share preferences, without `--all`.
const MAX_NAMES: usize = 12;

pub(super) fn write(report: &MatrixReport<'_>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let file = code(report.name.as_bytes());
    writeln!(out, "### Which robots may crawl the site, by {file}\n")?;
    writeln!(
        out,
        "| robots | allowed | partly | closed | ignore robots.txt |"
    )?;
    writeln!(out, "|---|--:|--:|--:|--:|")?;
    for section in &report.matrix.sections {
        let counts = section.counts();
        writeln!(
            out,
            "| {} | {} | {} | {} | {} |",
            section.category.title(),
            counts.allowed,
            counts.partly,
            counts.closed,
            counts.not_following
        )?;
    }
    for note in &report.matrix.notes {
        writeln!(out, "\n{}", phrase(note))?;
    }
    preferences(&mut out, report)?;
    for section in &report.matrix.sections {
        details(&mut out, report, section)?;
    }
    out.flush()
}

/// A table of what the file asks about training, AI input and search.
fn preferences(out: &mut impl Write, report: &MatrixReport<'_>) -> io::Result<()> {
    let groups = report.matrix.preference_groups();
    if groups.is_empty() {
        return Ok(());
    }
    let heads = Usage::PREFERENCES.iter().map(|one| usage(*one));
    let heads = heads.collect::<Vec<_>>().join(" | ");
    writeln!(out, "\n| robots | {heads} |\n|---|---|---|---|")?;
    for group in groups {
        let most = if report.args.all {
            usize::MAX
        } else {
            MAX_NAMES
        };
        let names = cell(&phrase(&preferring(&group.rows, most)));
        let labels: Vec<String> = group
            .answers
            .iter()
            .map(abide_analysis::view::UsageAnswer::label)
            .collect();
        writeln!(out, "| {names} | {} |", labels.join(" | "))?;
    }
    writeln!(out, "\n\u{2013}: no preference.")
}

fn details(out: &mut impl Write, report: &MatrixReport<'_>, section: &Section) -> io::Result<()> {
    let summary = html(&section.summary());
    writeln!(out, "\n<details><summary>{summary}</summary>\n")?;
    if !section.category.note().is_empty() {
        writeln!(out, "{}\n", section.category.note())?;
    }
    writeln!(out, "| robots | answer | why |\n|---|---|---|")?;
    let groups: Vec<Vec<&Row>> = if report.args.all {
        section.rows.iter().map(|row| vec![row]).collect()
    } else {
        grouped(&section.rows)
    };
    for group in groups {
        let Some(first) = group.first() else { continue };
        let names: Vec<String> = group.iter().map(|row| name(&row.name)).collect();
        let names = cell(&names.join(", "));
        let mut why = cell(&why(&group, &|text| code(text)));
        for note in notes(&group).iter().filter(|_| report.args.all) {
            why.push_str("; ");
            why.push_str(&cell(&code(note.as_bytes())));
        }
        writeln!(out, "| {names} | {} | {why} |", answer(first))?;
    }
    writeln!(out, "\n</details>")
}
