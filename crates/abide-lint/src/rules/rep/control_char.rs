//! `control-char`: the engine finds it.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::Rule;
use abide::{Code, Diagnostic};

pub(crate) static RULE: Rule =
    Rule::engine(Code::ControlChar, include_str!("control_char.md")).mended_by(mend);

fn mend(file: &File<'_>, told: &Diagnostic) -> Option<Fix> {
    let value = file.line(told.line?)?.field()?.value;
    let mut octets = value.of(file.text()).to_vec();
    octets.retain(|&octet| octet >= b' ' || octet == b'\t');
    let title = "remove the control octets";
    Some(Fix::replace(Safety::Unsafe, title, value, octets))
}
