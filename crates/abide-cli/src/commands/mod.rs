//! One file per subcommand.

pub(crate) mod batch;
pub(crate) mod cache;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod convert;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod fetch;
pub(crate) mod fmt;
pub(crate) mod lint;
pub(crate) mod man;
pub(crate) mod matrix;
pub(crate) mod report;
pub(crate) mod robots;
pub(crate) mod serve;
pub(crate) mod survey;
pub(crate) mod test;

/// Why a build without the feature `survey` does not run a command, and how to get one that does.
#[cfg(not(feature = "survey"))]
fn without_surveys() -> anyhow::Error {
    anyhow::anyhow!(
        "this abide was built without surveys. Use a released binary, or run `cargo install \
         abide-cli --features survey`; from a checkout, `cargo install --path crates/abide-cli \
         --features survey`"
    )
}
