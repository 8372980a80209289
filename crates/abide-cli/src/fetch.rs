//! Fetching a robots.txt, and what it refers to, for one call. Nothing is kept: every call asks the site
//! again.

use crate::exit::warn;
use abide::acap::Referenced;
use abide::rep::Access;
use abide::rep::access::Cause;
use abide::tag::{FieldLine, Response};
use abide::{Client, Moment, Policy, ProductToken, Target};
use abide_fetch::guard::Guard;
use abide_fetch::http::{Fetcher, Options, Retrieval};
use abide_fetch::machine::{InForce, Settings, State, Validators};
use anyhow::{Context, ensure};

/// Permissions references that are fetched for a call; a file may have more.
const MOST_REFERENCES: usize = 10;

/// What fetches in this call.
pub(crate) struct Site {
    fetcher: Fetcher,
    settings: Settings,
    runtime: Option<tokio::runtime::Runtime>,
}

/// A file that was fetched: how, and what is known since.
pub(crate) struct Fetched {
    pub(crate) retrieval: Retrieval,
    pub(crate) state: State<Vec<u8>>,
    /// When the fetch ended.
    pub(crate) at: Moment,
    pub(crate) settings: Settings,
}

impl Site {
    /// Asks on behalf of `client`; private addresses only where these are allowed.
    pub(crate) fn new(client: &Client, allow_private: bool) -> anyhow::Result<Self> {
        let mut options = Options::new(&identification(client));
        options.body_limit = client.parsing_limit().octets();
        let guard = if allow_private {
            Guard::open()
        } else {
            Guard::new()
        };
        let settings = Settings::default();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("cannot start to fetch")?;
        Ok(Self {
            fetcher: Fetcher::new(guard, options, settings.clone())?,
            settings,
            runtime: Some(runtime),
        })
    }

    /// Fetches `url`. A failure of the network is an answer (REP-75), no error.
    pub(crate) fn fetch(&self, url: &str) -> anyhow::Result<Fetched> {
        let target = Target::new(url).with_context(|| format!("cannot fetch {url}"))?;
        ensure!(
            target.is_web(),
            "cannot fetch {url}: expected http or https; read the file by other means, and use --robots"
        );
        let runtime = self.runtime.as_ref().context("cannot start to fetch")?;
        let retrieval = runtime.block_on(self.fetcher.retrieve(url, &Validators::default()));
        let state = State::default().after(retrieval.event.clone(), &self.settings);
        let refused = state
            .outage()
            .is_some_and(|outage| outage.cause == Cause::Refused);
        let reason = retrieval.hops.last().and_then(|hop| hop.failure.as_ref());
        if let Some(reason) = reason.filter(|_| refused) {
            warn(&format!("{url}: {reason}; --allow-private lets it through"));
        }
        Ok(Fetched {
            retrieval,
            state,
            at: abide_fetch::http::now(),
            settings: self.settings.clone(),
        })
    }

    /// What the response says that brings the page `target`, where `policy` permits to fetch it. Redirects are
    /// followed on the same site, as far as that is permitted.
    pub(crate) fn page(
        &self,
        policy: &Policy,
        target: &Target<'_>,
    ) -> anyhow::Result<Option<Response>> {
        if !target.is_web() || !policy.allows(target.url()) {
            return Ok(None);
        }
        let may_follow = |url: &url::Url| {
            let own = Target::new(url.as_str())
                .is_ok_and(|next| next.robots_url() == target.robots_url());
            own && policy.allows(url.as_str())
        };
        let runtime = self.runtime.as_ref().context("cannot start to fetch")?;
        let page = self
            .fetcher
            .page(target.url(), abide_html::LIMIT, may_follow);
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
                warn(&format!("{}: no page: {reason}", shown(target.url())));
                Ok(None)
            }
        }
    }

    /// Fetches what `policy`, of the robots.txt at `robots_url`, refers to and was not given.
    pub(crate) fn with_references(&self, policy: Policy, robots_url: &str) -> Policy {
        let mut answers = Vec::new();
        let Ok(target) = Target::new(robots_url) else {
            return policy;
        };
        let missing = policy.decide(&target).needs;
        for reference in policy.references().iter().take(MOST_REFERENCES) {
            let url = reference.url(robots_url);
            if missing.contains(&url) {
                // What cannot even be asked for is as unreachable as what does not answer.
                answers.push((reference.locator.clone(), self.fetch(&url).ok()));
            }
        }
        let referenced = |fetched: Option<&Fetched>| match fetched.map(Fetched::in_force) {
            Some(InForce::File(body)) => Ok(body.clone()),
            Some(InForce::AllowAll(cause)) => Err(Access::Unavailable(cause)),
            Some(InForce::DisallowAll(cause)) => Err(Access::Unreachable(cause)),
            Some(InForce::Unknown) => Err(Access::Unknown),
            None => Err(Access::Unreachable(Cause::BadRedirect)),
        };
        let read: Vec<_> = answers
            .iter()
            .map(|(locator, fetched)| (locator, referenced(fetched.as_ref())))
            .collect();
        policy.with_references(read.iter().map(|(locator, read)| {
            let referenced = match read {
                Ok(octets) => Referenced::Octets(octets),
                Err(access) => Referenced::Failed(*access),
            };
            (locator.as_str(), referenced)
        }))
    }
}

impl Fetched {
    /// What holds now.
    pub(crate) fn in_force(&self) -> InForce<'_, Vec<u8>> {
        self.state.plan(self.at, &self.settings).in_force
    }
}

impl Drop for Site {
    /// A name that is being resolved cannot be stopped, and need not be waited for.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// A URL as it is told on a terminal: nothing in it acts there, and no password.
pub(crate) fn shown(url: &str) -> String {
    let visible = abide::explain::visible(url.as_bytes());
    let Some((scheme, rest)) = visible.split_once("://") else {
        return visible;
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at_checked(end).unwrap_or((rest, ""));
    match authority.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}://{host}{path}"),
        None => visible,
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
