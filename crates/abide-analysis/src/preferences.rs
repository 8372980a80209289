//! AI preferences, as tools ask for them: with the control tokens of the robot's operator.
//!
//! ```
//! use abide::{Client, Outcome, Policy, ProductToken, Target, Usage};
//! use abide_analysis::preferences;
//! let file = b"User-agent: Google-Extended\nDisallow: /\n";
//! let client = preferences::with_all_preferences(&Client::new(ProductToken::new("Googlebot")?));
//! let policy = Policy::compile(file, &client);
//! let decision = policy.decide(&Target::new("/x")?);
//! assert_eq!(decision.outcome(Usage::Train), Outcome::Prohibited);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use abide::preference::{Documents, PreferenceProfile, Revision, SignalScope, Vocabulary};
use abide::syntax::{FieldKind, Line};
use abide::{Client, ProductToken, Robots, Target};
use abide_known_robots::KnownRobot;

/// The vocabularies that robots.txt states by itself. RSL needs the licence documents.
pub const ROBOTS_TXT_VOCABULARIES: &[Vocabulary] = &[
    Vocabulary::ContentUsage,
    Vocabulary::ContentSignal,
    Vocabulary::ControlToken,
];

/// Which preferences count for a whole site, and the documents beside its robots.txt.
///
/// ```
/// use abide::Robots;
/// use abide::preference::Documents;
/// use abide_analysis::preferences::SiteQuestion;
/// let file = br#"[{"location": "/", "tdm-reservation": 1}]"#;
/// let question = SiteQuestion {
///     documents: abide_documents::add_tdmrep(Documents::default(), file),
///     ..SiteQuestion::default()
/// };
/// let robots = Robots::parse(b"");
/// let policy = robots.policy(&question.add_to(&abide::Client::unnamed()));
/// let answers = abide_analysis::view::site_answers_with(&policy, &robots, &question);
/// let labels: Vec<_> = answers.iter().map(|answer| answer.label()).collect();
/// assert_eq!(labels, ["disallowed", "disallowed", "–"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct SiteQuestion {
    /// The vocabularies that count [default: the vocabularies of robots.txt, and of `documents`].
    pub vocabularies: Option<Vec<Vocabulary>>,
    /// The words of `Content-Usage`.
    pub revision: &'static Revision,
    /// For whom `Content-Usage` and `Content-Signal` lines count.
    pub signal_scope: SignalScope,
    /// The site's `tdmrep.json`, and licence documents.
    pub documents: Documents,
    /// Scheme, host and port of the site, such as `https://example.com`. Without it, licences for
    /// whole URLs do not count: nobody knows whether they are about the site.
    pub origin: Option<String>,
}

impl Default for SiteQuestion {
    /// What robots.txt alone says, by the latest revision.
    fn default() -> Self {
        Self {
            vocabularies: None,
            revision: Revision::latest(),
            signal_scope: SignalScope::default(),
            documents: Documents::default(),
            origin: None,
        }
    }
}

impl SiteQuestion {
    /// Adds these vocabularies and the operator's control tokens to `client`, unless it has
    /// preferences.
    #[must_use]
    pub fn add_to(&self, client: &Client) -> Client {
        let vocabularies = self.vocabularies.clone();
        let vocabularies = vocabularies.unwrap_or_else(|| self.answered());
        let scope = self.signal_scope;
        asking(client, Some(vocabularies), self.revision, scope)
    }

    /// Sets the origin to that of a URL of the site. Of a path, there is none.
    #[must_use]
    pub fn with_origin_of(mut self, url: &str) -> Self {
        let target = Target::new(url).ok();
        let robots_url = target.and_then(|target| target.robots_url());
        self.origin = robots_url.and_then(|url| url.strip_suffix("/robots.txt").map(str::to_owned));
        self
    }

    /// The vocabularies of robots.txt and of the documents.
    fn answered(&self) -> Vec<Vocabulary> {
        let has_licences = self.documents.licences().next().is_some();
        let tdmrep = self.documents.tdmrep().map(|_| Vocabulary::Tdmrep);
        let rsl = has_licences.then_some(Vocabulary::Rsl);
        let own = ROBOTS_TXT_VOCABULARIES.iter().copied();
        own.chain(tdmrep).chain(rsl).collect()
    }
}

