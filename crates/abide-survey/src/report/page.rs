//! The report as one page.

use super::ReportError;
use super::chart::WIDTHS;
use super::document::{Document, Figure};
use abide::explain::visible;
use abide_analysis::words::Piece;
use askama::Template as _;

/// The style of the page.
const STYLE: &str = include_str!("../../templates/report.css");

/// The SHA-256 of the style, in base64. The page allows no other style.
const STYLE_HASH: &str = "7x1RXm3WPuXH3XZHn8WEM/u9/DZk2SPtILyI9YiYq30=";

/// The page; `report.html` escapes all that it inserts but the style and the charts.
#[derive(askama::Template)]
#[template(path = "report.html")]
struct Page<'a> {
    document: &'a Document,
    version: &'static str,
    style: &'static str,
    style_hash: &'static str,
}

impl Document {
    /// The page in HTML: it loads nothing, runs no script, and shows the same for the same
    /// numbers.
    pub fn html(&self) -> Result<String, ReportError> {
        let page = Page {
            document: self,
            version: env!("CARGO_PKG_VERSION"),
            style: STYLE,
            style_hash: STYLE_HASH,
        };
        page.render()
            .map_err(|error| ReportError::Page(error.to_string()))
    }
}

impl Page<'_> {
    /// Foreign text, which `report.html` escapes.
    fn shown(text: &[u8]) -> String {
        visible(text)
    }

    /// A figure's charts, for a wide and for a narrow window.
    fn charts(figure: &Figure) -> askama::Result<Vec<(&'static str, String)>> {
        let Some(chart) = &figure.chart else {
            return Ok(Vec::new());
        };
        let label = figure.caption.to_string();
        let mut charts = Vec::new();
        for (width, class) in WIDTHS.into_iter().zip(["wide", "narrow"]) {
            charts.push((class, chart.svg(width, &label)?));
        }
        Ok(charts)
    }
}
