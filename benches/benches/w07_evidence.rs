//! W7: the whole decision with evidence, beside yes or no.

use abide_benches::workload::{Setting, evidence, warm};
use criterion::{Criterion, criterion_group, criterion_main};

fn bench(criterion: &mut Criterion) {
    let cases = warm::cases(&Setting::small().expect("files"));
    let policies = evidence::only_matches(&cases);
    let mut group = criterion.benchmark_group("W7 evidence");
    group.bench_function("allows", |bencher| {
        bencher.iter(|| evidence::allows(&policies));
    });
    group.bench_function("decide", |bencher| {
        bencher.iter(|| evidence::decide(&policies));
    });
}

criterion_group!(workload, bench);
criterion_main!(workload);