/// Adds all vocabularies and the operator's control tokens (PREF-119) to `client`, unless it has
/// preferences.
#[must_use]
pub fn with_all_preferences(client: &Client) -> Client {
    with_preferences(client, None)
}

/// Like [`with_all_preferences`] for some vocabularies; `None` for all.
#[must_use]
pub fn with_preferences(client: &Client, vocabularies: Option<Vec<Vocabulary>>) -> Client {
    asking(client, vocabularies, latest(), SignalScope::default())
}

/// Like [`with_all_preferences`] for some vocabularies, the words of a revision, and a scope.
pub(crate) fn asking(
    client: &Client,
    vocabularies: Option<Vec<Vocabulary>>,
    revision: &'static Revision,
    signal_scope: SignalScope,
) -> Client {
    if client.preferences().is_some() {
        return client.clone();
    }
    let tokens = client.product_tokens().iter().map(ProductToken::as_str);
    let control_tokens = abide_known_robots::control_tokens_of_robot(tokens);
    client.clone().with_preferences(PreferenceProfile {
        vocabularies,
        revision,
        signal_scope,
        control_tokens,
        ..PreferenceProfile::default()
    })
}

/// Whether a client is a control token that it asks about.
pub(crate) fn asks_about_itself(client: &Client) -> bool {
    let asking = client
        .preferences()
        .filter(|profile| profile.asks(Vocabulary::ControlToken));
    let mut tokens = asking.iter().flat_map(|profile| &profile.control_tokens);
    tokens.any(|token| {
        let mut own = client.product_tokens().iter();
        own.any(|own| own.as_str().eq_ignore_ascii_case(token.token.as_str()))
    })
}

/// The client, without the vocabularies whose answers are not in robots.txt itself.
pub(crate) fn of_robots_txt(client: &Client) -> Client {
    let Some(profile) = client.preferences() else {
        return client.clone();
    };
    let own = ROBOTS_TXT_VOCABULARIES.iter().copied();
    let counting = own.filter(|one| profile.asks(*one));
    client.clone().with_preferences(PreferenceProfile {
        vocabularies: Some(counting.collect()),
        ..profile.clone()
    })
}

/// Whether the file states preferences for any robot, or names a control token.
///
/// ```
/// use abide::Robots;
/// use abide_analysis::preferences;
/// let robots = Robots::parse(b"User-agent: *\nContent-Signal: ai-train=no\n");
/// assert!(preferences::are_stated(&robots));
/// assert!(!preferences::are_stated(&Robots::parse(b"User-agent: GPTBot\nDisallow: /\n")));
/// ```
#[must_use]
pub fn are_stated(robots: &Robots) -> bool {
    let mut lines = robots.lines().iter();
    has_lines(robots) || lines.any(|line| named_token(robots, line).is_some())
}

/// Whether any line states a preference, or names a licence.
#[must_use]
pub fn has_lines(robots: &Robots) -> bool {
    let mut lines = robots.lines().iter();
    lines.any(|line| robots.is_preference(line))
}

/// The control token that a `User-agent` line names, if its operator documents what it controls.
#[must_use]
pub fn named_token(robots: &Robots, line: &Line) -> Option<&'static KnownRobot> {
    let field = line.field()?;
    if field.kind != FieldKind::UserAgent {
        return None;
    }
    let value = field.value.of(robots.text().as_bytes());
    let is_token = |byte: &u8| byte.is_ascii_alphabetic() || b"-_".contains(byte);
    let end = value.iter().position(|byte| !is_token(byte));
    let name = std::str::from_utf8(value.get(..end.unwrap_or(value.len()))?).ok()?;
    abide_known_robots::named(name).filter(|known| !known.controls.is_empty())
}

/// The default revision of `Content-Usage`.
#[must_use]
pub fn latest() -> &'static Revision {
    Revision::latest()
}
