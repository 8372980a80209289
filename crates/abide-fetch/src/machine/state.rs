//! The state of one site's robots.txt, and the plan that follows from it at a given time.

use super::freshness::{Field, Freshness, retry_after};
use super::settings::{AfterGrace, DAY, RetrievalSettings, SLACK};
use super::status::{StatusClass, outcome_of};
use super::trail::Trail;
use abide::rep::{Access, Cause, RetrievalState};
use abide::{Client, Moment, Policy};
use std::sync::Arc;

/// Everything to remember of one site's robots.txt. `B` is the type of a body: bytes, or something
/// that leads to them.
///
/// Only events change a state ([`State::after`]). [`State::plan`] returns what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State<B> {
    copy: Option<CachedAnswer<B>>,
    outage: Option<Outage>,
}

/// The last response of a site, stored.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CachedAnswer<B> {
    /// The file, or that there is none.
    pub kept: Answer<B>,
    /// When the body came.
    pub fetched_at: Moment,
    /// When it was last confirmed: then, or by a later 304.
    pub checked_at: Moment,
    /// When it expires.
    pub fresh_until: Moment,
    /// What the site said about its freshness.
    pub freshness: Freshness,
    /// The validators for a conditional request.
    pub validators: Validators,
    /// The retrieval that brought the body, if it was kept.
    pub trail: Option<Arc<Trail>>,
}

/// What a site answered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum Answer<B> {
    /// A file.
    File(B),
    /// There is no file.
    Missing(Cause),
}

/// Validators of a response, as sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct Validators {
    /// `ETag`
    pub etag: Option<String>,
    /// `Last-Modified`
    pub last_modified: Option<String>,
}

/// A time in which every attempt failed, with at most a day between two attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outage {
    /// The first failure.
    pub since: Moment,
    /// The last one.
    pub last: Moment,
    /// Why the last one failed.
    pub cause: Cause,
    /// The number of failures.
    pub attempts: u32,
    /// Do not fetch before this time.
    pub retry_at: Moment,
    /// Before when the site asked not to be asked again (`Retry-After`), if it did.
    pub asked_until: Option<Moment>,
}

impl Outage {
    /// The time of `Retry-After`, if it has not passed at `at`: nobody asks the site before.
    #[must_use]
    pub fn asks_to_wait_at(&self, at: Moment) -> Option<Moment> {
        self.asked_until.filter(|until| at < *until)
    }

    /// Whether the outage counts as ongoing at `at`: its last failure is at most a day old, which
    /// is the longest wait before another attempt.
    #[must_use]
    pub fn is_observed_at(&self, at: Moment) -> bool {
        at <= self.last.plus(DAY.saturating_add(SLACK))
    }
}

/// The result of an attempt to fetch the file.
#[derive(Clone, Debug)]
pub struct Event<B> {
    came: Moment,
    what: EventKind<B>,
    trail: Option<Arc<Trail>>,
}

/// The kinds of it.
#[derive(Clone, Debug)]
pub(crate) enum EventKind<B> {
    File(B, Freshness, Validators),
    NotModified(Freshness, Option<String>),
    Missing(Cause, Freshness),
    Failed(Cause, u64),
}

#[cfg(feature = "file")]
impl<B> EventKind<B> {
    /// Whether it replaces everything before it.
    pub(crate) const fn is_answer(&self) -> bool {
        matches!(self, Self::File(..) | Self::Missing(..))
    }
}

/// The longest validator that is kept, in bytes.
const MAX_VALIDATOR_BYTES: usize = 8_192;

