//! One retrieval for a resource, however many wait for it. It has a task of its own: whoever stops
//! waiting does not stop it, and if it breaks, the next who asks begins another.

use super::documents::max_age;
use super::site::{Site, due};
use super::{CacheTier, Observer, RobotsCache, SharedState, Turn, Warning};
use crate::http::{RedirectCheck, Retrieval};
use crate::machine::{Answer, Event, State, Trail};
use crate::record::{Body, Record, RecordError, Resource};
use crate::store::{Lease, Store, StoreError};
use abide::Moment;
use abide::rep::RetrievalState;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// What those who wait for a flight look at.
pub(super) type Arrival = watch::Receiver<Option<Arc<Site>>>;

/// Between the first two looks at what another member of the fleet may have brought. It doubles.
const LOOK_AGAIN: Duration = Duration::from_millis(50);
/// Between two looks at most.
const MAX_LOOK_AGAIN: Duration = Duration::from_millis(400);
/// After so long nobody waits for another member any more: three deadlines of a retrieval.
const MAX_WAIT: Duration = Duration::from_secs(90);

/// Takes the flight off the board, however it ends.
struct Landing {
    shared: Arc<SharedState>,
    resource: Resource,
}

impl Drop for Landing {
    fn drop(&mut self) {
        let flights = self.shared.flights.lock();
        let mut flights = flights.unwrap_or_else(PoisonError::into_inner);
        flights.remove(self.resource.as_str());
    }
}

impl SharedState {
    /// The flight of `resource`, if one is on its way.
    pub(super) fn flying(&self, resource: &Resource) -> Option<Arrival> {
        let flights = self.flights.lock();
        let flights = flights.unwrap_or_else(PoisonError::into_inner);
        flights.get(resource.as_str()).cloned()
    }

    /// The flight of `resource` that is on its way, or a new one, which holds `turn` until it ends.
    /// `check` is for the redirects of a document. With `since`, the site is asked even if the file
    /// is fresh, unless it was asked since then or asks to be left alone (`Retry-After`).
    pub(super) fn flight(
        self: &Arc<Self>,
        resource: &Resource,
        known: Option<Arc<Site>>,
        check: Option<RobotsCache>,
        turn: Option<Turn>,
        since: Option<Moment>,
    ) -> Arrival {
        let flights = self.flights.lock();
        let mut flights = flights.unwrap_or_else(PoisonError::into_inner);
        if let Some(arrival) = flights.get(resource.as_str()) {
            return arrival.clone();
        }
        let (sender, arrival) = watch::channel(None);
        flights.insert(resource.clone(), arrival.clone());
        drop(flights);
        // Made here, so that a task that never runs is taken off the board too.
        let landing = Landing {
            shared: Arc::clone(self),
            resource: resource.clone(),
        };
        tokio::spawn(async move {
            let _turn = turn;
            let shared = &landing.shared;
            let site = shared.fly(&landing.resource, known, check, since).await;
            let site = Arc::new(site);
            landing.shared.keep(&site);
            drop(landing);
            sender.send_replace(Some(site));
        });
        arrival
    }

