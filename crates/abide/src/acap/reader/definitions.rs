//! Definitions: names for usages with qualifiers, for several usages at once, and for sets of
//! resources.

use super::{AcapReader, Stage};
use crate::acap::definition::{Definitions, LocalUsage, UsagePart};
use crate::acap::field::UsageName;
use crate::acap::name::{folded, is_name};
use crate::acap::words::{first_word, words};
use crate::diagnostic::Code;
use crate::verdict::Place;
use crate::visible::shown;
use std::borrow::Cow;
use std::sync::Arc;

impl AcapReader<'_, '_> {
    pub(super) fn definition(
        &mut self,
        place: Place,
        value: &[u8],
        define: fn(&mut Self, Place, &[u8], &[u8]),
    ) {
        if self.stage == Stage::Records {
            for code in [Code::AcapLateDefinition, Code::AcapOrder] {
                self.say(code, place, || {
                    "a definition after the first record is ignored; move it up".to_owned()
                });
            }
            return;
        }
        // Before its name is read: an invalid definition also counts for the order of fields.
        self.stage = Stage::Definitions;
        let (name, rest) = first_word(value);
        if !is_name(name) {
            return self.say(Code::AcapBadName, place, || {
                format!(
                    "{} is not a name: write a letter, then letters, digits, \"-\", \"_\" and \".\"",
                    shown(name)
                )
            });
        }
        define(self, place, name, rest);
    }

    fn define_usage(&mut self, place: Place, name: &[u8], usage: LocalUsage) {
        if !self.file.definitions.define_usage(folded(name), usage) {
            self.say(Code::AcapDuplicateName, place, || {
                format!(
                    "the usage {} is defined twice; permissions for it prohibit instead",
                    shown(name)
                )
            });
        }
    }

    pub(super) fn qualified_usage(&mut self, place: Place, name: &[u8], rest: &[u8]) {
        let (word, rest) = first_word(rest);
        let mut local = LocalUsage::default();
        match UsageName::read(word) {
            UsageName::Standard(usage) => {
                let words = words(rest);
                let terms = Some(Arc::new(self.terms(place, usage, &words)));
                local.add(&UsagePart { usage, terms });
                if words.is_empty() {
                    local.void();
                    self.say(Code::AcapNoQualifier, place, || {
                        format!(
                            "{} has no qualifier, so permissions for it prohibit instead",
                            shown(name)
                        )
                    });
                }
            }
            UsageName::Local(_) | UsageName::Unknown(_) => self.unknown_usage(place, word),
        }
        self.define_usage(place, name, local);
    }

    pub(super) fn composite_usage(&mut self, place: Place, name: &[u8], mut rest: &[u8]) {
        let mut local = LocalUsage {
            is_composite: true,
            ..LocalUsage::default()
        };
        if first_word(rest).0.is_empty() {
            self.say(Code::AcapUnknownUsage, place, || {
                format!("{} names no usages", shown(name))
            });
        }
        // Once for the field, however many of its parts have one.
        if rest.contains(&b'=') {
            self.say(Code::AcapBadQualifier, place, || {
                format!(
                    "{} has a qualifier, so permissions for it prohibit instead; qualify its parts",
                    shown(name)
                )
            });
        }
        let is_void = rest.contains(&b'=');
        loop {
            let (word, behind) = first_word(rest);
            rest = behind;
            match UsageName::read(word) {
                _ if word.is_empty() => break,
                // Reported above.
                _ if word.contains(&b'=') => {}
                UsageName::Standard(usage) => local.add(&UsagePart { usage, terms: None }),
                UsageName::Local(part) => self.constituent(place, part, &mut local),
                UsageName::Unknown(_) => self.unknown_usage(place, word),
            }
        }
        if is_void {
            local.void();
        }
        self.define_usage(place, name, local);
    }

    /// A part of a composite usage that is itself defined: it has to be a qualified usage, defined
    /// before (ACAP-124, ACAP-130).
    fn constituent(&mut self, place: Place, name: &[u8], local: &mut LocalUsage) {
        let folded = folded(name);
        match self.file.definitions.usage(&folded) {
            None => self.undefined_usage(place, name),
            Some(other) if other.is_composite => {
                let message = || format!("{} is composite itself; name its parts", shown(name));
                self.say(Code::AcapNestedComposite, place, message);
            }
            Some(other) => {
                let mut other = other.clone();
                // If the name is defined again below this line, `Definitions::settle` finds it.
                if other.is_ambiguous {
                    other.void();
                }
                other.parts.iter().for_each(|part| local.add(part));
                local.constituents.push(folded);
            }
        }
    }

    pub(super) fn resource_set(&mut self, place: Place, name: &[u8], mut rest: &[u8]) {
        let mut patterns = Vec::new();
        loop {
            let (word, behind) = first_word(rest);
            rest = behind;
            if word.is_empty() {
                break;
            }
            // A word that is no pattern is reported, and left out of the set.
            patterns.extend(self.pattern(place, word));
        }
        if patterns.is_empty() {
            return self.say(Code::AcapBadPattern, place, || {
                format!(
                    "the set {} has no pattern, so it is not defined",
                    shown(name)
                )
            });
        }
        if !self.file.definitions.define_set(folded(name), patterns) {
            self.say(Code::AcapDuplicateName, place, || {
                format!(
                    "the set {} is defined twice; permissions for it have no effect",
                    shown(name)
                )
            });
        }
    }

    pub(super) fn unknown_usage(&mut self, place: Place, word: &[u8]) {
        let defined = self.file.definitions.usage(&folded(word)).is_some();
        self.say(Code::AcapUnknownUsage, place, || {
            if defined {
                format!("{0} is not a usage of ACAP 1.0; write ({0})", plain(word))
            } else {
                format!("{} is not a usage of ACAP 1.0", shown(word))
            }
        });
    }

    pub(super) fn undefined_usage(&mut self, place: Place, name: &[u8]) {
        let meant = self.suggest(Definitions::usage_like, name);
        self.say(Code::AcapUndefinedUsage, place, || {
            format!("no usage {} is defined above this line{meant}", shown(name))
        });
    }

    /// What to write instead of a name that is not defined.
    pub(super) fn suggest(
        &mut self,
        like: impl for<'d> Fn(&'d Definitions, &[u8]) -> Option<&'d [u8]>,
        wrong: &[u8],
    ) -> String {
        if !self.findings.are_wanted() || self.suggestions == 0 {
            return String::new();
        }
        self.suggestions = self.suggestions.saturating_sub(1);
        like(&self.file.definitions, &folded(wrong)).map_or_else(String::new, |name| {
            format!("; did you mean {}?", shown(name))
        })
    }
}

/// A name that is known to be one.
fn plain(name: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(name)
}
