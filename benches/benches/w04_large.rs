//! W4: decisions about files with thousands of rules.

use abide_benches::contest::Sample;
use abide_benches::workload::{Setting, large};
use criterion::{Criterion, criterion_group, criterion_main};

fn bench(criterion: &mut Criterion) {
    let setting = Setting::small().expect("files");
    let inputs = [
        ("W4 prefixes", large::prefixes(10)),
        ("W4 wildcards", large::wildcards(10)),
        ("W4 largest", setting.corpus.largest(10, 10)),
    ];
    for (name, cases) in &inputs {
        let mut group = criterion.benchmark_group(*name);
        group.sample_size(10);
        for who in &setting.contestants {
            let mut kept = who.warm(cases);
            group.bench_function(who.name(), |bencher| {
                bencher.iter(|| kept.pass(&Sample::ALL));
            });
        }
    }
}

criterion_group!(workload, bench);
criterion_main!(workload);