    /// Finds out the current rules of `resource`: by what is known, else by what the store knows,
    /// else by asking the site, unless another member of the fleet is at it.
    async fn fly(
        &self,
        resource: &Resource,
        known: Option<Arc<Site>>,
        check: Option<RobotsCache>,
        since: Option<Moment>,
    ) -> Site {
        let is_due = |state: &State<Body>, at| {
            let is_old = |since| last_asked(state).is_none_or(|asked| asked < since);
            let may_ask = asks_to_wait(state, at).is_none();
            self.is_due(resource, state, at) || (may_ask && since.is_some_and(is_old))
        };
        let clock_was_set = self.clock.seconds_set_forward();
        // Another flight may have landed between the caller's look at the sites and this one's
        // departure.
        let known = self.sites.get(resource.as_str()).or(known);
        let mut state = self.remembered(resource, known.as_deref(), clock_was_set);
        let began = tokio::time::Instant::now();
        let mut pause = LOOK_AGAIN;
        let stored = FlightStore::new(self, resource);
        loop {
            state = stored.added_to(state).await;
            let at = self.clock.now();
            if self.is_offline || !is_due(&state, at) {
                return self.site(resource, state, (at, at));
            }
            let lease = stored.lease().await;
            let is_theirs = matches!(lease, Some(Lease::Theirs));
            if !is_theirs || began.elapsed() >= MAX_WAIT {
                // Between the look and the lease, another member may have brought it.
                state = stored.added_if_shared(state).await;
                if is_due(&state, self.clock.now()) {
                    return self.ask(&stored, state, lease, check.as_ref()).await;
                }
                let at = self.clock.now();
                return self.site(resource, state, (at, at));
            }
            if !matches!(
                state.plan(at, &self.settings).why,
                RetrievalState::Due | RetrievalState::NeverAsked
            ) {
                // What is known will do meanwhile.
                return self.site(resource, state, (at, soon(at)));
            }
            tokio::time::sleep(pause).await;
            pause = pause.saturating_mul(2).min(MAX_LOOK_AGAIN);
        }
    }

    fn site(&self, resource: &Resource, state: State<Body>, times: (Moment, Moment)) -> Site {
        let set = self.clock.seconds_set_forward();
        Site::new(resource.clone(), state, times, set, &self.settings)
    }

    fn is_due(&self, resource: &Resource, state: &State<Body>, at: Moment) -> bool {
        due(resource, state, at, &self.settings).is_none_or(|due| due <= at)
    }

    /// The last state in memory, or the outage if the state was evicted.
    fn remembered(&self, resource: &Resource, known: Option<&Site>, set: i64) -> State<Body> {
        if let Some(site) = known {
            let by = set.saturating_sub(site.clock_was_set);
            return site.state.clone().after_clock_was_set(by);
        }
        let Some((mut outage, was_set, had_copy)) = self.outages.get(resource.as_str()) else {
            return State::default();
        };
        if had_copy {
            // What would count after the grace period had to go, so that period begins anew: a copy
            // that nobody knows any more opens nothing.
            outage.since = outage.last;
        }
        let by = set.saturating_sub(was_set);
        State::from_parts(None, Some(outage)).after_clock_was_set(by)
    }

    /// Asks the site. Whoever has a `lease` for that has it until the answer is kept.
    async fn ask(
        &self,
        stored: &FlightStore<'_>,
        state: State<Body>,
        lease: Option<Lease>,
        check: Option<&RobotsCache>,
    ) -> Site {
        let validators = state
            .copy()
            .filter(|copy| matches!(copy.kept, Answer::File(_)));
        let validators = validators.map(|copy| copy.validators.clone());
        let validators = validators.unwrap_or_default();
        let url = stored.resource.url();
        let retriever = &self.retriever;
        let retrieval = match (&self.pacer, check) {
            (Some(pacer), check) => {
                let check = check.map(|check| check as &dyn RedirectCheck);
                retriever
                    .retrieve_paced(&url, &validators, check, pacer)
                    .await
            }
            (None, Some(check)) => retriever.retrieve_document(&url, &validators, check).await,
            (None, None) => retriever.retrieve(&url, &validators).await,
        };
        if let Some(observer) = &self.observer {
            observer.retrieved(stored.resource, &retrieval);
        }
        let is_local = retrieval.is_local;
        let mut event = retrieval.into_event().at(self.clock.now());
        if is_local {
            return self.not_asked(stored.resource, state, event);
        }
        if stored.resource.is_document() {
            event = of_document(event, state.body());
        }
        let was = state.copy().map(|_| state.body().cloned());
        let state = state.after(event.clone(), &self.settings);
        if let Some(was) = was {
            self.compare(stored.resource, was.as_ref(), state.body());
        }
        let record = Record {
            resource: stored.resource.clone(),
            state: state.clone(),
        };
        stored.keep(record, event, lease).await;
        let at = self.clock.now();
        self.site(stored.resource, state, (at, at))
    }

