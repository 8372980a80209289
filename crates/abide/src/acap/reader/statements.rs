//! Permissions and prohibitions: usages, resources and qualifiers.

use super::AcapReader;
use crate::acap::definition::{Definitions, LocalUsage, Terms, UsagePart};
use crate::acap::field::{UsageName, after};
use crate::acap::name::folded;
use crate::acap::qualifier::{Qualifier, QualifierStatus};
use crate::acap::record::{Resource, UsageField};
use crate::acap::scope::AcapPattern;
use crate::acap::words::{AcapWord, first_word, words};
use crate::diagnostic::Code;
use crate::growth;
use crate::pattern::normal;
use crate::text::offset;
use crate::verdict::resource::has_scheme;
use crate::verdict::{Condition, Modification, Place, Sense, Usage};
use crate::visible::shown;
use std::sync::Arc;

impl AcapReader<'_, '_> {
    pub(super) fn statement(
        &mut self,
        place: Place,
        sense: Sense,
        usage: UsageName<'_>,
        value: &[u8],
    ) {
        let Some(open) = self.owner(place) else {
            return;
        };
        // Before the field is read: it belongs to the record even if it has no effect (ACAP-24).
        open.statement();
        let sub_record = open.record.sub_records.len().checked_sub(1);
        let (first, rest) = first_word(value);
        let words = words(rest);
        let parts = match sense {
            Sense::Allow => self.permitted(place, usage, &words),
            Sense::Disallow => self.prohibited(place, usage, &words),
        };
        let Some(resource) = self.resource(place, sense, first) else {
            return;
        };
        let is_resolved = !matches!(resource, Resource::Unknown);
        let is_valid = match sense {
            Sense::Allow => parts.iter().all(|part| !part.is_void()),
            // A prohibition takes a standard usage and no qualifiers (ACAP-58, ACAP-59).
            Sense::Disallow => words.is_empty() && matches!(usage, UsageName::Standard(_)),
        };
        // A usage that is unknown has no parts.
        if let Some(open) = self.record.as_mut().filter(|_| !parts.is_empty()) {
            let field = UsageField {
                is_valid: is_valid && is_resolved,
                place,
                sense,
                parts: parts.into_boxed_slice(),
                resource,
                sub_record: sub_record.map(offset),
            };
            growth::push(&mut open.record.statements, field);
        }
    }

