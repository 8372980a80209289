//! What many robots.txt files say.
//!
//! - [`schema`]: the tables of a survey and their columns.
//!
//! - `report` (feature `report`): the tables counted, as numbers and as a page with charts.

#[cfg(feature = "report")]
pub mod report;
pub mod schema;