impl<B> Event<B> {
    /// What came of the attempt, in a word.
    #[cfg(any(feature = "metrics", feature = "tracing"))]
    pub(crate) const fn result(&self) -> &'static str {
        match &self.what {
            EventKind::File(..) => "file",
            EventKind::NotModified(..) => "unchanged",
            EventKind::Missing(..) => "missing",
            EventKind::Failed(..) => "failed",
        }
    }

    #[cfg(feature = "file")]
    pub(crate) const fn new(came: Moment, what: EventKind<B>, trail: Option<Arc<Trail>>) -> Self {
        Self { came, what, trail }
    }

    #[cfg(feature = "file")]
    pub(crate) const fn what(&self) -> &EventKind<B> {
        &self.what
    }

    /// When it happened.
    pub const fn came(&self) -> Moment {
        self.came
    }

    /// The requests that it came of, and what answered.
    pub const fn trail(&self) -> Option<&Arc<Trail>> {
        self.trail.as_ref()
    }

    /// This event, which came of these requests.
    #[must_use]
    pub fn with_trail(self, trail: Option<Arc<Trail>>) -> Self {
        Self { trail, ..self }
    }

    /// Of a failure, for how many seconds the site asks not to come back.
    pub(crate) const fn failure_wait(&self) -> Option<u64> {
        match &self.what {
            EventKind::Failed(_, wait) => Some(*wait),
            _ => None,
        }
    }

    /// The file that came, if one did.
    pub const fn body(&self) -> Option<&B> {
        match &self.what {
            EventKind::File(body, ..) => Some(body),
            _ => None,
        }
    }

    /// This event, with the body changed by `change`, if there is one.
    pub fn with_body<C>(self, change: impl FnOnce(B) -> C) -> Event<C> {
        let what = match self.what {
            EventKind::File(body, freshness, validators) => {
                EventKind::File(change(body), freshness, validators)
            }
            EventKind::NotModified(freshness, etag) => EventKind::NotModified(freshness, etag),
            EventKind::Missing(cause, freshness) => EventKind::Missing(cause, freshness),
            EventKind::Failed(cause, wait) => EventKind::Failed(cause, wait),
        };
        Event {
            came: self.came,
            what,
            trail: self.trail,
        }
    }

    /// A whole file with these fields, received at `came`.
    pub fn file(body: impl Into<B>, fields: &[Field<'_>], came: Moment) -> Self {
        let freshness = Freshness::of(fields, came, came);
        Self {
            came,
            what: EventKind::File(body.into(), freshness, Validators::of(fields)),
            trail: None,
        }
    }

    /// A failure: no usable response.
    #[must_use]
    pub fn failure(cause: Cause, came: Moment) -> Self {
        let what = match cause {
            // A missing file, as the requirements decide (REP-73).
            Cause::RedirectLimit => EventKind::Missing(cause, Freshness::default()),
            _ => EventKind::Failed(cause, 0),
        };
        Self {
            came,
            what,
            trail: None,
        }
    }

    /// This event, after an unconditional request: then a 304 is a failure (AMB-REP-19).
    #[must_use]
    pub fn unconditional(self) -> Self {
        let what = match self.what {
            EventKind::NotModified(..) => EventKind::Failed(Cause::Status(304), 0),
            other => other,
        };
        Self { what, ..self }
    }

    /// This event, if another site responded: its validators do not belong to the first one.
    #[must_use]
    pub fn of_another_authority(self) -> Self {
        let own = self.unconditional();
        let what = match own.what {
            EventKind::File(body, freshness, _) => {
                EventKind::File(body, freshness, Validators::default())
            }
            other => other,
        };
        Self { what, ..own }
    }

    /// This event, if it is about a document beside robots.txt: only a status from 400 to 499
    /// except 429 says that there is none (PREF-81). Everything else that opens a site without a
    /// robots.txt is a failure here (PREF-82), whatever the settings are.
    #[must_use]
    pub fn of_document(self) -> Self {
        let what = match self.what {
            EventKind::Missing(cause, freshness) => match cause {
                Cause::Status(status) if (400..500).contains(&status) && status != 429 => {
                    EventKind::Missing(cause, freshness)
                }
                _ => EventKind::Failed(cause, 0),
            },
            other => other,
        };
        Self { what, ..self }
    }

    /// This event, with a file that is fresh for at most `most` seconds, also if it is confirmed.
    #[must_use]
    pub fn fresh_for_at_most(self, most: u64) -> Self {
        let limited = |freshness: Freshness| match freshness.seconds {
            Some(seconds) if seconds <= most => freshness,
            None if DAY <= most => freshness,
            _ => Freshness {
                seconds: Some(most),
                expires: None,
            },
        };
        let what = match self.what {
            EventKind::File(body, freshness, validators) => {
                EventKind::File(body, limited(freshness), validators)
            }
            // A 304 that does not say for how long leaves what the file said.
            EventKind::NotModified(freshness, etag) if freshness.seconds.is_some() => {
                EventKind::NotModified(limited(freshness), etag)
            }
            other => other,
        };
        Self { what, ..self }
    }

    /// This event at the time `came`, for callers with their own clock.
    #[must_use]
    pub fn at(self, came: Moment) -> Self {
        Self { came, ..self }
    }

    /// The event of a response. `body` counts only if the status says that it is the file.
    pub fn response(
        status: u16,
        fields: &[Field<'_>],
        body: B,
        times: ResponseTimes,
        settings: &RetrievalSettings,
    ) -> Self
    where
        B: Default,
    {
        let came = times.received_at;
        let freshness = Freshness::of(fields, times.requested_at, came);
        let what = match outcome_of(status, settings) {
            StatusClass::File => EventKind::File(body, freshness, Validators::of(fields)),
            StatusClass::EmptyFile => {
                EventKind::File(B::default(), freshness, Validators::of(fields))
            }
            StatusClass::NotModified => {
                EventKind::NotModified(freshness, Validators::of(fields).etag)
            }
            StatusClass::Unavailable(cause @ Cause::Status(429)) => {
                // Asking sooner than it wishes is what it complains about.
                let wait = retry_after(fields, came).min(DAY);
                let seconds = freshness.seconds.map(|seconds| seconds.max(wait));
                EventKind::Missing(
                    cause,
                    Freshness {
                        seconds,
                        ..freshness
                    },
                )
            }
            StatusClass::Unavailable(cause) => EventKind::Missing(cause, freshness),
            StatusClass::Unreachable(cause) => {
                EventKind::Failed(cause, retry_after(fields, came).min(DAY))
            }
        };
        Self {
            came,
            what,
            trail: None,
        }
    }
}

/// When a request was sent, and when its response was complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct ResponseTimes {
    /// When the request was sent. The age of the response counts from here (RFC 9111).
    pub requested_at: Moment,
    /// When the body was complete.
    pub received_at: Moment,
}

