//! `ua-invalid-token`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::syntax::Addressee;
use abide::{Code, Diagnostic, Severity};

pub(crate) static RULE: Rule =
    Rule::engine(Code::UaInvalidToken, include_str!("ua_invalid_token.md"))
        .with_fix(fix_for)
        .or(Severity::Info);

/// A version after a product token, and anything after `*`, is ignored. Other values may be the
/// complete name of a robot, or of several.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let line = file.line(diagnostic.line?)?;
    let value = diagnostic.span.of(file.text());
    if value.contains(&b':') {
        return None;
    }
    let named = match file.robots.addressee(line)? {
        Addressee::Anybody => "*",
        Addressee::Token(token) => token,
        _ => return None,
    };
    let rest = value.strip_prefix(named.as_bytes())?;
    if named != "*" && !is_version(rest) {
        return None;
    }
    let title = format!("write \"{named}\" alone");
    Some(Fix::replace(Safety::Safe, title, diagnostic.span, named))
}

/// `/1.0`, `/v2`
fn is_version(bytes: &[u8]) -> bool {
    let begins = matches!(
        bytes,
        [b'/', b'0'..=b'9', ..] | [b'/', b'v' | b'V', b'0'..=b'9', ..]
    );
    begins && !bytes.iter().any(|byte| b" \t".contains(byte))
}
