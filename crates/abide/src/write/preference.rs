//! Writes statements of `Content-Usage` and `Content-Signal`.

use super::error::{WriteError, WriteFault};
use super::item;
use crate::preference::{Revision, content_signal};
use crate::verdict::Usage;

/// What a line of robots.txt, or a response field, says about AI preferences.
///
/// ```
/// use abide::Usage;
/// use abide::preference::Revision;
/// use abide::write::PreferenceWriter;
/// let usage = PreferenceWriter::content_usage(Revision::latest())
///     .with(Usage::Train, false)
///     .with(Usage::Search, true);
/// assert_eq!(usage.value()?, "train-ai=n, search=y");
/// let line = usage.with_path("/ai-ok/").line()?;
/// assert_eq!(line, "Content-Usage: /ai-ok/ train-ai=n, search=y");
/// # Ok::<(), abide::write::WriteError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreferenceWriter {
    field: &'static str,
    document: &'static str,
    words: &'static [(&'static str, Usage)],
    /// The values that prohibit and permit.
    values: [&'static str; 2],
    path: Option<String>,
    says: Vec<(Usage, bool)>,
}

impl PreferenceWriter {
    /// Nothing yet in a `Content-Usage` statement with the words of `revision`.
    #[must_use]
    pub const fn content_usage(revision: &'static Revision) -> Self {
        Self {
            field: "Content-Usage",
            document: revision.document,
            words: revision.words,
            values: ["n", "y"],
            path: None,
            says: Vec::new(),
        }
    }

    /// Nothing yet in a `Content-Signal` statement.
    #[must_use]
    pub const fn content_signal() -> Self {
        Self {
            field: "Content-Signal",
            document: "Content-Signal",
            words: &content_signal::WORDS,
            values: ["no", "yes"],
            path: None,
            says: Vec::new(),
        }
    }

    /// Limits the statement to paths that match a pattern. Only lines of robots.txt have one.
    #[must_use]
    pub fn with_path(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Permits or prohibits a usage.
    #[must_use]
    pub fn with(mut self, usage: Usage, permits: bool) -> Self {
        self.says.push((usage, permits));
        self
    }

    /// The value of a response field, or with a path that of a line: the words in the order of the
    /// document.
    ///
    /// # Errors
    /// [`WriteError`] if nothing is said, if a usage is repeated, if the document has no word for
    /// it, and for a path that is no pattern.
    pub fn value(&self) -> Result<String, WriteError> {
        for (at, (usage, _)) in self.says.iter().enumerate() {
            if self.says.iter().take(at).any(|(known, _)| known == usage) {
                let name = usage.name().into();
                return Err(self.fault(WriteFault::Repeated { name }));
            }
            if !self.words.iter().any(|(_, about)| about == usage) {
                return Err(self.fault(WriteFault::Word {
                    document: self.document,
                    usage: *usage,
                }));
            }
        }
        let [prohibits, permits] = self.values;
        let items = self.words.iter().filter_map(|(word, about)| {
            let (_, is_permitted) = self.says.iter().find(|(usage, _)| usage == about)?;
            let value = if *is_permitted { permits } else { prohibits };
            Some(format!("{word}={value}"))
        });
        let items: Vec<String> = items.collect();
        if items.is_empty() {
            return Err(self.fault(WriteFault::Empty("a usage")));
        }
        let items = items.join(", ");
        let path = self.path.as_deref().map(item::path).transpose();
        Ok(match path.map_err(|fault| self.fault(fault))? {
            Some(path) => format!("{path} {items}"),
            None => items,
        })
    }

    /// The line of robots.txt, without its line end.
    ///
    /// # Errors
    /// [`WriteError`] as for [`value`](Self::value).
    pub fn line(&self) -> Result<String, WriteError> {
        Ok(format!("{}: {}", self.field, self.value()?))
    }

    const fn fault(&self, fault: WriteFault) -> WriteError {
        WriteError::whole(self.field, fault)
    }
}
