//! Which lines of a file count for a client, for tools.

use super::compiled::Policy;
use super::document::{Line, Robots};
use crate::acap::AcapSide;
use crate::app::{self, Application};
use crate::pattern::{PathPattern, PatternError};
use crate::profile::Profile;
use crate::purpose::is_purpose;
use crate::rep::field::{FieldKind, KeyedLine};
use crate::rep::{NamedRobots, token};
use crate::text::{Lines, is_blank};
use crate::verdict::{Place, Selection, Sense};

/// An allow or disallow line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rule<'r> {
    /// Its line.
    pub line: &'r Line,
    /// Whether it is an `Allow` or a `Disallow`.
    pub sense: Sense,
    /// Its value as written.
    pub value: &'r [u8],
    /// The value as a pattern, or why the rule never matches.
    pub pattern: Result<PathPattern<'r>, PatternError>,
    /// The folder that google/robotstxt also allows for `Allow: …/index.html`; only in the google
    /// profile.
    pub folder: Option<PathPattern<'static>>,
}

/// Whom a line that starts a group names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum Addressee<'r> {
    /// Every crawler that no group names: `*`.
    Anybody,
    /// The crawlers with this product token, as written. Case is ignored (REP-27).
    Token(&'r str),
    /// The crawlers that claim this purpose, as written (PUR-5).
    Purpose(&'r str),
    /// Nobody: the value cannot be used (AMB-REP-8, AMB-PUR-4).
    Nobody,
}

impl Robots {
    /// Whom a `User-agent` or purpose line names in the careful reading. `None` for other lines.
    #[must_use]
    pub fn addressee(&self, line: &Line) -> Option<Addressee<'_>> {
        let field = line.field().filter(|field| field.kind.starts_group())?;
        let value = field.value.of(self.text().as_bytes());
        if token::is_unusable(value) {
            return Some(Addressee::Nobody);
        }
        let named = if field.kind == FieldKind::UserAgentPurpose {
            let purpose = is_purpose(value).then(|| std::str::from_utf8(value).ok());
            purpose.flatten().map(Addressee::Purpose)
        } else if token::is_any(value, is_blank) {
            Some(Addressee::Anybody)
        } else {
            let token = std::str::from_utf8(token::identifier(value)).ok();
            token
                .filter(|token| !token.is_empty())
                .map(Addressee::Token)
        };
        Some(named.unwrap_or(Addressee::Nobody))
    }

    /// The rule on a line, whether or not it is in a group.
    #[must_use]
    pub fn rule<'r>(&'r self, line: &'r Line) -> Option<Rule<'r>> {
        let field = line.field()?;
        let sense = field.kind.sense()?;
        let value = field.value.of(self.text().as_bytes());
        let pattern = PathPattern::read_as(value, self.profile());
        let has_folder = self.profile() == Profile::Google && sense == Sense::Allow;
        let folder = pattern.as_ref().ok().filter(|_| has_folder);
        let folder = folder.and_then(PathPattern::google_index_alias);
        Some(Rule {
            line,
            sense,
            value,
            pattern,
            folder,
        })
    }

    /// The rules that count for the client of `policy`, which must be compiled from this file: the
    /// rules of all chosen groups (REP-30 to REP-32), in file order, with rules that never match.
    ///
    /// ```
    /// use abide::{Client, ProductToken, Robots};
    /// let robots = Robots::parse(
    ///     b"User-agent: *\nDisallow: /a\nUser-agent: ExampleBot\nDisallow: /b\n",
    /// );
    /// let policy = robots.policy(&Client::new(ProductToken::new("ExampleBot")?));
    /// let rules = robots.rules(&policy);
    /// assert_eq!(rules.iter().map(|rule| rule.value).collect::<Vec<_>>(), [b"/b"]);
    /// # Ok::<(), abide::ProductTokenError>(())
    /// ```
    #[must_use]
    pub fn rules(&self, policy: &Policy) -> Vec<Rule<'_>> {
        let line = |at: usize| self.lines().get(at);
        let starters = policy.chosen();
        let starters = starters.filter_map(|one| line((one.place.line as usize).checked_sub(1)?));
        let groups = starters.filter_map(|starter| self.groups().get(starter.group?));
        groups
            .flat_map(|group| group.rules.iter().filter_map(|at| line(*at)))
            .filter_map(|line| self.rule(line))
            .collect()
    }
}

impl Policy {
    /// The whole file that the policy was compiled from, as this client reads it, up to its limit.
    ///
    /// ```
    /// use abide::{Client, Policy, ProductToken};
    /// let client = Client::new(ProductToken::new("ExampleBot")?);
    /// let policy = Policy::compile(b"User-agent: *\nDisallow: /a # not yet\n", &client);
    /// assert_eq!(policy.robots().lines().len(), 2);
    /// # Ok::<(), abide::ProductTokenError>(())
    /// ```
    #[must_use]
    pub fn robots(&self) -> Robots {
        Robots::from_text(self.text().clone(), self.client().profile())
    }

    /// The robots that the file names, as this client reads it.
    #[must_use]
    pub fn named_robots(&self) -> NamedRobots {
        let (text, profile) = (self.text(), self.client().profile());
        let bytes = text.as_bytes();
        let mut named = NamedRobots::default();
        for raw in Lines::new(bytes, text.body()) {
            let keyed = KeyedLine::new(bytes, &raw, profile);
            let starter = keyed.filter(|keyed| keyed.kind == FieldKind::UserAgent);
            if let Some(field) = starter.and_then(|keyed| keyed.field(bytes, &raw, profile)) {
                named.add(field.value.of(bytes));
            }
        }
        named
    }
}

/// What a policy consists of, for tools that show files, compare them, or keep policies in a cache.
///
/// ```
/// use abide::{Client, Policy, syntax::Inspect};
/// let policy = Policy::compile(b"User-agent: *\nDisallow: /a # not yet\n", &Client::unnamed());
/// let place = Inspect::of(&policy).statement_place(2);
/// assert_eq!(place.span.of(policy.text().as_bytes()), b"Disallow: /a");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Inspect<'p>(pub(super) &'p Policy);

impl<'p> Inspect<'p> {
    /// Looks into `policy`.
    #[must_use]
    pub const fn of(policy: &'p Policy) -> Self {
        Self(policy)
    }

    /// The place of the field on line `line`: from key to value, without spaces around it and
    /// without comment.
    #[must_use]
    pub fn statement_place(self, line: u32) -> Place {
        self.0.statement_place(line)
    }

    /// The groups that also address the client but lose to a better match (REP-29, PUR-9), by the
    /// lines that would have selected them, in file order.
    #[must_use]
    pub fn other_matching_groups(self) -> Vec<Selection<'p>> {
        self.0.passed_over().collect()
    }

    /// How many bytes of memory the compiled rules take, without the text and without what is
    /// computed on demand.
    #[must_use]
    pub fn compiled_size(self) -> usize {
        self.0.compiled_size()
    }

    /// Whether the file asks the client to ignore conventional rules (ACAP-15).
    #[must_use]
    pub fn ignores_conventional(self) -> bool {
        self.0.acap().is_some_and(AcapSide::ignores_conventional)
    }

    /// The `App-Directives` lines that count for `application`, for any resource, in file order
    /// (APP-12 to APP-15). Empty in the google profile, which ignores directives (CLA-16).
    #[must_use]
    pub fn directive_lines(self, application: &Application) -> Vec<Place> {
        if self.0.client().profile() == Profile::Google || !self.0.asks_applications() {
            return Vec::new();
        }
        app::concerning(self.0.text(), application)
    }
}
