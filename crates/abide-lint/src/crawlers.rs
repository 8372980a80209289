//! Names of known robots, and what is nearly one of them.

use crate::spelling;
use abide_known_robots::KnownRobot;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The tokens of the table, by what is left of them without case, spaces and hyphens.
static BY_BARE: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    let tokens = abide_known_robots::all().iter().map(|robot| robot.token);
    tokens.map(|token| (bare(token), token)).collect()
});

fn bare(name: &str) -> String {
    let kept = name.chars().filter(|c| !matches!(c, ' ' | '-' | '_'));
    kept.map(|c| c.to_ascii_lowercase()).collect()
}

/// The row of the robot with this name. A `*` behind a name, as in `Mediapartners-Google*`, is
/// common and harmless.
pub(crate) fn known(name: &str) -> Option<&'static KnownRobot> {
    abide_known_robots::named(name.trim_end_matches(['*', ' ']))
}

/// The well-known name that was probably meant by one that is none: a letter or two are amiss, or a
/// blank or hyphen stands where none belongs.
pub(crate) fn meant_by(name: &str) -> Option<&'static str> {
    const SHORTEST: usize = 6;
    if name.len() < SHORTEST {
        return None;
    }
    if let Some(known) = BY_BARE.get(&bare(name)) {
        return (!known.eq_ignore_ascii_case(name)).then_some(*known);
    }
    let known = abide_known_robots::all().iter().map(|robot| robot.token);
    known
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
    if name.strip_suffix('s') == Some(&known) {
        return true;
    }
    let (name, known) = (name.as_bytes(), known.as_bytes());
    let Some(at) = name.iter().zip(known).position(|(own, other)| own != other) else {
        return false;
    };
    let swapped = [known.get(at + 1), known.get(at)];
    name.len() == known.len()
        && [name.get(at), name.get(at + 1)] == swapped
        && name.get(at + 2..) == known.get(at + 2..)
}

/// The operator that was probably meant by a name that is no robot's, with its robots. Those whose
/// names begin with the name come first.
pub(crate) fn operator_meant_by(name: &str) -> Option<(&'static str, Vec<&'static str>)> {
    // A name with digits or dots, such as `80legs`, may be that of a robot that matches it whole.
    let is_word = |letter: char| letter.is_ascii_alphabetic() || "-_ ".contains(letter);
    if !name.chars().all(is_word) {
        return None;
    }
    let operator = abide_known_robots::operator_named(name)?;
    let robots = abide_known_robots::all().iter();
    let tokens = robots
        .filter(|robot| robot.operator == operator)
        .map(|robot| robot.token);
    let mut tokens: Vec<_> = tokens.collect();
    // A robot such as `MegaIndex.ru` finds the group of `MegaIndex`.
    let is_read = |token: &&str| {
        let rest = token.get(..name.len()).zip(token.get(name.len()..));
        rest.is_some_and(|(start, rest)| {
            start.eq_ignore_ascii_case(name)
                && !rest.starts_with(|next: char| next.is_ascii_alphabetic() || "-_".contains(next))
        })
    };
    if tokens.iter().any(is_read) {
        return None;
    }
    let begins = |token: &str| {
        token
            .get(..name.len())
            .map(|own| own.eq_ignore_ascii_case(name))
    };
    tokens.sort_by_key(|token| begins(token) != Some(true));
    Some((operator, tokens))
}
