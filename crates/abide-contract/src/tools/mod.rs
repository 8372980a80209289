//! What tools are asked, and what answers it. Each request is declared here once; services,
//! packages and pages read it from JSON or from values of the same form, call its `answer`, and
//! write what they get.
//!
//! ```
//! use abide_contract::tools::{LintRequest, Work};
//! let request = br#"{"robots":"User-agent: *\nDissalow: /private/\n"}"#;
//! let request: LintRequest = abide_contract::read(request)?;
//! let json = request.answer(&Work::endless(), |linted| abide_contract::text::line(linted))?;
//! assert!(json.contains("misspelt-field"));
//! # Ok::<(), abide_contract::RequestError>(())
//! ```

mod agents;
mod convert;
mod diff;
mod explain;
mod file;
mod fmt;
mod init;
mod known_robots;
mod lint;
#[cfg(feature = "pages")]
mod lint_code;
mod lists;
mod matrix;
#[cfg(feature = "schema")]
mod schema;
mod sitemap;
mod table;
mod test;
mod work;

pub use agents::Agents;
pub use convert::ConvertRequest;
pub use diff::{DiffRequest, NamedFile, Side};
pub use explain::ExplainRequest;
pub use file::text_or_base64;
pub use fmt::{FmtRequest, FormattedFile};
pub use init::{InitRequest, WrittenFile};
pub use known_robots::KnownRobots;
pub use lint::{LintRequest, Linted};
#[cfg(feature = "pages")]
pub use lint_code::{LintCode, LintCodeRequest};
pub use lists::MAX_ENTRIES;
pub use matrix::{MatrixRequest, PreferenceChoice};
#[cfg(feature = "schema")]
pub(crate) use schema::{ToolAnswer, ToolRequest};
pub use sitemap::{INVALID_SITEMAP, SitemapRequest, SitemapSource, SitemapUrls};
pub use table::TableRequest;
pub use test::TestRequest;
pub use work::Work;

use crate::codes;
use crate::request_error::RequestError;
use std::fmt::Display;

/// The code of a file that cannot be formatted.
pub const CANNOT_FORMAT: &str = "cannot-format";
/// The code of cases that cannot be read.
pub const INVALID_CASES: &str = "invalid-cases";
/// The code of a finding that is none.
pub const UNKNOWN_CODE: &str = "unknown-code";
/// The code of a wish that is wrong or contradicts another one.
pub const INVALID_WISH: &str = "invalid-wish";
/// The code of wishes that no file keeps.
pub const WISH_NOT_KEPT: &str = "wish-not-kept";
/// The code of a request that needs more than its time or room.
pub const TOO_MUCH_WORK: &str = "too-much-work";

/// The error of a member that has no other remedy.
fn wrong(member: &'static str, error: impl Display) -> RequestError {
    let error = RequestError::new(codes::INVALID_REQUEST, format!("/{member}"), error);
    error.with_remedy("correct this member, or leave it out")
}

/// The error of the URL of number `at`.
fn invalid_url(at: usize, error: abide::TargetError) -> RequestError {
    RequestError::new(codes::INVALID_URL, format!("/urls/{at}"), error)
        .naming("urls")
        .with_remedy("write an absolute URL, or a path that begins with \"/\"")
}

fn robots_txt() -> String {
    "robots.txt".to_owned()
}
