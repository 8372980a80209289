//! Follows redirects and revisit records to the captures that they lead to.

use super::Run;
use super::collect::{PagePlace, Waiting, key};
use super::places::Places;
use crate::capture::{self, Capture, Meaning};
use crate::input::sources::{Source, SourceKind};
use crate::input::{Found, Item, Original, json_lines, table, warc};
use crate::rows::{Rows, TableRows};
use crate::schema::Table;
use abide::rep::Cause;
use abide_fetch::machine::{Chain, Hop, Settings};
use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of captures that are dealt with at a time.
const AT_A_TIME: usize = 20_000;
/// About this many rows are written at a time.
const ROWS: usize = 1 << 13;

/// A capture on the way to its rules.
struct Path {
    waiting: Waiting,
    chain: Option<Chain>,
    state: State,
    /// The number of records that were reached.
    steps: usize,
}

enum State {
    /// A record with this is looked for.
    Wants(Original),
    /// The redirect ends here, by a mistake of the site.
    Fails(Cause),
    /// Nothing in the input has it.
    Lost,
    /// The rows are written.
    Done,
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
        let waiting = all.by_ref().take(AT_A_TIME);
        let waiting = waiting.collect::<io::Result<Vec<Waiting>>>()?;
        if waiting.is_empty() {
            break;
        }
        let count = waiting.len();
        let mut paths: Vec<Path> = waiting.into_iter().map(Path::new).collect();
        let mut output = Output::new(run);
        // A chain has at most five redirects, and may end with a revisit record.
        for _ in 0..7 {
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
        if !matches!(path.state, State::Wants(_)) {
            continue;
        }
        match found.get(&number) {
            Some(found) => by_source
                .entry(found.source)
                .or_default()
                .entry(found.place)
                .or_default()
                .push(number),
            None => path.state = State::Lost,
        }
    }
    let is_any = !by_source.is_empty();
    for (source, places) in by_source {
        let source = usize::try_from(source)
            .ok()
            .and_then(|at| output.run.sources.get(at));
        let Some(source) = source else { continue };
        let steps = |paths: &[Path], number: usize| paths.get(number).map(|path| path.steps);
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
                let end = path.reach(&found);
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
                path.state = State::Lost;
            }
        }
    }
    Ok(is_any)
}

