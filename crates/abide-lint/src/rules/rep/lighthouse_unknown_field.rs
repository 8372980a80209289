//! `lighthouse-unknown-field`: a right line that Lighthouse takes for a mistake.

use crate::file::File;
use crate::peers::{self, Peer};
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::syntax::{Field, FieldKind, preference_vocabulary};
use abide_analysis::words::enumerated;

pub(crate) static RULE: Rule = Rule::new(
    "lighthouse-unknown-field",
    Severity::Info,
    include_str!("lighthouse_unknown_field.md"),
    RuleCheck::File(check),
);

/// How many keys the finding names.
const MAX_KEYS: usize = 3;

fn check(file: &File<'_>, found: &mut Findings) {
    let lighthouse = Peer::Lighthouse13;
    // Whoever asks for its complaints gets each of them.
    if file.context.peers.contains(&lighthouse) {
        return;
    }
    let unknown = file.fields().filter(|(_, field)| {
        is_known_to_abide(file, field) && lighthouse.rejects_key(field.key.of(file.text()))
    });
    let mut first = None;
    // Each key as it is written first.
    let mut keys: Vec<String> = Vec::new();
    for (line, field) in unknown {
        first = first.or(Some((line, field)));
        let key = file.shown(field.key);
        if !keys.iter().any(|known| known.eq_ignore_ascii_case(&key)) {
            keys.push(key);
        }
        if keys.len() > MAX_KEYS {
            break;
        }
    }
    let Some((first, field)) = first else {
        return;
    };
    let more = if keys.len() > MAX_KEYS {
        " and more"
    } else {
        ""
    };
    keys.truncate(MAX_KEYS);
    let message = format!(
        "{} does not know {}{more}, so the site loses about 8 points of its SEO score; no robot minds",
        peers::NEWEST,
        enumerated(&keys, MAX_KEYS),
    );
    found.say(Some(first.number), field.key, message);
}

/// Whether one of the documents that abide reads defines the key.
fn is_known_to_abide(file: &File<'_>, field: &Field) -> bool {
    match field.kind {
        FieldKind::UserAgentPurpose | FieldKind::AppDirectives | FieldKind::Acap => true,
        FieldKind::Other => preference_vocabulary(field.key.of(file.text())).is_some(),
        _ => false,
    }
}
