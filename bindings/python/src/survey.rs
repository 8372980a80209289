//! Surveys of record batches: what the `abide survey` command says about a table, in memory.

use crate::batches::{RecordBatches, plain, read};
use crate::error::{invalid_option, wrong_type};
use crate::options::one_or_more;
use abide::{Named, Target};
use abide_known_robots::Robot;
use abide_survey::records::{
    self, FoundCapture, InputProblem, Item, MAX_STEPS, Original, RedirectTrail,
};
use abide_survey::schema::Table;
use abide_survey::{Capture, Options, Surveyor};
use arrow_array::RecordBatch;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The largest number of captures in a batch of rows.
const MAX_BATCH_CAPTURES: usize = 256;
/// What is named as the source in table `errors`.
const SOURCE: &str = "rows";

/// What a survey asks, from arguments.
pub(crate) fn options(
    py: Python<'_>,
    tables: Option<&Bound<'_, PyAny>>,
    agents: &Bound<'_, PyAny>,
    paths: &Bound<'_, PyAny>,
    profile: &str,
    literal: bool,
) -> PyResult<Options> {
    let mut options = Options {
        literal,
        robots: Vec::new(),
        paths: one_or_more(paths, "paths")?,
        profile: profile.parse().map_err(|_| {
            let message = format!("expected careful or google, but found {profile}");
            invalid_option(py, "profile", &message)
        })?,
        ..Options::default()
    };
    for list in one_or_more(agents, "agents")? {
        let all = Robot::list(&list);
        for one in all.map_err(|error| invalid_option(py, "agents", &error.to_string()))? {
            if !options.robots.contains(&one) {
                options.robots.push(one);
            }
        }
    }
    for path in &options.paths {
        if !path.starts_with('/') || Target::new(path).is_err() {
            let message = format!("expected a path that begins with /, but found {path}");
            return Err(invalid_option(py, "paths", &message));
        }
    }
    if let Some(tables) = tables {
        let list = one_or_more(tables, "tables")?;
        let tables = list.iter().map(|name| table(py, name));
        options.tables = tables.collect::<PyResult<_>>()?;
    }
    Ok(options)
}

fn table(py: Python<'_>, name: &str) -> PyResult<Table> {
    // Pages are records of archives, which the command reads.
    let found = Table::by_name(name).filter(|table| !Table::OF_PAGES.contains(table));
    found.ok_or_else(|| {
        let all = Table::ALL
            .iter()
            .filter(|table| !Table::OF_PAGES.contains(table));
        let names: Vec<&str> = all.map(|table| table.name()).collect();
        let message = format!("expected some of {}, but found {name}", names.join(", "));
        invalid_option(py, "tables", &message)
    })
}

/// The rows of each table, collected in batches.
struct Output<'s> {
    surveyor: &'s Surveyor,
    captures: Vec<(i64, Capture)>,
    batches: BTreeMap<Table, Vec<RecordBatch>>,
}

impl Output<'_> {
    fn add(&mut self, number: i64, capture: Capture) {
        self.captures.push((number, capture));
        if self.captures.len() >= MAX_BATCH_CAPTURES {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let captures = self.captures.iter();
        let captures = captures.map(|(number, capture)| (*number, capture));
        for (table, rows) in self.surveyor.numbered_tables(captures) {
            if rows.num_rows() > 0 {
                self.batches.entry(table).or_default().push(rows);
            }
        }
        self.captures.clear();
    }
}

/// A row of the input.
#[derive(Clone, Copy)]
struct Spot {
    /// The captures before it.
    number: i64,
    batch: usize,
    row: usize,
}

/// A survey of batches in memory, which are read again where redirects lead.
struct Memory<'b> {
    batches: &'b [RecordBatch],
    spots: HashMap<String, Vec<Spot>>,
    waiting: Vec<(i64, RedirectTrail)>,
    troubles: Vec<InputProblem>,
}

/// What a URL or digest is found by.
pub(crate) fn key(of: &Original) -> String {
    match of {
        Original::Url(url) => {
            let requested = records::requested(url);
            format!("url {}", requested.as_deref().unwrap_or(url))
        }
        Original::Digest(digest) => format!("digest {digest}"),
    }
}

