//! What findings say, and how much they matter.

use abide_lint::finding::Safety;
use abide_lint::{Context, Linter};

/// The findings of a code, as `severity: message`.
fn told(bytes: &[u8], code: &str) -> Vec<String> {
    told_in(bytes, code, &Context::default())
}

fn told_in(bytes: &[u8], code: &str, context: &Context) -> Vec<String> {
    let linter = Linter::new().select([code]).unwrap();
    let found = linter.robots_txt(bytes, context).into_iter();
    found
        .map(|finding| format!("{}: {}", finding.severity().name(), finding.message))
        .collect()
}

fn utf16(text: &str) -> Vec<u8> {
    let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

/// A file whose first 512,000 bytes end within line 3 or, with `is_whole`, after line 2.
fn long(is_whole: bool, rest: &str) -> Vec<u8> {
    let mut bytes = b"User-agent: *\n".to_vec();
    bytes.resize(512_000 - if is_whole { 1 } else { 10 }, b'#');
    bytes.extend_from_slice(b"\n# a third line\n");
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

#[test]
fn names_that_no_robot_has() {
    let told = |name: &str| {
        let file = format!("User-agent: {name}\nDisallow: /\n");
        told(file.as_bytes(), "crawler-misspelt").concat()
    };
    for (name, meant) in [
        ("GTPBot", "GPTBot"),
        ("GPTBots", "GPTBot"),
        ("CCBots/2.0", "CCBot"),
        ("Googelbot", "Googlebot"),
        ("Claude Bot", "ClaudeBot"),
    ] {
        let expected = format!("warning: unknown crawler; did you mean {meant}?");
        assert_eq!(told(name), expected, "{name}");
    }
    for (name, begins) in [
        ("OpenAI", "GPTBot, OAI-SearchBot"),
        ("ChatGPT", "GPTBot, OAI-SearchBot"),
        ("anthropic", "ClaudeBot, Claude-User"),
        ("Anthropic AI", "ClaudeBot, Claude-User"),
        ("Claude", "ClaudeBot, Claude-User"),
        ("Perplexity", "PerplexityBot of Perplexity does not follow"),
        ("Facebook", "facebookexternalhit"),
        ("bing", "bingbot"),
    ] {
        let begins = format!("warning: no known robot is called {name}; {begins}");
        assert!(told(name).starts_with(&begins), "{name}: {}", told(name));
    }
    // Robots of their own, most of them from files of real sites.
    for name in [
        "*",
        "GPTBot",
        "gptbot",
        "Googlebot*",
        "MegaIndex",
        "psbot",
        "npbot",
        "spbot",
        "jetbot",
        "factbot",
        "roverbot",
        "WebZip",
        "Yandex",
        "80legs",
        "Sitebot",
        "AI",
        "bot",
    ] {
        assert_eq!(told(name), "", "{name}");
    }
}

#[test]
fn a_file_in_utf_16_is_an_error_and_one_in_latin_1_is_none() {
    let text = "User-agent: *\nDisallow: /private/\n";
    assert_eq!(
        told(&utf16(text), "not-utf8"),
        ["error: the file is UTF-16: Google and others read no rule in it; save it as UTF-8"]
    );
    assert_eq!(
        told(b"User-agent: *\nDisallow: /caf\xE9\n", "not-utf8"),
        [
            "warning: the byte 0xe9 in column 15 (byte 28 of the file) is not UTF-8; save the file as UTF-8"
        ]
    );
}

#[test]
fn a_file_that_is_no_robots_txt_has_one_finding_and_no_fix() {
    for (file, code) in [
        (
            &b"<!doctype html>\r\n<title>\x01x</title>\n<p>y: z</p>\r\n"[..],
            "html-page",
        ),
        (
            b"<?xml version='1.0'?>\n<!-- x -->\n<sitemapindex>\n<sitemap/></sitemapindex>\n",
            "sitemap-body",
        ),
        (b"{\r\n\"error\": \"not found\"\n}\r\n", "no-fields"),
    ] {
        let fixed = Linter::new().fixed(file, &Context::default(), Safety::Unsafe);
        let codes = fixed.findings.iter().map(|finding| finding.rule.code());
        assert_eq!(codes.collect::<Vec<_>>(), [code]);
        assert_eq!((&*fixed.bytes, fixed.fixed), (file, 0));
    }
    // A file of typos is a robots.txt.
    let typos = b"Usr-agent: *\nDisalow: /\n";
    let fixed = Linter::new().fixed(typos, &Context::default(), Safety::Unsafe);
    assert_eq!(fixed.bytes, b"User-agent: *\nDisallow: /\n");
}

#[test]
fn what_robots_read_of_a_long_file() {
    let size = "error: robots read only the first 512,000 bytes, up to line 2";
    assert_eq!(told(&long(true, ""), "size-limit"), [size]);
    assert_eq!(told(&long(false, ""), "size-limit"), [size]);
    assert_eq!(told(&long(true, ""), "cut-line"), [""; 0]);
    assert_eq!(
        told(&long(false, ""), "cut-line"),
        [
            "warning: robots read only the first 512,000 bytes, which end within line 3: the whole line is ignored"
        ]
    );
    let behind = |rest: &str| told(&long(true, rest), "rules-behind-limit");
    assert_eq!(behind(""), [""; 0]);
    assert_eq!(
        behind("Disallow: /a\n"),
        ["error: 1 line of a group is after byte 512,000, where robots may stop reading"]
    );
    assert_eq!(
        behind("Disallow: /a\nAllow: /a/b\n"),
        ["error: 2 lines of groups are after byte 512,000, where robots may stop reading"]
    );
    // Of a fetched file the rest is unknown.
    let context = Context {
        is_cut: true,
        ..Context::default()
    };
    let fetched = &long(true, "")[..512_001];
    assert_eq!(
        told_in(fetched, "rules-behind-limit", &context),
        ["warning: rules may follow after byte 512,000, where robots may stop reading"]
    );
}

#[test]
fn values_with_a_host() {
    for value in ["https://shop.example/private", "www.shop.example/private"] {
        let file = format!("User-agent: *\nDisallow: {value}\n");
        assert_eq!(
            told(file.as_bytes(), "pattern-full-url"),
            ["error: a pattern with a host never matches; write the path only"]
        );
    }
    assert_eq!(
        told(
            b"User-agent: *\nDisallow: WWW.shop.example\n",
            "pattern-full-url"
        ),
        [
            "error: a pattern with a host never matches; delete the line, or write \"/\" to close the whole site"
        ]
    );
    assert_eq!(
        told(b"User-agent: *\nDisallow: wwwroot/\n", "pattern-full-url"),
        [""; 0]
    );
}

#[test]
fn messages_in_plain_words() {
    for (file, code, message) in [
        (
            "User-agent: Google-Extended\nDisallow: /\n",
            "control-token-covers-more",
            "info: disallowing Google-Extended also asks Google not to use pages to ground AI answers, not only not to train",
        ),
        (
            "User-agent: X Y\nDisallow: /\n",
            "ua-invalid-token",
            "info: most robots read only \"X\"; a robot that compares the whole value \"X Y\" may still follow this group",
        ),
        (
            "User-agent: *\nCrawl-delay: 86400\n",
            "crawl-delay-long",
            "warning: a robot that waits 86400 seconds between requests fetches at most 1 page a day",
        ),
        (
            "User-agent: *\nDisallow: /a\r\n",
            "mixed-line-ends",
            "info: 1 line ends with LF, 1 with CR LF, 0 with CR alone",
        ),
    ] {
        assert_eq!(told(file.as_bytes(), code), [message]);
    }
    let linter = Linter::new().select(["groups-run-together"]).unwrap();
    let file = b"User-agent: a\nUser-agent: b\nCrawl-delay: 1\nUser-agent: c\nDisallow: /\n";
    let found = linter.robots_txt(file, &Context::default());
    let fix = found[0].fix.as_ref().unwrap();
    assert_eq!(
        fix.title,
        "give a and b their own rule, which allows everything"
    );
}

/// Findings of the registry are about the line that states the directive, so a comment there
/// suppresses them.
#[test]
fn findings_of_the_registry_are_where_the_directive_is() {
    use abide::app::{DirectiveEntry, DirectiveStatus, Registry, ValueType};
    let mut registry = Registry::default();
    registry.application("search", &[]).unwrap();
    for (name, status) in [
        ("widgets", DirectiveStatus::Active),
        ("train", DirectiveStatus::Active),
        ("boxes", DirectiveStatus::Deprecated),
    ] {
        let entry = DirectiveEntry {
            status,
            ..DirectiveEntry::new(ValueType::Boolean)
        };
        registry.directive("search", name, entry).unwrap();
    }
    let context = Context {
        registry: Some(registry.into()),
        ..Context::default()
    };
    let found = |comment: &str| {
        let file = format!(
            "User-agent: *\nApp-Directives: search;widgets\nApp-Directives: search;train=5\n\
             {comment}\nApp-Directives: search;boxes\n"
        );
        let linter = Linter::new();
        let codes = ["directive-type", "directive-deprecated", "unused-ignore"];
        let linter = linter.select(codes).unwrap();
        let found = linter.robots_txt(file.as_bytes(), &context).into_iter();
        found
            .map(|finding| (finding.rule.code(), finding.line))
            .collect::<Vec<_>>()
    };
    let of_type = ("directive-type", Some(3));
    let deprecated = ("directive-deprecated", Some(5));
    assert_eq!(found("#"), [of_type, deprecated]);
    assert_eq!(found("# abide: ignore directive-deprecated"), [of_type]);
}
