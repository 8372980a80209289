//! `User-Agent-Purpose` groups, draft-illyes-rep-purpose-00.
//!
//! ```text
//! purpose = *WS "user-agent-purpose" *WS ":" *WS purpose-token EOL   ; PUR-15, AMB-PUR-6
//! ```
//!
//! A purpose line starts a group as a user-agent line does (PUR-2). The product token goes first,
//! then the purpose, then `*`, each level alone (PUR-9, AMB-PUR-1). Which keys are purpose lines is
//! told in [`rep::field`](crate::rep::field), which level a group has in
//! [`policy`](crate::policy).

mod token;

pub use token::{PurposeRegistry, PurposeToken, PurposeTokenError};

pub(crate) use token::is_purpose;
