//! A robots.txt as one client reads it: which lines apply to it, which have no effect, which are
//! for other robots, and what they do to a page.
//!
//! Nothing is decided here: groups, rules and evidence come from [`abide`]. Programs that show a
//! file in a terminal, an editor or on a page take the lines from here and style them.
//!
//! - [`LineState`]: what each line means to the client.
//! - [`PageView`]: what lines, tags and referred files do to one page.
//! - [`Tally`]: counts of what they do to many pages.
//! - [`Extent`]: how much of the site the client may crawl.
//! - [`PreferencesView`]: what the file states about training, AI input and search.
//! - [`sentences`]: all of it in plain English.

mod data;
mod extent;
mod line_state;
mod part;
mod preference;
pub mod sentences;
mod tally;

pub use extent::Extent;
pub use line_state::{LineState, Void};
pub use part::{EvidencePlace, PageView, Part, StatementSubject};
pub use preference::{
    PathAnswer, PreferenceLine, PreferencesView, SiteOutcomes, TokenLine, UsageAnswer,
    page_answers, site_answers, site_answers_with, site_outcomes,
};
pub use tally::{LineCounts, Tally};

use crate::bound::Bound;
use crate::words::Phrase;
use abide::explain::visible;
use abide::rep::Access;
use abide::syntax::{FieldKind, Inspect};
use abide::tag::{Binding, Response, TagPlace};
use abide::verdict::{SelectedBy, Selection, Source};
use abide::{Policy, ProductToken, Reading, Robots};
use abide_known_robots::{KnownRobot, Robot};
use serde::Serialize;
use std::sync::{Arc, OnceLock};

/// A robots.txt as the client of a policy reads it.
///
/// ```
/// use abide::{Client, Policy, ProductToken};
/// use abide_analysis::view::{FileView, LineState};
/// let client = Client::new(ProductToken::new("ExampleBot")?);
/// let robots_txt = b"User-agent: *\nDisallow: /\n\nUser-agent: ExampleBot\nDisallow: /private/\n";
/// let policy = Policy::compile(robots_txt, &client);
/// let reading = FileView::of(&policy);
/// let states: Vec<_> = reading.lines().map(|line| line.state).collect();
/// assert_eq!(states[1], LineState::Others);
/// assert_eq!(states[3], LineState::Head);
/// assert_eq!(states[4], LineState::Counts);
/// # Ok::<(), abide::ProductTokenError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FileView<'p> {
    policy: &'p Policy,
    robots: Robots,
    states: Vec<LineState>,
    agent: SentenceSubject,
    /// The row of the known robot whose documented behaviour is in the policy.
    row: Option<&'static KnownRobot>,
    /// What is documented about the robot and matters for this file.
    documented: Vec<String>,
    extent: Arc<OnceLock<Extent>>,
    preferences: Arc<OnceLock<PreferencesView>>,
    purposes: Arc<OnceLock<Vec<Phrase>>>,
}

/// The largest number of pages that are shown one by one; more are counted in a [`Tally`].
pub const MAX_PAGES: usize = 8;

/// Whom the sentences are about.
#[derive(Clone, Debug, PartialEq, Eq)]
enum SentenceSubject {
    /// A robot with this first name.
    Named(String),
    /// Every robot that the file does not name.
    Unnamed,
    /// Several robots with these names, about which the same is true.
    Several(String),
}

/// A line with its state for the client.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ReadLine<'r> {
    /// Number of the line, from 1.
    #[serde(rename = "line")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub number: u32,
    /// The line as written, without its end.
    #[serde(rename = "text", serialize_with = "crate::data::text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub bytes: &'r [u8],
    /// Its state for the client.
    #[serde(flatten, serialize_with = "data::state")]
    #[cfg_attr(feature = "schema", schemars(with = "data::StateMembers"))]
    pub state: LineState,
    /// The kind of its field; `None` for a line without a field.
    #[serde(skip)]
    pub kind: Option<FieldKind>,
}

impl<'p> FileView<'p> {
    /// The file of `policy` as its client reads it. Keeps every line; time and memory are linear in
    /// the file.
    #[must_use]
    pub fn of(policy: &'p Policy) -> Self {
        let robots = policy.robots();
        let states = line_state::of_lines(&robots, policy);
        let first = policy.client().product_tokens().first();
        Self {
            policy,
            robots,
            states,
            agent: first.map_or(SentenceSubject::Unnamed, |token| {
                SentenceSubject::Named(ProductToken::as_str(token).to_owned())
            }),
            row: None,
            documented: Vec::new(),
            extent: Arc::default(),
            preferences: Arc::default(),
            purposes: Arc::default(),
        }
    }

    /// The file of `policy`, which is that of `robot` ([`Robot::policy`]). Sentences say what is
    /// documented about the robot.
    #[must_use]
    pub fn for_robot(policy: &'p Policy, robot: &Robot) -> Self {
        let robot = robot.in_file(policy);
        let name = robot.name();
        let first = name.split('>').next().unwrap_or_default();
        Self {
            agent: match first {
                "*" => SentenceSubject::Unnamed,
                first => SentenceSubject::Named(first.to_owned()),
            },
            row: robot.row(),
            documented: robot
                .identified()
                .into_iter()
                .chain(robot.applied(policy))
                .collect(),
            ..Self::of(policy)
        }
    }

