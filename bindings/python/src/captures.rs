//! What distributed surveys are made of: records of archives as rows, the ways of redirects in text
//! that moves between processes, and the rows of tables.

use crate::batches::{RecordBatches, of_columns, read_one};
use crate::error::{invalid_option, store};
use crate::survey::{key, one_table, options};
use abide_contract::text::line;
use abide_fetch::BodyHash;
use abide_survey::records::{
    self, FoundCapture, InputProblem, Item, Original, RedirectTrail, TrailEnd,
};
use abide_survey::schema::Table;
use abide_survey::{Body, Capture, RecordPlace, Surveyor};
use arrow_array::builder::{
    BinaryBuilder, BooleanBuilder, Int32Builder, Int64Builder, ListBuilder, StringBuilder,
    StructBuilder,
};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, Int32Array, Int64Array, RecordBatch, StringArray,
    TimestampMicrosecondArray,
};
use arrow_schema::{DataType, Field};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

/// A batch with about this many bytes of bodies is passed on.
const MAX_BATCH_BYTES: usize = 4 << 20;
/// The largest number of rows of a batch.
const MAX_BATCH_ROWS: usize = 2048;

/// A record of an archive as a row has it.
struct Record {
    kind: &'static str,
    place: Option<u64>,
    /// The captures before it.
    number: i64,
    found: FoundCapture,
    has_body: bool,
    problem: Option<InputProblem>,
}

impl Record {
    fn body(&self) -> Option<&Body> {
        self.has_body.then_some(&self.found.capture.body)
    }
}

/// The kind of the captures themselves.
const CAPTURE: &str = "capture";

/// Records of an archive, up to those of a batch.
struct Records {
    source: String,
    source_number: i32,
    gathered: Vec<Record>,
    bytes: usize,
    /// The captures so far.
    captures: i64,
    /// Whether pages have their bodies: they cannot be read again.
    has_page_bodies: bool,
}

impl Records {
    fn new(source: String, source_number: i32, captures: i64) -> Self {
        Self {
            source,
            source_number,
            has_page_bodies: false,
            gathered: Vec::new(),
            bytes: 0,
            captures,
        }
    }

    fn add(&mut self, item: Item) {
        match item {
            Item::Capture(found) => {
                self.push((CAPTURE, true), Some(found.place), found, None);
                self.captures += 1;
            }
            Item::Page { url, place, found } => {
                let has_body = self.has_page_bodies && found.is_some();
                // A page that cannot be read: redirects to it lead nowhere.
                let unread = || Box::new(alone(Capture::of_url(&url)));
                let found = *found.unwrap_or_else(unread);
                self.push(("page", has_body), Some(place), found, None);
            }
            Item::Failed(problem) | Item::Noted(problem) => {
                let mut found = alone(Capture::default());
                found.capture.url.clone_from(&problem.url);
                self.push(
                    ("error", false),
                    problem.record.offset,
                    found,
                    Some(problem),
                );
            }
            // Digests are not checked here, so nothing says that they were.
            Item::Skipped(_) | Item::Reached(_) | Item::Verified(_) => {}
        }
    }

