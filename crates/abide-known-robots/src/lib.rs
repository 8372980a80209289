//! Who the robots that visit web sites are: one dated table of tokens, operators, purposes and
//! documented behaviour.
//!
//! ```
//! let robot = abide_known_robots::named("gptbot").ok_or("not in the table")?;
//! assert_eq!(robot.operator, "OpenAI");
//! # Ok::<(), &str>(())
//! ```
//!
//! Rows are facts with their source. What no operator documents is `None`. [`Robot`] is a robot as
//! people name it, and applies what is documented about it.

// docs.rs shows which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
// What users may match and build completely is said with its reason.
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

use abide::preference::ControlToken;

mod named_robot;
mod robot;
mod selection;
mod sender;
mod table;

pub use named_robot::{Robot, RobotError, in_file, is_user_agent_line};
pub use robot::{AnyGroup, Basis, Kind, KnownRobot, Purpose};
pub use selection::{Selection, SelectionError};
pub use sender::{TakenName, sender};

/// All known robots, sorted by token without regard to case.
#[must_use]
pub const fn all() -> &'static [KnownRobot] {
    table::ROBOTS
}

/// The robot with this token, ignoring case.
#[must_use]
pub fn named(token: &str) -> Option<&'static KnownRobot> {
    let at = all().binary_search_by(|robot| without_case(robot.token).cmp(without_case(token)));
    all().get(at.ok()?)
}

/// What the table is sorted by.
fn without_case(token: &str) -> impl Iterator<Item = u8> + '_ {
    token.bytes().map(|byte| byte.to_ascii_lowercase())
}

/// The control tokens whose groups are about content that robots with these product tokens fetch,
/// or that are among them (PREF-119), in the order of the table.
///
/// ```
/// let asked = abide_known_robots::control_tokens(["bingbot", "Googlebot"]);
/// let tokens: Vec<_> = asked.iter().map(|asked| asked.token.as_str()).collect();
/// assert_eq!(tokens, ["Google-Extended"]);
/// ```
#[must_use]
pub fn control_tokens<'t>(tokens: impl IntoIterator<Item = &'t str>) -> Vec<ControlToken> {
    let tokens: Vec<&str> = tokens.into_iter().collect();
    let is_asked = |known: &str| {
        let mut tokens = tokens.iter();
        tokens.any(|token| token.eq_ignore_ascii_case(known))
    };
    let robots = all().iter().filter(|robot| {
        let mut fetchers = robot.fetchers.iter();
        is_asked(robot.token) || fetchers.any(|fetcher| is_asked(fetcher))
    });
    robots.filter_map(KnownRobot::control_token).collect()
}

/// The control tokens that concern a [`Robot`] with these product tokens: its own, and those that
/// it falls back to if the file does not name it. The group for another operator's robot says what
/// it may fetch, but that operator's control tokens are not about what it fetches.
///
/// ```
/// let asked = abide_known_robots::control_tokens_of_robot(["Applebot", "Googlebot"]);
/// let tokens: Vec<_> = asked.iter().map(|asked| asked.token.as_str()).collect();
/// assert_eq!(tokens, ["Applebot-Extended"]);
/// ```
#[must_use]
pub fn control_tokens_of_robot<'t>(tokens: impl IntoIterator<Item = &'t str>) -> Vec<ControlToken> {
    let tokens: Vec<&str> = tokens.into_iter().collect();
    let own = tokens.first().and_then(|first| named(first));
    let is_foreign_fallback = |token: &str| {
        own.is_some_and(|own| {
            own.falls_back_to.contains(&token)
                && named(token).is_some_and(|other| other.operator != own.operator)
        })
    };
    control_tokens(
        tokens
            .into_iter()
            .filter(|token| !is_foreign_fallback(token)),
    )
}

/// The known robot that sends this `User-Agent` header, if it does not depend on a file: the row of
/// the [`Robot`] that the line names. Control tokens send no requests.
///
/// ```
/// let line = "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)";
/// assert_eq!(abide_known_robots::of_user_agent(line).map(|robot| robot.token), Some("bingbot"));
/// ```
#[must_use]
pub fn of_user_agent(line: &str) -> Option<&'static KnownRobot> {
    sender::SentLine::new(line).known
}

/// The known robots that `query` stands for: a name, a whole `User-Agent` line, or a set such as
/// `@search`. With `operator`, only those whose operator's name contains it, ignoring case.
///
/// ```
/// let theirs = abide_known_robots::search("@ai-training", "openai")?;
/// assert!(theirs.iter().any(|robot| robot.token == "GPTBot"));
/// assert_eq!(abide_known_robots::search("gptbot", "")?[0].token, "GPTBot");
/// # Ok::<(), abide_known_robots::RobotError>(())
/// ```
///
/// # Errors
/// [`RobotError`] for an unknown set, and for a name or `User-Agent` line that is not of a robot in
/// the table.
pub fn search(query: &str, operator: &str) -> Result<Vec<&'static KnownRobot>, RobotError> {
    let found = if query.starts_with('@') {
        query.parse::<Selection>()?.robots().collect()
    } else {
        let robot = Robot::named(query)?;
        vec![robot.row().ok_or_else(|| RobotError::unknown(&robot))?]
    };
    let operator = operator.to_ascii_lowercase();
    let is_theirs = |robot: &&KnownRobot| robot.operator.to_ascii_lowercase().contains(&operator);
    Ok(found.into_iter().filter(is_theirs).collect())
}

