//! The effect of rules on usages (docs/spec/decision.md, CLA-13).

use super::date;
use super::rule::StatedRule;
use crate::moment::Moment;
use crate::verdict::{Condition, ImagePreview, Modification, Usage};

/// What a rule asks for one usage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Prohibited.
    Prohibited,
    /// Prohibited, because the date of the rule has passed.
    Expired,
    /// Prohibited, because the value cannot be read, and its author wanted less, not more.
    Unreadable,
    /// Permitted under a condition.
    Condition(Condition),
}

const SNIPPETS: &[Usage] = &[Usage::PresentSnippet, Usage::PresentOldsnippet];
const THUMBNAILS: &[Usage] = &[Usage::PresentThumbnail, Usage::PresentOldthumbnail];
const COPIES: &[Usage] = &[Usage::PresentCurrentcopy, Usage::PresentOldcopy];
const TRANSLATABLE: &[Usage] = &[
    Usage::Present,
    Usage::PresentOriginal,
    Usage::PresentCurrentcopy,
    Usage::PresentOldcopy,
    Usage::PresentSnippet,
    Usage::PresentOldsnippet,
];

/// The usages that a rule restricts, and how. Empty for a rule without effect. Without `now`, no
/// date has passed.
pub(crate) fn effects(rule: &StatedRule, now: Option<Moment>) -> Vec<(Usage, Effect)> {
    let value = rule.value.as_deref();
    let of = |usages: &[Usage], effect: Effect| -> Vec<(Usage, Effect)> {
        usages
            .iter()
            .map(|usage| (*usage, effect.clone()))
            .collect()
    };
    match rule.name.as_str() {
        "noindex" => of(&[Usage::Index], Effect::Prohibited),
        "nosnippet" => of(SNIPPETS, Effect::Prohibited),
        "nofollow" => of(&[Usage::Follow], Effect::Prohibited),
        "none" => of(&[Usage::Follow, Usage::Index], Effect::Prohibited),
        "noarchive" | "nocache" => of(COPIES, Effect::Prohibited),
        "notranslate" => {
            let condition = Condition::ProhibitedModification(Modification::Translation);
            of(TRANSLATABLE, Effect::Condition(condition))
        }
        "max-snippet" => match value.and_then(count) {
            Some(Count::Unlimited) => Vec::new(),
            Some(Count::AtMost(0)) => of(SNIPPETS, Effect::Prohibited),
            Some(Count::AtMost(chars)) => of(
                SNIPPETS,
                Effect::Condition(Condition::MaxLengthChars(chars)),
            ),
            None => of(SNIPPETS, Effect::Unreadable),
        },
        "max-video-preview" => match value.and_then(count) {
            Some(Count::Unlimited) => Vec::new(),
            Some(Count::AtMost(seconds)) => of(
                SNIPPETS,
                Effect::Condition(Condition::MaxVideoPreview(seconds)),
            ),
            None => of(SNIPPETS, Effect::Unreadable),
        },
        "max-image-preview" => of(THUMBNAILS, image_preview(value)),
        "unavailable_after" => of(&[Usage::Index], unavailable_after(value, now)),
        _ => Vec::new(),
    }
}

/// A limit.
#[derive(Clone, Copy)]
enum Count {
    AtMost(u64),
    Unlimited,
}

/// Reads a count; `-1` is no limit. A number that is too large is read as the greatest.
fn count(value: &str) -> Option<Count> {
    if value == "-1" {
        return Some(Count::Unlimited);
    }
    let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| Count::AtMost(value.parse().unwrap_or(u64::MAX)))
}

fn image_preview(value: Option<&str>) -> Effect {
    match value.map(str::to_ascii_lowercase).as_deref() {
        Some("none") => Effect::Prohibited,
        Some("standard") => Effect::Condition(Condition::MaxImagePreview(ImagePreview::Standard)),
        Some("large") => Effect::Condition(Condition::MaxImagePreview(ImagePreview::Large)),
        _ => Effect::Unreadable,
    }
}

fn unavailable_after(value: Option<&str>, now: Option<Moment>) -> Effect {
    match (value.and_then(date::read), now) {
        (None, _) => Effect::Unreadable,
        (Some(end), Some(now)) if now > end => Effect::Expired,
        (Some(end), _) => Effect::Condition(Condition::Until(end)),
    }
}

/// How much the value of a rule allows, to choose between two statements of the same rule: the
/// smaller is the stricter (AMB-TAG-12). An unreadable value allows nothing.
pub(super) fn leeway(rule: &StatedRule) -> i128 {
    let value = rule.value.as_deref().unwrap_or_default();
    match rule.name.as_str() {
        "max-snippet" | "max-video-preview" => match count(value) {
            None => -1,
            Some(Count::Unlimited) => i128::MAX,
            Some(Count::AtMost(count)) => i128::from(count),
        },
        "max-image-preview" => match image_preview(rule.value.as_deref()) {
            Effect::Condition(Condition::MaxImagePreview(ImagePreview::Large)) => 2,
            Effect::Condition(_) => 1,
            _ => 0,
        },
        "unavailable_after" => {
            date::read(value).map_or(i128::MIN, |end| i128::from(end.unix_seconds()))
        }
        _ => 0,
    }
}

/// Whether a rule has a value that cannot be read.
pub(crate) fn is_unreadable(rule: &StatedRule) -> bool {
    effects(rule, None)
        .iter()
        .any(|(_, effect)| *effect == Effect::Unreadable)
}
