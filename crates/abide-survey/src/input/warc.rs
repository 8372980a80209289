//! Web archives (WARC 1.0 and 1.1), plain and compressed record by record, by gzip or zstd.
//!
//! Records are read one after the other with bounded memory. After damage, reading goes on at the
//! next place where a record begins.

use super::digest::Check;
use super::gzip::Members;
use super::packed::{Packed, Tracked, UnpackError};
use super::zstd::Frames;
use super::{FoundCapture, InputProblem, Item, Original, Packing, Sink};
use crate::capture::{self, BODY_KEPT, Body, Capture, Coding, DecodeError, RecordPlace};
use abide::tag::FieldLine;
use ring::digest::{Context, SHA256};
use std::io::{self, BufRead};
use std::ops::Range;
use std::path::Path;

/// The longest head of a record, and of a response within it.
const MAX_HEAD_BYTES: usize = 64 << 10;
/// How much of a record is kept in memory: a response of this size still has a whole file.
const MAX_KEPT_BYTES: usize = (1 << 20) + MAX_HEAD_BYTES;

/// The largest number of bytes of a page that are kept.
const PAGE_KEPT: usize = abide_html::MAX_BYTES + 1;

/// Reads the records that begin from `from` on and before `until`, where `from` is 0 or what an
/// earlier call returned. Returns where the next record begins; `None` at the end of the file.
/// `surveys_pages`: whether responses to requests for other URLs are read too; `verifies`: whether
/// the digests of captures are checked.
pub(crate) fn read(
    path: &Path,
    packing: Packing,
    (surveys_pages, verifies): (bool, bool),
    range: (u64, u64),
    sink: &mut Sink<'_>,
) -> io::Result<Option<u64>> {
    let pages = if surveys_pages {
        Pages::Surveyed
    } else {
        Pages::Places
    };
    read_as(path, packing, (pages, verifies), [range], sink)
}

/// Reads all records, and the responses to requests for other URLs.
pub(crate) fn read_with_pages(
    path: &Path,
    packing: Packing,
    sink: &mut Sink<'_>,
) -> io::Result<()> {
    let all = [(0, u64::MAX)];
    read_as(path, packing, (Pages::Responses, false), all, sink).map(|_| ())
}

/// Reads the records that begin at each of these places: one, or those of a member. Responses to
/// requests for other URLs are captures too.
pub(crate) fn read_again(
    path: &Path,
    packing: Packing,
    places: impl IntoIterator<Item = u64>,
    sink: &mut Sink<'_>,
) -> io::Result<()> {
    let ranges = places.into_iter().map(|place| (place, place + 1));
    read_as(path, packing, (Pages::Captures, false), ranges, sink).map(|_| ())
}

fn read_as(
    path: &Path,
    packing: Packing,
    how: (Pages, bool),
    ranges: impl IntoIterator<Item = (u64, u64)>,
    sink: &mut Sink<'_>,
) -> io::Result<Option<u64>> {
    let open = || Tracked::open(path, 0);
    match packing {
        Packing::None => Reader::new(Plain::new(open()?)?, how).read_all(ranges, sink),
        Packing::Gzip => Reader::new(Members::new(open()?), how).read_all(ranges, sink),
        Packing::Zstd => Reader::new(Frames::open(path, 0)?, how).read_all(ranges, sink),
    }
}

/// The first place from `from` on and before `until` where a record seems to begin.
pub(crate) fn first(
    path: &Path,
    packing: Packing,
    from: u64,
    until: u64,
) -> io::Result<Option<u64>> {
    if from == 0 {
        return Ok(Some(0));
    }
    let found = match packing {
        Packing::None => {
            let mut plain = Plain::new(Tracked::open(path, from)?)?;
            let is_found = plain.find(from - 1, until)?;
            return Ok(is_found.then(|| plain.place()));
        }
        Packing::Gzip => found(Members::new(Tracked::open(path, from)?), from, until),
        Packing::Zstd => found(Frames::open(path, from)?, from, until),
    };
    match found {
        Err(UnpackError::Io(error)) => Err(error),
        found => Ok(found.unwrap_or(None)),
    }
}

fn found(mut packed: impl Packed, from: u64, until: u64) -> Result<Option<u64>, UnpackError> {
    let is_found = packed.find(from, until)?;
    Ok(is_found.then(|| packed.packed_at()))
}

