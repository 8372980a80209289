//! What the engine calls of ACAP without the feature `acap`: nobody asks, and no record is kept.

use super::profile::AcapAsker;
use super::reference::{FetchedReference, PermissionsReference};
use super::request::ActionRequest;
use crate::rep::field::Field;
use crate::text::{Limits, Text};

/// A line of the ACAP stream, which is not read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AcapLine;

/// The ACAP stream of a file, which is not read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AcapFile;

/// The answer to a reference, which no file has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReferenceAnswer;

impl ReferenceAnswer {
    pub(crate) const fn new(_: &str, _: FetchedReference<'_>, _: Limits) -> Self {
        Self
    }
}

/// Compiled records: there are none.
#[derive(Clone, Debug)]
pub(crate) enum AcapSide {}

impl AcapSide {
    pub(crate) const fn references(&self) -> &[PermissionsReference] {
        match *self {}
    }

    pub(crate) const fn requests(&self) -> &[ActionRequest] {
        match *self {}
    }

    pub(crate) const fn ignores_conventional(&self) -> bool {
        match *self {}
    }

    pub(crate) const fn memory(&self) -> usize {
        match *self {}
    }

    pub(crate) const fn concerns_crawl(&self) -> bool {
        match *self {}
    }
}

pub(crate) const fn line(_: &Field, _: u32, _: &[u8]) -> AcapLine {
    AcapLine
}

pub(crate) const fn read_lines(_: &[AcapLine], _: &Text<'_>) -> AcapFile {
    AcapFile
}

pub(crate) const fn compile(
    _: &[AcapLine],
    _: &Text<'_>,
    _: Option<AcapAsker<'_>>,
    _: &[ReferenceAnswer],
) -> Option<Box<AcapSide>> {
    None
}

pub(crate) const fn compile_file(
    _: &AcapFile,
    _: &Text<'_>,
    _: Option<AcapAsker<'_>>,
) -> Option<Box<AcapSide>> {
    None
}

pub(crate) const fn recompile(
    _: &Text<'_>,
    _: Option<AcapAsker<'_>>,
    _: &[ReferenceAnswer],
) -> Option<Box<AcapSide>> {
    None
}
