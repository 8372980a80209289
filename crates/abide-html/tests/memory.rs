//! Counts the allocations of reading a page (G-22, M5). A separate binary, because it replaces the
//! allocator.

#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

use abide_html::{MAX_BYTES, initial};
use dhat::HeapStats;

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

/// Whatever the page, the memory in use at any time is a small multiple of the bytes read.
#[test]
fn m5_g_22_memory_of_pages_is_bounded() {
    for (head, unit) in [
        ("", "x"),
        ("", "<div>"),
        ("<!--", "x"),
        ("<p a=\"", "x"),
        ("<p ", "a=b "),
        ("<title>", "&amp;"),
        ("<script type=application/rsl+xml>", "<a>"),
        ("", "<link rel=license type=application/rsl+xml href=x>"),
        ("", "<script type=application/rsl+xml></script>"),
    ] {
        let page = format!("{head}{}", unit.repeat((600 << 10) / unit.len()));
        // Counting starts here: the page itself belongs to the caller.
        let profiler = dhat::Profiler::builder().testing().build();
        assert!(initial(page.as_bytes(), None).truncated);
        let peak = HeapStats::get().max_bytes;
        drop(profiler);
        assert!(peak < 4 * MAX_BYTES, "{unit} behind {head:?}: {peak}");
    }
}
