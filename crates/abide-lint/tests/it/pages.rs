//! Every rule has a page, and the statements on the page are correct.

use abide::preference::Documents;
use abide::tag::FieldLine;
use abide::{Day, Moment};
use abide_documents::Sitemap;
use abide_lint::document::DocumentKind;
use abide_lint::page::Example;
use abide_lint::rules::ALL;
use abide_lint::{Context, Finding, Linter};
use abide_testkit::generated::assert_part_up_to_date;

/// The context of an example besides its robots.txt.
pub(crate) fn context(example: &Example) -> Context {
    let fields = fields(example);
    let media_type = fields
        .iter()
        .find(|field| field.name.eq_ignore_ascii_case("content-type"))
        .map(|field| String::from_utf8(field.value.clone()).unwrap());
    let registry = example.registry.as_ref();
    let sitemap = example.sitemap.as_ref().map(|sitemap| {
        match abide_documents::sitemap(sitemap.as_bytes()).unwrap() {
            Sitemap::Pages(pages) => pages,
            other => panic!("{other:?}"),
        }
    });
    let pages = sitemap.into_iter().flatten();
    Context {
        fetched_from: example.robots_url.clone(),
        sitemap_urls: pages.map(|page| page.url).collect(),
        media_type,
        registry: registry.and_then(|registry| {
            abide_contract::registry::read(registry)
                .unwrap()
                .applications
        }),
        peers: example
            .peer
            .iter()
            .map(|peer| peer.parse().unwrap())
            .collect(),
        now: example.date.as_ref().map(|date| evening(date)),
        ..Context::default()
    }
}

/// The last second of a day.
fn evening(date: &str) -> Moment {
    date.parse::<Day>().unwrap().last_second()
}

/// The header fields of an example.
fn fields(example: &Example) -> Vec<FieldLine> {
    let lines = example.head.iter().flat_map(|head| head.lines());
    lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| FieldLine::new(name, value))
        .collect()
}

/// The findings of the linter in an example.
pub(crate) fn found(example: &Example) -> Vec<Finding> {
    let (fields, context) = (fields(example), context(example));
    let linter = Linter::new();
    let mut found = Vec::new();
    if let Some(bytes) = &example.robots_txt {
        found.extend(linter.robots_txt(bytes, &context));
    }
    for (kind, text) in documents(example) {
        found.extend(linter.document(kind, text.as_bytes()));
    }
    let html = example.html.as_ref().map(String::as_bytes);
    let response = abide_html::response(&fields, html, None);
    let site = example.robots_txt.as_deref();
    let url = example.url.as_deref().unwrap_or("/page");
    let site = site.map(|bytes| (bytes, url));
    found.extend(linter.response_with(&response, site, &known_documents(example)));
    found
}

/// The documents beside robots.txt of an example.
pub(crate) fn documents(example: &Example) -> impl Iterator<Item = (DocumentKind, &str)> {
    let tdmrep = example.tdmrep.as_deref();
    let rsl = example.rsl.as_deref();
    let tdmrep = tdmrep.map(|text| (DocumentKind::Tdmrep, text));
    tdmrep
        .into_iter()
        .chain(rsl.map(|text| (DocumentKind::Rsl, text)))
}

/// What a robot knows that has fetched them.
fn known_documents(example: &Example) -> Documents {
    let mut known = Documents::default();
    if let Some(text) = &example.tdmrep {
        known = known.with_tdmrep(abide_documents::tdmrep(text.as_bytes()));
    }
    if let Some(text) = &example.rsl {
        let url = "https://example.com/license.xml";
        known = known.with_licence(url, abide_documents::rsl(text.as_bytes()));
    }
    known
}

#[test]
fn every_rule_has_a_page() {
    for rule in ALL {
        let (code, page, markdown) = (rule.code(), rule.page(), rule.markdown());
        assert!(
            markdown.starts_with(&format!("# {code}\n\n")),
            "{code}: title"
        );
        assert!(
            page.summary.ends_with('.'),
            "{code}: no sentence of what it finds"
        );
        assert!(markdown.contains("\n## Why it matters\n"), "{code}: why");
        assert!(!page.requirements.is_empty(), "{code}: its requirements");
        assert!(
            page.examples.iter().any(|example| example.is_wrong),
            "{code}: wrong"
        );
        assert!(
            page.examples.iter().any(|example| !example.is_wrong),
            "{code}: right"
        );
    }
}

#[test]
fn what_a_page_calls_wrong_is_found_and_what_it_calls_right_is_not() {
    let mut untrue = 0;
    for rule in ALL {
        for example in rule.page().examples {
            let found = found(&example);
            let codes: Vec<_> = found.iter().map(|finding| finding.rule.code()).collect();
            let is_found = codes.contains(&rule.code());
            if is_found != example.is_wrong {
                println!("{}: found {codes:?} in {example:?}", rule.code());
                untrue += 1;
            }
        }
    }
    assert_eq!(untrue, 0);
}

/// A correct example has no error at all: no other rule reports one on it.
#[test]
fn what_a_page_calls_right_has_no_error() {
    for rule in ALL {
        for example in rule
            .page()
            .examples
            .iter()
            .filter(|example| !example.is_wrong)
        {
            for finding in found(example) {
                let (code, severity) = (finding.rule.code(), finding.severity());
                assert!(
                    severity < abide::Severity::Error,
                    "{}: {code} in {example:?}",
                    rule.code()
                );
            }
        }
    }
}

#[test]
fn codes_are_unique_and_sorted() {
    let mut codes: Vec<_> = ALL.iter().map(|rule| rule.code()).collect();
    let all = codes.len();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), all);
    for code in abide::Code::ALL {
        let rule = match code {
            // Misspellings that robots forgive and those that they do not are one rule.
            abide::Code::Typo => "misspelt-field",
            // About what a robot sends, which no file shows.
            abide::Code::PurposeNotClaimed | abide::Code::PurposeNotSent => continue,
            code => code.name(),
        };
        assert!(codes.contains(&rule), "no rule for {code}");
    }
}

/// The path of the page of a code, relative to the crate's folder.
pub(crate) fn path(code: &str) -> String {
    let stem = code.replace('-', "_");
    let paths = [
        "rep",
        "purpose",
        "app",
        "tag",
        "acap",
        "preference",
        "linter",
    ]
    .map(|about| format!("src/rules/{about}/{stem}.md"));
    let is_there = |path: &String| {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        root.join(path).exists()
    };
    paths.into_iter().find(is_there).unwrap()
}

/// The guide's table, generated from the pages.
fn table() -> String {
    let head = "| code | severity | what it finds |\n|---|---|---|\n".to_owned();
    ALL.iter().fold(head, |table, rule| {
        let (code, severity) = (rule.code(), rule.severity().name());
        let severity = match rule.other_severity() {
            Some(other) => format!("{severity} or {}", other.name()),
            None => severity.to_owned(),
        };
        let (path, summary) = (path(code), rule.page().summary);
        format!("{table}| [{code}](../crates/abide-lint/{path}) | {severity} | {summary} |\n")
    })
}

/// `ABIDE_BLESS=1` writes the table.
#[test]
fn the_guide_lists_every_rule() {
    assert_part_up_to_date("docs/lint.md", "rules", &table());
}

#[test]
fn documents_count_the_rules() {
    for document in ["CHANGELOG.md", "docs/testing.md"] {
        let path = format!("{}/../../{document}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let count = format!("{} rules", ALL.len());
        assert!(text.contains(&count), "{document} does not say {count}");
    }
}
