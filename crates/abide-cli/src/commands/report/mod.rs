//! `abide report`: writes a report.

mod markdown;

use crate::args::{PageFormat, ReportArgs};
use crate::exit::{self, Exit};
use crate::replace::create_or_replace;
use abide_contract::text;
use abide_survey::report::{Document, Numbers, Settings};
use anyhow::Context;
use std::ffi::OsStr;
use std::path::Path;

/// Writes the report about a survey.
pub(crate) fn run(args: &ReportArgs) -> anyhow::Result<Exit> {
    let mut settings = Settings::default();
    settings.period = args.period.and_then(abide::Named::by_name);
    let numbers = Numbers::read(args.folder.as_ref(), &settings)?;
    if !numbers.coverage.is_complete {
        exit::warn(&format!(
            "{}: the survey is not complete, and the report is about what it has read so far; continue it with abide survey --resume",
            args.folder.shown()
        ));
    }
    let document = || Document::new(&numbers, args.title.as_deref());
    let report = match format(args) {
        PageFormat::Html => document().html()?,
        PageFormat::Markdown => markdown::written(&document()),
        PageFormat::Json => format!("{}\n", text::pretty(&numbers)),
    };
    match &args.output_file {
        Some(file) if !file.is_stdin() => create_or_replace(file, report.as_bytes())
            .with_context(|| format!("cannot write {file}"))?,
        _ => exit::written(exit::put(report))?,
    }
    Ok(Exit::Done)
}

/// The format that is asked for, or that the name of the output file suggests.
fn format(args: &ReportArgs) -> PageFormat {
    let name = args.output_file.as_ref().map(AsRef::<Path>::as_ref);
    let extension = name.and_then(Path::extension).and_then(OsStr::to_str);
    args.format.unwrap_or(match extension {
        Some("md" | "markdown") => PageFormat::Markdown,
        Some("json") => PageFormat::Json,
        _ => PageFormat::Html,
    })
}
