//! `abide survey`

#[cfg(not(feature = "survey"))]
mod disabled;
#[cfg(feature = "survey")]
mod enabled;

#[cfg(not(feature = "survey"))]
pub(crate) use disabled::run;
#[cfg(feature = "survey")]
pub(crate) use enabled::run;
