//! Whether files state preferences for a robot, so that these are compared for it.

use super::names::{product_tokens, values};
use crate::preferences::has_lines;
use abide::preference::PreferenceProfile;
use abide::syntax::FieldKind;
use abide::{Client, ProductToken, Robots};
use abide_known_robots::KnownRobot;
use std::collections::BTreeSet;

/// What files state about preferences.
pub(super) struct PreferenceStatements {
    /// Whether any line is a `Content-Usage`, `Content-Signal` or `License` line.
    has_lines: bool,
    /// The names of groups, in lower case.
    groups: BTreeSet<String>,
}

impl PreferenceStatements {
    pub(super) fn of(files: &[&Robots]) -> Self {
        let values = files
            .iter()
            .flat_map(|robots| values(robots, FieldKind::UserAgent));
        let groups = values.flat_map(product_tokens);
        Self {
            has_lines: files.iter().any(|robots| has_lines(robots)),
            groups: groups
                .map(|token| token.as_str().to_ascii_lowercase())
                .collect(),
        }
    }

    /// The client, which asks for preferences if the files state any for it: by a line, or by a
    /// group of a control token of its operator.
    pub(super) fn asking(&self, client: Client) -> Client {
        let names = client.product_tokens().iter().map(ProductToken::as_str);
        let control_tokens = abide_known_robots::control_tokens_of_robot(names);
        let mut names = control_tokens
            .iter()
            .map(|control_token| control_token.token.as_str());
        if !self.has_lines && !names.any(|name| self.has_group(name)) {
            return client;
        }
        client.with_preferences(PreferenceProfile {
            control_tokens,
            ..PreferenceProfile::default()
        })
    }

    /// Whether the files state preferences for a robot through the control tokens of its operator,
    /// which no other robot has.
    pub(super) fn concern(&self, robot: &KnownRobot) -> bool {
        let mut tokens = abide_known_robots::all()
            .iter()
            .filter(|token| token.fetchers.contains(&robot.token));
        // With any preference line, a client that asks about a control token gets other answers.
        tokens.any(|token| self.has_lines || self.has_group(token.token))
    }

    fn has_group(&self, name: &str) -> bool {
        self.groups.contains(&name.to_ascii_lowercase())
    }
}
