//! Robots tag rules about AI, which vendors have defined (PREF-109 to PREF-113).

use crate::verdict::Usage;

/// The rules, and the usages that each of them prohibits.
const RULES: [(&str, &[Usage]); 3] = [
    ("noai", &[Usage::Train]),
    ("noimageai", &[Usage::Train]),
    ("noml", &[Usage::Train, Usage::AiInput]),
];

/// Whether the rule `name`, which is in lower case, is about AI.
pub(crate) fn is_known(name: &str) -> bool {
    named(name).is_some()
}

/// The name of the rule `name`, if it is about AI.
pub(crate) fn named(name: &str) -> Option<&'static str> {
    let mut names = RULES.iter().map(|(known, _)| *known);
    names.find(|known| *known == name)
}

/// The usages that the rule `name` prohibits for a resource. `noimageai` applies to image
/// resources; on a page it says nothing about the page itself (AMB-PREF-26).
pub(crate) fn prohibited(name: &str, is_image: bool) -> &'static [Usage] {
    let rule = RULES.iter().find(|(known, _)| *known == name);
    match rule {
        Some(("noimageai", _)) if !is_image => &[],
        Some((_, usages)) => usages,
        None => &[],
    }
}
