//! Rows of the table of known robots as JSON.

use crate::SCHEMA;
use abide_known_robots::{AnyGroup, Basis, Kind, KnownRobot, Purpose};
use serde::Serialize;

/// A known robot. Facts that nobody documents are left out.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "KnownRobot"))]
pub struct KnownRobotJson {
    schema: u32,
    token: &'static str,
    operator: &'static str,
    kind: Kind,
    purposes: &'static [Purpose],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    falls_back_to: &'static [&'static str],
    #[serde(skip_serializing_if = "Option::is_none")]
    follows_any_group: Option<AnyGroupJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    honours_crawl_delay: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    follows_robots_txt: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_agent: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ip_ranges: Option<&'static str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    reverse_dns: &'static [&'static str],
    #[serde(skip_serializing_if = "Option::is_none")]
    documentation: Option<&'static str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    replaced_by: &'static [&'static str],
    basis: Basis,
    checked: &'static str,
    note: &'static str,
}

/// How a robot reads groups for `*`: a boolean if they apply or do not apply to it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum AnyGroupJson {
    Applies(bool),
    Otherwise(&'static str),
}

impl AnyGroupJson {
    const fn new(read: AnyGroup) -> Self {
        match read {
            AnyGroup::Followed => Self::Applies(true),
            AnyGroup::Ignored => Self::Applies(false),
            _ => Self::Otherwise("not-as-permission"),
        }
    }
}

impl KnownRobotJson {
    /// The row of a robot.
    #[must_use]
    pub fn new(robot: &'static KnownRobot) -> Self {
        Self {
            schema: SCHEMA,
            token: robot.token,
            operator: robot.operator,
            kind: robot.kind,
            purposes: robot.purposes,
            falls_back_to: robot.falls_back_to,
            follows_any_group: robot.follows_any_group.map(AnyGroupJson::new),
            honours_crawl_delay: robot.honours_crawl_delay,
            follows_robots_txt: robot.follows_robots_txt,
            user_agent: robot.user_agent,
            ip_ranges: robot.ip_ranges,
            reverse_dns: robot.reverse_dns,
            documentation: robot.documentation,
            replaced_by: robot.replaced_by,
            basis: robot.basis,
            checked: robot.checked,
            note: robot.note,
        }
    }
}