/// The bytes of an archive.
trait Stream {
    const PACKING: Packing;
    /// Moves to a place where a record begins.
    fn go_to(&mut self, place: u64) -> io::Result<()>;
    /// Begins the next member; returns false at the end of the file.
    fn begin(&mut self) -> Result<bool, UnpackError>;
    /// The next bytes; none at the end of the member.
    fn fill(&mut self) -> Result<&[u8], UnpackError>;
    fn consume(&mut self, count: usize);
    /// Where a reader has to begin to read the next bytes.
    fn place(&self) -> u64;
    /// Where the next member begins.
    fn next_place(&self) -> u64;
    /// The length of a record that began at `place` and was read with the empty lines after it;
    /// `None` if it cannot be read without others. `is_last`: whether its member ends.
    fn length_from(&self, place: u64, is_last: bool) -> Option<u64>;
    /// Whether a record with `length` more bytes can be right.
    fn can_be(&mut self, length: u64) -> io::Result<bool>;
    /// Moves to the next place after the begin of this record where one seems to begin.
    fn resume(&mut self) -> Result<bool, UnpackError>;
}

impl<P: Packed> Stream for P {
    const PACKING: Packing = P::PACKING;

    fn go_to(&mut self, place: u64) -> io::Result<()> {
        self.packed().seek(place)
    }

    fn begin(&mut self) -> Result<bool, UnpackError> {
        Packed::begin(self)
    }

    fn fill(&mut self) -> Result<&[u8], UnpackError> {
        Packed::fill(self)
    }

    fn consume(&mut self, count: usize) {
        Packed::consume(self, count);
    }

    fn place(&self) -> u64 {
        self.start()
    }

    fn next_place(&self) -> u64 {
        self.packed_at()
    }

    fn length_from(&self, place: u64, is_last: bool) -> Option<u64> {
        is_last.then(|| self.packed_at() - place)
    }

    fn can_be(&mut self, _: u64) -> io::Result<bool> {
        // The end of the piece shows it.
        Ok(true)
    }

    fn resume(&mut self) -> Result<bool, UnpackError> {
        let after = self.start() + 1;
        self.find(after, u64::MAX)
    }
}

/// An archive that is not compressed: one member.
struct Plain {
    file: Tracked,
    size: u64,
    has_begun: bool,
}

impl Plain {
    fn new(file: Tracked) -> io::Result<Self> {
        Ok(Self {
            size: file.size()?,
            file,
            has_begun: false,
        })
    }

    /// Moves to the first line from `from` on and before `until` that begins a record.
    fn find(&mut self, from: u64, until: u64) -> io::Result<bool> {
        let found = self.file.find(b"\nWARC/1.", from, until - 1)?;
        if let Some(line_end) = found {
            self.file.seek(line_end + 1)?;
        }
        Ok(found.is_some())
    }
}

impl Stream for Plain {
    const PACKING: Packing = Packing::None;

    fn go_to(&mut self, place: u64) -> io::Result<()> {
        self.has_begun = false;
        self.file.seek(place)
    }

    fn begin(&mut self) -> Result<bool, UnpackError> {
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        Ok(is_first && !self.file.fill_buf()?.is_empty())
    }

    fn fill(&mut self) -> Result<&[u8], UnpackError> {
        Ok(self.file.fill_buf()?)
    }

    fn consume(&mut self, count: usize) {
        self.file.consume(count);
    }

    fn place(&self) -> u64 {
        self.file.at()
    }

    fn next_place(&self) -> u64 {
        self.file.at()
    }

    fn length_from(&self, place: u64, _: bool) -> Option<u64> {
        Some(self.file.at() - place)
    }

    fn can_be(&mut self, length: u64) -> io::Result<bool> {
        let is_end =
            |bytes: &[u8]| matches!(bytes, [] | [b'\r' | b'\n', ..]) || bytes.starts_with(b"WARC/");
        let at = self.file.at();
        let Some(end) = at.checked_add(length).filter(|end| *end <= self.size) else {
            return Ok(false);
        };
        let buffered = self.file.fill_buf()?;
        let after = usize::try_from(length)
            .ok()
            .and_then(|length| buffered.get(length..));
        if let Some(after) = after.filter(|after| after.len() > 5) {
            return Ok(is_end(after));
        }
        self.file.seek(end)?;
        let is_right = is_end(self.file.fill_buf()?);
        self.file.seek(at)?;
        Ok(is_right)
    }

