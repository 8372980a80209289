//! W3: many decisions about files that are kept.

use abide_benches::contest::Sample;
use abide_benches::workload::{Setting, warm};
use criterion::{Criterion, criterion_group, criterion_main};

fn bench(criterion: &mut Criterion) {
    let setting = Setting::small().expect("files");
    let cases = warm::cases(&setting);
    let mut group = criterion.benchmark_group("W3 warm");
    group.sample_size(20);
    for who in &setting.contestants {
        let mut kept = who.warm(&cases);
        group.bench_function(who.name(), |bencher| {
            bencher.iter(|| kept.pass(&Sample::ALL));
        });
    }
}

criterion_group!(workload, bench);
criterion_main!(workload);
