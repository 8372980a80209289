//! ACAP 1.0: permissions and prohibitions for crawling, following, indexing, preserving and
//! presenting, with qualifiers.
//!
//! - `field`, `reader`, `record`, `definition`: from lines to records, with names resolved.
//! - [`qualifier`](Qualifier), `words`: what can restrict a permission.
//! - `scope`: which of two patterns is narrower.
//! - `reference`, `request`: references to other files, and action requests.
//! - `compile`, `verdict`: the records that concern one client, and their answer for a usage.
//! - `side`: the records of a robots.txt and of the files that it refers to, which a policy keeps.
//! - [`profile`](AcapProfile): the names, purposes and arrangements of a client.
//!
//! Without the feature `acap` no record is read, and every usage is unspecified: `off` is then what
//! the rest of the engine calls.
//!
//! ACAP lines are a stream of their own: conventional lines are not part of it, and ignore it
//! (AMB-ACAP-16). `decide` combines the verdicts with those of other sources.

#[cfg(feature = "acap")]
mod compile;
#[cfg(feature = "acap")]
mod definition;
#[cfg(feature = "acap")]
mod field;
#[cfg(feature = "acap")]
mod name;
#[cfg(not(feature = "acap"))]
mod off;
mod profile;
mod qualifier;
#[cfg(feature = "acap")]
mod reader;
#[cfg(feature = "acap")]
mod record;
mod reference;
mod request;
#[cfg(feature = "acap")]
mod scope;
#[cfg(feature = "acap")]
mod side;
#[cfg(feature = "acap")]
mod verdict;
#[cfg(feature = "acap")]
mod words;

pub use crate::verdict::resource::{Inclusion, InclusionRole, Substitute};
pub use profile::{AcapMode, AcapProfile};
pub use qualifier::{Qualifier, QualifierStatus};
pub use reference::{FetchedReference, PermissionsReference};
pub use request::{Action, ActionRequest};
#[cfg(feature = "acap")]
pub use scope::{AcapPattern, Narrower};

#[cfg(feature = "acap")]
pub(crate) use self::{
    compile::{AcapStatement, MatchingStatements},
    field::{AcapLine, asks_to_ignore},
    reader::read,
    record::{AcapFile, Resource, UsageField},
    side::{
        AcapSide, Reading, ReferenceAnswer, compile, compile_file, line, lines, marked, policy_for,
        read_lines, recompile, referenced, version, why_conventional_count,
    },
    verdict::Circumstances,
};
#[cfg(not(feature = "acap"))]
pub(crate) use off::{
    AcapFile, AcapLine, AcapSide, ReferenceAnswer, compile, compile_file, line, read_lines,
    recompile,
};
pub(crate) use profile::AcapAsker;
pub(crate) use reference::url as reference_url;
