//! The parts of a survey on the disk, and which of them are complete.

use super::collect::{Chunk, Waiting};
use super::places::Places;
use super::{Summary, Survey, SurveyError};
use crate::input::sources::Source;
use crate::method::{self, Method};
use crate::output::{
    End, FileSize, Format, JOURNAL, PartWriter, STATE_FOLDER, changed, file_path, place, replace,
};
use crate::schema::{self, CellValue, Table};
use abide_fetch::BodyHash;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{ArrayRef, RecordBatch};
use ring::digest::{Context, SHA256};
use serde::{Deserialize, Serialize};
use std::collections::btree_map::Entry as Slot;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

/// The largest number of algorithms that are counted by their names.
const MAX_ALGORITHMS: usize = 16;

/// How far a survey was when a part was complete.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Entry {
    /// The number of complete parts of the places and the waiting captures.
    pub(super) parts: usize,
    /// By the names of the tables.
    tables: BTreeMap<String, TableParts>,
    pub(super) next_job: usize,
    pub(super) expected: Option<(usize, Option<u64>)>,
    pub(super) captures: i64,
    /// The number of waiting captures that were dealt with.
    pub(super) followed: usize,
    pub(super) summary: Summary,
    /// Whether the parts have all rows of the tables.
    #[serde(default)]
    pub(super) has_all_rows: bool,
    /// Whether the tables are complete, so that the parts only have to go.
    #[serde(flatten)]
    pub(super) end: End,
}

