//! W9: the command, from its start to its end.

use abide_benches::workload::command;
use criterion::{Criterion, criterion_group, criterion_main};

fn bench(criterion: &mut Criterion) {
    let abide = command::built().expect("the command");
    let path = command::scratch()
        .expect("a folder")
        .join("large-robots.txt");
    std::fs::write(&path, command::file()).expect("a place to write");
    let path = path.to_string_lossy().into_owned();
    let mut group = criterion.benchmark_group("W9 command");
    group.bench_function("abide check", |bencher| {
        bencher.iter(|| command::wall(&abide, &command::arguments(&path)));
    });
    group.bench_function("true", |bencher| {
        bencher.iter(|| command::wall("/bin/true".as_ref(), &[]));
    });
}

criterion_group!(workload, bench);
criterion_main!(workload);
