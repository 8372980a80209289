//! The imports inside each crate go one way, in the order that ARCHITECTURE.md states.

use abide_testkit::source_files::rust_files;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The levels of each crate's modules: lines such as `abide: text moment → verdict → pattern`.
fn levels() -> BTreeMap<String, BTreeMap<String, usize>> {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let section = page.split("## Import order").nth(1).unwrap();
    let block = section.split("```").nth(1).unwrap();
    let block = block.strip_prefix("text").unwrap_or(block);
    // A line that is indented goes on with the line before.
    let joined = block.replace("\n    ", " ");
    let lines = joined.lines().filter_map(|line| line.split_once(": "));
    let of_crate = |(name, order): (&str, &str)| {
        let levels = order.split('→').enumerate();
        let modules = levels.flat_map(|(level, modules)| {
            let modules = modules.split_whitespace();
            modules.map(move |module| (module.to_owned(), level))
        });
        (name.to_owned(), modules.collect())
    };
    lines.map(of_crate).collect()
}

/// The modules that a file names with `crate::`, outside comments and unit tests.
fn imports(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    let code: Vec<_> = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect();
    let is_name = |c: char| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit();
    let code = code.join("\n");
    // `$crate::` is where a macro of the crate expands.
    let code = code.replace("$crate::", "");
    let after = code.split("crate::").skip(1);
    let names = after.map(|rest| rest.chars().take_while(|c| is_name(*c)).collect::<String>());
    // `use crate::Name` names an item of the crate's root, which only top modules may do.
    names.filter(|name| !name.is_empty()).collect()
}

#[test]
fn imports_go_one_way() {
    let crates = levels();
    assert!(crates.contains_key("abide"), "{crates:?}");
    let mut wrong = Vec::new();
    for (name, levels) in &crates {
        let src = root().join("crates").join(name).join("src");
        for file in rust_files(&src) {
            let place = file.strip_prefix(&src).unwrap();
            let first = place.iter().next().unwrap().to_string_lossy();
            let module = first.trim_end_matches(".rs").to_owned();
            if module == "lib" || module == "main" {
                continue;
            }
            let Some(own) = levels.get(&module) else {
                wrong.push(format!("{name}: ARCHITECTURE.md does not order {module}"));
                continue;
            };
            for import in imports(&file) {
                let is_below = levels.get(&import).is_some_and(|level| level < own);
                if import != module && !is_below {
                    wrong.push(format!("{name}: {} imports {import}", place.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
