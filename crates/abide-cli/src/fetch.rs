//! Fetching a robots.txt, and what it refers to, for one call. Without a cache nothing is kept: every call asks
//! the site again.

use crate::args::NetworkArgs;
use crate::cache::{self, Place};
use crate::exit::warn;
use crate::file_arg::shown_path;
use abide::explain::visible_url;
use abide::rep::Cause;
use abide::tag::{FieldLine, Response};
use abide::{Client, Moment, Policy, ProductToken, Target};
use abide_fetch::guard::Guard;
use abide_fetch::http::{Fetcher, Options, Retrieval};
use abide_fetch::machine::{InForce, Plan, Settings, State, Validators};
use abide_fetch::store::{FileStore, StoreError};
use abide_fetch::{Body, BodyHash, Observer, Origin, RequestUrl, RobotsCache, Warning};
use abide_json::RetrievalJson;
use anyhow::{Context, ensure};
use std::cell::{Cell, OnceCell};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What a call may fetch with; set up when it first does.
pub(crate) struct Network<'a> {
    client: &'a Client,
    args: &'a NetworkArgs,
    /// The instant of the past that is asked about.
    at: Option<Moment>,
    site: OnceCell<Site>,
}

impl<'a> Network<'a> {
    pub(crate) fn new(client: &'a Client, args: &'a NetworkArgs, at: Option<Moment>) -> Self {
        let site = OnceCell::new();
        Self {
            client,
            args,
            at,
            site,
        }
    }

    /// What fetches in this call.
    pub(crate) fn site(&self) -> anyhow::Result<&Site> {
        if self.site.get().is_none() {
            let site = Site::new(self.client, self.args, self.at)?;
            return Ok(self.site.get_or_init(|| site));
        }
        self.site.get().context("cannot set up the network client")
    }

    /// Whether a page was to be fetched in this call that could not be.
    pub(crate) fn lacks_a_page(&self) -> bool {
        self.site.get().is_some_and(|site| site.lacks_a_page.get())
    }
}

/// What fetches in this call.
pub(crate) struct Site {
    fetcher: Fetcher,
    robots: RobotsCache,
    told: Arc<Told>,
    past: Option<(Moment, FileStore)>,
    settings: Settings,
    is_offline: bool,
    /// Whether a server keeps what is fetched.
    has_server: bool,
    /// Whether a page that was to be fetched could not be.
    lacks_a_page: Cell<bool>,
    runtime: Option<tokio::runtime::Runtime>,
}

/// What the library told while it fetched.
#[derive(Default)]
struct Told {
    retrievals: Mutex<Vec<(Origin, Retrieval)>>,
    /// Warnings so far: each is given once.
    warned: Mutex<BTreeSet<String>>,
}

impl Observer for Told {
    fn retrieved(&self, origin: &Origin, retrieval: &Retrieval) {
        let mut retrievals = self
            .retrievals
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        retrievals.push((origin.clone(), retrieval.clone()));
    }

    fn emptied(&self, origin: &Origin, was: BodyHash, _: BodyHash) {
        warn(&format!(
            "{origin}: the file had rules, and has none any more (it was {was}); is it the right one?"
        ));
    }

    fn warned(&self, warning: &Warning) {
        // A warning when the cache was opened said that already.
        if warning.error == StoreError::ReadOnly {
            return;
        }
        // To read and to keep fail for one cause, which is worth one line.
        let mut warned = self.warned.lock().unwrap_or_else(PoisonError::into_inner);
        if warned.insert(warning.to_string()) {
            warn(&warning.to_string());
        }
    }
}

/// A file that was fetched, or kept: how it came, and what is known since.
pub(crate) struct Fetched {
    /// `None` where no site was asked.
    pub(crate) retrieval: Option<Retrieval>,
    pub(crate) state: State<Body>,
    /// When it was looked at.
    pub(crate) at: Moment,
    pub(crate) settings: Settings,
}

