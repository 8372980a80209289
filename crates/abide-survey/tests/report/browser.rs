//! The page in Chromium: no request, no error, both themes, three widths, paper, the keyboard, and
//! the rules of axe-core.
//!
//! `.ci/run` installs what `browser/package.json` names below the target folder.

use crate::counting::{random, small};
use crate::page::{hostile, page};
use abide_survey::schema::Table;
use abide_testkit::needs::missing;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program of this name, if it is installed.
fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

#[test]
fn chromium_shows_the_page_to_everyone() {
    let test = "chromium_shows_the_page_to_everyone";
    let modules = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../browser");
    let (Some(node), Some(chromium)) = (program("node"), program("chromium")) else {
        return missing(test, "node and chromium");
    };
    if !modules.join("node_modules/axe-core").is_dir() {
        return missing(
            test,
            "the packages of crates/abide-survey/tests/report/browser",
        );
    }
    let folder = tempfile::tempdir().unwrap();
    let only_files = small().without(Table::Robots).without(Table::Groups);
    let only_files = only_files.without(Table::Findings).without(Table::Errors);
    let mut pages: Vec<OsString> = Vec::new();
    for (name, survey) in [
        ("random", random(7)),
        ("hostile", hostile()),
        ("only-files", only_files),
    ] {
        let file = folder.path().join(format!("{name}.html"));
        fs::write(&file, page(&survey, None)).unwrap();
        pages.push(file.into());
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/report/browser/check.mjs");
    let ran = Command::new(node)
        .arg(script)
        .arg(modules)
        .arg(chromium)
        .args(&pages)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{said}{errors}");
    let checks = said.trim().strip_suffix(" checks").unwrap();
    assert!(checks.parse::<u32>().unwrap() > 500, "{said}");
}
