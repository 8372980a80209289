//! Lines that look right and say something else than their writer meant: which of them are found,
//! and which plausible ones are not.

use abide_lint::finding::Safety;
use abide_lint::{Context, Linter};

const CODES: [&str; 5] = [
    "several-fields",
    "several-paths",
    "pattern-full-url",
    "resources-blocked",
    "unfilled-value",
];

/// The codes that are found on a line in a group for all robots.
fn found_on(line: &str) -> Vec<&'static str> {
    let robots = format!("User-agent: *\n{line}\nDisallow: /search\n");
    let context = Context {
        url: Some("https://www.example.org/robots.txt".to_owned()),
        ..Context::default()
    };
    let linter = Linter::new().select(CODES).unwrap();
    let found = linter.robots_txt(robots.as_bytes(), &context);
    found.iter().map(|finding| finding.rule.code()).collect()
}

#[test]
fn lines_that_say_something_else() {
    for (code, lines) in [
        (
            "several-fields",
            &[
                "Allow: /Sitemap: https://www.example.org/sitemap.xml",
                "Disallow: /aUser-agent: ExampleBot",
                "User-agent: *Disallow: /x",
                "Sitemap: https://www.example.org/sitemap.xmlUser-agent: *",
                "Crawl-delay: 10Disallow: /a",
                "Disallow: /a Allow: /b",
            ][..],
        ),
        (
            "several-paths",
            &[
                "Disallow: /a,/b",
                "Disallow: /a;/b",
                "Disallow: /a|/b",
                "Disallow: /a, /b",
                "Allow: /a /b/ /c",
            ],
        ),
        (
            "pattern-full-url",
            &[
                "Disallow: /www.shop.example/wp-admin/",
                "Disallow: /www.example.org/a",
                "Disallow: https://www.example.org/a",
            ],
        ),
        (
            "resources-blocked",
            &[
                "Disallow: /wp-content/",
                "Disallow: /wp-includes",
                "Disallow: /_next/",
                "Disallow: /_nuxt/*",
                "Disallow: /static/",
                "Disallow: /shop/assets/",
            ],
        ),
        (
            "unfilled-value",
            &[
                "User-agent: undefined",
                "Crawl-delay: NaN",
                "Disallow: {{ path }}",
                "Sitemap: http://localhost:3000/sitemap.xml",
                "Sitemap: http://127.0.0.1/sitemap.xml",
                "Sitemap: https://undefined/sitemap.xml",
                "Sitemap: undefined/sitemap.xml",
                "Sitemap: https://${HOST}/sitemap.xml",
                "Sitemap: https://example.com/sitemap.xml",
                "Sitemap: https://www.yourdomain.com/sitemap.xml",
            ],
        ),
    ] {
        for line in lines {
            assert_eq!(found_on(line), [code], "{line}");
        }
    }
}

#[test]
fn lines_that_say_what_they_mean() {
    for line in [
        "Disallow: /wiki/Sitemap:Help",
        "Disallow: /allow:this",
        "Disallow: /a,b",
        "Disallow: /*;",
        "Disallow: /search?from=/a,/b",
        "Disallow: /index.php/",
        "Disallow: /example.com/",
        "Disallow: /assets/private/",
        "Disallow: /undefined",
        "Disallow: /*{{",
        "Sitemap: https://www.example.org/sitemap.xml",
        "Sitemap: https://sitemaps.example/null-island.xml",
        "User-agent: NullBot",
    ] {
        assert_eq!(found_on(line), Vec::<&str>::new(), "{line}");
    }
}

/// No fix of any rule writes two glued fields as one path.
#[test]
fn no_fix_hides_a_glued_field() {
    for line in [
        "Allow: /Sitemap: https://www.example.org/sitemap.xml",
        "Disallow: /aUser-agent: ExampleBot",
        "Disallow: /a Allow: /b",
    ] {
        let robots = format!("User-agent: *\n{line}\n");
        for linter in [
            Linter::new(),
            Linter::new().select(["pattern-space"]).unwrap(),
        ] {
            let fixed = linter.fixed(robots.as_bytes(), &Context::default(), Safety::Safe);
            assert_eq!(String::from_utf8_lossy(&fixed.bytes), robots, "{line}");
        }
    }
}

/// An `Allow` beside a line that closes the site for Google's parser only is needed there.
#[test]
fn an_exception_for_googles_parser_is_not_redundant() {
    let robots = "User-agent: *\nAllow: /public\nDisallowAITraining: /\n";
    let found = Linter::new().robots_txt(robots.as_bytes(), &Context::default());
    let codes: Vec<_> = found.iter().map(|finding| finding.rule.code()).collect();
    assert!(codes.contains(&"google-prefix-key"), "{codes:?}");
    assert!(!codes.contains(&"redundant-rule"), "{codes:?}");
}
