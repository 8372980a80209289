//! `rsl-foreign-host`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::RslForeignHost, include_str!("rsl_foreign_host.md"));
