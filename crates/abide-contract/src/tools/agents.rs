//! The member `agents` of requests: robots, as `--agent` takes them.

use super::MAX_ENTRIES;
use crate::codes;
use crate::names::{MAX_NAME, MAX_USER_AGENT};
use crate::request_error::RequestError;
use abide_known_robots::{Robot, RobotError};
use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use std::fmt;

/// The longest `User-Agent` line or list of robots, in bytes.
const MAX_NAME_BYTES: usize = 16 << 10;
/// What to do about a name that no robot has.
pub(super) const NAME_ROBOTS: &str =
    "write names as robots.txt files do, and sets such as \"@search\"; known robots are listed";

/// Robots: a string or a list of strings, each as `--agent` has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agents {
    lists: Vec<String>,
    /// Whether the request has a list of strings, so that a place in it can be named.
    is_list: bool,
}

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
                        return Err(super::lists::too_many(MAX_ENTRIES));
                    }
                }
                Agents::of(lists, true)
            }
        }

        deserializer.deserialize_any(AgentsVisitor)
    }
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
    pub(super) fn lists(&self) -> &[String] {
        &self.lists
    }

    /// The robots, each once. If the request `is_literal`, what is documented about them does not
    /// count.
    pub(super) fn robots(&self, is_literal: bool) -> Result<Vec<Robot>, RequestError> {
        let robots = Robot::lists(&self.lists);
        let robots =
            robots.map_err(|error| self.unknown(&error, |list| Robot::list(list).is_err()))?;
        let is_long = |robot: &Robot| match robot.user_agent_line() {
            Some(line) => line.len() > MAX_USER_AGENT,
            None => robot.names().iter().any(|name| name.len() > MAX_NAME),
        };
        if robots.iter().any(&is_long) {
            let of_list =
                |list: &str| Robot::list(list).is_ok_and(|list| list.iter().any(&is_long));
            let reason = format!(
                "expected names of at most {MAX_NAME} bytes, and User-Agent lines of at most \
                 {MAX_USER_AGENT}"
            );
            let error = RequestError::new(codes::INVALID_AGENT, self.place(of_list), reason);
            return Err(error
                .naming("agents")
                .with_remedy("send each name as robots.txt files write it"));
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

    /// The error of the first entry that `is_it`.
    fn unknown(&self, error: &RobotError, is_it: impl Fn(&str) -> bool) -> RequestError {
        unknown_robot(self.place(is_it), error)
    }

    /// The error of members that hold for every robot and URL, or of the name of `robot`.
    pub(super) fn error(&self, robot: &Robot, error: RequestError) -> RequestError {
        let Some(reason) = error.robot_error() else {
            return error;
        };
        self.unknown(reason, |list| {
            let robots = Robot::list(list).unwrap_or_default();
            robots.iter().any(|one| one.name() == robot.name())
        })
    }

    /// The robots of a request that has to name at least one.
    pub(super) fn needed(&self, is_literal: bool) -> Result<Vec<Robot>, RequestError> {
        let robots = self.robots(is_literal)?;
        if robots.is_empty() {
            let reason = "expected at least one robot, but found an empty list";
            let error = RequestError::new(codes::INVALID_AGENT, "/agents", reason);
            return Err(error
                .with_remedy("name a robot, such as \"Googlebot\", or \"*\" for every other one"));
        }
        Ok(robots)
    }
}

/// The error of a name that no robot has.
pub(super) fn unknown_robot(pointer: impl Into<String>, error: &RobotError) -> RequestError {
    RequestError::new(codes::INVALID_AGENT, pointer, error)
        .naming("agents")
        .with_remedy(NAME_ROBOTS)
}
