//! What is wrong with files, and what could not be read.

use super::{by_last_capture, missing};
use crate::report::document::{Cell, Figure, ReportColumn, ReportTable, Section, sites_in};
use crate::report::numbers::{ErrorCount, FindingCount, Numbers};
use abide_analysis::words::{Phrase, grouped};

/// The largest number of codes in the chart.
const MAX_DRAWN: usize = 20;

pub(super) fn section(numbers: &Numbers) -> Section {
    let mut section = Section {
        id: "findings",
        title: "Findings about files",
        paragraphs: Vec::new(),
        figures: Vec::new(),
    };
    let Some(findings) = &numbers.findings else {
        section.paragraphs = vec![missing("findings")];
        return section;
    };
    section.paragraphs.push(Phrase::of(
        "What abide lint reports about the files. abide lint --explain CODE shows the page of a code.",
    ));
    let sites = numbers.coverage.with_file;
    let row = |finding: &FindingCount| {
        vec![
            Cell::name(&finding.code),
            Cell::name(&finding.severity),
            Cell::Share(finding.sites, sites),
            Cell::Count(finding.findings),
            Cell::words(meaning(&finding.code)),
        ]
    };
    let columns = vec![
        ReportColumn::text("code"),
        ReportColumn::text("severity"),
        ReportColumn::part("sites"),
        ReportColumn::count("findings"),
        ReportColumn::text("what it finds"),
    ];
    let all = sites_in(sites, "site", "sites");
    let by = by_last_capture(&numbers.coverage);
    let figure = Figure::new(
        "findings",
        format!("The findings that most files have ({all} with a robots.txt)"),
        format!("Each bar is a finding: the share of {all} with a robots.txt that have it, {by}."),
        ReportTable::new(columns, findings.iter().map(row)),
    );
    section.figures.push(figure.with_bars(2, MAX_DRAWN));
    section
}

/// What a rule of the linter finds, without the marks of its page.
fn meaning(code: &str) -> String {
    let rule = abide_lint::rules::of(code);
    rule.map_or_else(String::new, |rule| rule.page().summary.replace('`', ""))
}

/// What could not be read of the input.
pub(super) fn errors(numbers: &Numbers) -> Section {
    let mut section = Section {
        id: "errors",
        title: "What could not be read",
        paragraphs: Vec::new(),
        figures: Vec::new(),
    };
    let Some(errors) = &numbers.errors else {
        section.paragraphs = vec![missing("errors")];
        return section;
    };
    let total: u64 = errors.iter().map(|error| error.errors).sum();
    section.paragraphs.push(Phrase::of(if total == 0 {
        "Everything in the input could be read.".to_owned()
    } else {
        format!(
            "{} of the input could not be read. The table errors has the place, and what to do.",
            match total {
                1 => "1 part".to_owned(),
                total => format!("{} parts", grouped(total)),
            }
        )
    }));
    if total == 0 {
        return section;
    }
    let row = |error: &ErrorCount| vec![Cell::name(&error.code), Cell::Count(error.errors)];
    section.figures.push(Figure::new(
        "errors",
        "Parts of the input that could not be read, by code",
        "Each row is a code: how often the survey has it, in all of its input.",
        ReportTable::new(
            vec![ReportColumn::text("code"), ReportColumn::count("errors")],
            errors.iter().map(row),
        ),
    ));
    section
}
