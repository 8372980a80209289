//! `app-directives-malformed`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::Span;
use abide::app::field::Directives;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(
    Code::AppDirectivesMalformed,
    include_str!("app_directives_malformed.md"),
)
.with_fix(fix_for);

/// A path begins with `/`; a leading `*` does not replace it (AMB-APP-9). Directives are in lower
/// case.
fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let value = diagnostic.span.of(file.text());
    if let Some(written) = Directives::in_lower_case(value) {
        let title = "write directives in lower case";
        return Some(Fix::replace(
            Safety::Unsafe,
            title,
            diagnostic.span,
            written,
        ));
    }
    let rooted = [b"/", value].concat();
    let is_fixed = value.starts_with(b"*")
        && Directives::read(&rooted).is_some_and(|line| !line.applications.is_empty());
    let start = Span::new(diagnostic.span.start, diagnostic.span.start);
    let title = "begin the path with \"/\"";
    is_fixed.then(|| Fix::replace(Safety::Unsafe, title, start, "/"))
}
