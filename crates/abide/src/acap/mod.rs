//! ACAP 1.0: permissions and prohibitions for crawling, following, indexing, preserving and
//! presenting, with qualifiers.
//!
//! - `field`, `reader`, `record`, `definition`: from lines to records, with names resolved.
//! - [`qualifier`](Qualifier): what can restrict a permission.
//! - [`scope`](AcapPattern): which of two patterns is narrower.
//! - `reference`, `request`: references to other files, and action requests.
//! - `compile`, `verdict`: the records that concern one client, and their answer for a usage.
//! - [`profile`](AcapProfile): the names, purposes and arrangements of a client.
//!
//! ACAP lines are a stream of their own: conventional lines are not part of it, and ignore it
//! (AMB-ACAP-16). `decide` combines the verdicts with those of other sources.

mod compile;
mod definition;
mod field;
mod name;
mod profile;
mod qualifier;
mod reader;
mod record;
mod reference;
mod request;
mod scope;
mod verdict;

pub use crate::verdict::resource::{Inclusion, InclusionRole, Substitute};
pub use profile::{AcapMode, AcapProfile};
pub use qualifier::{Qualifier, QualifierStatus};
pub use reference::{FetchedReference, PermissionsReference};
pub use request::{Action, ActionRequest};
pub use scope::{AcapPattern, Narrower};

pub(crate) use compile::{AcapPolicy, AcapStatement, MatchingStatements};
pub(crate) use definition::Definitions;
pub(crate) use field::{AcapLine, asks_to_ignore};
pub(crate) use reader::read;
pub(crate) use record::{AcapFile, Resource, UsageField};
pub(crate) use reference::{rooted, url as reference_url};
pub(crate) use verdict::Circumstances;
