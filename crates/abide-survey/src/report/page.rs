//! The report as one page.

use super::ReportError;
use super::chart::WIDTHS;
use super::document::{Document, Figure};
use abide::explain::visible;
use abide_analysis::words::Piece;
use askama::Template as _;
use std::fmt::Write as _;

/// The style of the page.
const STYLE: &str = include_str!("../../templates/report.css");

/// The SHA-256 of the style, in base64. The page allows no other style.
const STYLE_HASH: &str = "ubaZMQJaTF6nWhF1CS3aq3A/5uxQVulfg0uO+XQB8V8=";

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
        let mut charts = Vec::new();
        for (width, class) in WIDTHS.into_iter().zip(["wide", "narrow"]) {
            if let Some(chart) = figure.inline_svg(width) {
                charts.push((class, chart?));
            }
        }
        Ok(charts)
    }

    /// The chart of a figure as files, in links that have their bytes: name, type, link.
    fn files(&self, figure: &Figure) -> Result<Vec<(String, &'static str, String)>, ReportError> {
        let files = self.document.files_of(figure)?.into_iter();
        let links = files.map(|file| {
            let link = data_link(file.media_type, &file.text);
            (file.name, file.format, link)
        });
        Ok(links.collect())
    }
}

/// A link that has the bytes of a text. What an attribute, a link or a reader of the page could
/// take for something else is escaped.
fn data_link(media_type: &str, text: &str) -> String {
    let mut link = format!("data:{media_type},");
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-'..=b'.' | b',' | b'_' | b'=' | b';' => {
                link.push(byte.into());
            }
            _ => {
                // Writing to a text does not fail.
                let _ = write!(link, "%{byte:02X}");
            }
        }
    }
    link
}
