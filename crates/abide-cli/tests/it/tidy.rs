//! Rules for the source of the command that the compiler does not check.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let nested = folders.iter().flat_map(|folder| sources(folder));
    files.into_iter().chain(nested).collect()
}

fn lines() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut lines = Vec::new();
    let is_code = |path: &PathBuf| path.extension().is_some_and(|end| end == "rs");
    for path in sources(&root).into_iter().filter(is_code) {
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        let text = fs::read_to_string(&path).unwrap();
        lines.extend(
            text.lines()
                .map(|line| (name.clone(), line.trim().to_owned())),
        );
    }
    lines
}

/// Paths are shown through `shown_path`, which escapes characters that would control a terminal.
#[test]
fn no_path_is_shown_raw() {
    let raw: Vec<_> = lines()
        .into_iter()
        .filter(|(_, line)| line.contains(".display()"))
        .collect();
    assert!(raw.is_empty(), "use `shown_path`: {raw:?}");
}

/// An argument that names a file is a `FileArg`, which escapes itself. The arguments listed here
/// are not names of files.
#[test]
fn arguments_that_name_files_escape_themselves() {
    const WORDS: [&str; 26] = [
        "acap_names",
        "acap_purposes",
        "agent",
        "agents",
        "applications",
        "block",
        "command",
        "document",
        "explain",
        "fields",
        "headers",
        "ignore",
        "new_token",
        "new_user_agent",
        "old_user_agent",
        "operator",
        "paths",
        "purposes",
        "robot",
        "select",
        "sitemaps",
        "title",
        "url",
        "urls",
        "user_agent",
        "what",
    ];
    let raw: Vec<_> = lines()
        .into_iter()
        .filter(|(file, line)| {
            let field = line.strip_prefix("pub(crate) ").unwrap_or(line);
            let name = field.split(':').next().unwrap_or_default();
            let is_field = field.ends_with("String,") || field.ends_with("<String>,");
            file.starts_with("args") && is_field && !WORDS.contains(&name)
        })
        .collect();
    assert!(
        raw.is_empty(),
        "make it a `FileArg`, or add its name here: {raw:?}"
    );
}

/// What is printed is made safe first. A `write!`, a `print!` or a message must not have an
/// expression with foreign text, such as a URL as typed, a name or the bytes of a file, without a
/// function that makes it safe.
#[test]
fn no_foreign_text_is_printed_raw() {
    const FOREIGN: [&str; 9] = [
        ".as_str()",
        ".url()",
        ".typed",
        ".locator",
        ".statement",
        "from_utf8_lossy",
        "args.urls",
        ".to_string_lossy()",
        ".origin.value()",
    ];
    const PRINTS: [&str; 6] = [
        "write!(",
        "writeln!(",
        "print!(",
        "println!(",
        "warn(",
        "bail!(",
    ];
    let raw: Vec<_> = lines()
        .into_iter()
        .filter(|(file, line)| {
            let prints = PRINTS.iter().any(|call| line.contains(call));
            let is_foreign = FOREIGN.iter().any(|text| line.contains(text));
            prints && is_foreign && !line.contains("visible") && !file.starts_with("report")
        })
        .collect();
    assert!(raw.is_empty(), "use `visible` or `visible_url`: {raw:?}");
}