    fn resume(&mut self) -> Result<bool, UnpackError> {
        let at = self.file.at();
        let is_found = self.find(at, u64::MAX)?;
        self.has_begun = false;
        Ok(is_found)
    }
}

/// Reads records from a stream.
struct Reader<S> {
    stream: S,
    head: Vec<u8>,
    /// Where the record with this head begins, or its member.
    head_at: Option<u64>,
    content: Vec<u8>,
    pages: Pages,
    /// Whether the digests of captures are checked.
    verifies: bool,
}

/// What responses to requests for other URLs are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pages {
    /// Places in the archive.
    Places,
    /// Places, with the response.
    Responses,
    /// Places, with the response, its fields, and as much of its body as a page may have.
    Surveyed,
    /// Captures.
    Captures,
}

/// How reading goes on after a record.
enum Then {
    Next,
    /// The member has no further record that can be read.
    Resume,
    Stop,
}

/// Why a record is not read.
enum Halt {
    /// Its bytes cannot be unpacked.
    Gzip(UnpackError),
    /// Its member ended, and a new record has begun.
    Short,
}

impl From<UnpackError> for Halt {
    fn from(error: UnpackError) -> Self {
        Self::Gzip(error)
    }
}

impl<S: Stream> Reader<S> {
    fn new(stream: S, (pages, verifies): (Pages, bool)) -> Self {
        Self {
            stream,
            pages,
            verifies,
            head: Vec::new(),
            head_at: None,
            content: Vec::new(),
        }
    }

    /// Reads the records in these ranges. Returns what [`read`] does for the last one.
    fn read_all(
        &mut self,
        ranges: impl IntoIterator<Item = (u64, u64)>,
        sink: &mut Sink<'_>,
    ) -> io::Result<Option<u64>> {
        let mut next = None;
        for (from, until) in ranges {
            self.stream.go_to(from)?;
            self.head_at = None;
            next = self.read(until, sink)?;
        }
        Ok(next)
    }

    fn read(&mut self, until: u64, sink: &mut Sink<'_>) -> io::Result<Option<u64>> {
        loop {
            let next = self.stream.next_place();
            if !sink(Item::Reached(next)) {
                return Ok(None);
            }
            if next >= until {
                return Ok(Some(next));
            }
            let then = match self.stream.begin() {
                Ok(false) => return Ok(None),
                // Frames without data may be between two records.
                Ok(true) if self.stream.place() >= until => {
                    return Ok(Some(self.stream.place()));
                }
                Ok(true) => self.member(until, sink),
                Err(error) => Err(error),
            };
            let then = match then {
                Ok(then) => then,
                Err(UnpackError::Io(error)) => return Err(error),
                Err(error) => {
                    let place = self.stream.place();
                    let problem = unpack_problem(S::PACKING, place, &error);
                    if !sink(Item::Failed(self.of_head(place, problem))) {
                        return Ok(None);
                    }
                    Then::Resume
                }
            };
            match then {
                Then::Next => {}
                Then::Stop => return Ok(None),
                Then::Resume => match self.stream.resume() {
                    Ok(true) => {}
                    Err(UnpackError::Io(error)) => return Err(error),
                    Ok(false) | Err(_) => return Ok(None),
                },
            }
        }
    }

    /// Reads the records of a member, and of those that follow until one ends with a record.
    fn member(&mut self, until: u64, sink: &mut Sink<'_>) -> Result<Then, UnpackError> {
        loop {
            if !self.skip_blank()? {
                return Ok(Then::Next);
            }
            let place = self.stream.place();
            // A plain archive is one member, so that its records are what ends a block.
            if place >= until {
                return Ok(Then::Next);
            }
            match self.record(place, sink) {
                Ok(Then::Next) => {}
                Ok(other) => return Ok(other),
                Err(Halt::Gzip(error)) => return Err(error),
                Err(Halt::Short) => {
                    let problem = InputProblem::at_byte(
                        place,
                        "warc-cut",
                        "the record ends before its Content-Length; get the archive again",
                    );
                    if !sink(Item::Failed(self.of_head(place, problem))) {
                        return Ok(Then::Stop);
                    }
                }
            }
        }
    }

    /// A problem at `place`, with the URL of the record there if its head was read.
    fn of_head(&self, place: u64, problem: InputProblem) -> InputProblem {
        if self.head_at == Some(place) {
            problem.with_url(About::of(&self.head).url)
        } else {
            problem
        }
    }

