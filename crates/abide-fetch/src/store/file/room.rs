//! Keeps a file within its bounds while it is written.
//!
//! The file doubles when there is no room in it, and pages of removed rows are used again. So a
//! file of at most half the largest size may grow once. When it has, the oldest content is removed
//! until a quarter of the largest size is left, and the file is made as small as that.

use super::prune;
use super::shelf::Shelf;
use abide::Moment;

/// How often what is too old is looked for, in seconds.
const LOOK: i64 = 3_600;
/// A day in seconds.
const DAY: u64 = 86_400;

/// How much a store in a file keeps. By default, all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileBounds {
    /// The largest size of the file in bytes. What was not needed for the longest time is removed
    /// first, whole sites as well as past events.
    pub bytes: Option<u64>,
    /// How many days what is not needed any more is kept.
    pub days: Option<u64>,
}

/// The room in a file, as the thread that writes knows it.
pub(super) struct FileRoom {
    bounds: FileBounds,
    /// When it was last looked for what is too old.
    looked: Option<i64>,
    /// The length of the file after content was last removed.
    length: u64,
    /// The bytes that were written since.
    written: u64,
}

impl FileRoom {
    pub(super) const fn new(bounds: FileBounds) -> Self {
        Self {
            bounds,
            looked: None,
            length: 0,
            written: 0,
        }
    }

    /// The most bytes to write in one transaction: the file must not grow twice in it.
    pub(super) fn most_at_a_time(&self) -> u64 {
        self.bounds.bytes.map_or(u64::MAX, |most| most / 16)
    }

    /// Removes what is too old at `now`, and what there is no room for, after `bytes` were written.
    pub(super) fn make(&mut self, file: &Shelf, now: Moment, bytes: u64) {
        self.written = self.written.saturating_add(bytes);
        let now = now.unix_seconds();
        let is_time = self
            .looked
            .is_none_or(|looked| now.saturating_sub(looked) >= LOOK);
        let days = self.bounds.days.filter(|_| is_time);
        let before = days.map(|days| {
            let age = i64::try_from(days.saturating_mul(DAY)).unwrap_or(i64::MAX);
            Moment::from_unix_seconds(now.saturating_sub(age))
        });
        let length = length(file);
        let is_full =
            |most: &u64| length > most / 2 && (length > self.length || self.written >= most / 4);
        let most = self.bounds.bytes.filter(is_full);
        if before.is_none() && most.is_none() {
            return;
        }
        if is_time {
            self.looked = Some(now);
        }
        let room = most.map(|most| most / 4);
        // What fails here fails for the next caller too, who is told.
        drop(file.using(|handle| Ok(prune::bound(handle.to_write()?, before, room)?)));
        if most.is_some() {
            file.compact();
            self.length = self::length(file);
            self.written = 0;
        }
    }
}

fn length(file: &Shelf) -> u64 {
    std::fs::metadata(file.path()).map_or(0, |about| about.len())
}
