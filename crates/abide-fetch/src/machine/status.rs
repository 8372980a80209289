//! What the final status of a fetch means (REP-70, REP-74, REP-75, AMB-REP-18, AMB-REP-19).

use super::settings::{RetrievalSettings, TooManyRequests};
use abide::rep::Access;
use abide::rep::Cause;

/// What a status means for the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum StatusClass {
    /// There is a file: the body.
    File,
    /// There is an empty file (204, 205).
    EmptyFile,
    /// The stored file is still current (304).
    NotModified,
    /// There is no file: everything is allowed.
    Unavailable(Cause),
    /// The file is unreachable: nothing is allowed.
    Unreachable(Cause),
}

/// Returns what `status` means if no further redirect is followed.
///
/// ```
/// use abide_fetch::machine::{StatusClass, RetrievalSettings, outcome_of};
/// let settings = RetrievalSettings::default();
/// assert_eq!(outcome_of(200, &settings), StatusClass::File);
/// assert!(matches!(outcome_of(404, &settings), StatusClass::Unavailable(_)));
/// assert!(matches!(outcome_of(206, &settings), StatusClass::Unreachable(_)));
/// ```
#[must_use]
pub fn outcome_of(status: u16, settings: &RetrievalSettings) -> StatusClass {
    match (status, Access::from_status(status)) {
        (204 | 205, _) => StatusClass::EmptyFile,
        (304, _) => StatusClass::NotModified,
        (429, _) if settings.while_429 == TooManyRequests::Unavailable => {
            StatusClass::Unavailable(Cause::Status(status))
        }
        (_, Access::Rules) => StatusClass::File,
        (_, Access::Unavailable(cause)) => StatusClass::Unavailable(cause),
        (_, Access::Unreachable(cause)) => StatusClass::Unreachable(cause),
        // No status means that nobody asked; should one ever, nothing is known.
        _ => StatusClass::Unreachable(Cause::Status(status)),
    }
}
