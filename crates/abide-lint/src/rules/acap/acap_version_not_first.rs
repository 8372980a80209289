//! `acap-version-not-first`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::AcapVersionNotFirst, include_str!("acap_version_not_first.md"));
