//! A report as Markdown: its text and its tables.

use crate::markdown::{cell, name};
use abide_survey::report::{Document, Figure, Piece, Text};

/// The document as Markdown.
pub(super) fn written(document: &Document) -> String {
    let mut blocks = vec![
        format!("# {}", text(&document.title)),
        text(&document.about),
    ];
    let warning = document.warning.as_ref();
    blocks.extend(warning.map(|warning| format!("**{}**", text(warning))));
    blocks.push("## In short".to_owned());
    let summary = document.summary.iter();
    let summary: Vec<String> = summary.map(|one| format!("- {}", text(one))).collect();
    blocks.push(summary.join("\n"));
    for section in &document.sections {
        blocks.push(format!("## {}", section.title));
        blocks.extend(section.paragraphs.iter().map(text));
        for figure in &section.figures {
            blocks.push(format!("{}:", text(&figure.caption)));
            blocks.push(table(figure));
            blocks.extend(figure.table.note());
        }
    }
    blocks.join("\n\n") + "\n"
}

fn table(figure: &Figure) -> String {
    let table = &figure.table;
    let row = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let titles = table.columns.iter().map(|title| cell(&text(title)));
    let alignment = (0..table.columns.len()).map(|at| {
        let side = if table.is_number(at) { "--:" } else { "---" };
        side.to_owned()
    });
    let mut lines = vec![row(titles.collect()), row(alignment.collect())];
    let rows = table.rows.iter();
    lines.extend(rows.map(|cells| {
        let cells = cells.iter().map(|one| cell(&text(&one.shown())));
        row(cells.collect())
    }));
    lines.join("\n")
}

/// Text in which names of the survey stay names, whatever they contain.
fn text(text: &Text) -> String {
    let pieces = text.pieces.iter().map(|piece| match piece {
        Piece::Own(words) => words.replace('*', "\\*").replace('_', "\\_"),
        Piece::Foreign(foreign) => name(foreign),
    });
    pieces.collect()
}
