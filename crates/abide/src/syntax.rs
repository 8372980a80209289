//! Lines, fields and patterns of a robots.txt, for tools such as linters and editors.
//!
//! **Unstable.** This module shows how the crate reads a file, so anything in it may change in any
//! release. Programs that only decide do not need it.

#[cfg(feature = "findings")]
pub use crate::findings::{ForeignBody, preference_word};
pub use crate::pattern::normal;
pub use crate::pattern::{PathPattern, PatternError};
#[cfg(feature = "acap")]
pub use crate::policy::AcapStatement;
pub use crate::policy::{
    Addressee, Group, Inspect, Line, LineStatement, PreferenceStatement, Rule, StatedValues,
    preference_vocabulary, statement_words,
};
pub use crate::rep::field::{Content, Field, FieldKind, Fields, ParsedLine, Spelling};
pub use crate::spelling::nearest_text;
pub use crate::target::is_serialised_authority;
pub use crate::text::{Encoding, LineEnding, Lines, RawLine, Separator, Split, Text};
