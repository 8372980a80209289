//! W1: every line split and keyed, beside the visit of every line end.

use abide_benches::workload::{Setting, scan};
use criterion::{Criterion, criterion_group, criterion_main};

fn bench(criterion: &mut Criterion) {
    let setting = Setting::small().expect("files");
    let files = &setting.corpus.files;
    let mut group = criterion.benchmark_group("W1 scan");
    group.bench_function("abide", |bencher| bencher.iter(|| scan::fields(files)));
    group.bench_function("memchr", |bencher| bencher.iter(|| scan::line_feeds(files)));
    group.bench_function("memchr2", |bencher| bencher.iter(|| scan::line_ends(files)));
}

criterion_group!(workload, bench);
criterion_main!(workload);
