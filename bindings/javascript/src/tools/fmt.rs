//! The file in the canonical format.

use super::{Answer, Files, needed};
use abide_contract::{RequestError, read};
use abide_lint::format::format;
use serde::Deserialize;

/// The code of a file that cannot be formatted, as the service has it.
const CANNOT_FORMAT: &str = "cannot-format";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FmtRequest {}

pub(super) fn fmt(request: &[u8], [file, _]: Files<'_>) -> Result<Answer, RequestError> {
    let FmtRequest {} = read(request)?;
    let formatted = format(needed(file, "robots")?).map_err(|error| {
        let error = RequestError::new(CANNOT_FORMAT, "/robots", error);
        error.with_remedy("nothing was changed")
    })?;
    let file = formatted.into_bytes();
    let json = "{}".to_owned();
    Ok(Answer { json, file })
}
