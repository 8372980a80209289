//! `compressed-body`: reports a diagnostic of the engine.

use crate::rule::{OF_LINES, Rule};
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::CompressedBody, include_str!("compressed_body.md")).instead_of(OF_LINES);
