//! The linter, and its fixes.

use super::file::{file, optional_file};
use super::lists::few;
use super::{Work, robots_txt, text_or_base64, wrong};
use crate::circumstances::{clock, page_response};
use crate::lint::FileFinding;
use crate::purposes::Purposes;
use crate::request::Body;
use crate::request_error::RequestError;
use crate::room::Room;
use crate::{SCHEMA, Versioned, codes, registry};
use abide::syntax::Text;
use abide::{Limits, MomentError, Target};
use abide_lint::config::{Config, SettingSource, Settings};
use abide_lint::finding::Safety;
use abide_lint::{Context, Finding, Linter};
use serde::{Deserialize, Serialize};

/// A file to check, or a response.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct LintRequest {
    /// A robots.txt, a tdmrep.json or an RSL licence, as text.
    pub robots: Option<Body>,
    /// The file in base64, for any bytes.
    pub robots_base64: Option<String>,
    /// The name of the file in findings; it also says what the file is [default: robots.txt]
    #[serde(default = "robots_txt")]
    pub file: String,
    /// The field `Content-Type` that the file is served with.
    pub media_type: Option<String>,
    /// Codes to report, such as `bom` or `pattern-*`; also those that `config` ignores [default:
    /// all]
    #[serde(default, deserialize_with = "few")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub select: Vec<String>,
    /// Codes not to report.
    #[serde(default, deserialize_with = "few")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
    pub ignore: Vec<String>,
    /// Whether a closed site is meant to be closed [default: what `config` says]
    pub allow_closed: Option<bool>,
    /// Purposes that exist [default: every well-formed one]
    #[serde(default)]
    pub purposes: Purposes,
    /// The text of an `abide.toml`.
    pub config: Option<String>,
    /// The text of a TOML, JSON or CSV file with a registry of applications and their directives,
    /// or of purposes.
    pub registry: Option<String>,
    /// Header fields of a response of the site, which is checked too.
    #[serde(default, deserialize_with = "few")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Vec<String>>"))]
    pub headers: Vec<(String, String)>,
    /// The page of that response.
    pub html: Option<Body>,
    /// Its final DOM, serialised.
    pub rendered_html: Option<String>,
    /// The URL or path of that response [default: /]
    pub url: Option<String>,
    /// The instant of the check, RFC 3339; control-token-stale depends on it [default: now]
    pub now: Option<String>,
    /// Applies fixes. The answer has the new file, and the findings that are left.
    pub fix: Option<Safety>,
    /// Whether the answer may be longer than 20 times the file.
    #[serde(default)]
    pub all: bool,
}

/// What was found, and the fixed file.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Findings"))]
pub struct Linted<'a> {
    /// Version of this form.
    schema: u32,
    /// First those in the file.
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
    #[serde(skip)]
    bytes: &'a [u8],
}

impl<'a> Linted<'a> {
    /// What was found: first in the file.
    #[must_use]
    pub fn findings(&self) -> &[Versioned<FileFinding<'a>>] {
        &self.findings
    }

    /// With `fix`: how many findings were fixed.
    #[must_use]
    pub fn fixed(&self) -> usize {
        self.fixed.unwrap_or(0)
    }

    /// With `fix`: the new file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.bytes
    }
}

