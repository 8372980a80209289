//! From bytes to lines: decoding, the parsing limit, line ends, and the split into key, value and
//! comment.
//!
//! Nothing in here knows what a key means. Every part is a [`Span`] of the decoded text, so a file
//! can be rebuilt from its lines byte for byte.

mod decode;
mod limit;
mod lines;
mod part;
mod span;
mod split;

pub use decode::{Encoding, Text};
pub use limit::{LimitError, Limits};
pub use lines::{LineEnding, Lines, RawLine};
pub use span::Span;
pub use split::{Separator, Split};

pub(crate) use part::Part;
pub(crate) use span::offset;
pub(crate) use split::{
    has_control, is_blank, is_control, leading_blanks, spanned, split, trailing_blanks, trim,
};