    fn push(
        &mut self,
        (kind, has_body): (&'static str, bool),
        place: Option<u64>,
        found: FoundCapture,
        problem: Option<InputProblem>,
    ) {
        let record = Record {
            kind,
            place,
            number: self.captures,
            found,
            has_body,
            problem,
        };
        self.bytes += record.body().map_or(0, |body| body.bytes.len());
        self.gathered.push(record);
    }

    fn is_full(&self) -> bool {
        self.gathered.len() >= MAX_BATCH_ROWS || self.bytes >= MAX_BATCH_BYTES
    }

    /// The records as rows. Column by column, because the cells are of many types.
    fn take(&mut self) -> RecordBatch {
        self.bytes = 0;
        let rows = std::mem::take(&mut self.gathered);
        let rows = rows.as_slice();
        let captures = || rows.iter().map(|row| &row.found.capture);
        let bodies = || rows.iter().map(Record::body);
        let problem =
            |of: fn(&InputProblem) -> &str| texts(rows, move |row| row.problem.as_ref().map(of));
        let statuses = captures().map(|capture| capture.status.map(i32::from));
        let dates = captures().map(|capture| capture.date?.checked_mul(1_000));
        let dates = dates.collect::<TimestampMicrosecondArray>();
        let bytes = bodies().map(|body| Some(body?.bytes.as_slice()));
        let cuts = bodies().map(|body| Some(body?.is_cut));
        of_columns(vec![
            (
                "source_number",
                Arc::new(Int32Array::from(vec![self.source_number; rows.len()])),
            ),
            ("source", texts(rows, |_| Some(self.source.as_str()))),
            ("place", numbers(rows, |row| row.place.map(whole))),
            (
                "length",
                numbers(rows, |row| row.found.capture.record.length.map(whole)),
            ),
            ("number", numbers(rows, |row| Some(row.number))),
            ("kind", texts(rows, |row| Some(row.kind))),
            ("url", texts(rows, |row| row.found.capture.url.as_deref())),
            ("status", Arc::new(statuses.collect::<Int32Array>())),
            ("headers", locations(rows)),
            ("date", Arc::new(dates.with_timezone("UTC"))),
            ("body", Arc::new(bytes.collect::<BinaryArray>())),
            (
                "bytes",
                numbers(rows, |row| Some(whole(row.body()?.length))),
            ),
            ("digest", texts(rows, |row| row.body().and_then(hex_digest))),
            ("cut", Arc::new(cuts.collect::<BooleanArray>())),
            (
                "record_digest",
                texts(rows, |row| row.found.digest.as_deref()),
            ),
            (
                "original",
                texts(rows, |row| row.found.original.as_ref().map(original_text)),
            ),
            ("at", problem(|problem| &problem.place)),
            ("code", problem(|problem| problem.code)),
            ("message", problem(|problem| &problem.message)),
        ])
    }
}

fn texts<'r, T: AsRef<str>>(rows: &'r [Record], of: impl Fn(&'r Record) -> Option<T>) -> ArrayRef {
    Arc::new(rows.iter().map(of).collect::<StringArray>())
}

fn numbers<'r>(rows: &'r [Record], of: impl Fn(&'r Record) -> Option<i64>) -> ArrayRef {
    Arc::new(rows.iter().map(of).collect::<Int64Array>())
}

/// The fields of a response that surveys read, as pairs of name and value.
fn locations(rows: &[Record]) -> ArrayRef {
    let fields = vec![
        Field::new("name", DataType::Utf8, true),
        Field::new("value", DataType::Binary, true),
    ];
    let mut headers = ListBuilder::new(StructBuilder::from_fields(fields, 0));
    for row in rows {
        for location in &row.found.capture.locations {
            let pair = headers.values();
            // The fields are a text and bytes.
            if let Some(names) = pair.field_builder::<StringBuilder>(0) {
                names.append_value("Location");
            }
            if let Some(values) = pair.field_builder::<BinaryBuilder>(1) {
                values.append_value(location);
            }
            pair.append(true);
        }
        headers.append(true);
    }
    Arc::new(headers.finish())
}

fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn hex_digest(body: &Body) -> Option<String> {
    Some(BodyHash::from_bytes(body.digest?).to_string())
}

/// A capture that is in no archive.
fn alone(capture: Capture) -> FoundCapture {
    FoundCapture {
        capture,
        place: 0,
        digest: None,
        original: None,
    }
}

fn of_hex(text: &str) -> Option<[u8; 32]> {
    let hash: BodyHash = text.parse().ok()?;
    Some(*hash.as_bytes())
}

fn original_text(original: &Original) -> String {
    match original {
        Original::Url(url) => format!("url {url}"),
        Original::Digest(digest) => format!("digest {digest}"),
    }
}

fn original_of(text: &str) -> Option<Original> {
    match text.split_once(' ')? {
        ("url", url) => Some(Original::Url(url.to_owned())),
        ("digest", digest) => Some(Original::Digest(digest.to_owned())),
        _ => None,
    }
}

type Batches = Receiver<Result<RecordBatch, String>>;

/// The records of an archive, batch by batch. Another thread reads ahead.
#[pyclass(module = "abide_robots._native", frozen)]
pub(crate) struct ArchiveBatches {
    batches: Mutex<Batches>,
}

#[pymethods]
impl ArchiveBatches {
    /// `source` is what the archive is called; `path` is the file to read. Captures are counted
    /// from `first`. `page_bodies`: whether pages have their bodies, for files that cannot be read
    /// again.
    #[new]
    #[pyo3(signature = (path, source, source_number, first=0, page_bodies=false))]
    fn construct(
        path: PathBuf,
        source: String,
        source_number: i32,
        first: i64,
        page_bodies: bool,
    ) -> PyResult<Self> {
        let (sender, batches) = sync_channel(2);
        let read = move || {
            let mut rows = Records::new(source, source_number, first);
            rows.has_page_bodies = page_bodies;
            let mut is_wanted = true;
            let read = records::read_archive(&path, &mut |item| {
                rows.add(item);
                if rows.is_full() {
                    is_wanted = sender.send(Ok(rows.take())).is_ok();
                }
                is_wanted
            });
            if let Err(error) = read {
                rows.add(unreadable(&error));
            }
            if is_wanted && !rows.gathered.is_empty() {
                // Nobody waits for it any more if this fails.
                let _ = sender.send(Ok(rows.take()));
            }
        };
        std::thread::Builder::new()
            .name("abide-archive".to_owned())
            .spawn(read)?;
        Ok(Self {
            batches: Mutex::new(batches),
        })
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<RecordBatches>> {
        let next = py.detach(|| {
            let batches = self.batches.lock();
            batches.unwrap_or_else(PoisonError::into_inner).recv()
        });
        match next {
            Ok(Ok(batch)) => Ok(Some(RecordBatches::of(batch))),
            Ok(Err(message)) => Err(store(py, &message)),
            // The thread is done.
            Err(_) => Ok(None),
        }
    }
}

fn unreadable(error: &std::io::Error) -> Item {
    Item::Failed(InputProblem {
        place: String::new(),
        code: "read",
        message: format!("{error}; the rest of the archive is left out"),
        ..InputProblem::default()
    })
}

/// A record on the way of a redirect, without the body.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Link {
    source: String,
    record: RecordPlace,
    url: String,
    date: Option<i64>,
    status: Option<u16>,
    /// Each byte is a character.
    locations: Vec<String>,
    length: u64,
    digest: Option<String>,
    record_digest: Option<String>,
    original: Option<String>,
}

impl Link {
    fn of(found: &FoundCapture, source: &str) -> Self {
        let capture = &found.capture;
        let locations = capture.locations.iter();
        Self {
            source: source.to_owned(),
            record: capture.record.clone(),
            url: capture.url.clone().unwrap_or_default(),
            date: capture.date,
            status: capture.status,
            locations: locations
                .map(|location| location.iter().map(|byte| char::from(*byte)).collect())
                .collect(),
            length: capture.body.length,
            digest: hex_digest(&capture.body),
            record_digest: found.digest.clone(),
            original: found.original.as_ref().map(original_text),
        }
    }

