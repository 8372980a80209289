//! Collects what a job finds, in chunks of bounded size.

use super::Summary;
use crate::capture::{self, Capture, Meaning, RecordPlace};
use crate::input::{FoundCapture, Item, Original};
use crate::rows::{Rows, Surveyor};
use crate::schema::Table;
use crate::trail::RedirectTrail;
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
    /// Its way to the rules. `source` is the name of its input.
    pub(super) fn trail(&self, source: Option<Arc<str>>) -> RedirectTrail {
        RedirectTrail::new(self.capture(source), self.original.clone())
    }

    /// The capture itself, without the body.
    fn capture(&self, source: Option<Arc<str>>) -> Capture {
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
    /// Redirects of the chunk, which may lead to one of its later captures.
    redirects: Vec<NearRedirect>,
    reached: u64,
}

/// A redirect whose target may be near, since a crawler mostly asks for it next. Then nothing is
/// read again: CPU time of a mix with redirects −28 %, with the fields of heads (benches/survey).
struct NearRedirect {
    waiting: Waiting,
    trail: RedirectTrail,
    /// By what its target is found; `None` if it is left to those that wait.
    wants: Option<u64>,
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
            redirects: Vec::new(),
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
                self.place(key(&Original::Url(url)), place);
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

    fn place(&mut self, key: u64, place: u64) {
        self.chunk.pages.push(PagePlace {
            key,
            source: self.source,
            place,
            number: self.chunk.captures,
        });
    }

    fn capture(&mut self, mut found: FoundCapture) {
        found.capture.record.source = Some(Arc::clone(&self.name));
        let number = self.chunk.captures;
        self.chunk.summary.records += 1;
        self.chunk.summary.captures += 1;
        if let Some(digest) = &found.digest {
            self.place(key(&Original::Digest(digest.clone())), found.place);
        }
        let url = found.capture.url.clone();
        if let Some(url) = url.filter(|_| found.original.is_none()) {
            let key = key(&Original::Url(url));
            self.end_redirects(key, &found);
            self.place(key, found.place);
        }
        let FoundCapture {
            capture, original, ..
        } = found;
        if matches!(capture.meaning(), Meaning::Redirect(_)) {
            let waiting = self.waiting(capture, None);
            let trail = waiting.trail(Some(Arc::clone(&self.name)));
            let wants = trail.wants().map(key);
            self.redirects.push(NearRedirect {
                waiting,
                trail,
                wants,
            });
        } else if original.is_some() {
            let waiting = self.waiting(capture, original);
            self.chunk.waiting.push(waiting);
        } else {
            self.surveyor.add(&mut self.rows, number, &capture);
        }
        self.chunk.captures += 1;
    }

    fn waiting(&self, capture: Capture, original: Option<Original>) -> Waiting {
        Waiting {
            number: self.chunk.captures,
            source: self.source,
            record: capture.record,
            url: capture.url.unwrap_or_default(),
            date: capture.date,
            status: capture.status,
            locations: capture.locations,
            length: capture.body.length,
            digest: capture.body.digest,
            original,
        }
    }

    /// Ends the redirects that lead to this capture, if no other place with this key is nearer.
    fn end_redirects(&mut self, at: u64, found: &FoundCapture) {
        let number = self.chunk.captures;
        let wanting = self.redirects.extract_if(.., |one| one.wants == Some(at));
        for mut redirect in wanting.collect::<Vec<_>>() {
            // Places beyond it are nearer. Earlier chunks have none there: theirs end at 0.
            let first = 2 * redirect.waiting.number - number;
            let places = self.chunk.pages.iter().rev();
            let mut nearer = places.take_while(|place| place.number > first);
            let is_nearest = first >= 0 && nearer.all(|place| place.key != at);
            let end = is_nearest.then(|| redirect.trail.reach(found)).flatten();
            if let Some(capture) = end {
                let number = redirect.waiting.number;
                self.surveyor.add(&mut self.rows, number, &capture);
                self.chunk.summary.followed += 1;
                continue;
            }
            redirect.wants = redirect.trail.wants().filter(|_| is_nearest).map(key);
            self.redirects.push(redirect);
        }
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
        let redirects = self.redirects.drain(..);
        chunk.waiting.extend(redirects.map(|one| one.waiting));
        chunk.waiting.sort_by_key(|waiting| waiting.number);
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
