//! Instructions of the engine, counted under valgrind by gungraun: the script `instructions`
//! compares them with `instructions.tsv`. Inputs are generated, so that the counts are the same
//! everywhere.
//!
//! Where `ABIDE_CORPUS` names files, W1 to W4 are counted on these in place of the others.

#![expect(missing_docs, reason = "gungraun's macros write items without")]

use abide::{Client, Policy, Target};
use abide_benches::corpus::{Case, Corpus};
use abide_benches::generated;
use abide_benches::peer::client;
use abide_benches::workload::cache::Warm;
use abide_benches::workload::{large, scan as lines, sources};
use gungraun::{LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};
use std::hint::black_box;

type Files = &'static [(String, Vec<u8>)];
type Kept = &'static [(Policy, Case)];

/// What setting up allocates is never freed, for freeing would count.
fn kept<T>(values: Vec<T>) -> &'static [T] {
    Vec::leak(values)
}

fn corpus() -> Corpus {
    // Without a folder that is named, the input must not hang on what lies beside the repository.
    match std::env::var_os("ABIDE_CORPUS") {
        Some(folder) => Corpus::read(folder.as_ref()).expect("files"),
        None => Corpus {
            files: generated::sites(100),
            is_real: false,
        },
    }
}

fn files() -> Files {
    kept(corpus().files)
}

fn cases() -> &'static [Case] {
    kept(corpus().one_url_each())
}

fn compiled(cases: Vec<Case>) -> Kept {
    compiled_for(client(), b"", cases)
}

/// The policies of the files with `added` at their ends.
fn compiled_for(client: &Client, added: &[u8], cases: Vec<Case>) -> Kept {
    let compile = |case: Case| {
        let bytes = [&*case.bytes, added].concat();
        (Policy::compile(bytes, client), case)
    };
    kept(cases.into_iter().map(compile).collect())
}

fn middle() -> Kept {
    compiled(corpus().middle(40, 50))
}

fn silent() -> Kept {
    compiled_for(&sources::with_preferences(), b"", corpus().middle(40, 50))
}

fn signals() -> Kept {
    let client = sources::with_preferences();
    compiled_for(&client, sources::SIGNALS, corpus().middle(40, 50))
}

fn prefixes() -> Kept {
    compiled(large::prefixes(500))
}

fn wildcards() -> Kept {
    compiled(large::wildcards(50))
}

fn ask(kept: Kept) {
    for (policy, case) in kept {
        for url in &case.urls {
            black_box(policy.allows(url));
        }
    }
}

#[library_benchmark]
#[bench::w1(setup = files)]
fn scan(files: Files) {
    black_box(lines::fields(files));
}

#[library_benchmark]
#[bench::w2(setup = cases)]
fn cold(cases: &'static [Case]) {
    for case in cases {
        black_box(abide::allows(&case.bytes, client(), &case.urls[0]));
    }
}

#[library_benchmark]
#[bench::w2b(setup = cases)]
fn compile(cases: &'static [Case]) {
    for case in cases {
        // Freeing is part of what a policy costs.
        black_box(Policy::compile(&case.bytes, client()));
    }
}

#[library_benchmark]
#[bench::w3(setup = middle)]
fn allows(kept: Kept) {
    ask(kept);
}

#[library_benchmark]
#[bench::w4(setup = prefixes)]
fn allows_prefixes(kept: Kept) {
    ask(kept);
}

#[library_benchmark]
#[bench::w4(setup = wildcards)]
fn allows_wildcards(kept: Kept) {
    ask(kept);
}

#[library_benchmark]
#[bench::w7(setup = middle)]
fn decide(kept: Kept) {
    decide_each(kept);
}

// With AI preferences asked for, and none stated.
#[library_benchmark]
#[bench::w8(setup = silent)]
fn decide_silent(kept: Kept) {
    decide_each(kept);
}

// With AI preferences asked for, and Cloudflare's lines in every file.
#[library_benchmark]
#[bench::w8(setup = signals)]
fn decide_signals(kept: Kept) {
    decide_each(kept);
}

fn decide_each(kept: Kept) {
    for (policy, case) in kept {
        for url in &case.urls {
            if let Ok(target) = Target::new(url) {
                black_box(policy.decide(&target));
            }
        }
    }
}

fn warm() -> &'static Warm {
    Box::leak(Box::new(Warm::new(100)))
}

// A bare lookup of the same keys, which the next two are compared with.
#[library_benchmark]
#[bench::w13(setup = warm)]
fn lookup(warm: &'static Warm) {
    warm.look_up_each();
}

#[library_benchmark]
#[bench::w13(setup = warm)]
fn cache_for_url(warm: &'static Warm) {
    warm.ask_rules_of_each();
}

#[library_benchmark]
#[bench::w13(setup = warm)]
fn cache_allows(warm: &'static Warm) {
    warm.ask_about_each();
}

library_benchmark_group!(
    name = counted;
    benchmarks = scan, cold, compile, allows, allows_prefixes, allows_wildcards, decide,
        decide_silent, decide_signals, lookup, cache_for_url, cache_allows
);

main!(
    config = LibraryBenchmarkConfig::default().pass_through_env("ABIDE_CORPUS");
    library_benchmark_groups = counted
);