/// Where the records are that paths want: of several, the nearest in the order of the input.
fn found(places: &mut Places, paths: &[Path]) -> io::Result<HashMap<usize, PagePlace>> {
    let wanted = paths.iter().enumerate().filter_map(|(at, path)| {
        let State::Wants(what) = &path.state else {
            return None;
        };
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
fn read_again(source: &Source, places: &BTreeMap<u64, Vec<usize>>, take: &mut dyn FnMut(Found)) {
    let mut sink = |item| {
        if let Item::Capture(found) = item {
            take(found);
        }
        true
    };
    match source.kind {
        SourceKind::Warc { is_gzip } => {
            for place in places.keys() {
                let _ = warc::read_again(&source.path, is_gzip, *place, &mut sink);
            }
        }
        SourceKind::JsonLines { is_gzip: true } => {
            let _ = json_lines::read(&source.path, true, (0, u64::MAX), true, &mut sink);
        }
        SourceKind::JsonLines { is_gzip: false } => {
            for place in places.keys() {
                let range = (*place, *place + 1);
                let _ = json_lines::read(&source.path, false, range, true, &mut sink);
            }
        }
        SourceKind::Table { .. } => {
            let rows: Vec<u64> = places.keys().copied().collect();
            for group in table::groups_of(&source.path, &rows).unwrap_or_default() {
                let _ = table::read(&source.path, group, true, &mut sink);
            }
        }
        SourceKind::RobotsTxt { .. } | SourceKind::Cache => {}
    }
}

impl Path {
    fn new(waiting: Waiting) -> Self {
        let mut path = Self {
            chain: Chain::new(&waiting.url).ok(),
            state: State::Lost,
            waiting,
            steps: 0,
        };
        path.state = match path.waiting.original.clone() {
            Some(original) => State::Wants(original),
            None => path.next(&path.waiting.locations.clone()),
        };
        path
    }

    /// The next step of a redirect.
    fn next(&mut self, locations: &[Vec<u8>]) -> State {
        let locations: Vec<&[u8]> = locations.iter().map(Vec::as_slice).collect();
        let hop = self
            .chain
            .as_mut()
            .map(|chain| chain.follow(&locations, &Settings::default()));
        match hop {
            Some(Hop::Follow(url)) => State::Wants(Original::Url(url.as_str().to_owned())),
            Some(Hop::End(cause)) => State::Fails(cause),
            None => State::Lost,
        }
    }

    /// Goes on at a record, if it is the wanted one. Returns the capture to write at the end.
    fn reach(&mut self, found: &Found) -> Option<Capture> {
        let State::Wants(wanted) = &self.state else {
            return None;
        };
        let capture = &found.capture;
        let is_wanted = match wanted {
            Original::Digest(digest) => found.digest.as_ref() == Some(digest),
            Original::Url(url) => {
                let url = capture::requested(url);
                url.is_some() && url == capture.url.as_deref().and_then(capture::requested)
            }
        };
        if !is_wanted {
            return None;
        }
        self.steps += 1;
        self.state = match (capture.meaning(), &found.original) {
            (_, Some(original)) => State::Wants(original.clone()),
            (Meaning::Redirect(_), None) => self.next(&capture.locations),
            _ => State::Done,
        };
        matches!(self.state, State::Done).then(|| self.ended(capture))
    }

    /// The capture, with the rules of the one where its path ends.
    fn ended(&self, end: &Capture) -> Capture {
        let mut own = self.waiting.capture();
        let is_revisit = self.waiting.original.is_some();
        own.redirect = self.last_url().filter(|_| !is_revisit);
        own.status = match own.status {
            Some(status) if is_revisit && status != 304 => Some(status),
            _ => end.status,
        };
        own.failure = end.failure;
        own.body = end.body.clone();
        own.locations.clear();
        own
    }

    fn last_url(&self) -> Option<String> {
        let urls = self.chain.as_ref()?.urls();
        urls.last().map(|url| url.as_str().to_owned())
    }
}

/// Where rows go.
struct Output<'o, 'r> {
    run: &'o mut Run<'r>,
    rows: Rows,
    errors: TableRows,
}

impl<'o, 'r> Output<'o, 'r> {
    fn new(run: &'o mut Run<'r>) -> Self {
        Self {
            rows: run.surveyor.rows(),
            errors: TableRows::new(Table::Errors),
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
        if self.rows.len() + self.errors.len() < ROWS {
            return Ok(());
        }
        self.flush()
    }

    /// Adds what is to say about a path that led nowhere.
    fn add_rest(&mut self, path: &Path) -> io::Result<()> {
        let mut own = path.waiting.capture();
        own.redirect = path.last_url();
        match path.state {
            State::Done => Ok(()),
            State::Fails(cause) => {
                own.failure = Some(cause);
                self.add(&path.waiting, &own, None)
            }
            _ if path.waiting.original.is_none() => self.add(&path.waiting, &own, Some(false)),
            _ => {
                let summary = &mut self.run.journal.entry_mut().summary;
                summary.captures -= 1;
                *summary.failed.entry("revisit".to_owned()).or_default() += 1;
                let source = usize::try_from(path.waiting.source).ok();
                let source = source.and_then(|at| self.run.sources.get(at));
                self.errors
                    .text(source.map(Source::name).unwrap_or_default())
                    .text(format!("byte {}", path.waiting.place))
                    .text("revisit")
                    .text("the record has no body, and the record with it is not in the input; add the archive that has it");
                Ok(())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        let rows = std::mem::replace(&mut self.rows, self.run.surveyor.rows());
        let errors = std::mem::replace(&mut self.errors, TableRows::new(Table::Errors));
        let mut tables = rows.finish();
        tables.insert(Table::Errors, errors.finish());
        self.run.journal.write_tables(&tables, 0)
    }
}
