//! What many robots.txt files say.
//!
//! - [`schema`]: the tables of a survey and their columns.

pub mod schema;
