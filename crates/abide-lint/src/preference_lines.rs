//! The lines of a robots.txt that state AI preferences, for rules and their fixes.

use crate::file::File;
use crate::finding::{Edit, Fix, Safety};
use abide::preference::Vocabulary;
use abide::syntax::{Addressee, Field, Line, PreferenceStatement, preference_word};
use abide::{Diagnostic, Span};
use abide_analysis::preferences::latest;

/// A line that states preferences.
#[derive(Clone, Debug)]
pub(crate) struct PreferenceAt<'a> {
    pub(crate) line: &'a Line,
    pub(crate) field: &'a Field,
    pub(crate) stated: PreferenceStatement<'a>,
}

impl PreferenceAt<'_> {
    /// The bytes of the statement, without its path.
    pub(crate) fn statement(&self) -> Span {
        let len = u32::try_from(self.stated.statement.len()).unwrap_or_default();
        let end = self.field.value.end;
        Span::new(end.saturating_sub(len), end)
    }

    /// Whether a value for this path and statement settles every word that it has: it can be
    /// parsed, and says something.
    fn would_be_read(&self, statement: &[u8]) -> bool {
        let key: &[u8] = match self.stated.vocabulary {
            Vocabulary::ContentUsage => b"Content-Usage",
            _ => b"Content-Signal",
        };
        let read = PreferenceStatement::read(key, statement, self.line.number, latest());
        read.is_some_and(|read| !read.words(latest()).is_empty())
    }

    /// A fix that replaces the statement, if the new one can be read.
    pub(crate) fn rewritten(&self, title: &'static str, statement: Vec<u8>) -> Option<Fix> {
        let is_other = statement != self.stated.statement;
        let is_better = is_other && self.would_be_read(&statement);
        is_better.then(|| Fix::replace(Safety::Unsafe, title, self.statement(), statement))
    }
}

impl<'a> File<'a> {
    /// What a line states about preferences.
    pub(crate) fn preference(&self, line: &'a Line) -> Option<PreferenceAt<'a>> {
        let field = line.field()?;
        let stated = self.robots.preference_statement(line, latest())?;
        Some(PreferenceAt {
            line,
            field,
            stated,
        })
    }

    /// All lines that state preferences in `vocabulary`.
    pub(crate) fn preferences(
        &self,
        vocabulary: Vocabulary,
    ) -> impl Iterator<Item = PreferenceAt<'a>> {
        let lines = self.robots.lines().iter();
        lines
            .filter_map(|line| self.preference(line))
            .filter(move |at| at.stated.vocabulary == vocabulary)
    }

    /// The preference line of a finding that has to be read again for its fix. `None` for very long
    /// lines: they can have thousands of findings.
    pub(crate) fn preference_of(&self, diagnostic: &Diagnostic) -> Option<PreferenceAt<'a>> {
        const MAX_LINE_BYTES: u32 = 2_000;
        let line = self.line(diagnostic.line?)?;
        (line.span.len() <= MAX_LINE_BYTES).then(|| self.preference(line))?
    }

    /// Whether a group is for all robots.
    pub(crate) fn is_for_anybody(&self, group: usize) -> bool {
        let named = self.addressees.get(group);
        named.is_some_and(|named| named.contains(&Addressee::Anybody))
    }

    /// A fix that moves a line behind the line `after`.
    pub(crate) fn moved(
        &self,
        safety: Safety,
        title: &'static str,
        line: &Line,
        after: &Line,
    ) -> Fix {
        let end = Self::whole(after).end;
        let own = line.span.of(self.text());
        let ending: &[u8] = match after.ending.as_bytes() {
            [] => b"\n",
            ending => ending,
        };
        let at_end = after.ending.as_bytes().is_empty();
        let inserted = if at_end {
            [ending, own].concat()
        } else {
            [own, ending].concat()
        };
        let insertion = Edit {
            span: Span::new(end, end),
            replacement: inserted,
        };
        let removal = Edit {
            span: Self::whole(line),
            replacement: Vec::new(),
        };
        let mut edits = vec![insertion, removal];
        edits.sort_by_key(|edit| edit.span);
        Fix {
            safety,
            title: title.into(),
            edits,
        }
    }
}

/// A fix that writes the word of `vocabulary` that the key of a finding most likely means.
pub(crate) fn write_meant_word(
    file: &File<'_>,
    diagnostic: &Diagnostic,
    vocabulary: Vocabulary,
) -> Option<Fix> {
    let key = std::str::from_utf8(diagnostic.span.of(file.text())).ok()?;
    let word = preference_word(vocabulary, &key.to_ascii_lowercase())?;
    let title = format!("write {word}");
    Some(Fix::replace(Safety::Unsafe, title, diagnostic.span, word))
}

/// The value that another one most likely means: `yes` for `true`, `no` for `deny`.
pub(crate) fn meant_by(value: &[u8]) -> Option<bool> {
    const YES: [&str; 7] = ["y", "yes", "true", "?1", "1", "allow", "allowed"];
    const NO: [&str; 9] = [
        "n",
        "no",
        "false",
        "?0",
        "0",
        "deny",
        "disallow",
        "disallowed",
        "prohibited",
    ];
    let bare = value.trim_ascii();
    let bare = bare.strip_prefix(b"\"").unwrap_or(bare);
    let bare = bare.strip_suffix(b"\"").unwrap_or(bare);
    let is = |known: &&str| bare.eq_ignore_ascii_case(known.as_bytes());
    if YES.iter().any(&is) {
        Some(true)
    } else if NO.iter().any(is) {
        Some(false)
    } else {
        None
    }
}