    /// The place of the record that was just read from `place`, and what is wrong with its end.
    fn record_place(&mut self, place: u64, is_first: bool) -> (RecordPlace, Result<(), Halt>) {
        let (length, end) = match self.skip_blank() {
            Ok(has_more) => {
                let length = self.stream.length_from(place, is_first && !has_more);
                (length, Ok(()))
            }
            Err(error) => (None, Err(error.into())),
        };
        (RecordPlace::at_byte(place, length), end)
    }

    /// Skips line ends between records. Returns false at the end of the member.
    fn skip_blank(&mut self) -> Result<bool, UnpackError> {
        loop {
            let bytes = self.stream.fill()?;
            if bytes.is_empty() {
                return Ok(false);
            }
            let is_text = |byte: &u8| !matches!(byte, b'\r' | b'\n');
            let text = bytes.iter().position(is_text);
            let blank = text.unwrap_or(bytes.len());
            self.stream.consume(blank);
            if text.is_some() {
                return Ok(true);
            }
        }
    }

    /// Makes sure that there are more bytes of the record, in the next member if need be.
    fn more(&mut self) -> Result<(), Halt> {
        while self.stream.fill()?.is_empty() {
            if !self.stream.begin()? {
                return Err(UnpackError::Cut.into());
            }
            if self.stream.fill()?.starts_with(b"WARC/") {
                return Err(Halt::Short);
            }
        }
        Ok(())
    }

    fn record(&mut self, place: u64, sink: &mut Sink<'_>) -> Result<Then, Halt> {
        let is_first = self.head_at.replace(place) != Some(place);
        if !self.read_head()? {
            let message = "no record begins here; what follows up to the next record is left out";
            let problem = InputProblem::at_byte(place, "warc-header", message);
            return Ok(then(sink(Item::Failed(problem)), Then::Resume));
        }
        let head = std::mem::take(&mut self.head);
        let done = self.record_of(&About::of(&head), (place, is_first), sink);
        self.head = head;
        done
    }

    fn record_of(
        &mut self,
        about: &About<'_>,
        (place, is_first): (u64, bool),
        sink: &mut Sink<'_>,
    ) -> Result<Then, Halt> {
        let problem =
            |code, message: &str| InputProblem::at_byte(place, code, message).with_url(about.url);
        let Some(length) = about.length else {
            let message = "the record has no valid Content-Length; it is left out";
            let problem = problem("warc-length", message);
            return Ok(then(sink(Item::Failed(problem)), Then::Resume));
        };
        if !self.stream.can_be(length).map_err(UnpackError::from)? {
            let message = "the record does not end where its Content-Length says; it is left out";
            let problem = problem("warc-length", message);
            return Ok(then(sink(Item::Failed(problem)), Then::Resume));
        }
        match about.use_of(self.pages == Pages::Captures) {
            Use::Skipped(kind) => {
                self.skip(length)?;
                Ok(then(sink(Item::Skipped(kind)), Then::Next))
            }
            Use::Failed(code, message) => {
                self.skip(length)?;
                Ok(then(sink(Item::Failed(problem(code, message))), Then::Next))
            }
            Use::Page(url) if self.pages == Pages::Responses => {
                let rest = self.content(about, length, &mut [])?;
                let record = RecordPlace::at_byte(place, None);
                let about = (about, about.date());
                let found = self.response(about, &url, record, rest).ok();
                let found = found.map(|(found, _)| Box::new(found));
                Ok(then(sink(Item::Page { url, place, found }), Then::Next))
            }
            Use::Page(url) if self.pages == Pages::Surveyed => {
                let page = |url: String, found: FoundCapture| {
                    let (place, found) = (found.place, Some(found.into()));
                    Item::Page { url, place, found }
                };
                self.whole(about, url, (place, is_first), length, &page, sink)
            }
            Use::Page(url) => {
                self.skip(length)?;
                let found = None;
                Ok(then(sink(Item::Page { url, place, found }), Then::Next))
            }
            Use::Capture(url) => {
                let capture = |_: String, found| Item::Capture(found);
                self.whole(about, url, (place, is_first), length, &capture, sink)
            }
        }
    }

