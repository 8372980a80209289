//! A report as Markdown: its text and its tables.

use crate::markdown::{cell, name};
use abide_survey::report::{Document, Figure, Piece, Text};

/// The document as Markdown.
pub(super) fn written(document: &Document) -> String {
    let mut out = format!("# {}\n\n{}\n", text(&document.title), text(&document.about));
    out.push_str("\n## In short\n\n");
    for sentence in &document.summary {
        out.push_str(&format!("- {}\n", text(sentence)));
    }
    for section in &document.sections {
        out.push_str(&format!("\n## {}\n", section.title));
        for paragraph in &section.paragraphs {
            out.push_str(&format!("\n{}\n", text(paragraph)));
        }
        for figure in &section.figures {
            table(&mut out, figure);
        }
    }
    out
}

fn table(out: &mut String, figure: &Figure) {
    out.push_str(&format!("\n{}:\n\n", text(&figure.caption)));
    let table = &figure.table;
    let titles: Vec<String> = table
        .columns
        .iter()
        .map(|column| cell(&text(column)))
        .collect();
    out.push_str(&format!("| {} |\n|", titles.join(" | ")));
    for at in 0..table.columns.len() {
        out.push_str(if table.is_number(at) { "--:|" } else { "---|" });
    }
    out.push('\n');
    for row in &table.rows {
        let cells: Vec<String> = row.iter().map(|one| cell(&text(&one.shown()))).collect();
        out.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    if let Some(note) = table.note() {
        out.push_str(&format!("\n{note}\n"));
    }
}

/// Text in which names of the survey stay names, whatever they contain.
fn text(text: &Text) -> String {
    let pieces = text.pieces.iter().map(|piece| match piece {
        Piece::Own(words) => words.replace('*', "\\*").replace('_', "\\_"),
        Piece::Foreign(foreign) => name(foreign),
    });
    pieces.collect()
}
