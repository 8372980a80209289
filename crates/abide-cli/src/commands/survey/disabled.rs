//! Says how to get the command.

use crate::args::SurveyArgs;
use crate::exit::Exit;
use anyhow::bail;

/// Fails: this build has no surveys.
pub(crate) fn run(_: &SurveyArgs) -> anyhow::Result<Exit> {
    bail!(
        "this abide was built without surveys. Use a released binary, or run `cargo install \
         abide-cli --features survey`; from a checkout, `cargo install --path crates/abide-cli \
         --features survey`"
    )
}
