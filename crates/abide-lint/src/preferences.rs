//! AI preferences, as tools ask for them: with the control tokens of the robot's operator.
//!
//! ```
//! use abide::{Client, Outcome, Policy, ProductToken, Target, Usage};
//! use abide_lint::preferences;
//! let file = b"User-agent: Google-Extended\nDisallow: /\n";
//! let client = preferences::asked(&Client::new(ProductToken::new("Googlebot")?));
//! let policy = Policy::compile(file, &client);
//! let decision = policy.decide(&Target::new("/x")?);
//! assert_eq!(decision.outcome(Usage::Train), Outcome::Prohibited);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use abide::preference::{PreferenceProfile, Revision, Vocabulary};
use abide::syntax::{FieldKind, Line};
use abide::{Client, ProductToken, Robots};
use abide_known_robots::KnownRobot;

/// The vocabularies that robots.txt states by itself. RSL needs the licence documents.
pub const OF_ROBOTS_TXT: [Vocabulary; 3] = [
    Vocabulary::ContentUsage,
    Vocabulary::ContentSignal,
    Vocabulary::ControlToken,
];

/// The client, asking for the preferences of all vocabularies with the control tokens that are
/// about it (PREF-119). A client that asks already stays as it is.
#[must_use]
pub fn asked(client: &Client) -> Client {
    asked_of(client, None)
}

/// Does what [`asked`] does for some vocabularies; `None` for all.
#[must_use]
pub fn asked_of(client: &Client, vocabularies: Option<Vec<Vocabulary>>) -> Client {
    if client.preferences().is_some() {
        return client.clone();
    }
    let tokens = client.product_tokens().iter().map(ProductToken::as_str);
    let control_tokens = abide_known_robots::control_tokens(tokens);
    client.clone().with_preferences(PreferenceProfile {
        vocabularies,
        control_tokens,
        ..PreferenceProfile::default()
    })
}

/// The client, without the vocabularies whose answers are not in robots.txt itself.
pub(crate) fn of_robots_txt(client: &Client) -> Client {
    let Some(profile) = client.preferences() else {
        return client.clone();
    };
    let asked = OF_ROBOTS_TXT.into_iter().filter(|one| profile.asks(*one));
    client.clone().with_preferences(PreferenceProfile {
        vocabularies: Some(asked.collect()),
        ..profile.clone()
    })
}

/// Whether the file states preferences for any robot, or names a control token.
///
/// ```
/// use abide::Robots;
/// use abide_lint::preferences;
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
pub(crate) fn has_lines(robots: &Robots) -> bool {
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
pub(crate) fn latest() -> &'static Revision {
    PreferenceProfile::default().revision
}
