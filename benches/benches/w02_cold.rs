//! W2: one decision from bytes. W2b: a file compiled.

use abide_benches::contest::Sample;
use abide_benches::workload::Setting;
use criterion::{Criterion, criterion_group, criterion_main};

fn bench(criterion: &mut Criterion) {
    let setting = Setting::small().expect("files");
    let cases = setting.corpus.one_url_each();
    let mut group = criterion.benchmark_group("W2 cold");
    for who in &setting.contestants {
        group.bench_function(who.name(), |bencher| {
            bencher.iter(|| who.cold(&cases, &Sample::ALL));
        });
    }
    group.finish();
    let mut group = criterion.benchmark_group("W2b compile");
    for who in &setting.contestants {
        group.bench_function(who.name(), |bencher| {
            bencher.iter(|| who.compile(&cases, &Sample::ALL));
        });
    }
}

criterion_group!(workload, bench);
criterion_main!(workload);
