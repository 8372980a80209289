//! The memory of what is on its way: bodies that were received, and answers that are not sent yet.
//! It is a part of the setting `memory`, which callers share. Whoever needs more than is left for
//! it is refused, or waits for clients that read.

use crate::problem::Problem;
use crate::shares::{Share, Shares};
use http::StatusCode;
use std::sync::Arc;
use std::thread;

/// How large a body or a whole answer may be without being counted: there are few of them for each
/// request.
pub(crate) const MAX_UNCOUNTED_BYTES: usize = 64 << 10;
/// Memory is counted in units of so many bytes.
const UNIT: u64 = 1 << 10;

/// The memory of what is on its way.
#[derive(Debug)]
pub(crate) struct InFlight {
    room: Shares,
    /// How many units there are.
    units: usize,
    /// Room for threads that wait for a client with what they answer from in memory, and hold no
    /// right to compute.
    waiting: Shares,
}

/// Memory that is counted until this is dropped.
#[derive(Debug)]
pub(crate) struct HeldMemory(#[expect(dead_code, reason = "held")] Share);

/// Bytes that keep what belongs to them until they are sent: the connection drops them then.
pub(crate) struct Kept<B, R>(pub(crate) B, pub(crate) R);

impl<B: AsRef<[u8]>, R> AsRef<[u8]> for Kept<B, R> {
    fn as_ref(&self) -> &[u8] {
        self.0.as_ref()
    }
}

impl InFlight {
    /// So many bytes.
    pub(crate) fn new(bytes: u64) -> Self {
        let units = usize::try_from(bytes / UNIT).unwrap_or(usize::MAX);
        let threads = thread::available_parallelism().map_or(1, usize::from);
        Self {
            room: Shares::new(units),
            units,
            waiting: Shares::new(threads * 4 + 4),
        }
    }

    /// Counts so many bytes for a caller, if there is room for them. What is larger than the most
    /// that a caller may have may be there alone.
    pub(crate) fn count(&self, caller: &Arc<str>, bytes: usize) -> Option<HeldMemory> {
        let units = usize::try_from((bytes as u64).div_ceil(UNIT)).unwrap_or(usize::MAX);
        let room = self.room.try_take_many(caller, units.min(self.units / 2));
        room.map(HeldMemory)
    }

    /// Counts so many bytes for a caller, or refuses its request.
    pub(crate) fn admit(&self, caller: &Arc<str>, bytes: usize) -> Result<HeldMemory, Problem> {
        self.count(caller, bytes).ok_or_else(too_much)
    }

    /// Refuses new requests of a caller while most of its room is taken, so that those in progress
    /// can go on.
    pub(crate) fn check(&self, caller: &Arc<str>) -> Result<(), Problem> {
        if self.is_short(caller) {
            Err(too_much())
        } else {
            Ok(())
        }
    }

    /// Whether less than an eighth of its room is left for a caller, which is half of all at most.
    pub(crate) fn is_short(&self, caller: &Arc<str>) -> bool {
        self.room.left(caller) < self.units / 16
    }

    /// The right to wait for a client, if not too many wait already.
    pub(crate) fn wait(&self, caller: &Arc<str>) -> Option<Share> {
        self.waiting.try_take(caller)
    }

    /// How many bytes are counted.
    pub(crate) fn bytes(&self) -> u64 {
        self.units.saturating_sub(self.room.free()) as u64 * UNIT
    }
}

/// The refusal of a request for whose bytes there is no room.
pub(crate) fn too_much() -> Problem {
    Problem::new(
        StatusCode::SERVICE_UNAVAILABLE,
        TOO_MANY,
        "the memory for bodies and answers on their way is used up",
        "ask again later, read answers faster, or raise memory where the service is configured",
    )
    .retry_after(1)
}

/// The code of requests that are refused because of others.
pub(crate) const TOO_MANY: &str = "too-many-at-once";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_counted_than_there_is_room_for() {
        let room = InFlight::new(16 << 20);
        let [a, b] = ["a", "b"].map(Arc::<str>::from);
        let held: Vec<_> = (0..5).map_while(|_| room.count(&a, 3 << 20)).collect();
        assert_eq!((held.len(), room.bytes()), (2, 6 << 20));
        // Most of what is left is for others.
        let more = room.admit(&a, 2 << 20).unwrap();
        assert!(room.check(&a).is_err() && room.admit(&a, 1 << 20).is_err());
        assert!(room.check(&b).is_ok() && room.admit(&b, 4 << 20).is_ok());
        drop((held, more));
        assert_eq!(room.bytes(), 0);
        // More than a caller may have may be there alone.
        let alone = room.count(&a, 1 << 30).unwrap();
        assert!(room.count(&a, 1).is_none() && room.count(&b, 1).is_some());
        drop(alone);
        assert!(room.check(&a).is_ok());
    }
}
