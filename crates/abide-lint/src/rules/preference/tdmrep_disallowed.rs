//! `tdmrep-disallowed`: rules that keep robots from reading the `tdmrep.json`.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::{Findings, Rule};
use abide::preference::tdmrep::PATH;
use abide::syntax::{Addressee, Line};
use abide::{Client, Code, ProductToken, Severity, Span};

pub(crate) static RULE: Rule =
    Rule::engine(Code::TdmrepDisallowed, include_str!("tdmrep_disallowed.md"))
        .with_check(check)
        .or(Severity::Info);

/// How many groups are asked about. Hardly any file has one.
const MAX_GROUPS: usize = 16;

fn check(file: &File<'_>, found: &mut Findings) {
    let groups = file.rules.iter().zip(&file.addressees);
    let disallowing = groups.filter_map(|(rules, addressees)| {
        let rule = rules.iter().find(|rule| {
            let pattern = rule.pattern.as_ref().ok();
            let names_it = pattern
                .is_some_and(|pattern| pattern.matches(PATH.as_bytes()) && !pattern.matches(b"/"));
            rule.sense == abide::verdict::Sense::Disallow && names_it
        });
        Some((rule?.line, client(addressees.first()?)?))
    });
    for (line, client) in disallowing.take(MAX_GROUPS) {
        if file.robots.policy(&client).allows(PATH) {
            continue;
        }
        // Whoever names the file most likely has it.
        let is_there = file.context.has_tdmrep || names_file(file, line);
        let message = if is_there {
            format!("robots that obey this line cannot read {PATH}; allow that path")
        } else {
            format!(
                "if the site has a {PATH}, robots that obey this line cannot read it; allow that path"
            )
        };
        let at = Span::new(line.span.start, line.span.start);
        let fix = Fix::replace(
            Safety::Unsafe,
            "allow the file",
            at,
            format!("Allow: {PATH}\n"),
        );
        let finding = found.say(Some(line.number), File::statement(line), message);
        let severity = if is_there {
            Severity::Warning
        } else {
            Severity::Info
        };
        finding.severity(severity).fix(fix);
    }
}

/// Whether a line names the file itself, and not only a folder.
fn names_file(file: &File<'_>, line: &Line) -> bool {
    let value = line.field().map(|field| field.value.of(file.text()));
    value.is_some_and(|value| {
        value
            .to_ascii_lowercase()
            .windows(6)
            .any(|part| part == b"tdmrep")
    })
}

/// A client that follows the groups of somebody.
fn client(addressee: &Addressee<'_>) -> Option<Client> {
    match addressee {
        Addressee::Anybody => Some(Client::unnamed()),
        Addressee::Token(token) => ProductToken::nonstandard(token).ok().map(Client::new),
        Addressee::Purpose(_) | Addressee::Nobody => None,
    }
}
