//! Counts the peak allocation for one request line (G-20). A separate binary, because it replaces
//! the allocator.

#![allow(
    missing_docs,
    clippy::format_collect,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests"
)]

use abide_contract::AnswerOptions;
use serde_json::json;
use std::io;
use std::sync::Mutex;

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

/// Only one test counts at a time.
static COUNTING: Mutex<()> = Mutex::new(());
/// Bytes of memory per byte of input at the peak.
const FACTOR: usize = 20;
/// Memory that does not depend on the input.
const CONSTANT: usize = 1 << 20;

/// The longest lists of the shortest entries, and the longest texts.
#[test]
fn g_20_memory_is_a_small_multiple_of_the_line() {
    const ENTRIES: usize = 100_000;
    let _alone = COUNTING.lock().unwrap();
    let list = |entry: &str| format!("[{}]", vec![entry; ENTRIES].join(","));
    // More, or the same name again, are an error.
    let members = (0..1_000).map(|number| format!("\"/{number}\":\"\""));
    let members: Vec<_> = members.collect();
    let text = format!("\"{}\"", "a".repeat(1 << 20));
    let escapes = format!("\"{}\"", "\\u0007".repeat(1 << 18));
    for (field, value) in [
        ("agent", list("\"f\"")),
        ("purposes", list("\"P\"")),
        ("applications", list("\"a\"")),
        ("applications", list("{\"id\":\"a\"}")),
        (
            "applications",
            format!("[{{\"id\":\"a\",\"product_tokens\":{}}}]", list("\"f\"")),
        ),
        ("acap", format!("{{\"names\":{}}}", list("\"f\""))),
        ("acap", format!("{{\"purposes\":{}}}", list("\"f\""))),
        (
            "acap",
            format!("{{\"unsupported\":{}}}", list("\"time-limit\"")),
        ),
        ("references", format!("{{{}}}", members.join(","))),
        ("references", format!("{{\"/a\":{text}}}")),
        ("headers", list("[\"\",\"\"]")),
        ("headers", list("[\"robots-tag\",\"*;a\"]")),
        ("html", text.clone()),
        ("rendered_html", text.clone()),
        ("robots", text.clone()),
        ("robots", escapes),
        ("id", list("0")),
        ("nonsense", list("0")),
    ] {
        let agent = if field == "agent" {
            ""
        } else {
            "\"agent\":\"f\","
        };
        let line = format!("{{\"url\":\"https://e.example/x\",{agent}\"{field}\":{value}}}");
        let peak = peak_of(field, &line);
        assert!(peak <= FACTOR * line.len() + CONSTANT, "{field}: {peak}");
    }
}

/// The most bytes that are allocated at once for the answer to `line`.
fn peak_of(name: &str, line: &str) -> usize {
    // Counting starts here.
    let profiler = dhat::Profiler::builder().testing().build();
    let mut output = Length(0);
    let error =
        abide_contract::write_answer(&mut output, line.as_bytes(), AnswerOptions::default())
            .unwrap();
    let peak = dhat::HeapStats::get().max_bytes;
    drop(profiler);
    // An id of that length is refused.
    let is_wrong = matches!(name, "nonsense" | "id");
    assert_eq!(error.is_some(), is_wrong, "{name}");
    println!(
        "{name}: {} bytes of input, {} of output, {peak} at the peak",
        line.len(),
        output.0
    );
    peak
}

/// Counts what is written.
struct Length(usize);

