//! The guides that are modules of a crate are those of `docs/`, with links that work on docs.rs.

use crate::links::root;
use abide_testkit::generated::assert_up_to_date;
use std::fs;

/// Which crate has which guides, in `guides/`.
const GUIDES: [(&str, &[&str]); 2] = [
    ("abide", &["decisions"]),
    ("abide-fetch", &["crawlers", "fetching"]),
];

/// A text outside code, with its links: those to guides of the crate lead to their modules, and of
/// those to other files only the words stay, because docs.rs does not have them.
fn linked(text: &str, guides: &[&str]) -> String {
    let mut written = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        let Some((target, behind)) = after.split_once(')') else {
            break;
        };
        let (page, anchor) = target.split_once('#').unwrap_or((target, ""));
        let own = guides
            .iter()
            .find(|guide| page.strip_suffix(".md") == Some(guide));
        written.push_str(before);
        if let Some(guide) = own {
            written += &format!("](crate::guide::{guide}#{anchor})").replace("#)", ")");
        } else if page.is_empty() || page.contains(':') {
            written.extend(["](", target, ")"]);
        } else if let Some(bracket) = written.rfind('[') {
            written.remove(bracket);
        }
        rest = behind;
    }
    written + rest
}

/// A guide as its crate has it.
fn module(text: &str, guides: &[&str]) -> String {
    let parts = text.split("```").enumerate();
    let parts = parts.map(|(at, part)| match at % 2 {
        0 => linked(part, guides),
        _ => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join("```")
}

/// `ABIDE_BLESS=1` writes them.
#[test]
fn guides_of_crates_are_up_to_date() {
    for (package, guides) in GUIDES {
        for guide in guides {
            let text = fs::read_to_string(root().join(format!("docs/{guide}.md"))).unwrap();
            let path = format!("crates/{package}/guides/{guide}.md");
            assert_up_to_date(&path, &module(&text, guides));
        }
    }
}

#[test]
fn links_lead_to_modules_or_nowhere() {
    let text = "[a](fetching.md#b) [`c`](diff.md#d), [e](https://e.example/) [f](#g) [h](fetching.md)\n\
        ```\n[i](j.md)\n```\n[k\nl](m.md)!";
    let expected = "[a](crate::guide::fetching#b) `c`, [e](https://e.example/) [f](#g) \
        [h](crate::guide::fetching)\n```\n[i](j.md)\n```\nk\nl!";
    assert_eq!(module(text, &["fetching"]), expected);
}
