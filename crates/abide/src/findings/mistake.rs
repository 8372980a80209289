//! What is wrong with statements, wherever they come from.

use crate::diagnostic::{Code, Diagnostic, Severity, kept};
use crate::growth;
use crate::text::{Span, offset};
use crate::visible::shown;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// Where a statement is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum StatementPlace<'s> {
    /// A line of a robots.txt.
    Line {
        number: u32,
        /// Where the statement begins, in bytes from the beginning of the text.
        start: u32,
        /// Key and value. Shown for a mistake without bytes of its own.
        whole: Span,
    },
    /// A line of a response field.
    Field {
        name: &'static str,
        statement: &'s [u8],
    },
}

impl StatementPlace<'_> {
    /// The finding about the bytes `at` of the statement.
    fn finding(self, code: Code, at: &Range<usize>, message: Cow<'static, str>) -> Diagnostic {
        match self {
            Self::Line {
                number,
                start,
                whole,
            } => {
                let place = |at: usize| start.saturating_add(offset(at));
                let span = Span::new(place(at.start), place(at.end));
                let span = if span.is_empty() { whole } else { span };
                Diagnostic::new(code, Some(number), span, message)
            }
            Self::Field { name, statement } => {
                let message = format!("{} in {name}: {message}", shown(statement));
                Diagnostic::of_decision(code, message)
            }
        }
    }
}

/// The mistakes in a line of a robots.txt, or in all lines of a response field. There can be
/// thousands of a kind, which nobody reads one by one: the first have findings of their own, and
/// one more finding counts the rest.
#[derive(Debug)]
pub(super) struct Mistakes<'s> {
    /// The statement that is read now.
    pub(super) place: StatementPlace<'s>,
    found: Vec<Diagnostic>,
    kinds: BTreeMap<Code, KindCount<'s>>,
}

/// The mistakes of one kind.
#[derive(Debug, Default)]
struct KindCount<'s> {
    count: usize,
    /// Where the first of them is that is only counted.
    rest: Option<(StatementPlace<'s>, Range<usize>)>,
}

impl<'s> Mistakes<'s> {
    /// How many of one kind have findings of their own.
    const MAX_OF_A_KIND: usize = 100;

    pub(super) fn new(place: StatementPlace<'s>) -> Self {
        let (found, kinds) = (Vec::new(), BTreeMap::new());
        Self {
            place,
            found,
            kinds,
        }
    }

    /// Adds a mistake in the bytes `at` of the current statement. Its message is only written if it
    /// has a finding of its own.
    pub(super) fn say<M: Into<Cow<'static, str>>>(
        &mut self,
        code: Code,
        at: Range<usize>,
        message: impl FnOnce() -> M,
    ) {
        self.say_as(code, code.severity(), at, message);
    }

    /// Adds a mistake that matters more or less than others of its kind.
    pub(super) fn say_as<M: Into<Cow<'static, str>>>(
        &mut self,
        code: Code,
        severity: Severity,
        at: Range<usize>,
        message: impl FnOnce() -> M,
    ) {
        let kind = self.kinds.entry(code).or_default();
        kind.count = kind.count.saturating_add(1);
        if kind.count <= Self::MAX_OF_A_KIND {
            let finding = self.place.finding(code, &at, kept(message()));
            growth::push(&mut self.found, finding.with_severity(severity));
        } else if kind.rest.is_none() {
            kind.rest = Some((self.place, at));
        }
    }

    pub(super) fn into_findings(self) -> Vec<Diagnostic> {
        let mut found = self.found;
        for (code, kind) in self.kinds {
            if let Some((place, at)) = kind.rest {
                let (more, most) = (
                    kind.count.saturating_sub(Self::MAX_OF_A_KIND),
                    Self::MAX_OF_A_KIND,
                );
                let message =
                    format!("{more} more mistakes of this kind; only the first {most} are shown");
                found.push(place.finding(code, &at, message.into()));
            }
        }
        found
    }
}

/// Where `part`, a subslice of `whole`, is in it.
pub(super) fn place_of(whole: &[u8], part: &[u8]) -> Range<usize> {
    let start = part.as_ptr().addr().saturating_sub(whole.as_ptr().addr());
    start..start.saturating_add(part.len())
}
