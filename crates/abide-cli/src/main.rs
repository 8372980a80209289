//! The `abide` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    abide_cli::run(std::env::args_os()).into()
}
