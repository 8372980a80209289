//! The console examples in the README and the guides match the output of the command.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The console examples of a page: commands and their output.
fn examples(page: &str) -> Vec<(String, String)> {
    let mut examples: Vec<(String, String)> = Vec::new();
    for block in page.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for line in block.lines() {
            match (line.strip_prefix("$ "), examples.last_mut()) {
                (Some(command), _) => examples.push((command.to_owned(), String::new())),
                (None, Some((_, printed))) => printed.extend([line, "\n"]),
                (None, None) => panic!("a console example without a command: {line}"),
            }
        }
    }
    examples
}

/// Runs a command line in the root of the repository, with `abide` as the binary under test.
fn run(command: &str) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_abide"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders =
        std::iter::once(binary.parent().unwrap().to_owned()).chain(std::env::split_paths(&path));
    let output = Command::new("sh")
        .args([
            "-c",
            &command.replace("cargo run -q -p abide-cli --", "abide"),
        ])
        .current_dir(root())
        .env("PATH", std::env::join_paths(folders).unwrap())
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Compares a line; a line that ends with `…` shows only the beginning of the real one.
fn agrees(shown: &str, printed: &str) -> bool {
    match shown.strip_suffix('…') {
        Some(begin) => printed.starts_with(begin.trim_end()),
        None => shown == printed,
    }
}

#[test]
fn console_examples_are_true() {
    let mut pages = vec![root().join("README.md")];
    let guides = std::fs::read_dir(root().join("docs")).unwrap();
    pages.extend(
        guides
            .map(|entry| entry.unwrap().path())
            // `owners.rs` runs the commands of that page, in a folder of their own.
            .filter(|path| {
                path.extension().is_some_and(|extension| extension == "md")
                    && !path.ends_with("owners.md")
            }),
    );
    pages.sort();
    let mut seen = 0;
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        for (command, shown) in examples(&text) {
            if !command.contains("abide") || shown.is_empty() {
                continue;
            }
            let printed = run(&command);
            let same = shown.lines().count() == printed.lines().count()
                && shown
                    .lines()
                    .zip(printed.lines())
                    .all(|(shown, printed)| agrees(shown, printed));
            assert!(same, "{}: {command}\nprints\n{printed}", page.display());
            seen += 1;
        }
    }
    assert!(seen >= 5, "{seen} examples");
}
