//! What requests for tools have in common: files, robots, profiles.

use crate::problem::Problem;
use abide::{Named, Profile};
use abide_contract::{MAX_NAME, MAX_USER_AGENT, RequestError, codes, file_body};
use abide_known_robots::Robot;
use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use utoipa::openapi::schema::{Array, OneOfBuilder, Schema, Type};
use utoipa::openapi::{ObjectBuilder, RefOr};

/// The largest number of entries of a list.
pub(crate) const MAX_ENTRIES: usize = 1_000;
/// The longest `User-Agent` line or list of robots, in bytes.
const MAX_NAME_BYTES: usize = 16 << 10;

/// Robots: a string or a list of strings, each as `--agent` has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Agents {
    lists: Vec<String>,
    /// Whether the request has a list of strings, so that a place in it can be named.
    is_list: bool,
}

impl utoipa::PartialSchema for Agents {
    fn schema() -> RefOr<Schema> {
        let text = || ObjectBuilder::new().schema_type(Type::String);
        let either = OneOfBuilder::new().item(text()).item(Array::new(text()));
        let either = either.description(Some(
            "Robots: a string or a list of strings. Each is a name, `*`, names in order of \
             preference such as `NewsBot>Bot`, a whole `User-Agent` line, a set such as \
             `@search`, or several of these with commas.",
        ));
        either
            .examples([serde_json::json!(["Googlebot", "@ai-training", "*"])])
            .into()
    }
}

impl utoipa::ToSchema for Agents {}

impl<'de> Deserialize<'de> for Agents {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AgentsVisitor;

        impl<'de> Visitor<'de> for AgentsVisitor {
            type Value = Agents;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a robot, or a list of names")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Agents, E> {
                Agents::of(vec![text.to_owned()], false)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Agents, A::Error> {
                let mut lists = Vec::new();
                while let Some(text) = list.next_element::<String>()? {
                    lists.push(text);
                    if lists.len() > MAX_ENTRIES {
                        return Err(too_many());
                    }
                }
                Agents::of(lists, true)
            }
        }

        deserializer.deserialize_any(AgentsVisitor)
    }
}

fn too_many<E: Error>() -> E {
    E::custom(format_args!(
        "expected at most {MAX_ENTRIES} entries; divide the request"
    ))
}

impl Agents {
    fn of<E: Error>(lists: Vec<String>, is_list: bool) -> Result<Self, E> {
        let bytes: usize = lists.iter().map(String::len).sum();
        let names = |list: &String| list.split(',').count();
        if bytes > MAX_NAME_BYTES || lists.iter().map(names).sum::<usize>() > MAX_ENTRIES {
            return Err(E::custom(format_args!(
                "expected at most {MAX_ENTRIES} robots in {MAX_NAME_BYTES} bytes; divide the request"
            )));
        }
        Ok(Self { lists, is_list })
    }

    /// The lists as they are written.
    pub(crate) fn into_lists(self) -> Vec<String> {
        self.lists
    }

    /// The robots, each once. If the request `is_literal`, what is documented about them does not
    /// count.
    pub(crate) fn robots(&self, is_literal: bool) -> Result<Vec<Robot>, Problem> {
        let robots = Robot::lists(&self.lists).map_err(|error| {
            unknown_robot(&error).at(self.place(|list| Robot::list(list).is_err()))
        })?;
        let is_long = |robot: &Robot| match robot.user_agent_line() {
            Some(line) => line.len() > MAX_USER_AGENT,
            None => robot.names().iter().any(|name| name.len() > MAX_NAME),
        };
        if robots.iter().any(&is_long) {
            let of_list =
                |list: &str| Robot::list(list).is_ok_and(|list| list.iter().any(&is_long));
            return Err(Problem::bad_request(
                codes::INVALID_AGENT,
                format!(
                    "in \"agents\": expected names of at most {MAX_NAME} bytes, and User-Agent lines of \
                     at most {MAX_USER_AGENT}"
                ),
                "send each name as robots.txt files write it",
            )
            .at(self.place(of_list)));
        }
        Ok(if is_literal {
            robots.into_iter().map(Robot::without_known_facts).collect()
        } else {
            robots
        })
    }

