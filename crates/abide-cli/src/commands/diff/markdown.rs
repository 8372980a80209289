//! The report as a comment for a pull request: a headline, a short list, folded details. It has at
//! most [`MAX_LINES`] lines, and no foreign text can inject Markdown or HTML.

use super::lines::{decided, directives_in_words, nothing_or, preference_rows, rows, shown_causes};
use super::{DiffReport, names};
use crate::markdown::{cell, code, html, name, phrase};
use abide_analysis::compare::{Cause, Change};
use abide_analysis::words::{self, Phrase};
use std::io::{self, Write};

/// The largest number of lines.
const MAX_LINES: usize = 200;
/// Lines of a folded block beside its rows, and of the notes after all blocks.
const AROUND: usize = 8;
/// The largest number of sentences in the list.
const MAX_SENTENCES: usize = 12;
/// The largest number of rows in a table.
const MAX_ROWS: usize = 12;

pub(super) fn write(report: &DiffReport<'_>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in lines(report) {
        writeln!(out, "{line}")?;
    }
    out.flush()
}

fn lines(report: &DiffReport<'_>) -> Vec<String> {
    let review = &report.review;
    let mut lines = vec![format!("**{}**", phrase(&review.headline)), String::new()];
    let sentences: Vec<&Phrase> = review.also.iter().chain(&review.not_compared).collect();
    for sentence in sentences.iter().take(MAX_SENTENCES) {
        lines.push(format!("- {}", phrase(sentence)));
    }
    if let more @ 1.. = sentences.len().saturating_sub(MAX_SENTENCES) {
        lines.push(format!(
            "- and {}",
            words::counted(more as u64, "more change", "more changes")
        ));
    }
    if let Some(affected) = &review.affected {
        lines.extend([String::new(), phrase(affected)]);
    }
    let (old, new) = (report.args.old.shown(), report.args.new_file().shown());
    let files = [old, new].map(|file| code(file.as_bytes()));
    lines.extend([
        String::new(),
        format!("Old file: {}, new file: {}", files[0], files[1]),
    ]);
    let mut blocks: Vec<Block> = shown_causes(&review.causes, &report.differences)
        .into_iter()
        .map(|cause| Block::of_cause(cause, report))
        .collect();
    blocks.extend(
        [
            preferences(report),
            directives(report),
            sitemaps(report),
            urls(report),
        ]
        .into_iter()
        .flatten(),
    );
    let count = blocks.len();
    for (at, block) in blocks.into_iter().enumerate() {
        let room = MAX_LINES.saturating_sub(lines.len() + 2 * AROUND);
        if room == 0 {
            let more = words::counted((count - at) as u64, "more cause", "more causes");
            lines.extend([
                String::new(),
                format!("And {more}: `abide diff` shows them all."),
            ]);
            break;
        }
        lines.extend(block.lines(room.min(MAX_ROWS)));
    }
    lines
}

/// A folded table.
struct Block {
    /// HTML.
    summary: String,
    head: [&'static str; 4],
    rows: Vec<[String; 4]>,
}

impl Block {
    fn of_cause(cause: &Cause, report: &DiffReport<'_>) -> Self {
        let all = rows(cause, &report.differences);
        let rows = all.iter().map(|row| {
            let side = |answer| decided(answer, &|text| code(text));
            [
                row.change(&words::outcome),
                code(row.region.witness.as_bytes()),
                side(&row.region.old),
                side(&row.region.new),
            ]
        });
        let sets = words::counted(all.len() as u64, "set of URLs", "sets of URLs");
        Self {
            summary: format!(
                "{} ({sets}, for {})",
                html(&cause.sentence),
                html(&cause.whom)
            ),
            head: ["change", "such as", "old", "new"],
            rows: rows.collect(),
        }
    }

    fn lines(self, most: usize) -> Vec<String> {
        let mut lines = vec![
            String::new(),
            format!("<details><summary>{}</summary>", self.summary),
            String::new(),
            format!("| {} |", self.head.join(" | ")),
            format!("|{}", "---|".repeat(self.head.len())),
        ];
        let more = self.rows.len().saturating_sub(most);
        for row in self.rows.into_iter().take(most) {
            lines.push(format!("| {} |", row.map(|one| cell(&one)).join(" | ")));
        }
        lines.push(String::new());
        if more > 0 {
            lines.extend([format!("And {more} more."), String::new()]);
        }
        lines.push("</details>".to_owned());
        lines
    }
}

/// Licence documents, and what single vocabularies say otherwise.
fn preferences(report: &DiffReport<'_>) -> Option<Block> {
    let rows = preference_rows(&report.differences, &|text| code(text)).into_iter();
    let rows = rows.map(|row| {
        let whom = code(names(&row.clients, 3).as_bytes());
        let witness = row.witness.map(|witness| code(witness.as_bytes()));
        let what = format!("{} for {whom}", row.what);
        [what, witness.unwrap_or_default(), row.old, row.new]
    });
    let rows: Vec<_> = rows.collect();
    (!rows.is_empty()).then(|| Block {
        summary: "Vocabularies and licences".to_owned(),
        head: ["change", "such as", "old", "new"],
        rows,
    })
}

fn directives(report: &DiffReport<'_>) -> Option<Block> {
    let clients = report.differences.clients.iter();
    let rows = clients.flat_map(|one| {
        one.comparison.directives.iter().map(|region| {
            let whom = code(names(&one.clients, 3).as_bytes());
            let directives = |directives| directives_in_words(directives, &|text| code(text));
            [
                format!("{} of {whom}", name(&region.application)),
                code(region.witness.as_bytes()),
                directives(&region.old),
                directives(&region.new),
            ]
        })
    });
    let rows: Vec<_> = rows.collect();
    (!rows.is_empty()).then(|| Block {
        summary: "App-Directives".to_owned(),
        head: ["application", "such as", "old", "new"],
        rows,
    })
}

fn sitemaps(report: &DiffReport<'_>) -> Option<Block> {
    let Change { old, new } = report.differences.sitemaps.as_ref()?;
    let gone = old.iter().filter(|value| !new.contains(value));
    let added = new.iter().filter(|value| !old.contains(value));
    let row =
        |what: &str, value: &Vec<u8>| [what.to_owned(), code(value), String::new(), String::new()];
    let rows = gone.map(|value| row("removed", value));
    Some(Block {
        summary: "Sitemaps".to_owned(),
        head: ["change", "sitemap", "", ""],
        rows: rows.chain(added.map(|value| row("added", value))).collect(),
    })
}

fn urls(report: &DiffReport<'_>) -> Option<Block> {
    let urls = report.urls.as_ref()?;
    let rows = urls.changed.iter().map(|changed| {
        let changes = changed.changes.iter();
        let changes = changes.map(|one| {
            let names = code(names(&one.clients, 3).as_bytes());
            format!("{names}: {}", code(one.what.as_bytes()))
        });
        let changes = nothing_or(&changes.collect::<Vec<_>>());
        [
            code(changed.url.as_bytes()),
            changes,
            String::new(),
            String::new(),
        ]
    });
    Some(Block {
        summary: format!("{} of {} URLs change", urls.changed.len(), urls.count),
        head: ["URL", "changes", "", ""],
        rows: rows.collect(),
    })
}
