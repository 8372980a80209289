//! `not-at-root`: a file that robots never ask for.

use crate::file::{File, asked_instead};
use crate::rule::{Findings, Rule, RuleCheck};
use abide::explain::visible_url;
use abide::{Severity, Span};

pub(crate) static RULE: Rule = Rule::new(
    "not-at-root",
    Severity::Warning,
    include_str!("not_at_root.md"),
    RuleCheck::File(check),
)
.or(Severity::Info);

fn check(file: &File<'_>, found: &mut Findings) {
    let context = file.context;
    let from = context.fetched_from.as_deref();
    if let Some(url) = from.and_then(asked_instead) {
        let url = visible_url(&url);
        let message = format!("robots never ask for this file; they ask for {url}");
        found.say(None, Span::default(), message);
    } else if let Some(root) = &context.root_file {
        let message = format!(
            "robots ask for one file per site, at its root: {root} and not this file, if both are of one site"
        );
        found
            .say(None, Span::default(), message)
            .severity(Severity::Info);
    }
}
