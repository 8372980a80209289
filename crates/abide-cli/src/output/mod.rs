//! What the command writes: answers as rows and findings as reports, in order, and safe in each
//! format.

pub(crate) mod csv;
pub(crate) mod markdown;
pub(crate) mod ordered;
pub(crate) mod report;
pub(crate) mod table;
pub(crate) mod width;
pub(crate) mod xml;
