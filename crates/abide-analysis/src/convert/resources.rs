//! The paths that ACAP fields name, as the file writes them (ACAP-65, ACAP-137).

use super::in_other_case;
use abide::Robots;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Why a field with a set that [`Resources::patterns`] does not know is refused.
pub(super) const UNDEFINED_SET: &str =
    "the file does not define this set of paths once, before its records; write the paths out";

/// Why a field is refused that leads to another file.
pub(super) const UNKNOWN_REFERENCE: &str =
    "what the file says that this leads to is not known here";

/// That a field is of no use.
pub(super) const NO_USAGE: &str = "not a usage of ACAP 1.0: it has no effect";

/// The sets of paths that a file defines.
#[derive(Debug, Default)]
pub(super) struct Resources {
    /// The patterns of each set, by its name in lower case; `None` if it is defined twice.
    sets: BTreeMap<String, Option<Rc<[String]>>>,
}

impl Resources {
    pub(super) fn of(robots: &Robots) -> Self {
        let mut resources = Self::default();
        let text = robots.text().as_bytes();
        for field in robots.acap_lines().filter_map(|line| line.field()) {
            let key = field.key.of(text);
            // Later definitions have no effect.
            if key.eq_ignore_ascii_case(b"acap-crawler") {
                break;
            }
            if key.eq_ignore_ascii_case(b"acap-resource-set") && !field.has_control(text) {
                let value = String::from_utf8_lossy(field.value.of(text)).into_owned();
                let mut words = words(&value);
                let name = words.next().unwrap_or_default().to_ascii_lowercase();
                let patterns = words.map(str::to_owned).collect();
                let set = resources.sets.entry(name);
                set.and_modify(|set| *set = None).or_insert(Some(patterns));
            }
        }
        resources
    }

    /// The patterns that the resource of a field stands for. `None` for a set that is not defined
    /// exactly once.
    pub(super) fn patterns(&self, resource: &str) -> Option<Rc<[String]>> {
        if !resource.contains(':') || resource.starts_with(['/', '*']) {
            return Some(Rc::from([resource.to_owned()]));
        }
        let name = resource.to_ascii_lowercase();
        let name = name.strip_prefix("the-acap:resource-set:")?;
        let set = self.sets.get(name).cloned().flatten();
        set.filter(|patterns| !patterns.is_empty())
    }
}

/// The words of a value.
pub(super) fn words(value: &str) -> impl Iterator<Item = &str> {
    value.split([' ', '\t']).filter(|word| !word.is_empty())
}

/// A pattern as conventional rules have it.
pub(super) fn rooted(pattern: &str) -> String {
    if pattern.starts_with(['/', '*']) {
        pattern.to_owned()
    } else {
        format!("/{pattern}")
    }
}

/// Whether a pattern has letters: those of escapes are in either case for every rule.
pub(super) fn has_letters(pattern: &str) -> bool {
    let mut parts = pattern.split('%');
    let first = parts.next().unwrap_or_default();
    let behind = parts.map(|part| part.get(2..).unwrap_or_default());
    let mut all = std::iter::once(first).chain(behind);
    all.any(|part| part.bytes().any(|byte| byte.is_ascii_alphabetic()))
}

/// That `what`, with this pattern of a record, miss what the record reaches.
pub(super) fn ignores_case(what: &str, pattern: &str) -> String {
    let other = in_other_case(pattern.as_bytes());
    format!(
        "{what} are case-sensitive: this one, and others with letters, will not apply to {other}"
    )
}
