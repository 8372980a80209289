//! The names that lines of a file have.

use abide::syntax::FieldKind;
use abide::{ProductToken, Robots};

/// The values of all fields of one kind.
pub(super) fn values(robots: &Robots, kind: FieldKind) -> impl Iterator<Item = &[u8]> {
    let bytes = robots.text().as_bytes();
    let fields = robots.lines().iter().filter_map(|line| line.field());
    fields
        .filter(move |field| field.kind == kind)
        .map(|field| field.value.of(bytes))
}

/// The values of `ACAP-crawler` fields.
pub(super) fn acap_crawlers(robots: &Robots) -> impl Iterator<Item = &[u8]> {
    let bytes = robots.text().as_bytes();
    let fields = robots.acap_lines().filter_map(|line| line.field());
    fields
        .filter(|field| field.key.of(bytes).eq_ignore_ascii_case(b"acap-crawler"))
        .map(|field| field.value.of(bytes))
}

/// The tokens that a value names.
pub(super) fn product_tokens(value: &[u8]) -> impl Iterator<Item = ProductToken> + use<> {
    let text = String::from_utf8_lossy(value);
    let until =
        |ends: &dyn Fn(char) -> bool| text.split(ends).next().unwrap_or_default().to_owned();
    let word = until(&|found| matches!(found, ' ' | '\t' | '/'));
    let identifier = until(&|found: char| !(found.is_ascii_alphabetic() || "-_".contains(found)));
    let own = ProductToken::new(&identifier).ok();
    // Some crawlers compare the whole word, although RFC 9309 ends a token earlier (AMB-REP-7).
    let nonstandard = (word != identifier).then(|| ProductToken::nonstandard(&word).ok());
    own.into_iter().chain(nonstandard.flatten())
}
