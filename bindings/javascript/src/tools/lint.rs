//! Findings, and fixes.

use super::{Answer, Files, needed, wrong};
use abide::syntax::Text;
use abide::{Limits, Moment, Target};
use abide_contract::lint::FileFinding;
use abide_contract::{Purposes, RequestError, Versioned, page_response, read, registry, text};
use abide_lint::config::{Config, SettingSource, Settings};
use abide_lint::finding::Safety;
use abide_lint::{Context, Finding, Linter};
use serde::{Deserialize, Serialize};

/// How a file is linted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct LintRequest {
    /// The name of the file in findings; it also says what the file is.
    file: String,
    /// The field `Content-Type` that the file is served with.
    media_type: Option<String>,
    /// Codes to report; also those that `config` ignores.
    select: Vec<String>,
    /// Codes not to report.
    ignore: Vec<String>,
    /// Whether a closed site is meant to be closed.
    allow_closed: Option<bool>,
    /// Purposes that exist.
    purposes: Purposes,
    /// The text of an `abide.toml`.
    config: Option<String>,
    /// The text of a file with a registry.
    registry: Option<String>,
    /// Header fields of a response of the site, which is linted too.
    headers: Vec<(String, String)>,
    /// The page's final DOM, serialised. The page itself is a file beside the request.
    rendered_html: Option<String>,
    /// The URL or path of that response.
    url: Option<String>,
    /// The instant of the check.
    now: Option<Moment>,
    /// For `fix`: which fixes to apply.
    safety: Option<Safety>,
}

impl Default for LintRequest {
    fn default() -> Self {
        Self {
            file: "robots.txt".to_owned(),
            media_type: None,
            select: Vec::new(),
            ignore: Vec::new(),
            allow_closed: None,
            purposes: Purposes::default(),
            config: None,
            registry: None,
            headers: Vec::new(),
            rendered_html: None,
            url: None,
            now: None,
            safety: None,
        }
    }
}

impl LintRequest {
    /// What `config` says, with the members that replace or add to it.
    fn settings(&self) -> Result<Settings, RequestError> {
        let config = self.config.as_deref().map(Config::read).transpose();
        let config = config.map_err(|error| wrong("config", error))?;
        let mut settings = config
            .map(|config| config.settings(&self.file))
            .unwrap_or_default();
        if settings.registry.is_some() && self.registry.is_none() {
            let reason = "it names a file with a registry, which the module cannot open";
            let remedy = "give the text of that file in \"registry\"";
            return Err(wrong("config", reason).with_remedy(remedy));
        }
        let codes = |codes: &[String]| -> Vec<String> {
            codes.iter().map(|code| code.trim().to_owned()).collect()
        };
        if !self.select.is_empty() {
            let codes = codes(&self.select);
            let codes = codes.iter().map(String::as_str);
            let selected = settings.select(codes, SettingSource::Flag("select"));
            selected.map_err(|error| wrong("select", error))?;
        }
        let codes = codes(&self.ignore);
        let codes = codes.iter().map(String::as_str);
        let ignored = settings.ignore(codes, SettingSource::Flag("ignore"));
        ignored.map_err(|error| wrong("ignore", error))?;
        Ok(settings)
    }

    fn context(&self, settings: &Settings) -> Result<Context, RequestError> {
        let registries = self.registry.as_deref().map(registry::read).transpose();
        let registries = registries.map_err(|error| wrong("registry", error))?;
        let registries = registries.unwrap_or_default();
        let mut context = settings.context(registries.applications.clone());
        if context.purposes.is_empty() {
            context.purposes = registries.purpose_tokens();
        }
        context.media_type.clone_from(&self.media_type);
        context.url.clone_from(&self.url);
        context.now = self.now;
        if let Some(allow_closed) = self.allow_closed {
            context.allow_closed = allow_closed;
        }
        let purposes = self.purposes.tokens(None)?;
        if !purposes.is_empty() {
            context.purposes = purposes;
        }
        Ok(context)
    }

    fn linter(&self) -> Result<(Linter, Context), RequestError> {
        let settings = self.settings()?;
        let linter = settings.linter().map_err(|error| wrong("config", error))?;
        Ok((linter, self.context(&settings)?))
    }
}

/// Findings of a file with this name and these bytes.
fn shown<'f>(file: &'f str, text: &[u8], found: &'f [Finding]) -> Vec<Versioned<FileFinding<'f>>> {
    let found = found.iter();
    found
        .map(|finding| FileFinding::new(file, text, finding))
        .collect()
}

/// Findings of a file, and of a response.
pub(super) fn lint(request: &[u8], [file, html]: Files<'_>) -> Result<Answer, RequestError> {
    let request: LintRequest = read(request)?;
    let (linter, context) = request.linter()?;
    if request.safety.is_some() {
        return Err(wrong("safety", "only fixes have one"));
    }
    let dom = request.rendered_html.as_deref();
    let has_response = !request.headers.is_empty() || html.is_some() || dom.is_some();
    if !has_response {
        needed(file, "robots")?;
    }
    let url = request.url.as_deref().unwrap_or("/");
    Target::new(url).map_err(|error| wrong("url", error))?;
    let in_file = file.map(|bytes| linter.file(&request.file, bytes, &context));
    let in_response = has_response.then(|| {
        let page = page_response(&request.headers, html, dom);
        linter.response(&page, file.map(|bytes| (bytes, url)))
    });
    let decoded = Text::new(file.unwrap_or_default(), Limits::default());
    let in_file = in_file.as_deref().unwrap_or_default();
    let mut findings = shown(&request.file, decoded.as_bytes(), in_file);
    let in_response = in_response.as_deref().unwrap_or_default();
    findings.extend(shown("the response", b"", in_response));
    Ok(Answer::of(&findings))
}

/// How many findings were fixed, and those that are left.
#[derive(Serialize)]
struct Fixed<'f> {
    fixed: usize,
    findings: Vec<Versioned<FileFinding<'f>>>,
}

/// Applies fixes. The file of the answer is the new one.
pub(super) fn fix(request: &[u8], [file, _]: Files<'_>) -> Result<Answer, RequestError> {
    let request: LintRequest = read(request)?;
    let (linter, context) = request.linter()?;
    let bytes = needed(file, "robots")?;
    let safety = request.safety.unwrap_or(Safety::Safe);
    let fixed = linter.fixed_file(&request.file, bytes, &context, safety);
    let decoded = Text::new(&fixed.bytes[..], Limits::default());
    let json = text::line(&Fixed {
        fixed: fixed.fixed,
        findings: shown(&request.file, decoded.as_bytes(), &fixed.findings),
    });
    drop(decoded);
    let file = fixed.bytes;
    Ok(Answer { json, file })
}