    /// Reads a record to its end, and passes it on as an item.
    fn whole(
        &mut self,
        about: &About<'_>,
        url: String,
        (place, is_first): (u64, bool),
        length: u64,
        item: &dyn Fn(String, FoundCapture) -> Item,
        sink: &mut Sink<'_>,
    ) -> Result<Then, Halt> {
        let (mut checks, unknown) = about.checks(self.verifies);
        let rest = self.content(about, length, &mut checks)?;
        let (record, end) = self.record_place(place, is_first);
        let payload = rest.is_none().then_some(self.content.as_slice());
        let payload = payload.and_then(|content| content.get(about.payload_at(content)..));
        if self.verifies && !sink(about.verified(&record, &checks, unknown, payload)) {
            return Ok(Then::Stop);
        }
        let date = about.date();
        if date.is_none() {
            let message = "the record has no valid WARC-Date; its date is left empty";
            let problem = InputProblem::at_byte(place, "warc-date", message).with_url(about.url);
            if !sink(Item::Noted(problem)) {
                return Ok(Then::Stop);
            }
        }
        let item = match self.response((about, date), &url, record, rest) {
            Ok((found, noted)) => {
                if noted.is_some_and(|noted| !sink(Item::Noted(noted))) {
                    return Ok(Then::Stop);
                }
                item(url, found)
            }
            Err(problem) => Item::Failed(*problem),
        };
        let is_wanted = sink(item);
        end?;
        Ok(then(is_wanted, Then::Next))
    }

    /// Reads the head of a record. Returns false if there is none.
    fn read_head(&mut self) -> Result<bool, Halt> {
        self.head.clear();
        loop {
            self.more()?;
            let bytes = self.stream.fill()?;
            let line = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |end| end + 1);
            self.head
                .extend_from_slice(bytes.get(..line).unwrap_or_default());
            self.stream.consume(line);
            if self.head.len() >= 5 && !self.head.starts_with(b"WARC/") {
                return Ok(false);
            }
            if self.head.ends_with(b"\n\r\n") || self.head.ends_with(b"\n\n") {
                return Ok(true);
            }
            if self.head.len() > MAX_HEAD_BYTES {
                return Ok(false);
            }
        }
    }

    fn skip(&mut self, mut length: u64) -> Result<(), Halt> {
        while length > 0 {
            self.more()?;
            let count = self
                .stream
                .fill()?
                .len()
                .min(usize::try_from(length).unwrap_or(usize::MAX));
            self.stream.consume(count);
            length -= count as u64;
        }
        Ok(())
    }

    /// Reads the content of a record: the beginning is kept, the rest counted and hashed.
    fn content(
        &mut self,
        about: &About<'_>,
        length: u64,
        checks: &mut [Check],
    ) -> Result<Option<Rest>, Halt> {
        self.content.clear();
        let mut left = length;
        let mut rest: Option<Rest> = None;
        while left > 0 {
            self.more()?;
            let room = MAX_KEPT_BYTES - self.content.len();
            let bytes = self.stream.fill()?;
            let most = usize::try_from(left).unwrap_or(usize::MAX);
            let bytes = bytes.get(..most).unwrap_or(bytes);
            let count = if room > 0 {
                let kept = bytes.get(..room).unwrap_or(bytes);
                self.content.extend_from_slice(kept);
                kept.len()
            } else {
                let content = &self.content;
                let rest = rest.get_or_insert_with(|| {
                    about.begin(checks, content);
                    Rest::after(content)
                });
                rest.digest.update(bytes);
                for check in &mut *checks {
                    check.update(bytes);
                }
                rest.length += bytes.len() as u64;
                bytes.len()
            };
            self.stream.consume(count);
            left -= count as u64;
        }
        if rest.is_none() {
            about.begin(checks, &self.content);
        }
        Ok(rest)
    }

    /// What the record in `content` says, and what is wrong with it that does not prevent its use.
    fn response(
        &mut self,
        (about, date): (&About<'_>, Option<i64>),
        url: &str,
        record: RecordPlace,
        rest: Option<Rest>,
    ) -> Result<(FoundCapture, Option<InputProblem>), Box<InputProblem>> {
        let place = record.place();
        let problem =
            |(code, message)| InputProblem::at_byte(place, code, message).with_url(url.as_bytes());
        let mut capture = Capture::of_url(url);
        capture.record = record;
        capture.date = date;
        if capture.host.is_empty() {
            let message = "the WARC-Target-URI is not the URL of a site";
            return Err(problem(("warc-url", message.to_owned())).into());
        }
        let is_page = self.pages == Pages::Surveyed && !capture::is_robots_txt(url);
        // One byte more, so that it is seen that a longer page is cut.
        let kept = if is_page { PAGE_KEPT } else { BODY_KEPT };
        let mut body_at = 0;
        let mut coding = Coding::default();
        if about.has_http {
            match Http::of(&self.content) {
                Some(http) => {
                    body_at = http.body;
                    coding = http.coding;
                    capture.status = Some(http.status);
                    capture.locations = http.locations;
                    if is_page {
                        capture.fields = self.field_lines(http.head..http.body);
                    }
                }
                None if about.is_revisit => {}
                None => {
                    let message = "the record has no HTTP response";
                    return Err(problem(("http-head", message.to_owned())).into());
                }
            }
        }
        if let Some(status) = capture.status.filter(|status| !capture::is_final(*status)) {
            return Err(problem(capture::no_final_status(&status.to_string())).into());
        }
        let mut noted = None;
        if !about.is_revisit {
            let (body, error) = self.body(body_at, &coding, rest, kept);
            capture.body = body;
            capture.body.is_cut |= about.is_truncated && !capture.body.is_undecoded();
            noted = error.map(DecodeError::problem).map(problem);
        }
        let digest = about.digest.filter(|_| !about.is_revisit);
        let found = FoundCapture {
            capture,
            place,
            digest: digest.map(str::to_owned),
            original: about.original(url),
        };
        Ok((found, noted))
    }

    /// The field lines of the response with this head.
    fn field_lines(&self, head: Range<usize>) -> Vec<FieldLine> {
        let head = self.content.get(head).unwrap_or_default();
        let named = fields(head).filter(|(name, _)| !name.is_empty());
        let named = named.filter_map(|(name, value)| Some((utf8(name)?.to_owned(), value)));
        named
            .map(|(name, value)| FieldLine::new(name, value))
            .collect()
    }

    fn body(
        &self,
        at: usize,
        coding: &Coding,
        rest: Option<Rest>,
        kept: usize,
    ) -> (Body, Option<DecodeError>) {
        let start = self.content.get(at..).unwrap_or_default();
        let Some(rest) = rest else {
            return capture::body(start.to_vec(), coding, kept);
        };
        if *coding != Coding::default() {
            // Of a longer body only the beginning is decoded.
            let (mut body, error) = capture::body(start.to_vec(), coding, kept);
            body.is_cut = error.is_none();
            return (body, error);
        }
        let kept = start.get(..kept).unwrap_or(start);
        let body = Body {
            bytes: kept.to_vec(),
            length: start.len() as u64 + rest.length,
            digest: rest.digest.finish().as_ref().try_into().ok(),
            is_cut: false,
        };
        (body, None)
    }
}

