//! W10: requests answered as `abide batch` answers them, and the engine's part of it.

use abide_benches::workload::{Setting, batch};
use criterion::{Criterion, criterion_group, criterion_main};

fn bench(criterion: &mut Criterion) {
    let requests = batch::requests(&Setting::small().expect("files"));
    let mut group = criterion.benchmark_group("W10 batch");
    group.bench_function("answered", |bencher| {
        bencher.iter(|| batch::with_json(&requests));
    });
    group.bench_function("compiled, decided, and findings", |bencher| {
        bencher.iter(|| batch::without_json(&requests));
    });
}

criterion_group!(workload, bench);
criterion_main!(workload);