    fn found(&self) -> FoundCapture {
        let mut capture = Capture::of_url(&self.url);
        capture.record = self.record.clone();
        capture.record.source = Some(self.source.as_str().into());
        capture.date = self.date;
        capture.status = self.status;
        let bytes = |location: &String| {
            let characters = location.chars();
            characters
                .filter_map(|character| u8::try_from(character).ok())
                .collect()
        };
        capture.locations = self.locations.iter().map(bytes).collect();
        capture.body.length = self.length;
        capture.body.digest = self.digest.as_deref().and_then(of_hex);
        FoundCapture {
            capture,
            place: 0,
            digest: self.record_digest.clone(),
            original: self.original.as_deref().and_then(original_of),
        }
    }
}

/// The way of a capture: itself, and the records that were reached.
struct Way {
    links: Vec<Link>,
    trail: RedirectTrail,
}

impl Way {
    fn begin(found: &FoundCapture, source: &str) -> Option<Self> {
        let trail = RedirectTrail::of(found)?;
        let links = vec![Link::of(found, source)];
        Some(Self { links, trail })
    }

    /// The way in `text`; up to the record before the last one if `is_before`.
    fn read(text: &str, is_before: bool) -> Option<Self> {
        let mut links: Vec<Link> = serde_json::from_str(text).ok()?;
        if is_before {
            links.pop();
        }
        let (first, reached) = links.split_first()?;
        let mut trail = RedirectTrail::of(&first.found())?;
        for link in reached {
            trail.reach(&link.found());
        }
        Some(Self { links, trail })
    }

