//! What a file asks robots about training, AI input and search.

use super::{Matrix, Row};
use crate::compare::{AddressedLines, crawler_names};
use crate::preferences::{SiteQuestion, asks_about_itself};
use crate::view::{UsageAnswer, site_answers_with};
use abide::verdict::{SelectedBy, Selection};
use abide::{Client, Outcome, Robots};
use std::collections::{BTreeMap, BTreeSet};

/// Robots with the same answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PreferenceGroup<'m> {
    /// The answers for training, AI input and search.
    pub answers: &'m [UsageAnswer],
    /// The robots, in the order of the matrix.
    pub rows: Vec<&'m Row>,
}

impl Matrix {
    /// The robots by what the file asks about training, AI input and search: first the group of
    /// `*`, then the largest. Empty if that was not asked.
    #[must_use]
    pub fn preference_groups(&self) -> Vec<PreferenceGroup<'_>> {
        let mut groups: Vec<PreferenceGroup<'_>> = Vec::new();
        let rows = self.sections.iter().flat_map(|section| &section.rows);
        for row in rows.filter(|row| !row.preferences.is_empty()) {
            let known = groups
                .iter_mut()
                .find(|group| key(group.answers).eq(key(&row.preferences)));
            match known {
                Some(group) => group.rows.push(row),
                None => groups.push(PreferenceGroup {
                    answers: &row.preferences,
                    rows: vec![row],
                }),
            }
        }
        groups.sort_by_key(|group| {
            let is_for_all = group.rows.iter().any(|row| row.name == "*");
            (!is_for_all, std::cmp::Reverse(group.rows.len()))
        });
        groups
    }
}

/// What tables show of answers.
fn key(answers: &[UsageAnswer]) -> impl Iterator<Item = (Outcome, bool)> {
    answers
        .iter()
        .map(|answer| (answer.outcome, answer.exceptions.is_empty()))
}

impl UsageAnswer {
    /// The answer in a word or two, for tables: `disallowed`, `by path`, or `–` for no preference.
    ///
    /// ```
    /// use abide::{Client, Policy, Robots};
    /// use abide_analysis::{preferences, view};
    /// let robots = Robots::parse(b"User-agent: *\nContent-Signal: ai-train=no\n");
    /// let policy = robots.policy(&preferences::with_all_preferences(&Client::unnamed()));
    /// let answers = view::site_answers(&policy, &robots);
    /// let labels: Vec<_> = answers.iter().map(|answer| answer.label()).collect();
    /// assert_eq!(labels, ["disallowed", "–", "–"]);
    /// ```
    #[must_use]
    pub fn label(&self) -> String {
        match self.outcome {
            _ if !self.exceptions.is_empty() => "by path".to_owned(),
            Outcome::Unspecified => "–".to_owned(),
            other => other.to_string(),
        }
    }
}

/// Answers that several robots share: they depend on the lines that address a robot, and on whether
/// it is a control token that it asks about.
pub(super) struct AnswerCache<'m> {
    robots: &'m Robots,
    question: Option<&'m SiteQuestion>,
    crawlers: BTreeSet<String>,
    known: BTreeMap<(AddressedLines, bool), Vec<UsageAnswer>>,
}

impl<'m> AnswerCache<'m> {
    pub(super) fn new(robots: &'m Robots, question: Option<&'m SiteQuestion>) -> Self {
        Self {
            robots,
            question,
            crawlers: crawler_names(&[robots]),
            known: BTreeMap::new(),
        }
    }

    /// The answers for a client; none if nothing is asked.
    pub(super) fn of(&mut self, client: &Client) -> Vec<UsageAnswer> {
        let Some(question) = self.question else {
            return Vec::new();
        };
        let client = question.add_to(client);
        let addressed = AddressedLines::of(&client, &[self.robots], &self.crawlers);
        // Without a group of its own, a control token has the answers of the robots that ask about
        // it.
        let chosen = self.robots.chosen_groups(&client);
        let is_named = |group: &Selection<'_>| matches!(group.by, SelectedBy::ProductToken(_));
        let is_for_itself = chosen.first().is_some_and(is_named) && asks_about_itself(&client);
        let answers = self.known.entry((addressed, is_for_itself));
        let found = || site_answers_with(&self.robots.policy(&client), self.robots, question);
        answers.or_insert_with(found).clone()
    }
}
