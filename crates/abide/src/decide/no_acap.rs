//! The ACAP answer without the feature `acap`: every usage is unspecified.

use super::access::rules;
use super::ruling::Ruling;
use crate::pattern::normal::Forms;
use crate::policy::Policy;
use crate::target::Target;
use crate::verdict::Usage;
use std::marker::PhantomData;

/// What no record says.
pub(super) struct AcapSays<'p>(PhantomData<&'p Policy>);

impl<'p> AcapSays<'p> {
    pub(super) const fn new(_: &'p Policy, _: &Forms<'_>, _: &Target<'_>) -> Self {
        Self(PhantomData)
    }

    pub(super) const fn needs(self) -> Vec<String> {
        Vec::new()
    }

    pub(super) fn about(&self, _: Usage) -> (Ruling<'p>, Vec<&'p [u8]>) {
        (Ruling::default(), Vec::new())
    }

    pub(super) fn about_preference(&self, _: Usage) -> Ruling<'p> {
        Ruling::default()
    }

    pub(super) fn composed(&self, policy: &'p Policy, path: &Forms<'_>) -> Ruling<'p> {
        rules(policy, path, &policy.matching(path), &[])
    }
}
