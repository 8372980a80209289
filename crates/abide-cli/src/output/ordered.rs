//! Writes the results of many threads in order, one at a time.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The thread that passes on the next item writes it, and all items waiting after it.
pub(crate) struct OrderedWriter<T, W> {
    turns: Mutex<Turns<T, W>>,
    /// Signalled when an item was written, or when writing ends.
    passed: Condvar,
    /// The number of items that may wait.
    room: u64,
}

struct Turns<T, W> {
    /// The number of the next item to write.
    next: u64,
    waiting: BTreeMap<u64, T>,
    /// `None` while a thread writes.
    write: Option<W>,
    /// The result, once no more items are wanted.
    end: Option<io::Result<()>>,
}

impl<T, W: FnMut(T) -> io::Result<()>> OrderedWriter<T, W> {
    /// Writes items with `write`; up to `room` of them wait for earlier ones.
    pub(crate) fn new(room: u64, write: W) -> Self {
        Self {
            turns: Mutex::new(Turns {
                next: 0,
                waiting: BTreeMap::new(),
                write: Some(write),
                end: None,
            }),
            passed: Condvar::new(),
            room,
        }
    }

    /// Passes on item `number`, after waiting if too many are waiting. Each number, from 0, comes
    /// once. Returns false if no more items are wanted.
    pub(crate) fn hand_on(&self, number: u64, item: T) -> bool {
        let is_early = |turns: &mut Turns<T, W>| {
            turns.end.is_none() && number > turns.next.saturating_add(self.room)
        };
        let turns = self.passed.wait_while(self.turns(), is_early);
        let mut turns = turns.unwrap_or_else(PoisonError::into_inner);
        turns.waiting.insert(number, item);
        while let Some((mut write, item)) = turns.take_next() {
            drop(turns);
            let written = write(item);
            turns = self.turns();
            turns.write = Some(write);
            turns.next += 1;
            if written.is_err() {
                turns.end = Some(written);
            }
            self.passed.notify_all();
        }
        turns.end.is_none()
    }

    /// Writes a part of item `number` after waiting for all earlier items; the rest of it has to
    /// follow. For items that are too long to wait in memory. Returns false if no more are wanted.
    pub(crate) fn write_part(&self, number: u64, part: T) -> bool {
        let is_early = |turns: &mut Turns<T, W>| {
            turns.end.is_none() && (number != turns.next || turns.write.is_none())
        };
        let turns = self.passed.wait_while(self.turns(), is_early);
        let mut turns = turns.unwrap_or_else(PoisonError::into_inner);
        if turns.end.is_some() {
            return false;
        }
        if let Some(write) = &mut turns.write {
            let written = write(part);
            if written.is_err() {
                turns.end = Some(written);
                self.passed.notify_all();
            }
        }
        turns.end.is_none()
    }

    /// The result of writing.
    pub(crate) fn into_result(self) -> io::Result<()> {
        let turns = self.turns.into_inner();
        let end = turns.unwrap_or_else(PoisonError::into_inner).end;
        end.unwrap_or(Ok(()))
    }
}

impl<T, W> OrderedWriter<T, W> {
    /// Ends the output if a thread panics while it holds this: nobody then waits for an item that
    /// will never come.
    pub(crate) fn end_on_panic(&self) -> impl Drop + '_ {
        EndOnPanic(self)
    }

    /// Whether more items are wanted.
    pub(crate) fn is_wanted(&self) -> bool {
        self.turns().end.is_none()
    }

    fn turns(&self) -> MutexGuard<'_, Turns<T, W>> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T, W> Turns<T, W> {
    /// The next item and the writer, if the item is there and nobody is writing.
    fn take_next(&mut self) -> Option<(W, T)> {
        if self.end.is_some() || self.write.is_none() {
            return None;
        }
        let item = self.waiting.remove(&self.next)?;
        self.write.take().map(|write| (write, item))
    }
}

/// See [`OrderedWriter::end_on_panic`].
struct EndOnPanic<'o, T, W>(&'o OrderedWriter<T, W>);

impl<T, W> Drop for EndOnPanic<'_, T, W> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.turns().end.get_or_insert(Ok(()));
            self.0.passed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
    use std::time::Duration;

    #[test]
    fn what_comes_first_waits_and_no_more_than_there_is_room_for() {
        const CAPACITY: u64 = 3;
        const OTHERS: u64 = 4;
        let mut written = Vec::new();
        let (taken, handed_on) = (AtomicU64::new(1), AtomicU64::new(0));
        let ordered = OrderedWriter::new(CAPACITY, |number: u64| {
            written.push(number);
            Ok(())
        });
        thread::scope(|scope| {
            let _end = ordered.end_on_panic();
            for _ in 0..OTHERS {
                scope.spawn(|| {
                    loop {
                        let number = taken.fetch_add(1, SeqCst);
                        if number > 1_000 || !ordered.hand_on(number, number) {
                            return;
                        }
                        handed_on.fetch_add(1, SeqCst);
                    }
                });
            }
            while handed_on.load(SeqCst) < CAPACITY {
                thread::yield_now();
            }
            thread::sleep(Duration::from_millis(50));
            assert_eq!(handed_on.load(SeqCst), CAPACITY);
            assert!(taken.load(SeqCst) <= 1 + CAPACITY + OTHERS);
            assert!(ordered.hand_on(0, 0));
        });
        ordered.into_result().unwrap();
        assert_eq!(written, (0..=1_000).collect::<Vec<_>>());
    }

    #[test]
    fn parts_of_an_item_stay_together() {
        let mut written = Vec::new();
        let ordered = OrderedWriter::new(9, |part: (u64, u64)| {
            written.push(part);
            Ok(())
        });
        thread::scope(|scope| {
            for number in [2, 1, 0] {
                let ordered = &ordered;
                scope.spawn(move || {
                    assert!((0..9).all(|part| ordered.write_part(number, (number, part))));
                    assert!(ordered.hand_on(number, (number, 9)));
                });
            }
        });
        ordered.into_result().unwrap();
        assert_eq!(written.len(), 30);
        assert!(written.is_sorted());
    }

    #[test]
    fn nothing_is_written_after_a_failure() {
        let mut tries = 0;
        let ordered = OrderedWriter::new(0, |()| {
            tries += 1;
            Err(io::ErrorKind::StorageFull.into())
        });
        thread::scope(|scope| {
            let waiting = scope.spawn(|| ordered.hand_on(1, ()));
            assert!(!ordered.hand_on(0, ()));
            assert!(!waiting.join().unwrap());
        });
        let error = ordered.into_result().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert_eq!(tries, 1);
    }

    #[test]
    fn nobody_waits_for_a_thread_that_panicked() {
        let ordered = OrderedWriter::new(0, |()| Ok(()));
        thread::scope(|scope| {
            let waiting = scope.spawn(|| ordered.hand_on(1, ()));
            let panicking = scope.spawn(|| {
                let _end = ordered.end_on_panic();
                panic!("this is what the test is about");
            });
            assert!(panicking.join().is_err());
            assert!(!waiting.join().unwrap());
        });
    }
}
