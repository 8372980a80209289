//! How the survey was made.

use crate::method::Method;
use crate::report::document::{Cell, Figure, ReportTable, Section};
use crate::report::numbers::Numbers;
use abide_analysis::words::{Phrase, counted};

/// The largest number of names in a cell.
const MAX_NAMES: usize = 24;

pub(super) fn section(numbers: &Numbers) -> Section {
    let mut section = Section {
        id: "method",
        title: "Method",
        paragraphs: Vec::new(),
        figures: Vec::new(),
    };
    let Some(method) = &numbers.method else {
        let none =
            "The tables do not say how the survey was made. Those that abide survey writes do.";
        section.paragraphs.push(Phrase::of(none));
        return section;
    };
    section.paragraphs.push(Phrase::of(
        "What somebody needs who cites this page or repeats the survey.",
    ));
    let rows = facts(method).into_iter();
    section.figures.push(Figure {
        caption: Phrase::of("How the survey was made"),
        chart: None,
        table: ReportTable::new(
            ["fact", "value"],
            rows.map(|(fact, value)| vec![Cell::words(fact), Cell::Text(value)]),
        ),
    });
    section
}

fn facts(method: &Method) -> Vec<(&'static str, Phrase)> {
    let name = |name: &str| Phrase::default().name(name);
    let inputs = &method.inputs;
    let read = format!(
        "{}, {}",
        counted(inputs.files, "file", "files"),
        counted(inputs.bytes, "byte", "bytes")
    );
    let documented = if method.literal { "not used" } else { "used" };
    let checked = if method.verified {
        "checked"
    } else {
        "not checked"
    };
    vec![
        ("abide", name(&method.abide)),
        (
            "version of the tables",
            Phrase::of(method.tables_version.to_string()),
        ),
        ("known robots, last checked", name(&method.known_robots)),
        (
            "what operators document about robots",
            Phrase::of(documented),
        ),
        ("digests of archives", Phrase::of(checked)),
        ("profile", name(&method.profile)),
        ("robots", names(&method.robots)),
        ("purposes", names(&method.purposes)),
        ("paths", names(&method.paths)),
        ("changes asked about", names(&method.what_if)),
        ("tables", names(&method.tables)),
        ("input", Phrase::of(read)),
        ("SHA-256 of its sizes and names", name(&inputs.sha256)),
    ]
}

fn names(names: &[String]) -> Phrase {
    if names.is_empty() {
        return Phrase::of("none");
    }
    Phrase::default().names(names.iter().map(String::as_str), MAX_NAMES)
}
