//! `acap-no-version`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::AcapNoVersion, include_str!("acap_no_version.md"));
