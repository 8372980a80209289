//! The robots.txt of many sites, in memory: each fetched once however many ask, kept as long as it holds,
//! renewed ahead of its end.

use crate::http::{Fetcher, now};
use crate::machine::{Chain, Kept, Next, Settings, State, Why};
use abide::rep::Access;
use abide::{Client, Moment, Policy, Target};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// What a crawler asks for each URL: the rules in force for its site.
///
/// ```no_run
/// use abide::{Client, ProductToken};
/// use abide_fetch::{Robots, guard::Guard, http::{Fetcher, Options}, machine::Settings};
///
/// # async fn crawl() -> Result<(), Box<dyn std::error::Error>> {
/// let client = Client::new(ProductToken::new("ExampleBot")?);
/// let options = Options::new("ExampleBot/1.0 (+https://bot.example/)");
/// let fetcher = Fetcher::new(Guard::new(), options, Settings::default())?;
/// let robots = Robots::new(client, fetcher, Settings::default(), 256 << 20);
///
/// let policy = robots.for_url("https://news.example/archive/").await;
/// if policy.allows("https://news.example/archive/") {
///     // fetch it
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Robots(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    client: Client,
    fetcher: Fetcher,
    settings: Settings,
    clock: fn() -> Moment,
    sites: moka::sync::Cache<String, Arc<Site>>,
    /// What is said of URLs without a robots.txt of their own.
    unreachable: Arc<Policy>,
}

/// What is known of one authority.
#[derive(Debug, Default)]
struct Site {
    /// The rules that hold, and until when nobody has to look again.
    current: RwLock<Option<Current>>,
    /// One fetch at a time; the others wait for its result.
    state: tokio::sync::Mutex<State<Vec<u8>>>,
    /// Whether somebody is renewing it ahead of its end.
    is_renewing: AtomicBool,
    /// Octets of the body that the state keeps.
    kept: AtomicUsize,
}

/// As long as somebody is renewing a site.
struct Renewing(Arc<Site>);

impl Drop for Renewing {
    fn drop(&mut self) {
        self.0.is_renewing.store(false, Ordering::Release);
    }
}

/// Where the robots.txt of `url` is, in the one spelling that an authority has.
fn robots_url(url: &str) -> Option<String> {
    let target = Target::new(url).ok().filter(Target::is_web)?;
    let chain = Chain::new(&target.robots_url()?).ok()?;
    let mut url = chain.urls().first()?.clone();
    let host = url.host_str()?.strip_suffix('.').map(str::to_owned);
    if let Some(host) = host {
        url.set_host(Some(&host)).ok()?;
    }
    Some(url.into())
}

#[derive(Clone, Debug)]
struct Current {
    policy: Arc<Policy>,
    /// Since when they hold.
    since: Moment,
    /// Until then the rules hold.
    until: Moment,
    /// From then on they are to be renewed.
    renew: Moment,
}

impl Robots {
    /// Answers for `client`, fetches with `fetcher`, and keeps at most so many `octets` of files and compiled
    /// rules; what was asked for least goes first.
    #[must_use]
    pub fn new(client: Client, fetcher: Fetcher, settings: Settings, octets: u64) -> Self {
        Self::with_clock(client, fetcher, settings, octets, now)
    }

    /// The same, with a clock of the caller's.
    #[must_use]
    pub fn with_clock(
        client: Client,
        fetcher: Fetcher,
        settings: Settings,
        octets: u64,
        clock: fn() -> Moment,
    ) -> Self {
        let sites = moka::sync::Cache::builder()
            .max_capacity(octets)
            .weigher(|url: &String, site: &Arc<Site>| site.weight(url))
            .build();
        let unreachable = Policy::without_rules(
            Access::Unreachable(abide::rep::access::Cause::BadRedirect),
            &client,
        );
        Self(Arc::new(Inner {
            client,
            fetcher,
            settings,
            clock,
            sites,
            unreachable: Arc::new(unreachable),
        }))
    }