    pub(super) fn permitted(
        &mut self,
        place: Place,
        usage: UsageName<'_>,
        words: &[AcapWord<'_>],
    ) -> Vec<UsagePart> {
        match usage {
            UsageName::Standard(usage) => {
                self.hints(place, usage, words);
                let terms = (!words.is_empty()).then(|| Arc::new(self.terms(place, usage, words)));
                vec![UsagePart { usage, terms }]
            }
            UsageName::Local(name) => {
                if !words.is_empty() {
                    let message = || {
                        "a permission for a usage in parentheses cannot have qualifiers; it prohibits \
                         instead"
                            .to_owned()
                    };
                    self.say(Code::AcapQualifierOnLocal, place, message);
                }
                self.local(place, name).map_or_else(Vec::new, |mut local| {
                    if local.is_ambiguous || !words.is_empty() {
                        local.void();
                    }
                    local.parts
                })
            }
            UsageName::Unknown(word) => {
                self.unknown_usage(place, word);
                Vec::new()
            }
        }
    }

    pub(super) fn prohibited(
        &mut self,
        place: Place,
        usage: UsageName<'_>,
        words: &[AcapWord<'_>],
    ) -> Vec<UsagePart> {
        let bare = |word: &AcapWord<'_>| matches!(word, AcapWord::Bare(_));
        if words.iter().any(bare) {
            let message = || "more than one resource; only the first is prohibited".to_owned();
            self.say(Code::AcapExtraToken, place, message);
        } else if !words.is_empty() {
            let message =
                || "a prohibition cannot have qualifiers; write a permission with them".to_owned();
            self.say(Code::AcapQualifierOnProhibition, place, message);
        }
        match usage {
            UsageName::Standard(usage) => vec![UsagePart { usage, terms: None }],
            UsageName::Local(name) => {
                let message = || {
                    "a prohibition must name standard usages; those that this name includes count"
                        .to_owned()
                };
                self.say(Code::AcapLocalInProhibition, place, message);
                self.local(place, name)
                    .map_or_else(Vec::new, |local| local.parts)
            }
            UsageName::Unknown(word) => {
                self.unknown_usage(place, word);
                Vec::new()
            }
        }
    }

    pub(super) fn local(&mut self, place: Place, name: &[u8]) -> Option<LocalUsage> {
        let found = self.file.definitions.usage(&folded(name)).cloned();
        if found.is_none() {
            self.undefined_usage(place, name);
        }
        found
    }

    /// What is valid, and worth a second look.
    fn hints(&mut self, place: Place, usage: Usage, words: &[AcapWord<'_>]) {
        match usage {
            Usage::Preserve if words.is_empty() => {
                let message = || "no limit: copies may be kept forever".to_owned();
                self.say(Code::AcapUnqualifiedPreserve, place, message);
            }
            Usage::Other => {
                let message = || "this permits every usage that nothing else is said about";
                self.say(Code::AcapAllowOther, place, message);
            }
            _ => {}
        }
    }

    /// The terms that qualifiers of a permission of `usage` set.
    pub(super) fn terms(&mut self, place: Place, usage: Usage, words: &[AcapWord<'_>]) -> Terms {
        let mut terms = Terms::default();
        let mut seen: Vec<Qualifier> = Vec::new();
        for word in words {
            match *word {
                AcapWord::Bare(word) => {
                    terms.is_void = true;
                    self.say(Code::AcapExtraToken, place, || {
                        format!(
                            "{} is neither the resource nor a qualifier; the permission prohibits \
                             instead",
                            shown(word)
                        )
                    });
                }
                AcapWord::Qualifier(name, value) => match self.qualifier(place, usage, name, value)
                {
                    Some((qualifier, condition)) => {
                        self.check_repeated(place, &mut seen, qualifier, &condition, &terms);
                        if !terms.add(condition) {
                            let message = || {
                                "too many qualifiers; the permission prohibits instead".to_owned()
                            };
                            self.say(Code::AcapBadQualifier, place, message);
                            // Every further qualifier would only repeat this message.
                            break;
                        }
                    }
                    None => terms.is_void = true,
                },
            }
        }
        terms
    }

    pub(super) fn qualifier(
        &mut self,
        place: Place,
        usage: Usage,
        name: &[u8],
        value: &[u8],
    ) -> Option<(Qualifier, Condition)> {
        let known = std::str::from_utf8(name).ok().and_then(Qualifier::named);
        let Some(qualifier) = known else {
            self.say(Code::AcapBadQualifier, place, || {
                format!(
                    "{} is not a qualifier of ACAP 1.0; the permission prohibits instead",
                    shown(name)
                )
            });
            return None;
        };
        if !qualifier.is_valid_for(usage) {
            self.say(Code::AcapBadQualifier, place, || {
                format!(
                    "{usage} does not allow {}; the permission prohibits instead",
                    qualifier.name()
                )
            });
            return None;
        }
        let condition = qualifier.condition(value);
        match (&condition, qualifier.status(usage)) {
            (None, _) => self.say(Code::AcapBadQualifier, place, || {
                let name = qualifier.name();
                format!(
                    "{} is not a value of {name}; the permission prohibits instead",
                    shown(value)
                )
            }),
            (Some(_), QualifierStatus::PriorArrangement) => {
                self.say(Code::AcapNotReady, place, || {
                    format!(
                        "{} on {usage} needs a prior arrangement; without one the permission prohibits",
                        qualifier.name()
                    )
                });
            }
            (Some(_), QualifierStatus::NotReady) => self.say(Code::AcapNotReady, place, || {
                format!(
                    "{} on {usage} is not ready for use; the permission prohibits instead",
                    qualifier.name()
                )
            }),
            (Some(_), QualifierStatus::Ready) if value.eq_ignore_ascii_case(b"until-recrawl") => {
                let message = || "read as until-recrawled; write it so".to_owned();
                self.say(Code::AcapUntilRecrawl, place, message);
            }
            (Some(_), QualifierStatus::Ready) => {}
        }
        condition.map(|condition| (qualifier, condition))
    }

    /// A qualifier stands once, but for modifications, of which `any` stands alone (ACAP-102,
    /// ACAP-109).
    fn check_repeated(
        &mut self,
        place: Place,
        seen: &mut Vec<Qualifier>,
        qualifier: Qualifier,
        condition: &Condition,
        terms: &Terms,
    ) {
        let any = Condition::ProhibitedModification(Modification::Any);
        let again = seen.contains(&qualifier);
        let wrong = match qualifier {
            Qualifier::ProhibitedModification => {
                again && (*condition == any || terms.conditions.contains(&any))
            }
            _ => again,
        };
        if wrong {
            self.say(Code::AcapDuplicateQualifier, place, || {
                format!(
                    "{} occurs more than once; the stricter one counts",
                    qualifier.name()
                )
            });
        }
        if !again {
            seen.push(qualifier);
        }
    }

    fn resource(&mut self, place: Place, sense: Sense, word: &[u8]) -> Option<Resource> {
        // A permission grants nothing, and a prohibition holds for every path (AMB-ACAP-5).
        let unknown = (sense == Sense::Disallow).then_some(Resource::Unknown);
        let effect = match sense {
            Sense::Allow => "the permission has no effect",
            Sense::Disallow => "the prohibition applies to every path",
        };
        if let Some(name) = after(word, b"the-acap:resource-set:") {
            let Some(set) = self.file.definitions.set(&folded(name)).cloned() else {
                let meant = self.suggest(Definitions::set_like, name);
                self.say(Code::AcapUndefinedSet, place, || {
                    format!("no set {} is defined: {effect}{meant}", shown(name))
                });
                return unknown;
            };
            // Nobody knows which of two definitions was meant. A prohibition holds for both, and a
            // permission for none.
            let grants = sense == Sense::Disallow || !set.is_ambiguous;
            return grants.then_some(Resource::Set(set));
        }
        if after(word, b"acap:resource-set:").is_some() {
            self.say(Code::AcapOldScheme, place, || {
                format!("the scheme is \"the-acap:\" now: {effect}")
            });
            return unknown;
        }
        if after(word, b"the-acap:").is_some() || names_set_elsewhere(word) {
            self.say(Code::AcapUndefinedSet, place, || {
                format!(
                    "{} is no set: write the-acap:resource-set:name: {effect}",
                    shown(word)
                )
            });
            return unknown;
        }
        self.pattern(place, word).map(Resource::Pattern)
    }

    pub(super) fn pattern(&mut self, place: Place, word: &[u8]) -> Option<AcapPattern> {
        let text = std::str::from_utf8(word).unwrap_or_default();
        if resource_is_url(text) {
            self.say(Code::AcapBadPattern, place, || {
                format!("{} is a URL; a pattern is a path of this site", shown(word))
            });
            return None;
        }
        let Ok(pattern) = AcapPattern::read(word) else {
            let message = || "expected a path pattern or a resource set".to_owned();
            self.say(Code::AcapBadPattern, place, message);
            return None;
        };
        if has_colon_before_slash(word) {
            self.say(Code::AcapBadPattern, place, || {
                let word = shown(word);
                format!("{word} is no path, because of the colon before its first slash; paths begin with \"/\"")
            });
        }
        self.check_characters(place, word);
        let body = word.strip_suffix(b"$").unwrap_or(word);
        if body.contains(&b'$') {
            let message = || "\"$\" is an ordinary character unless it ends the pattern".to_owned();
            self.say(Code::AcapDollarInside, place, message);
        }
        Some(pattern)
    }

    /// Reports what the grammar of paths does not allow, and robots compare all the same.
    pub(super) fn check_characters(&mut self, place: Place, path: &[u8]) {
        if path.contains(&b'?') {
            let message = || "paths of ACAP 1.0 have no query; it is still compared".to_owned();
            self.say(Code::AcapQuery, place, message);
        }
        if normal::stray_percent(path).is_some() {
            self.say(Code::StrayPercent, place, || normal::STRAY_PERCENT);
        }
        if path.iter().any(|byte| normal::is_foreign(*byte)) {
            self.say(Code::AcapPatternCharacter, place, || {
                let text = String::from_utf8_lossy(path);
                let is_foreign = |c: &char| c.to_string().bytes().any(normal::is_foreign);
                let found = text.chars().find(is_foreign).map(String::from);
                let found = shown(found.unwrap_or_default().as_bytes());
                format!(
                    "{found} cannot be in a URL; it is compared as an escape, so write the escape"
                )
            });
        }
    }
}

/// Whether a value names a resource set with a wrong scheme, such as `theacap:resource-set:x`. What
/// it means is not known, as with an undefined set (AMB-ACAP-5).
fn names_set_elsewhere(word: &[u8]) -> bool {
    has_colon_before_slash(word)
        && memchr::memmem::find(&word.to_ascii_lowercase(), b"resource-set:").is_some()
}

/// Whether a word is no path because its first segment has a colon (RFC 3986, 4.2).
fn has_colon_before_slash(word: &[u8]) -> bool {
    let first = word.split(|byte| b"/?#".contains(byte)).next();
    // A wildcard can stand for the slash that a path begins with.
    first.is_some_and(|first| !first.starts_with(b"*") && first.contains(&b':'))
}

/// A URL where a path belongs.
fn resource_is_url(text: &str) -> bool {
    text.contains("://") && has_scheme(text)
}
