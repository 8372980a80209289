//! What a cache reports as metrics and as traces, under stable names. Each is an
//! [`Observer`](crate::Observer): give it to [`Builder::observer`](crate::Builder::observer), both
//! as a pair.
//!
//! - `MetricsObserver` (feature `metrics`): counters and histograms for a recorder of the crate
//!   `metrics`.
//! - `TracingObserver` (feature `tracing`): events of the crate `tracing`.

#[cfg(feature = "metrics")]
mod counters;
#[cfg(feature = "tracing")]
mod events;

#[cfg(feature = "metrics")]
pub use counters::{METRICS, Metric, MetricKind, MetricsObserver};
#[cfg(feature = "tracing")]
pub use events::{TARGET, TracingObserver};