impl ResponseTimes {
    /// A response that took no time.
    #[must_use]
    pub const fn at(moment: Moment) -> Self {
        Self {
            requested_at: moment,
            received_at: moment,
        }
    }
}

impl Validators {
    fn of(fields: &[Field<'_>]) -> Self {
        let only = |name: &str| {
            let mut values = fields
                .iter()
                .filter(|field| field.name.eq_ignore_ascii_case(name))
                .map(|field| field.value);
            let value = std::str::from_utf8(values.next()?).ok()?.trim();
            let sendable = value.chars().all(|c| !c.is_control()) && !value.is_empty();
            (values.next().is_none() && sendable && value.len() <= MAX_VALIDATOR_BYTES)
                .then(|| value.to_owned())
        };
        Self {
            etag: only("etag"),
            last_modified: only("last-modified"),
        }
    }

    /// The fields of a request that asks whether the file is still current.
    #[must_use]
    pub fn fields(&self) -> Vec<(&'static str, &str)> {
        let etag = self.etag.as_deref().map(|tag| ("If-None-Match", tag));
        let modified = self.last_modified.as_deref();
        let modified = modified.map(|date| ("If-Modified-Since", date));
        etag.into_iter().chain(modified).collect()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }

    /// Whether a 304 with this `ETag` can be about the file of these validators.
    fn fit(&self, etag: Option<&str>) -> bool {
        let opaque = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
        match (&self.etag, etag) {
            (Some(own), Some(other)) => opaque(own) == opaque(other),
            _ => true,
        }
    }
}

impl<B> Default for State<B> {
    /// The state before the first attempt.
    fn default() -> Self {
        Self {
            copy: None,
            outage: None,
        }
    }
}

impl<B> State<B> {
    /// The state after `event`.
    #[must_use]
    pub fn after(mut self, event: Event<B>, settings: &RetrievalSettings) -> Self {
        let came = event.came;
        let kept = |kept, freshness: Freshness, validators| CachedAnswer {
            kept,
            fetched_at: came,
            checked_at: came,
            fresh_until: came.plus(settings.lifetime(freshness.seconds)),
            freshness,
            validators,
            trail: event.trail,
        };
        match event.what {
            EventKind::File(body, freshness, validators) => {
                self.outage = None;
                self.copy = Some(kept(Answer::File(body), freshness, validators));
            }
            EventKind::Missing(cause, freshness) => {
                self.outage = None;
                let none = Validators::default();
                self.copy = Some(kept(Answer::Missing(cause), freshness, none));
            }
            EventKind::NotModified(freshness, etag) => {
                self.confirm(freshness, etag.as_deref(), came, settings);
            }
            EventKind::Failed(cause, wait) => self.fail(cause, wait, came),
        }
        self
    }

