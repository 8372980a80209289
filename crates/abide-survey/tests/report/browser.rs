//! The page in Chromium: no request, no error, both themes, three widths, paper, the keyboard, and
//! the rules of axe-core.
//!
//! `.ci/run` installs what `browser/package.json` names below the target folder.

use crate::counting::{random, small};
use crate::page::{hostile, page};
use abide_survey::schema::Table;
use abide_testkit::needs::Browser;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

#[test]
fn chromium_shows_the_page_to_everyone() {
    let test = "chromium_shows_the_page_to_everyone";
    let Some(browser) = Browser::find(test, env!("CARGO_TARGET_TMPDIR")) else {
        return;
    };
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
    let said = browser.run(&script, &pages);
    let checks = said.trim().strip_suffix(" checks").unwrap();
    assert!(checks.parse::<u32>().unwrap() > 500, "{said}");
}
