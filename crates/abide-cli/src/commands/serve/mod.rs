//! `abide serve`

#[cfg(not(feature = "serve"))]
mod disabled;
#[cfg(feature = "serve")]
mod enabled;

#[cfg(not(feature = "serve"))]
pub(crate) use disabled::run;
#[cfg(feature = "serve")]
pub(crate) use enabled::run;
