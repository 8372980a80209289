//! Serializes records for stores. Bytes that are read back must prove that this code wrote them,
//! for this resource, and unchanged; anything else is refused. Lengths are checked before memory
//! is allocated.
//!
//! ```text
//! "abide" version | key id | resource | copy | outage | trail | 32 bytes of checksum or signature
//! ```
//!
//! Numbers are in network byte order; text and bytes follow their length.

use super::digest::Key;
use super::{Body, BodyHash, Cut, Record, Resource};
use crate::machine::{
    Answer, CachedAnswer, Freshness, HopReport, Outage, State, Trail, Validators,
};
use crate::request_url::RequestUrl;
use abide::Moment;
use abide::rep::Cause;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

const MAGIC: &[u8; 5] = b"abide";
/// The latest version that this code reads. Records of a later version are not read, and not
/// deleted.
const LATEST: u8 = 3;
/// From this version on, instants have milliseconds, and what was requested is kept, and until when
/// a site asked to wait.
const TRAILS: u8 = 3;

/// The version of the bytes of a record or an event: the lowest one that has what is in it, so that
/// older members of a fleet read all that they can. Version 2 has bodies that are cut between two
/// lines, version 3 milliseconds, trails, and `Retry-After`.
pub(super) fn version(
    body: Option<&Body>,
    trail: Option<&Arc<Trail>>,
    moments: impl IntoIterator<Item = Moment>,
) -> u8 {
    let is_exact = |moment: Moment| moment.milliseconds() > 0;
    match body.map(Body::end) {
        _ if trail.is_some() || moments.into_iter().any(is_exact) => TRAILS,
        Some(Cut::AtLineEnd) => 2,
        _ => 1,
    }
}

/// The version of the bytes of a record or an event, if this code reads it.
pub(super) fn check_version(byte: Option<&u8>) -> Result<u8, RecordError> {
    match byte {
        Some(&known @ 1..=LATEST) => Ok(known),
        Some(&later) if later > LATEST => Err(RecordError::Version(later)),
        _ => Err(RecordError::Shape),
    }
}
/// The offset of the key's ID.
const KEY_AT: usize = MAGIC.len() + 1;
/// The length of the checksum or signature at the end, in bytes.
const SEALED: usize = 32;

/// How records are protected: by a checksum against accidents, or by a signature against other
/// writers.
#[derive(Clone)]
pub struct Seal {
    /// The first key signs; all are accepted. Without keys, records have a checksum.
    keys: Vec<(u8, Key)>,
}

/// Why bytes are not a valid record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The record has a later version.
    #[error("the record was written by a later version of abide (format {0})")]
    Version(u8),
    /// The record was signed with an unknown key.
    #[error("the record was signed with an unknown key (ID {0})")]
    Key(u8),
    /// The checksum or signature is wrong.
    #[error("the checksum or signature of the record is wrong")]
    Seal,
    /// The record belongs to another resource.
    #[error("the record belongs to another URL")]
    Resource,
    /// The body is missing, or its hash is wrong.
    #[error("the body is missing, or its hash is wrong")]
    Body,
    /// The bytes are too short, too long or invalid.
    #[error("not a valid record")]
    Shape,
}

impl Seal {
    /// Protects records with a checksum.
    #[must_use]
    pub const fn checksum() -> Self {
        Self { keys: Vec::new() }
    }

    /// Signs records with `secret`, whose ID is `id`. 0 means a checksum, so it is replaced by 1.
    #[cfg(not(target_family = "wasm"))]
    #[must_use]
    pub fn keyed(id: u8, secret: &[u8]) -> Self {
        Self::checksum().with_older_key(id, secret)
    }

    /// Also accepts records signed with `secret`, for example an older one that is being replaced.
    #[cfg(not(target_family = "wasm"))]
    #[must_use]
    pub fn with_older_key(mut self, id: u8, secret: &[u8]) -> Self {
        self.keys.push((id.max(1), Key::new(secret)));
        self
    }

    /// The ID of the key that signs; 0 for a checksum.
    pub(super) fn id(&self) -> u8 {
        self.keys.first().map_or(0, |(id, _)| *id)
    }

