//! What was probably meant by rules and elements that say nothing to robots.

use super::is_html_space;
use super::legacy;
use super::rule::{RuleKind, is_known_rule, known_names};
use crate::diagnostic::shown;

/// Rule names that are shorter are too much alike to tell a slip from another rule.
const SHORTEST: usize = 6;

/// The rules that were probably meant by an unknown one: known rules without a comma between them,
/// and a known rule with a hyphen, blank or letter too many, too few, or in the wrong place.
pub(super) fn meant_by(name: &str) -> Option<String> {
    let words: Vec<&str> = name.split_ascii_whitespace().collect();
    if words.len() > 1 && words.iter().all(|word| is_known_rule(word)) {
        return Some(words.join(", "));
    }
    let letters = bare(name);
    let mut known = known_names().filter(|known| RuleKind::of(known) != RuleKind::Positive);
    known
        .find(|known| {
            let known = bare(known);
            letters == known || (known.len() >= SHORTEST && is_one_slip_away(&letters, &known))
        })
        .map(str::to_owned)
}

/// The letters of a name.
fn bare(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}

/// Whether one letter has to be added, removed or replaced, or two neighbours swapped, to make one
/// text of the other.
fn is_one_slip_away(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let pairs = one.iter().zip(other);
    let start = pairs.take_while(|(one, other)| one == other).count();
    let rest =
        |text: &[u8], from: usize| text.get(start.saturating_add(from)..).map(<[u8]>::to_vec);
    let swapped = |text: &[u8]| {
        rest(text, 0).map(|mut rest| {
            if let [first, second, ..] = &mut *rest {
                std::mem::swap(first, second);
            }
            rest
        })
    };
    let is_same = |one: Option<Vec<u8>>, other: Option<Vec<u8>>| one.is_some() && one == other;
    is_same(rest(one, 1), rest(other, 0))
        || is_same(rest(one, 0), rest(other, 1))
        || is_same(rest(one, 1), rest(other, 1))
        || is_same(swapped(one), rest(other, 0))
}

/// Whether an attribute that is not `name` names robots: `robots`, or a response field.
pub(super) fn is_robots(name: &str) -> bool {
    let name = name.trim_matches(is_html_space);
    name.eq_ignore_ascii_case("robots") || is_nearly_robots(name)
}

/// Whether the name of a meta element is one that no robot has, and was meant for all of them.
pub(super) fn is_nearly_robots(name: &str) -> bool {
    let name = name.trim_matches(is_html_space);
    let nearly = ["robot", "robots-tag", "x-robots-tag", "robots.txt"];
    nearly.iter().any(|one| name.eq_ignore_ascii_case(one))
}

/// Whether a text has a robots tag rule in it.
pub(super) fn names_any_rule(content: &str) -> bool {
    let parts = legacy::divide(content).into_iter();
    parts.take(super::MOST_MISTAKES).any(legacy::names_rule)
}

/// What is wrong with an element: its attribute, the value of that, and the rules that it was to
/// state.
pub(super) fn element(attribute: &str, value: &str, rules: &str) -> String {
    format!(
        "a meta element with {attribute}={} says nothing to robots; write name=\"robots\" content={}",
        shown(value.as_bytes()),
        shown(rules.trim_matches(is_html_space).as_bytes())
    )
}

#[cfg(test)]
mod tests {
    use super::meant_by;

    #[test]
    fn what_was_probably_meant() {
        for (name, meant) in [
            ("no-index", Some("noindex")),
            ("no index", Some("noindex")),
            ("no_follow", Some("nofollow")),
            ("noidnex", Some("noindex")),
            ("noindx", Some("noindex")),
            ("noindexx", Some("noindex")),
            ("nofallow", Some("nofollow")),
            ("max_snippet", Some("max-snippet")),
            ("unavailable-after", Some("unavailable_after")),
            ("noindex nofollow", Some("noindex, nofollow")),
            ("index  follow", Some("index, follow")),
            ("noindex seo", None),
            ("noai", None),
            ("noimageai", None),
            ("noodp", None),
            ("noydir", None),
            ("unicorn", None),
            ("nona", None),
            ("", None),
        ] {
            assert_eq!(meant_by(name).as_deref(), meant, "{name}");
        }
    }
}
