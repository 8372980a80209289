//! Names of known robots, and what is nearly one of them.

use abide_analysis::compare::prominence;
use abide_analysis::spelling;
use abide_analysis::words::enumerated;
use abide_known_robots::{Basis, Kind, KnownRobot, Purpose};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The tokens of the table, by what is left of them without case, spaces and hyphens.
static BY_BARE: LazyLock<HashMap<String, &'static str>> =
    LazyLock::new(|| current().map(|token| (bare(token), token)).collect());

/// The tokens that operators have today: a legacy name closes a site to no robot.
fn current() -> impl Iterator<Item = &'static str> {
    let robots = abide_known_robots::all().iter();
    robots
        .filter(|robot| !robot.is_legacy())
        .map(|robot| robot.token)
}

fn bare(name: &str) -> String {
    let kept = name.chars().filter(|c| !matches!(c, ' ' | '-' | '_'));
    kept.map(|c| c.to_ascii_lowercase()).collect()
}

/// The row of the robot with this name. A `*` behind a name, as in `Mediapartners-Google*`, is
/// common and harmless.
pub(crate) fn known(name: &str) -> Option<&'static KnownRobot> {
    abide_known_robots::named(name.trim_end_matches(['*', ' ']))
}

/// The well-known name that was probably meant by one that is none: a letter or two differ, or a
/// blank or hyphen is where none belongs.
///
/// Less is a slip here than for `misspelt` and `nearest` of the table, above all in short names:
/// those are about names that somebody gives to abide, and most unknown names in files are robots
/// that the table does not have.
pub(crate) fn meant_by(name: &str) -> Option<&'static str> {
    const MIN_NAME_BYTES: usize = 6;
    if name.len() < MIN_NAME_BYTES {
        return None;
    }
    if let Some(known) = BY_BARE.get(&bare(name)) {
        return (!known.eq_ignore_ascii_case(name)).then_some(*known);
    }
    current()
        .filter_map(|known| {
            // Short names are too much alike to tell a slip from another robot, except for the most
            // frequent slips.
            let most = match known.len() {
                0..5 => return None,
                5..9 => return is_slip(name, known).then_some((1, known)),
                9..13 => 1,
                _ => 2,
            };
            let found = spelling::distance(name, known, most)?;
            Some((found, known))
        })
        .min()
        .map(|(_, known)| known)
}

/// Whether a name is another one with two neighbouring letters swapped, or with an `s` behind it.
fn is_slip(name: &str, known: &str) -> bool {
    let [name, known] = [name, known].map(str::to_ascii_lowercase);
    let sorted = |name: &str| {
        let mut letters = name.as_bytes().to_vec();
        letters.sort_unstable();
        letters
    };
    name.strip_suffix('s') == Some(&known)
        || (spelling::distance(&name, &known, 1) == Some(1) && sorted(&name) == sorted(&known))
}

/// The operator that was probably meant by a name that is no robot's, with its robots that follow
/// robots.txt: first the one that its product is trained by, then those whose names begin with the
/// name, then those that people look for.
pub(crate) fn operator_meant_by(name: &str) -> Option<(&'static str, Vec<&'static str>)> {
    // A name with digits or dots, such as `80legs`, may be that of a robot that matches it whole.
    let is_word = |letter: char| letter.is_ascii_alphabetic() || "-_ ".contains(letter);
    if !name.chars().all(is_word) {
        return None;
    }
    let short = name.len().checked_sub(" ai".len());
    let short = short.and_then(|end| name.split_at_checked(end));
    let short = short.filter(|(_, rest)| rest.eq_ignore_ascii_case(" ai"));
    let named = abide_known_robots::operator_named;
    let operator = named(name).or_else(|| named(short?.0))?;
    let robots = abide_known_robots::all().iter();
    let theirs = robots.filter(|robot| robot.operator == operator && !robot.is_legacy());
    let follows = |robot: &&KnownRobot| robot.follows_robots_txt != Some(false);
    let all: Vec<_> = theirs.clone().map(|robot| robot.token).collect();
    let mut tokens: Vec<_> = theirs.filter(follows).map(|robot| robot.token).collect();
    let behind_name = |token: &'static str| {
        let (start, rest) = token.split_at_checked(name.len())?;
        start.eq_ignore_ascii_case(name).then_some(rest)
    };
    // A robot such as `MegaIndex.ru` finds the group of `MegaIndex`.
    let is_read = |token: &&'static str| {
        let goes_on = |next: char| next.is_ascii_alphabetic() || "-_".contains(next);
        behind_name(token).is_some_and(|rest| !rest.starts_with(goes_on))
    };
    if all.iter().any(is_read) {
        return None;
    }
    let trained = abide_known_robots::trained_as(name).map(|robot| robot.token);
    tokens.sort_by_key(|token| {
        let is_trained = trained == Some(token);
        (!is_trained, behind_name(token).is_none(), prominence(token))
    });
    Some((operator, tokens))
}

/// The tokens that ask an operator not to train AI models: those of its robots that mainly do so,
/// and its control tokens.
pub(crate) fn training(operator: &str) -> Vec<&'static str> {
    let robots = abide_known_robots::all().iter();
    let theirs = robots.filter(|robot| robot.operator == operator && trains(robot));
    theirs.map(|robot| robot.token).collect()
}

/// Whether a token asks its operator not to train AI models: the operator documents a robot that
/// mainly does so and follows robots.txt, or a control token.
pub(crate) fn trains(robot: &KnownRobot) -> bool {
    let follows = robot.follows_robots_txt == Some(true) || robot.is_control_token();
    let is_current = !robot.is_legacy() && robot.basis == Basis::Operator;
    is_current
        && follows
        && robot.kind != Kind::UserTriggered
        && robot.main_purpose() == Purpose::AiTraining
}

/// The lines that name robots: `"User-agent: GPTBot" and "User-agent: CCBot"`.
pub(crate) fn lines_for(tokens: &[&str], most: usize) -> String {
    let lines = tokens
        .iter()
        .map(|token| format!("\"User-agent: {token}\""));
    enumerated(&lines.collect::<Vec<_>>(), most)
}
