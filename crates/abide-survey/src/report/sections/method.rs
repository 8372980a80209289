//! How the survey was made.

use crate::method::Method;
use crate::report::document::{Cell, Figure, ReportColumn, ReportTable, Section, sites_in};
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
    let mut rows = counting(numbers);
    match &numbers.method {
        Some(method) => rows.extend(facts(method)),
        None => section.paragraphs.push(Phrase::of(
            "The tables do not say how the survey was made. Those that abide survey writes do.",
        )),
    }
    section.paragraphs.push(Phrase::of(
        "What somebody needs who cites this page or repeats the survey.",
    ));
    let rows = rows.into_iter();
    section.figures.push(Figure::new(
        "method",
        "How the survey was made and counted",
        "Each row is a fact about the survey or about this page.",
        ReportTable::new(
            vec![ReportColumn::text("fact"), ReportColumn::text("value")],
            rows.map(|(fact, value)| vec![Cell::words(fact), Cell::Text(value)]),
        ),
    ));
    section
}

/// How the tables were counted.
fn counting(numbers: &Numbers) -> Vec<(&'static str, Phrase)> {
    let mut facts = vec![(
        "unit",
        Phrase::of("a site: a host, with its port if that is not the default one"),
    )];
    if let Some(time) = &numbers.over_time {
        let panel = match &time.panel {
            None => "all that answer in a period".to_owned(),
            Some(panel) => format!(
                "a balanced panel: {}; left out because they answer in some periods only: {}",
                sites_in(panel.kept, "site", "sites"),
                sites_in(panel.dropped, "site", "sites")
            ),
        };
        facts.push(("sites over time", Phrase::of(panel)));
    }
    facts.push((
        "weights",
        Phrase::of(match &numbers.weights {
            None => "none: each site counts once".to_owned(),
            Some(weights) => weights.sentence(),
        }),
    ));
    facts
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
        ("robots as asked for", names(&method.asked)),
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
