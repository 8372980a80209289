//! The tables of a survey, counted: as numbers, and as one page with charts.
//!
//! [`Numbers::read`] reads the tables of a folder, and [`Document::new`] puts their numbers into
//! words and tables. [`Document::html`] is one page that needs nothing else.
//!
//! A site is a host, and counts once: with its last capture. Over time, it counts once in each
//! period. Memory does not grow with the number of captures and sites.

mod census;
mod chart;
mod count;
mod document;
mod error;
mod files;
mod numbers;
mod page;
mod period;
mod sections;
mod sites;
mod tables;
mod weights;

use std::path::Path;

pub use document::{
    Cell, Chart, ChartRow, Color, Document, Figure, Meaning, Part, ReportColumn, ReportTable,
    RowLabel, Section,
};
pub use error::ReportError;
pub use files::ChartFile;
pub use numbers::{
    Bucket, CaptureState, Classes, Coverage, ErrorCount, FindingCount, KindClasses, KindCount,
    KindPeriod, NameCount, Names, Numbers, Outcomes, OverTime, PanelCount, PeriodCount,
    RobotAccess, RobotClasses, RobotCount, Sizes, StateCount, StatusCount, VocabularyCount,
    WeightCount,
};
pub use period::Period;
pub use sites::Sites;
pub use weights::Weights;

/// How to count.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// The periods of the counts over time [default: months, quarters or years, by how long the
    /// survey is].
    pub period: Option<Period>,
    /// Which sites count over time.
    pub panel: Panel,
    /// The weights of sites. One without a weight has the weight 0.
    pub weights: Option<Weights>,
    /// How many captures that count are in memory at a time: one for each site and period. If there
    /// are more, the tables are read several times; the counts are the same.
    pub captures_in_memory: usize,
    /// How many names of robots are in memory at a time. With more names, the rarest are dropped,
    /// and [`Names::missing`] says how much that changes the others.
    pub names_in_memory: usize,
}

/// Which sites count over time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Panel {
    /// In each period the sites that answer in it.
    #[default]
    All,
    /// Only sites that answer in every period in which any does.
    Balanced,
}

abide::named!(Panel, "panel", [All = "all", Balanced = "balanced"]);

impl Default for Settings {
    fn default() -> Self {
        Self {
            period: None,
            panel: Panel::default(),
            weights: None,
            captures_in_memory: 900_000,
            names_in_memory: 200_000,
        }
    }
}

impl Numbers {
    /// Reads the tables of a survey in `folder`, and counts.
    pub fn read(folder: &Path, settings: &Settings) -> Result<Self, ReportError> {
        count::counted(folder, settings)
    }
}
