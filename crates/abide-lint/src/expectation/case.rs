//! What is expected, and of whom.

use abide::acap::{AcapMode, AcapProfile};
use abide::app::Application;
use abide::tag::{FieldLine, Response};
use abide::{Client, Moment, Outcome, ProductToken, Profile, PurposeToken, Usage};
use std::collections::BTreeMap;

/// The cases of a file, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cases {
    /// At least one.
    pub cases: Vec<Case>,
}

/// What one entry of a file says: for each of its agents and each of its URLs the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The line that it begins on, from 1.
    pub line: u32,
    /// What people call it.
    pub name: Option<String>,
    /// Who asks; at least one.
    pub agents: Vec<Agent>,
    /// What is asked about; at least one. Each is a target.
    pub urls: Vec<String>,
    /// What else is known of those who ask, and of the page.
    pub setting: Setting,
    /// What is expected; at least one.
    pub expected: Vec<Expectation>,
}

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agent {
    /// The robot of this product token.
    Named(ProductToken),
    /// Any robot that the file does not name.
    Unnamed,
}

/// What else is known of those who ask, and of the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setting {
    /// Purposes that the robot claims, all of them.
    pub purposes: Vec<PurposeToken>,
    /// How open points are read.
    pub profile: Profile,
    /// How far ACAP records count.
    pub acap: AcapMode,
    /// Field lines of the response that brought the page.
    pub fields: Vec<FieldLine>,
    /// The instant of the decision; without it no instant that a rule names has passed.
    pub now: Option<Moment>,
}

/// What is expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// This outcome of a usage.
    Outcome(Usage, Outcome),
    /// These directives for an application, no others; values as `App-Directives` writes them.
    Directives(String, BTreeMap<String, String>),
}

impl Agent {
    /// The agent as a file of cases writes it.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Named(token) => token.as_str(),
            Self::Unnamed => "*",
        }
    }
}

impl Case {
    /// The client that asks under the name of `token`.
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

    /// What the response said that brought the page.
    pub(super) fn response(&self) -> Response {
        Response::new(&self.setting.fields)
    }
}

/// The name of a robot that no text of `bytes` names: one pass, whatever is in them.
pub(super) fn unnamed(bytes: &[u8]) -> ProductToken {
    const NAME: &str = "unnamed-robot";
    let is_there = bytes
        .windows(NAME.len())
        .any(|text| text.eq_ignore_ascii_case(NAME.as_bytes()));
    let longer = || {
        // One `x` more than stands anywhere in a row.
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
