//! `url-not-as-sent`: reports a diagnostic of the engine.

use crate::rule::Rule;
use abide::Code;

pub(crate) static RULE: Rule = Rule::engine(Code::UrlNotAsSent, include_str!("url_not_as_sent.md"));
