//! `unreadable-line`: a line that is not a field.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::syntax::Content;
use abide_analysis::spelling;

pub(crate) static RULE: Rule = Rule::new(
    "unreadable-line",
    Severity::Warning,
    include_str!("unreadable_line.md"),
    RuleCheck::File(check),
)
.or(Severity::Info);

fn check(file: &File<'_>, found: &mut Findings) {
    for line in file.robots.lines() {
        if line.content == Content::Unreadable {
            let message = "robots ignore this line: it is neither \"field: value\" nor a comment";
            let place = found.say(Some(line.number), line.span, message);
            // A remark without its `#` does no harm; a line that was to be a field does.
            if !names_field(line.span.of(file.text())) {
                place.severity(Severity::Info);
            }
        }
    }
}

/// Whether a line has the name of a field in it, or begins with nearly one.
fn names_field(line: &[u8]) -> bool {
    const NAMES: [&str; 6] = [
        "user-agent",
        "disallow",
        "allow",
        "sitemap",
        "crawl-delay",
        "useragent",
    ];
    let line = String::from_utf8_lossy(line).to_ascii_lowercase();
    let is_between = |found: char| !found.is_ascii_alphabetic() && found != '-';
    let mut words = line.split(is_between).filter(|word| !word.is_empty());
    let first = words.clone().next().unwrap_or_default();
    words.any(|word| NAMES.contains(&word)) || is_nearly(first, &NAMES)
}

fn is_nearly(word: &str, names: &[&'static str]) -> bool {
    const MIN_BYTES: usize = 7;
    word.len() >= MIN_BYTES && spelling::nearest(word, names.iter().copied()).is_some()
}
