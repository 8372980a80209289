//! `licence-link-type`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::LicenceLinkType, include_str!("licence_link_type.md"));
