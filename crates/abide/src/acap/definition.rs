//! Definitions: names for usages with qualifiers, for several usages at once, and for sets of
//! resources (ACAP-123 to ACAP-133, AMB-ACAP-2, AMB-ACAP-3, AMB-ACAP-18, CLA-7).

use super::scope::AcapPattern;
use crate::spelling::nearest;
use crate::verdict::{Condition, Usage};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The terms of a permission.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Terms {
    /// The conditions, joined: of one form only the strictest (AMB-ACAP-13).
    pub(crate) conditions: Vec<Condition>,
    /// Whether a qualifier is invalid. Such a permission takes part in conflicts, and prohibits if
    /// it wins (AMB-ACAP-8).
    pub(crate) is_void: bool,
}

/// The most conditions that a permission may have.
pub(crate) const MAX_CONDITIONS: usize = 64;

impl Terms {
    /// Adds a condition. Returns whether there was room for it.
    pub(crate) fn add(&mut self, condition: Condition) -> bool {
        let room = self.conditions.len() < MAX_CONDITIONS;
        if room {
            condition.join(&mut self.conditions);
        } else {
            self.is_void = true;
        }
        room
    }

    /// These terms and `others`, together.
    fn join(mut self, others: &Self) -> Self {
        self.is_void |= others.is_void;
        for condition in &others.conditions {
            // If there is no room, `add` makes the terms void.
            self.add(condition.clone());
        }
        self
    }
}

/// A standard usage, and the terms on which it is permitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UsagePart {
    pub(crate) usage: Usage,
    /// `None` without terms.
    pub(crate) terms: Option<Arc<Terms>>,
}

impl UsagePart {
    /// Whether a permission of this part grants nothing (AMB-ACAP-8).
    pub(crate) fn is_void(&self) -> bool {
        self.terms.as_ref().is_some_and(|terms| terms.is_void)
    }
}

/// A usage that a file defines.
#[derive(Clone, Debug, Default)]
pub(crate) struct LocalUsage {
    /// At most one part for each usage; none where the definition cannot be resolved.
    pub(crate) parts: Vec<UsagePart>,
    pub(crate) is_composite: bool,
    /// Defined more than once: permissions prohibit instead, and prohibitions cover every usage of
    /// any definition.
    pub(crate) is_ambiguous: bool,
    /// The defined usages that a composite one is made of.
    pub(crate) constituents: Vec<Box<[u8]>>,
}

impl LocalUsage {
    /// Makes every permission for the usage grant nothing: it prohibits if it wins (AMB-ACAP-8).
    pub(crate) fn void(&mut self) {
        for part in &mut self.parts {
            part.terms = Some(Arc::new(Terms {
                conditions: Vec::new(),
                is_void: true,
            }));
        }
    }

    /// Adds a part. A permission for a usage that is named twice is two permissions of one scope:
    /// both apply.
    pub(crate) fn add(&mut self, part: &UsagePart) {
        match self.parts.iter_mut().find(|own| own.usage == part.usage) {
            Some(own) => own.terms = joined(own.terms.as_ref(), part.terms.as_ref()),
            None => self.parts.push(part.clone()),
        }
    }
}

/// Both terms at once; `None` is no terms.
fn joined(a: Option<&Arc<Terms>>, b: Option<&Arc<Terms>>) -> Option<Arc<Terms>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(Arc::new(Terms::clone(a).join(b))),
        (one, other) => one.or(other).cloned(),
    }
}

/// A set of resources that a file defines.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResourceSet {
    /// All patterns; of a set that is defined more than once, of every definition.
    pub(crate) patterns: Vec<AcapPattern>,
    pub(crate) is_ambiguous: bool,
}

/// All definitions of a file, by their names in lower case. In a referenced file those of the file
/// that refers to it are visible too (ACAP-41, CLA-5).
#[derive(Clone, Debug, Default)]
pub(crate) struct Definitions {
    usages: BTreeMap<Box<[u8]>, LocalUsage>,
    sets: BTreeMap<Box<[u8]>, Arc<ResourceSet>>,
    referring: Option<Arc<Definitions>>,
}

impl Definitions {
    /// Adds a usage. Returns whether its name was free.
    pub(crate) fn define_usage(&mut self, name: Box<[u8]>, usage: LocalUsage) -> bool {
        // In a referenced file the definition of the referring file is the first one, so that a
        // second one here makes the name ambiguous.
        let inherited = self
            .referring
            .as_ref()
            .and_then(|all| all.usage(&name))
            .cloned();
        if let Some(inherited) = inherited {
            self.usages.entry(name.clone()).or_insert(inherited);
        }
        if let Some(present) = self.usages.get_mut(&name) {
            present.is_ambiguous = true;
            for part in &usage.parts {
                present.add(part);
            }
            false
        } else {
            self.usages.insert(name, usage);
            true
        }
    }

    /// Adds a set. Returns whether its name was free.
    pub(crate) fn define_set(&mut self, name: Box<[u8]>, patterns: Vec<AcapPattern>) -> bool {
        let inherited = self
            .referring
            .as_ref()
            .and_then(|all| all.set(&name))
            .cloned();
        if let Some(inherited) = inherited {
            self.sets.entry(name.clone()).or_insert(inherited);
        }
        if let Some(present) = self.sets.get_mut(&name) {
            // The referring file keeps the set as it defined it.
            let present = Arc::make_mut(present);
            present.is_ambiguous = true;
            present.patterns.extend(patterns);
            false
        } else {
            let is_ambiguous = false;
            let set = ResourceSet {
                patterns,
                is_ambiguous,
            };
            self.sets.insert(name, Arc::new(set));
            true
        }
    }

    /// The definitions of a file that a file with the definitions `referring` refers to.
    pub(crate) fn referred_by(referring: &Arc<Definitions>) -> Self {
        Self {
            referring: Some(Arc::clone(referring)),
            ..Self::default()
        }
    }

    pub(crate) fn usage(&self, name: &[u8]) -> Option<&LocalUsage> {
        let inherited = || self.referring.as_ref().and_then(|all| all.usage(name));
        self.usages.get(name).or_else(inherited)
    }

    pub(crate) fn set(&self, name: &[u8]) -> Option<&Arc<ResourceSet>> {
        let inherited = || self.referring.as_ref().and_then(|all| all.set(name));
        self.sets.get(name).or_else(inherited)
    }

    /// Ends the definitions. A permission for a composite usage with a part that is defined twice
    /// grants nothing, because it is unknown which of the two was meant.
    pub(crate) fn settle(&mut self) {
        let ambiguous = |name: &[u8]| self.usage(name).is_some_and(|usage| usage.is_ambiguous);
        let doubtful: Vec<_> = self
            .usages
            .iter()
            .filter(|(_, usage)| usage.constituents.iter().any(|name| ambiguous(name)))
            .map(|(name, _)| name.clone())
            .collect();
        for name in doubtful {
            if let Some(usage) = self.usages.get_mut(&name) {
                usage.void();
            }
        }
    }

    /// The defined usage that `wrong` was probably meant to name.
    pub(crate) fn usage_like(&self, wrong: &[u8]) -> Option<&[u8]> {
        nearest(wrong, self.usages.keys().map(|name| &**name))
    }

    /// The defined set that `wrong` was probably meant to name.
    pub(crate) fn set_like(&self, wrong: &[u8]) -> Option<&[u8]> {
        nearest(wrong, self.sets.keys().map(|name| &**name))
    }
}