    /// Takes one step, to the record in `link`, if there is one.
    fn step(&mut self, link: Option<&str>) {
        let link: Option<Link> = link.and_then(|link| serde_json::from_str(link).ok());
        let steps = self.trail.steps();
        if let Some(link) = link {
            self.trail.reach(&link.found());
            self.links.push(link);
        }
        if self.trail.steps() == steps {
            self.trail.lose();
        }
    }

    fn end(&self) -> &'static str {
        if self.trail.wants().is_some() {
            return "wants";
        }
        match self.trail.end() {
            TrailEnd::Reached => "reached",
            TrailEnd::Failed(_) => "failed",
            TrailEnd::NotFollowed(_) => "not-followed",
            TrailEnd::NoBody(_) => "no-body",
        }
    }
}

/// The columns of a batch that are not those of a response.
struct Columns<'b> {
    batch: &'b RecordBatch,
    numbers: Option<&'b ArrayRef>,
}

impl<'b> Columns<'b> {
    fn of(batch: &'b RecordBatch) -> Self {
        let numbers = batch.column_by_name("number");
        Self { batch, numbers }
    }

    fn text(&self, name: &str, row: usize) -> Option<&'b str> {
        let column = self.batch.column_by_name(name)?;
        if column.is_null(row) {
            return None;
        }
        match column.data_type() {
            DataType::Utf8 => Some(column.as_string::<i32>().value(row)),
            DataType::LargeUtf8 => Some(column.as_string::<i64>().value(row)),
            DataType::Utf8View => Some(column.as_string_view().value(row)),
            _ => None,
        }
    }

    fn whole(&self, name: &str, row: usize) -> Option<i64> {
        let column = self.batch.column_by_name(name)?;
        if column.is_null(row) {
            return None;
        }
        match column.data_type() {
            DataType::Int64 => Some(column.as_primitive::<Int64Type>().value(row)),
            DataType::Int32 => Some(column.as_primitive::<Int32Type>().value(row).into()),
            _ => None,
        }
    }

    fn number(&self, row: usize) -> i64 {
        self.numbers
            .and_then(|_| self.whole("number", row))
            .unwrap_or_default()
    }

    fn source(&self, row: usize) -> &'b str {
        self.text("source", row).unwrap_or("rows")
    }

    /// Where the record of a row begins in its archive.
    fn place(&self, row: usize) -> Option<i64> {
        self.whole("place", row)
            .or_else(|| self.whole("record", row))
    }

    /// Where the record of a row is, if that is an archive.
    fn record(&self, row: usize) -> Option<RecordPlace> {
        let mut record = RecordPlace::default();
        record.offset = Some(u64::try_from(self.place(row)?).ok()?);
        let length = self.whole("length", row);
        record.length = length.and_then(|length| u64::try_from(length).ok());
        Some(record)
    }

    /// What a row has, and whether it is a page.
    fn read(&self, row: usize) -> (Vec<Item>, bool) {
        if let (Some(code), Some(message)) = (self.text("code", row), self.text("message", row)) {
            let trouble = InputProblem {
                place: self.text("at", row).unwrap_or_default().to_owned(),
                code: InputProblem::known_code(code).unwrap_or("unknown"),
                message: message.to_owned(),
                url: self.text("url", row).map(str::to_owned),
                record: self.record(row).unwrap_or_default(),
            };
            return (vec![Item::Failed(trouble)], false);
        }
        let number = u64::try_from(self.number(row)).unwrap_or_default();
        let mut items = self.items(row, number, false);
        let is_page = items.iter().any(|item| matches!(item, Item::Page { .. }));
        if is_page {
            items = self.items(row, number, true);
        }
        for item in &mut items {
            if let Item::Capture(found) = item {
                self.complete(found, row);
            }
        }
        (items, is_page)
    }

    fn items(&self, row: usize, number: u64, takes_pages: bool) -> Vec<Item> {
        let mut items = Vec::new();
        records::read_row(self.batch, row, number, takes_pages, &mut |item| {
            items.push(item);
            true
        });
        items
    }

    /// Adds what an archive says beside the response.
    fn complete(&self, found: &mut FoundCapture, row: usize) {
        let body = &mut found.capture.body;
        if let Some(length) = self.whole("bytes", row) {
            body.length = u64::try_from(length).unwrap_or_default();
            body.digest = self.text("digest", row).and_then(of_hex);
        }
        if let Some(cuts) = self.batch.column_by_name("cut")
            && !cuts.is_null(row)
            && let Some(cuts) = cuts.as_boolean_opt()
        {
            body.is_cut = cuts.value(row);
        }
        let record = &mut found.capture.record;
        if let Some(place) = self.record(row) {
            found.place = place.offset.unwrap_or_default();
            *record = place;
        }
        record.source = Some(self.source(row).into());
        found.digest = self.text("record_digest", row).map(str::to_owned);
        found.original = self.text("original", row).and_then(original_of);
    }

    /// The capture or page in a row.
    fn found(&self, row: usize) -> Option<(FoundCapture, bool)> {
        let (items, is_page) = self.read(row);
        let found = items.into_iter().find_map(|item| match item {
            Item::Capture(found) => Some(found),
            _ => None,
        });
        found.map(|found| (found, is_page))
    }
}

