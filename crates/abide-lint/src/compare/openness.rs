//! How much of a site one client may crawl, decided for every path at once.

use super::bound::Bound;
use super::policies;
use abide::{Client, Policy, Robots, Target, Usage};

/// How much of a site a client may crawl.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
// Exhaustive: callers handle every case; a new one must not pass unseen.
pub enum Openness {
    /// Every path.
    Open,
    /// Some paths.
    Partly,
    /// No path but `/robots.txt`.
    Closed,
}

impl Openness {
    /// The name: `open`, `partly` or `closed`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Partly => "partly",
            Self::Closed => "closed",
        }
    }
}

/// How much of a site a client may crawl, and which line decides.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SiteAccess {
    /// How much it may crawl.
    pub class: Openness,
    /// Whether the class is proven. If not, the file was too large to compare all paths.
    pub is_exact: bool,
    /// The line that decides about `/`, or else the first line of the client's group. `None` if no
    /// group applies.
    pub line: Option<u32>,
}

/// How much of the site `client` may crawl.
///
/// ```
/// use abide::{Client, ProductToken, Robots};
/// use abide_lint::compare::{self, Openness};
/// let robots = Robots::parse(b"User-agent: ExampleBot\nDisallow: /*\nAllow: /robots.txt$\n");
/// let client = Client::new(ProductToken::new("ExampleBot")?);
/// assert_eq!(compare::openness(&robots, &client).class, Openness::Closed);
/// # Ok::<(), abide::ProductTokenError>(())
/// ```
#[must_use]
pub fn openness(robots: &Robots, client: &Client) -> SiteAccess {
    let policy = robots.policy(client);
    let (class, is_exact) = class(robots, &policy, client);
    SiteAccess {
        class,
        is_exact,
        line: line(&policy),
    }
}

fn class(robots: &Robots, policy: &Policy, client: &Client) -> (Openness, bool) {
    let has_acap = policy
        .acap_patterns()
        .is_some_and(|fields| !fields.is_empty());
    let mut rules = robots.rules(policy).into_iter();
    let disallows = |rule: &abide::syntax::Rule<'_>| {
        rule.sense == abide::verdict::Sense::Disallow && rule.pattern.is_ok()
    };
    if !has_acap && !rules.any(|rule| disallows(&rule)) {
        return (Openness::Open, true);
    }
    let same_as = |other: &[u8]| {
        let other = Robots::parse(other);
        let found = policies(robots, &other, client, Bound::default());
        let differs = found
            .regions
            .iter()
            .any(|region| region.usage == Usage::Crawl);
        (!differs, found.is_complete)
    };
    // The path `/` tells which of the two is possible.
    if policy.allows("/") {
        match same_as(b"") {
            (true, is_complete) => (Openness::Open, is_complete),
            (false, _) => (Openness::Partly, true),
        }
    } else {
        let token = client.product_tokens().first();
        let token = token.map_or("*", |token| token.as_str());
        match same_as(format!("User-agent: {token}\nDisallow: /\n").as_bytes()) {
            (true, is_complete) => (Openness::Closed, is_complete),
            (false, _) => (Openness::Partly, true),
        }
    }
}

fn line(policy: &Policy) -> Option<u32> {
    let target = Target::new("/").ok()?;
    let decision = policy.decide(&target);
    let evidence = decision.usages.crawl().evidence.first();
    let line = evidence.and_then(|first| first.place.map(|place| place.line));
    line.or_else(|| policy.chosen_groups().first().map(|group| group.place.line))
}
