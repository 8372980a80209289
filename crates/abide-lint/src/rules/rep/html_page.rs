//! `html-page`: reports a diagnostic of the engine.

use crate::rule::{OF_LINES, Rule};
use abide::Code;

pub(crate) static RULE: Rule =
    Rule::engine(Code::HtmlPage, include_str!("html_page.md")).instead_of(OF_LINES);
