//! A circuit breaker: leaves a failing store alone, for longer each time. Only replies count as
//! success: a stopped server still accepts connections, and a file on a full disk can still be
//! opened.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// The number of failures in a row that open the breaker.
const MAX_FAILURES: u32 = 3;
/// How long it opens the first time.
const MIN_PAUSE: Duration = Duration::from_secs(1);
/// The longest time that it opens, before jitter of up to a fifth.
const MAX_PAUSE: Duration = Duration::from_secs(30);

/// Closed while the store responds; open, for longer each time, while it does not.
#[derive(Debug, Default)]
pub(in crate::store) struct Breaker(Mutex<BreakerState>);

#[derive(Debug, Default)]
struct BreakerState {
    /// Failures in a row.
    failures: u32,
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    until: Instant,
    lasts: Duration,
    is_probing: bool,
    /// The last error.
    error: String,
}

/// Permission for one call. Dropping it without a result says nothing about the store.
#[derive(Debug)]
pub(in crate::store) struct CallPermit<'b> {
    breaker: &'b Breaker,
    is_probe: bool,
    has_result: bool,
}

impl Breaker {
    /// Permission for one call, or the last error if the breaker is open.
    pub(in crate::store) fn turn(&self) -> Result<CallPermit<'_>, String> {
        let mut state = self.state();
        let is_probe = match &mut state.open {
            None => false,
            Some(open) => {
                let left = open.until.saturating_duration_since(Instant::now());
                if !left.is_zero() || open.is_probing {
                    let millis = left.as_millis();
                    return Err(format!("left alone for {millis} ms more: {}", open.error));
                }
                open.is_probing = true;
                true
            }
        };
        Ok(CallPermit {
            breaker: self,
            is_probe,
            has_result: false,
        })
    }

    fn state(&self) -> MutexGuard<'_, BreakerState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CallPermit<'_> {
    /// Records a usable reply.
    pub(in crate::store) fn answered(mut self) {
        self.has_result = true;
        let mut state = self.breaker.state();
        // A call that began before the breaker opened says nothing about the present.
        if self.is_probe || state.open.is_none() {
            *state = BreakerState::default();
        }
    }

    /// Records a failure and its reason.
    pub(in crate::store) fn failed(mut self, error: &str) {
        self.has_result = true;
        let mut state = self.breaker.state();
        state.failures = state.failures.saturating_add(1);
        let lasts = match &state.open {
            Some(_) if !self.is_probe => return,
            Some(open) => open.lasts.saturating_mul(2).min(MAX_PAUSE),
            None if state.failures < MAX_FAILURES => return,
            None => MIN_PAUSE,
        };
        let until = Instant::now().checked_add(lasts.saturating_add(jitter(lasts)));
        state.open = Some(Open {
            until: until.unwrap_or_else(Instant::now),
            lasts,
            is_probing: false,
            error: error.to_owned(),
        });
    }
}

impl Drop for CallPermit<'_> {
    fn drop(&mut self) {
        if self.is_probe
            && !self.has_result
            && let Some(open) = &mut self.breaker.state().open
        {
            open.is_probing = false;
        }
    }
}

/// Up to a fifth of `whole`, so that a fleet does not return all at once.
fn jitter(whole: Duration) -> Duration {
    let part = RandomState::new().hash_one(whole).checked_rem(1_000);
    let part = u32::try_from(part.unwrap_or_default()).unwrap_or_default();
    whole
        .saturating_mul(part)
        .checked_div(5_000)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::arithmetic_side_effects, reason = "tests")]

    use super::{Breaker, MAX_PAUSE, MIN_PAUSE};
    use tokio::time::advance;

    fn fail(breaker: &Breaker) {
        breaker.turn().unwrap().failed("no reply");
    }

    /// Three failures in a row open it; with a success between them they do not.
    #[tokio::test(start_paused = true)]
    async fn opens_after_three_in_a_row() {
        let breaker = Breaker::default();
        fail(&breaker);
        fail(&breaker);
        breaker.turn().unwrap().answered();
        fail(&breaker);
        fail(&breaker);
        assert!(breaker.turn().is_ok());
        fail(&breaker);
        assert!(breaker.turn().unwrap_err().ends_with("no reply"));
    }

    /// The time doubles from one second to thirty, with one probe at a time; a probe without a
    /// result counts as none.
    #[tokio::test(start_paused = true)]
    async fn doubles_with_one_probe_at_a_time() {
        let breaker = Breaker::default();
        (0..3).for_each(|_| fail(&breaker));
        let mut lasts = MIN_PAUSE;
        for _ in 0..8 {
            advance(lasts * 999 / 1_000).await;
            assert!(breaker.turn().is_err());
            advance(lasts / 4).await;
            let probe = breaker.turn().unwrap();
            assert!(breaker.turn().is_err());
            drop(probe);
            fail(&breaker);
            lasts = (lasts * 2).min(MAX_PAUSE);
        }
        advance(MAX_PAUSE * 2).await;
        breaker.turn().unwrap().answered();
        assert!(breaker.turn().is_ok() && breaker.turn().is_ok());
    }
}
