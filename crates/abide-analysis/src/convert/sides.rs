//! The two sides of a conversion.

use abide::{Policy, ProductToken, Robots};

/// The source and the target of a conversion, and which of them has the ACAP records.
pub(super) struct Sides<'r> {
    pub(super) files: [&'r Robots; 2],
    pub(super) target_is_acap: bool,
}

impl<'r> Sides<'r> {
    /// The side with the conventional records.
    pub(super) fn conventional(&self) -> &'r Robots {
        let [source, target] = self.files;
        if self.target_is_acap { source } else { target }
    }

    /// The side with the ACAP records.
    pub(super) fn acap(&self) -> &'r Robots {
        let [source, target] = self.files;
        if self.target_is_acap { target } else { source }
    }
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
