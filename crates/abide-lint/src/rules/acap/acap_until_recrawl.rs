//! `acap-until-recrawl`: reports a diagnostic of the engine.

use crate::acap::words::{Word, qualifiers};
use crate::acap::{edit, field_of, fix};
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule = Rule::engine(
    Code::AcapUntilRecrawl,
    include_str!("acap_until_recrawl.md"),
)
.with_fix(fix_for);

fn fix_for(file: &File<'_>, diagnostic: &Diagnostic) -> Option<Fix> {
    let field = field_of(file, diagnostic)?;
    let edits = qualifiers(&field).into_iter().filter_map(|word| {
        let Word::Qualifier { value, .. } = word else {
            return None;
        };
        let bytes = value.of(field.text);
        bytes
            .eq_ignore_ascii_case(b"until-recrawl")
            .then(|| edit(value, "until-recrawled"))
    });
    fix(Safety::Safe, "write \"until-recrawled\"", edits.collect())
}