impl Site {
    /// Asks on behalf of `client`, or what is kept.
    fn new(client: &Client, args: &NetworkArgs, at: Option<Moment>) -> anyhow::Result<Self> {
        let mut options = Options::new(&identification(client));
        options.body_limit = client.limits().bytes();
        let guard = if args.allow_private {
            Guard::open()
        } else {
            Guard::new()
        };
        let settings = Settings::default();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("cannot set up the network client")?;
        let fetcher = Fetcher::new(guard, options, settings.clone())?;
        let told = Arc::new(Told::default());
        let is_offline = args.offline || at.is_some();
        let mut robots = RobotsCache::builder(client.clone(), fetcher.clone())
            .settings(settings.clone())
            .observer(Arc::clone(&told))
            .offline(is_offline);
        let place = args.cache.as_ref().map(Place::named).transpose()?;
        ensure!(
            args.cache_keys.is_empty() || matches!(place, Some(Place::Server(_))),
            "--cache-key is for a cache on a server; that in a folder is not signed"
        );
        let mut past = None;
        match (&place, at) {
            (Some(place), Some(at)) => {
                ensure!(
                    at <= abide_fetch::http::now(),
                    "--at {at} has not come yet; it asks for the past"
                );
                let path = place.file("ask for the past of")?;
                past = Some((at, cache::to_read(path)?));
            }
            (Some(Place::File(path)), None) => {
                if let Some(store) = cache::to_keep(path)? {
                    robots = robots.store(store);
                }
            }
            (Some(Place::Server(url)), None) => {
                robots = robots.store(cache::server(url, &args.cache_keys)?);
            }
            (None, _) => {}
        }
        Ok(Self {
            robots: robots.build(),
            fetcher,
            told,
            past,
            settings,
            is_offline,
            has_server: matches!(place, Some(Place::Server(_))),
            lacks_a_page: Cell::new(false),
            runtime: Some(runtime),
        })
    }

    /// Fetches `url`. A failure of the network is an answer (REP-75), no error.
    pub(crate) fn fetch(&self, url: &str) -> anyhow::Result<Fetched> {
        let target =
            Target::new(url).with_context(|| format!("cannot fetch {}", visible_url(url)))?;
        ensure!(
            target.is_web(),
            "cannot fetch {}: expected http or https; read the file by other means, and use --robots",
            visible_url(url)
        );
        let path = url::Url::parse(url).map(|url| url[url::Position::BeforePath..].to_owned());
        let is_robots_txt = path.is_ok_and(|path| path == "/robots.txt");
        let fetched = match (Origin::of(url), &self.past) {
            (Some(origin), Some((at, store))) if is_robots_txt => {
                let state = store.state_at(&origin, *at, &self.settings);
                let state =
                    state.with_context(|| format!("cannot read {}", shown_path(store.path())))?;
                self.known(state.unwrap_or_default(), *at)
            }
            (Some(_), None) if is_robots_txt => self.kept(url)?,
            _ if self.is_offline => self.known(State::default(), abide_fetch::http::now()),
            _ => self.retrieved(url)?,
        };
        fetched.warn_of_refusal(url);
        Ok(fetched)
    }

    fn known(&self, state: State<Body>, at: Moment) -> Fetched {
        Fetched {
            retrieval: None,
            state,
            at,
            settings: self.settings.clone(),
        }
    }

    /// A robots.txt, from the cache or from its site.
    fn kept(&self, url: &str) -> anyhow::Result<Fetched> {
        let runtime = self
            .runtime
            .as_ref()
            .context("cannot set up the network client")?;
        let found = runtime.block_on(self.robots.state(url));
        let (state, at) = found
            .with_context(|| format!("the request for {} was interrupted", visible_url(url)))?;
        let mut retrievals = self
            .told
            .retrievals
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let origin = Origin::of(url);
        let own = |(asked, _): &(Origin, Retrieval)| origin.as_ref() == Some(asked);
        let place = retrievals.iter().rposition(own);
        Ok(Fetched {
            retrieval: place.map(|place| retrievals.swap_remove(place).1),
            ..self.known(state, at)
        })
    }

    /// Anything else, which nothing keeps.
    fn retrieved(&self, url: &str) -> anyhow::Result<Fetched> {
        let runtime = self
            .runtime
            .as_ref()
            .context("cannot set up the network client")?;
        let retrieval = runtime.block_on(self.fetcher.retrieve(url, &Validators::default()));
        let event = retrieval.event.clone();
        let event = event.with_body(if retrieval.is_cut {
            Body::cut
        } else {
            Body::new
        });
        let state = State::default().after(event, &self.settings);
        Ok(Fetched {
            retrieval: Some(retrieval),
            ..self.known(state, abide_fetch::http::now())
        })
    }

