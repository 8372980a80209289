//! Cases: what is expected, and of which robots.

use crate::preferences;
use abide::acap::{AcapMode, AcapProfile};
use abide::app::Application;
use abide::preference::{Documents, Revision, SignalScope, Vocabulary};
use abide::tag::{FieldLine, Response};
use abide::{Client, Moment, Outcome, Policy, Profile, PurposeToken, Robots, Usage};
use abide_known_robots::{Robot, RobotError};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The cases of a file, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct Cases {
    /// At least one.
    pub cases: Vec<Case>,
    /// The documents beside the robots.txt. A file of cases names none.
    pub documents: Documents,
}

/// One entry of a file: what is expected for each of its agents and each of its URLs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct Case {
    /// The line that it begins on, starting from 1.
    pub line: u32,
    /// Its name for people.
    pub name: Option<String>,
    /// The robots that ask, those of sets one by one; at least one.
    pub agents: Vec<Agent>,
    /// The URLs. Each is a valid target, and there is at least one unless the case has a sitemap.
    pub urls: Vec<String>,
    /// The sitemap whose URLs are still to be added, as the case names it.
    pub sitemap: Option<String>,
    /// What else is known about the robots and the page.
    pub settings: CaseSettings,
    /// What is expected; at least one.
    pub expected: Vec<Expectation>,
}

/// A robot that asks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct Agent {
    /// The robot. What is documented about it applies, unless the case is literal.
    pub robot: Robot,
    /// The line of the file that names it, starting from 1.
    pub line: u32,
    /// Whether names are taken as they are written, even those that look like misspelt ones.
    pub is_literal: bool,
}

/// What else is known about the robots and the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct CaseSettings {
    /// All purposes that the robot claims.
    pub purposes: Vec<PurposeToken>,
    /// The interpretation of points that the specifications leave open.
    pub profile: Profile,
    /// Whether ACAP records count.
    pub acap: AcapMode,
    /// Whether the robot asks for preferences: whether the case expects anything of training, AI
    /// input or search. The control tokens of its operator count.
    pub asks_preferences: bool,
    /// The vocabularies of preferences that count; `None` for all.
    pub vocabularies: Option<Vec<Vocabulary>>,
    /// The revision of the words of `Content-Usage` [default: the latest].
    pub revision: Option<&'static Revision>,
    /// For whom `Content-Usage` and `Content-Signal` lines count.
    pub signal_scope: SignalScope,
    /// Header lines of the page's response.
    pub fields: Vec<FieldLine>,
    /// The time of the decision; without it, no date in a rule has passed.
    pub now: Option<Moment>,
}

/// What is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expectation {
    /// The outcome of a usage.
    Outcome(Usage, Outcome),
    /// The complete directives for an application; values as `App-Directives` writes them.
    Directives(String, BTreeMap<String, String>),
}

impl Cases {
    /// These cases without what is documented about known robots, as if each were `literal`.
    #[must_use]
    pub fn without_known_facts(mut self) -> Self {
        let agents = self.cases.iter_mut().flat_map(|case| &mut case.agents);
        for agent in agents {
            agent.robot = agent.robot.clone().without_known_facts();
            agent.is_literal = true;
        }
        self
    }

    /// These cases as if each named these vocabularies of preferences.
    #[must_use]
    pub fn with_vocabularies(mut self, vocabularies: &[Vocabulary]) -> Self {
        for case in &mut self.cases {
            case.settings.vocabularies = Some(vocabularies.to_vec());
        }
        self
    }

    /// These cases as if each named this revision of `Content-Usage`.
    #[must_use]
    pub fn with_revision(mut self, revision: &'static Revision) -> Self {
        for case in &mut self.cases {
            case.settings.revision = Some(revision);
        }
        self
    }

    /// These cases with this scope of `Content-Usage` and `Content-Signal` lines.
    #[must_use]
    pub fn with_signal_scope(mut self, scope: SignalScope) -> Self {
        for case in &mut self.cases {
            case.settings.signal_scope = scope;
        }
        self
    }

    /// Whether any case expects anything of training, AI input or search.
    #[must_use]
    pub fn ask_preferences(&self) -> bool {
        self.cases.iter().any(|case| case.settings.asks_preferences)
    }
}

impl Case {
    /// The policy for `robot`, which claims what the case says, of the robots.txt in `bytes`.
    pub(super) fn policy(&self, robot: &Robot, bytes: &Arc<[u8]>) -> Result<Policy, RobotError> {
        robot.policy(self.settings.profile, |client| {
            Policy::compile_shared(bytes, &self.described(client))
        })
    }

    /// The client of [`Case::policy`], for a file that was parsed.
    pub(super) fn client(&self, robot: &Robot, robots: &Robots) -> Result<Client, RobotError> {
        let profile = self.settings.profile;
        let client = robot.client(profile, |client| robots.chosen_groups(client))?;
        Ok(self.described(&client))
    }

    /// The client with the purposes and applications of the case.
    fn described(&self, client: &Client) -> Client {
        let settings = &self.settings;
        let tokens = client.product_tokens().to_vec();
        let mut client = client.clone().with_acap(AcapProfile {
            mode: settings.acap,
            ..AcapProfile::default()
        });
        for purpose in &settings.purposes {
            client = client.with_purpose(purpose.clone());
        }
        for expected in &self.expected {
            if let Expectation::Directives(id, _) = expected
                && let Ok(application) = Application::new(id, tokens.clone())
            {
                client = client.with_application(application);
            }
        }
        if settings.asks_preferences {
            let revision = settings.revision.unwrap_or_else(preferences::latest);
            let (vocabularies, scope) = (settings.vocabularies.clone(), settings.signal_scope);
            return preferences::asking(&client, vocabularies, revision, scope);
        }
        client
    }

    /// The page's response, as far as it matters.
    pub(super) fn response(&self) -> Response {
        Response::new(&self.settings.fields)
    }
}
