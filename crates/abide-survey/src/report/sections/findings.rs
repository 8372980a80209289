//! What is wrong with files, and what could not be read.

use super::missing;
use crate::report::document::{Cell, Chart, Figure, ReportTable, RowLabel, Section, percent};
use crate::report::numbers::{ErrorCount, FindingCount, Numbers};
use abide_analysis::words::{Phrase, counted, grouped};

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
    let drawn = findings.get(..MAX_DRAWN).unwrap_or(findings);
    let value = |finding: &FindingCount| percent(finding.sites, sites).unwrap_or_default();
    let chart = Chart::Bars {
        rows: drawn
            .iter()
            .map(|finding| RowLabel::named(abide::explain::visible(finding.code.as_bytes())))
            .collect(),
        values: drawn.iter().map(value).collect(),
    };
    let row = |finding: &FindingCount| {
        vec![
            Cell::name(&finding.code),
            Cell::name(&finding.severity),
            Cell::Share(finding.sites, sites),
            Cell::Count(finding.findings),
            Cell::words(meaning(&finding.code)),
        ]
    };
    section.figures.push(Figure {
        caption: Phrase::of(format!(
            "The findings that most files have ({} with a robots.txt)",
            counted(sites, "site", "sites")
        )),
        chart: (!drawn.is_empty() && sites > 0).then_some(chart),
        table: ReportTable::new(
            ["code", "severity", "sites", "findings", "what it finds"],
            findings.iter().map(row),
        ),
    });
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
    section.figures.push(Figure {
        caption: Phrase::of("Parts of the input that could not be read, by code"),
        chart: None,
        table: ReportTable::new(["code", "errors"], errors.iter().map(row)),
    });
    section
}
