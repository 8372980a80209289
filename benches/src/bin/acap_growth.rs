//! What ACAP records cost as they become more: a table of milliseconds.
//!
//! ```text
//! cargo run --release --manifest-path benches/Cargo.toml --bin acap_growth
//! ```
//!
//! Each row is a file with so many members of one resource set and a fifth as many records, each
//! with a permission for the set, a prohibition for one page, and a permission for all; then the
//! hostile files of the recipes c01 to c06. The path matches the set and several fields.

use abide::{Client, Policy, ProductToken, Target};
use abide_testkit::hostile;
use std::time::Instant;

fn main() {
    println!(
        "{:<60} {:>8} {:>9} {:>9} {:>9} {:>9}",
        "file", "KiB", "compile", "allows", "decide", "findings"
    );
    for members in [1_000, 2_000, 5_000, 10_000, 20_000] {
        let robots = hostile::set_and_records(members, members / 5);
        report(
            &format!("{members} members, {} records", members / 5),
            &robots,
            "/section/page7/private/x",
        );
    }
    for id in ["c01", "c02", "c03", "c04", "c05", "c06"] {
        for file in hostile::recipe(id) {
            report(&format!("{id} {}", file.name), &file.robots, &file.paths[0]);
        }
    }
}

fn report(name: &str, robots: &[u8], path: &str) {
    let client = Client::new(ProductToken::new("f").expect("a token"));
    let policy = Policy::compile(robots, &client);
    let target = Target::new(path).expect("a path");
    let compile = fastest(|| drop(Policy::compile(robots, &client)));
    let allows = fastest(|| assert!(policy.allows(path) || path.len() > 1));
    let decide = fastest(|| drop(policy.decide(&target)));
    let findings =
        fastest(|| drop(Policy::compile(robots, &client).diagnostics().to_vec())) - compile;
    println!(
        "{name:<60} {:>8} {compile:>9.3} {allows:>9.3} {decide:>9.3} {findings:>9.3}",
        robots.len() / 1024
    );
}

/// Milliseconds of the fastest of several runs.
fn fastest(mut work: impl FnMut()) -> f64 {
    let once = || {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64() * 1_000.0
    };
    std::iter::repeat_with(once)
        .take(9)
        .fold(f64::INFINITY, f64::min)
}