/// The robot whose operator trains the product of this name, ignoring case, on what it fetches or
/// lets through.
///
/// ```
/// let robot = abide_known_robots::trained_as("bard").unwrap();
/// assert_eq!(robot.token, "Google-Extended");
/// ```
#[must_use]
pub fn trained_as(product: &str) -> Option<&'static KnownRobot> {
    let is_it = |own: &&str| own.eq_ignore_ascii_case(product);
    let mut robots = all().iter();
    robots.find(|robot| robot.products.iter().any(is_it))
}

/// The operator with this name, ignoring case, or whose product has it: `OpenAI` has robots
/// that are named after `ChatGPT`.
///
/// ```
/// assert_eq!(abide_known_robots::operator_named("openai"), Some("OpenAI"));
/// assert_eq!(abide_known_robots::operator_named("ChatGPT"), Some("OpenAI"));
/// assert_eq!(abide_known_robots::operator_named("GPTBot"), None);
/// ```
#[must_use]
pub fn operator_named(name: &str) -> Option<&'static str> {
    const MIN_NAME_BYTES: usize = 4;
    if name.len() < MIN_NAME_BYTES || named(name).is_some() {
        return None;
    }
    if let Some(robot) = trained_as(name) {
        return Some(robot.operator);
    }
    let name = name.to_ascii_lowercase();
    let is_theirs = |robot: &&KnownRobot| {
        let operator = robot.operator.to_ascii_lowercase();
        operator == name || operator.strip_suffix(" ai") == Some(&name)
    };
    let is_after_product = |robot: &&KnownRobot| {
        let token = robot.token.to_ascii_lowercase();
        let rest = token.strip_prefix(&name).unwrap_or_default();
        let endings = ["-", "_", "bot", "spider", "crawler", "external", "user"];
        endings.iter().any(|ending| rest.starts_with(ending))
    };
    let mut robots = all().iter();
    let found = robots.find(is_theirs);
    let found = found.or_else(|| all().iter().find(is_after_product));
    found.map(|robot| robot.operator)
}

/// The token of the table that is most like a name that it does not have, if one is similar: two
/// letters may differ, and any punctuation.
///
/// Meant for a name that must be in the table, and is wrong if it is not: a suggestion that is too
/// bold does no harm there. For a name that may be right, [`misspelt`] takes fewer for a slip; and
/// the linter still fewer, because most unknown names in files are robots that the table lacks.
///
/// ```
/// assert_eq!(abide_known_robots::nearest("Bing Bot"), Some("bingbot"));
/// assert_eq!(abide_known_robots::nearest("Gogolbot"), Some("Googlebot"));
/// assert_eq!(abide_known_robots::nearest("ExampleBot"), None);
/// ```
#[must_use]
pub fn nearest(name: &str) -> Option<&'static str> {
    let bare = |name: &str| -> String {
        let kept = name.chars().filter(char::is_ascii_alphanumeric);
        kept.map(|letter| letter.to_ascii_lowercase()).collect()
    };
    let own = bare(name);
    let mut tokens = all().iter().map(|robot| robot.token);
    let same = tokens.find(|token| bare(token) == own);
    same.or_else(|| {
        let tokens = all().iter().map(|robot| robot.token);
        let distances = tokens.map(|token| (letters_between(token, name), token));
        let near = distances.filter(|(letters, _)| own.len() > 4 && *letters <= 2);
        near.min_by_key(|(letters, _)| *letters)
            .map(|(_, token)| token)
    })
}

/// The token of the table that a name most likely misspells: one letter differs, is missing or too
/// much, or two are swapped. Names of fewer than six letters misspell nothing.
///
/// Meant for a name that somebody asks about and that may be that of a robot outside the table, so
/// less is a slip than for [`nearest`].
///
/// ```
/// assert_eq!(abide_known_robots::misspelt("GTPBot"), Some("GPTBot"));
/// assert_eq!(abide_known_robots::misspelt("GPTBot"), None);
/// assert_eq!(abide_known_robots::misspelt("ExampleBot"), None);
/// ```
#[must_use]
pub fn misspelt(name: &str) -> Option<&'static str> {
    if name.len() < 6 || named(name).is_some() {
        return None;
    }
    let mut tokens = all().iter().map(|robot| robot.token);
    tokens.find(|token| letters_between(token, name) == 1)
}

/// How many letters are added, left out, changed or swapped from one name to another, ignoring
/// case.
fn letters_between(one: &str, other: &str) -> usize {
    strsim::damerau_levenshtein(&one.to_ascii_lowercase(), &other.to_ascii_lowercase())
}

/// The README's example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
