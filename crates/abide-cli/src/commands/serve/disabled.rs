//! Says how to get the command.

use crate::args::ServeArgs;
use crate::exit::Exit;

/// Fails: this build has no service.
pub(crate) fn run(_: &ServeArgs) -> anyhow::Result<Exit> {
    anyhow::bail!(
        "this abide was built without the service. Use a released binary, or run `cargo install \
         abide-cli --features serve`; from a checkout, `cargo install --path crates/abide-cli \
         --features serve`"
    )
}
