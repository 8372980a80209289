//! What Ctrl-C does to commands whose output has to be ended.

use crate::exit::Exit;
use anyhow::Context;
use std::process;

/// Calls `act` on every Ctrl-C from now on, on a thread of its own. A command calls this once.
pub(crate) fn on_ctrl_c(act: impl FnMut() + Send + 'static) -> anyhow::Result<()> {
    ctrlc::set_handler(act).context("cannot wait for Ctrl-C")
}

/// Ends the process at once, as interrupted.
pub(crate) fn end() -> ! {
    #[expect(
        clippy::exit,
        reason = "other threads may wait for input, or work for long"
    )]
    process::exit(Exit::Interrupted.status().into());
}
