//! A report as Markdown: its text and its tables.

use crate::markdown::{cell, phrase};
use abide_survey::report::{Document, Figure};

/// The document as Markdown.
pub(super) fn written(document: &Document) -> String {
    let mut blocks = vec![
        format!("# {}", phrase(&document.title)),
        phrase(&document.about),
    ];
    let warning = document.warning.as_ref();
    blocks.extend(warning.map(|warning| format!("**{}**", phrase(warning))));
    blocks.push("## In short".to_owned());
    let summary = document.summary.iter();
    let summary: Vec<String> = summary.map(|one| format!("- {}", phrase(one))).collect();
    blocks.push(summary.join("\n"));
    for section in &document.sections {
        blocks.push(format!("## {}", section.title));
        blocks.extend(section.paragraphs.iter().map(phrase));
        for figure in &section.figures {
            blocks.push(format!("{}:", phrase(&figure.caption)));
            blocks.push(table(figure));
            blocks.push(phrase(&figure.note));
            blocks.extend(figure.table.note());
        }
    }
    blocks.join("\n\n") + "\n"
}

fn table(figure: &Figure) -> String {
    let table = &figure.table;
    let row = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let columns = table.columns.iter();
    let titles = columns.clone().map(|column| cell(&phrase(&column.title)));
    let alignment = columns.map(|column| {
        let side = if column.is_number() { "--:" } else { "---" };
        side.to_owned()
    });
    let mut lines = vec![row(titles.collect()), row(alignment.collect())];
    let rows = table.shown_rows().iter();
    lines.extend(rows.map(|cells| {
        let cells = cells.iter().map(|one| cell(&phrase(&one.shown())));
        row(cells.collect())
    }));
    lines.join("\n")
}
