//! Fair shares of what there is only so much of, among callers that do not know each other.
//!
//! A caller gets more while it then has no more than are free. So the first caller to come gets at
//! most half of all, the next one half of the rest, and there is something left for one that comes
//! later. Callers that wait get their turn one after the other, however many of their requests
//! wait.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// Something that callers share. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Shares(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    free: usize,
    callers: HashMap<Arc<str>, Holder>,
    /// Callers that wait, in the order of their turns. Each is here once.
    turns: VecDeque<Arc<str>>,
}

/// A caller that has something or waits for it.
#[derive(Debug, Default)]
struct Holder {
    held: usize,
    waiting: VecDeque<oneshot::Sender<Share>>,
}

/// How many names are kept that nobody uses.
const MAX_IDLE_NAMES: usize = 4_096;

/// What callers share of each of many things with names, such as domains.
#[derive(Clone, Debug)]
pub(crate) struct NamedShares {
    each: usize,
    shares: Arc<Mutex<HashMap<String, Shares>>>,
}

impl NamedShares {
    /// There are so many of each.
    pub(crate) fn new(each: usize) -> Self {
        let shares = Arc::default();
        Self { each, shares }
    }

    /// The shares of the thing with this name.
    pub(crate) fn of(&self, name: &str) -> Shares {
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        if shares.len() > MAX_IDLE_NAMES {
            // Whoever has a share or waits for one has these too.
            shares.retain(|_, shares| Arc::strong_count(&shares.0) > 1);
        }
        let own = shares.entry(name.to_owned());
        own.or_insert_with(|| Shares::new(self.each)).clone()
    }
}

/// Some of what is shared, mostly one. It is given back when this is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    shares: Shares,
    caller: Arc<str>,
    number: usize,
}

impl Shares {
    /// There are so many.
    pub(crate) fn new(all: usize) -> Self {
        Self(Arc::new(Mutex::new(State {
            free: all,
            callers: HashMap::new(),
            turns: VecDeque::new(),
        })))
    }

    /// One for `caller`, if it may have one more now.
    pub(crate) fn try_take(&self, caller: &Arc<str>) -> Option<Share> {
        self.try_take_many(caller, 1)
    }

    /// So many for `caller`, if it may have so many more now.
    pub(crate) fn try_take_many(&self, caller: &Arc<str>, number: usize) -> Option<Share> {
        let mut state = self.state();
        let share = || self.share(caller, number);
        state.take(caller, number).then(share)
    }

    /// How many are free.
    pub(crate) fn free(&self) -> usize {
        self.state().free
    }

    /// How many more `caller` may have now.
    pub(crate) fn left(&self, caller: &Arc<str>) -> usize {
        let state = self.state();
        let held = state.callers.get(caller).map_or(0, |holder| holder.held);
        state.free.saturating_sub(held) / 2
    }

    /// Waits for the turn of `caller`.
    pub(crate) async fn take(&self, caller: &Arc<str>) -> Share {
        let granted = {
            let mut state = self.state();
            let is_first = state
                .callers
                .get(caller)
                .is_none_or(|holder| holder.waiting.is_empty());
            if is_first && state.take(caller, 1) {
                return self.share(caller, 1);
            }
            state.wait(caller)
        };
        // What is granted to somebody who waits no more is given back.
        granted.await.expect("who waits is kept until it is served")
    }

    /// Whether nobody has anything or waits.
    #[cfg(test)]
    pub(crate) fn is_idle(&self) -> bool {
        self.state().callers.is_empty()
    }