/// By what each capture and page is found, and the ways that begin here.
#[pyfunction]
pub(crate) fn capture_links(py: Python<'_>, batch: &Bound<'_, PyAny>) -> PyResult<RecordBatches> {
    let batch = read_one(batch, "batch")?;
    records::check_schema(&batch.schema())
        .map_err(|message| invalid_option(py, "batch", &message))?;
    Ok(RecordBatches::of(py.detach(|| links(&batch))))
}

fn links(batch: &RecordBatch) -> RecordBatch {
    let columns = Columns::of(batch);
    let mut source_numbers = Int32Builder::new();
    let mut sources = StringBuilder::new();
    let mut places = Int64Builder::new();
    let mut numbers = Int64Builder::new();
    let mut pages = BooleanBuilder::new();
    let mut keys = ListBuilder::new(StringBuilder::new());
    let mut links = StringBuilder::new();
    let mut ways = StringBuilder::new();
    let mut wants = StringBuilder::new();
    for row in 0..batch.num_rows() {
        let Some((found, is_page)) = columns.found(row).or_else(|| lost_page(&columns, row)) else {
            continue;
        };
        let number = columns.whole("source_number", row).unwrap_or_default();
        source_numbers.append_value(i32::try_from(number).unwrap_or_default());
        sources.append_value(columns.source(row));
        places.append_option(columns.place(row));
        numbers.append_value(columns.number(row));
        pages.append_value(is_page);
        if let Some(digest) = &found.digest {
            let original = Original::Digest(digest.clone());
            keys.values().append_value(key(&original));
        }
        if let Some(url) = found
            .capture
            .url
            .clone()
            .filter(|_| found.original.is_none())
        {
            keys.values().append_value(key(&Original::Url(url)));
        }
        keys.append(true);
        let is_readable = found.capture.status.is_some() || !is_page;
        let link = is_readable.then(|| line(&Link::of(&found, columns.source(row))));
        links.append_option(link);
        let way = Way::begin(&found, columns.source(row)).filter(|_| !is_page);
        ways.append_option(way.as_ref().map(|way| line(&way.links)));
        wants.append_option(way.and_then(|way| way.trail.wants().map(key)));
    }
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("source_number", Arc::new(source_numbers.finish())),
        ("source", Arc::new(sources.finish())),
        ("place", Arc::new(places.finish())),
        ("number", Arc::new(numbers.finish())),
        ("is_page", Arc::new(pages.finish())),
        ("keys", Arc::new(keys.finish())),
        ("link", Arc::new(links.finish())),
        ("way", Arc::new(ways.finish())),
        ("wants", Arc::new(wants.finish())),
    ];
    of_columns(columns)
}

/// A page of an archive that cannot be read: it has a place, and nothing else.
fn lost_page(columns: &Columns<'_>, row: usize) -> Option<(FoundCapture, bool)> {
    if columns.text("kind", row) != Some("page") {
        return None;
    }
    Some((alone(Capture::of_url(columns.text("url", row)?)), true))
}