    /// Appends the checksum or signature to `bytes`, which already contain the seal's
    /// [id](Self::id).
    pub(super) fn close(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        if let Some((_, key)) = self.keys.first() {
            let signature = key.sign(&bytes);
            bytes.extend_from_slice(&signature);
        } else {
            let checksum = BodyHash::of(&bytes);
            bytes.extend_from_slice(checksum.as_bytes());
        }
        bytes
    }

    /// The bytes before the seal, if the seal is valid for the key `id`.
    pub(super) fn open<'o>(&self, bytes: &'o [u8], id: u8) -> Result<&'o [u8], RecordError> {
        let length = bytes.len().checked_sub(SEALED).ok_or(RecordError::Seal)?;
        let (signed, seal) = bytes.split_at_checked(length).ok_or(RecordError::Seal)?;
        if self.fits(signed, seal, id) {
            Ok(signed)
        } else if id == self.id() || id == 0 || self.knows(id) || self.is_misnamed(signed, seal) {
            Err(RecordError::Seal)
        } else {
            Err(RecordError::Key(id))
        }
    }

    fn knows(&self, id: u8) -> bool {
        self.keys.iter().any(|(known, _)| *known == id)
    }

    fn fits(&self, signed: &[u8], seal: &[u8], id: u8) -> bool {
        if self.keys.is_empty() {
            return id == 0 && BodyHash::of(signed).as_bytes() == seal;
        }
        let mut keys = self.keys.iter().filter(|(known, _)| *known == id);
        keys.any(|(_, key)| key.verifies(signed, seal))
    }

    /// Whether the signature is ours under another key ID: then the record is damaged, not foreign.
    fn is_misnamed(&self, signed: &[u8], seal: &[u8]) -> bool {
        let checksum = self.keys.is_empty().then_some(0);
        let mut ids = self.keys.iter().map(|(id, _)| *id).chain(checksum);
        ids.any(|id| {
            let mut renamed = signed.to_vec();
            if let Some(place) = renamed.get_mut(KEY_AT) {
                *place = id;
            }
            self.fits(&renamed, seal, id)
        })
    }
}

/// Does not show the keys.
impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids: Vec<_> = self.keys.iter().map(|(id, _)| id).collect();
        f.debug_struct("Seal").field("keys", &ids).finish()
    }
}

impl Record {
    /// Serializes the record with its body.
    #[must_use]
    pub fn to_bytes(&self, seal: &Seal) -> Vec<u8> {
        self.written(seal, |writer, body| writer.bytes(body.as_bytes()))
    }

    /// Reads the record of `resource` from `bytes`.
    ///
    /// # Errors
    /// [`RecordError`] for anything that [`Record::to_bytes`] did not write.
    pub fn from_bytes(bytes: &[u8], resource: &Resource, seal: &Seal) -> Result<Self, RecordError> {
        Self::read(bytes, resource, seal, |reader, hash| {
            let body = Body::new(reader.bytes(MAX_BODY_BYTES)?.to_vec());
            (body.hash() == hash)
                .then_some(body)
                .ok_or(RecordError::Body)
        })
    }

    /// Serializes the record without its body, which is stored under its hash.
    #[cfg(feature = "file")]
    pub(crate) fn to_bytes_apart(&self, seal: &Seal) -> Vec<u8> {
        self.written(seal, |_, _| {})
    }

    /// Reads a record without its body, which `find` provides.
    #[cfg(feature = "file")]
    pub(crate) fn from_bytes_apart(
        bytes: &[u8],
        resource: &Resource,
        seal: &Seal,
        find: impl Fn(BodyHash) -> Option<Body>,
    ) -> Result<Self, RecordError> {
        Self::read(bytes, resource, seal, |_, hash| {
            find(hash).ok_or(RecordError::Body)
        })
    }

