//! What a client is to ACAP (Part 3.1 of the requirements).

use super::Qualifier;
use crate::name_error::UnknownNameError;

/// How far ACAP records count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AcapMode {
    /// As ACAP says.
    #[default]
    Full,
    /// They may only tighten what conventional records say about crawl (CLA-15).
    Restrict,
    /// Not at all.
    Off,
}

impl AcapMode {
    /// The mode of this name: `full`, `restrict` or `off`.
    fn named(name: &str) -> Option<Self> {
        match name {
            "full" => Some(Self::Full),
            "restrict" => Some(Self::Restrict),
            "off" => Some(Self::Off),
            _ => None,
        }
    }
}

/// A client's names, purposes and abilities in ACAP's terms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AcapProfile {
    /// Names that `ACAP-crawler` may use; the product tokens where empty (ACAP-32).
    pub names: Vec<String>,
    /// Usage purposes that the client recognises as its own (ACAP-46).
    pub purposes: Vec<String>,
    /// Whether features that ask for a prior arrangement may be used (ACAP-141).
    pub prior_arrangement: bool,
    /// Qualifiers that the client cannot honour (ACAP-107).
    pub unsupported: Vec<Qualifier>,
    /// How far ACAP records count.
    pub mode: AcapMode,
}

/// Reads `full`, `restrict` or `off`.
impl std::str::FromStr for AcapMode {
    type Err = UnknownNameError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::named(name).ok_or_else(|| UnknownNameError::new("ACAP mode", name))
    }
}