    /// The JSON Pointer to the first entry that `is_it`, or to all of them.
    fn place(&self, is_it: impl Fn(&str) -> bool) -> String {
        let found = self.lists.iter().position(|list| is_it(list));
        let at = found.filter(|_| self.is_list);
        at.map_or_else(|| "/agents".to_owned(), |at| format!("/agents/{at}"))
    }

    /// The problem with members that hold for every robot and URL, or with the name of `robot`.
    pub(crate) fn problem(&self, robot: &Robot, error: &RequestError) -> Problem {
        let Some(error) = error.robot_error() else {
            return Problem::from(error);
        };
        let names_it = |list: &str| {
            let robots = Robot::list(list).unwrap_or_default();
            robots.iter().any(|one| one.name() == robot.name())
        };
        unknown_robot(error).at(self.place(names_it))
    }

    /// The robots of a request that has to name at least one.
    pub(crate) fn needed(&self, is_literal: bool) -> Result<Vec<Robot>, Problem> {
        let robots = self.robots(is_literal)?;
        if robots.is_empty() {
            return Err(Problem::bad_request(
                codes::INVALID_AGENT,
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
        codes::INVALID_AGENT,
        format!("in \"agents\": {error}"),
        "write the name as robots.txt files do; GET /v1/known-robots lists names and sets",
    )
    .at("/agents")
}

/// What the `OpenAPI` document says about [`Profile`]: what decisions say about theirs.
pub(crate) struct ProfileNames;

impl utoipa::PartialSchema for ProfileNames {
    fn schema() -> RefOr<Schema> {
        let names = Profile::names();
        one_of("How to read what the specifications leave open.", names)
    }
}

impl utoipa::ToSchema for ProfileNames {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("Profile")
    }
}

/// The schema of a string that is one of these names.
pub(crate) fn one_of(
    description: &str,
    names: impl IntoIterator<Item = &'static str>,
) -> RefOr<Schema> {
    let names = ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(names));
    names.description(Some(description)).into()
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
            codes::INVALID_ROBOTS,
            "expected \"robots\" or \"robots_base64\", but found neither",
            "send the file as text in \"robots\", or its bytes in \"robots_base64\"",
        )
        .at(format!("{object}/robots"))),
    }
}

/// Like [`file`] for a file that may be missing.
pub(crate) fn optional_file(
    robots: Option<String>,
    robots_base64: Option<&str>,
    object: &str,
) -> Result<Option<Arc<[u8]>>, Problem> {
    let problem = |error: RequestError| {
        let place = format!("{object}{}", error.pointer());
        Problem::from(error).at(place)
    };
    file_body(robots.map(|text| text.into_bytes().into()), robots_base64).map_err(problem)
}

/// A list of at most [`MAX_ENTRIES`] entries.
pub(crate) fn few<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    at_most::<T, D, MAX_ENTRIES>(deserializer)
}

/// A list of at most `MAX` entries.
pub(crate) fn at_most<'de, T: Deserialize<'de>, D: Deserializer<'de>, const MAX: usize>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    struct List<T, const MAX: usize>(std::marker::PhantomData<T>);

    impl<'de, T: Deserialize<'de>, const MAX: usize> Visitor<'de> for List<T, MAX> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a list of at most {MAX} entries")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
            let mut entries = Vec::new();
            while let Some(entry) = list.next_element()? {
                if entries.len() == MAX {
                    return Err(A::Error::custom(format_args!(
                        "expected at most {MAX} entries; divide the request"
                    )));
                }
                entries.push(entry);
            }
            Ok(entries)
        }
    }

    deserializer.deserialize_seq(List::<T, MAX>(std::marker::PhantomData))
}