    fn written(&self, seal: &Seal, body: impl Fn(&mut EnvelopeWriter, &Body)) -> Vec<u8> {
        let version = self.version();
        let mut writer = EnvelopeWriter::new(version);
        writer.bytes.extend_from_slice(MAGIC);
        writer.byte(version);
        writer.byte(seal.id());
        writer.text(self.resource.as_str());
        match self.state.copy() {
            None => writer.byte(0),
            Some(copy) => {
                writer.byte(1);
                writer.copy(copy, body);
            }
        }
        match self.state.outage() {
            None => writer.byte(0),
            Some(outage) => {
                writer.byte(1);
                writer.outage(outage);
            }
        }
        writer.trail(self.trail());
        seal.close(writer.bytes)
    }

    fn trail(&self) -> Option<&Arc<Trail>> {
        self.state.copy()?.trail.as_ref()
    }

    fn version(&self) -> u8 {
        let copy = self.state.copy();
        let of_copy = copy.map(|copy| [copy.fetched_at, copy.checked_at, copy.fresh_until]);
        let outage = self.state.outage();
        let of_outage = outage.map(|outage| [outage.since, outage.last, outage.retry_at]);
        let moments = of_copy.into_iter().chain(of_outage).flatten();
        if outage.is_some_and(|outage| outage.asked_until.is_some()) {
            return TRAILS;
        }
        version(self.state.body(), self.trail(), moments)
    }

    fn read(
        bytes: &[u8],
        resource: &Resource,
        seal: &Seal,
        body: impl Fn(&mut Reader<'_>, BodyHash) -> Result<Body, RecordError>,
    ) -> Result<Self, RecordError> {
        let head = bytes.strip_prefix(MAGIC).ok_or(RecordError::Shape)?;
        let version = check_version(head.first())?;
        let id = bytes.get(KEY_AT).copied().ok_or(RecordError::Seal)?;
        let inner = seal.open(bytes, id)?;
        let inner = inner.get(KEY_AT.saturating_add(1)..).unwrap_or_default();
        let mut reader = Reader::new(inner, version);
        if reader.text()? != resource.as_str() {
            return Err(RecordError::Resource);
        }
        let mut copy = reader.optional(|reader| reader.copy(&body))?;
        let outage = reader.optional(Reader::outage)?;
        let trail = reader.trail()?;
        reader.end()?;
        match &mut copy {
            Some(copy) => copy.trail = trail,
            None if trail.is_some() => return Err(RecordError::Shape),
            None => {}
        }
        Ok(Self {
            resource: resource.clone(),
            state: State::from_parts(copy, outage),
        })
    }
}

/// The largest body that is read back, in bytes. No retrieval is as long.
const MAX_BODY_BYTES: usize = 64 << 20;
/// The longest text that is read back, in bytes.
const MAX_TEXT_BYTES: usize = 16 << 10;

pub(super) struct EnvelopeWriter {
    pub(super) bytes: Vec<u8>,
    version: u8,
}

impl EnvelopeWriter {
    pub(super) fn new(version: u8) -> Self {
        Self {
            bytes: Vec::with_capacity(256),
            version,
        }
    }

    pub(super) fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    pub(super) fn number(&mut self, number: u64) {
        self.bytes.extend_from_slice(&number.to_be_bytes());
    }

