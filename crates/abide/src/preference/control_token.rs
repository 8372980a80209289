//! Control tokens: product tokens of operators whose groups are about the use of what other robots
//! fetch (PREF-115 to PREF-125).

use crate::rep::token::ProductToken;
use crate::verdict::Usage;

/// A product token that sends no requests. Its group says what may be done with content that other
/// robots of its operator fetch.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct ControlToken {
    /// The token, such as `Google-Extended`.
    pub token: ProductToken,
    /// The usages that its group is about, of [`Usage::PREFERENCES`]; others have no effect.
    pub usages: Vec<Usage>,
}
