//! Names of well-known crawlers, and what is nearly one of them. The names are data:
//! `data/crawlers.tsv`.

use crate::spelling;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The well-known names.
struct Known {
    /// As they are written.
    names: Vec<&'static str>,
    /// By what is left of them without case, blanks and hyphens.
    by_bare: HashMap<String, &'static str>,
}

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let lines = include_str!("../data/crawlers.tsv").lines();
    let names: Vec<&'static str> = lines
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| Some(line.split_once('\t')?.0))
        .collect();
    Known {
        by_bare: names.iter().map(|name| (bare(name), *name)).collect(),
        names,
    }
});

fn bare(name: &str) -> String {
    let kept = name.chars().filter(|c| !matches!(c, ' ' | '-' | '_'));
    kept.map(|c| c.to_ascii_lowercase()).collect()
}

/// Whether this is a well-known name.
pub(crate) fn is_known(name: &str) -> bool {
    KNOWN
        .names
        .iter()
        .any(|known| known.eq_ignore_ascii_case(name))
}

/// The well-known name that was probably meant by one that is none: a letter or two are amiss, or a
/// blank or hyphen stands where none belongs.
pub(crate) fn meant_by(name: &str) -> Option<&'static str> {
    const SHORTEST: usize = 6;
    if name.len() < SHORTEST {
        return None;
    }
    if let Some(known) = KNOWN.by_bare.get(&bare(name)) {
        return (!known.eq_ignore_ascii_case(name)).then_some(*known);
    }
    let known = KNOWN.names.iter();
    known
        .filter_map(|known| {
            // Short names are too much alike to tell a slip from another robot.
            let most = match known.len() {
                0..9 => return None,
                9..13 => 1,
                _ => 2,
            };
            let found = spelling::distance(name.as_bytes(), known.as_bytes(), most)?;
            Some((found, *known))
        })
        .min()
        .map(|(_, known)| known)
}