    /// The file as each of `robots` reads it. `policies` are theirs, in the same order.
    #[must_use]
    pub fn for_robots(policies: &'p [Policy], robots: &[Robot]) -> Vec<Self> {
        let mut views: Vec<Self> = Vec::new();
        for (policy, robot) in policies.iter().zip(robots) {
            let mut view = Self::for_robot(policy, robot);
            // The first view with the same rules has the extent.
            views.iter().any(|other| view.share_extent(other));
            // They are about the file, whoever reads it.
            if let Some(first) = views.first() {
                view.purposes = Arc::clone(&first.purposes);
            }
            views.push(view);
        }
        views
    }

    /// This view for several robots with the same rules: verdicts name them as `names`, and the
    /// other sentences name none of them. Robots whose sentences are equal can share them.
    #[must_use]
    pub fn for_several(self, names: &str) -> Self {
        Self {
            agent: SentenceSubject::Several(names.to_owned()),
            ..self
        }
    }

    /// Shares the extent with a view of the same file, if the same lines count in both; whether
    /// they do. For hundreds of robots, the extent of a large file is computed once for each group
    /// instead of once for each robot.
    pub fn share_extent(&mut self, other: &Self) -> bool {
        let is_equal = self.states == other.states;
        if is_equal {
            self.extent = Arc::clone(&other.extent);
        }
        is_equal
    }

    /// What the file states about training, AI input and search. `None` if the client does not ask
    /// for preferences.
    #[must_use]
    pub fn preferences(&self) -> Option<&PreferencesView> {
        self.policy.client().preferences()?;
        // Several sentences need it, and it takes up to 64 decisions.
        Some(self.preferences.get_or_init(|| PreferencesView::of(self)))
    }

    /// What the file asks of robots that claim a purpose, in sentences. None in a reading in which
    /// `User-Agent-Purpose` lines name no purpose.
    ///
    /// ```
    /// use abide::{Client, Policy};
    /// use abide_analysis::view::FileView;
    /// let file = b"User-Agent-Purpose: search\nDisallow: /\n";
    /// let policy = Policy::compile(file, &Client::unnamed());
    /// assert_eq!(FileView::of(&policy).purposes().len(), 2);
    /// ```
    #[must_use]
    pub fn purposes(&self) -> &[Phrase] {
        let is_other = |reading| {
            matches!(
                reading,
                Reading::PurposeUnknown | Reading::PurposeIsAgent | Reading::PurposeLineDropped
            )
        };
        if self.policy.client().readings().any(is_other) {
            return &[];
        }
        let found = || sentences::purposes(&self.robots, Bound::default());
        self.purposes.get_or_init(found)
    }

    /// What is documented about the robot and matters for this file, in sentences.
    #[must_use]
    pub fn documented(&self) -> &[String] {
        &self.documented
    }

    /// The policy that is read.
    #[must_use]
    pub fn policy(&self) -> &'p Policy {
        self.policy
    }

    /// Every line of the file, in order. Empty if there is no file.
    pub fn lines(&self) -> impl Iterator<Item = ReadLine<'_>> {
        let text = self.robots.text().as_bytes();
        let lines = self.robots.lines().iter().zip(&self.states);
        lines.map(|(line, state)| ReadLine {
            number: line.number,
            bytes: line.span.of(text),
            state: *state,
            kind: line.field().map(|field| field.kind),
        })
    }

    /// Whether there is a file, and if not, why.
    #[must_use]
    pub fn access(&self) -> Access {
        self.policy.access()
    }

    /// Whether the file is longer than the parsing limit (REP-81).
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.policy.text().is_truncated()
    }

    /// The client's first name, made safe to print; `any other robot` if it has none.
    #[must_use]
    pub fn agent(&self) -> String {
        match &self.agent {
            SentenceSubject::Named(name) => visible(name.as_bytes()),
            SentenceSubject::Unnamed => "any other robot".to_owned(),
            SentenceSubject::Several(_) => "these robots".to_owned(),
        }
    }

    /// The line that begins the group of the starter on line `number`: the first of its
    /// `User-agent` lines.
    fn group_start(&self, number: u32) -> u32 {
        let lines = self.robots.lines();
        let group = lines.iter().find(|line| line.number == number);
        let group = group.and_then(|line| line.group);
        let first = lines.iter().find(|line| {
            group.is_some() && line.group == group && line.field().is_some_and(is_starter)
        });
        first.map_or(number, |line| line.number)
    }

    /// The lines of the `*` groups that a better match overrides.
    fn other_groups_for_all(&self) -> Vec<u32> {
        let for_all = |group: &Selection<'_>| matches!(group.by, SelectedBy::AnyCrawler);
        let groups = Inspect::of(self.policy).other_matching_groups();
        let groups = groups.iter().filter(|group| for_all(group));
        groups.map(|group| group.place.line).collect()
    }
}

fn is_starter(field: &abide::syntax::Field) -> bool {
    matches!(
        field.kind,
        FieldKind::UserAgent | FieldKind::UserAgentPurpose
    )
}

/// A robots tag of a response.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ReadTag<'s> {
    /// Where it comes from.
    pub source: Source,
    /// The place in it.
    #[serde(flatten, serialize_with = "data::tag_place")]
    #[cfg_attr(feature = "schema", schemars(with = "data::TagPlaceMembers"))]
    pub place: TagPlace,
    /// The tag as written.
    pub text: &'s str,
    /// Whether it applies to the client (TAG-10, TAG-11).
    pub binds: bool,
}

/// The robots tags of a response, as the client of `policy` reads them.
#[must_use]
pub fn tags<'s>(response: &'s Response, policy: &Policy) -> Vec<ReadTag<'s>> {
    let statements = response.statements().iter();
    let read = statements.map(|one| ReadTag {
        source: one.source,
        place: one.place,
        text: &one.text,
        binds: !Binding::new([one], policy.client()).statements.is_empty(),
    });
    read.collect()
}