/// How many parts a table has. One without rows has none.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct TableParts {
    /// How many are complete.
    complete: usize,
    /// How many of these are in files.
    placed: usize,
    /// How many files there are.
    files: usize,
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
    method: Arc<str>,
    max_file: FileSize,
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
    /// A file of a table has at most the size `max_file`, but for rows that are written at once.
    pub(super) fn open(
        survey: &Survey,
        sources: &[Source],
        max_file: FileSize,
    ) -> Result<Self, SurveyError> {
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
            // The last that a complete survey leaves.
            let _ = fs::remove_dir(&state);
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
            method: Method::of(&survey.options, sources).text().into(),
            max_file,
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
        for table in self.tables.clone() {
            let Some(rows) = tables.get(&table).filter(|rows| rows.num_rows() > 0) else {
                continue;
            };
            if table == Table::Errors || base == 0 {
                self.write_rows(table, rows)?;
            } else {
                self.write_rows(table, &raised(rows, base))?;
            }
        }
        Ok(())
    }

    fn write_rows(&mut self, table: Table, rows: &RecordBatch) -> io::Result<()> {
        let max_file = self.max_file;
        let writer = self.writer(table)?;
        writer.write(rows)?;
        // All rows of a capture are in one file.
        if !writer.size().fits(max_file) {
            self.complete(table)?;
        }
        Ok(())
    }

    /// Where the next rows of a table go.
    fn writer(&mut self, table: Table) -> io::Result<&mut PartWriter> {
        let path = self.part_path(self.table_parts(table).complete, table.name());
        let (format, method) = (self.format, Arc::clone(&self.method));
        Ok(match self.part()?.tables.entry(table) {
            Slot::Occupied(writer) => writer.into_mut(),
            Slot::Vacant(slot) => slot.insert(PartWriter::create(&path, table, format, &method)?),
        })
    }

    /// Completes the part of a table.
    fn complete(&mut self, table: Table) -> io::Result<()> {
        let part = self.part.as_mut();
        if let Some(writer) = part.and_then(|part| part.tables.remove(&table)) {
            writer.finish()?;
            self.table_parts_mut(table).complete += 1;
        }
        Ok(())
    }

    fn table_parts(&self, table: Table) -> TableParts {
        let parts = self.entry.tables.get(table.name());
        parts.copied().unwrap_or_default()
    }

    fn table_parts_mut(&mut self, table: Table) -> &mut TableParts {
        let name = table.name().to_owned();
        self.entry.tables.entry(name).or_default()
    }

    /// The current part; begins one if there is none.
    fn part(&mut self) -> io::Result<&mut OpenPart> {
        if self.part.is_none() {
            let number = self.entry.parts;
            self.part = Some(OpenPart {
                tables: BTreeMap::new(),
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
        for table in self.tables.clone() {
            self.complete(table)?;
        }
        if let Some(part) = self.part.take() {
            part.places.into_inner()?.sync_data()?;
            part.waiting.into_inner()?.sync_data()?;
            self.entry.parts += 1;
        }
        changed();
        let mut line = serde_json::to_vec(&self.entry)?;
        line.push(b'\n');
        self.log.write_all(&line)?;
        self.log.sync_data()?;
        changed();
        Ok(())
    }

    /// Nothing more will be read: the places and the waiting captures go.
    pub(super) fn end_rows(&mut self) -> io::Result<()> {
        self.entry.has_all_rows = true;
        self.commit()?;
        self.remove_but(&|name| {
            let of_table = |table: &Table| name.ends_with(&format!(".{}", table.name()));
            self.tables.iter().any(of_table)
        })
    }

    /// Puts the rows of all complete parts into the files of the tables. If the survey is complete,
    /// everything else goes.
    pub(super) fn publish(&mut self, is_complete: bool) -> io::Result<()> {
        for table in self.tables.clone() {
            fs::create_dir_all(self.folder.join(table.name()))?;
            if self.table_parts(table).complete == 0 {
                // A table without rows has its columns.
                self.writer(table)?;
                self.commit()?;
            }
            while self.place_next(table)? {}
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

    /// Puts as many parts of a table into a file as fit. They go as soon as the journal says so,
    /// therefore nothing but one file is on the disk twice. Returns false if no part is left.
    fn place_next(&mut self, table: Table) -> io::Result<bool> {
        let parts = self.next_parts(table)?;
        if parts.is_empty() {
            return Ok(false);
        }
        let number = self.table_parts(table).files;
        let to = file_path(&self.folder, table, self.format, number);
        place(&parts, table, self.format, &to)?;
        changed();
        let of = self.table_parts_mut(table);
        of.placed += parts.len();
        of.files += 1;
        self.commit()?;
        for part in parts.iter().filter(|part| part.is_file()) {
            fs::remove_file(part)?;
            changed();
        }
        Ok(true)
    }

    /// The parts of the next file of a table.
    fn next_parts(&self, table: Table) -> io::Result<Vec<PathBuf>> {
        let of = self.table_parts(table);
        let mut parts = Vec::new();
        let mut size = FileSize::default();
        for number in of.placed..of.complete {
            let path = self.part_path(number, table.name());
            // One that is gone was moved, and is a file already.
            let part = FileSize::of(&path, self.format)?.unwrap_or(self.max_file);
            size = size.plus(part);
            if !parts.is_empty() && !size.fits(self.max_file) {
                break;
            }
            parts.push(path);
        }
        Ok(parts)
    }

    /// Removes the parts of a complete survey, and the journal, which says so, after them.
    pub(super) fn clear(&self) -> io::Result<()> {
        self.remove_but(&|_| false)?;
        fs::remove_file(self.state.join(JOURNAL))?;
        fs::remove_dir(&self.state)
    }

    /// Removes the files of the state but the journal and those whose names `stay`.
    fn remove_but(&self, stay: &dyn Fn(&str) -> bool) -> io::Result<()> {
        for entry in fs::read_dir(&self.state)? {
            let entry = entry?;
            let name = entry.file_name();
            if name == JOURNAL || name.to_str().is_some_and(stay) {
                continue;
            }
            fs::remove_file(entry.path())?;
            changed();
        }
        Ok(())
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
        self.verified += other.verified;
        for (why, count) in &other.not_verified {
            self.count_not_verified(why, *count);
        }
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

    /// Counts captures whose digests were not checked. Archives may name any number of algorithms.
    pub(super) fn count_not_verified(&mut self, why: &str, count: u64) {
        let of = &mut self.not_verified;
        let is_one_more = !of.contains_key(why) && of.len() >= MAX_ALGORITHMS;
        let why = if is_one_more { "others" } else { why };
        *of.entry(why.to_owned()).or_default() += count;
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
