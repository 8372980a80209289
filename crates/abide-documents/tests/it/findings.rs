//! Findings about the texts of documents, by requirement.

use abide::Severity;
use abide::preference::{Documents, LicenceState, TdmrepState};
use abide_documents::{DocumentFinding, add_tdmrep, rsl, rsl_findings, tdmrep, tdmrep_findings};
use proptest::prelude::*;

/// Each finding as `line code`.
fn codes(found: &[DocumentFinding]) -> Vec<String> {
    let one = |found: &DocumentFinding| {
        let line = found.diagnostic.line.unwrap_or_default();
        format!("{line} {}", found.diagnostic.code)
    };
    found.iter().map(one).collect()
}

fn tdm(text: &str) -> Vec<String> {
    codes(&tdmrep_findings(text.as_bytes()))
}

/// A body after the fix of the first finding that has one.
fn fixed(body: &[u8], found: &[DocumentFinding]) -> String {
    let fixes = found.iter().filter_map(|one| one.fix.as_ref());
    let mut out = Vec::new();
    let mut at = 0;
    for (span, new) in fixes.flat_map(|fix| &fix.edits) {
        out.extend_from_slice(&body[at..span.start as usize]);
        out.extend_from_slice(new.as_bytes());
        at = span.end as usize;
    }
    out.extend_from_slice(&body[at..]);
    String::from_utf8(out).unwrap()
}

fn tdm_fixed(text: &str) -> String {
    fixed(text.as_bytes(), &tdmrep_findings(text.as_bytes()))
}

#[test]
fn pref_70_a_good_file_has_no_findings() {
    for text in [
        "[]",
        r#"[{"location":"/","tdm-reservation":1}]"#,
        "\u{FEFF}[{\"location\":\"*\",\"tdm-reservation\":0}]",
        r#"[{"location":"/a/*.jpg$","tdm-reservation":1,"tdm-policy":"https://p.example/"},
            {"location":"/a/","tdm-reservation":0},{"location":"/b","tdm-reservation":1}]"#,
    ] {
        assert_eq!(tdm(text), [""; 0], "{text}");
    }
}

#[test]
fn pref_81_what_is_no_array() {
    for text in [
        "",
        " \n",
        "7",
        "<!doctype html><title>x</title>",
        r#"[{"location":"/","tdm-reservation":1}"#,
    ] {
        let found = tdmrep_findings(text.as_bytes());
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(found[0].diagnostic.code.name(), "tdmrep-unreadable");
        assert_eq!(found[0].fix, None, "{text}");
        assert_eq!(tdmrep(text.as_bytes()), TdmrepState::Absent);
    }
    let utf16: Vec<u8> = "\u{FEFF}[]"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(codes(&tdmrep_findings(&utf16)), ["0 tdmrep-unreadable"]);
}

/// Files of real sites have these forms.
#[test]
fn pref_81_objects_that_mean_an_array() {
    let one = "\n{\n \"tdm-reservation\": 1,\n \"tdm-policy\": \"https://p.example/\"\n}\n";
    assert_eq!(tdm(one), ["2 tdmrep-unreadable"]);
    let array = tdm_fixed(one);
    assert_eq!(array, format!("\n[{}]\n", one.trim()));
    assert_eq!(tdm(&array), ["2 tdmrep-location"]);
    let whole = tdm_fixed(&array);
    assert!(whole.contains("{\"location\": \"/\", "), "{whole}");
    assert_eq!(tdm(&whole), [""; 0]);

    let inner = r#"{"tdmrep": [{"location":"/","tdm-reservation":0}]}"#;
    assert_eq!(
        tdm_fixed(inner),
        r#"[{"location":"/","tdm-reservation":0}]"#
    );
    for other in [
        r#"{"@context":"x","tdm":{"reservation":1}}"#,
        r#"{"policy":"deny","policies":[{"use":"training"}]}"#,
        r#"{"tdm":{"a":1}}"#,
        r#"{"tdm":[{"policy":"https://p.example/","permission":[{"type":"tdm"}]}]}"#,
    ] {
        let found = tdmrep_findings(other.as_bytes());
        assert_eq!(codes(&found), ["1 tdmrep-unreadable"]);
        assert_eq!(found[0].fix, None);
    }
}

#[test]
fn pref_85_beyond_the_limits() {
    let deep = format!("{}{}", "[".repeat(9), "]".repeat(9));
    assert_eq!(tdm(&deep), ["0 tdmrep-unreadable"]);
    assert_eq!(
        tdm(&format!("[{}]", " ".repeat(512_000))),
        ["0 tdmrep-unreadable"]
    );
}

