//! `licence-scoped`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::LicenceScoped, include_str!("licence_scoped.md"));
