//! Statements of `Content-Signal`, in lines of robots.txt and in response fields (PREF-49 to
//! PREF-66).

use super::{Preference, StatedUsages, UseLevel};
use crate::verdict::Usage;

/// The words and the usages that they are about.
pub(crate) const WORDS: [(&str, Usage); 3] = [
    ("search", Usage::Search),
    ("ai-input", Usage::AiInput),
    ("ai-train", Usage::Train),
];

/// The word that limits the level of use.
pub(crate) const USE: &str = "use";

/// What a statement says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Signal {
    pub(crate) stated: StatedUsages,
    /// The level of use that it limits to.
    pub(crate) max_use: Option<UseLevel>,
}

impl Signal {
    /// Reads the items of a statement, without its path. Of a word with several values, the most
    /// restrictive counts (PREF-61).
    pub(crate) fn read(statement: &[u8]) -> Self {
        let mut signal = Self::default();
        for item in items(statement) {
            signal.add(&item);
        }
        signal
    }

    fn add(&mut self, item: &Item<'_>) {
        if let Some(usage) = item.usage() {
            if let Some(preference) = item.preference() {
                self.stated.restrict(usage, preference);
            }
        } else if item.key.eq_ignore_ascii_case(USE.as_bytes())
            && let Some(level) = item.level()
        {
            self.max_use = Some(self.max_use.map_or(level, |present| present.min(level)));
        }
    }

    /// Whether it says nothing.
    pub(crate) fn is_silent(self) -> bool {
        self.stated.is_silent() && self.max_use.is_none()
    }

    /// Both statements together: the more restrictive of each word.
    pub(crate) fn meet(self, other: Self) -> Self {
        let levels = self.max_use.into_iter().chain(other.max_use);
        Self {
            stated: self.stated.meet(other.stated),
            max_use: levels.min(),
        }
    }
}

/// One `key=value` of a statement, without blanks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<'s> {
    pub(crate) key: &'s [u8],
    /// `None` without `=`.
    pub(crate) value: Option<&'s [u8]>,
}

impl<'s> Item<'s> {
    /// Reads the text between two separators.
    pub(crate) fn read(text: &'s [u8]) -> Self {
        let mut sides = text.splitn(2, |byte| *byte == b'=');
        Self {
            key: sides.next().unwrap_or_default().trim_ascii(),
            value: sides.next().map(<[u8]>::trim_ascii),
        }
    }

    /// The usage that the key is about, in any case (PREF-55).
    pub(crate) fn usage(&self) -> Option<Usage> {
        let known = WORDS
            .iter()
            .find(|(word, _)| self.key.eq_ignore_ascii_case(word.as_bytes()));
        known.map(|&(_, usage)| usage)
    }

    /// The value as `yes` or `no`.
    pub(crate) fn preference(&self) -> Option<Preference> {
        let value = self.value?;
        if value.eq_ignore_ascii_case(b"yes") {
            Some(Preference::Yes)
        } else if value.eq_ignore_ascii_case(b"no") {
            Some(Preference::No)
        } else {
            None
        }
    }

    /// The value as a level of use.
    pub(crate) fn level(&self) -> Option<UseLevel> {
        let value = self.value?;
        UseLevel::ALL
            .iter()
            .copied()
            .find(|level| value.eq_ignore_ascii_case(level.name().as_bytes()))
    }
}

/// The item of a statement that says `preference` about `usage`, as written: `ai-train=no`.
pub(crate) fn written(statement: &[u8], usage: Usage, preference: Preference) -> Option<&str> {
    let own = parts(statement).find(|part| {
        let item = Item::read(part);
        (item.usage(), item.preference()) == (Some(usage), Some(preference))
    });
    std::str::from_utf8(own?).ok()
}

/// The items of a statement.
pub(crate) fn items(statement: &[u8]) -> impl Iterator<Item = Item<'_>> {
    parts(statement).map(Item::read)
}

/// The texts of items. `;` separates them as `,` does (CLA-PREF-17).
fn parts(statement: &[u8]) -> impl Iterator<Item = &[u8]> {
    let parts = statement.split(|byte| matches!(byte, b',' | b';'));
    let parts = parts.map(<[u8]>::trim_ascii);
    parts.filter(|part| !part.is_empty())
}
