//! Says how to get the command.

use crate::args::SurveyArgs;
use crate::exit::Exit;

/// Fails: this build has no surveys.
pub(crate) fn run(_: &SurveyArgs) -> anyhow::Result<Exit> {
    Err(crate::commands::without_surveys())
}
