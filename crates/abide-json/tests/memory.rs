//! Counts the peak allocation for one request line (G-20). A separate binary, because it replaces
//! the allocator.

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests"
)]

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

/// Bytes of memory per byte of input at the peak.
const FACTOR: usize = 20;
/// Memory that does not depend on the input.
const CONSTANT: usize = 1 << 20;

/// The longest lists of the shortest entries, and the longest texts.
#[test]
fn g_20_memory_is_a_small_multiple_of_the_line() {
    const ENTRIES: usize = 100_000;
    let list = |entry: &str| format!("[{}]", vec![entry; ENTRIES].join(","));
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
        (
            "references",
            format!("{{{}}}", vec!["\"/a\":\"\""; ENTRIES].join(",")),
        ),
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
        // Counting starts here.
        let profiler = dhat::Profiler::builder().testing().build();
        drop(abide_json::answer(line.as_bytes()));
        let peak = dhat::HeapStats::get().max_bytes;
        drop(profiler);
        println!(
            "{field}: {} bytes of input, {peak} bytes at the peak",
            line.len()
        );
        assert!(peak <= FACTOR * line.len() + CONSTANT, "{field}: {peak}");
    }
}