impl io::Write for Length {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// One line, tag, locator or name that is evidence for each of its members, or for each line.
fn repeated() -> Vec<(&'static str, serde_json::Value)> {
    let list =
        |entry: &dyn Fn(usize) -> String| (0..20_000).map(entry).collect::<Vec<_>>().join(",");
    let thousand: Vec<_> = (0..1_000).map(|at| format!("z{at}")).collect();
    let directives = |members: String| format!("User-agent: *\nApp-Directives: {members}\n");
    let meta = |content: String| format!("<meta name=robots content=\"{content}\">");
    let long = "a".repeat(100_000);
    let locator = format!("/{long}");
    let name = "a".repeat(abide_contract::MAX_NAME);
    let stars: String = (0..400)
        .map(|at| format!("Disallow: /{}\n", "*".repeat(at)))
        .collect();
    vec![
        (
            "one application, again and again",
            json!({"applications": ["a"], "robots": directives(list(&|_| "a".to_owned()))}),
        ),
        (
            "one application with many directives",
            json!({"applications": ["a"], "robots": directives(format!("a;{}",
                (0..50_000).map(|at| format!("d{at}")).collect::<Vec<_>>().join(";")))}),
        ),
        (
            "a thousand applications, one line",
            json!({"applications": &thousand, "robots": directives(list(&|at| format!("z{at};a")))}),
        ),
        (
            "a thousand applications, again and again",
            json!({"applications": &thousand,
                "robots": directives(list(&|at| format!("z{};a", at % 1_000)))}),
        ),
        (
            "one rule of a meta element",
            json!({"robots": "", "html": meta(list(&|_| "noindex".to_owned()))}),
        ),
        (
            "one rule with many values",
            json!({"robots": "", "html": meta(list(&|at| format!("max-snippet:{at}")))}),
        ),
        (
            "a long locator",
            json!({
                "robots": format!("ACAP-crawler: *\nACAP-permissions-reference: {locator}\n"),
                "references": {locator: format!("ACAP-crawler: *\n{}",
                    "ACAP-allow-index: /\n".repeat(2_000))}}),
        ),
        (
            "a long name",
            json!({"agent": &name, "robots": format!("User-agent: {name}\n{stars}")}),
        ),
        (
            "a thousand applications with the names of their client",
            json!({"agent": &thousand, "applications": &thousand, "nonstandard_token": true,
                "robots": ""}),
        ),
    ]
}

/// Files of short lines that are each evidence or a finding.
fn lines() -> Vec<(&'static str, serde_json::Value)> {
    let substitute = |at| format!("ACAP-allow-index: / must-use-resource=/x{at}\n");
    let substitutes: String = (0..4_000).map(substitute).collect();
    let thousand: Vec<_> = (0..1_000).map(|at| format!("z{at}")).collect();
    vec![
        (
            "rules without a slash",
            json!({"robots": "allow:a\n".repeat(20_000)}),
        ),
        (
            "permissions of one usage",
            json!({"robots": format!("acap-crawler:*\n{}", "acap-allow-index:/x\n".repeat(10_000))}),
        ),
        (
            "permissions of all usages",
            json!({"robots": format!("acap-crawler:*\n{}", "acap-allow-other:/x\n".repeat(10_000))}),
        ),
        (
            "permissions of all usages, and tags that override them",
            json!({"robots": format!("acap-crawler:*\n{}", "acap-allow-other:/x\n".repeat(10_000)),
                "headers": [["X-Robots-Tag", "none, noarchive, nosnippet, max-image-preview:none"]]}),
        ),
        (
            "signals for all usages",
            json!({"preferences": {},
                "robots": format!("user-agent:*\n{}", "content-signal:use=reference\n".repeat(10_000))}),
        ),
        (
            "signals before the first group",
            json!({"preferences": {}, "robots": "content-signal:a=yes\n".repeat(10_000)}),
        ),
        (
            "preferences of all usages",
            json!({"preferences": {},
                "robots": format!("user-agent:*\n{}", "content-usage:bots=n\n".repeat(10_000))}),
        ),
        (
            "meta elements",
            json!({"robots": "", "html": "<meta name=robots content=none>".repeat(10_000)}),
        ),
        (
            "groups of one rule",
            json!({"preferences": {}, "robots": "user-agent:f\nallow:/\n".repeat(6_000)}),
        ),
        (
            "directives of a thousand applications",
            json!({"applications": &thousand,
                "robots": format!("user-agent:*\n{}",
                    format!("app-directives:{}\n", thousand.join(",")).repeat(20))}),
        ),
        (
            "resources to use instead",
            json!({"acap": {"prior_arrangement": true},
                "robots": format!("ACAP-crawler: *\n{substitutes}")}),
        ),
    ]
}

/// Lines, fields and statements of as many mistakes as they can have.
fn mistakes() -> Vec<(&'static str, serde_json::Value)> {
    let stated = |field: &str, word: &str| {
        let words = word.repeat(50_000);
        json!({"preferences": {}, "robots": format!("user-agent:*\n{field}:{words}a\n")})
    };
    let fields = |name: &str, value: &str, count| {
        let headers = vec![[name, value]; count];
        json!({"preferences": {}, "robots": "", "headers": headers})
    };
    let different: Vec<_> = (0..50_000).map(|at| format!("a{at}")).collect();
    let different = format!("user-agent:*\ncontent-usage:{}\n", different.join(","));
    let lines = "acap-a\n".repeat(10_000);
    vec![
        ("words of Content-Usage", stated("content-usage", "A,")),
        (
            "different words",
            json!({"preferences": {}, "robots": different}),
        ),
        (
            "parameters of a word",
            stated("content-usage", "train-ai;a;b;c;d;e,"),
        ),
        ("words of Content-Signal", stated("content-signal", "a,")),
        ("fields of one word", fields("content-usage", "A", 5_000)),
        (
            "fields of one preference",
            fields("content-usage", "search=n", 5_000),
        ),
        (
            "fields of one signal",
            fields("content-signal", "search=no", 5_000),
        ),
        (
            "fields of many words",
            fields("content-usage", &"A,".repeat(100), 600),
        ),
        (
            "ACAP lines without a value",
            json!({"robots": format!("acap-crawler:*\n{lines}")}),
        ),
    ]
}

fn check(requests: fn() -> Vec<(&'static str, serde_json::Value)>) {
    // What another test allocates counts too, so requests are made alone as well.
    let _alone = COUNTING.lock().unwrap();
    for (name, fields) in requests() {
        let mut request = json!({"url": "https://e.example/x", "agent": "f"});
        let members = fields.as_object().unwrap().clone();
        request.as_object_mut().unwrap().extend(members);
        let line = request.to_string();
        let peak = peak_of(name, &line);
        assert!(peak <= FACTOR * line.len() + CONSTANT, "{name}: {peak}");
    }
}

/// A line that matches is evidence for each usage that it is about. Its text and place are kept
/// once, in some 100 bytes, and lists of evidence that usages have in common are kept once too.
#[test]
fn g_20_a_line_of_a_file_is_evidence_of_bounded_size() {
    check(lines);
}

/// A mistake has a message of more bytes than it has itself. So of each kind in a statement, only
/// the first hundred have one.
#[test]
fn g_20_findings_take_bounded_memory() {
    check(mistakes);
}

/// What repeats in a request is one piece of evidence, or is quoted in part: its answer was
/// quadratic once.
#[test]
fn r1_a_line_is_not_repeated_for_each_of_its_members() {
    check(repeated);
}
