//! `pattern-space`: reports a diagnostic of the engine.

use super::several_fields::hides_field;
use crate::escape;
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::needless::needless;
use crate::rule::{Judgement, Rule};
use abide::{Code, Diagnostic, Severity};

pub(crate) static RULE: Rule = Rule::engine(Code::PatternSpace, include_str!("pattern_space.md"))
    .with_fix(fix_for)
    .judged(judge)
    .instead_of(&["readings-differ"])
    .or(Severity::Info)
    .doubting_line();

fn judge(file: &File<'_>, diagnostic: &Diagnostic) -> Judgement {
    let line = diagnostic.line.and_then(|line| file.line(line));
    let value = diagnostic.line.and_then(|line| file.pattern(line));
    let Some((line, value)) = line.zip(value) else {
        return Judgement::default();
    };
    let value = value.of(file.text());
    let slip = without_spaces_at_stars(value);
    if let Some(already) = file.does_already(line, slip.as_deref().unwrap_or(&escaped(value))) {
        return Judgement::note(needless_space(already));
    }
    match slip {
        Some(_) => Judgement::words(
            "space beside \"*\": no URL that is meant has a space there, so the rule matches nothing; delete the space",
        ),
        None => Judgement::default(),
    }
}

fn needless_space(already: u32) -> String {
    format!("space in a path, but {}", needless(already))
}

fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let value = file.pattern(diagnostic.line?)?;
    // Several paths or fields on one line: only a person can separate them.
    let has_several = |two: &[u8]| matches!(two, [b' ' | b'\t', b'/'] | [b',', b' ']);
    let text = value.of(file.text());
    if text.windows(2).any(has_several) || hides_field(text) {
        return None;
    }
    if let Some(slip) = without_spaces_at_stars(text) {
        let title = "delete the spaces beside \"*\"";
        return Some(Fix::replace(Safety::Unsafe, title, value, slip));
    }
    let title = "write %20 for spaces";
    Some(Fix::replace(Safety::Safe, title, value, escaped(text)))
}

fn escaped(value: &[u8]) -> Vec<u8> {
    let needs_escape = |rest: &[u8]| matches!(rest, [b' ' | b'\t' | 0x7F, ..]);
    escape::escaped(value, needs_escape)
}

/// A pattern without the spaces beside a `*`; `None` if it has other spaces, or none. A `*` stands
/// for spaces too, so nobody writes one beside it on purpose.
fn without_spaces_at_stars(value: &[u8]) -> Option<Vec<u8>> {
    let is_blank = |byte: Option<&u8>| matches!(byte, Some(b' ' | b'\t'));
    let mut kept: Vec<u8> = Vec::with_capacity(value.len());
    for part in value.split_inclusive(|byte| *byte == b'*') {
        let is_behind_star = kept.last() == Some(&b'*');
        let mut part = part;
        while is_behind_star && is_blank(part.first()) {
            part = part.get(1..)?;
        }
        let (inner, star) = match part.strip_suffix(b"*") {
            Some(inner) => (inner.trim_ascii_end(), &b"*"[..]),
            None => (part, &b""[..]),
        };
        kept.extend_from_slice(inner);
        kept.extend_from_slice(star);
    }
    let has_blank = kept.iter().any(|byte| matches!(byte, b' ' | b'\t' | 0x7F));
    (kept.len() < value.len() && !has_blank).then_some(kept)
}