/// Takes one step on each way: `link` is the record that was found, or missing. Returns the columns
/// `way`, `wants` and `end`.
#[pyfunction]
pub(crate) fn follow_ways(py: Python<'_>, batch: &Bound<'_, PyAny>) -> PyResult<RecordBatches> {
    let batch = read_one(batch, "batch")?;
    let followed = py.detach(|| {
        let columns = Columns::of(&batch);
        let mut ways = StringBuilder::new();
        let mut wants = StringBuilder::new();
        let mut ends = StringBuilder::new();
        for row in 0..batch.num_rows() {
            let way = columns.text("way", row);
            let Some(mut way) = way.and_then(|way| Way::read(way, false)) else {
                ways.append_null();
                wants.append_null();
                ends.append_value("no-body");
                continue;
            };
            way.step(columns.text("link", row));
            ways.append_value(line(&way.links));
            wants.append_option(way.trail.wants().map(key));
            ends.append_value(way.end());
        }
        let columns: Vec<(&str, ArrayRef)> = vec![
            ("way", Arc::new(ways.finish())),
            ("wants", Arc::new(wants.finish())),
            ("end", Arc::new(ends.finish())),
        ];
        of_columns(columns)
    });
    Ok(RecordBatches::of(followed))
}

/// The name of the table of the captures themselves, where redirects lead.
const CAPTURES: &str = "captures";

/// The rows of one table, for captures that other processes found.
#[pyclass(module = "abide_robots._native", frozen)]
pub(crate) struct TableRows {
    surveyor: Surveyor,
    /// `None` for the captures themselves.
    table: Option<Table>,
}

impl TableRows {
    fn rows(&self, captures: &[(i64, Capture)]) -> RecordBatches {
        let Some(table) = self.table else {
            let mut rows = Records::new(String::new(), 0, 0);
            for (number, capture) in captures {
                rows.captures = *number;
                rows.push((CAPTURE, true), None, alone(capture.clone()), None);
            }
            return RecordBatches::of(rows.take());
        };
        let captures = captures.iter();
        let captures = captures.map(|(number, capture)| (*number, capture));
        let rows = self.surveyor.numbered_tables(captures).remove(&table);
        RecordBatches::of(rows.unwrap_or_else(|| RecordBatch::new_empty(Arc::new(table.schema()))))
    }
}

#[pymethods]
impl TableRows {
    /// `lints`: whether the survey has the table `findings` too.
    #[new]
    fn construct(
        py: Python<'_>,
        table: &Bound<'_, PyAny>,
        agents: &Bound<'_, PyAny>,
        paths: &Bound<'_, PyAny>,
        profile: &str,
        literal: bool,
        lints: bool,
    ) -> PyResult<Self> {
        let is_captures = table.extract::<&str>().is_ok_and(|name| name == CAPTURES);
        let tables = Some(table).filter(|_| !is_captures);
        let mut options = options(py, tables, agents, paths, profile, literal)?;
        let table = if is_captures {
            None
        } else {
            Some(one_table(table)?)
        };
        if lints && table == Some(Table::Files) {
            // The table has columns about findings.
            options.tables.insert(Table::Findings);
        }
        Ok(Self {
            surveyor: Surveyor::new(&options),
            table,
        })
    }

    /// The rows of captures that have their rules themselves; of table `errors`, what is wrong with
    /// the rows.
    fn direct(&self, py: Python<'_>, batch: &Bound<'_, PyAny>) -> PyResult<RecordBatches> {
        let batch = read_one(batch, "batch")?;
        records::check_schema(&batch.schema())
            .map_err(|message| invalid_option(py, "batch", &message))?;
        Ok(py.detach(|| {
            let columns = Columns::of(&batch);
            if self.table == Some(Table::Errors) {
                return RecordBatches::of(errors(&columns));
            }
            let found = (0..batch.num_rows()).filter_map(|row| {
                let (found, is_page) = columns.found(row)?;
                let waits = is_page || RedirectTrail::of(&found).is_some();
                (!waits).then_some((columns.number(row), found.capture))
            });
            self.rows(&found.collect::<Vec<_>>())
        }))
    }

