//! The memory of what is on its way: bodies that were received, and answers that are not sent yet.
//! It is a part of the setting `memory`. Whoever needs more than is left is refused, or waits for
//! clients that read.

use crate::problem::Problem;
use http::StatusCode;
use std::sync::Arc;
use std::thread;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How large a body or a whole answer may be without being counted: there are few of them for each
/// request.
pub(crate) const SMALL: usize = 64 << 10;
/// Memory is counted in units of so many bytes.
const UNIT: u64 = 1 << 10;

/// The memory of what is on its way.
#[derive(Debug)]
pub(crate) struct InFlight {
    room: Arc<Semaphore>,
    /// How many units there are.
    units: u32,
    /// Room for threads that wait for a client with what they answer from in memory, and hold no
    /// right to compute.
    waiting: Arc<Semaphore>,
}

/// Memory that is counted until this is dropped.
#[derive(Debug)]
pub(crate) struct HeldMemory(#[expect(dead_code, reason = "held")] OwnedSemaphorePermit);

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
        let units = u32::try_from(bytes / UNIT).unwrap_or(u32::MAX);
        let threads = thread::available_parallelism().map_or(1, usize::from);
        Self {
            room: Arc::new(Semaphore::new(units as usize)),
            units,
            waiting: Arc::new(Semaphore::new(threads * 4 + 4)),
        }
    }

    /// Counts so many bytes, if there is room for them. What is larger than all of the room may be
    /// there alone.
    pub(crate) fn count(&self, bytes: usize) -> Option<HeldMemory> {
        let units = (bytes as u64).div_ceil(UNIT).min(u64::from(self.units));
        let units = u32::try_from(units).unwrap_or(self.units);
        let room = Arc::clone(&self.room).try_acquire_many_owned(units);
        room.ok().map(HeldMemory)
    }

    /// Counts so many bytes, or refuses the request.
    pub(crate) fn admit(&self, bytes: usize) -> Result<HeldMemory, Problem> {
        self.count(bytes).ok_or_else(too_much)
    }

    /// Refuses new requests while most of the room is taken, so that those in progress can go on.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        if self.is_short() {
            Err(too_much())
        } else {
            Ok(())
        }
    }

    /// Whether less than an eighth of the room is left.
    pub(crate) fn is_short(&self) -> bool {
        self.room.available_permits() < self.units as usize / 8
    }

    /// The right to wait for a client, if not too many wait already.
    pub(crate) fn wait(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.waiting).try_acquire_owned().ok()
    }

    /// How many bytes are counted.
    pub(crate) fn bytes(&self) -> u64 {
        let free = self.room.available_permits() as u64;
        u64::from(self.units).saturating_sub(free) * UNIT
    }
}

fn too_much() -> Problem {
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
        let held: Vec<_> = (0..5).map_while(|_| room.count(5 << 20)).collect();
        assert_eq!((held.len(), room.bytes()), (3, 15 << 20));
        assert!(room.check().is_err() && room.admit(2 << 20).is_err());
        drop(held);
        assert_eq!(room.bytes(), 0);
        // More than there is may be there alone.
        let alone = room.count(1 << 30).unwrap();
        assert!(room.count(1).is_none());
        drop(alone);
        assert!(room.check().is_ok());
    }
}
