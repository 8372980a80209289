//! Collects what a job finds, in chunks of bounded size.

use super::Summary;
use crate::capture::{self, Capture, Meaning, RecordPlace};
use crate::input::{FoundCapture, Item, Original};
use crate::rows::{Rows, Surveyor};
use crate::schema::Table;
use arrow_array::RecordBatch;
use ring::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The largest number of captures in a chunk.
const MAX_CAPTURES: i64 = 256;
/// A chunk with about this many rows is passed on.
const ROWS: usize = 1 << 13;

/// What a worker says about its job.
pub(super) enum Message {
    /// Where the first record of a block seems to begin.
    Start(Option<u64>),
    /// The one who writes has to do this job: only one of its size may be in memory.
    TooLarge,
    Chunk(Box<Chunk>),
    /// Where the next record after the block begins.
    Done(Option<u64>),
}

/// What a part of a job found. Captures, and the pages among them, are counted from 0.
#[derive(Default)]
pub(super) struct Chunk {
    pub(super) tables: BTreeMap<Table, RecordBatch>,
    pub(super) captures: i64,
    pub(super) bytes: u64,
    pub(super) summary: Summary,
    pub(super) pages: Vec<PagePlace>,
    pub(super) waiting: Vec<Waiting>,
}

/// Where a response is, by which redirects and revisit records find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PagePlace {
    pub(super) key: u64,
    pub(super) source: u32,
    pub(super) place: u64,
    /// The capture at the same place in the order of the input.
    pub(super) number: i64,
}

/// A capture whose rules are in another record.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Waiting {
    pub(super) number: i64,
    pub(super) source: u32,
    pub(super) record: RecordPlace,
    pub(super) url: String,
    pub(super) date: Option<i64>,
    pub(super) status: Option<u16>,
    pub(super) locations: Vec<Vec<u8>>,
    pub(super) length: u64,
    pub(super) digest: Option<[u8; 32]>,
    /// For a revisit record.
    pub(super) original: Option<Original>,
}

impl Waiting {
    /// The capture itself, without the body. `source` is the name of its input.
    pub(super) fn capture(&self, source: Option<Arc<str>>) -> Capture {
        let mut capture = Capture::of_url(&self.url);
        capture.record = RecordPlace {
            source,
            ..self.record.clone()
        };
        capture.date = self.date;
        capture.status = self.status;
        capture.locations.clone_from(&self.locations);
        capture.body.length = self.length;
        capture.body.digest = self.digest;
        capture
    }
}

/// What a URL or digest is found by.
pub(super) fn key(of: &Original) -> u64 {
    let hash = match of {
        Original::Url(url) => {
            let url = capture::requested(url).unwrap_or_else(|| url.clone());
            digest(&SHA256, url.as_bytes())
        }
        Original::Digest(text) => digest(&SHA256, format!("digest {text}").as_bytes()),
    };
    let start = hash.as_ref().first_chunk::<8>();
    u64::from_le_bytes(start.copied().unwrap_or_default())
}

/// Collects the items of one source.
pub(super) struct Collector<'c> {
    surveyor: &'c Surveyor,
    source: u32,
    name: Arc<str>,
    send: &'c mut dyn FnMut(Message) -> bool,
    rows: Rows,
    chunk: Chunk,
    reached: u64,
}

impl<'c> Collector<'c> {
    /// `reached` is where reading begins.
    pub(super) fn new(
        surveyor: &'c Surveyor,
        (source, name): (usize, String),
        reached: u64,
        send: &'c mut dyn FnMut(Message) -> bool,
    ) -> Self {
        Self {
            rows: surveyor.rows(),
            surveyor,
            source: u32::try_from(source).unwrap_or(u32::MAX),
            name: name.into(),
            send,
            chunk: Chunk::default(),
            reached,
        }
    }

    /// The next items are from this source.
    pub(super) fn begin_source(&mut self, source: usize, name: String) {
        self.source = u32::try_from(source).unwrap_or(u32::MAX);
        self.name = name.into();
    }