    /// A 304: the stored file is fresh for another lifetime. Without a matching file it is a
    /// failure (AMB-REP-19), and the next request is unconditional.
    fn confirm(
        &mut self,
        freshness: Freshness,
        etag: Option<&str>,
        came: Moment,
        settings: &RetrievalSettings,
    ) {
        let confirmed = self
            .copy
            .as_mut()
            .filter(|copy| matches!(copy.kept, Answer::File(_)) && copy.validators.fit(etag));
        if let Some(copy) = confirmed {
            copy.freshness = if freshness.seconds.is_some() {
                freshness
            } else {
                copy.freshness.confirmed(came)
            };
            copy.checked_at = came;
            copy.fresh_until = came.plus(settings.lifetime(copy.freshness.seconds));
            self.outage = None;
        } else {
            if let Some(copy) = &mut self.copy {
                copy.validators = Validators::default();
            }
            self.fail(Cause::Status(304), 0, came);
        }
    }

    /// Another failure. The wait doubles from a second to an hour. A site that asks for more gets
    /// it, up to a day.
    fn fail(&mut self, cause: Cause, wait: u64, came: Moment) {
        const MAX_WAIT_SECONDS: u64 = 3_600;
        let asked_until = (wait > 0).then(|| came.plus(wait.min(DAY)));
        // A refused address does not change within a second.
        let wait = if cause == Cause::Refused {
            wait.max(60)
        } else {
            wait
        };
        // An outage only lasts as long as attempts observed it. Otherwise an old record that
        // another process restores would make a short outage look long (REP-75).
        let before = self.outage.filter(|outage| outage.is_observed_at(came));
        let attempts = before.map_or(1, |outage| outage.attempts.saturating_add(1));
        let doubled = 1_u64
            .checked_shl(attempts.saturating_sub(1))
            .map_or(MAX_WAIT_SECONDS, |seconds| seconds.min(MAX_WAIT_SECONDS));
        self.outage = Some(Outage {
            // An address that is refused says nothing about a site that is away, and the other way
            // round: neither counts towards the other's end.
            since: before
                .filter(|outage| (outage.cause == Cause::Refused) == (cause == Cause::Refused))
                .map_or(came, |outage| outage.since),
            last: came,
            cause,
            attempts,
            retry_at: came.plus(doubled.max(wait).min(DAY)),
            asked_until,
        });
    }

    pub(crate) const fn from_parts(copy: Option<CachedAnswer<B>>, outage: Option<Outage>) -> Self {
        Self { copy, outage }
    }

