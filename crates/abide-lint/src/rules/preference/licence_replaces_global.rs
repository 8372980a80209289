//! `licence-replaces-global`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(
    Code::LicenceReplacesGlobal,
    include_str!("licence_replaces_global.md"),
);
