//! Findings about the text of a document, and their fixes.

use abide::{Code, Diagnostic, Span};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A finding about the text of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentFinding {
    /// What was found, and where. The span is about the body as it came, or about the decoded text
    /// of a document in UTF-16.
    pub diagnostic: Diagnostic,
    /// How to fix it.
    pub fix: Option<DocumentFix>,
}

/// A change of a document that fixes a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentFix {
    /// Whether the document says the same after it.
    pub is_safe: bool,
    /// What it does, such as "put / before the path".
    pub title: &'static str,
    /// The new text of each span, in order.
    pub edits: Vec<(Span, String)>,
}

/// How many findings of one kind have an entry of their own. A document can have thousands, which
/// nobody reads one by one: one more entry counts the rest.
const MAX_OF_A_KIND: usize = 100;

/// Collects the findings about one text.
#[derive(Debug)]
pub(crate) struct Findings {
    /// The byte at which the text begins in the body.
    base: usize,
    /// Where each line of the text ends.
    line_ends: Vec<usize>,
    found: Vec<DocumentFinding>,
    kinds: BTreeMap<Code, KindCount>,
    /// The latest finding that is only counted.
    counted: Option<DocumentFinding>,
}

/// The findings of one kind.
#[derive(Debug, Default)]
struct KindCount {
    count: usize,
    /// The first of them that is only counted.
    rest: Option<Diagnostic>,
}

impl Findings {
    /// For a `text` that begins at byte `base` of its document.
    pub(crate) fn new(text: &[u8], base: usize) -> Self {
        let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        Self {
            base,
            line_ends: ends.map(|(at, _)| at).collect(),
            found: Vec::new(),
            kinds: BTreeMap::new(),
            counted: None,
        }
    }

    /// Adds a finding about the bytes from `start` to `end` of the text. The result takes a fix.
    pub(crate) fn say(
        &mut self,
        code: Code,
        (start, end): (usize, usize),
        message: impl Into<Cow<'static, str>>,
    ) -> &mut DocumentFinding {
        let before = self.line_ends.partition_point(|line_end| *line_end < start);
        let line = u32::try_from(before.saturating_add(1)).unwrap_or(u32::MAX);
        let diagnostic = Diagnostic::new(code, Some(line), self.span(start, end), message);
        self.add(diagnostic)
    }

    /// Adds a finding about the whole document.
    pub(crate) fn say_of_all(&mut self, code: Code, message: impl Into<Cow<'static, str>>) {
        self.add(Diagnostic::new(code, None, Span::default(), message));
    }

    fn add(&mut self, diagnostic: Diagnostic) -> &mut DocumentFinding {
        let kind = self.kinds.entry(diagnostic.code).or_default();
        kind.count = kind.count.saturating_add(1);
        if kind.count > MAX_OF_A_KIND {
            kind.rest.get_or_insert_with(|| diagnostic.clone());
            let fix = None;
            return self.counted.insert(DocumentFinding { diagnostic, fix });
        }
        self.found.push(DocumentFinding {
            diagnostic,
            fix: None,
        });
        let last = self.found.len() - 1;
        &mut self.found[last]
    }

    /// The span of these bytes of the text.
    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        let offset = |at: usize| u32::try_from(at.saturating_add(self.base)).unwrap_or(u32::MAX);
        Span::new(offset(start), offset(end))
    }

    /// The findings, in the order of their places.
    pub(crate) fn sorted(mut self) -> Vec<DocumentFinding> {
        for kind in self.kinds.into_values() {
            let Some(first) = kind.rest else { continue };
            let more = kind.count.saturating_sub(MAX_OF_A_KIND);
            let message = format!(
                "{more} more mistakes of this kind; only the first {MAX_OF_A_KIND} are shown"
            );
            let diagnostic = Diagnostic::new(first.code, first.line, first.span, message)
                .with_severity(first.severity);
            self.found.push(DocumentFinding {
                diagnostic,
                fix: None,
            });
        }
        let place = |one: &DocumentFinding| (one.diagnostic.span, one.diagnostic.code);
        self.found.sort_by_key(place);
        self.found
    }
}

/// Where `part` is in `text`, of which it is a slice.
pub(crate) fn place_of(part: &str, text: &str) -> (usize, usize) {
    let start = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    (start, start.saturating_add(part.len()))
}
