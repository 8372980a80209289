//! The two sides of a conversion.

use abide::{Policy, ProductToken, Robots};

/// The source and the target of a conversion, and which of them has the conventional records.
pub(super) struct Sides<'r> {
    pub(super) conventional: &'r Robots,
    pub(super) source: &'r [u8],
    pub(super) target: &'r [u8],
    pub(super) target_is_acap: bool,
}

/// The product token for a crawler's name: an RFC 9309 token if possible, otherwise a nonstandard
/// one.
pub(super) fn crawler(name: &str) -> Option<ProductToken> {
    let token = ProductToken::new(name);
    token.or_else(|_| ProductToken::nonstandard(name)).ok()
}

/// What a policy says about crawling a URL.
pub(super) fn outcome(policy: &Policy, url: &str) -> &'static str {
    if policy.allows(url) {
        "allowed"
    } else {
        "disallowed"
    }
}
