//! `acap-no-version`: reports a diagnostic of the engine.

use crate::acap::line_end;
use crate::acap::moves::{has_room, top};
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule =
    Rule::engine(Code::AcapNoVersion, include_str!("acap_no_version.md")).with_fix(fix_for);

fn fix_for(file: &File<'_>, _: &Diagnostic) -> Option<Fix> {
    let mut comment = b"##ACAP version=1.0".to_vec();
    comment.extend_from_slice(line_end(file.line(1)?));
    let title = "begin with \"##ACAP version=1.0\"";
    has_room(file, comment.len()).then(|| Fix::replace(Safety::Safe, title, top(file), comment))
}
