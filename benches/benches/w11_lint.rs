//! W11: files linted.

use abide_benches::contest::Sample;
use abide_benches::workload::{Setting, lint};
use abide_lint::{Context, Linter};
use criterion::{Criterion, criterion_group, criterion_main};

fn bench(criterion: &mut Criterion) {
    let cases = Setting::small().expect("files").corpus.one_url_each();
    let (linter, context) = (Linter::new(), Context::default());
    let mut group = criterion.benchmark_group("W11 lint");
    group.bench_function("abide", |bencher| {
        bencher.iter(|| lint::pass(&linter, &context, &cases, &Sample::ALL));
    });
}

criterion_group!(workload, bench);
criterion_main!(workload);
