//! `abide convert`

use crate::args::ConvertArgs;
use crate::exit::{Exit, complain, put, warn, written};
use crate::fetch::Network;
use crate::page_args::{configured_fields, field_lines, last_head};
use crate::source::Source;
use abide::Limits;
use abide::Severity;
use abide::explain::visible;
use abide::tag::{Response, Statement};
use abide_analysis::convert::{self, FileForm, Form, Loss};
use anyhow::{Context, ensure};

/// Converts, writes the result, and reports what it loses.
pub(crate) fn run(args: &ConvertArgs) -> anyhow::Result<Exit> {
    let source = Source::named(&args.source);
    let shown = if args.headers.is_empty() {
        source.to_string()
    } else {
        "--header".to_owned()
    };
    let is_usage = args.to == Form::File(FileForm::ContentUsage);
    ensure!(
        is_usage || !args.as_header,
        "--as-header needs --to content-usage; robots tags have the forms robots-tag and x-robots-tag"
    );
    let converted = match args.to {
        Form::Tags(form) => convert::tags(&statements(args, &source)?, form),
        Form::File(form) => {
            let message =
                "--header is about robots tags; convert them --to robots-tag, x-robots-tag or meta";
            ensure!(args.headers.is_empty(), message);
            let bytes = bytes(args, &source, Limits::FLOOR)?;
            match form {
                FileForm::ContentUsage if args.as_header => {
                    convert::to_content_usage_field(&bytes, args.revision)
                }
                form => convert::robots_txt(&bytes, form, args.revision),
            }
        }
    };
    tell(&converted, &shown);
    let Some(text) = converted.text() else {
        let mut reasons = converted
            .findings()
            .iter()
            .filter(|finding| finding.refuses);
        if !reasons.all(|finding| finding.loss == Loss::Silent) {
            complain(&format!(
                "{shown}: not converted, because the result would not mean the same"
            ));
        }
        return Ok(Exit::Prohibited);
    };
    written(put(text))?;
    Ok(Exit::Done)
}

/// Reports on stderr what changes or is left out.
fn tell(converted: &convert::Conversion, shown: &str) {
    for finding in converted.findings() {
        let line = finding
            .line
            .map_or_else(String::new, |line| format!(", line {line}"));
        let message = format!(
            "{shown}{line}: {} [{}]",
            visible(finding.message.as_bytes()),
            finding.loss
        );
        if finding.refuses {
            complain(&message);
        } else {
            warn(&message);
        }
    }
}

fn bytes(args: &ConvertArgs, source: &Source, limit: usize) -> anyhow::Result<Vec<u8>> {
    let network = Network::of_abide(&args.network);
    Ok(source.served(limit, &network)?.bytes)
}

/// Reads robots tags from `--header`, or from a file: field lines, a configuration, or a page.
fn statements(args: &ConvertArgs, source: &Source) -> anyhow::Result<Vec<Statement>> {
    let response = if args.headers.is_empty() {
        let bytes = bytes(args, source, abide_html::MAX_BYTES)?;
        if let Some(fields) = configured_fields(&bytes, &source.to_string())? {
            Response::new(&fields)
        } else if bytes.trim_ascii_start().starts_with(b"<") {
            abide_html::response(&[], Some(&bytes), None)
        } else {
            Response::new(&last_head(&bytes))
        }
    } else {
        Response::new(&field_lines(&args.headers)?)
    };
    for finding in response.diagnostics() {
        if finding.severity > Severity::Info {
            warn(&format!("{} [{}]", finding.message, finding.code));
        }
    }
    let statements = response.statements().to_vec();
    let none = "no robots tags in the input; expected field lines such as \"X-Robots-Tag: noindex\", lines of nginx or Apache that set them, or a page";
    (!statements.is_empty()).then_some(statements).context(none)
}
