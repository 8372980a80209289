//! `readings-differ`: Google's parser decides differently.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::Span;

pub(crate) static RULE: Rule = Rule::new(
    "readings-differ",
    Severity::Info,
    include_str!("readings_differ.md"),
    RuleCheck::File(check),
);

fn check(file: &File<'_>, found: &mut Findings) {
    for one in file.differences() {
        if one.acap != one.aware {
            let (acap, others) = if one.acap {
                ("allow", "disallows")
            } else {
                ("disallow", "allows")
            };
            let message = format!(
                "for {}, ACAP records {acap} {}, and RFC 9309 alone {others} it",
                one.agent, one.path
            );
            found.say(None, Span::default(), message);
        }
        // Who may fetch the file itself matters to nobody.
        if one.google == one.aware || one.path == "/robots.txt" {
            continue;
        }
        let (google, others) = if one.google {
            ("allows", "disallows")
        } else {
            ("disallows", "allows")
        };
        let message = format!(
            "for {}, Google's parser {google} {}, and RFC 9309 {others} it",
            one.agent, one.path
        );
        if let Some(line) = file.line(one.line) {
            found.say(Some(line.number), line.span, message);
        }
    }
}
