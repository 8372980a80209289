//! `/v1/lint`: what `abide lint --format json` finds, and what `abide lint --explain` prints.

use super::input::{few, file};
use super::work::{self, Deadline};
use crate::answer::{line, text_or_base64};
use crate::asker::Asker;
use crate::body::Json;
use crate::problem::Problem;
use crate::query::Query;
use ::http::StatusCode;
use abide::syntax::Text;
use abide::{Limits, MomentError, Target};
use abide_contract::lint::FileFinding;
use abide_contract::{Purposes, Room, SCHEMA, Versioned, codes, page_response};
use abide_fetch::http;
use abide_lint::config::{Config, SettingSource, Settings};
use abide_lint::finding::Safety;
use abide_lint::rules::{self, UnknownCodeError};
use abide_lint::{Context, Finding, Linter};
use axum::extract::RawQuery;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::openapi::{Array, Ref};

/// A file to check, or a response.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LintRequest {
    /// A robots.txt, a tdmrep.json or an RSL licence, as text.
    robots: Option<String>,
    /// The file in base64, for any bytes.
    robots_base64: Option<String>,
    /// The name of the file in findings; it also says what the file is [default: robots.txt]
    #[serde(default = "robots_txt")]
    file: String,
    /// The field `Content-Type` that the file is served with.
    media_type: Option<String>,
    /// Codes to report, such as `bom` or `pattern-*`; also those that `config` ignores [default:
    /// all]
    #[serde(default, deserialize_with = "few")]
    select: Vec<String>,
    /// Codes not to report.
    #[serde(default, deserialize_with = "few")]
    ignore: Vec<String>,
    /// Whether a closed site is meant to be closed [default: what `config` says]
    allow_closed: Option<bool>,
    /// Purposes that exist [default: every well-formed one]
    #[serde(default)]
    #[schema(value_type = Vec<String>)]
    purposes: Purposes,
    /// The text of an `abide.toml`.
    config: Option<String>,
    /// The text of a TOML, JSON or CSV file with a registry of applications and their directives,
    /// or of purposes.
    registry: Option<String>,
    /// Header fields of a response of the site, which is checked too.
    #[serde(default, deserialize_with = "few")]
    #[schema(value_type = Vec<Vec<String>>)]
    headers: Vec<(String, String)>,
    /// The page of that response.
    html: Option<String>,
    /// Its final DOM, serialised.
    rendered_html: Option<String>,
    /// The URL or path of that response [default: /]
    url: Option<String>,
    /// The instant of the check, RFC 3339; control-token-stale depends on it [default: now]
    now: Option<String>,
    /// Applies fixes. The answer has the new file, and the findings that are left.
    #[schema(schema_with = fixes)]
    fix: Option<Safety>,
    /// Whether the answer may be longer than 20 times the file.
    #[serde(default)]
    all: bool,
}

fn robots_txt() -> String {
    "robots.txt".to_owned()
}

/// Which fixes to apply: those that change no answer, or also those that change answers to what was
/// probably meant.
fn fixes() -> Ref {
    Ref::from_schema_name("Safety")
}

/// What was found, and the fixed file.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = Findings)]
pub(crate) struct Linted<'a> {
    /// Version of this form.
    schema: u32,
    /// First those in the file.
    #[schema(schema_with = findings)]
    findings: Vec<Versioned<FileFinding<'a>>>,
    /// How many findings are left out because the answer would be longer than 20 times the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    omitted: Option<usize>,
    /// With `fix`: how many findings were fixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    fixed: Option<usize>,
    /// With `fix`: the new file, if it is UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    robots: Option<&'a str>,
    /// With `fix`: the new file otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    robots_base64: Option<String>,
}

fn findings() -> Array {
    Array::new(Ref::from_schema_name("Finding"))
}

