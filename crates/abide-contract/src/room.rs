//! How long an answer may be.

use crate::text;
use serde::Serialize;

/// How many times as long as its files an answer is at most, unless all of it is asked for.
const TIMES: usize = 20;
/// An answer about small files may be longer.
const MIN_BYTES: usize = 64 << 10;
/// About how far members of an answer are indented.
const INDENT: usize = 8;

/// The room that an answer has: 20 times the bytes of the files that it is about, and at least
/// 64 KiB.
#[derive(Clone, Copy, Debug)]
pub struct Room(usize);

impl Room {
    /// For an answer about files of so many bytes.
    #[must_use]
    pub fn for_bytes(bytes: usize) -> Self {
        Self(bytes.saturating_mul(TIMES).max(MIN_BYTES))
    }

    /// Keeps the first items that there is room for. Returns how many it left out.
    pub fn keep(&mut self, items: &mut Vec<impl Serialize>) -> usize {
        let kept = items.iter().take_while(|item| self.take(item)).count();
        let left_out = items.len() - kept;
        items.truncate(kept);
        left_out
    }

    /// Half of the room, so that one list cannot take all of it.
    pub(crate) fn half(&mut self) -> Self {
        let half = Self(self.0 / 2);
        self.0 -= half.0;
        half
    }

    /// Gives back what another list did not need.
    pub(crate) fn give_back(&mut self, other: Self) {
        self.0 += other.0;
    }

    /// Takes the room of an item, if there is enough.
    pub(crate) fn take(&mut self, item: &impl Serialize) -> bool {
        let text = text::pretty(item);
        let bytes = text.len() + INDENT * text.lines().count();
        let left = self.0.checked_sub(bytes);
        self.0 = left.unwrap_or(0);
        left.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_has_the_first_items_that_there_is_room_for() {
        let mut room = Room::for_bytes(10);
        let mut items = vec!["x".repeat(20_000); 5];
        assert_eq!((room.keep(&mut items), items.len()), (2, 3));
        assert_eq!(
            room.keep(&mut vec!["y"; 4]),
            4,
            "nothing follows what is left out"
        );
        let mut room = Room::for_bytes(100_000);
        assert_eq!(room.keep(&mut vec!["x".repeat(20_000); 5]), 0);
    }
}
