//! `licence-not-absolute`: reports a diagnostic of the engine, and puts the host before a path.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::{Code, Diagnostic, Target};

pub(crate) static RULE: Rule = Rule::engine(
    Code::LicenceNotAbsolute,
    include_str!("licence_not_absolute.md"),
)
.with_fix(fix);

fn fix(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let value = std::str::from_utf8(diagnostic.span.of(file.text())).ok()?;
    let is_path = value.starts_with('/') && !value.starts_with("//");
    let is_one_word = !value.contains(|c: char| c.is_whitespace() || c.is_control());
    let url = format!("{}{value}", origin(file)?);
    let is_url = Target::new(&url).is_ok_and(|target| target.is_web());
    (is_path && is_one_word && is_url)
        .then(|| Fix::replace(Safety::Unsafe, "write the full URL", diagnostic.span, url))
}

/// The scheme and host of the site, if all its sitemaps are there.
fn origin(file: &File<'_>) -> Option<String> {
    let of = |value: &[u8]| {
        let url = std::str::from_utf8(value).ok()?;
        let robots_url = Target::new(url).ok()?.robots_url()?;
        robots_url.strip_suffix("/robots.txt").map(str::to_owned)
    };
    let mut origins = file.robots.sitemaps().map(|(_, value)| of(value));
    let first = origins.next()??;
    origins
        .all(|other| other.as_ref() == Some(&first))
        .then_some(first)
}
