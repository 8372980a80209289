//! The robots.txt files that arguments name: files, URLs, stdin, patterns and folders; without
//! arguments, the usual places.

use crate::file_arg::{FileArg, shown_path};
use anyhow::{Context, bail};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The folders below the current one in which projects keep their robots.txt; `""` is the current
/// folder itself.
pub(crate) const USUAL_PLACES: [&str; 18] = [
    "",
    "public",
    "public_html",
    "static",
    "www",
    "wwwroot",
    "web",
    "webroot",
    "html",
    "htdocs",
    "src",
    "app",
    "docs",
    "site",
    "dist",
    "build",
    "_site",
    "out",
];

/// The files that are named, in order and each once; without names, those in the usual places. A
/// name that leads nowhere is an error of its own, so that the others are still read.
pub(crate) fn named(names: &[FileArg]) -> Vec<anyhow::Result<FileArg>> {
    if names.is_empty() {
        let usual = usual();
        if usual.is_empty() {
            return vec![Err(none_in_usual_places())];
        }
        return usual.into_iter().map(Ok).collect();
    }
    let mut known = BTreeSet::new();
    let mut found = Vec::new();
    for name in names {
        match expanded(name) {
            Ok(files) => found.extend(
                files
                    .into_iter()
                    // Stdin twice is a mistake, which the commands report.
                    .filter(|file| file.is_stdin() || known.insert(file.as_str().to_owned()))
                    .map(Ok),
            ),
            Err(error) => found.push(Err(error)),
        }
    }
    found
}

/// The robots.txt files in the usual places.
fn usual() -> Vec<FileArg> {
    let names = USUAL_PLACES.iter().map(|place| match *place {
        "" => "robots.txt".to_owned(),
        place => format!("{place}/robots.txt"),
    });
    let names = names.filter(|name| Path::new(name).is_file());
    names.map(FileArg::from).collect()
}

fn none_in_usual_places() -> anyhow::Error {
    let places = USUAL_PLACES.iter().filter(|place| !place.is_empty());
    let places: Vec<_> = places.map(|place| format!("{place}/")).collect();
    anyhow::anyhow!(
        "found no robots.txt in the current folder, nor in {}; name a file, a folder or a URL, or \
         \"-\" for stdin",
        places.join(", ")
    )
}

fn expanded(name: &FileArg) -> anyhow::Result<Vec<FileArg>> {
    let text = name.as_str();
    if text.is_empty() {
        bail!("a name is empty; name a file, a folder or a URL, or \"-\" for stdin");
    }
    if text.ends_with('\r') {
        bail!(
            "the name {name} ends in a carriage return: the list of names has Windows line ends; \
             remove them with tr -d '\\r'"
        );
    }
    let path = Path::new(text);
    if name.is_stdin() || text.contains("://") || path.is_file() {
        return Ok(vec![name.clone()]);
    }
    if path.is_dir() {
        let found = below(path).with_context(|| format!("cannot read the folder {name}"))?;
        if found.is_empty() {
            bail!(
                "found no robots.txt below the folder {name}; files such as robots.txt, \
                 staging.robots.txt and robots-staging.txt count"
            );
        }
        return Ok(found);
    }
    // What does not exist but has no wildcard is reported when it is opened.
    if !text.contains(['*', '?', '[']) || path.exists() {
        return Ok(vec![name.clone()]);
    }
    matching(name)
}

/// The files that match a pattern; a folder that matches means the files below it, as it does if a
/// shell expands the pattern.
fn matching(name: &FileArg) -> anyhow::Result<Vec<FileArg>> {
    let pattern = glob::Pattern::new(name.as_str());
    let pattern = pattern.with_context(|| format!("{name} is not a valid pattern"))?;
    // Only the folders in front of the first wildcard are known by name.
    let parts: Vec<&str> = name.as_str().split('/').collect();
    let is_plain = |part: &&&str| !part.contains(['*', '?', '[']);
    let known = parts.iter().take_while(is_plain).count();
    let (known, rest) = parts.split_at(known);
    let start = match known {
        [""] => "/".to_owned(),
        known => known.join("/"),
    };
    let has_hidden = rest.iter().any(|part| part.starts_with('.'));
    let search = Search {
        pattern,
        depth: (!rest.contains(&"**")).then_some(rest.len()),
        has_hidden,
    };
    let mut found = Vec::new();
    if start.is_empty() || Path::new(&start).is_dir() {
        search.collect(&start, 1, &mut found)?;
    }
    if found.is_empty() {
        bail!("no file matches {name}; check the pattern, or name the file");
    }
    found.sort_by(|one, other| one.as_str().cmp(other.as_str()));
    Ok(found)
}

/// A search for files that match a pattern.
struct Search {
    pattern: glob::Pattern,
    /// How many folders deep, if the pattern has no `**`.
    depth: Option<usize>,
    /// Whether the pattern names a hidden file or folder.
    has_hidden: bool,
}