    /// The site after an attempt that failed for a reason of this machine. What is fresh still
    /// applies, and is renewed in a while. Otherwise the failure is the answer for those who wait
    /// now, and nobody keeps it: the site did not fail.
    fn not_asked(&self, resource: &Resource, state: State<Body>, event: Event<Body>) -> Site {
        let at = self.clock.now();
        let why = state.plan(at, &self.settings).why;
        if matches!(why, RetrievalState::Fresh | RetrievalState::RefreshFailed) {
            return self.site(resource, state, (at, soon(at)));
        }
        let failed = state.after(event, &self.settings);
        let mut site = self.site(resource, failed, (at, at));
        site.is_local = true;
        site
    }

    /// Reports a file that changed, and one that lost all of its rules.
    fn compare(&self, resource: &Resource, was: Option<&Body>, is: Option<&Body>) {
        let hash = |body: Option<&Body>| body.map(Body::hash);
        let Some(observer) = self.observer.as_ref().filter(|_| hash(was) != hash(is)) else {
            return;
        };
        observer.changed(resource, hash(was), hash(is));
        if let (Some(was), Some(is)) = (was, is)
            && !resource.is_document()
            && has_rules(was)
            && !has_rules(is)
        {
            observer.emptied(resource, was.hash(), is.hash());
        }
    }
}

/// When the site was last asked.
pub(super) fn last_asked(state: &State<Body>) -> Option<Moment> {
    let answered = state.copy().map(|copy| copy.checked_at);
    answered.max(state.outage().map(|outage| outage.last))
}

/// Until when the site asks to be left alone, if that has not passed at `at`.
pub(super) fn asks_to_wait(state: &State<Body>, at: Moment) -> Option<Moment> {
    state.outage()?.asks_to_wait_at(at)
}

/// When to look again at what is known, and will do meanwhile.
fn soon(at: Moment) -> Moment {
    at.plus_seconds(5)
}

/// The store, as one flight finds it. If it says nothing in time, it is not waited for again in
/// this flight: a store that hangs delays an answer by one patience, however much there is to ask
/// and to keep.
struct FlightStore<'f> {
    shared: &'f SharedState,
    resource: &'f Resource,
    is_silent: AtomicBool,
    /// Whether what it holds is for members of a later version, or with another key: it is left to
    /// them.
    is_foreign: AtomicBool,
}

impl<'f> FlightStore<'f> {
    fn new(shared: &'f SharedState, resource: &'f Resource) -> Self {
        Self {
            shared,
            resource,
            is_silent: AtomicBool::new(false),
            is_foreign: AtomicBool::new(false),
        }
    }

    /// The store, unless it is silent.
    fn store(&self) -> Option<&'f Arc<dyn Store>> {
        let is_silent = self.is_silent.load(Ordering::Relaxed);
        self.shared.store.as_ref().filter(|_| !is_silent)
    }

    /// What is known, and what the store knows.
    async fn added_to(&self, state: State<Body>) -> State<Body> {
        let Some(store) = self.store() else {
            return state;
        };
        let found = within(store.as_ref(), store.load(self.resource)).await;
        let Some(found) = self.heard(found) else {
            return state;
        };
        let found = found.filter(|record| {
            record.resource == *self.resource && record.state.is_plausible(self.shared.clock.now())
        });
        self.shared.looked_up(CacheTier::Store, found.is_some());
        match found {
            Some(record) => state.newer(record.state),
            None => state,
        }
    }

    /// Merges `state` with the stored one if other processes write to the store; otherwise the
    /// store has nothing newer.
    async fn added_if_shared(&self, state: State<Body>) -> State<Body> {
        match self.store() {
            Some(store) if store.is_shared() => self.added_to(state).await,
            _ => state,
        }
    }

    /// The right to fetch; `None` where nobody can tell who has it.
    async fn lease(&self) -> Option<Lease> {
        let store = self.store()?;
        self.heard(within(store.as_ref(), store.lease(self.resource)).await)
    }

    /// Keeps what came of `event`; in a task of its own where the store is silent.
    async fn keep(&self, record: Record, event: Event<Body>, lease: Option<Lease>) {
        let store = self.shared.store.clone();
        let Some(store) = store.filter(|_| !self.is_foreign.load(Ordering::Relaxed)) else {
            return;
        };
        let observer = self.shared.observer.clone();
        let keeping = async move {
            let saved = within(store.as_ref(), store.save(&record, &event)).await;
            if let Err(error) = saved {
                warn(observer.as_deref(), &record.resource, error);
            }
            drop(lease);
        };
        if self.store().is_some() {
            keeping.await;
        } else {
            tokio::spawn(keeping);
        }
    }

    fn heard<T>(&self, result: Result<T, StoreError>) -> Option<T> {
        if let Err(StoreError::Slow | StoreError::Down(_)) = &result {
            self.is_silent.store(true, Ordering::Relaxed);
        }
        if let Err(StoreError::Record(RecordError::Version(_) | RecordError::Key(_))) = &result {
            self.is_foreign.store(true, Ordering::Relaxed);
        }
        let warned = |error| warn(self.shared.observer.as_deref(), self.resource, error);
        result.map_err(warned).ok()
    }
}

