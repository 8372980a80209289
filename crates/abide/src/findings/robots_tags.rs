//! Findings about the robots tags that apply to a client.

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::tag::effect::is_unreadable;
use crate::tag::rule::{is_known_rule, known_names};
use crate::tag::{Binding, MAX_MISTAKES, RuleKind, StatedRule, legacy};
use crate::visible::visible;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Findings about the rules that apply.
pub(super) fn findings(tags: &Binding<'_>) -> Vec<Diagnostic> {
    let unreadable = tags.rules.iter().filter_map(|(name, value)| {
        let rule = StatedRule {
            name: name.clone(),
            value: value.clone(),
        };
        is_unreadable(&rule).then(|| {
            Diagnostic::of_decision(
                Code::RobotsTagValue,
                format!(
                    "the value {:?} of {name} cannot be read; the strictest value applies",
                    visible(value.as_deref().unwrap_or_default().as_bytes())
                ),
            )
        })
    });
    // Rules that a `;` joins have a finding of their own.
    let unknown = tags.unknown.iter().filter(|name| !legacy::is_joined(name));
    unreadable
        .chain(joined_in_metas(tags))
        .chain(unknown.map(|name| unknown_rule(name)))
        .collect()
}

/// Findings about rules of meta elements that a `;` joins.
fn joined_in_metas(tags: &Binding<'_>) -> impl Iterator<Item = Diagnostic> {
    let metas = tags.statements.iter();
    let metas = metas.filter(|one| one.source.is_meta());
    let joined = metas.flat_map(|meta| &meta.rules).filter_map(|rule| {
        let text = match &rule.value {
            Some(value) => Cow::Owned(format!("{}:{value}", rule.name)),
            None => Cow::Borrowed(&*rule.name),
        };
        legacy::is_joined(&text).then(|| legacy::joined_rules("meta element", &text))
    });
    // The same mistake in many elements is reported once; only a hostile page has many.
    let joined: BTreeSet<String> = joined.take(MAX_MISTAKES).collect();
    let joined = joined.into_iter();
    joined.map(|message| Diagnostic::of_decision(Code::RobotsTagSeparator, message))
}

/// The finding about an unknown rule, with what was probably meant.
fn unknown_rule(name: &str) -> Diagnostic {
    let shown = visible(name.as_bytes());
    match meant_by(name) {
        Some(meant) => Diagnostic::of_decision(
            Code::UnknownTagRule,
            format!(
                "unknown robots tag rule {shown:?}, which has no effect; did you mean {meant:?}?"
            ),
        )
        .with_severity(Severity::Warning),
        None => Diagnostic::of_decision(
            Code::UnknownTagRule,
            format!("unknown robots tag rule {shown:?}; it has no effect"),
        ),
    }
}

/// Rule names that are shorter are too much alike to tell a slip from another rule.
const MIN_SLIP_BYTES: usize = 6;

/// The rules that were probably meant by an unknown one: known rules without a comma between them,
/// and a known rule with a hyphen, blank or letter too many, too few, or in the wrong place.
fn meant_by(name: &str) -> Option<String> {
    let words: Vec<&str> = name.split_ascii_whitespace().collect();
    if words.len() > 1 && words.iter().all(|word| is_known_rule(word)) {
        return Some(words.join(", "));
    }
    let letters = bare(name);
    let mut known = known_names().filter(|known| RuleKind::of(known) != RuleKind::Positive);
    known
        .find(|known| {
            let known = bare(known);
            letters == known
                || (known.len() >= MIN_SLIP_BYTES && is_one_slip_away(&letters, &known))
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
