//! The parts of a survey on the disk, and which of them are complete.

use super::collect::{Chunk, Waiting};
use super::places::Places;
use super::{Summary, Survey, SurveyError};
use crate::input::sources::Source;
use crate::method::{self, Method};
use crate::output::{End, Format, JOURNAL, PartWriter, STATE_FOLDER, join, replace};
use crate::schema::{self, CellValue, Table};
use abide_fetch::BodyHash;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{ArrayRef, RecordBatch};
use ring::digest::{Context, SHA256};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

/// How far a survey was when a part was complete.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Entry {
    /// The number of complete parts.
    pub(super) parts: usize,
    pub(super) next_job: usize,
    pub(super) expected: Option<(usize, Option<u64>)>,
    pub(super) captures: i64,
    /// The number of waiting captures that were dealt with.
    pub(super) followed: usize,
    pub(super) summary: Summary,
    /// Whether the tables are complete, so that the parts only have to go.
    #[serde(flatten)]
    pub(super) end: End,
}

/// What the survey is about: another one cannot go on with its parts.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    version: String,
    schema: u32,
    format: String,
    options: String,
    inputs: String,
}

/// The parts of a survey.
pub(super) struct Journal {
    folder: PathBuf,
    state: PathBuf,
    format: Format,
    tables: Vec<Table>,
    /// How the survey is made, in JSON.
    method: String,
    log: File,
    entry: Entry,
    part: Option<OpenPart>,
}

/// The part that is being written.
struct OpenPart {
    tables: BTreeMap<Table, PartWriter>,
    places: BufWriter<File>,
    waiting: BufWriter<File>,
}

impl Journal {
    pub(super) fn open(survey: &Survey, sources: &[Source]) -> Result<Self, SurveyError> {
        let folder = survey.folder.clone();
        let state = folder.join(STATE_FOLDER);
        let head = Head::of(survey, sources);
        let log = state.join(JOURNAL);
        let error = |error| SurveyError::Write {
            folder: folder.clone(),
            error,
        };
        let mut entry = Entry::default();
        if log.is_file() {
            if !survey.is_resumed {
                return Err(SurveyError::Unfinished { folder });
            }
            let (known, last) = read(&log).map_err(error)?;
            if known.as_ref() != Some(&head) {
                return Err(SurveyError::Other { folder });
            }
            entry = last;
        } else if survey.is_resumed {
            return Err(SurveyError::NothingToResume { folder });
        } else {
            refuse_foreign(&folder)?;
        }
        let log = start(&state, &log, &head, &entry).map_err(error)?;
        let wanted = Table::ALL.iter().copied();
        Ok(Self {
            tables: wanted
                .filter(|table| survey.options.tables.contains(table))
                .collect(),
            format: survey.format,
            method: Method::of(&survey.options, sources).text(),
            log,
            entry,
            part: None,
            folder,
            state,
        })
    }

    pub(super) fn entry(&self) -> &Entry {
        &self.entry
    }

    pub(super) fn entry_mut(&mut self) -> &mut Entry {
        &mut self.entry
    }

    /// Writes what a chunk has, with the captures counted from the beginning of the survey.
    pub(super) fn add(&mut self, chunk: Chunk) -> io::Result<()> {
        let base = self.entry.captures;
        self.write_tables(&chunk.tables, base)?;
        let part = self.part()?;
        for mut page in chunk.pages {
            page.number += base;
            part.places.write_all(&page.to_bytes())?;
        }
        for mut waiting in chunk.waiting {
            waiting.number += base;
            serde_json::to_writer(&mut part.waiting, &waiting)?;
            part.waiting.write_all(b"\n")?;
        }
        self.entry.captures += chunk.captures;
        self.entry.summary.add(&chunk.summary);
        Ok(())
    }

    /// Writes rows; the numbers of captures in them are raised by `base`.
    pub(super) fn write_tables(
        &mut self,
        tables: &BTreeMap<Table, RecordBatch>,
        base: i64,
    ) -> io::Result<()> {
        if let Some(rows) = tables.get(&Table::Changes) {
            self.entry.summary.count_changes(rows);
        }
        let part = self.part()?;
        for (table, rows) in tables {
            let Some(writer) = part.tables.get_mut(table).filter(|_| rows.num_rows() > 0) else {
                continue;
            };
            if *table == Table::Errors || base == 0 {
                writer.write(rows)?;
            } else {
                writer.write(&raised(rows, base))?;
            }
        }
        Ok(())
    }

