//! The parsing limit: REP-81, REP-82, AMB-REP-10.

use super::part::Part as _;
use thiserror::Error;

/// How much of a robots.txt is read.
///
/// For the careful profile the default is the least limit that RFC 9309 §2.5 allows, 500 KiB. It
/// can only be raised (REP-82). google/robotstxt has no limit, so the google profile starts from
/// [`Limits::GOOGLE`], which only bounds memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    bytes: u32,
}

impl Limits {
    /// The least parsing limit that RFC 9309 §2.5 permits, in bytes: 500 KiB.
    pub const FLOOR: usize = 512_000;
    /// The greatest parsing limit, in bytes: 1 GiB.
    pub const MAX: usize = 1 << 30;
    /// The limit of the google profile: 16 MiB.
    pub const GOOGLE: Limits = Limits { bytes: 16 << 20 };

    /// A limit of `bytes`, counted before decoding, a byte order mark included.
    ///
    /// # Errors
    /// [`LimitError`] below [`Limits::FLOOR`] or above [`Limits::MAX`].
    ///
    /// ```
    /// use abide::Limits;
    /// assert!(Limits::new(511_999).is_err());
    /// assert_eq!(Limits::new(512_000)?, Limits::default());
    /// # Ok::<(), abide::LimitError>(())
    /// ```
    pub fn new(bytes: usize) -> Result<Self, LimitError> {
        if bytes < Self::FLOOR {
            return Err(LimitError::BelowFloor { bytes });
        }
        if bytes > Self::MAX {
            return Err(LimitError::AboveMax { bytes });
        }
        Ok(Self {
            bytes: super::span::offset(bytes),
        })
    }

    /// The limit in bytes.
    #[must_use]
    pub const fn bytes(self) -> usize {
        self.bytes as usize
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: super::span::offset(Self::FLOOR),
        }
    }
}

/// Why a parsing limit was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LimitError {
    /// Under the floor of RFC 9309 §2.5.
    #[error("expected a parsing limit of at least 512000 bytes (RFC 9309, 2.5), but found {bytes}")]
    BelowFloor {
        /// What was asked for.
        bytes: usize,
    },
    /// More than a span can address.
    #[error("expected a parsing limit of at most 1073741824 bytes, but found {bytes}")]
    AboveMax {
        /// What was asked for.
        bytes: usize,
    },
}

/// What the parsing limit did to a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Cut {
    /// It is not longer than the limit.
    #[default]
    Nothing,
    /// It is longer, and the limit is between two lines.
    BetweenLines,
    /// It is longer, and the line at the limit was dropped.
    Line,
}

/// The bytes of `bytes` that may be read, and what the limit did to them.
///
/// The line that the limit cuts is dropped whole, because half of `Disallow: /private/x` could be
/// `Disallow: /p` (AMB-REP-10). A line that ends exactly at the limit is complete.
pub(crate) fn within(bytes: &[u8], limit: usize) -> (&[u8], Cut) {
    let (Some(kept), Some(next)) = (bytes.get(..limit), bytes.get(limit)) else {
        return (bytes, Cut::Nothing);
    };
    if matches!(next, b'\n' | b'\r') || matches!(kept.last(), Some(b'\n' | b'\r')) {
        return (kept, Cut::BetweenLines);
    }
    let end = memchr::memrchr2(b'\n', b'\r', kept).map_or(0, |at| at.saturating_add(1));
    (kept.part(..end), Cut::Line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Tries every length, from the limit down, until the text ends there where a line ends.
    fn naive(text: &[u8], limit: usize) -> (&[u8], Cut) {
        if text.len() <= limit {
            return (text, Cut::Nothing);
        }
        let is_line_end = |at: usize| b"\r\n".contains(&text[at]);
        let ends_line = |at: &usize| *at == 0 || is_line_end(at - 1) || is_line_end(*at);
        match (0..=limit).rev().find(ends_line) {
            Some(end) if end == limit && limit > 0 => (&text[..end], Cut::BetweenLines),
            end => (&text[..end.unwrap_or_default()], Cut::Line),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn amb_rep_10_the_limit_keeps_whole_lines(text in "[ab\r\n]{0,12}", limit in 1_usize..13) {
            let text = text.as_bytes();
            prop_assert_eq!(within(text, limit), naive(text, limit), "{} at {}", text.escape_ascii(), limit);
        }
    }

    #[test]
    fn rep_82_limits_are_between_the_floor_and_the_maximum() {
        assert_eq!(
            Limits::new(Limits::FLOOR - 1),
            Err(LimitError::BelowFloor { bytes: 511_999 })
        );
        assert_eq!(Limits::new(Limits::FLOOR).map(Limits::bytes), Ok(512_000));
        assert_eq!(Limits::new(Limits::MAX).map(Limits::bytes), Ok(1 << 30));
        assert_eq!(
            Limits::new(Limits::MAX + 1),
            Err(LimitError::AboveMax {
                bytes: (1 << 30) + 1
            })
        );
    }
}
