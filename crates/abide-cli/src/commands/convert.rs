//! `abide convert`

use crate::args::ConvertArgs;
use crate::exit::{Exit, complain, put, warn, written};
use crate::fetch::Network;
use crate::page_args::{configured_fields, field_lines, last_head};
use crate::source::Source;
use abide::explain::visible;
use abide::tag::{Response, Statement};
use abide::{Limits, Robots, Severity};
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
    let is_of_tags = matches!(args.to, Form::Tags(_));
    ensure!(
        is_of_tags || args.headers.is_empty(),
        "--header is about robots tags; convert them --to robots-tag, x-robots-tag or meta"
    );
    let limit = if is_of_tags {
        abide_html::MAX_BYTES
    } else {
        Limits::FLOOR
    };
    let bytes = if args.headers.is_empty() {
        bytes(args, &source, limit)?
    } else {
        Vec::new()
    };
    let converted = match args.to {
        Form::Tags(form) if !has_records(&bytes) => {
            convert::tags(&statements(args, &bytes, &source)?, form)
        }
        Form::File(FileForm::ContentUsage) if args.as_header => {
            convert::to_content_usage_field(&bytes, args.revision)
        }
        form => convert::robots_txt(&bytes, form, args.revision),
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

/// Whether this is a robots.txt with ACAP records.
fn has_records(bytes: &[u8]) -> bool {
    let is_page = bytes.trim_ascii_start().starts_with(b"<");
    !is_page && Robots::parse(bytes).acap_lines().next().is_some()
}

/// Reads robots tags from `--header`, or from a file: field lines, a configuration, or a page.
fn statements(args: &ConvertArgs, bytes: &[u8], source: &Source) -> anyhow::Result<Vec<Statement>> {
    let response = if !args.headers.is_empty() {
        Response::new(&field_lines(&args.headers)?)
    } else if let Some(fields) = configured_fields(bytes, &source.to_string())? {
        Response::new(&fields)
    } else if bytes.trim_ascii_start().starts_with(b"<") {
        abide_html::response(&[], Some(bytes), None)
    } else {
        Response::new(&last_head(bytes))
    };
    for finding in response.diagnostics() {
        if finding.severity > Severity::Info {
            warn(&format!("{} [{}]", finding.message, finding.code));
        }
    }
    let statements = response.statements().to_vec();
    let none = "no robots tags in the input; expected field lines such as \"X-Robots-Tag: noindex\", lines of nginx or Apache that set them, a page, or a robots.txt with ACAP records";
    (!statements.is_empty()).then_some(statements).context(none)
}
