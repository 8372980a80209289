//! How values of the engine and bytes of a file are written as data.

use super::report::Change;
use abide::app::DirectiveValue;
use abide::rep::CrawlDelay;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// Values of a file as texts.
#[expect(clippy::ref_option, reason = "serde's signature")]
pub(super) fn texts<S: Serializer>(
    change: &Option<Change<Vec<Vec<u8>>>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let texts = change.as_ref().map(|change| {
        change.map(|values| {
            let values = values.iter().map(|value| String::from_utf8_lossy(value));
            values.collect::<Vec<_>>()
        })
    });
    texts.serialize(serializer)
}

/// A delay in seconds.
#[expect(clippy::ref_option, reason = "serde's signature")]
pub(super) fn seconds<S: Serializer>(
    change: &Option<Change<Option<CrawlDelay>>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let seconds = |delay: &Option<CrawlDelay>| delay.map(|delay| delay.duration().as_secs_f64());
    let seconds = change.as_ref().map(|change| change.map(seconds));
    seconds.serialize(serializer)
}

/// Values as structured fields write them.
pub(super) fn shown<S: Serializer>(
    values: &BTreeMap<String, DirectiveValue>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(values.iter().map(|(name, value)| (name, value.to_string())))
}

/// How many items there are.
pub(super) fn count<T, S: Serializer>(items: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    items.len().serialize(serializer)
}