    /// The current part; begins one if there is none.
    fn part(&mut self) -> io::Result<&mut OpenPart> {
        if self.part.is_none() {
            let number = self.entry.parts;
            let mut tables = BTreeMap::new();
            for table in &self.tables {
                let path = self.part_path(number, table.name());
                let writer = PartWriter::create(&path, *table, self.format, &self.method)?;
                tables.insert(*table, writer);
            }
            self.part = Some(OpenPart {
                tables,
                places: BufWriter::new(File::create(self.part_path(number, "places"))?),
                waiting: BufWriter::new(File::create(self.part_path(number, "waiting"))?),
            });
        }
        Ok(self.part.as_mut().expect("it was just made"))
    }

    fn part_path(&self, number: usize, name: &str) -> PathBuf {
        self.state.join(format!("{number:06}.{name}"))
    }

    /// Completes the current part, so that a survey that goes on does not repeat it.
    pub(super) fn commit(&mut self) -> io::Result<()> {
        if let Some(part) = self.part.take() {
            for writer in part.tables.into_values() {
                writer.finish()?;
            }
            part.places.into_inner()?.sync_data()?;
            part.waiting.into_inner()?.sync_data()?;
            self.entry.parts += 1;
        }
        let mut line = serde_json::to_vec(&self.entry)?;
        line.push(b'\n');
        self.log.write_all(&line)?;
        self.log.sync_data()
    }

    /// Makes one file per table of the complete parts. If the survey is complete, the parts go.
    pub(super) fn publish(&mut self, is_complete: bool) -> io::Result<()> {
        if self.entry.parts == 0 {
            self.part()?;
            self.commit()?;
        }
        for table in &self.tables {
            let name = format!("{}.{}", table.name(), self.format.name());
            join(
                &self.parts(table.name()),
                *table,
                self.format,
                &self.folder.join(name),
            )?;
        }
        if self.format != Format::Parquet {
            // Only Parquet files have metadata.
            replace(&self.folder.join(method::FILE), |draft| {
                let mut file = File::create(draft)?;
                writeln!(file, "{}", self.method)?;
                Ok(file)
            })?;
        }
        if !is_complete {
            return Ok(());
        }
        self.entry.end.is_published = true;
        self.commit()?;
        self.clear()
    }

    /// Removes the parts of a complete survey, and the journal, which says so, after them.
    pub(super) fn clear(&self) -> io::Result<()> {
        let journal = self.state.join(JOURNAL);
        for entry in fs::read_dir(&self.state)? {
            let path = entry?.path();
            if path != journal {
                fs::remove_file(path)?;
            }
        }
        fs::remove_file(journal)?;
        fs::remove_dir(&self.state)
    }

    /// The captures that wait for another record, in order.
    pub(super) fn waiting(&self) -> impl Iterator<Item = io::Result<Waiting>> + use<> {
        let lines = self.parts("waiting").into_iter().flat_map(|path| {
            let (file, error) = match File::open(path) {
                Ok(file) => (Some(file), None),
                Err(error) => (None, Some(Err(error))),
            };
            let lines = file
                .into_iter()
                .flat_map(|file| BufReader::new(file).lines());
            lines.chain(error)
        });
        lines.map(|line| Ok(serde_json::from_str(&line?)?))
    }

    /// The places of all captures, sorted.
    pub(super) fn places(&self) -> io::Result<Places> {
        Places::sort(&self.parts("places"), &self.state)
    }

    /// The files of this name of all complete parts.
    fn parts(&self, name: &str) -> Vec<PathBuf> {
        let numbers = 0..self.entry.parts;
        numbers.map(|number| self.part_path(number, name)).collect()
    }
}

fn raised(rows: &RecordBatch, base: i64) -> RecordBatch {
    let mut columns: Vec<ArrayRef> = rows.columns().to_vec();
    if let Some(first) = columns.first_mut() {
        let numbers = first.as_primitive::<Int64Type>();
        *first = Arc::new(numbers.unary::<_, Int64Type>(|number| number + base));
    }
    RecordBatch::try_new(rows.schema(), columns).expect("only values changed")
}

