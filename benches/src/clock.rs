//! CPU time of the calling thread: what other processes do in the meantime does not count.

use rustix::time::{ClockId, clock_gettime};
use std::hint::black_box;

/// CPU time that the calling thread has used so far, in nanoseconds.
#[must_use]
pub fn thread_nanoseconds() -> u64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    u64::try_from(now.tv_sec).unwrap_or(0) * 1_000_000_000 + u64::try_from(now.tv_nsec).unwrap_or(0)
}

/// CPU time of one call, in nanoseconds, with its result.
pub fn timed<T>(work: impl FnOnce() -> T) -> (u64, T) {
    let start = thread_nanoseconds();
    let result = black_box(work());
    (thread_nanoseconds() - start, result)
}

/// The middle of `values`, or 0 of none.
#[must_use]
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => 0.0,
        length if length % 2 == 1 => values[length / 2],
        length => f64::midpoint(values[length / 2 - 1], values[length / 2]),
    }
}

/// Time of one item: `work`, which does `items` of them, is repeated for at least `least`
/// nanoseconds, so that the clock's own grain does not show.
pub fn per_item(items: usize, least: u64, mut work: impl FnMut()) -> f64 {
    let (mut spent, mut runs) = (0, 0_u64);
    while spent < least {
        spent += timed(&mut work).0.max(1);
        runs += 1;
    }
    spent.to_f64() / (runs.to_f64() * items.max(1).to_f64())
}

/// Counts as numbers with a fraction: those of a benchmark are far below 2⁵³.
pub trait ToF64 {
    /// The nearest number.
    fn to_f64(self) -> f64;
}

#[expect(clippy::cast_precision_loss, reason = "counts far below 2^53")]
impl ToF64 for u64 {
    fn to_f64(self) -> f64 {
        self as f64
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts far below 2^53")]
impl ToF64 for i64 {
    fn to_f64(self) -> f64 {
        self as f64
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts far below 2^53")]
impl ToF64 for usize {
    fn to_f64(self) -> f64 {
        self as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::float_cmp, reason = "numbers that are exact")]
    fn the_median_of_an_even_number_is_between_the_two_in_the_middle() {
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(vec![9.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(Vec::new()), 0.0);
    }
}