impl Memory<'_> {
    fn read(&mut self, output: &mut Output<'_>) {
        let (mut number, mut row) = (0, 0);
        for (batch, rows) in self.batches.iter().enumerate() {
            for at in 0..rows.num_rows() {
                let mut items = Vec::new();
                records::read_row(rows, at, row, false, &mut |item| {
                    items.push(item);
                    true
                });
                row += 1;
                let spot = Spot {
                    number,
                    batch,
                    row: at,
                };
                for item in items {
                    match item {
                        Item::Capture(mut found) => {
                            found.capture.record.source = Some(SOURCE.into());
                            self.add_spot(found.capture.url.as_deref(), spot);
                            match RedirectTrail::of(&found) {
                                Some(trail) => self.waiting.push((number, trail)),
                                None => output.add(number, found.capture),
                            }
                            number += 1;
                        }
                        Item::Page { url, .. } => self.add_spot(Some(&url), spot),
                        Item::Failed(trouble) | Item::Noted(trouble) => self.troubles.push(trouble),
                        Item::Skipped(_) | Item::Verified(_) | Item::Reached(_) => {}
                    }
                }
            }
        }
    }

    fn add_spot(&mut self, url: Option<&str>, spot: Spot) {
        let Some(url) = url else { return };
        let key = key(&Original::Url(url.to_owned()));
        self.spots.entry(key).or_default().push(spot);
    }

    /// The nearest row in the order of the input; of two as near, the later one.
    fn nearest(&self, wanted: &Original, number: i64) -> Option<Spot> {
        let spots = self.spots.get(&key(wanted))?;
        let next = spots.partition_point(|spot| spot.number < number);
        let before = next.checked_sub(1).and_then(|at| spots.get(at)).copied();
        let after = spots.get(next).copied();
        match (before, after) {
            (Some(before), Some(after)) if number - before.number < after.number - number => {
                Some(before)
            }
            (before, after) => after.or(before),
        }
    }

    fn found(&self, spot: Spot) -> Option<FoundCapture> {
        let rows = self.batches.get(spot.batch)?;
        let mut found = None;
        records::read_row(rows, spot.row, 0, true, &mut |item| {
            if let Item::Capture(one) = item {
                found = Some(one);
            }
            true
        });
        found
    }

    /// Adds the rows of redirects, in their order.
    fn follow(&mut self, output: &mut Output<'_>) {
        for (number, mut trail) in std::mem::take(&mut self.waiting) {
            let mut end = None;
            for _ in 0..MAX_STEPS {
                let Some(wanted) = trail.wants() else { break };
                let found = self
                    .nearest(wanted, number)
                    .and_then(|spot| self.found(spot));
                let steps = trail.steps();
                end = found.and_then(|found| trail.reach(&found));
                if trail.steps() == steps {
                    trail.lose();
                }
            }
            let end = end.or_else(|| match trail.end() {
                records::TrailEnd::Failed(own) | records::TrailEnd::NotFollowed(own) => Some(own),
                records::TrailEnd::Reached | records::TrailEnd::NoBody(_) => None,
            });
            if let Some(capture) = end {
                output.add(number, capture);
            }
        }
    }
}

/// Surveys record batches: the rows of each table, by its name.
#[pyfunction]
#[pyo3(signature = (batches, *, tables, agents, paths, profile, literal))]
pub(crate) fn survey_batches<'py>(
    py: Python<'py>,
    batches: &Bound<'py, PyAny>,
    tables: Option<&Bound<'py, PyAny>>,
    agents: &Bound<'py, PyAny>,
    paths: &Bound<'py, PyAny>,
    profile: &str,
    literal: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let options = options(py, tables, agents, paths, profile, literal)?;
    let reader = read(batches, "batches")?;
    let failed =
        |error: arrow_schema::ArrowError| invalid_option(py, "batches", &error.to_string());
    let batches = reader.map(|batch| batch.and_then(plain));
    let batches = batches.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    if let Some(first) = batches.first() {
        records::check_schema(&first.schema())
            .map_err(|message| invalid_option(py, "batches", &message))?;
    }
    let surveyed = py.detach(|| {
        let surveyor = Surveyor::new(&options);
        let mut output = Output {
            surveyor: &surveyor,
            captures: Vec::new(),
            batches: BTreeMap::new(),
        };
        let mut memory = Memory {
            batches: &batches,
            spots: HashMap::new(),
            waiting: Vec::new(),
            troubles: Vec::new(),
        };
        memory.read(&mut output);
        memory.follow(&mut output);
        output.flush();
        let troubles = memory.troubles.iter().map(|trouble| (SOURCE, trouble));
        let errors = records::errors(troubles);
        output.batches.insert(Table::Errors, vec![errors]);
        output.batches
    });
    let mut surveyed = surveyed;
    let tables = PyDict::new(py);
    for table in &options.tables {
        let batches = surveyed.remove(table).unwrap_or_default();
        let schema = Arc::new(table.schema());
        tables.set_item(table.name(), RecordBatches::new(schema, batches))?;
    }
    Ok(tables)
}

/// The name of one table.
pub(crate) fn one_table(value: &Bound<'_, PyAny>) -> PyResult<Table> {
    match value.extract::<String>() {
        Ok(name) => table(value.py(), &name),
        Err(_) => Err(wrong_type("table", "the name of a table", value)),
    }
}
