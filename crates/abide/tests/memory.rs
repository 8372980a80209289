//! Counts the engine's allocations (P1, G-22). A separate binary, because it replaces the
//! allocator.

#![allow(
    missing_docs,
    clippy::format_collect,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests"
)]

use abide::syntax::Inspect;
use abide::{Client, Policy, ProductToken, Profile};
use abide_testkit::hostile;
use dhat::HeapStats;

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

/// Memory that does not depend on the input.
const CONSTANT: usize = 64 << 10;

#[test]
fn g_22_memory_is_a_small_multiple_of_the_input() {
    let _profiler = dhat::Profiler::builder().testing().build();
    let careful = Client::new(ProductToken::new("f").unwrap());
    let google = careful.clone().with_profile(Profile::Google);
    for file in hostile::all() {
        for client in [&careful, &google] {
            compile(&file, client);
        }
    }
    allows_does_not_allocate();
}

/// What a compiled policy keeps: the text once, and at most three times its size for the compiled
/// form. For ACAP records, whose resource sets have patterns of a few bytes each, the limit is ten
/// times.
fn compile(file: &hostile::Hostile, client: &Client) {
    let (before, input) = (
        HeapStats::get(),
        file.robots.len().min(client.limits().bytes()),
    );
    let policy = Policy::compile(&file.robots, client);
    let after = HeapStats::get();
    let kept = after.curr_bytes - before.curr_bytes;
    let name = format!("{} {} ({input} bytes)", file.id, file.name);
    let factor = if file.id.starts_with('c') { 10 } else { 3 };
    assert!(
        kept <= (1 + factor) * input + CONSTANT,
        "{name}: kept {kept}"
    );
    assert!(
        Inspect::of(&policy).compiled_size() <= factor * input + CONSTANT,
        "{name}: {}",
        Inspect::of(&policy).compiled_size()
    );
    drop(policy);
}

/// The hot path allocates nothing for a URL in canonical form.
fn allows_does_not_allocate() {
    let rules =
        b"User-agent: *\nDisallow: /a\nDisallow: /*.gif$\nAllow: /a/b?c=\nDisallow: /c*d/e\n";
    let policy = Policy::compile(rules, &Client::new(ProductToken::new("f").unwrap()));
    let before = HeapStats::get().total_blocks;
    let mut allowed = 0_u32;
    for url in [
        "/a",
        "/a/b?c=d",
        "https://e.example/x.gif",
        "https://e.example",
        "/c/d/e?f=a:b,c",
        "/robots.txt",
    ] {
        allowed += u32::from(policy.allows(url));
    }
    assert_eq!(HeapStats::get().total_blocks, before, "allocations");
    assert_eq!(allowed, 3);
}
