//! The web page: how its files are served, and what people can do with it in Chromium.
//!
//! `.ci/run` installs what the browser needs below the target folder.

use crate::client::get;
use crate::{run, settings, site};
use abide_serve::Settings;
use abide_testkit::needs::missing;
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
fn the_page_needs_no_token_and_is_asked_for_each_time() {
    let service = run(&settings());
    let page = get(service.address, "/");
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(page.header("cache-control"), "no-cache");
    let policy = page.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none';"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    let html = page.text();
    let script = html.split("src=\"./").nth(1).unwrap();
    let script = format!("/{}", script.split('"').next().unwrap());
    let script = get(service.address, &script);
    assert_eq!(script.status, 200);
    assert_eq!(
        script.header("content-type"),
        "text/javascript; charset=utf-8"
    );
    assert!(script.header("cache-control").contains("immutable"));
    assert_ne!(page.header("etag"), script.header("etag"));
    assert_eq!(get(service.address, "/assets/none.js").status, 404);
}

#[test]
fn people_can_use_the_page() {
    let test = "people_can_use_the_page";
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
    let service = run(&Settings {
        cache: Some(folder.path().join("cache").to_str().unwrap().to_owned()),
        ..settings()
    });
    let site = site("User-agent: *\nDisallow: /closed/\n");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/page/check.mjs");
    let ran = Command::new(node)
        .arg(script)
        .arg(modules)
        .arg(chromium)
        .arg(format!("http://{}/", service.address))
        .arg(site.url("/"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{said}{errors}");
    let last = said.trim().lines().last().unwrap();
    let checks = last.strip_suffix(" checks").unwrap();
    assert!(checks.parse::<u32>().unwrap() > 1_000, "{said}");
}