/// What follows the part of a record that is kept.
struct Rest {
    length: u64,
    /// Of the whole body.
    digest: Context,
}

impl Rest {
    fn after(content: &[u8]) -> Self {
        let mut digest = Context::new(&SHA256);
        let body = Http::of(content).map_or(0, |http| http.body);
        digest.update(content.get(body..).unwrap_or_default());
        Self { length: 0, digest }
    }
}

fn then(is_wanted: bool, then: Then) -> Then {
    if is_wanted { then } else { Then::Stop }
}

fn unpack_problem(packing: Packing, place: u64, error: &UnpackError) -> InputProblem {
    let (code, message) = match (packing, error) {
        (Packing::Zstd, UnpackError::Cut) => (
            "zstd-cut",
            "the file ends within a zstd frame; get the archive again",
        ),
        (Packing::Zstd, _) => (
            "zstd-damaged",
            "the zstd frame is damaged, or needs more than 32 MiB of memory; reading goes on at the next one. Get the archive again",
        ),
        (_, UnpackError::Cut) => (
            "gzip-cut",
            "the file ends within a gzip member; get the archive again",
        ),
        _ => (
            "gzip-damaged",
            "the gzip member is damaged; reading goes on at the next one. Get the archive again",
        ),
    };
    InputProblem::at_byte(place, code, message)
}