impl LintRequest {
    /// Finds mistakes, and fixes them if the request says so.
    ///
    /// Reads the clock if there is no `now`.
    ///
    /// # Errors
    /// [`RequestError`] for members that cannot be read, for neither a file nor a response, and
    /// with [`TOO_MUCH_WORK`](super::TOO_MUCH_WORK).
    pub fn answer<T>(
        &self,
        work: &Work<'_>,
        write: impl FnOnce(&Linted<'_>) -> T,
    ) -> Result<T, RequestError> {
        let settings = self.settings()?;
        let linter = settings.linter().map_err(|error| wrong("config", error))?;
        let context = self.context(&settings)?;
        let has_response =
            !self.headers.is_empty() || self.html.is_some() || self.rendered_html.is_some();
        let (robots, base64) = (self.robots.as_ref(), self.robots_base64.as_deref());
        let body = if has_response {
            optional_file(robots, base64, "")?
        } else {
            Some(file(robots, base64, "")?)
        };
        let page = has_response.then(|| {
            let (html, dom) = (
                self.html.as_ref().map(Body::as_bytes),
                self.rendered_html.as_deref(),
            );
            page_response(&self.headers, html, dom)
        });
        let url = self.url.as_deref().unwrap_or("/");
        Target::new(url).map_err(|error| {
            let error = RequestError::new(codes::INVALID_URL, "/url", error);
            error.with_remedy("correct this member, or leave it out")
        })?;
        let bytes = body.as_deref();
        let of_file = bytes.map(|bytes| self.in_file(&linter, bytes, &context, work));
        let of_file = of_file.transpose()?;
        let of_response = page.map(|page| linter.response(&page, bytes.map(|bytes| (bytes, url))));
        let of_response = of_response.unwrap_or_default();
        Ok(write(&self.linted(
            of_file.as_ref(),
            &of_response,
            bytes.map_or(0, <[u8]>::len),
        )))
    }

    fn linted<'a>(
        &'a self,
        of_file: Option<&'a OfFile>,
        of_response: &'a [Finding],
        bytes: usize,
    ) -> Linted<'a> {
        let mut findings = Vec::new();
        if let Some(OfFile {
            text,
            findings: found,
            ..
        }) = of_file
        {
            let found = found.iter();
            findings.extend(found.map(|finding| FileFinding::new(&self.file, text, finding)));
        }
        let found = of_response.iter();
        findings.extend(found.map(|finding| FileFinding::new("the response", b"", finding)));
        let mut omitted = None;
        if !self.all {
            let left_out = Room::for_bytes(bytes).keep(&mut findings);
            omitted = (left_out > 0).then_some(left_out);
        }
        let fixed = of_file.and_then(|of_file| of_file.fixed.as_ref());
        let (robots, robots_base64) =
            fixed.map_or((None, None), |(_, bytes)| text_or_base64(bytes));
        Linted {
            schema: SCHEMA,
            findings,
            omitted,
            fixed: fixed.map(|(count, _)| *count),
            robots,
            robots_base64,
            bytes: fixed.map_or(b"", |(_, bytes)| bytes),
        }
    }

    fn in_file(
        &self,
        linter: &Linter,
        bytes: &[u8],
        context: &Context,
        work: &Work<'_>,
    ) -> Result<OfFile, RequestError> {
        let text = |bytes| Text::new(bytes, Limits::default()).as_bytes().to_vec();
        let (name, goes_on) = (&self.file, || work.goes_on());
        Ok(match self.fix {
            None => OfFile {
                text: text(bytes),
                findings: work.whole(linter.file_while(name, bytes, context, goes_on))?,
                fixed: None,
            },
            Some(safety) => {
                let fixed = linter.fixed_file_while(name, bytes, context, safety, goes_on);
                let fixed = work.whole(fixed)?;
                OfFile {
                    text: text(&fixed.bytes),
                    findings: fixed.findings,
                    fixed: Some((fixed.fixed, fixed.bytes)),
                }
            }
        })
    }

    /// What `config` says, with the members that replace or add to it.
    fn settings(&self) -> Result<Settings, RequestError> {
        let config = self.config.as_deref().map(Config::read).transpose();
        let config = config.map_err(|error| wrong("config", error))?;
        let mut settings = config
            .map(|config| config.settings(&self.file))
            .unwrap_or_default();
        if settings.registry.is_some() && self.registry.is_none() {
            let reason = "it names a file with a registry, which only the command opens";
            return Err(
                wrong("config", reason).with_remedy("send the text of that file in \"registry\"")
            );
        }
        if !self.select.is_empty() {
            let codes = self.select.iter().map(|code| code.trim());
            let selected = settings.select(codes, SettingSource::Flag("select"));
            selected.map_err(|error| wrong("select", error))?;
        }
        let codes = self.ignore.iter().map(|code| code.trim());
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
        let now = self.now.as_ref().map(|instant| instant.parse());
        let now = now
            .transpose()
            .map_err(|error: MomentError| wrong("now", error))?;
        context.now = Some(now.unwrap_or_else(clock));
        if let Some(allow_closed) = self.allow_closed {
            context.allow_closed = allow_closed;
        }
        let purposes = self.purposes.tokens(None)?;
        if !purposes.is_empty() {
            context.purposes = purposes;
        }
        Ok(context)
    }
}

/// What is found in a file.
struct OfFile {
    /// Its text, in which findings have their places.
    text: Vec<u8>,
    findings: Vec<Finding>,
    /// How many findings were fixed, and the new file.
    fixed: Option<(usize, Vec<u8>)>,
}