    /// This state after the clock was set forward by `seconds` (negative: back). Time that did not
    /// pass is not part of an outage. The age of a copy follows a clock that was set forward, so at
    /// worst it is renewed early. A clock that was set back makes no copy younger.
    #[must_use]
    pub fn after_clock_was_set(mut self, seconds: i64) -> Self {
        let shifted = |at: Moment| at.plus_seconds(seconds);
        if let Some(copy) = self.copy.as_mut().filter(|_| seconds < 0) {
            // What came at a time that never was came as long ago as it did.
            copy.fetched_at = shifted(copy.fetched_at);
            copy.checked_at = shifted(copy.checked_at);
            copy.fresh_until = shifted(copy.fresh_until);
        }
        if let Some(outage) = &mut self.outage {
            outage.since = shifted(outage.since);
            outage.last = shifted(outage.last);
            outage.retry_at = shifted(outage.retry_at);
            outage.asked_until = outage.asked_until.map(shifted);
        }
        self
    }

    /// Merges two states of one site, observed by different members of a fleet: the copy that was
    /// confirmed last, and the outage that began after it, if any.
    #[must_use]
    pub fn newer(self, other: Self) -> Self {
        let checked = |state: &Self| state.copy.as_ref().map(|copy| copy.checked_at);
        let failed = |state: &Self| state.outage.map(|outage| outage.last);
        let latest = |state: &Self| checked(state).max(failed(state));
        let (late, early) = if latest(&other) > latest(&self) {
            (other, self)
        } else {
            (self, other)
        };
        // The member that saw the last failure may have an older copy.
        let copy = if checked(&early) > checked(&late) {
            early.copy
        } else {
            late.copy
        };
        let outage = late.outage.filter(|outage| {
            copy.as_ref()
                .is_none_or(|copy| copy.checked_at <= outage.last)
        });
        Self { copy, outage }
    }

    /// Whether the state is plausible at `now`: nothing in it is in the future, and no lifetime is
    /// too long. For states that other processes wrote.
    #[must_use]
    pub fn is_plausible(&self, now: Moment) -> bool {
        let past = |at: Moment| at <= now.plus(SLACK);
        let copy = self.copy.as_ref().is_none_or(|copy| {
            past(copy.checked_at)
                && copy.fetched_at <= copy.checked_at
                && (copy.checked_at..=copy.checked_at.plus(DAY)).contains(&copy.fresh_until)
        });
        copy && self.outage.is_none_or(|outage| {
            past(outage.last)
                && outage.since <= outage.last
                && (outage.last..=outage.last.plus(DAY)).contains(&outage.retry_at)
                && outage.asked_until <= Some(outage.retry_at)
        })
    }

    /// The stored file, if the last response was one.
    #[must_use]
    pub fn body(&self) -> Option<&B> {
        match &self.copy.as_ref()?.kept {
            Answer::File(body) => Some(body),
            Answer::Missing(_) => None,
        }
    }

    /// The last response, fresh or not.
    #[must_use]
    pub fn copy(&self) -> Option<&CachedAnswer<B>> {
        self.copy.as_ref()
    }

    /// The validators of the stored file, which a 304 confirms.
    #[must_use]
    pub fn validators(&self) -> Validators {
        let file = self.copy.as_ref().filter(|_| self.body().is_some());
        file.map(|copy| copy.validators.clone()).unwrap_or_default()
    }

    /// The outage, if the last attempt failed.
    #[must_use]
    pub fn outage(&self) -> Option<&Outage> {
        self.outage.as_ref()
    }

    /// Returns the current rules at `now`, why they apply, and when to fetch again.
    #[must_use]
    pub fn plan(&self, now: Moment, settings: &RetrievalSettings) -> Plan<'_, B> {
        // What seems to come from the future was stored by a clock that was wrong: it is not
        // trusted.
        let trusted = |at: Moment| at <= now.plus(SLACK);
        let copy = self.copy.as_ref().filter(|copy| trusted(copy.checked_at));
        let outage = self.outage.filter(|outage| trusted(outage.last));
        let fresh = copy.filter(|copy| now < copy.fresh_until);
        match (fresh, outage) {
            (Some(copy), None) => Plan {
                current: CurrentRules::of(copy),
                last_known: None,
                why: RetrievalState::Fresh,
                next: NextFetch::At(copy.refresh_at()),
            },
            (Some(copy), Some(outage)) => Plan {
                current: CurrentRules::of(copy),
                last_known: None,
                why: RetrievalState::RefreshFailed,
                next: NextFetch::retry(&outage, now),
            },
            (None, None) => Plan {
                current: CurrentRules::Unknown,
                last_known: None,
                why: if copy.is_some() {
                    RetrievalState::Due
                } else {
                    RetrievalState::NeverAsked
                },
                next: NextFetch::Now,
            },
            (None, Some(outage)) => unreachable(copy, &outage, now, settings),
        }
    }
}