    /// Takes an item. Returns false if nothing more is wanted.
    pub(super) fn take(&mut self, item: Item) -> bool {
        match item {
            Item::Reached(to) => {
                self.chunk.bytes += to.saturating_sub(self.reached);
                self.reached = self.reached.max(to);
                return true;
            }
            Item::Capture(found) => self.capture(found),
            Item::Page { url, place, found } => {
                self.place(&Original::Url(url), place);
                match found {
                    Some(found) => self.page(*found),
                    None => self.count_skipped("page"),
                }
            }
            Item::Skipped(kind) => self.count_skipped(kind),
            Item::Verified(Ok(())) => self.chunk.summary.verified += 1,
            Item::Verified(Err(why)) => self.chunk.summary.count_not_verified(&why, 1),
            Item::Failed(problem) => {
                self.chunk.summary.records += 1;
                count(&mut self.chunk.summary.failed, problem.code);
                self.rows.add_problem(&self.name, &problem);
            }
            Item::Noted(problem) => {
                count(&mut self.chunk.summary.noted, problem.code);
                self.rows.add_problem(&self.name, &problem);
            }
        }
        let is_full = self.chunk.captures >= MAX_CAPTURES
            || self.rows.len() >= ROWS
            || self.chunk.pages.len() >= ROWS;
        !is_full || self.pass_on()
    }

    /// Adds bytes that were read.
    pub(super) fn add_bytes(&mut self, bytes: u64) {
        self.chunk.bytes += bytes;
    }

    fn count_skipped(&mut self, kind: &str) {
        self.chunk.summary.records += 1;
        count(&mut self.chunk.summary.skipped, kind);
    }

    fn place(&mut self, by: &Original, place: u64) {
        self.chunk.pages.push(PagePlace {
            key: key(by),
            source: self.source,
            place,
            number: self.chunk.captures,
        });
    }

    fn capture(&mut self, found: FoundCapture) {
        let FoundCapture {
            mut capture,
            place,
            digest,
            original,
        } = found;
        capture.record.source = Some(Arc::clone(&self.name));
        let number = self.chunk.captures;
        self.chunk.summary.records += 1;
        self.chunk.summary.captures += 1;
        if let Some(digest) = digest {
            self.place(&Original::Digest(digest), place);
        }
        if let Some(url) = capture.url.clone().filter(|_| original.is_none()) {
            self.place(&Original::Url(url), place);
        }
        let is_redirect = matches!(capture.meaning(), Meaning::Redirect(_));
        if is_redirect || original.is_some() {
            self.chunk.waiting.push(Waiting {
                number,
                source: self.source,
                record: capture.record,
                url: capture.url.unwrap_or_default(),
                date: capture.date,
                status: capture.status,
                locations: capture.locations,
                length: capture.body.length,
                digest: capture.body.digest,
                original: original.filter(|_| !is_redirect),
            });
        } else {
            self.surveyor.add(&mut self.rows, number, &capture);
        }
        self.chunk.captures += 1;
    }

    fn page(&mut self, found: FoundCapture) {
        let mut page = found.capture;
        page.record.source = Some(Arc::clone(&self.name));
        let number = self.chunk.captures;
        if !self.surveyor.add_page(&mut self.rows, number, &page) {
            self.count_skipped("response, no page");
            return;
        }
        self.chunk.summary.records += 1;
        self.chunk.summary.pages += 1;
        self.chunk.captures += 1;
    }

    /// Passes on what was collected. Returns false if nothing more is wanted.
    pub(super) fn pass_on(&mut self) -> bool {
        let mut chunk = std::mem::take(&mut self.chunk);
        let rows = std::mem::replace(&mut self.rows, self.surveyor.rows());
        chunk.tables = rows.finish();
        (self.send)(Message::Chunk(Box::new(chunk)))
    }

    pub(super) fn done(&mut self, next: Option<u64>) {
        if self.pass_on() {
            (self.send)(Message::Done(next));
        }
    }
}

fn count(of: &mut BTreeMap<String, u64>, name: &str) {
    *of.entry(name.to_owned()).or_default() += 1;
}
