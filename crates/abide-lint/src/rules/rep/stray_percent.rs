//! `stray-percent`: reports a diagnostic of the engine.

use crate::escape;
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(Code::StrayPercent, include_str!("stray_percent.md"))
    .with_fix(fix_for)
    .doubting_line();

fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let value = file.pattern(diagnostic.line?)?;
    let escaped = escape::escaped(value.of(file.text()), is_stray);
    let title = "write \"%25\" for a percent sign";
    Some(Fix::replace(Safety::Unsafe, title, value, escaped))
}

fn is_stray(rest: &[u8]) -> bool {
    match rest {
        [b'%', high, low, ..] => !(high.is_ascii_hexdigit() && low.is_ascii_hexdigit()),
        [b'%', ..] => true,
        _ => false,
    }
}
