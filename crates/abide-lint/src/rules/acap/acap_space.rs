//! `acap-space`: reports a diagnostic of the engine.

use crate::acap::{edit, field_of, fix};
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::Span;
use abide::syntax::Separator;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule =
    Rule::engine(Code::AcapSpace, include_str!("acap_space.md")).with_fix(fix_for);

fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let field = field_of(file, diagnostic)?;
    let mut blanks = vec![Span::new(field.line.span.start, field.key.start)];
    if field.separator == Separator::Colon {
        let behind = Span::new(field.key.end, field.line.span.end).of(field.text);
        let until = behind.iter().position(|byte| *byte == b':')?;
        let until = u32::try_from(until).ok()?;
        blanks.push(Span::new(
            field.key.end,
            field.key.end.saturating_add(until),
        ));
    }
    let edits = blanks
        .into_iter()
        .filter(|span| !span.is_empty())
        .map(|span| edit(span, Vec::new()));
    fix(Safety::Safe, "remove the blanks", edits.collect())
}
