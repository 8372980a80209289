//! Documents beside robots.txt: which files are such, and what their fixes do.

use crate::pages::documents;
use abide_lint::Linter;
use abide_lint::document::DocumentKind;
use abide_lint::finding::{Input, Safety};
use abide_lint::rules::ALL;

#[test]
fn kinds_by_name_and_root_element() {
    use DocumentKind::{Rsl, Tdmrep};
    let rsl = "<?xml version='1.0'?>\n<!-- <a> -->\n<!DOCTYPE rsl>\n<r:rsl xmlns:r='x'/>";
    for (name, text, kind) in [
        ("tdmrep.json", "", Some(Tdmrep)),
        ("a/TDMREP.JSON", "<rsl>", Some(Tdmrep)),
        (
            "https://e.example/.well-known/tdmrep.json?x=/a",
            "[]",
            Some(Tdmrep),
        ),
        ("robots.txt", rsl, Some(Rsl)),
        ("license.xml", "\u{feff} <rsl>", Some(Rsl)),
        ("license.xml", "<rss/>", None),
        ("license.xml", "<!-- rsl", None),
        ("my-tdmrep.json", "[]", None),
        ("robots.txt", "", None),
        ("robots.txt", "User-agent: *", None),
    ] {
        assert_eq!(
            DocumentKind::of(name, text.as_bytes()),
            kind,
            "{name}: {text}"
        );
    }
}

/// Each fix removes its finding, and a safe one leaves what the document says as it was.
#[test]
fn fixes_of_documents_remove_findings() {
    let linter = Linter::new();
    let mut fixed_any = 0;
    for example in ALL.iter().flat_map(|rule| rule.page().examples) {
        for (kind, text) in documents(&example) {
            for safety in [Safety::Safe, Safety::Unsafe] {
                let fixed = linter.fixed_document(kind, text.as_bytes(), safety);
                let left = fixed.findings.iter().filter_map(|one| one.fix.as_ref());
                let left: Vec<_> = left.filter(|fix| fix.safety <= safety).collect();
                assert!(left.is_empty(), "{safety:?} of {text} leaves {left:?}");
                fixed_any += fixed.fixed;
            }
        }
    }
    assert!(fixed_any > 5, "{fixed_any}");
}

#[test]
fn findings_of_a_file_after_fixes() {
    let linter = Linter::new();
    let file = br#"{"location": "images/", "tdm-reservation": "1"}"#;
    let found = linter.document(DocumentKind::Tdmrep, file);
    assert_eq!(found[0].input, Input::Tdmrep);
    let fixed = linter.fixed_document(DocumentKind::Tdmrep, file, Safety::Unsafe);
    assert_eq!(
        String::from_utf8(fixed.bytes).unwrap(),
        r#"[{"location": "/images/", "tdm-reservation": 1}]"#
    );
    assert!(fixed.findings.is_empty());
    // Only the safe part: the string.
    let file = br#"[{"location": "images/", "tdm-reservation": "1"}]"#;
    let fixed = linter.fixed_document(DocumentKind::Tdmrep, file, Safety::Safe);
    assert_eq!(
        String::from_utf8(fixed.bytes).unwrap(),
        r#"[{"location": "images/", "tdm-reservation": 1}]"#
    );
}

#[test]
fn severities_of_documents() {
    let linter = Linter::new();
    let severity = |value: &str| {
        let file = format!(r#"[{{"location": "/", "tdm-reservation": {value}}}]"#);
        linter.document(DocumentKind::Tdmrep, file.as_bytes())[0].severity()
    };
    assert_eq!(severity("\"1\""), abide::Severity::Warning);
    assert_eq!(severity("true"), abide::Severity::Error);
}
