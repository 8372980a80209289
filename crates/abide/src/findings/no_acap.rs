//! No findings about ACAP records, which are not read without the feature `acap`.

use crate::acap::{AcapLine, AcapSide};
use crate::client::Client;
use crate::diagnostic::Diagnostic;
use crate::text::Text;

pub(super) const fn findings(
    _: &Text<'_>,
    _: &[AcapLine],
    _: &Client,
    _: Option<&AcapSide>,
) -> Vec<Diagnostic> {
    Vec::new()
}

pub(super) const fn findings_of_references(_: &Text<'_>, side: &AcapSide) -> Vec<Diagnostic> {
    match *side {}
}
