//! The guides show the examples of the documents, as printed. `abide-cli` runs the commands
//! beside them, on the same texts.

use std::fs;
use std::path::Path;

/// A guide, and an example of its document: a file of `docs/examples`, or the text itself.
const EXAMPLES: [(&str, &str); 23] = [
    (
        "decisions.md",
        "User-Agent: Mozilla/5.0 (compatible; ExampleBot/0.1; https://www.example.com/bot.html)\n",
    ),
    ("decisions.md", "user-agent: ExampleBot\n```"),
    (
        "decisions.md",
        "user-agent: ExampleBot\ndisallow: /foo\ndisallow: /bar\n\n\
         user-agent: ExampleBot\ndisallow: /baz\n",
    ),
    (
        "decisions.md",
        "user-agent: *\ndisallow: /foo\ndisallow: /bar\n\nuser-agent: BazBot\ndisallow: /baz\n",
    ),
    ("decisions.md", "rfc9309.txt"),
    (
        "decisions.md",
        "User-Agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n",
    ),
    ("tags.md", "Robots-Tag: *;nosnippet, ExampleBot;noindex\n"),
    (
        "tags.md",
        "<meta name=\"robots\" content=\"noindex\">\n<meta name=\"examplebot\" content=\"nosnippet\">\n",
    ),
    (
        "applications.md",
        "User-Agent: *\nAllow: /\nApp-Directives: examplesearch;widgets=?0\n```",
    ),
    (
        "applications.md",
        "User-Agent: ExampleSearch/1.0\nAllow: /\nApp-Directives: someothersearch;foo=bar\n",
    ),
    (
        "applications.md",
        "User-Agent: *\nAllow: /\nApp-Directives: examplesearch;widgets=?0\n\
         App-Directives: someothersearch;foo=bar\n",
    ),
    (
        "applications.md",
        "User-Agent: *\nAllow: /\n\
         App-Directives: examplesearch;widgets=?0,someothersearch;foo=bar\n",
    ),
    ("purposes.md", "purposes.txt"),
    (
        "purposes.md",
        "User-Agent: Mozilla/5.0 (compatible; ExampleBot/0.1; ExamplePurpose; \
         https://www.example.com/bot.html)\n",
    ),
    ("acap.md", "acap-overview.txt"),
    ("acap.md", "acap-fields.txt"),
    (
        "acap.md",
        "my-present-snippet present-snippet time-limit=5-days max-length=250-chars",
    ),
    ("acap.md", "ACAP-allow-(my-present-snippet): /public/"),
    (
        "acap.md",
        "my-default-present (present-30-word-snippet) present-thumbnail",
    ),
    (
        "acap.md",
        "present-30-word-snippet present-snippet max-length=30-words",
    ),
    ("acap.md", "ACAP-allow-(my-default-present): /public/"),
    ("preferences.md", "content-usage.txt"),
    ("preferences.md", "train-ai=y, search=n"),
];

#[test]
fn every_example_of_the_documents_stands_in_a_guide() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let read = |path: &str| fs::read_to_string(docs.join(path)).unwrap();
    for (guide, example) in EXAMPLES {
        let text = match example.strip_suffix(".txt") {
            Some(_) => read(&format!("examples/{example}")),
            None => example.to_owned(),
        };
        assert!(
            read(guide).contains(text.trim_end()),
            "docs/{guide} does not have\n{text}"
        );
    }
}

/// Each guide says how to write it, how robots read it, and where its words are registered.
#[test]
fn each_guide_has_its_three_parts() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for guide in ["tags", "applications", "acap", "purposes", "preferences"] {
        let page = fs::read_to_string(docs.join(guide).with_extension("md")).unwrap();
        let parts = ["## Write it\n", "## Read it\n", "## The registry\n"];
        let places: Vec<_> = parts
            .iter()
            .map(|part| page.find(&format!("\n{part}")))
            .collect();
        assert!(
            places.iter().all(Option::is_some),
            "docs/{guide}.md: {places:?}"
        );
        assert!(places.is_sorted(), "docs/{guide}.md: {places:?}");
    }
}
