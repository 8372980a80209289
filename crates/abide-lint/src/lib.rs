//! For the people who write robots.txt files and robots tags.
//!
//! Octets in, findings out: nothing here opens a file, and nothing here decides what a robot may do.
//! Whatever is said about a decision was asked of [`abide`].
//!
//! - [`compare`]: what changes for whom from one file to another.
//! - [`convert`]: records and tags in another specification's words.
//! - [`layout`]: one canonical layout, with the meaning kept.

pub mod compare;
pub mod convert;
pub mod layout;
