//! How much of a site a client may crawl, decided for every path at once.

use super::addressed::{AddressedLines, crawler_names};
use super::{CompiledFile, compared_outside};
use crate::bound::{Bound, Work};
use crate::sample;
use abide::syntax::{Inspect, PathPattern, Rule};
use abide::verdict::Sense;
use abide::{Client, DecidingRule, Limits, Policy, Robots, Target, Usage};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Files that programs ask for, and that nobody visits: a site that lets robots fetch nothing else
/// is closed. Beginnings of paths, because a rule for such a file rarely ends with `$`.
const UNVISITED: [&str; 13] = [
    "/.well-known",
    "/ads.txt",
    "/app-ads.txt",
    "/apple-touch-icon-",
    "/apple-touch-icon.",
    "/browserconfig.xml",
    "/favicon-",
    "/favicon.",
    "/humans.txt",
    "/robots.txt",
    "/security.txt",
    "/sellers.json",
    "/sitemap*.xml",
];

/// [`UNVISITED`] as patterns.
static UNVISITED_PATTERNS: LazyLock<Vec<PathPattern<'static>>> = LazyLock::new(|| {
    let read = |path: &&'static str| PathPattern::read(path.as_bytes()).ok();
    UNVISITED.iter().filter_map(read).collect()
});

/// Whether nobody visits this path: robots ask for it as programs do. Some servers, and many
/// owners, do not tell `/Favicon.ico` from `/favicon.ico`.
fn is_unvisited(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    let mut patterns = UNVISITED_PATTERNS.iter();
    patterns.any(|pattern| pattern.matches(path.as_bytes()))
}

/// How much of a site a client may crawl. Paths are those of URLs, which have no blanks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum Openness {
    /// Every path.
    Open,
    /// Some paths.
    Partly,
    /// No path but those of files that nobody visits, such as `/robots.txt`, `/ads.txt` and
    /// `/favicon.ico`.
    Closed,
}

abide::named!(
    Openness,
    "openness",
    [Open = "open", Partly = "partly", Closed = "closed"]
);

impl Openness {
    /// How a sentence about robots ends: `may crawl the whole site`.
    pub(crate) fn sentence_end(self, verb: &str) -> String {
        match self {
            Self::Open => format!("may {verb} the whole site"),
            Self::Partly => format!("may {verb} parts of the site"),
            Self::Closed => format!("may not {verb} the site"),
        }
    }
}

/// How much of a site a client may crawl, and which lines decide.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SiteAccess {
    /// How much it may crawl.
    pub class: Openness,
    /// Whether the class is proven. If not, the file was too large to compare all paths, and the
    /// class is that of `/`.
    pub is_exact: bool,
    /// The line that decides about `/`, or else the first line of the client's group. `None` if no
    /// group applies.
    pub line: Option<u32>,
    /// A path that is decided otherwise than `/`, if the class is [`Openness::Partly`]. In a closed
    /// site, a file that nobody visits and that may be fetched all the same.
    pub exception: Option<AccessException>,
    /// The number of rules that decide some path otherwise than `/`: at least so many. In a closed
    /// site 0.
    pub exceptions: usize,
}

impl SiteAccess {
    /// The class as it is shown: what is not proven, like a site that is open in part.
    pub(crate) const fn proven_class(&self) -> Openness {
        if self.is_exact {
            self.class
        } else {
            Openness::Partly
        }
    }
}

/// A path that is decided otherwise than `/`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AccessException {
    /// The path.
    pub path: String,
    /// The line that decides about it, or else the first line of the client's group.
    pub line: Option<u32>,
}

/// How much of the site `client` may crawl.
///
/// ```
/// use abide::{Client, ProductToken, Robots};
/// use abide_analysis::compare::{self, Openness};
/// let robots = Robots::parse(b"User-agent: ExampleBot\nDisallow: /*\nAllow: /robots.txt$\n");
/// let client = Client::new(ProductToken::new("ExampleBot")?);
/// assert_eq!(compare::openness(&robots, &client).class, Openness::Closed);
/// # Ok::<(), abide::ProductTokenError>(())
/// ```
#[must_use]
pub fn openness(robots: &Robots, client: &Client) -> SiteAccess {
    AccessSurvey::new(robots, Bound::default()).access_of(&robots.policy(client))
}

