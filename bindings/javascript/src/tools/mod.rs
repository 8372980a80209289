//! The tools of the command. Each reads one JSON object, with the members that the service has for
//! it, and up to two files beside it.

#[cfg(feature = "convert")]
mod convert;
#[cfg(feature = "diff")]
mod diff;
#[cfg(feature = "explain")]
mod explain;
#[cfg(feature = "fmt")]
mod fmt;
#[cfg(feature = "lint")]
mod lint;
#[cfg(feature = "matrix")]
mod matrix;
#[cfg(feature = "test")]
mod test;

use abide_contract::{RequestError, Versioned, codes, text};
use abide_known_robots::Robot;
use serde::Serialize;
use std::fmt::Display;

/// What a tool answers.
pub(crate) struct Answer {
    pub(crate) json: String,
    /// A file that the tool has made, beside the JSON.
    pub(crate) file: Vec<u8>,
}

impl Answer {
    pub(crate) fn of(json: &impl Serialize) -> Self {
        let json = text::line(json);
        let file = Vec::new();
        Self { json, file }
    }
}

/// The files of a request.
pub(crate) type Files<'f> = [Option<&'f [u8]>; 2];

/// Answers a request for the tool with this number, which `package/module.ts` has too.
pub(crate) fn answer(
    number: u32,
    request: &[u8],
    files: Files<'_>,
) -> Result<Answer, RequestError> {
    match number {
        #[cfg(feature = "lint")]
        0 => lint::lint(request, files),
        #[cfg(feature = "lint")]
        1 => lint::fix(request, files),
        #[cfg(feature = "fmt")]
        2 => fmt::fmt(request, files),
        #[cfg(feature = "explain")]
        3 => explain::explain(request, files),
        #[cfg(feature = "diff")]
        4 => diff::diff(request, files),
        #[cfg(feature = "matrix")]
        5 => matrix::matrix(request, files),
        #[cfg(feature = "test")]
        6 => test::test(request, files),
        #[cfg(feature = "convert")]
        7 => convert::convert(request, files),
        #[cfg(feature = "known-robots")]
        8 => Ok(known_robots()),
        #[cfg(feature = "retrieval")]
        9 => crate::retrieval::answer(request, files),
        _ => unreachable!("{number} is no tool"),
    }
}

/// The table of known robots.
#[cfg(feature = "known-robots")]
fn known_robots() -> Answer {
    let robots = abide_known_robots::all().iter();
    Answer::of(&robots.map(Versioned::new).collect::<Vec<_>>())
}

/// The error of the member with this name.
pub(crate) fn wrong(member: &str, error: impl Display) -> RequestError {
    let code = match member {
        "agents" => codes::INVALID_AGENT,
        "robots" => codes::INVALID_ROBOTS,
        "url" | "urls" | "site" => codes::INVALID_URL,
        _ => codes::INVALID_REQUEST,
    };
    RequestError::new(code, format!("/{member}"), error)
}

/// The robots of a list, each once. If the request `is_literal`, what is documented about them does
/// not count.
fn robots(lists: &[String], is_literal: bool) -> Result<Vec<Robot>, RequestError> {
    let robots = Robot::lists(lists).map_err(|error| {
        let at = lists.iter().position(|list| Robot::list(list).is_err());
        RequestError::new(
            codes::INVALID_AGENT,
            format!("/agents/{}", at.unwrap_or_default()),
            error,
        )
    })?;
    Ok(if is_literal {
        robots.into_iter().map(Robot::without_known_facts).collect()
    } else {
        robots
    })
}

/// The file that a tool needs.
fn needed<'f>(file: Option<&'f [u8]>, member: &str) -> Result<&'f [u8], RequestError> {
    file.ok_or_else(|| {
        let reason = "expected the text or the bytes of a file, but found nothing";
        RequestError::new(codes::INVALID_ROBOTS, format!("/{member}"), reason)
    })
}
