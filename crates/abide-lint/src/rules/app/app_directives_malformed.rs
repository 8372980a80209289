//! `app-directives-malformed`: the engine finds it.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::AppDirectivesMalformed, include_str!("app_directives_malformed.md"));
