//! An event as octets, for the history.

use super::envelope::{Damaged, Reader, Seal, VERSION, Writer};
use super::{Body, BodyHash};
use crate::machine::{Event, What};

/// An event as octets, with the hash of its body in place of it.
pub(crate) fn write_event(event: &Event<Body>) -> Vec<u8> {
    let mut writer = Writer(Vec::with_capacity(64));
    writer.byte(VERSION);
    writer.moment(event.came());
    match event.what() {
        What::File(body, freshness, validators) => {
            writer.byte(0);
            writer.0.extend_from_slice(body.hash().as_octets());
            writer.freshness(*freshness);
            writer.validators(validators);
        }
        What::NotModified(freshness, etag) => {
            writer.byte(1);
            writer.freshness(*freshness);
            writer.maybe(etag.as_deref(), Writer::text);
        }
        What::Missing(cause, freshness) => {
            writer.byte(2);
            writer.cause(*cause);
            writer.freshness(*freshness);
        }
        What::Failed(cause, wait) => {
            writer.byte(3);
            writer.cause(*cause);
            writer.number(*wait);
        }
    }
    Seal::checksum().close(writer.0)
}

/// The event that `octets` hold, with its body from `find`.
pub(crate) fn read_event<B>(
    octets: &[u8],
    find: impl FnOnce(BodyHash) -> Option<B>,
) -> Result<Event<B>, Damaged> {
    match octets.first() {
        Some(&VERSION) => {}
        Some(&later) if later > VERSION => return Err(Damaged::Version(later)),
        _ => return Err(Damaged::Shape),
    }
    let seal = Seal::checksum();
    let mut reader = Reader(seal.open(octets)?);
    reader.byte()?;
    let came = reader.moment()?;
    let what = match reader.byte()? {
        0 => {
            let hash = BodyHash::from_octets(reader.array()?);
            let body = find(hash).ok_or(Damaged::Body)?;
            What::File(body, reader.freshness()?, reader.validators()?)
        }
        1 => {
            let freshness = reader.freshness()?;
            let etag = reader.optional(Reader::text)?.map(str::to_owned);
            What::NotModified(freshness, etag)
        }
        2 => What::Missing(reader.cause()?, reader.freshness()?),
        3 => What::Failed(reader.cause()?, reader.number()?),
        _ => return Err(Damaged::Shape),
    };
    reader.end()?;
    Ok(Event::new(came, what))
}
