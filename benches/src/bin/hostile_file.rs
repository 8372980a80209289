//! One hostile file, read and asked about: the work that `.ci/instructions` counts.
//!
//! `hostile_file RECIPE BYTES PATH` compiles the recipe's files cut to BYTES and decides each of
//! their paths, repeated or cut to PATH bytes. With `0` for BYTES it only makes the inputs, so that
//! the difference is the engine's work alone.
//!
//! `hostile_file RECIPE BYTES PATH RUNS` does this RUNS times, and prints the lower quartile of the
//! times.

use abide::{Client, Policy, ProductToken};
use abide_testkit::hostile;
use std::hint::black_box;
use std::time::Instant;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [_, recipe, bytes, path, runs @ ..] = args.as_slice() else {
        panic!("usage: hostile_file RECIPE BYTES PATH [RUNS]");
    };
    let bytes: usize = bytes.parse().expect("BYTES is a number");
    let path: usize = path.parse().expect("PATH is a number");
    let client = Client::new(ProductToken::new("f").expect("a token"));
    let file = hostile::recipe(recipe).swap_remove(0);
    let target = file.paths.first().expect("a path").repeat(path);
    let target = target.get(..path).expect("paths are ASCII");
    // Printed, because the optimiser drops what has no effect.
    if bytes == 0 {
        println!("{}", file.robots.len() + target.len());
        return;
    }
    let kept = file
        .robots
        .get(..bytes.min(file.robots.len()))
        .unwrap_or_default();
    let decide = || Policy::compile(kept, &client).allows(target);
    let Some(runs) = runs.first() else {
        println!("{}", decide());
        return;
    };
    let time = |_| {
        let start = Instant::now();
        black_box(decide());
        start.elapsed()
    };
    let runs: usize = runs.parse().expect("RUNS is a number");
    let mut times: Vec<_> = (0..runs).map(time).collect();
    times.sort_unstable();
    println!("{:?}", times.get(runs / 4).expect("one run or more"));
}
