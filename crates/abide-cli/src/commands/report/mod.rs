//! `abide report`

#[cfg(feature = "survey")]
mod markdown;
#[cfg(feature = "survey")]
mod written;

#[cfg(feature = "survey")]
pub(crate) use written::run;

use crate::args::ReportArgs;
use crate::exit::Exit;

/// Says how to get the command.
#[cfg(not(feature = "survey"))]
pub(crate) fn run(args: &ReportArgs) -> anyhow::Result<Exit> {
    let ReportArgs {
        folder: _,
        output_file: _,
        format: _,
        period: _,
        title: _,
    } = args;
    Err(super::without_surveys())
}
