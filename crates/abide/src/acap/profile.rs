//! The names, purposes and arrangements of a client for ACAP.

use super::Qualifier;
use crate::rep::token::ProductToken;

/// How far ACAP records count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AcapMode {
    /// In full, as ACAP says.
    #[default]
    Full,
    /// They may only restrict what conventional records allow for crawl (CLA-15).
    Restrict,
    /// Not at all.
    Off,
}

crate::named!(
    AcapMode,
    "ACAP mode",
    [Full = "full", Restrict = "restrict", Off = "off"]
);

/// The names, purposes and abilities of a client for ACAP.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct AcapProfile {
    /// Names that `ACAP-crawler` may use. If empty: the product tokens (ACAP-32).
    pub names: Vec<String>,
    /// Usage purposes of the client (ACAP-46).
    pub purposes: Vec<String>,
    /// Whether features that need a prior arrangement count (ACAP-141).
    pub prior_arrangement: bool,
    /// Qualifiers that the client cannot honour (ACAP-107).
    pub unsupported: Vec<Qualifier>,
    /// How far ACAP records count.
    pub mode: AcapMode,
}

/// A client whose decisions ACAP records count for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AcapAsker<'c> {
    pub(crate) profile: &'c AcapProfile,
    /// Its product tokens.
    pub(crate) tokens: &'c [ProductToken],
}

impl<'c> AcapAsker<'c> {
    /// The names that `ACAP-crawler` fields may use for the client (ACAP-32, AMB-X-6).
    pub(crate) fn names(self) -> impl Iterator<Item = &'c str> {
        let names = &self.profile.names;
        let tokens = self.tokens.iter().map(ProductToken::as_str);
        let tokens = tokens.take(if names.is_empty() { usize::MAX } else { 0 });
        names.iter().map(String::as_str).chain(tokens)
    }
}
