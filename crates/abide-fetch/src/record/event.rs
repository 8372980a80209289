//! Serializes events for the history.

use super::envelope::{EnvelopeWriter, Reader, RecordError, Seal, check_version, version};
use super::{Body, BodyHash, Cut};
use crate::machine::{Event, EventKind};

/// Serializes an event, with the hash of its body instead of the body.
pub(crate) fn write_event(event: &Event<Body>) -> Vec<u8> {
    let version = version(event.body(), event.trail(), [event.came()]);
    let mut writer = EnvelopeWriter::new(version);
    writer.byte(version);
    writer.moment(event.came());
    match event.what() {
        EventKind::File(body, freshness, validators) => {
            writer.byte(0);
            writer.bytes.extend_from_slice(body.hash().as_bytes());
            writer.byte(body.end().to_byte());
            writer.freshness(*freshness);
            writer.validators(validators);
        }
        EventKind::NotModified(freshness, etag) => {
            writer.byte(1);
            writer.freshness(*freshness);
            writer.maybe(etag.as_deref(), EnvelopeWriter::text);
        }
        EventKind::Missing(cause, freshness) => {
            writer.byte(2);
            writer.cause(*cause);
            writer.freshness(*freshness);
        }
        EventKind::Failed(cause, wait) => {
            writer.byte(3);
            writer.cause(*cause);
            writer.number(*wait);
        }
    }
    writer.trail(event.trail());
    Seal::checksum().close(writer.bytes)
}

/// The hash of an event's body, and whether the body was cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyName {
    pub(crate) hash: BodyHash,
    pub(crate) cut: Cut,
}

/// Reads an event, with the hash of its body.
pub(crate) fn read_event(bytes: &[u8]) -> Result<Event<BodyName>, RecordError> {
    let version = check_version(bytes.first())?;
    let inner = Seal::checksum().open(bytes, 0)?;
    let mut reader = Reader::new(inner.get(1..).unwrap_or_default(), version);
    let came = reader.moment()?;
    let what = match reader.byte()? {
        0 => {
            let body = BodyName {
                hash: BodyHash::from_bytes(reader.array()?),
                cut: reader.cut()?,
            };
            EventKind::File(body, reader.freshness()?, reader.validators()?)
        }
        1 => {
            let freshness = reader.freshness()?;
            let etag = reader.optional(Reader::text)?.map(str::to_owned);
            EventKind::NotModified(freshness, etag)
        }
        2 => EventKind::Missing(reader.cause()?, reader.freshness()?),
        3 => EventKind::Failed(reader.cause()?, reader.number()?),
        _ => return Err(RecordError::Shape),
    };
    let trail = reader.trail()?;
    reader.end()?;
    Ok(Event::new(came, what, trail))
}
