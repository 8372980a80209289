//! Cases: what is expected, and of which robots.

use abide::acap::{AcapMode, AcapProfile};
use abide::app::Application;
use abide::tag::{FieldLine, Response};
use abide::{Client, Moment, Outcome, ProductToken, Profile, PurposeToken, Usage};
use std::collections::BTreeMap;

/// The cases of a file, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
// Exhaustive: callers build it.
pub struct Cases {
    /// At least one.
    pub cases: Vec<Case>,
}

/// One entry of a file: what is expected for each of its agents and each of its URLs.
#[derive(Clone, Debug, PartialEq, Eq)]
// Exhaustive: callers build it.
pub struct Case {
    /// The line that it begins on, starting from 1.
    pub line: u32,
    /// Its name for people.
    pub name: Option<String>,
    /// The robots that ask; at least one.
    pub agents: Vec<Agent>,
    /// The URLs; at least one. Each is a valid target.
    pub urls: Vec<String>,
    /// What else is known about the robots and the page.
    pub setting: Setting,
    /// What is expected; at least one.
    pub expected: Vec<Expectation>,
}

/// A robot that asks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Agent {
    /// The robot with this product token.
    Named(ProductToken),
    /// Any robot that the robots.txt does not name.
    Unnamed,
}

/// What else is known about the robots and the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
// Exhaustive: callers build it.
pub struct Setting {
    /// All purposes that the robot claims.
    pub purposes: Vec<PurposeToken>,
    /// The interpretation of points that the specifications leave open.
    pub profile: Profile,
    /// Whether ACAP records count.
    pub acap: AcapMode,
    /// Header lines of the page's response.
    pub fields: Vec<FieldLine>,
    /// The time of the decision; without it, no date in a rule has passed.
    pub now: Option<Moment>,
}

/// What is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expectation {
    /// The outcome of a usage.
    Outcome(Usage, Outcome),
    /// The complete directives for an application; values as `App-Directives` writes them.
    Directives(String, BTreeMap<String, String>),
}

impl Agent {
    /// The agent as files of cases write it.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Named(token) => token.as_str(),
            Self::Unnamed => "*",
        }
    }
}

impl Case {
    /// The client with the product token `token`.
    pub(super) fn client(&self, token: &ProductToken) -> Client {
        let setting = &self.setting;
        let mut client = Client::new(token.clone())
            .with_profile(setting.profile)
            .with_acap(AcapProfile {
                mode: setting.acap,
                ..AcapProfile::default()
            });
        for purpose in &setting.purposes {
            client = client.with_purpose(purpose.clone());
        }
        for expected in &self.expected {
            if let Expectation::Directives(id, _) = expected
                && let Ok(application) = Application::new(id, vec![token.clone()])
            {
                client = client.with_application(application);
            }
        }
        client
    }

    /// The page's response, as far as it matters.
    pub(super) fn response(&self) -> Response {
        Response::new(&self.setting.fields)
    }
}

/// A product token that occurs nowhere in `bytes`. Takes one pass, whatever `bytes` contains.
pub(super) fn unnamed(bytes: &[u8]) -> ProductToken {
    const NAME: &str = "unnamed-robot";
    let is_there = bytes
        .windows(NAME.len())
        .any(|text| text.eq_ignore_ascii_case(NAME.as_bytes()));
    let longer = || {
        // One `x` more than the longest run of `x`.
        let runs = bytes.split(|byte| !byte.eq_ignore_ascii_case(&b'x'));
        let longest = runs.map(<[u8]>::len).max().unwrap_or_default();
        format!("{NAME}-{}", "x".repeat(longest.saturating_add(1)))
    };
    let name = if is_there { longer() } else { NAME.to_owned() };
    ProductToken::verbatim(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unnamed_robot_is_named_nowhere() {
        assert_eq!(unnamed(b"User-agent: *").as_str(), "unnamed-robot");
        let file = b"User-agent: Unnamed-Robot\nUser-agent: unnamed-robot-x\nDisallow: /xxx";
        assert_eq!(unnamed(file).as_str(), "unnamed-robot-xxxx");
    }
}
