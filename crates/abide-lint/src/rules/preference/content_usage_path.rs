//! `content-usage-path`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(
    Code::ContentUsagePath,
    include_str!("content_usage_path.md"),
)
.with_fix(fix_for);

/// A pattern begins with `/`, and `/*` is any path. Of a URL, its path is the pattern.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let path = std::str::from_utf8(diagnostic.span.of(file.text())).ok()?;
    let rooted = match path.split_once("://") {
        Some((_, rest)) => format!("/{}", rest.split_once('/').map_or("", |(_, path)| path)),
        None if path.starts_with('.') => format!("/*{path}"),
        None => format!("/{path}"),
    };
    let title = format!("write {rooted}");
    let is_shown = rooted.bytes().all(|byte| byte.is_ascii_graphic());
    is_shown.then(|| Fix::replace(Safety::Unsafe, title, diagnostic.span, rooted))
}