/// Finds how much of a site many clients may crawl. Clients that the same lines address are
/// examined once, and all of them together stay within one bound.
///
/// ```
/// use abide::{Client, ProductToken, Robots};
/// use abide_analysis::Bound;
/// use abide_analysis::compare::{AccessSurvey, Openness};
/// let robots = Robots::parse(b"User-agent: *\nDisallow: /private/\n");
/// let mut survey = AccessSurvey::new(&robots, Bound::default());
/// for name in ["ExampleBot", "OtherBot"] {
///     let policy = robots.policy(&Client::new(ProductToken::new(name)?));
///     assert_eq!(survey.access_of(&policy).class, Openness::Partly);
/// }
/// # Ok::<(), abide::ProductTokenError>(())
/// ```
#[derive(Debug)]
pub struct AccessSurvey<'r> {
    robots: &'r Robots,
    work: Work,
    crawlers: BTreeSet<String>,
    known: BTreeMap<AddressedLines, SiteAccess>,
    known_classes: BTreeMap<AddressedLines, (Openness, bool)>,
}

impl<'r> AccessSurvey<'r> {
    /// Prepares a file; `bound` limits the work for all clients together.
    #[must_use]
    pub fn new(robots: &'r Robots, bound: Bound) -> Self {
        Self {
            robots,
            work: Work::new(bound),
            crawlers: crawler_names(&[robots]),
            known: BTreeMap::new(),
            known_classes: BTreeMap::new(),
        }
    }

    /// How much the client of `policy` may crawl; `policy` is this file's.
    pub fn access_of(&mut self, policy: &Policy) -> SiteAccess {
        let addressed = self.addressed(policy.client());
        if let Some(access) = self.known.get(&addressed) {
            return access.clone();
        }
        // One hostile group must not leave nothing for the other clients.
        let access = self.within_half(|robots, work| access(robots, policy, work));
        self.known.insert(addressed, access.clone());
        access
    }

    /// How much `client` may crawl. The file is compiled for it only if no client was examined that
    /// the same lines address.
    pub fn access_of_client(&mut self, client: &Client) -> SiteAccess {
        match self.known.get(&self.addressed(client)) {
            Some(access) => access.clone(),
            None => self.access_of(&self.robots.counting_policy(client)),
        }
    }

    fn addressed(&self, client: &Client) -> AddressedLines {
        AddressedLines::of(client, &[self.robots], &self.crawlers)
    }

    /// How much the client of `policy` may crawl, and whether that is proven; `policy` is this
    /// file's. Takes less time than [`Self::access_of`], because one exception is enough.
    pub fn class_of(&mut self, policy: &Policy) -> (Openness, bool) {
        let addressed = self.addressed(policy.client());
        if let Some(class) = self.known_classes.get(&addressed) {
            return *class;
        }
        let class = self.within_half(|robots, work| class(robots, policy, work));
        self.known_classes.insert(addressed, class);
        class
    }

    /// Examines one client, which must not use all of the work.
    fn within_half<T>(&mut self, examine: impl FnOnce(&Robots, &mut Work) -> T) -> T {
        let half = self.work.half();
        let mut own = half;
        let found = examine(self.robots, &mut own);
        self.work.spend(own.spent_since(half));
        found
    }
}

/// Work of asking the engine about one path.
const ASKED: u64 = 500;

fn access(robots: &Robots, policy: &Policy, work: &mut Work) -> SiteAccess {
    let is_root_allowed = policy.allows("/");
    let rules = robots.rules(policy);
    let mut access = SiteAccess::of_root(is_root_allowed);
    access.line = deciding_line(policy, "/");
    if is_certain(&rules, policy, is_root_allowed) {
        return access;
    }
    let mut unvisited = None;
    for path in exceptions(&rules, policy, is_root_allowed, work) {
        let counts = is_root_allowed || !is_unvisited(&path);
        access.exceptions += usize::from(counts);
        let found = if counts {
            &mut access.exception
        } else {
            &mut unvisited
        };
        if found.is_none() {
            let line = deciding_line(policy, &path);
            *found = Some(AccessException { path, line });
        }
    }
    // Quick samples found nothing, which proves nothing. The search does.
    if access.exceptions == 0 {
        access.is_exact = access.search(robots, policy, is_root_allowed, work);
    }
    if access.exceptions > 0 {
        access.class = Openness::Partly;
    }
    access.exception = access.exception.or(unvisited);
    access
}

/// The class, and whether it is proven.
fn class(robots: &Robots, policy: &Policy, work: &mut Work) -> (Openness, bool) {
    let is_root_allowed = policy.allows("/");
    let rules = robots.rules(policy);
    let mut access = SiteAccess::of_root(is_root_allowed);
    if is_certain(&rules, policy, is_root_allowed) {
        return (access.class, true);
    }
    let mut exceptions = exceptions(&rules, policy, is_root_allowed, work);
    if exceptions.any(|path| is_root_allowed || !is_unvisited(&path)) {
        return (Openness::Partly, true);
    }
    // It borrows the work that the search needs.
    drop(exceptions);
    let is_exact = access.search(robots, policy, is_root_allowed, work);
    if access.exceptions > 0 {
        access.class = Openness::Partly;
    }
    (access.class, is_exact)
}

