//! For the people who write robots.txt files and robots tags.
//!
//! Octets in, findings out: nothing here opens a file, and nothing here decides what a robot may do.
//! Whatever is said about a decision was asked of [`abide`].
//!
//! - [`reading`]: a file as one client reads it, line by line, and in plain English.
//! - [`expectation`]: what a site expects of its file, tested.

pub mod expectation;
pub mod reading;
