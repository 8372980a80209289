//! `missing-colon`: reports a diagnostic of the engine.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::{Findings, Rule};
use abide::Span;
use abide::syntax::FieldKind;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(Code::MissingColon, include_str!("missing_colon.md"))
    .with_fix(fix_for)
    .with_check(check)
    .instead_of(&["google-prefix-key", "unknown-field"])
    .doubting_line();

/// Reports `sitemap https://…`, whose only colon is that of the URL.
fn check(file: &File<'_>, found: &mut Findings) {
    for (line, field, value) in file.fields_of(FieldKind::Other) {
        let key = field.key.of(file.text());
        let at = key.iter().position(u8::is_ascii_whitespace);
        let Some((name, scheme)) = at.and_then(|at| key.split_at_checked(at)) else {
            continue;
        };
        let scheme = scheme.trim_ascii().to_ascii_lowercase();
        let is_url = matches!(scheme.as_slice(), b"http" | b"https") && value.starts_with(b"//");
        if is_url && name.eq_ignore_ascii_case(b"sitemap") {
            let url = file.shown(Span::new(field.key.start, field.value.end));
            let message = format!("robots ignore {url}: the colon behind the key is missing");
            let end = u32::try_from(name.len()).unwrap_or_default();
            let end = field.key.start.saturating_add(end);
            let fix = Fix::replace(Safety::Unsafe, "add the colon", Span::new(end, end), ":");
            let place = found.say(Some(line.number), File::statement(line), message);
            place.fix(fix);
        }
    }
}

fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let key = file.line(diagnostic.line?)?.field()?.key;
    let behind = Span::new(key.end, key.end);
    Some(Fix::replace(Safety::Safe, "add the colon", behind, ":"))
}