    pub(super) fn moment(&mut self, moment: Moment) {
        self.bytes
            .extend_from_slice(&moment.unix_seconds().to_be_bytes());
        if self.version >= TRAILS {
            self.bytes
                .extend_from_slice(&moment.milliseconds().to_be_bytes());
        }
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        // A body is always shorter than 4 GiB.
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        self.bytes.extend_from_slice(&length.to_be_bytes());
        self.bytes.extend_from_slice(bytes);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    pub(super) fn maybe<T>(&mut self, value: Option<T>, write: impl Fn(&mut Self, T)) {
        match value {
            None => self.byte(0),
            Some(value) => {
                self.byte(1);
                write(self, value);
            }
        }
    }

    pub(super) fn cause(&mut self, cause: Cause) {
        match cause {
            Cause::Status(status) => {
                self.byte(0);
                self.bytes.extend_from_slice(&status.to_be_bytes());
            }
            other => {
                self.byte(1);
                self.text(other.name());
            }
        }
    }

    pub(super) fn freshness(&mut self, freshness: Freshness) {
        self.maybe(freshness.seconds, Self::number);
        self.maybe(freshness.expires, Self::moment);
    }

    pub(super) fn validators(&mut self, validators: &Validators) {
        self.maybe(validators.etag.as_deref(), Self::text);
        self.maybe(validators.last_modified.as_deref(), Self::text);
    }

    pub(super) fn copy(&mut self, copy: &CachedAnswer<Body>, body: impl Fn(&mut Self, &Body)) {
        self.moment(copy.fetched_at);
        self.moment(copy.checked_at);
        self.moment(copy.fresh_until);
        self.freshness(copy.freshness);
        self.validators(&copy.validators);
        match &copy.kept {
            Answer::Missing(cause) => {
                self.byte(0);
                self.cause(*cause);
            }
            Answer::File(file) => {
                self.byte(1);
                self.bytes.extend_from_slice(file.hash().as_bytes());
                self.byte(file.end().to_byte());
                body(self, file);
            }
        }
    }

    pub(super) fn outage(&mut self, outage: &Outage) {
        self.moment(outage.since);
        self.moment(outage.last);
        self.moment(outage.retry_at);
        self.number(u64::from(outage.attempts));
        self.cause(outage.cause);
        if self.version >= TRAILS {
            self.maybe(outage.asked_until, Self::moment);
        }
    }

    /// Where a file came from. Versions before it was kept have nothing here.
    pub(super) fn trail(&mut self, trail: Option<&Arc<Trail>>) {
        if self.version < TRAILS {
            return;
        }
        self.maybe(trail, |writer, trail| {
            writer.byte(u8::from(trail.is_cut));
            writer.number(trail.hops.len() as u64);
            for hop in &trail.hops {
                writer.hop(hop);
            }
            writer.number(trail.fields.len() as u64);
            for (name, value) in &trail.fields {
                writer.text(name);
                writer.bytes(value);
            }
        });
    }

    fn hop(&mut self, hop: &HopReport) {
        self.text(hop.url.as_str());
        let address = hop.address.map(|address| address.to_string());
        self.maybe(address.as_deref(), Self::text);
        self.maybe(hop.status, |writer, status| {
            writer.bytes.extend_from_slice(&status.to_be_bytes());
        });
        self.maybe(hop.cause, Self::cause);
        self.maybe(hop.failure.as_deref(), Self::text);
        self.number(u64::try_from(hop.took.as_millis()).unwrap_or(u64::MAX));
    }
}

pub(super) struct Reader<'o> {
    rest: &'o [u8],
    version: u8,
}

impl<'o> Reader<'o> {
    pub(super) const fn new(rest: &'o [u8], version: u8) -> Self {
        Self { rest, version }
    }

    pub(super) fn take(&mut self, length: usize) -> Result<&'o [u8], RecordError> {
        let (taken, rest) = self
            .rest
            .split_at_checked(length)
            .ok_or(RecordError::Shape)?;
        self.rest = rest;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], RecordError> {
        <[u8; N]>::try_from(self.take(N)?).map_err(|_| RecordError::Shape)
    }

    pub(super) fn byte(&mut self) -> Result<u8, RecordError> {
        self.array().map(u8::from_be_bytes)
    }

    pub(super) fn number(&mut self) -> Result<u64, RecordError> {
        self.array().map(u64::from_be_bytes)
    }

    pub(super) fn moment(&mut self) -> Result<Moment, RecordError> {
        let seconds = self.array().map(i64::from_be_bytes)?;
        let milliseconds = if self.version >= TRAILS {
            self.array().map(u16::from_be_bytes)?
        } else {
            0
        };
        let moment = Moment::from_unix_seconds(seconds).with_milliseconds(milliseconds);
        (moment.milliseconds() == milliseconds)
            .then_some(moment)
            .ok_or(RecordError::Shape)
    }

