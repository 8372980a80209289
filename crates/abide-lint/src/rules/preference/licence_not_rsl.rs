//! `licence-not-rsl`: reports a finding about a document.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::LicenceNotRsl, include_str!("licence_not_rsl.md"));
