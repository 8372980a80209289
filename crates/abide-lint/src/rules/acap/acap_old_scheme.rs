//! `acap-old-scheme`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::AcapOldScheme, include_str!("acap_old_scheme.md"));
