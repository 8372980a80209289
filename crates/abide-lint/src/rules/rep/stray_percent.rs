//! `stray-percent`: reports a diagnostic of the engine.

use crate::escape;
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::{Judgement, Rule};
use abide::{Code, Diagnostic, Severity};

pub(crate) static RULE: Rule = Rule::engine(Code::StrayPercent, include_str!("stray_percent.md"))
    .with_fix(fix_for)
    .judged(judge)
    .or(Severity::Info)
    .doubting_line();

fn judge(file: &File<'_>, diagnostic: &Diagnostic) -> Judgement {
    let value = diagnostic.line.and_then(|line| file.pattern(line));
    let value = value.map(|value| value.of(file.text())).unwrap_or_default();
    if is_slip(value) {
        Judgement::words("\"%\" behind the final \"$\": the rule matches nothing; delete the \"%\"")
    } else if means_any_escape(value) {
        let message = "\"%\" before \"*\" matches any escape, such as %20; for a percent sign alone, write %25";
        Judgement::note(message.to_owned())
    } else {
        Judgement::default()
    }
}

/// Whether a `%` follows what ends a pattern.
fn is_slip(value: &[u8]) -> bool {
    value.ends_with(b"$%")
}

/// Whether every stray `%` is before a `*`: it is meant for any escape.
fn means_any_escape(value: &[u8]) -> bool {
    let mut rests = (0..value.len()).filter_map(|at| value.get(at..));
    rests.all(|rest| !is_stray(rest) || matches!(rest, [b'%', b'*', ..]))
}

fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let value = file.pattern(diagnostic.line?)?;
    let text = value.of(file.text());
    if is_slip(text) {
        let kept = text.strip_suffix(b"%")?;
        return Some(Fix::replace(
            Safety::Unsafe,
            "delete the \"%\"",
            value,
            kept,
        ));
    }
    if means_any_escape(text) {
        return None;
    }
    let title = "write \"%25\" for a percent sign";
    let escaped = escape::escaped(text, is_stray);
    Some(Fix::replace(Safety::Unsafe, title, value, escaped))
}

fn is_stray(rest: &[u8]) -> bool {
    match rest {
        [b'%', high, low, ..] => !(high.is_ascii_hexdigit() && low.is_ascii_hexdigit()),
        [b'%', ..] => true,
        _ => false,
    }
}