/// The fields of a record's head that matter here.
#[derive(Default)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a field of the head, and they combine freely"
)]
struct About<'h> {
    kind: &'h [u8],
    url: &'h [u8],
    date: Option<&'h str>,
    length: Option<u64>,
    digest: Option<&'h str>,
    block_digest: Option<&'h str>,
    refers_to: Option<&'h str>,
    is_not_modified: bool,
    is_truncated: bool,
    has_http: bool,
    is_revisit: bool,
    /// Whether the payload goes on in other records.
    is_segment: bool,
}

/// What is done with a record.
enum Use {
    Capture(String),
    Page(String),
    Skipped(&'static str),
    Failed(&'static str, &'static str),
}

impl<'h> About<'h> {
    fn of(head: &'h [u8]) -> Self {
        let mut about = Self::default();
        let mut media_type: &[u8] = b"";
        for (name, value) in fields(head) {
            let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
            match () {
                () if is("WARC-Type") => about.kind = value,
                () if is("WARC-Target-URI") => about.url = bare(value),
                () if is("WARC-Date") => about.date = utf8(value),
                () if is("Content-Length") => {
                    about.length = utf8(value).and_then(|text| text.parse().ok());
                }
                () if is("WARC-Payload-Digest") => about.digest = utf8(value),
                () if is("WARC-Block-Digest") => about.block_digest = utf8(value),
                () if is("WARC-Segment-Number") => about.is_segment = true,
                () if is("WARC-Refers-To-Target-URI") => about.refers_to = utf8(bare(value)),
                () if is("WARC-Profile") => {
                    about.is_not_modified = value.ends_with(b"server-not-modified");
                }
                () if is("WARC-Truncated") => about.is_truncated = true,
                () if is("Content-Type") => media_type = value,
                () => {}
            }
        }
        about.is_revisit = about.kind.eq_ignore_ascii_case(b"revisit");
        let begins = |name: &[u8]| {
            media_type
                .get(..name.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(name))
        };
        let is_response = about.kind.eq_ignore_ascii_case(b"response");
        about.has_http = about.is_revisit
            || is_response && (media_type.is_empty() || begins(b"application/http"));
        about
    }

    fn use_of(&self, takes_pages: bool) -> Use {
        let is = |kind: &[u8]| self.kind.eq_ignore_ascii_case(kind);
        match () {
            () if is(b"warcinfo") => return Use::Skipped("warcinfo"),
            () if is(b"request") => return Use::Skipped("request"),
            () if is(b"metadata") => return Use::Skipped("metadata"),
            () if is(b"conversion") => return Use::Skipped("conversion"),
            () if is(b"continuation") => return Use::Skipped("continuation"),
            () if is(b"response") && !self.has_http => return Use::Skipped("response, not HTTP"),
            () if is(b"response") || is(b"revisit") || is(b"resource") => {}
            () if self.kind.is_empty() => {
                return Use::Failed("warc-type", "the record has no WARC-Type");
            }
            () => return Use::Skipped("unknown"),
        }
        let Ok(url) = std::str::from_utf8(self.url) else {
            return Use::Failed("warc-url", "the WARC-Target-URI is not UTF-8");
        };
        if url.is_empty() {
            return Use::Failed("warc-url", "the record has no WARC-Target-URI");
        }
        if takes_pages || capture::is_robots_txt(url) {
            Use::Capture(url.to_owned())
        } else if is(b"response") {
            Use::Page(url.to_owned())
        } else {
            Use::Skipped("page")
        }
    }

    fn date(&self) -> Option<i64> {
        self.date.and_then(capture::date)
    }

    /// The digests that can be checked, and an algorithm that is not known.
    fn checks(&self, verifies: bool) -> (Vec<Check>, Option<String>) {
        let (mut checks, mut unknown) = (Vec::new(), None);
        if !verifies {
            return (checks, unknown);
        }
        // That of a revisit record is about another record, that of a segment about all of them.
        let payload = self.digest;
        let payload = payload.filter(|_| !self.is_revisit && !self.is_segment);
        let found = [
            self.block_digest.map(Check::of_block),
            payload.map(Check::of_payload),
        ];
        for check in found.into_iter().flatten() {
            match check {
                Ok(check) => checks.push(check),
                Err(algorithm) => unknown = Some(algorithm),
            }
        }
        (checks, unknown)
    }

    fn begin(&self, checks: &mut [Check], content: &[u8]) {
        for check in checks {
            check.begin(content, self.payload_at(content));
        }
    }

