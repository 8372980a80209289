//! For the people who write robots.txt files and robots tags.
//!
//! Octets in, findings out: nothing here opens a file, and nothing here decides what a robot may do.
//! Whatever is said about a decision was asked of [`abide`].
//!
//! - [`compare`]: what changes for whom from one file to another.

pub mod compare;
