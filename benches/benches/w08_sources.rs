//! W8: what ACAP records, App-Directives and robots tags add to a decision.

use abide_benches::contest::Sample;
use abide_benches::workload::{Setting, sources, warm};
use criterion::{Criterion, criterion_group, criterion_main};

fn bench(criterion: &mut Criterion) {
    let cases = sources::conventional(warm::cases(&Setting::small().expect("files")));
    let response = sources::response();
    let mut group = criterion.benchmark_group("W8 sources");
    for mut entry in sources::entries(&cases, &response) {
        group.bench_function(entry.name, |bencher| {
            bencher.iter(|| (entry.pass)(&Sample::ALL));
        });
    }
}

criterion_group!(workload, bench);
criterion_main!(workload);
