//! One file per subcommand.

pub(crate) mod batch;
pub(crate) mod cache;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod conformance;
pub(crate) mod convert;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod fetch;
pub(crate) mod fmt;
pub(crate) mod init;
pub(crate) mod lint;
pub(crate) mod man;
pub(crate) mod matrix;
pub(crate) mod registry;
#[cfg(feature = "survey")]
pub(crate) mod report;
pub(crate) mod robots;
#[cfg(all(feature = "serve", unix))]
pub(crate) mod serve;
#[cfg(feature = "survey")]
pub(crate) mod survey;
pub(crate) mod test;

/// Why a build without `feature`, which brings `what`, does not run a command, and how to get one
/// that does.
#[cfg(not(all(feature = "survey", feature = "serve")))]
pub(crate) fn without(what: &str, feature: &str) -> anyhow::Error {
    anyhow::anyhow!(
        "this abide was built without {what}. Use a released binary, or run `cargo install \
         abide-cli --features {feature}`; from a checkout, `cargo install --path crates/abide-cli \
         --features {feature}`"
    )
}
