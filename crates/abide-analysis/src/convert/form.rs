//! What can be converted to, by name.

use super::{FileForm, TagForm};
use abide::UnknownNameError;
use std::fmt;

/// The target of a conversion: a form of a robots.txt, or of robots tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum Form {
    /// A robots.txt is converted: [`robots_txt`](super::robots_txt).
    File(FileForm),
    /// Robots tags are converted, [`tags`](super::tags), or ACAP records by path,
    /// [`robots_txt`](super::robots_txt).
    Tags(TagForm),
}

impl Form {
    /// All targets.
    pub const ALL: &'static [Self] = &[
        Self::File(FileForm::Acap),
        Self::File(FileForm::Robots),
        Self::File(FileForm::ContentUsage),
        Self::File(FileForm::ContentSignal),
        Self::File(FileForm::Tdmrep),
        Self::Tags(TagForm::RobotsTag),
        Self::Tags(TagForm::XRobotsTag),
        Self::Tags(TagForm::Meta),
    ];

    /// The name, such as `content-usage` or `x-robots-tag`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::File(FileForm::Acap) => "acap",
            Self::File(FileForm::Robots) => "robots",
            Self::File(FileForm::ContentUsage) => "content-usage",
            Self::File(FileForm::ContentSignal) => "content-signal",
            Self::File(FileForm::Tdmrep) => "tdmrep",
            Self::Tags(TagForm::RobotsTag) => "robots-tag",
            Self::Tags(TagForm::XRobotsTag) => "x-robots-tag",
            Self::Tags(TagForm::Meta) => "meta",
        }
    }

    /// The names of all targets.
    pub fn names() -> impl ExactSizeIterator<Item = &'static str> + Clone {
        Self::ALL.iter().map(|form| form.name())
    }

    /// What the result is, and what it is made from: one sentence without a full stop.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::File(FileForm::Acap) => "ACAP 1.0 records, from robots.txt rules",
            Self::File(FileForm::Robots) => "robots.txt rules, from ACAP records about crawling",
            Self::File(FileForm::ContentUsage) => {
                "The file with Content-Usage lines, from its Content-Signal lines"
            }
            Self::File(FileForm::ContentSignal) => {
                "The file with Content-Signal lines, from its Content-Usage lines"
            }
            Self::File(FileForm::Tdmrep) => {
                "A tdmrep.json, from preferences for every robot about training and AI input"
            }
            Self::Tags(TagForm::RobotsTag) => {
                "A Robots-Tag field from robots tags, or one for each path from ACAP records"
            }
            Self::Tags(TagForm::XRobotsTag) => "X-Robots-Tag fields, in the same way",
            Self::Tags(TagForm::Meta) => "Robots meta elements, from robots tags",
        }
    }
}

impl From<FileForm> for Form {
    fn from(form: FileForm) -> Self {
        Self::File(form)
    }
}

impl From<TagForm> for Form {
    fn from(form: TagForm) -> Self {
        Self::Tags(form)
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Reads the names that [`Form::name`] returns.
///
/// ```
/// use abide_analysis::convert::Form;
/// for &form in Form::ALL {
///     assert_eq!(form.name().parse(), Ok(form));
/// }
/// ```
impl std::str::FromStr for Form {
    type Err = UnknownNameError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        UnknownNameError::find("form", name, Self::ALL.iter().copied(), Self::name)
    }
}