/// Paths that are decided otherwise than `/`. Asks about a path for each rule of the other sense,
/// which nearly always shows that the rule decides something, and is much faster than a search.
fn exceptions<'a>(
    rules: &'a [Rule<'_>],
    policy: &'a Policy,
    is_root_allowed: bool,
    work: &'a mut Work,
) -> impl Iterator<Item = String> + 'a {
    // Only a rule of the other sense can decide otherwise than about `/`.
    let sense = if is_root_allowed {
        Sense::Disallow
    } else {
        Sense::Allow
    };
    let others = rules.iter().filter(move |rule| is_of(rule, sense));
    others.filter_map(move |rule| {
        let pattern = rule.pattern.as_ref().ok().filter(|_| work.spend(ASKED))?;
        let path = sample::matching(pattern).filter(|path| path != "/robots.txt")?;
        (policy.allows(&path) != is_root_allowed).then_some(path)
    })
}

/// Whether no rule can decide otherwise than about `/`.
fn is_certain(rules: &[Rule<'_>], policy: &Policy, is_root_allowed: bool) -> bool {
    let has_acap = Inspect::of(policy)
        .acap_patterns()
        .is_some_and(|fields| !fields.is_empty());
    let others = |sense| rules.iter().any(|rule| is_of(rule, sense));
    if is_root_allowed {
        !has_acap && !others(Sense::Disallow)
    } else {
        let covers_all = |rule: &Rule<'_>| {
            let whole = |path: &abide::syntax::PathPattern<'_>| {
                // Enough for nearly every file. For other spellings, such as `*`, the search finds
                // out.
                matches!(&*path.forms().c1, b"/" | b"/*") && !path.is_anchored()
            };
            rule.pattern.as_ref().is_ok_and(whole)
        };
        let closes = rules
            .iter()
            .any(|rule| is_of(rule, Sense::Disallow) && covers_all(rule));
        !has_acap && closes && !others(Sense::Allow)
    }
}

fn is_of(rule: &Rule<'_>, sense: Sense) -> bool {
    rule.sense == sense && rule.pattern.is_ok()
}

impl SiteAccess {
    /// The access if no path is decided otherwise than `/`.
    const fn of_root(is_allowed: bool) -> Self {
        Self {
            class: if is_allowed {
                Openness::Open
            } else {
                Openness::Closed
            },
            is_exact: true,
            line: None,
            exception: None,
            exceptions: 0,
        }
    }

    /// Searches through all paths for one that is decided otherwise than `/`; of a closed site,
    /// through those of files that somebody visits. Returns whether the result is proven.
    fn search(
        &mut self,
        robots: &Robots,
        policy: &Policy,
        is_root_allowed: bool,
        work: &mut Work,
    ) -> bool {
        // A file that decides about every path as about `/`.
        let other = if is_root_allowed {
            String::new()
        } else {
            let token = policy.client().product_tokens().first();
            let token = token.map_or("*", |token| token.as_str());
            format!("User-agent: {token}\nDisallow: /\n")
        };
        let other = Robots::parse_as(&other, robots.profile(), Limits::default());
        // Preferences say nothing about crawling, so the search need not tell them apart.
        let client = policy.client().clone().without_preferences();
        let own = CompiledFile {
            robots,
            policy: robots.counting_policy(&client),
        };
        let other = CompiledFile {
            policy: other.policy(&client),
            robots: &other,
        };
        let left_out: &[PathPattern<'_>] = if is_root_allowed {
            &[]
        } else {
            &UNVISITED_PATTERNS
        };
        let found = compared_outside(left_out, &own, &other, work);
        let mut lines = BTreeSet::new();
        for region in found.regions {
            // In other letters, it was not left out.
            let counts = is_root_allowed || !is_unvisited(&region.witness);
            if region.usage == Usage::Crawl && counts {
                let line = region.old.decided_by.and_then(|by| by.line);
                lines.insert(line);
                // The regions begin with the shortest path.
                self.exception.get_or_insert(AccessException {
                    path: region.witness,
                    line,
                });
            }
        }
        self.exceptions = lines.len();
        // One exception proves the class, even if others were not found.
        self.exceptions > 0 || found.is_complete
    }
}

fn deciding_line(policy: &Policy, path: &str) -> Option<u32> {
    let target = Target::new(path).ok()?;
    let line = match policy.deciding_rule(&target) {
        DecidingRule::Rule { line, .. } => Some(line),
        DecidingRule::NoRule => None,
        // Only the whole decision knows the line.
        DecidingRule::Other => {
            let decision = policy.decide(&target);
            let evidence = decision.usages.crawl().evidence.first();
            evidence.and_then(|first| first.place.map(|place| place.line))
        }
    };
    line.or_else(|| policy.chosen_groups().first().map(|group| group.place.line))
}