/// Nothing fresh, and the site does not answer (AMB-REP-17).
fn unreachable<'s, B>(
    copy: Option<&'s CachedAnswer<B>>,
    outage: &Outage,
    now: Moment,
    settings: &RetrievalSettings,
) -> Plan<'s, B> {
    // A refused address never becomes a missing file, however long it takes.
    let over = now >= outage.since.plus(settings.grace.as_secs()) && outage.cause != Cause::Refused;
    if over && settings.after_grace != AfterGrace::Disallow && !outage.is_observed_at(now) {
        // The last attempt is so old that the site may be back, so it must be fetched first.
        return Plan {
            current: CurrentRules::Unknown,
            last_known: None,
            why: RetrievalState::Due,
            next: NextFetch::Now,
        };
    }
    let (current, why) = match (over, copy, settings.after_grace) {
        (false, ..) | (true, _, AfterGrace::Disallow) => (
            CurrentRules::DisallowAll(outage.cause),
            RetrievalState::Unreachable,
        ),
        (true, Some(copy), _) => (CurrentRules::of(copy), RetrievalState::GraceIsOver),
        (true, None, AfterGrace::CopyElseAllow) => (
            CurrentRules::AllowAll(outage.cause),
            RetrievalState::GraceIsOver,
        ),
        (true, None, AfterGrace::CopyElseDisallow) => (
            CurrentRules::DisallowAll(outage.cause),
            RetrievalState::GraceIsOver,
        ),
    };
    Plan {
        current,
        last_known: copy.and_then(|copy| copy.last_known(now)),
        why,
        next: NextFetch::retry(outage, now),
    }
}

/// For how many seconds after its last confirmation a copy is the last known one (PREF-135).
pub(crate) const LAST_KNOWN: u64 = 30_u64.saturating_mul(DAY);

impl<B> CachedAnswer<B> {
    /// When to renew the copy so that the response is there before it expires: after 80 % of its
    /// lifetime. Callers with many copies spread the renewals.
    #[must_use]
    pub fn refresh_at(&self) -> Moment {
        self.refresh_after(800)
    }

    /// The file, if it was confirmed at most 30 days before `now`: what is known of a file that
    /// cannot be reached (PREF-135).
    fn last_known(&self, now: Moment) -> Option<&B> {
        match &self.kept {
            Answer::File(body) if now <= self.checked_at.plus(LAST_KNOWN) => Some(body),
            Answer::File(_) | Answer::Missing(_) => None,
        }
    }

    /// When this many thousandths of its lifetime have passed.
    #[must_use]
    pub fn refresh_after(&self, thousandths: u16) -> Moment {
        let whole = self.checked_at.until(self.fresh_until);
        let part = u64::from(thousandths.min(1_000));
        self.checked_at.plus(whole.saturating_mul(part) / 1_000)
    }
}

/// The current rules of a site, and when to fetch again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan<'s, B> {
    /// The current rules.
    pub current: CurrentRules<'s, B>,
    /// The last file of a site that is unreachable, if it is at most 30 days old. It only matters
    /// to AI preferences (PREF-135).
    pub last_known: Option<&'s B>,
    /// Why they apply.
    pub why: RetrievalState,
    /// When to fetch again.
    pub next: NextFetch,
}

impl<'s, B> Plan<'s, B> {
    /// The file whose rules apply, if it is the rules of a file that do.
    #[must_use]
    pub fn file(&self) -> Option<&'s B> {
        match self.current {
            CurrentRules::File(file) => Some(file),
            CurrentRules::AllowAll(_) | CurrentRules::DisallowAll(_) | CurrentRules::Unknown => {
                None
            }
        }
    }
}

