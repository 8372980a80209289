//! Links between the Markdown pages lead somewhere, and the index of the guides has every page.

use abide_testkit::source_files::files;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn root() -> PathBuf {
    fs::canonicalize(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap()
}

/// The lines of a page outside fenced code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        !in_code && !is_fence
    })
}

/// The targets of the links of a page, except URLs.
fn links(text: &str) -> Vec<&str> {
    let parts = prose(text).flat_map(|line| line.split("](").skip(1));
    let targets = parts.filter_map(|part| part.split([')', ' ']).next());
    targets.filter(|target| !target.contains(':')).collect()
}

/// What a link to a heading of a page has after the `#`.
fn anchors(text: &str) -> Vec<String> {
    let headings = prose(text).filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = title
                .chars()
                .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.collect::<String>().replace(' ', "-")
        })
        .collect()
}

/// What is wrong with a link from the page at `from`; `None` if it leads somewhere.
fn fault(from: &Path, link: &str) -> Option<String> {
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = match path {
        "" => from.to_owned(),
        _ => from.parent()?.join(path),
    };
    if !target.exists() {
        return Some(format!("{}: {link}: no such file", from.display()));
    }
    let is_page = target
        .extension()
        .is_some_and(|extension| extension == "md");
    let is_there = anchor.is_empty()
        || !is_page
        || anchors(&fs::read_to_string(&target).unwrap()).contains(&anchor.to_owned());
    (!is_there).then(|| format!("{}: {link}: no such heading", from.display()))
}

#[test]
fn every_link_leads_somewhere() {
    let pages = files(&root(), "md");
    let (mut seen, mut faults) = (0, Vec::new());
    for page in &pages {
        let text = fs::read_to_string(page).unwrap();
        let links = links(&text);
        seen += links.len();
        faults.extend(links.into_iter().filter_map(|link| fault(page, link)));
    }
    assert!(seen > 500, "{seen} links in {} pages", pages.len());
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn the_index_has_every_guide() {
    let docs = root().join("docs");
    let index = fs::read_to_string(docs.join("README.md")).unwrap();
    let links = links(&index);
    let entries = fs::read_dir(&docs)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let guides = entries.filter(|path| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        matches!(extension, Some("md" | "ipynb")) && !path.ends_with("README.md")
    });
    let names = guides.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned());
    let missing: Vec<String> = names
        .filter(|name| !links.contains(&name.as_str()))
        .collect();
    assert!(
        missing.is_empty(),
        "add these to docs/README.md: {missing:?}"
    );
}

#[test]
fn faults_are_found() {
    let page = root().join("docs/speed.md");
    assert_eq!(fault(&page, "hostile.md#limits"), None);
    assert_eq!(fault(&page, "#running-it"), None);
    assert!(fault(&page, "nowhere.md").is_some());
    assert!(fault(&page, "hostile.md#nowhere").is_some());
    let text = "[a](b.md#c) [d](https://e.example/)\n```\n[f](g.md)\n```\n![h](i.png)\n";
    assert_eq!(links(text), ["b.md#c", "i.png"]);
    assert_eq!(
        anchors("## `abide` & *co*: a b\n```sh\n# no\n```\n"),
        ["abide--co-a-b"]
    );
}

/// A paragraph that begins with "Tests:" names files and, behind each, its functions.
#[test]
fn tests_that_pages_name_exist() {
    let mut seen = 0;
    for page in files(&root().join("docs"), "md") {
        let text = fs::read_to_string(&page).unwrap();
        for paragraph in text.split("\n\n").filter(|part| part.starts_with("Tests:")) {
            let mut source = String::new();
            for name in paragraph.split('`').skip(1).step_by(2) {
                if name.contains('/') {
                    source = fs::read_to_string(root().join(name)).expect(name);
                } else {
                    let is_there = source.contains(&format!("fn {name}("));
                    assert!(is_there, "{}: no test {name}", page.display());
                    seen += 1;
                }
            }
        }
    }
    assert!(seen >= 10, "{seen} tests");
}