/// Finds mistakes in a robots.txt, a tdmrep.json, an RSL licence, or a response. What was
/// fixed is no longer among the findings.
#[utoipa::path(
    post,
    path = "/v1/lint",
    tag = "tools",
    request_body(content = LintRequest, content_type = "application/json", examples(("example" = (value = json!({"robots": "User-agent: *\nDissalow: /private/\n"}))))),
    responses(
        (status = 200, description = "What was found", body = Linted<'_>, content_type = "application/json"),
        (status = 400, description = "The request cannot be read", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn post(
    asker: Asker,
    Json(request): Json<LintRequest>,
) -> Result<Response, Problem> {
    work::answer(&asker, move |deadline: &Deadline| linted(request, deadline)).await
}

/// What a code of findings means.
#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct LintCode {
    schema: u32,
    /// The code, such as `pattern-no-slash`.
    code: &'static str,
    /// How much such findings matter: info, warning or error.
    severity: &'static str,
    /// What is found, why it matters, what is wrong and what is right, in Markdown.
    markdown: &'static str,
}

/// Explains a code of findings, as `abide lint --explain` does.
#[utoipa::path(
    get,
    path = "/v1/lint",
    tag = "tools",
    params(("code" = String, Query, description = "The code of a finding, such as pattern-no-slash")),
    responses(
        (status = 200, description = "What the code means", body = LintCode, content_type = "application/json"),
        (status = 400, description = "A parameter is wrong", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such code", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn get(RawQuery(text): RawQuery) -> Result<Response, Problem> {
    let query = Query::read(text.as_deref(), &["code"])?;
    let code = query.needed("code")?;
    // What decisions report can have another name here.
    let diagnostic = || code.parse().ok().and_then(rules::of_diagnostic);
    let rule = rules::of(code).or_else(diagnostic).ok_or_else(|| {
        let detail = UnknownCodeError::of(code).to_string();
        let remedy = "write the code as a finding has it";
        Problem::new(StatusCode::NOT_FOUND, "unknown-code", detail, remedy).at("code")
    })?;
    Ok(crate::answer::of(&LintCode {
        schema: SCHEMA,
        code: rule.code(),
        severity: rule.severity().name(),
        markdown: rule.markdown(),
    }))
}

fn linted(request: LintRequest, deadline: &Deadline) -> Result<Vec<u8>, Problem> {
    let settings = settings(&request)?;
    let linter = settings.linter().map_err(|error| wrong("config", &error))?;
    let context = context(&request, &settings)?;
    let has_response =
        !request.headers.is_empty() || request.html.is_some() || request.rendered_html.is_some();
    let body = if has_response {
        super::input::optional_file(request.robots, request.robots_base64.as_deref(), "")?
    } else {
        Some(file(request.robots, request.robots_base64.as_deref(), "")?)
    };
    let page = has_response.then(|| {
        let (html, dom) = (request.html.as_ref(), request.rendered_html.as_deref());
        page_response(&request.headers, html.map(String::as_bytes), dom)
    });
    let url = request.url.as_deref().unwrap_or("/");
    Target::new(url).map_err(|error| wrong("url", &error))?;
    let bytes = body.as_deref();
    let of_file = bytes.map(|bytes| {
        let file = (request.file.as_str(), bytes);
        OfFile::new(&linter, file, &context, request.fix, deadline)
    });
    let of_file = of_file.transpose()?;
    let of_response = page.map(|page| linter.response(&page, bytes.map(|bytes| (bytes, url))));
    let mut answer = Linted {
        schema: SCHEMA,
        findings: Vec::new(),
        omitted: None,
        fixed: None,
        robots: None,
        robots_base64: None,
    };
    if let Some(of_file) = &of_file {
        let findings = of_file.findings.iter();
        let name = &request.file;
        answer.findings = findings
            .map(|finding| FileFinding::new(name, &of_file.text, finding))
            .collect();
        if let Some((count, bytes)) = &of_file.fixed {
            answer.fixed = Some(*count);
            (answer.robots, answer.robots_base64) = text_or_base64(bytes);
        }
    }
    let findings = of_response.iter().flatten();
    let findings = findings.map(|finding| FileFinding::new("the response", b"", finding));
    answer.findings.extend(findings);
    if !request.all {
        let mut room = Room::for_bytes(bytes.map_or(0, <[u8]>::len));
        let omitted = room.keep(&mut answer.findings);
        answer.omitted = (omitted > 0).then_some(omitted);
    }
    Ok(line(&answer))
}

/// What is found in a file.
struct OfFile {
    /// Its text, in which findings have their places.
    text: Vec<u8>,
    findings: Vec<Finding>,
    /// How many findings were fixed, and the new file.
    fixed: Option<(usize, Vec<u8>)>,
}

impl OfFile {
    fn new(
        linter: &Linter,
        (name, bytes): (&str, &[u8]),
        context: &Context,
        fix: Option<Safety>,
        deadline: &Deadline,
    ) -> Result<Self, Problem> {
        let text = |bytes| Text::new(bytes, Limits::default()).as_bytes().to_vec();
        let goes_on = || deadline.goes_on();
        Ok(match fix {
            None => Self {
                text: text(bytes),
                findings: linter
                    .file_while(name, bytes, context, goes_on)
                    .ok_or_else(|| deadline.passed())?,
                fixed: None,
            },
            Some(safety) => {
                let fixed = linter.fixed_file_while(name, bytes, context, safety, goes_on);
                let fixed = fixed.ok_or_else(|| deadline.passed())?;
                Self {
                    text: text(&fixed.bytes),
                    findings: fixed.findings,
                    fixed: Some((fixed.fixed, fixed.bytes)),
                }
            }
        })
    }
}

/// What `config` says, with the members that replace or add to it.
fn settings(request: &LintRequest) -> Result<Settings, Problem> {
    let config = request.config.as_deref().map(Config::read).transpose();
    let config = config.map_err(|error| wrong("config", &error))?;
    let mut settings = config
        .map(|config| config.settings(&request.file))
        .unwrap_or_default();
    if settings.registry.is_some() && request.registry.is_none() {
        let message = "it names a file with a registry, which the service cannot open";
        return Err(wrong("config", &message).remedy("send the text of that file in \"registry\""));
    }
    let codes = |codes: &'_ [String]| -> Vec<String> {
        codes.iter().map(|code| code.trim().to_owned()).collect()
    };
    if !request.select.is_empty() {
        let codes = codes(&request.select);
        let selected = settings.select(
            codes.iter().map(String::as_str),
            SettingSource::Flag("select"),
        );
        selected.map_err(|error| wrong("select", &error))?;
    }
    let codes = codes(&request.ignore);
    let ignored = settings.ignore(
        codes.iter().map(String::as_str),
        SettingSource::Flag("ignore"),
    );
    ignored.map_err(|error| wrong("ignore", &error))?;
    Ok(settings)
}

fn context(request: &LintRequest, settings: &Settings) -> Result<Context, Problem> {
    let registry = request.registry.as_deref();
    let registry = registry.map(abide_contract::registry::read).transpose();
    let registries = registry.map_err(|error| wrong("registry", &error))?;
    let registries = registries.unwrap_or_default();
    let mut context = settings.context(registries.applications.clone());
    if context.purposes.is_empty() {
        context.purposes = registries.purpose_tokens();
    }
    context.media_type.clone_from(&request.media_type);
    context.url.clone_from(&request.url);
    let now = request.now.as_ref().map(|instant| instant.parse());
    let now = now
        .transpose()
        .map_err(|error: MomentError| wrong("now", &error))?;
    context.now = Some(now.unwrap_or_else(http::now));
    if let Some(allow_closed) = request.allow_closed {
        context.allow_closed = allow_closed;
    }
    let purposes = request.purposes.tokens(None)?;
    if !purposes.is_empty() {
        context.purposes = purposes;
    }
    Ok(context)
}

/// The problem with a member.
fn wrong(member: &'static str, error: &dyn std::fmt::Display) -> Problem {
    Problem::bad_request(
        match member {
            "url" => codes::INVALID_URL,
            _ => codes::INVALID_REQUEST,
        },
        format!("in \"{member}\": {error}"),
        "correct this member, or leave it out",
    )
    .at(format!("/{member}"))
}