impl Search {
    fn collect(&self, folder: &str, depth: usize, found: &mut Vec<FileArg>) -> anyhow::Result<()> {
        const HOW: glob::MatchOptions = glob::MatchOptions {
            case_sensitive: true,
            require_literal_separator: true,
            require_literal_leading_dot: true,
        };
        let (here, before) = match folder {
            "" => (Path::new("."), String::new()),
            "/" => (Path::new("/"), "/".to_owned()),
            folder => (Path::new(folder), format!("{folder}/")),
        };
        for entry in entries(here)? {
            let entry = entry?;
            // A pattern cannot match a name that is not UTF-8.
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            let path = format!("{before}{name}");
            let is_folder = Path::new(&path).is_dir();
            if self.pattern.matches_with(&path, HOW) {
                if !is_folder {
                    found.push(FileArg::from(path));
                } else if !is_skipped(&name) {
                    found.extend(below(Path::new(&path))?);
                }
                continue;
            }
            // Links to folders can make circles, which only a bounded depth ends.
            let goes_on = match self.depth {
                Some(most) => depth < most,
                None => entry.file_type()?.is_dir(),
            };
            if is_folder && goes_on && (self.has_hidden || !is_skipped(&name)) {
                self.collect(&path, depth.saturating_add(1), found)?;
            }
        }
        Ok(())
    }
}

fn entries(folder: &Path) -> anyhow::Result<fs::ReadDir> {
    fs::read_dir(folder).with_context(|| format!("cannot read the folder {}", shown_path(folder)))
}

/// Whether a folder is not searched: a hidden one, and `node_modules`.
fn is_skipped(name: &str) -> bool {
    name.starts_with('.') || name == "node_modules"
}

/// The robots.txt files below a folder, sorted. Hidden folders, `node_modules` and links to folders
/// are skipped.
fn below(folder: &Path) -> anyhow::Result<Vec<FileArg>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in entries(&folder)? {
            let entry = entry?;
            let (kind, name) = (entry.file_type()?, entry.file_name());
            let name = name.to_string_lossy();
            if kind.is_dir() && !is_skipped(&name) {
                folders.push(entry.path());
            } else if !kind.is_dir() && is_robots_txt(&name) && entry.path().is_file() {
                found.push(file_arg(&entry.path())?);
            }
        }
    }
    found.sort_by(|one, other| one.as_str().cmp(other.as_str()));
    Ok(found)
}

/// Whether a file is called as robots.txt files are: `robots.txt`, or with one more word before or
/// after `robots`, such as `staging.robots.txt`, `robots.staging.txt` or `robots-staging.txt`. The
/// hooks in `.pre-commit-hooks.yaml` select the same names.
pub(crate) fn is_robots_txt(name: &str) -> bool {
    let Some(name) = name.strip_suffix(".txt") else {
        return false;
    };
    let after = |rest: &str| rest.is_empty() || rest.starts_with(['.', '-']);
    name.strip_prefix("robots").is_some_and(after) || name.ends_with(".robots")
}

/// The robots.txt in a folder above that of the file `file`, if robots most likely ask for that one
/// only. The folder is one of the usual places, and no folder between the two looks like the root
/// of another site. `None` for a file that is not called `robots.txt`: it is more often a draft, or
/// the file of one site among many.
pub(crate) fn above(file: &Path) -> Option<String> {
    const NAME: &str = "robots.txt";
    let is_usual = |name: &str| USUAL_PLACES.contains(&name);
    // Documentation in a folder of its own is part of the site around it.
    let is_root = |name: &str| name.contains('.') || (is_usual(name) && name != "docs");
    let name = |path: &Path| path.file_name()?.to_str().map(str::to_owned);
    if name(file)? != NAME {
        return None;
    }
    let mut folder = file.parent()?;
    while !is_root(&name(folder)?) {
        folder = folder.parent()?;
        let found = folder.join(NAME);
        if is_usual(&name(folder)?) && found.is_file() {
            return Some(shown_path(&found));
        }
    }
    None
}

fn file_arg(path: &Path) -> anyhow::Result<FileArg> {
    let name = path.to_str().with_context(|| {
        let path = shown_path(path);
        format!("the name {path} is not valid UTF-8; rename the file")
    })?;
    Ok(FileArg::from(name.strip_prefix("./").unwrap_or(name)))
}

/// Refuses an input without any byte, except a byte order mark: it is more often a mistake of the
/// pipeline than a robots.txt.
pub(crate) fn ensure_content(name: &str, bytes: &[u8]) -> anyhow::Result<()> {
    let body = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if !body.is_empty() && ![&b"\xFF\xFE"[..], b"\xFE\xFF"].contains(&body) {
        return Ok(());
    }
    bail!(
        "{name} is empty; check how it was made, or write \"User-agent: *\" and \"Disallow:\" to \
         allow everything"
    )
}

#[cfg(test)]
mod tests {
    use super::is_robots_txt;

    #[test]
    fn names_of_robots_txt_files() {
        for name in [
            "robots.txt",
            "staging.robots.txt",
            "robots.staging.txt",
            "robots-staging.txt",
        ] {
            assert!(is_robots_txt(name), "{name}");
        }
        for name in ["robots.toml", "humans.txt", "robotstxt.txt", "myrobots.txt"] {
            assert!(!is_robots_txt(name), "{name}");
        }
    }
}
