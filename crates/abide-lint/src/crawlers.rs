//! Names of well-known crawlers, and what is nearly one of them. The names are data: `data/crawlers.tsv`.

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

/// The well-known name that was probably meant by one that is none: a letter or two are amiss, or a blank or hyphen
/// stands where none belongs.
pub(crate) fn meant_by(name: &str) -> Option<&'static str> {
    const SHORTEST: usize = 6;
    if name.len() < SHORTEST {
        return None;
    }
    if let Some(known) = KNOWN.by_bare.get(&bare(name)) {
        return (!known.eq_ignore_ascii_case(name)).then_some(*known);
    }
    let most = if name.len() < 9 { 1 } else { 2 };
    let long = KNOWN.names.iter().filter(|known| known.len() > SHORTEST);
    long.filter_map(|known| {
        let found = spelling::distance(name.as_bytes(), known.as_bytes(), most)?;
        Some((found, *known))
    })
    .min()
    .map(|(_, known)| known)
}