    /// What the response says that brings the page `target`, where `policy` permits to fetch it. Redirects are
    /// followed on the same site, as far as that is permitted.
    pub(crate) fn page(
        &self,
        policy: &Policy,
        target: &Target<'_>,
    ) -> anyhow::Result<Option<Response>> {
        let Ok(request) = RequestUrl::new(target.url()) else {
            return Ok(None);
        };
        // Judged is what is sent, to the byte: a target may be in another spelling (AMB-REP-24).
        if self.is_offline || !policy.allows(request.as_str()) {
            return Ok(None);
        }
        let may_follow = |url: &url::Url| {
            let own = Target::new(url.as_str())
                .is_ok_and(|next| next.robots_url() == target.robots_url());
            own && policy.allows(url.as_str())
        };
        let runtime = self
            .runtime
            .as_ref()
            .context("cannot set up the network client")?;
        let page = self.fetcher.page(&request, abide_html::LIMIT, may_follow);
        match runtime.block_on(page) {
            Ok(page) => {
                let fields = page.fields.iter();
                let fields: Vec<_> = fields
                    .map(|(name, value)| FieldLine::new(name, value.as_slice()))
                    .collect();
                let html = (200..300).contains(&page.status).then_some(&*page.body);
                Ok(Some(abide_html::response(&fields, html, None)))
            }
            Err(reason) => {
                warn(&format!("{}: no page: {reason}", visible_url(target.url())));
                self.lacks_a_page.set(true);
                Ok(None)
            }
        }
    }

    /// Fetches what `policy`, of the robots.txt at `robots_url`, refers to and was not given.
    pub(crate) fn with_references(&self, policy: Policy, robots_url: &str) -> Policy {
        match &self.runtime {
            Some(runtime) => runtime.block_on(self.robots.with_references(policy, robots_url)),
            None => policy,
        }
    }
}

impl Fetched {
    /// What holds, or held then.
    pub(crate) fn plan(&self) -> Plan<'_, Body> {
        self.state.plan(self.at, &self.settings)
    }

    /// What holds, or held then.
    pub(crate) fn in_force(&self) -> InForce<'_, Body> {
        self.plan().in_force
    }

    /// The same, for the contract.
    pub(crate) fn json(&self) -> RetrievalJson {
        let plan = self.plan();
        let copy = self.state.copy();
        RetrievalJson {
            state: plan.why.name(),
            sha256: match plan.in_force {
                InForce::File(body) => Some(body.hash().to_string()),
                _ => None,
            },
            fetched_at: copy.map(|copy| copy.fetched_at),
            checked_at: copy.map(|copy| copy.checked_at),
            fresh_until: copy.map(|copy| copy.fresh_until),
            unreachable_since: self.state.outage().map(|outage| outage.since),
        }
    }

    /// Why there is no file, in words that follow on: the status, or what failed.
    pub(crate) fn reason(&self) -> String {
        let last = self.retrieval.as_ref().and_then(|how| how.hops.last());
        match last.map(|hop| (hop.status, &hop.failure)) {
            Some((_, Some(failure))) => format!(": {failure}"),
            Some((Some(status), None)) => format!(": the site answered with status {status}"),
            _ => String::new(),
        }
    }

    /// Tells how to get through, where an address was refused.
    fn warn_of_refusal(&self, url: &str) {
        let refused = self
            .state
            .outage()
            .is_some_and(|outage| outage.cause == Cause::Refused);
        let last = self
            .retrieval
            .as_ref()
            .and_then(|retrieval| retrieval.hops.last());
        let reason = last.and_then(|hop| hop.failure.as_ref());
        if let Some(reason) = reason.filter(|_| refused) {
            warn(&format!(
                "{}: {reason}; --allow-private lets it through",
                visible_url(url)
            ));
        }
    }
}

impl Drop for Site {
    /// A name that is being resolved cannot be stopped, and need not be waited for.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            if self.has_server {
                // A lease is given back in a task of its own.
                runtime.block_on(async { tokio::time::sleep(Duration::from_millis(20)).await });
            }
            runtime.shutdown_background();
        }
    }
}

/// What is sent as `User-Agent`: who asks, and for whom (REP-25).
fn identification(client: &Client) -> String {
    let tokens: Vec<_> = client
        .product_tokens()
        .iter()
        .map(ProductToken::as_str)
        .collect();
    let mut tokens = tokens.join(", ");
    tokens.retain(|c| c.is_ascii_graphic() || c == ' ');
    format!(
        "abide/{} (checks robots.txt for {tokens})",
        env!("CARGO_PKG_VERSION")
    )
}
