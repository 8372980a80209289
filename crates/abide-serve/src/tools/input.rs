//! What requests for tools have in common: files, robots, profiles.

use crate::problem::Problem;
use abide::Profile;
use abide::tag::{FieldLine, Response};
use abide_json::RequestError;
use abide_known_robots::Robot;
use base64::Engine;
use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use std::fmt;
use std::sync::Arc;

/// The largest number of entries of a list.
pub(crate) const MOST_ENTRIES: usize = 1_000;
/// The longest `User-Agent` line or list of robots, in bytes.
const LONGEST_LIST: usize = 16 << 10;

/// Robots: a string or a list of strings. Each is a name, `*`, names in order of preference such as
/// `NewsBot>Bot`, a whole `User-Agent` line, a set such as `@search`, or several of these with
/// commas.
#[derive(Clone, Debug, Default, PartialEq, Eq, utoipa::ToSchema)]
#[schema(value_type = Vec<String>, examples(json!(["Googlebot", "@ai-training", "*"])))]
pub(crate) struct Agents(Vec<String>);

impl<'de> Deserialize<'de> for Agents {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;

        impl<'de> Visitor<'de> for Either {
            type Value = Agents;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a robot, or a list of names")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Agents, E> {
                Agents::of(vec![text.to_owned()])
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Agents, A::Error> {
                let mut lists = Vec::new();
                while let Some(text) = list.next_element::<String>()? {
                    lists.push(text);
                    if lists.len() > MOST_ENTRIES {
                        return Err(too_many());
                    }
                }
                Agents::of(lists)
            }
        }

        deserializer.deserialize_any(Either)
    }
}

fn too_many<E: Error>() -> E {
    E::custom(format_args!(
        "expected at most {MOST_ENTRIES} entries; divide the request"
    ))
}

impl Agents {
    fn of<E: Error>(lists: Vec<String>) -> Result<Self, E> {
        let bytes: usize = lists.iter().map(String::len).sum();
        let names = |list: &String| list.split(',').count();
        if bytes > LONGEST_LIST || lists.iter().map(names).sum::<usize>() > MOST_ENTRIES {
            return Err(E::custom(format_args!(
                "expected at most {MOST_ENTRIES} robots in {LONGEST_LIST} bytes; divide the request"
            )));
        }
        Ok(Self(lists))
    }

    /// The robots, each once. If the request `is_literal`, what is documented about them does not
    /// count.
    pub(crate) fn robots(&self, is_literal: bool) -> Result<Vec<Robot>, Problem> {
        let robots = Robot::lists(&self.0).map_err(|error| unknown_robot(&error))?;
        Ok(if is_literal {
            robots.into_iter().map(Robot::literally).collect()
        } else {
            robots
        })
    }

    /// The robots of a request that has to name at least one.
    pub(crate) fn needed(&self, is_literal: bool) -> Result<Vec<Robot>, Problem> {
        let robots = self.robots(is_literal)?;
        if robots.is_empty() {
            return Err(Problem::bad_request(
                "invalid-agent",
                "in \"agents\": expected at least one robot, but found an empty list",
                "name a robot, such as \"Googlebot\", or \"*\" for every other one",
            )
            .at("/agents"));
        }
        Ok(robots)
    }
}

/// The problem with a name that no robot has.
pub(crate) fn unknown_robot(error: &abide_known_robots::RobotError) -> Problem {
    Problem::bad_request(
        "invalid-agent",
        format!("in \"agents\": {error}"),
        "write the name as robots.txt files do; GET /v1/known-robots lists names and sets",
    )
    .at("/agents")
}

/// The problem with members that hold for every robot and URL.
pub(crate) fn of_options(error: &RequestError) -> Problem {
    match error {
        RequestError::Robot(error) => unknown_robot(error),
        error => Problem::from(error),
    }
}

/// How to read what the specifications leave open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ProfileName {
    /// The reading that no owner of a site can object to.
    #[default]
    Careful,
    /// What Google documents.
    Google,
}

impl From<ProfileName> for Profile {
    fn from(name: ProfileName) -> Self {
        match name {
            ProfileName::Careful => Self::Careful,
            ProfileName::Google => Self::Google,
        }
    }
}

/// The bytes of a file that a request has as text or in base64. `object` is the JSON Pointer to
/// what has the two members.
pub(crate) fn file(
    robots: Option<String>,
    robots_base64: Option<&str>,
    object: &str,
) -> Result<Arc<[u8]>, Problem> {
    match optional_file(robots, robots_base64, object)? {
        Some(bytes) => Ok(bytes),
        None => Err(Problem::bad_request(
            "invalid-robots",
            "expected \"robots\" or \"robots_base64\", but found neither",
            "send the file as text in \"robots\", or its bytes in \"robots_base64\"",
        )
        .at(format!("{object}/robots"))),
    }
}

/// Does what [`file`] does for a file that may be missing.
pub(crate) fn optional_file(
    robots: Option<String>,
    robots_base64: Option<&str>,
    object: &str,
) -> Result<Option<Arc<[u8]>>, Problem> {
    let problem = |error: RequestError| Problem::from(error).at(format!("{object}/robots_base64"));
    match (robots, robots_base64) {
        (Some(_), Some(_)) => Err(problem(RequestError::TwoBodies)),
        (Some(text), None) => Ok(Some(text.into_bytes().into())),
        (None, Some(encoded)) => base64::engine::general_purpose::STANDARD
            .decode(encoded)
            .map(|bytes| Some(bytes.into()))
            .map_err(|error| {
                let message = error.to_string();
                problem(RequestError::Base64 { message })
            }),
        (None, None) => Ok(None),
    }
}

/// The response that the members `headers`, `html` and `rendered_html` describe.
pub(crate) fn response(
    headers: &[(String, String)],
    html: Option<&str>,
    rendered_html: Option<&str>,
) -> Response {
    let fields = headers.iter();
    let fields: Vec<_> = fields
        .map(|(name, value)| FieldLine::new(name, value.as_bytes()))
        .collect();
    abide_html::response(&fields, html.map(str::as_bytes), rendered_html)
}

/// A list of at most [`MOST_ENTRIES`] entries.
pub(crate) fn few<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    at_most::<T, D, MOST_ENTRIES>(deserializer)
}

/// A list of at most `MOST` entries.
pub(crate) fn at_most<'de, T: Deserialize<'de>, D: Deserializer<'de>, const MOST: usize>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    struct List<T, const MOST: usize>(std::marker::PhantomData<T>);

    impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for List<T, MOST> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a list of at most {MOST} entries")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
            let mut entries = Vec::new();
            while let Some(entry) = list.next_element()? {
                if entries.len() == MOST {
                    return Err(A::Error::custom(format_args!(
                        "expected at most {MOST} entries; divide the request"
                    )));
                }
                entries.push(entry);
            }
            Ok(entries)
        }
    }

    deserializer.deserialize_seq(List::<T, MOST>(std::marker::PhantomData))
}
