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
            // Short names are too much alike to tell a slip from another robot.
            let most = match known.len() {
                0..9 => return None,
                9..13 => 1,
                _ => 2,
            };
            let found = spelling::distance(name, known, most)?;
            Some((found, known))
        })
        .min()
        .map(|(_, known)| known)
}
