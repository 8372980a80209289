//! The progress bar on stderr.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar of `size` bytes, if that is known.
pub(crate) fn bar(size: Option<u64>, template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(size, ProgressDrawTarget::stderr());
    bar.with_style(ProgressStyle::with_template(template).unwrap_or(ProgressStyle::default_bar()))
}
