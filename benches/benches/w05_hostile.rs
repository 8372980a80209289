//! W5: files and URLs that are made to hurt.

use abide::{Client, Policy, ProductToken};
use abide_benches::workload::hostile;
use criterion::{Criterion, criterion_group, criterion_main};

fn bench(criterion: &mut Criterion) {
    for file in hostile::files() {
        let token = ProductToken::new(file.agent).expect("a product token");
        let policy = Policy::compile(&file.bytes, &Client::new(token));
        let mut group = criterion.benchmark_group(format!("W5 {}", file.name));
        group.sample_size(10);
        for (kind, path) in hostile::paths(&file, 2_000) {
            group.bench_function(kind, |bencher| bencher.iter(|| policy.allows(&path)));
        }
    }
}

criterion_group!(workload, bench);
criterion_main!(workload);
