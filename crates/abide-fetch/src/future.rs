//! Futures of traits that are used as objects.

use std::pin::Pin;

/// A boxed `Send` future.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
