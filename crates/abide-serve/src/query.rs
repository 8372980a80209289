//! Parameters of URLs, read strictly: an unknown or repeated one is an error.

use crate::problem::Problem;
use std::borrow::Cow;

/// The most parameters of one URL.
const MAX_PARAMETERS: usize = 1_000;

/// The parameters of a query, in order.
#[derive(Clone, Debug)]
pub(crate) struct Query<'a>(Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl<'a> Query<'a> {
    /// Reads the query of a URL. Its parameters have one of the names in `known`.
    pub(crate) fn read(query: Option<&'a str>, known: &[&str]) -> Result<Self, Problem> {
        let query = query.unwrap_or_default();
        let pairs: Vec<_> = url::form_urlencoded::parse(query.as_bytes())
            .take(MAX_PARAMETERS + 1)
            .collect();
        // What is not UTF-8 is read as U+FFFD, which can be meant too.
        let is_replaced = |text: &str| text.contains(char::REPLACEMENT_CHARACTER);
        let is_doubtful = pairs
            .iter()
            .any(|(name, value)| is_replaced(name) || is_replaced(value));
        if (is_doubtful || pairs.len() > MAX_PARAMETERS)
            && let Some(at) = not_utf8(query)
        {
            return Err(wrong(
                "the query is not UTF-8 after its escapes are resolved".to_owned(),
                "write text in UTF-8, each byte of it as %XX".to_owned(),
            )
            .at(at));
        }
        if pairs.len() > MAX_PARAMETERS {
            return Err(wrong(
                format!("the query has more than {MAX_PARAMETERS} parameters"),
                "ask in several requests, or with POST".to_owned(),
            ));
        }
        let unknown = pairs
            .iter()
            .find(|(name, _)| !known.contains(&name.as_ref()));
        if let Some((name, _)) = unknown {
            let shown = abide::explain::quoted(name.as_bytes()).into_owned();
            let remedy = match known {
                [] => "leave it out: the members of the body say everything".to_owned(),
                known => format!("the parameters are {}", known.join(", ")),
            };
            return Err(wrong(format!("unknown parameter {shown:?}"), remedy).at(shown));
        }
        Ok(Self(pairs))
    }

    /// The value of a parameter that may be given once.
    pub(crate) fn one(&self, name: &'static str) -> Result<Option<&str>, Problem> {
        let mut values = self.all(name);
        let first = values.next();
        if values.next().is_some() {
            let detail = format!("the parameter {name:?} is given twice");
            return Err(wrong(detail, "give it once".to_owned()).at(name));
        }
        Ok(first)
    }

    /// The value of a parameter that has to be given once.
    pub(crate) fn needed(&self, name: &'static str) -> Result<&str, Problem> {
        self.one(name)?.ok_or_else(|| missing(name))
    }

    /// The value of a parameter that is `true` or `false` [default: false].
    pub(crate) fn flag(&self, name: &'static str) -> Result<bool, Problem> {
        match self.one(name)? {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(_) => {
                let detail = format!("the parameter {name:?} is neither true nor false");
                Err(wrong(detail, format!("write {name}=true")).at(name))
            }
        }
    }

    /// All values of a parameter.
    pub(crate) fn all(&self, name: &'static str) -> impl Iterator<Item = &str> {
        let own = self.0.iter().filter(move |(given, _)| given == name);
        own.map(|(_, value)| value.as_ref())
    }
}

/// A parameter that has to be given.
pub(crate) fn missing(name: &'static str) -> Problem {
    let detail = format!("the parameter {name:?} is missing");
    wrong(
        detail,
        format!("add {name}=…, with its value escaped as %XX"),
    )
    .at(name)
}

fn wrong(detail: String, remedy: String) -> Problem {
    Problem::bad_request("invalid-query", detail, remedy)
}

/// The name of the first parameter that is not UTF-8.
fn not_utf8(query: &str) -> Option<String> {
    if !query.contains('%') {
        return None;
    }
    let wrong = query.split('&').find(|pair| {
        let bytes: Cow<'_, [u8]> = percent_decoded(pair.as_bytes());
        str::from_utf8(&bytes).is_err()
    })?;
    let name = wrong.split('=').next().unwrap_or_default();
    Some(abide::explain::quoted(name.as_bytes()).into_owned())
}

/// The bytes without escapes.
fn percent_decoded(text: &[u8]) -> Cow<'_, [u8]> {
    percent_encoding::percent_decode(text).into()
}
