//! `signal-conflict`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::SignalConflict, include_str!("signal_conflict.md"));
