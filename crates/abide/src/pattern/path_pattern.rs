//! The value of a rule as a pattern (REP-18 to REP-20, REP-58 to REP-62, AMB-REP-2, AMB-REP-3,
//! AMB-REP-12, AMB-REP-14).

use super::byte_set::ByteSet;
use super::normal::{self, Forms};
use crate::profile::Profile;
use crate::text::is_control;
use std::borrow::Cow;
use thiserror::Error;

/// A normalised path pattern. It matches paths that begin with it; `*` matches any bytes, and a
/// final `$` matches the end of the path.
///
/// ```
/// use abide::syntax::PathPattern;
/// let pattern = PathPattern::read(b"/*.gif$")?;
/// assert_eq!(pattern.length(), 7);
/// assert!(pattern.matches(b"/a/b.gif"));
/// assert!(!pattern.matches(b"/a/b.gif?x"));
/// # Ok::<(), abide::syntax::PatternError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathPattern<'a> {
    forms: Forms<'a>,
    /// The bytes of form C1.
    set: ByteSet,
    anchored: bool,
    /// Whether only form C1 is compared (CLA-21).
    has_stray_percent: bool,
}

impl<'a> PathPattern<'a> {
    /// Reads the value of a rule, without blanks around it and without comment.
    ///
    /// # Errors
    /// [`PatternError`] if the value matches no path; the rule then never matches.
    #[inline]
    pub fn read(value: &'a [u8]) -> Result<Self, PatternError> {
        Self::of(&RuleValue::new(value))
    }

    /// The pattern of a value.
    #[inline]
    pub(crate) fn of(written: &RuleValue<'a>) -> Result<Self, PatternError> {
        let RuleValue {
            body,
            set,
            anchored,
        } = *written;
        if set.has_control()
            && let Some(&byte) = body.iter().find(|&&byte| is_control(byte))
        {
            return Err(PatternError::Control { byte });
        }
        match body {
            // A lone `$` has an empty body too, but it has to begin like any other pattern
            // (AMB-REP-3).
            [] if !anchored => Err(PatternError::Empty),
            [b'/' | b'*', ..] => {
                let (forms, set) = normal::pattern_of(body, set);
                Ok(Self {
                    has_stray_percent: set.has_percent()
                        && normal::stray_percent(&forms.c1).is_some(),
                    forms,
                    set,
                    anchored,
                })
            }
            _ => Err(PatternError::NoSlash),
        }
    }

    /// Reads the value of a rule in the reading of `profile`.
    #[inline]
    pub(crate) fn read_as(value: &'a [u8], profile: Profile) -> Result<Self, PatternError> {
        match profile {
            Profile::Careful => Self::read(value),
            Profile::Google if value.is_empty() => Err(PatternError::Empty),
            Profile::Google => {
                let (body, anchored) = unanchored(value);
                Ok(Self::of_one_form(normal::google(body), anchored))
            }
        }
    }

