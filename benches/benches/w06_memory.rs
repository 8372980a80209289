//! W6: policies of all files, made to be kept. What they take is in the report.

use abide::Policy;
use abide_benches::peer::client;
use abide_benches::workload::Setting;
use criterion::{Criterion, criterion_group, criterion_main};

fn bench(criterion: &mut Criterion) {
    let cases = Setting::small().expect("files").corpus.one_url_each();
    criterion.bench_function("W6 kept", |bencher| {
        bencher.iter_with_large_drop(|| -> Vec<Policy> {
            let kept = cases
                .iter()
                .map(|case| Policy::compile_shared(&case.bytes, client()));
            kept.collect()
        });
    });
}

criterion_group!(workload, bench);
criterion_main!(workload);