    /// Rows for unresolved redirects.
    fn ended(&self, py: Python<'_>, batch: &Bound<'_, PyAny>) -> PyResult<RecordBatches> {
        let batch = read_one(batch, "batch")?;
        Ok(py.detach(|| {
            let columns = Columns::of(&batch);
            let ways = (0..batch.num_rows()).filter_map(|row| {
                let mut way = Way::read(columns.text("way", row)?, false)?;
                if way.trail.wants().is_some() {
                    way.trail.lose();
                }
                Some((columns.number(row), way))
            });
            let mut captures = Vec::new();
            let mut troubles = Vec::new();
            for (number, way) in ways {
                match way.trail.end() {
                    TrailEnd::Failed(own) | TrailEnd::NotFollowed(own) => {
                        captures.push((number, own));
                    }
                    TrailEnd::NoBody(own) => {
                        let source = own.record.source.clone().unwrap_or_default();
                        troubles.push((source, InputProblem::without_original(&own)));
                    }
                    TrailEnd::Reached => {}
                }
            }
            if self.table == Some(Table::Errors) {
                let troubles = troubles.iter();
                let troubles = troubles.map(|(source, trouble)| (&**source, trouble));
                return RecordBatches::of(records::errors(troubles));
            }
            self.rows(&captures)
        }))
    }

    /// The rows of ways whose last record is in the same row.
    fn reached(&self, py: Python<'_>, batch: &Bound<'_, PyAny>) -> PyResult<RecordBatches> {
        let batch = read_one(batch, "batch")?;
        Ok(py.detach(|| {
            let columns = Columns::of(&batch);
            let captures = (0..batch.num_rows()).filter_map(|row| {
                let mut way = Way::read(columns.text("way", row)?, true)?;
                let (found, _) = columns.found(row)?;
                let number = columns.whole("waiting", row)?;
                Some((number, way.trail.reach(&found)?))
            });
            self.rows(&captures.collect::<Vec<_>>())
        }))
    }

    /// The rows of ways whose last record is at a place of this archive.
    fn reached_again(
        &self,
        py: Python<'_>,
        path: PathBuf,
        batch: &Bound<'_, PyAny>,
    ) -> PyResult<RecordBatches> {
        let batch = read_one(batch, "batch")?;
        let reached = py.detach(|| self.read_again(&path, &batch));
        reached.map_err(|error| {
            let message = format!("cannot read {} again: {error}", path.display());
            store(py, &message)
        })
    }
}

impl TableRows {
    fn read_again(&self, path: &Path, batch: &RecordBatch) -> std::io::Result<RecordBatches> {
        let columns = Columns::of(batch);
        let mut captures = Vec::new();
        for row in 0..batch.num_rows() {
            let way = columns
                .text("way", row)
                .and_then(|way| Way::read(way, true));
            let (Some(mut way), Some(place)) = (way, columns.whole("place", row)) else {
                continue;
            };
            let places = [u64::try_from(place).unwrap_or_default()];
            let mut end = None;
            records::read_again(path, &places, &mut |item| {
                if let Item::Capture(found) = item
                    && end.is_none()
                {
                    end = way.trail.reach(&found);
                }
                true
            })?;
            if let Some(capture) = end {
                captures.push((columns.number(row), capture));
            }
        }
        Ok(self.rows(&captures))
    }
}

/// What is wrong with rows.
fn errors(columns: &Columns<'_>) -> RecordBatch {
    let troubles: Vec<(&str, InputProblem)> = (0..columns.batch.num_rows())
        .flat_map(|row| {
            let (items, is_page) = columns.read(row);
            let source = columns.source(row);
            let is_lost_page = is_page || columns.text("kind", row) == Some("page");
            items.into_iter().filter_map(move |item| match item {
                Item::Failed(trouble) | Item::Noted(trouble) if !is_lost_page => {
                    Some((source, trouble))
                }
                _ => None,
            })
        })
        .collect();
    records::errors(troubles.iter().map(|(source, trouble)| (*source, trouble)))
}

/// The robots.txt URL of each URL, as clients request it; missing where there is none.
#[pyfunction]
pub(crate) fn robots_urls(py: Python<'_>, batch: &Bound<'_, PyAny>) -> PyResult<RecordBatches> {
    let batch = read_one(batch, "batch")?;
    let urls = py.detach(|| {
        let columns = Columns::of(&batch);
        let urls: StringArray = (0..batch.num_rows())
            .map(|row| {
                let origin = abide_fetch::Origin::of(columns.text("url", row)?)?;
                Some(format!("{}/robots.txt", origin.as_str()))
            })
            .collect();
        of_columns(vec![("site", Arc::new(urls))])
    });
    Ok(RecordBatches::of(urls))
}
