//! Counts the allocations of reading a document (PREF-85, PREF-108). A separate binary, because it
//! replaces the allocator.

#![allow(missing_docs, reason = "tests")]

use abide_documents::{MAX_RSL_BYTES, rsl, rsl_findings, tdmrep, tdmrep_findings};
use dhat::HeapStats;

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

/// The most memory in use while `read` runs. The document itself belongs to the caller.
fn peak<T>(read: impl FnOnce() -> T) -> usize {
    let profiler = dhat::Profiler::builder().testing().build();
    drop(read());
    let peak = HeapStats::get().max_bytes;
    drop(profiler);
    peak
}

/// `unit` between `head` and `tail`, as often as the limit allows.
fn filled(head: &str, unit: &str, tail: &str) -> String {
    let room = MAX_RSL_BYTES - head.len() - tail.len();
    format!("{head}{}{tail}", unit.repeat(room / unit.len()))
}

#[test]
fn pref_85_pref_108_memory_is_bounded() {
    const ROOT: &str = "<rsl xmlns='https://rslstandard.org/rsl'><content url='/'><license>";
    const ENDS: &str = "</license></content></rsl>";
    let in_list = format!("{ROOT}<permits type='usage'>");
    let list_ends = format!("</permits>{ENDS}");
    // What a hostile document costs, and the most that any document may cost, per byte of it.
    let entities = filled("<!DOCTYPE rsl [<!ENTITY a 'aaaa'>]><rsl>", "&a;", "</rsl>");
    for (name, text, most) in [
        ("entities", entities, 1),
        ("elements", "<a>".repeat(1_000_000), 1),
        ("open tags", filled("", "<a>", ""), 1),
        ("attributes", filled("<a ", "b='' ", "/>"), 1),
        ("text", filled(ROOT, "x", ENDS), 2),
        ("words", filled(&in_list, "a ", &list_ends), 24),
        ("commas", filled(&in_list, "a,", &list_ends), 24),
    ] {
        let reading = peak(|| rsl(text.as_bytes()));
        assert!(reading <= most * MAX_RSL_BYTES, "{name}: {reading}");
        let finding = peak(|| rsl_findings(text.as_bytes()));
        assert!(
            finding <= (most + 1) * MAX_RSL_BYTES,
            "{name}, findings: {finding}"
        );
    }
    for (name, text, most) in [
        ("depth", "[".repeat(MAX_RSL_BYTES), 1),
        ("one rule", filled("[{\"a\":[", "0,", "0]}]"), 2),
        ("members", filled("[{", "\"\":0,", "\"\":0}]"), 2),
        ("numbers", filled("[", "0,", "0]"), 64),
        ("rules", filled("[", "{},", "{}]"), 64),
        ("locations", filled("[", "{\"location\":\"/\"},", "{}]"), 64),
    ] {
        let reading = peak(|| tdmrep(text.as_bytes()));
        assert!(reading <= most * MAX_RSL_BYTES, "{name}: {reading}");
        let finding = peak(|| tdmrep_findings(text.as_bytes()));
        assert!(
            finding <= 2 * most * MAX_RSL_BYTES,
            "{name}, findings: {finding}"
        );
    }
}