/// The current rules. `/robots.txt` itself may always be fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum CurrentRules<'s, B> {
    /// The rules of a file.
    File(&'s B),
    /// Everything is allowed.
    AllowAll(Cause),
    /// Nothing is allowed.
    DisallowAll(Cause),
    /// Unknown: fetch the file before anything else.
    Unknown,
}

/// When to fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum NextFetch {
    /// Now.
    Now,
    /// Not before this instant.
    At(Moment),
}

impl NextFetch {
    fn retry(outage: &Outage, now: Moment) -> Self {
        if now >= outage.retry_at {
            Self::Now
        } else {
            Self::At(outage.retry_at)
        }
    }
}

impl<'s, B> CurrentRules<'s, B> {
    fn of(copy: &'s CachedAnswer<B>) -> Self {
        match &copy.kept {
            Answer::File(body) => Self::File(body),
            Answer::Missing(cause) => Self::AllowAll(*cause),
        }
    }
}

/// The body of a robots.txt, as a state holds it: [`Body`](crate::Body), which knows whether its
/// bytes were cut. This is the only way from a state to a policy. Bytes alone have none, because
/// half a line at their end could become a rule:
///
/// ```compile_fail,E0599
/// use abide_fetch::machine::{RetrievalSettings, State};
/// # let client: abide::Client = todo!();
/// # let now: abide::Moment = todo!();
/// State::<Vec<u8>>::default().plan(now, &RetrievalSettings::default()).current.policy(&client);
/// ```
pub trait RobotsTxt {
    /// The rules, compiled for `client`.
    fn policy(&self, client: &Client) -> Policy;

    /// Adds this file to the `policy` of a site that is unreachable, as the last known one
    /// (PREF-135).
    fn add_to_unreachable(&self, policy: Policy) -> Policy;
}

impl<T: RobotsTxt + ?Sized> RobotsTxt for &T {
    fn policy(&self, client: &Client) -> Policy {
        (**self).policy(client)
    }

    fn add_to_unreachable(&self, policy: Policy) -> Policy {
        (**self).add_to_unreachable(policy)
    }
}

impl<T: RobotsTxt + ?Sized> RobotsTxt for std::sync::Arc<T> {
    fn policy(&self, client: &Client) -> Policy {
        (**self).policy(client)
    }

    fn add_to_unreachable(&self, policy: Policy) -> Policy {
        (**self).add_to_unreachable(policy)
    }
}

impl<B: RobotsTxt> Plan<'_, B> {
    /// The rules, compiled for `client`. While the site is unreachable, they contain the last known
    /// file, which changes nothing for a client that does not ask for preferences (PREF-135).
    #[must_use]
    pub fn policy(&self, client: &Client) -> Policy {
        let policy = self.current.policy(client);
        match self.last_known {
            Some(body) if client.preferences().is_some() => body.add_to_unreachable(policy),
            _ => policy,
        }
    }
}

impl<B: RobotsTxt> CurrentRules<'_, B> {
    /// The rules, compiled for `client`. [`Plan::policy`] also knows the last known file.
    #[must_use]
    pub fn policy(&self, client: &Client) -> Policy {
        match self {
            Self::File(body) => body.policy(client),
            Self::AllowAll(cause) => Policy::without_rules(Access::Unavailable(*cause), client),
            Self::DisallowAll(cause) => Policy::without_rules(Access::Unreachable(*cause), client),
            Self::Unknown => Policy::without_rules(Access::Unknown, client),
        }
    }
}

/// Arithmetic on instants that stays in range.
trait Later {
    fn plus(self, seconds: u64) -> Self;
    fn until(self, other: Self) -> u64;
}

impl Later for Moment {
    fn plus(self, seconds: u64) -> Self {
        self.plus_seconds(i64::try_from(seconds).unwrap_or(i64::MAX))
    }

    fn until(self, other: Self) -> u64 {
        let seconds = other.unix_seconds().saturating_sub(self.unix_seconds());
        u64::try_from(seconds).unwrap_or_default()
    }
}
