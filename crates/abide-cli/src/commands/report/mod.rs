//! `abide report`: writes a report.

mod markdown;

use crate::args::{PageFormat, ReportArgs};
use crate::exit::{self, Exit};
use crate::file_arg::FileArg;
use crate::replace::create_or_replace;
use abide_contract::text;
use abide_survey::report::{Document, Numbers, Settings, Weights};
use anyhow::Context;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

/// Writes the report about a survey.
pub(crate) fn run(args: &ReportArgs) -> anyhow::Result<Exit> {
    let mut settings = Settings::default();
    settings.period = args.period.and_then(abide::Named::by_name);
    settings.panel = abide::Named::by_name(args.panel).unwrap_or_default();
    let weights = args.weights.as_ref();
    settings.weights = weights
        .map(|file| Weights::read(file.as_ref()))
        .transpose()?;
    let numbers = Numbers::read(args.folder.as_ref(), &settings)?;
    if !numbers.coverage.is_complete {
        exit::warn(&format!(
            "{}: the survey is not complete, and the report is about what it has read so far; continue it with abide survey --resume",
            args.folder.shown()
        ));
    }
    if let Some(weights) = &numbers.weights {
        exit::note(&format!("weights: {}", weights.sentence()));
    }
    let document = || Document::new(&numbers, args.title.as_deref());
    if let Some(folder) = &args.charts {
        write_charts(folder, &document())?;
        if args.output_file.is_none() && args.format.is_none() {
            return Ok(Exit::Done);
        }
    }
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

/// Writes each chart as SVG and CSV into `folder`.
fn write_charts(folder: &FileArg, document: &Document) -> anyhow::Result<()> {
    let cannot = || format!("cannot write {folder}");
    fs::create_dir_all(folder).with_context(cannot)?;
    for chart in document.files()? {
        let file = FileArg::from(format!("{}/{}", folder.as_str(), chart.name));
        create_or_replace(&file, chart.text.as_bytes()).with_context(cannot)?;
    }
    Ok(())
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