#[test]
fn pref_68_reservations() {
    let file = |value: &str| format!("[{{\"location\":\"/\",\n\"tdm-reservation\":{value}}}]");
    for (value, new, is_safe) in [
        (r#""1""#, "1", true),
        (r#""0""#, "0", true),
        ("true", "1", false),
        ("false", "0", false),
        (r#""yes""#, "1", false),
        (r#""No""#, "0", false),
    ] {
        let found = tdmrep_findings(file(value).as_bytes());
        assert_eq!(codes(&found), ["2 tdmrep-value"], "{value}");
        let severity = if is_safe {
            Severity::Warning
        } else {
            Severity::Error
        };
        assert_eq!(found[0].diagnostic.severity, severity);
        let known = add_tdmrep(Documents::default(), file(value).as_bytes());
        assert_eq!(known.diagnostics()[0].severity, severity, "of a decision");
        assert_eq!(found[0].fix.as_ref().unwrap().is_safe, is_safe);
        assert_eq!(fixed(file(value).as_bytes(), &found), file(new));
    }
    for value in ["2", "null", "[1]", "{}", r#""all""#] {
        let found = tdmrep_findings(file(value).as_bytes());
        assert_eq!(codes(&found), ["2 tdmrep-value"], "{value}");
        assert_eq!(found[0].fix, None);
    }
    for value in ["1", "1.0", "0"] {
        assert_eq!(tdm(&file(value)), [""; 0], "{value}");
    }
}

#[test]
fn pref_74_faulty_rules() {
    assert_eq!(
        tdm("[7,\n{\"location\":\"images/\",\"tdm-reservation\":1},\n{\"location\":\"/\"}]"),
        [
            "1 tdmrep-missing-member",
            "2 tdmrep-location",
            "3 tdmrep-missing-member"
        ]
    );
    let file = |location: &str| format!(r#"[{{"location":{location},"tdm-reservation":1}}]"#);
    for (location, new) in [
        (r#""images/""#, r#""/images/""#),
        (r#""""#, r#""/""#),
        (r#""https://e.example""#, r#""/""#),
        (r#""https://e.example/a/*.jpg""#, r#""/a/*.jpg""#),
        (r#"" /a""#, r#""/a""#),
    ] {
        assert_eq!(tdm_fixed(&file(location)), file(new));
    }
    for location in ["7", "null", r#""ftp://e.example/a""#] {
        let found = tdmrep_findings(file(location).as_bytes());
        assert_eq!(codes(&found), ["1 tdmrep-location"], "{location}");
        assert_eq!(found[0].fix, None);
    }
}

#[test]
fn pref_80_a_policy_that_is_not_used() {
    let policy = r#""tdm-policy":"https://p.example/""#;
    let file = |member: &str| format!("[{{\"location\":\"/\",{member}\n{policy}}}]");
    assert_eq!(
        tdm(&file("\"tdm-reservation\":0,")),
        ["2 tdm-policy-with-zero"]
    );
    assert_eq!(
        tdm(&file("")),
        ["1 tdmrep-missing-member", "2 tdm-policy-with-zero"]
    );
    assert_eq!(tdm(&file("\"tdm-reservation\":1,")), [""; 0]);
}

/// A file of rules with these locations, one on each line.
fn rules(locations: &[&str]) -> String {
    let rules: Vec<_> = locations
        .iter()
        .map(|at| format!(r#"{{"location":"{at}","tdm-reservation":1}}"#))
        .collect();
    format!("[{}]", rules.join(",\n"))
}

#[test]
fn pref_71_rules_that_never_apply() {
    for (locations, found) in [
        (&["/a/", "/a/b/"][..], &["2 tdmrep-shadowed-rule"][..]),
        (&["/a/b/", "/a/"], &[]),
        (&["/*", "/x"], &["2 tdmrep-shadowed-rule"]),
        (&["*", "*.pdf"], &["2 tdmrep-shadowed-rule"]),
        (&["/", "*.pdf$"], &["2 tdmrep-shadowed-rule"]),
        (&["*.pdf", "/"], &[]),
        (&["/*.pdf", "/*.pdf"], &["2 tdmrep-shadowed-rule"]),
        (&["/a$", "/a"], &[]),
        (
            &["/a", "/a$", "/a*b"],
            &["2 tdmrep-shadowed-rule", "3 tdmrep-shadowed-rule"],
        ),
        (
            &["/b", "/a/x", "/a", "/a/x", "/ab"],
            &["4 tdmrep-shadowed-rule", "5 tdmrep-shadowed-rule"],
        ),
        (&["a", "/a"], &["1 tdmrep-location"]),
        // Patterns with wildcards cover others, if every path of theirs matches.
        (&["/*.pdf", "/docs/*.pdf"], &["2 tdmrep-shadowed-rule"]),
        (&["/*.pdf", "/docs/x.pdf$"], &["2 tdmrep-shadowed-rule"]),
        (&["/*a*b", "/xa/*/b*c$"], &["2 tdmrep-shadowed-rule"]),
        (&["/a*", "/a*b"], &["2 tdmrep-shadowed-rule"]),
        (&["/*b", "*b"], &["2 tdmrep-shadowed-rule"]),
        (&["/*/b", "*/b"], &[]),
        (&["/*.pdf$", "/docs/*.pdf"], &[]),
        (&["/docs/*.pdf", "/*.pdf"], &[]),
        (&["/a*b*a", "/a*ba"], &["2 tdmrep-shadowed-rule"]),
        (&["/a*ba", "/a*b*a"], &[]),
        (&["/a*c", "/a*b"], &[]),
        (&["/*a%7E", "/xa~"], &["2 tdmrep-shadowed-rule"]),
    ] {
        assert_eq!(tdm(&rules(locations)), found, "{locations:?}");
    }
    let fixed = tdm_fixed(&rules(&["/a", "/b", "/a/b"]));
    assert_eq!(fixed, rules(&["/a/b", "/a", "/b"]));
    let twice = tdmrep_findings(rules(&["/a", "/a"]).as_bytes());
    assert_eq!(twice[0].fix, None);
}

/// A licence document with these contents.
fn document(contents: &str) -> String {
    format!("<rsl xmlns=\"https://rslstandard.org/rsl\">\n{contents}</rsl>")
}

fn in_rsl(contents: &str) -> Vec<DocumentFinding> {
    rsl_findings(document(contents).as_bytes())
}

#[test]
fn pref_94_what_is_no_licence() {
    let licence = "<license><permits type=\"usage\">all</permits></license>";
    let good = format!("<content url=\"/\">{licence}</content>");
    assert_eq!(in_rsl(&good), []);
    for bad in [
        String::new(),
        "x".to_owned(),
        "<!doctype html><p>x".to_owned(),
        format!("<!DOCTYPE rsl>{}", document(&good)),
        "<rsl><content url=\"/\"><license/></content></rsl>".to_owned(),
        "<rss/>".to_owned(),
        document(""),
        document("<content url=\"/\"/>"),
        document(&format!("<content>{licence}</content>")),
        document("<content url=\"/\"><license><permit/></license></content>"),
        document("<content url=\"/\">"),
        document("&undefined;"),
        " ".repeat(512_001),
    ] {
        assert_eq!(rsl(bad.as_bytes()), LicenceState::Unreadable, "{bad:.90}");
        let found = rsl_findings(bad.as_bytes());
        let last = found.last().unwrap();
        assert_eq!(last.diagnostic.code.name(), "licence-not-rsl", "{bad:.90}");
        let says_so = last.diagnostic.message.contains("unlicensed");
        assert!(says_so, "{last:?}");
    }
}

/// Documents of real sites often repeat the element for each word.
#[test]
fn cla_pref_19_a_second_list_of_one_type() {
    let found = in_rsl(
        "<content url=\"/\"><license>\n<permits type=\"usage\">search</permits>\n\
         <permits type=\"usage\">ai-input</permits></license></content>",
    );
    assert_eq!(codes(&found), [""; 0]);
}

#[test]
fn cla_pref_19_what_is_skipped_is_reported_once() {
    let found = in_rsl(
        "<meta>\n<by/></meta><content url=\"/\"><license>\n<permits type=\"search\">yes</permits>\n\
         <fee><by/></fee></license></content>",
    );
    let each = ["2", "4", "5"].map(|line| format!("{line} rsl-unknown-element"));
    assert_eq!(codes(&found), each);
    let message = &found[1].diagnostic.message;
    assert!(message.contains("needs the type usage"), "{message}");
}

#[test]
fn cla_pref_18_words_of_rsl_0_9() {
    let licence = |list: &str, words: &str| {
        format!(
            "<content url=\"/\"><license>\n<{list} type=\"usage\">{words}</{list}></license></content>"
        )
    };
    let prohibits = licence("prohibits", "train-ai ai-use train-genai ai-summarize");
    let found = in_rsl(&prohibits);
    assert_eq!(codes(&found), ["3 rsl-old-word"; 4]);
    assert_eq!(
        fixed(document(&prohibits).as_bytes(), &found),
        document(&licence("prohibits", "ai-train ai-input ai-train ai-input"))
    );
    let permits = licence("permits", "Train-AI ai-summarize");
    let found = in_rsl(&permits);
    assert_eq!(codes(&found), ["3 rsl-old-word"; 2]);
    // A word that permits nothing has no word of today that permits as little.
    assert_eq!(
        fixed(document(&permits).as_bytes(), &found),
        document(&licence("permits", "ai-train ai-summarize"))
    );
    let message = &found[1].diagnostic.message;
    assert!(message.contains("it permits nothing"), "{message}");
    // Old words contradict those of today as these do each other.
    let both = "<content url=\"/\"><license><permits type=\"usage\">ai-train</permits>\
                <prohibits type=\"usage\">train-genai</prohibits></license></content>";
    let found = codes(&in_rsl(both));
    assert!(found.contains(&"2 rsl-permits-and-prohibits".to_owned()));
}

#[test]
fn pref_104_commas_and_unknown_words() {
    let licence = |words: &str| {
        format!(
            "<content url=\"/\"><license>\n<prohibits type=\"usage\">{words}</prohibits></license></content>"
        )
    };
    let found = in_rsl(&licence("ai-train,ai-input, search"));
    assert_eq!(codes(&found), ["3 rsl-comma-list"]);
    assert!(found[0].fix.as_ref().unwrap().is_safe);
    let body = document(&licence("ai-train,ai-input, search"));
    assert_eq!(
        fixed(body.as_bytes(), &found),
        document(&licence("ai-train ai-input search"))
    );
    let found = in_rsl(&licence("picture\nx:robot ALL"));
    assert_eq!(codes(&found), ["3 rsl-unknown-word", "4 rsl-unknown-word"]);
    let word = found[0].diagnostic.span;
    let body = document(&licence("picture\nx:robot ALL"));
    assert_eq!(&body[word.start as usize..word.end as usize], "picture");
}

#[test]
fn pref_99_permitted_and_prohibited() {
    let licence = |permitted: &str, prohibited: &str| {
        format!(
            "<license><permits type=\"usage\">{permitted}</permits>\
             <prohibits type=\"usage\">{prohibited}</prohibits></license>"
        )
    };
    let both = licence("ai-train search", "ai-all");
    let found = in_rsl(&format!("<content url=\"/\">{both}</content>"));
    assert_eq!(codes(&found), ["2 rsl-permits-and-prohibits"]);
    assert!(found[0].diagnostic.message.contains("prohibit ai-train;"));
    // Two licences of one url contradict each other; those of two do not.
    let (one, other) = (licence("search", "ai-all"), licence("ai-input", "x:y"));
    let same = format!("<content url=\"/\">{one}</content>\n<content url=\"/\">{other}</content>");
    let found = in_rsl(&same);
    assert!(codes(&found).contains(&"3 rsl-permits-and-prohibits".to_owned()));
    let apart = same.replacen("url=\"/\"", "url=\"/a\"", 1);
    assert_eq!(codes(&in_rsl(&apart)), ["3 rsl-unknown-word"]);
}

#[test]
fn pref_96_an_empty_url() {
    let contents = "<content url=\"\"><license/></content>";
    let found = in_rsl(contents);
    assert_eq!(codes(&found), ["2 rsl-empty-url"]);
    let fixed = fixed(document(contents).as_bytes(), &found);
    assert_eq!(fixed, document("<content url=\"/\"><license/></content>"));
}

#[test]
fn pref_108_spans_after_a_byte_order_mark() {
    let text = document(
        "<content url=\"/\"><license><permits type=\"usage\">x</permits></license></content>",
    );
    let marked = format!("\u{FEFF}{text}");
    let found = rsl_findings(marked.as_bytes());
    let span = found[0].diagnostic.span;
    assert_eq!(span.of(marked.as_bytes()), b"x");
    let utf16: Vec<u8> = marked.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let found = rsl_findings(&utf16);
    assert_eq!(codes(&found), ["2 rsl-unknown-word"]);
    assert_eq!(found[0].fix, None);
}

/// Makes files of the words that readers look for.
fn pieces() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        "\"location\"",
        "\"tdm-reservation\"",
        "\"tdm-policy\"",
        "\"/a\"",
        "\"a\"",
        "\"1\"",
        "1",
        "0",
        "true",
        "\n",
        "<rsl xmlns=\"https://rslstandard.org/rsl\">",
        "</rsl>",
        "<content url=\"\">",
        "</content>",
        "<license>",
        "</license>",
        "<permits type=\"usage\">",
        "</permits>",
        "search,all",
        "ai-all",
        "&amp;",
        "é",
    ]);
    prop::collection::vec(words, 0..40).prop_map(|words| words.concat())
}

proptest! {
    /// Nothing panics, findings fit into the body, and safe fixes change no rule.
    #[test]
    fn findings_fit(text in pieces()) {
        let body = text.as_bytes();
        for found in tdmrep_findings(body).into_iter().chain(rsl_findings(body)) {
            let edits = found.fix.iter().flat_map(|fix| &fix.edits).map(|(span, _)| *span);
            for span in edits.chain([found.diagnostic.span]) {
                prop_assert!(span.end as usize <= body.len());
            }
        }
        let unreadable = rsl(body) == LicenceState::Unreadable;
        let said = rsl_findings(body).iter().any(|one| one.diagnostic.code.name() == "licence-not-rsl");
        prop_assert_eq!(unreadable, said);
    }
}