/// The head and the last entry. A line that was not written completely does not count.
fn read(log: &Path) -> io::Result<(Option<Head>, Entry)> {
    let text = fs::read_to_string(log)?;
    let mut lines = text.lines();
    let head = lines
        .next()
        .and_then(|line| serde_json::from_str(line).ok());
    let mut entries = lines.filter_map(|line| serde_json::from_str(line).ok());
    Ok((head, entries.next_back().unwrap_or_default()))
}

/// Rewrites the journal as its head and the last entry: a line that was only half written is gone.
fn start(state: &Path, log: &Path, head: &Head, entry: &Entry) -> io::Result<File> {
    fs::create_dir_all(state)?;
    let mut text = serde_json::to_vec(head)?;
    text.push(b'\n');
    serde_json::to_writer(&mut text, entry)?;
    text.push(b'\n');
    replace(log, |draft| {
        let mut file = File::create(draft)?;
        file.write_all(&text)?;
        Ok(file)
    })?;
    OpenOptions::new().append(true).open(log)
}

/// The folder of the state of a new survey in `folder`, which may have nothing else.
pub(super) fn state_of_new(folder: &Path) -> Result<PathBuf, SurveyError> {
    let state = folder.join(STATE_FOLDER);
    if state.join(JOURNAL).is_file() {
        return Err(SurveyError::Unfinished {
            folder: folder.to_owned(),
        });
    }
    refuse_foreign(folder)?;
    Ok(state)
}

fn refuse_foreign(folder: &Path) -> Result<(), SurveyError> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(());
    };
    // A state without a journal is what a survey left that was killed before it began.
    let mut entries = entries.filter(|entry| {
        let is_state = |entry: &fs::DirEntry| entry.file_name() == STATE_FOLDER;
        !entry.as_ref().is_ok_and(is_state)
    });
    match entries.next() {
        None => Ok(()),
        Some(entry) => Err(SurveyError::Foreign {
            folder: folder.to_owned(),
            name: entry.map_or_else(
                |error| error.to_string(),
                |entry| abide::explain::visible(entry.file_name().as_encoded_bytes()),
            ),
        }),
    }
}

impl Head {
    fn of(survey: &Survey, sources: &[Source]) -> Self {
        let mut inputs = Context::new(&SHA256);
        for source in sources {
            let changed = fs::metadata(&source.path).and_then(|about| about.modified());
            let changed = changed
                .ok()
                .and_then(|changed| changed.duration_since(UNIX_EPOCH).ok());
            inputs.update(format!("{} {} {changed:?}\n", source.name(), source.size).as_bytes());
        }
        let hash = inputs.finish().as_ref().try_into().unwrap_or_default();
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            schema: schema::VERSION,
            format: survey.format.name().to_owned(),
            options: format!("{:?}", survey.options),
            inputs: BodyHash::from_bytes(hash).to_string(),
        }
    }
}

impl Summary {
    fn add(&mut self, other: &Self) {
        self.records += other.records;
        self.captures += other.captures;
        self.pages += other.pages;
        self.followed += other.followed;
        self.not_followed += other.not_followed;
        for (own, other) in [
            (&mut self.skipped, &other.skipped),
            (&mut self.failed, &other.failed),
            (&mut self.noted, &other.noted),
        ] {
            for (name, count) in other {
                *own.entry(name.clone()).or_default() += count;
            }
        }
    }

    /// Counts rows of table `changes`, which has all rows of a capture at once.
    fn count_changes(&mut self, rows: &RecordBatch) {
        let column = |name| rows.column_by_name(name);
        let columns = ["what_if", "capture", "group", "robot"].map(column);
        let [Some(what_if), Some(captures), Some(groups), Some(robots)] = columns else {
            return;
        };
        let mut seen: BTreeSet<[String; 4]> = BTreeSet::new();
        for row in 0..rows.num_rows() {
            let cell = |column| CellValue::of(column, row).to_string();
            let (what_if, capture) = (cell(what_if), cell(captures));
            let mut is_new = |kind: &str, part: String| {
                let key = [what_if.clone(), capture.clone(), kind.to_owned(), part];
                u64::from(seen.insert(key))
            };
            let count = self.changes.entry(what_if.clone()).or_default();
            count.sites += is_new("site", String::new());
            count.robots += is_new("robot", cell(robots));
            let group = cell(groups);
            if !group.is_empty() {
                count.groups += is_new("group", group);
            }
        }
    }
}
