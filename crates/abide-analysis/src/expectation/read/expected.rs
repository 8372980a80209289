//! Reads what a case expects.

use super::{CaseReader, CaseTable, TomlValue};
use crate::expectation::case::Expectation;
use crate::expectation::mistake::CaseProblem;
use crate::spelling;
use abide::app::Application;
use abide::{Named, Outcome, Usage};
use std::collections::BTreeMap;
use toml::de::DeValue;

const USAGES: &str = "crawl, follow, index, preserve, present, present-snippet, the other usages, \
     and train, ai-input and search";

impl CaseReader {
    pub(super) fn expected(&mut self, table: &CaseTable<'_>) -> Option<Vec<Expectation>> {
        let mut expected = Vec::new();
        for &usage in Usage::ALL {
            if let Some(value) = table.own.get(usage.name()) {
                expected.extend(self.outcome(usage, value));
            }
        }
        if let Some(value) = table.own.get("expect") {
            self.expect(value, &mut expected);
        }
        if let Some(value) = table.own.get("directives") {
            expected.extend(self.directives(table, value));
        }
        let says = ["expect", "directives"].into_iter().chain(Usage::names());
        if expected.is_empty() && !says.into_iter().any(|key| table.own.contains_key(key)) {
            self.say(table.line, CaseProblem::NoExpectation);
        }
        (!expected.is_empty()).then_some(expected)
    }

    /// `expect = { index = "disallowed" }`
    fn expect(&mut self, value: TomlValue<'_>, expected: &mut Vec<Expectation>) {
        let Some(table) = value.get_ref().as_table() else {
            return self.wrong_type(
                "expect",
                "a table such as { index = \"disallowed\" }",
                value,
            );
        };
        self.unknown_keys(table, |key| key.parse::<Usage>().is_ok(), USAGES);
        if table.is_empty() {
            self.at(&value.span(), CaseProblem::NoExpectation);
        }
        for (key, value) in table {
            let Ok(usage) = key.get_ref().parse::<Usage>() else {
                continue;
            };
            let is_there =
                |one: &Expectation| matches!(one, Expectation::Outcome(own, _) if *own == usage);
            if expected.iter().any(is_there) {
                self.at(&key.span(), CaseProblem::Twice { usage });
            }
            expected.extend(self.outcome(usage, value));
        }
    }

    fn outcome(&mut self, usage: Usage, value: TomlValue<'_>) -> Option<Expectation> {
        /// The words of people first; those of the decision contract mean the same.
        const WORDS: [(&str, Outcome); 8] = [
            ("allowed", Outcome::Permitted),
            ("disallowed", Outcome::Prohibited),
            ("permitted", Outcome::Permitted),
            ("prohibited", Outcome::Prohibited),
            ("conditional", Outcome::Conditional),
            ("unspecified", Outcome::Unspecified),
            ("no preference", Outcome::Unspecified),
            ("unknown", Outcome::Unknown),
        ];
        let found = self.string(usage.name(), value)?;
        let is_preference = Usage::PREFERENCES.contains(&usage);
        let applies = |word: &str| is_preference || word != "no preference";
        let known = WORDS.into_iter().filter(|(word, _)| applies(word));
        if let Some((_, outcome)) = known.clone().find(|(word, _)| *word == found) {
            return Some(Expectation::Outcome(usage, outcome));
        }
        let near = match &*found.to_ascii_lowercase() {
            "allow" | "yes" => Some("allowed".to_owned()),
            "disallow" | "blocked" | "forbidden" | "no" => Some("disallowed".to_owned()),
            other => spelling::nearest(other, known.map(|(word, _)| word)).map(str::to_owned),
        };
        let key = usage.name().to_owned();
        self.at(&value.span(), CaseProblem::Outcome { key, found, near });
        None
    }

    /// `application = "examplesearch"` with `directives = { train = false }`
    fn directives(&mut self, table: &CaseTable<'_>, value: TomlValue<'_>) -> Option<Expectation> {
        let Some(application) = table.get("application") else {
            let why = "name whom they are for: application = \"examplesearch\"".to_owned();
            self.value("directives", &value.span(), why);
            return None;
        };
        let id = self.string("application", application)?;
        if let Err(error) = Application::new(&id, Vec::new()) {
            self.value("application", &application.span(), error.to_string());
        }
        let Some(entries) = value.get_ref().as_table() else {
            self.wrong_type("directives", "a table such as { train = false }", value);
            return None;
        };
        let mut directives = BTreeMap::new();
        for (name, value) in entries {
            let written = match value.get_ref() {
                DeValue::Boolean(true) => "?1".to_owned(),
                DeValue::Boolean(false) => "?0".to_owned(),
                DeValue::Integer(number) => number.to_string(),
                _ => self.string(name.get_ref(), value)?,
            };
            directives.insert(name.get_ref().to_string(), written);
        }
        Some(Expectation::Directives(id, directives))
    }
}
