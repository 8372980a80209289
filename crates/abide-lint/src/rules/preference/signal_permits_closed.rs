//! `signal-permits-closed`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::SignalPermitsClosed,
    include_str!("signal_permits_closed.md"),
);
