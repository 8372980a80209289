//! `User-Agent-Purpose` groups, draft-illyes-rep-purpose-00.
//!
//! ```text
//! purpose = *WS "user-agent-purpose" *WS ":" *WS purpose-token EOL   ; PUR-15, AMB-PUR-6
//! ```
//!
//! A purpose line starts a group, like a `User-agent` line (PUR-2). A group for the product token
//! wins over one for a purpose, and that over `*` (PUR-9, AMB-PUR-1). `rep::field` recognises
//! purpose lines, and `policy` selects the groups.

mod token;

pub use token::{PurposeRegistry, PurposeToken, PurposeTokenError};

pub(crate) use token::is_purpose;
