//! A robots.txt, or robots tags, in another form.

use super::{Answer, Files, needed, wrong};
use abide::preference::Revision;
use abide_analysis::convert::{self as conversion, Form};
use abide_contract::{RequestError, Versioned, page_response, read};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConvertRequest {
    /// The target format.
    to: String,
    /// Header fields with robots tags, in place of a robots.txt. A page is a file beside the
    /// request.
    #[serde(default)]
    headers: Vec<(String, String)>,
    /// Revision of `Content-Usage` whose words count.
    revision: Option<String>,
}

pub(super) fn convert(request: &[u8], [file, html]: Files<'_>) -> Result<Answer, RequestError> {
    let request: ConvertRequest = read(request)?;
    let form: Form = request
        .to
        .parse()
        .map_err(|error: abide::UnknownNameError| {
            let names = Form::names().collect::<Vec<_>>().join(", ");
            wrong("to", format!("{error}; expected one of {names}"))
        })?;
    let revision = Revision::named(request.revision.as_deref().unwrap_or("08"));
    let revision = revision.map_err(|error| wrong("revision", error))?;
    let has_tags = !request.headers.is_empty() || html.is_some();
    let converted = match form {
        Form::File(_) if has_tags => {
            let reason =
                "\"headers\" and \"html\" have robots tags, and this form is of a robots.txt";
            let remedy = "convert them to robots-tag, x-robots-tag or meta";
            return Err(wrong("to", reason).with_remedy(remedy));
        }
        Form::Tags(_) if has_tags && file.is_some() => {
            let reason = "this form is made either from robots tags or from the ACAP records of a \
                          robots.txt";
            let remedy = "give \"headers\" and \"html\", or a robots.txt";
            return Err(wrong("to", reason).with_remedy(remedy));
        }
        Form::Tags(form) if file.is_none() => {
            let response = page_response(&request.headers, html, None);
            if response.statements().is_empty() {
                return Err(wrong("headers", "there are no robots tags to convert"));
            }
            conversion::tags(response.statements(), form)
        }
        form => conversion::robots_txt(needed(file, "robots")?, form, revision),
    };
    Ok(Answer::of(&Versioned::new(&converted)))
}