    /// Where the payload begins in the beginning of the block.
    fn payload_at(&self, content: &[u8]) -> usize {
        let http = Http::of(content).filter(|_| self.has_http);
        http.map_or(0, |http| http.body)
    }

    /// What is known of the record, whose bytes the checks took. `payload` is all of it or nothing.
    fn verified(
        &self,
        record: &RecordPlace,
        checks: &[Check],
        unknown: Option<String>,
        payload: Option<&[u8]>,
    ) -> Item {
        let wrong = checks.iter().filter(|check| !check.is_right(payload));
        let wrong: Vec<&str> = wrong.map(|check| check.name).collect();
        if !wrong.is_empty() {
            let fields = wrong.join(" and ");
            let message = format!(
                "the bytes of the record do not have its {fields}; it is used. Get the archive again"
            );
            let problem = InputProblem::at_byte(record.place(), "digest", message);
            return Item::Noted(InputProblem {
                record: record.clone(),
                ..problem.with_url(self.url)
            });
        }
        Item::Verified(match unknown {
            Some(algorithm) => Err(algorithm),
            None if checks.is_empty() => Err("no digest".to_owned()),
            None => Ok(()),
        })
    }

    /// Where the body of a revisit record is.
    fn original(&self, url: &str) -> Option<Original> {
        if !self.is_revisit {
            return None;
        }
        Some(match self.digest {
            Some(digest) if !self.is_not_modified => Original::Digest(digest.to_owned()),
            _ => Original::Url(self.refers_to.unwrap_or(url).to_owned()),
        })
    }
}

/// A URL without the angle brackets that some writers put around it.
fn bare(value: &[u8]) -> &[u8] {
    match value {
        [b'<', url @ .., b'>'] | url => url,
    }
}

fn utf8(value: &[u8]) -> Option<&str> {
    std::str::from_utf8(value).ok()
}

/// The fields of a head, without its first line.
fn fields(head: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    head.split(|byte| *byte == b'\n')
        .skip(1)
        .filter_map(|line| {
            let colon = memchr::memchr(b':', line)?;
            let (name, value) = line.split_at_checked(colon)?;
            Some((name.trim_ascii(), value.get(1..)?.trim_ascii()))
        })
}

/// The head of an HTTP response.
struct Http {
    status: u16,
    locations: Vec<Vec<u8>>,
    coding: Coding,
    /// Where it begins.
    head: usize,
    /// Where the body begins.
    body: usize,
}

impl Http {
    fn of(content: &[u8]) -> Option<Self> {
        if !content.starts_with(b"HTTP/") {
            return None;
        }
        let http = Self::first(content)?;
        // Responses such as 100 Continue come before the final one.
        let after = content.get(http.body..).unwrap_or_default();
        if (100..200).contains(&http.status)
            && let Some(next) = Self::of(after)
        {
            let (head, body) = (http.body + next.head, http.body + next.body);
            return Some(Self { head, body, ..next });
        }
        Some(http)
    }

    fn first(content: &[u8]) -> Option<Self> {
        let body = body_at(content);
        let head = content.get(..body)?;
        let first = head.split(|byte| *byte == b'\n').next()?;
        let mut words = first.split(u8::is_ascii_whitespace).skip(1);
        let status = words.find(|word| !word.is_empty())?;
        let status = std::str::from_utf8(status).ok()?.parse().ok()?;
        let (mut transfer, mut content_coding): (&[u8], &[u8]) = (b"", b"");
        let mut locations = Vec::new();
        for (name, value) in fields(head) {
            let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
            match () {
                () if is("Location") => locations.push(value.to_vec()),
                () if is("Transfer-Encoding") => transfer = value,
                () if is("Content-Encoding") => content_coding = value,
                () => {}
            }
        }
        Some(Self {
            status,
            locations,
            coding: capture::coding(transfer, content_coding),
            head: 0,
            body,
        })
    }
}

/// Where the body of a response begins: after the first empty line.
fn body_at(content: &[u8]) -> usize {
    let head = content.get(..MAX_HEAD_BYTES).unwrap_or(content);
    let mut at = 0;
    while let Some(end) = memchr::memchr(b'\n', head.get(at..).unwrap_or_default()) {
        let next = at + end + 1;
        match head.get(next..) {
            Some([b'\n', ..]) => return next + 1,
            Some([b'\r', b'\n', ..]) => return next + 2,
            _ => at = next,
        }
    }
    content.len()
}
