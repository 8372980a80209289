//! Follows redirects and revisit records to the captures that they lead to.

use super::Run;
use super::collect::{PagePlace, Waiting, key};
use super::places::Places;
use crate::capture::Capture;
use crate::input::sources::{Source, SourceKind};
use crate::input::{FoundCapture, InputProblem, Item, json_lines, table, warc};
use crate::rows::Rows;
use crate::trail::{MAX_STEPS, RedirectTrail, TrailEnd};
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of captures that are dealt with at a time.
const CAPTURES_PER_BATCH: usize = 20_000;
/// About this many rows are written at a time.
const ROWS: usize = 1 << 13;

/// A capture on the way to its rules.
struct Path {
    waiting: Waiting,
    trail: RedirectTrail,
}

/// Writes the rows of all captures that wait for another record.
pub(super) fn follow(run: &mut Run<'_>, jobs: usize, stop: &AtomicBool) -> io::Result<()> {
    let done = run.journal.entry().followed;
    let mut all = run.journal.waiting().skip(done).peekable();
    if all.peek().is_none() {
        return Ok(());
    }
    let mut places = run.journal.places()?;
    while !stop.load(Ordering::Relaxed) {
        let waiting = all.by_ref().take(CAPTURES_PER_BATCH);
        let waiting = waiting.collect::<io::Result<Vec<Waiting>>>()?;
        if waiting.is_empty() {
            break;
        }
        let count = waiting.len();
        let path = |waiting: Waiting| Path::new(waiting, run.sources);
        let mut paths: Vec<Path> = waiting.into_iter().map(path).collect();
        let mut output = Output::new(run);
        for _ in 0..MAX_STEPS {
            if !step(&mut output, &mut places, &mut paths)? {
                break;
            }
        }
        for path in &paths {
            output.add_rest(path)?;
        }
        output.flush()?;
        let entry = run.journal.entry_mut();
        entry.followed += count;
        entry.next_job = jobs;
        run.journal.commit()?;
    }
    Ok(())
}

/// Takes one step on each path. Returns false if none was possible.
fn step(output: &mut Output<'_, '_>, places: &mut Places, paths: &mut [Path]) -> io::Result<bool> {
    let found = found(places, paths)?;
    let mut by_source: BTreeMap<u32, BTreeMap<u64, Vec<usize>>> = BTreeMap::new();
    for (number, path) in paths.iter_mut().enumerate() {
        if path.trail.wants().is_none() {
            continue;
        }
        match found.get(&number) {
            Some(found) => by_source
                .entry(found.source)
                .or_default()
                .entry(found.place)
                .or_default()
                .push(number),
            None => path.trail.lose(),
        }
    }
    let is_any = !by_source.is_empty();
    for (source, places) in by_source {
        let source = usize::try_from(source)
            .ok()
            .and_then(|at| output.run.sources.get(at));
        let Some(source) = source else { continue };
        let steps =
            |paths: &[Path], number: usize| paths.get(number).map(|path| path.trail.steps());
        let before = places.values().flatten();
        let before: Vec<(usize, Option<usize>)> = before
            .map(|number| (*number, steps(paths, *number)))
            .collect();
        let mut result = Ok(());
        read_again(source, &places, &mut |found| {
            for number in places.get(&found.place).into_iter().flatten() {
                let Some(path) = paths.get_mut(*number) else {
                    continue;
                };
                let end = path.trail.reach(&found);
                if let Some(capture) = end
                    && result.is_ok()
                {
                    result = output.add(&path.waiting, &capture, Some(true));
                }
            }
        });
        result?;
        for (number, before) in before {
            if steps(paths, number) == before
                && let Some(path) = paths.get_mut(number)
            {
                path.trail.lose();
            }
        }
    }
    Ok(is_any)
}