    /// Reads a resource path pattern of ACAP: relative to the root (ACAP-65), and in lower case.
    pub(crate) fn read_folded(value: &[u8]) -> Result<PathPattern<'static>, PatternError> {
        let rooted = match value {
            [] | [b'/' | b'*', ..] => Cow::Borrowed(value),
            _ => Cow::Owned([b"/", value].concat()),
        };
        let read = PathPattern::read(&rooted)?;
        // Escapes become lower case as well. Those of the paths do too (`scope::folded`).
        let c1 = Cow::Owned(read.forms.c1.to_ascii_lowercase());
        let c2 = read.forms.c2.map(|c2| c2.to_ascii_lowercase());
        Ok(PathPattern {
            set: ByteSet::of(&c1),
            forms: Forms { c1, c2 },
            anchored: read.anchored,
            has_stray_percent: read.has_stray_percent,
        })
    }

    /// A pattern whose two forms are the same, as those of paths in the google profile are.
    fn of_one_form(c1: Cow<'a, [u8]>, anchored: bool) -> Self {
        Self {
            set: ByteSet::of(&c1),
            forms: Forms { c1, c2: None },
            anchored,
            has_stray_percent: false,
        }
    }

    /// The folder that google/robotstxt also allows for `Allow: …/index.html` and its like, which
    /// is this pattern up to its last `/`, anchored.
    pub(crate) fn google_index_alias(&self) -> Option<PathPattern<'static>> {
        let c1 = &self.forms.c1;
        let end = memchr::memrchr(b'/', c1)?;
        // A prefix, as in google/robotstxt: `/index.html5` counts.
        c1.get(end..)?.starts_with(b"/index.htm").then_some(())?;
        let folder = c1.get(..=end)?.to_vec();
        Some(PathPattern::of_one_form(Cow::Owned(folder), true))
    }

    /// The length of the pattern, by which rules are compared: its bytes in form C1, with `*` and
    /// `$` (REP-42, AMB-REP-2).
    #[must_use]
    pub fn length(&self) -> usize {
        self.forms
            .c1
            .len()
            .saturating_add(usize::from(self.anchored))
    }

    /// Whether the pattern has a final `$` and so matches only at the end of the path (REP-58).
    #[must_use]
    pub fn is_anchored(&self) -> bool {
        self.anchored
    }

    /// The pattern's canonical forms, without the final `$`.
    #[must_use]
    pub fn forms(&self) -> &Forms<'a> {
        &self.forms
    }

    /// Whether a `%` of the pattern begins no escape. Such a pattern is compared in form C1 only:
    /// the `%` is one of the URL as it is sent (CLA-21).
    ///
    /// ```
    /// let pattern = abide::syntax::PathPattern::read(b"/*%")?;
    /// assert!(pattern.has_stray_percent());
    /// assert!(pattern.matches(b"/100%") && pattern.matches(b"/a%20b"));
    /// assert!(!pattern.matches(b"/a,b"));
    /// # Ok::<(), abide::syntax::PatternError>(())
    /// ```
    #[must_use]
    pub fn has_stray_percent(&self) -> bool {
        self.has_stray_percent
    }

    /// The bytes of form C1.
    pub(crate) fn set(&self) -> ByteSet {
        self.set
    }

    /// Whether the pattern matches a path with query, as written in a URL (REP-39, REP-40), in form
    /// C1 or in form C2 (AMB-REP-1), or in form C1 only (CLA-21).
    #[must_use]
    pub fn matches(&self, path: &[u8]) -> bool {
        self.matches_forms(&normal::target(path))
    }

    /// Like [`PathPattern::matches`], for a path whose forms are known.
    pub(crate) fn matches_forms(&self, path: &Forms<'_>) -> bool {
        let matches = |pattern, path| super::matcher::matches(pattern, self.anchored, path);
        // If both second forms are the same as the first ones, the first comparison has answered.
        let reads_c2 = !self.has_stray_percent && (self.forms.c2.is_some() || path.c2.is_some());
        matches(&self.forms.c1, &path.c1) || (reads_c2 && matches(self.forms.c2(), path.c2()))
    }
}

/// The value of a rule, and the bytes it contains.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuleValue<'a> {
    /// Its bytes without the final `$`.
    pub(crate) body: &'a [u8],
    /// The bytes of `body`.
    pub(crate) set: ByteSet,
    /// Whether there is a final `$`.
    pub(crate) anchored: bool,
}

impl<'a> RuleValue<'a> {
    #[inline]
    pub(crate) fn new(value: &'a [u8]) -> Self {
        let (body, anchored) = unanchored(value);
        Self {
            body,
            set: ByteSet::of(body),
            anchored,
        }
    }

    /// Whether it is a pattern in form C1 already, as most are.
    #[inline]
    pub(crate) fn is_in_c1(&self) -> bool {
        matches!(self.body, [b'/' | b'*', ..]) && !self.set.may_change()
    }
}

/// Splits off a final `$`. Only a `$` at the very end is special (REP-62, AMB-REP-14).
fn unanchored(value: &[u8]) -> (&[u8], bool) {
    value
        .strip_suffix(b"$")
        .map_or((value, false), |body| (body, true))
}

/// Why the value of a rule matches no path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PatternError {
    /// The empty pattern, which is valid and matches no path (REP-20).
    #[error("an empty pattern names no path")]
    Empty,
    /// A pattern that begins neither with `/` nor with `*` (AMB-REP-3).
    #[error("expected a pattern that begins with '/' or '*'")]
    NoSlash,
    /// A control byte (REP-83, AMB-REP-12).
    #[error("expected no control byte in a pattern, but found {byte:#04x}")]
    Control {
        /// The first one.
        byte: u8,
    },
}