    pub(super) fn bytes(&mut self, most: usize) -> Result<&'o [u8], RecordError> {
        let length = self.array().map(u32::from_be_bytes)?;
        let length = usize::try_from(length).map_err(|_| RecordError::Shape)?;
        if length > most {
            return Err(RecordError::Shape);
        }
        self.take(length)
    }

    pub(super) fn text(&mut self) -> Result<&'o str, RecordError> {
        std::str::from_utf8(self.bytes(MAX_TEXT_BYTES)?).map_err(|_| RecordError::Shape)
    }

    pub(super) fn yes_or_no(&mut self) -> Result<bool, RecordError> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(RecordError::Shape),
        }
    }

    pub(super) fn cut(&mut self) -> Result<Cut, RecordError> {
        Cut::from_byte(self.byte()?).ok_or(RecordError::Shape)
    }

    pub(super) fn optional<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, RecordError>,
    ) -> Result<Option<T>, RecordError> {
        if self.yes_or_no()? {
            read(self).map(Some)
        } else {
            Ok(None)
        }
    }

    pub(super) fn cause(&mut self) -> Result<Cause, RecordError> {
        match self.byte()? {
            0 => self.array().map(u16::from_be_bytes).map(Cause::Status),
            1 => self.text()?.parse().map_err(|_| RecordError::Shape),
            _ => Err(RecordError::Shape),
        }
    }

    pub(super) fn freshness(&mut self) -> Result<Freshness, RecordError> {
        Ok(Freshness {
            seconds: self.optional(Self::number)?,
            expires: self.optional(Self::moment)?,
        })
    }

    pub(super) fn validators(&mut self) -> Result<Validators, RecordError> {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Ok(Validators {
            etag: owned(self.optional(Self::text)?),
            last_modified: owned(self.optional(Self::text)?),
        })
    }

    pub(super) fn copy(
        &mut self,
        body: impl Fn(&mut Self, BodyHash) -> Result<Body, RecordError>,
    ) -> Result<CachedAnswer<Body>, RecordError> {
        Ok(CachedAnswer {
            fetched_at: self.moment()?,
            checked_at: self.moment()?,
            fresh_until: self.moment()?,
            freshness: self.freshness()?,
            validators: self.validators()?,
            kept: match self.byte()? {
                0 => Answer::Missing(self.cause()?),
                1 => {
                    let hash = BodyHash::from_bytes(self.array()?);
                    let cut = self.cut()?;
                    Answer::File(body(self, hash)?.kept_as(cut))
                }
                _ => return Err(RecordError::Shape),
            },
            trail: None,
        })
    }

    /// Where a file came from. No list is longer than the bytes that are there.
    pub(super) fn trail(&mut self) -> Result<Option<Arc<Trail>>, RecordError> {
        if self.version < TRAILS {
            return Ok(None);
        }
        self.optional(|reader| {
            let is_cut = reader.yes_or_no()?;
            let mut hops = Vec::new();
            for _ in 0..reader.number()? {
                hops.push(reader.hop()?);
            }
            let mut fields = Vec::new();
            for _ in 0..reader.number()? {
                let name = reader.text()?.to_owned();
                fields.push((name, reader.bytes(MAX_TEXT_BYTES)?.to_vec()));
            }
            Ok(Arc::new(Trail {
                hops,
                fields,
                is_cut,
            }))
        })
    }

    fn hop(&mut self) -> Result<HopReport, RecordError> {
        let url = RequestUrl::new(self.text()?).map_err(|_| RecordError::Shape)?;
        let address = self.optional(Self::text)?.map(str::parse).transpose();
        let status = self.optional(|reader| reader.array().map(u16::from_be_bytes))?;
        Ok(HopReport {
            address: address.map_err(|_| RecordError::Shape)?,
            status,
            cause: self.optional(Self::cause)?,
            failure: self.optional(Self::text)?.map(str::to_owned),
            took: Duration::from_millis(self.number()?),
            ..HopReport::new(url)
        })
    }

    pub(super) fn outage(&mut self) -> Result<Outage, RecordError> {
        Ok(Outage {
            since: self.moment()?,
            last: self.moment()?,
            retry_at: self.moment()?,
            attempts: u32::try_from(self.number()?).map_err(|_| RecordError::Shape)?,
            cause: self.cause()?,
            asked_until: if self.version >= TRAILS {
                self.optional(Self::moment)?
            } else {
                None
            },
        })
    }

    pub(super) fn end(&self) -> Result<(), RecordError> {
        self.rest.is_empty().then_some(()).ok_or(RecordError::Shape)
    }
}