    /// The rules in force for the site of `url`. Fetches them where nobody has, and waits for that; where they
    /// hold and are soon to end, they are renewed meanwhile. Nothing is allowed at text that is no http or
    /// https URL. Must be called within a tokio runtime.
    pub async fn for_url(&self, url: &str) -> Arc<Policy> {
        let Some(robots_url) = robots_url(url) else {
            return Arc::clone(&self.0.unreachable);
        };
        let site = self.0.sites.get_with_by_ref(&robots_url, Arc::default);
        let at = (self.0.clock)();
        let robots = self.clone();
        let Some(current) = site.current(at) else {
            // A task of its own: whoever stops waiting does not stop the fetch that others wait for.
            let fetch = tokio::spawn(async move { robots.renew(&robots_url, &site, at).await });
            return fetch
                .await
                .unwrap_or_else(|_| Arc::clone(&self.0.unreachable));
        };
        if at >= current.renew && !site.is_renewing.swap(true, Ordering::AcqRel) {
            tokio::spawn(async move {
                let _renewing = Renewing(Arc::clone(&site));
                robots.renew(&robots_url, &site, at).await;
            });
        }
        current.policy
    }

    /// How many authorities are known.
    #[must_use]
    pub fn sites(&self) -> u64 {
        self.0.sites.run_pending_tasks();
        self.0.sites.entry_count()
    }

    /// Fetches, unless somebody else did since `asked`, and says what is in force then.
    async fn renew(&self, robots_url: &str, site: &Arc<Site>, asked: Moment) -> Arc<Policy> {
        let mut state = site.state.lock().await;
        // Whoever waited for a fetch of another's takes its result.
        if let Some(current) = site
            .current((self.0.clock)())
            .filter(|current| asked < current.renew)
        {
            return current.policy;
        }
        let validators = state.copy().map(|copy| copy.validators.clone());
        let validators = validators.unwrap_or_default();
        let is_due = match state.plan(asked, &self.0.settings).next {
            Next::Now => true,
            Next::At(moment) => moment <= asked,
        };
        if is_due {
            let retrieval = self.0.fetcher.retrieve(robots_url, &validators).await;
            let event = retrieval.event.at((self.0.clock)());
            *state = std::mem::take(&mut *state).after(event, &self.0.settings);
        }
        let at = (self.0.clock)();
        let current = self.current(&state, at);
        let policy = Arc::clone(&current.policy);
        let kept = state.copy().map_or(0, |copy| match &copy.kept {
            Kept::File(body) => body.len(),
            Kept::Missing(_) => 0,
        });
        site.kept.store(kept, Ordering::Release);
        *site.current.write().unwrap_or_else(PoisonError::into_inner) = Some(current);
        // The entry has another weight now.
        self.0.sites.insert(robots_url.to_owned(), Arc::clone(site));
        policy
    }

    fn current(&self, state: &State<Vec<u8>>, at: Moment) -> Current {
        let plan = state.plan(at, &self.0.settings);
        let renew = match plan.next {
            Next::Now => at,
            Next::At(moment) => moment,
        };
        Current {
            policy: Arc::new(plan.in_force.policy(&self.0.client)),
            since: at,
            until: match (plan.why, state.copy()) {
                // A copy holds to the end of its time, everything else until the site is asked again.
                (Why::Fresh | Why::RefreshFailed, Some(copy)) => copy.fresh_until,
                _ => renew,
            },
            renew,
        }
    }
}

impl Site {
    fn current(&self, at: Moment) -> Option<Current> {
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        // A clock that was set back says nothing about how old they are.
        let holds = |current: &Current| {
            at < current.until
                && at.unix_seconds() >= current.since.unix_seconds().saturating_sub(300)
        };
        current.clone().filter(holds)
    }

    fn weight(&self, url: &str) -> u32 {
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        let rules = current.as_ref().map_or(0, |current| {
            let text = current.policy.text().octets().len();
            current.policy.compiled_size().saturating_add(text)
        });
        // Validators may have some octets too.
        let whole = rules
            .saturating_add(self.kept.load(Ordering::Acquire))
            .saturating_add(url.len())
            .saturating_add(1_024);
        u32::try_from(whole).unwrap_or(u32::MAX)
    }
}
