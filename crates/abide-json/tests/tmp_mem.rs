#![allow(missing_docs, clippy::all, clippy::pedantic)]
#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;
use abide::*;
#[test]
fn stages() {
    let subs: String = (0..4000).map(|at| format!("ACAP-allow-index: / must-use-resource=/x{at}\n")).collect();
    for text in ["allow:a\n".repeat(20000), format!("acap-crawler:*\n{}", "acap-allow-index:/x\n".repeat(10000)),
        format!("acap-crawler:*\n{}", "acap-allow-other:/x\n".repeat(10000)), format!("ACAP-crawler: *\n{subs}"),
        format!("acap-crawler:*\n{}", "acap-allow-other:\n".repeat(10000)), format!("acap-crawler:*\n{}", "allow-other:/\n".repeat(10000))] {
        let client = Client::new(ProductToken::new("f").unwrap());
        let stage = |n: u32| {
            let p = dhat::Profiler::builder().testing().build();
            let policy = Policy::compile(text.as_bytes(), &client);
            if n > 0 {
            let target = Target::new("https://e.example/x").unwrap();
            let d = policy.decide(&target);
            let s = dhat::HeapStats::get();
            if n == 1 { let r=(s.max_bytes, s.curr_bytes); drop(p); return r; }
            let f = policy.diagnostics().len();
            let s = dhat::HeapStats::get();
            println!("findings {f} {}", size_of::<Evidence>());
            let r=(s.max_bytes, s.curr_bytes); drop(p); drop(d); return r;
            }
            let s = dhat::HeapStats::get();
            let r=(s.max_bytes, s.curr_bytes); drop(p); drop(policy); r
        };
        let l = text.len();
        for n in 0..3 { let (m,c)=stage(n); println!("{} bytes, stage {n}: max {m} = {:.1}/B, now {c} = {:.1}/B", l, m as f64/l as f64, c as f64/l as f64); }
    }
}
