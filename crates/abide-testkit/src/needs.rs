//! What a test needs from the machine besides a compiler. If something is missing, the test prints
//! a message and passes, unless `ABIDE_EVERYTHING` is set, as in `.ci/run`: there no test may be
//! skipped.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Reports that `test` cannot run because the machine lacks `what`.
///
/// # Panics
/// Panics if `ABIDE_EVERYTHING` is set.
pub fn missing(test: &str, what: &str) {
    assert!(
        std::env::var_os("ABIDE_EVERYTHING").is_none(),
        "{test} needs {what}; see CONTRIBUTING.md"
    );
    // Written directly, so that it shows even when the output of passing tests is captured.
    let _ = writeln!(std::io::stderr(), "{test} DID NOT RUN: it needs {what}");
}

/// What opens pages in Chromium: Node, and packages that `.ci/run` installs.
#[derive(Debug)]
pub struct Browser {
    node: PathBuf,
    chromium: PathBuf,
    modules: PathBuf,
}

impl Browser {
    /// The browser of this machine, for `test`, whose `CARGO_TARGET_TMPDIR` is `folder`. Reports
    /// what is [`missing`].
    ///
    /// # Panics
    /// Panics if something is missing and `ABIDE_EVERYTHING` is set.
    #[must_use]
    pub fn find(test: &str, folder: &str) -> Option<Self> {
        let modules = Path::new(folder).join("../browser");
        let (Some(node), Some(chromium)) = (program("node"), program("chromium")) else {
            missing(test, "node and chromium");
            return None;
        };
        if !modules.join("node_modules/axe-core").is_dir() {
            let packages = "the packages of crates/abide-survey/tests/report/browser";
            missing(test, packages);
            return None;
        }
        Some(Self {
            node,
            chromium,
            modules,
        })
    }

    /// Runs a script with the arguments MODULES CHROMIUM and then `arguments`, and returns what it
    /// prints.
    ///
    /// # Panics
    /// Panics with what it prints if it fails.
    #[must_use]
    pub fn run(&self, script: &Path, arguments: &[impl AsRef<OsStr>]) -> String {
        let ran = Command::new(&self.node)
            .arg(script)
            .arg(&self.modules)
            .arg(&self.chromium)
            .args(arguments)
            .output()
            .expect("node starts");
        let output = String::from_utf8_lossy(&ran.stdout).into_owned();
        let errors = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "{output}{errors}");
        output
    }
}

/// The program of this name, if it is installed.
fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}