fn warn(observer: Option<&dyn Observer>, resource: &Resource, error: StoreError) {
    if let Some(observer) = observer {
        let resource = resource.clone();
        observer.warned(&Warning { resource, error });
    }
}

/// The event about a document. A licence document says itself how long it is fresh at most
/// (PREF-107), also when a response confirms the one that is `known`.
fn of_document(event: Event<Body>, known: Option<&Body>) -> Event<Body> {
    let event = event.of_document();
    match event.body().or(known).and_then(max_age) {
        Some(seconds) => event.fresh_for_at_most(seconds),
        None => event,
    }
}

fn has_rules(body: &Body) -> bool {
    use abide::syntax::FieldKind::{Allow, Disallow};
    let parsed = abide::Robots::parse(body.as_bytes());
    parsed.lines().iter().any(|line| {
        let field = line.field();
        field.is_some_and(|field| matches!(field.kind, Allow | Disallow))
    })
}

/// What a store says, if it says it in time.
async fn within<T>(
    store: &dyn Store,
    work: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    let answer = tokio::time::timeout(store.patience(), work).await;
    answer.unwrap_or(Err(StoreError::Slow))
}

impl Retrieval {
    /// The event with its body, which knows whether it was cut, and with what was requested and
    /// what answered.
    #[must_use]
    pub fn into_event(self) -> Event<Body> {
        let body = if self.is_cut { Body::cut } else { Body::new };
        let trail = Trail::new(self.hops, self.fields);
        self.event.with_body(body).with_trail(trail.map(Arc::new))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use crate::http::{BoxFuture, Retrieval};
    use crate::machine::{Event, Validators};
    use crate::robots::{Retriever, RobotsCache};
    use crate::{Resource, http};
    use abide::{Client, ProductToken};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    struct Counting(Arc<AtomicUsize>);

    impl Retriever for Counting {
        fn retrieve<'a>(&'a self, _: &'a str, _: &'a Validators) -> BoxFuture<'a, Retrieval> {
            self.0.fetch_add(1, Ordering::SeqCst);
            Box::pin(async { Retrieval::new(Event::file("", &[], http::now())) })
        }
    }

    /// N1: whoever looked at the sites before a flight landed, and at the board after that, begins
    /// one of their own; it finds what the first one brought.
    #[tokio::test]
    async fn n1_between_the_sites_and_the_board() {
        let count = Arc::new(AtomicUsize::new(0));
        let client = Client::new(ProductToken::new("f").unwrap());
        let robots = RobotsCache::with_retriever(client, Counting(Arc::clone(&count))).build();
        let resource = Resource::robots_txt("https://a.example/").unwrap();
        for _ in 0..2 {
            let mut arrival = robots.shared.flight(&resource, None, None, None, None);
            arrival.wait_for(Option::is_some).await.unwrap();
        }
        assert_eq!(count.load(Ordering::SeqCst), 1);
    }
}
