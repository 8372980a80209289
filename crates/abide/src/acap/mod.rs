//! ACAP 1.0: permissions and prohibitions for crawling, following, indexing, preserving and
//! presenting, with qualifiers.
//!
//! - `field`, `reader`, `record`, `definition`: lines to records, with names resolved.
//! - [`qualifier`](Qualifier), `resource`: what a permission can be restricted by.
//! - [`scope`](AcapPattern): which of two patterns is narrower.
//! - `reference`, `request`: what leads elsewhere, and what is asked for.
//! - `compile`, `verdict`: what concerns one client, and what it says about a usage.
//! - [`profile`](AcapProfile): what a client is to ACAP.
//!
//! ACAP lines are a stream of their own, to which conventional lines do not belong, and which they do
//! not see (AMB-ACAP-16). How its verdicts are joined with what others say is [`decide`](crate::decide)'s
//! business.

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
pub use qualifier::{Qualifier, Status};
pub use reference::{PermissionsReference, Referenced};
pub use request::{Action, ActionRequest};
pub use scope::{AcapPattern, Narrower};

pub(crate) use compile::{AcapPolicy, Matching, Statement};
pub(crate) use definition::Definitions;
pub(crate) use field::{AcapLine, asks_to_ignore};
pub(crate) use reader::read;
pub(crate) use record::{AcapFile, Resource, UsageField};
pub(crate) use reference::{rooted, url as reference_url};
pub(crate) use verdict::Circumstances;
