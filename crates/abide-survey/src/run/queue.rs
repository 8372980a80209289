//! Gives jobs to workers, in order, and their results to the one who writes.

use super::collect::Message;
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The number of messages of a job that may wait. It bounds memory.
const MAX_WAITING: usize = 2;

pub(super) struct Queue {
    turns: Mutex<Turns>,
    changed: Condvar,
    jobs: usize,
    /// The number of jobs that may be ahead of the one that is written.
    room: usize,
}

struct Turns {
    /// The next job to give to a worker.
    next: usize,
    /// The job that is written.
    written: usize,
    waiting: BTreeMap<usize, Receiver<Message>>,
    has_ended: bool,
}

impl Queue {
    pub(super) fn new(first: usize, jobs: usize, workers: usize) -> Self {
        Self {
            turns: Mutex::new(Turns {
                next: first,
                written: first,
                waiting: BTreeMap::new(),
                has_ended: false,
            }),
            changed: Condvar::new(),
            jobs,
            room: workers + 2,
        }
    }

    /// The next job, and where its results go; waits while too many jobs are ahead. `None` if there
    /// are no more.
    pub(super) fn take(&self) -> Option<(usize, SyncSender<Message>)> {
        let is_early = |turns: &mut Turns| {
            !turns.has_ended && turns.next < self.jobs && turns.next > turns.written + self.room
        };
        let turns = self.changed.wait_while(self.turns(), is_early);
        let mut turns = turns.unwrap_or_else(PoisonError::into_inner);
        if turns.has_ended || turns.next >= self.jobs {
            return None;
        }
        let number = turns.next;
        let (sender, receiver) = sync_channel(MAX_WAITING);
        turns.next += 1;
        turns.waiting.insert(number, receiver);
        self.changed.notify_all();
        Some((number, sender))
    }

    /// The results of a job, once a worker has it.
    pub(super) fn messages(&self, number: usize) -> Receiver<Message> {
        let mut turns = self.turns();
        turns.written = number;
        self.changed.notify_all();
        let is_not_there = |turns: &mut Turns| !turns.waiting.contains_key(&number);
        let turns = self.changed.wait_while(turns, is_not_there);
        let mut turns = turns.unwrap_or_else(PoisonError::into_inner);
        turns.waiting.remove(&number).expect("it was waited for")
    }

    /// Ends the work when it is dropped: workers get no more jobs, and nobody takes their results.
    pub(super) fn end_when_dropped(&self) -> impl Drop + '_ {
        End(self)
    }

    fn turns(&self) -> MutexGuard<'_, Turns> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct End<'q>(&'q Queue);

impl Drop for End<'_> {
    fn drop(&mut self) {
        let mut turns = self.0.turns();
        turns.has_ended = true;
        turns.waiting.clear();
        self.0.changed.notify_all();
    }
}