    fn share(&self, caller: &Arc<str>, number: usize) -> Share {
        Share {
            shares: self.clone(),
            caller: Arc::clone(caller),
            number,
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Counts so many more for `caller`, if about as many are then free as it has.
    fn take(&mut self, caller: &Arc<str>, number: usize) -> bool {
        let held = self.callers.get(caller).map_or(0, |holder| holder.held);
        // The last one of an odd number is not left over.
        let needed = (2 * number).saturating_sub(1);
        if held + needed > self.free {
            return false;
        }
        self.free -= number;
        self.callers.entry(Arc::clone(caller)).or_default().held += number;
        true
    }

    fn wait(&mut self, caller: &Arc<str>) -> oneshot::Receiver<Share> {
        let (sender, granted) = oneshot::channel();
        let holder = self.callers.entry(Arc::clone(caller)).or_default();
        if holder.waiting.is_empty() {
            self.turns.push_back(Arc::clone(caller));
        }
        holder.waiting.push_back(sender);
        granted
    }

    /// Takes so many back from `caller`.
    fn give_back(&mut self, caller: &Arc<str>, number: usize) {
        self.free += number;
        if let Some(holder) = self.callers.get_mut(caller) {
            holder.held -= number;
        }
        self.forget(caller);
    }

    /// The next in turn that may have one: who it is, and where it waits.
    fn next(&mut self) -> Option<(Arc<str>, oneshot::Sender<Share>)> {
        for _ in 0..self.turns.len() {
            let caller = self.turns.pop_front()?;
            let holder = self.callers.get_mut(&caller)?;
            // Those who have gone.
            holder.waiting.retain(|waiting| !waiting.is_closed());
            let may = !holder.waiting.is_empty() && holder.held < self.free;
            let next = if may {
                holder.waiting.pop_front()
            } else {
                None
            };
            if next.is_some() {
                holder.held += 1;
                self.free -= 1;
            }
            if !holder.waiting.is_empty() {
                self.turns.push_back(Arc::clone(&caller));
            }
            self.forget(&caller);
            if let Some(next) = next {
                return Some((caller, next));
            }
        }
        None
    }

    /// Forgets a caller that has nothing and waits for nothing.
    fn forget(&mut self, caller: &Arc<str>) {
        let is_idle = |holder: &Holder| holder.held == 0 && holder.waiting.is_empty();
        if self.callers.get(caller).is_some_and(is_idle) {
            self.callers.remove(caller);
        }
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.shares.state().give_back(&self.caller, self.number);
        loop {
            let next = self.shares.state().next();
            let Some((caller, waiting)) = next else {
                return;
            };
            // Who has gone meanwhile leaves it to the next: the share is dropped, and looks for it.
            let _ = waiting.send(self.shares.share(&caller, 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    fn caller(name: &str) -> Arc<str> {
        name.into()
    }

    #[tokio::test]
    async fn a_caller_leaves_as_many_as_it_has() {
        let (shares, greedy) = (Shares::new(16), caller("greedy"));
        let mut held: Vec<_> = (0..8).map(|_| shares.try_take(&greedy).unwrap()).collect();
        assert!(shares.try_take(&greedy).is_none());
        // Each one that comes gets something.
        let others: Vec<_> = ["b", "c", "d", "e"].map(caller).into();
        for other in &others {
            held.push(shares.try_take(other).unwrap());
        }
        drop(held);
        assert!(shares.is_idle());
        assert_eq!(shares.state().free, 16);
    }

    #[tokio::test]
    async fn those_who_wait_get_their_turn_one_after_the_other() {
        let (shares, names) = (Shares::new(2), ["a", "b"].map(caller));
        let mut held: VecDeque<_> = [&names[0], &names[1]]
            .into_iter()
            .filter_map(|name| shares.try_take(name))
            .collect();
        // The first has many that wait before the second has one.
        let mut waiting: Vec<_> = [0, 0, 0, 0, 1, 1]
            .into_iter()
            .map(|at| (at, Box::pin(shares.take(&names[at]))))
            .collect();
        for (_, share) in &mut waiting {
            assert!(share.now_or_never().is_none());
        }
        let mut order = Vec::new();
        while let Some(given_back) = held.pop_front() {
            drop(given_back);
            waiting.retain_mut(|(at, share)| {
                let Some(share) = share.now_or_never() else {
                    return true;
                };
                order.push(*at);
                held.push_back(share);
                false
            });
        }
        assert_eq!(order.len(), 6);
        assert!(order[..3].contains(&1), "{order:?}");
    }

    #[tokio::test]
    async fn who_waits_no_more_is_passed_over() {
        let (shares, name) = (Shares::new(1), caller("a"));
        let held = shares.try_take(&name).unwrap();
        let mut gone = Box::pin(shares.take(&name));
        assert!((&mut gone).now_or_never().is_none());
        let mut next = Box::pin(shares.take(&name));
        assert!((&mut next).now_or_never().is_none());
        drop(gone);
        drop(held);
        drop(next.now_or_never().unwrap());
        assert!(shares.is_idle());
        assert!(shares.state().turns.is_empty());
    }
}
