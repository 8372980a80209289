//! What is wrong with one statement, wherever it comes from.

use crate::diagnostic::{Code, Diagnostic, kept, shown};
use crate::text::{Span, offset};
use std::borrow::Cow;
use std::ops::Range;

/// A mistake in a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    pub(crate) code: Code,
    /// Its bytes, from the beginning of the statement.
    pub(crate) at: Range<usize>,
    pub(crate) message: Cow<'static, str>,
}

impl Mistake {
    pub(crate) fn new(code: Code, at: Range<usize>, message: impl Into<Cow<'static, str>>) -> Self {
        let message = kept(message);
        Self { code, at, message }
    }

    /// The finding in a robots.txt, for a statement that begins at byte `start` of the text. An
    /// empty statement is shown with its whole line.
    pub(crate) fn in_line(self, line: u32, start: u32, whole: Span) -> Diagnostic {
        let place = |at: usize| start.saturating_add(offset(at));
        let span = Span::new(place(self.at.start), place(self.at.end));
        Diagnostic {
            code: self.code,
            line: Some(line),
            span: if span.is_empty() { whole } else { span },
            message: self.message,
        }
    }

    /// The finding about a response field.
    pub(crate) fn in_field(self, name: &str, statement: &[u8]) -> Diagnostic {
        Diagnostic {
            code: self.code,
            line: None,
            span: Span::default(),
            message: format!("{} in {name}: {}", shown(statement), self.message).into(),
        }
    }
}

/// Where `part`, a subslice of `whole`, is in it.
pub(crate) fn place_of(whole: &[u8], part: &[u8]) -> Range<usize> {
    let start = part.as_ptr().addr().saturating_sub(whole.as_ptr().addr());
    start..start.saturating_add(part.len())
}