/// Where the records are that paths want: of several, the nearest in the order of the input.
fn found(places: &mut Places, paths: &[Path]) -> io::Result<HashMap<usize, PagePlace>> {
    let wanted = paths.iter().enumerate().filter_map(|(at, path)| {
        let what = path.trail.wants()?;
        Some((key(what), path.waiting.number, at))
    });
    let mut wanted: Vec<(u64, i64, usize)> = wanted.collect();
    // In the order of the places, so that each block of them is read once.
    wanted.sort_unstable();
    let mut found = HashMap::new();
    for (key, number, at) in wanted {
        if let Some(place) = places.nearest(key, number)? {
            found.insert(at, place);
        }
    }
    Ok(found)
}

/// Reads the captures at these places of a source. A place that cannot be read has none.
fn read_again(
    source: &Source,
    places: &BTreeMap<u64, Vec<usize>>,
    take: &mut dyn FnMut(FoundCapture),
) {
    let mut sink = |item| {
        if let Item::Capture(found) = item {
            take(found);
        }
        true
    };
    match source.kind {
        SourceKind::Warc { packing } => {
            let places = places.keys().copied();
            let _ = warc::read_again(&source.path, packing, places, &mut sink);
        }
        SourceKind::JsonLines { is_gzip: true } => {
            let _ = json_lines::read(source, true, (0, u64::MAX), true, &mut sink);
        }
        SourceKind::JsonLines { is_gzip: false } => {
            for place in places.keys() {
                let range = (*place, *place + 1);
                let _ = json_lines::read(source, false, range, true, &mut sink);
            }
        }
        SourceKind::Table { .. } => {
            let rows: Vec<u64> = places.keys().copied().collect();
            for group in table::groups_of(&source.path, &rows).unwrap_or_default() {
                let _ = table::read(&source.path, group, true, &mut sink);
            }
        }
        SourceKind::RobotsTxt { .. } | SourceKind::Cache | SourceKind::NoInput(_) => {}
    }
}

impl Path {
    fn new(waiting: Waiting, sources: &[Source]) -> Self {
        let source = usize::try_from(waiting.source).ok();
        let source = source.and_then(|at| sources.get(at));
        let trail = waiting.trail(source.map(|source| source.name().into()));
        Self { waiting, trail }
    }
}

/// Where rows go.
struct Output<'o, 'r> {
    run: &'o mut Run<'r>,
    rows: Rows,
}

impl<'o, 'r> Output<'o, 'r> {
    fn new(run: &'o mut Run<'r>) -> Self {
        Self {
            rows: run.surveyor.rows(),
            run,
        }
    }

    /// Adds the rows of a capture that waited. `is_followed`: whether its redirect led somewhere;
    /// `None` if that is a mistake of the site.
    fn add(
        &mut self,
        waiting: &Waiting,
        capture: &Capture,
        is_followed: Option<bool>,
    ) -> io::Result<()> {
        if waiting.original.is_none() {
            let summary = &mut self.run.journal.entry_mut().summary;
            summary.followed += u64::from(is_followed == Some(true));
            summary.not_followed += u64::from(is_followed == Some(false));
        }
        self.run
            .surveyor
            .add(&mut self.rows, waiting.number, capture);
        if self.rows.len() < ROWS {
            return Ok(());
        }
        self.flush()
    }

    /// Adds what is to say about a path that led nowhere.
    fn add_rest(&mut self, path: &Path) -> io::Result<()> {
        match path.trail.end() {
            TrailEnd::Reached => Ok(()),
            TrailEnd::Failed(own) => self.add(&path.waiting, &own, None),
            TrailEnd::NotFollowed(own) => self.add(&path.waiting, &own, Some(false)),
            TrailEnd::NoBody(own) => {
                let summary = &mut self.run.journal.entry_mut().summary;
                summary.captures -= 1;
                *summary.failed.entry("revisit".to_owned()).or_default() += 1;
                let source = own.record.source.clone().unwrap_or_default();
                let problem = InputProblem::without_original(&own);
                self.rows.add_problem(&source, &problem);
                Ok(())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        let rows = std::mem::replace(&mut self.rows, self.run.surveyor.rows());
        self.run.journal.write_tables(&rows.finish(), 0)
    }
}
