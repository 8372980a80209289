//! Reads cases from TOML. Anything unknown is a mistake, because a test that is skipped proves
//! nothing.

mod expected;
mod values;

use super::case::{Agent, Case, CaseSettings, Cases, Expectation};
use super::mistake::{CaseMistake, CaseProblem, CasesError};
use crate::spelling;
use abide::acap::AcapMode;
use abide::explain::visible;
use abide::preference::{Documents, Revision, Vocabulary};
use abide::tag::FieldLine;
use abide::{Moment, Named, Profile, PurposeToken, Target, Usage};
use abide_known_robots::{Robot, TakenName};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The largest number of checks in a file: agents times URLs, summed over all cases.
pub(super) const MAX_CHECKS: usize = 100_000;

/// Keys allowed both at the top, as defaults, and in a case.
const SHARED: [&str; 15] = [
    "agent",
    "agents",
    "purpose",
    "purposes",
    "profile",
    "literal",
    "nonstandard_token",
    "acap",
    "vocabulary",
    "vocabularies",
    "revision",
    "header",
    "headers",
    "now",
    "application",
];
/// Keys allowed only in a case, besides the usages.
const OWN: [&str; 6] = ["name", "url", "urls", "sitemap", "expect", "directives"];
const KNOWN_ABOVE: &str = "case, and as defaults agent, agents, purpose, purposes, profile, \
     literal, nonstandard_token, acap, vocabulary, vocabularies, revision, header, headers, now, \
     application";
const KNOWN_IN_CASE: &str = "name, agent, agents, url, urls, sitemap, purpose, purposes, profile, \
     literal, nonstandard_token, acap, vocabulary, vocabularies, revision, header, headers, now, \
     application, directives, expect, and the usages such as crawl, index and train";

impl Cases {
    /// Reads a file of cases, as `docs/test.md` describes it.
    ///
    /// # Errors
    /// [`CasesError`] with every mistake: invalid TOML, unknown keys, usages and outcomes, cases
    /// without agent, URL or expectation, and files without any case.
    pub fn read(text: &str) -> Result<Self, CasesError> {
        let mut reader = CaseReader {
            ends: text.match_indices('\n').map(|(at, _)| at).collect(),
            mistakes: Vec::new(),
        };
        let cases = reader.file(text).unwrap_or_default();
        if reader.mistakes.is_empty() {
            let documents = Documents::default();
            return Ok(Self { cases, documents });
        }
        let mut mistakes = reader.mistakes;
        mistakes.sort_by_key(|mistake| mistake.line);
        Err(CasesError { mistakes })
    }
}

struct CaseReader {
    /// The offsets of the text's line ends.
    ends: Vec<usize>,
    mistakes: Vec<CaseMistake>,
}

/// A case's table, and the table of the file with the defaults.
struct CaseTable<'t> {
    own: &'t DeTable<'t>,
    above: &'t DeTable<'t>,
    line: u32,
}

type TomlValue<'t> = &'t Spanned<DeValue<'t>>;

impl<'t> CaseTable<'t> {
    /// The values of a key and of its plural in the case, or else in the file.
    fn either(&self, one: &'static str, several: &'static str) -> [Option<TomlValue<'t>>; 2] {
        let of = |table: &'t DeTable<'t>| [table.get(one), table.get(several)];
        match of(self.own) {
            [None, None] => of(self.above),
            own => own,
        }
    }

    fn get(&self, key: &str) -> Option<TomlValue<'t>> {
        self.own.get(key).or_else(|| self.above.get(key))
    }
}

impl CaseReader {
    fn file(&mut self, text: &str) -> Option<Vec<Case>> {
        let parsed = match DeTable::parse(text) {
            Ok(parsed) => parsed,
            Err(error) => {
                let why = visible(error.message().trim().as_bytes());
                let span = error.span().unwrap_or_default();
                self.at(&span, CaseProblem::Toml(why));
                return None;
            }
        };
        let above = parsed.get_ref();
        self.unknown_keys(
            above,
            |key| key == "case" || SHARED.contains(&key),
            KNOWN_ABOVE,
        );
        let Some(value) = above.get("case") else {
            self.say(1, CaseProblem::NoCases);
            return None;
        };
        let Some(entries) = value.get_ref().as_array() else {
            let found = value.get_ref().type_str();
            let (key, expected) = ("case".to_owned(), "[[case]] tables");
            self.at(
                &value.span(),
                CaseProblem::Type {
                    key,
                    expected,
                    found,
                },
            );
            return None;
        };
        let mut cases = Vec::new();
        for entry in entries {
            let line = self.line(&entry.span());
            let Some(own) = entry.get_ref().as_table() else {
                let found = entry.get_ref().type_str();
                let (key, expected) = ("case".to_owned(), "[[case]] tables");
                self.say(
                    line,
                    CaseProblem::Type {
                        key,
                        expected,
                        found,
                    },
                );
                continue;
            };
            cases.extend(self.case(&CaseTable { own, above, line }));
        }
        if entries.is_empty() {
            self.at(&value.span(), CaseProblem::NoCases);
        }
        self.count(&cases);
        Some(cases)
    }

    fn count(&mut self, cases: &[Case]) {
        let mut checks = 0_usize;
        for case in cases {
            let own = case.agents.len().saturating_mul(case.urls.len());
            checks = checks.saturating_add(own);
            if checks > MAX_CHECKS {
                return self.say(case.line, CaseProblem::TooMany { most: MAX_CHECKS });
            }
        }
    }

    fn unknown_keys(
        &mut self,
        table: &DeTable<'_>,
        may_stand: impl Fn(&str) -> bool,
        known: &'static str,
    ) {
        for (key, _) in table.iter().filter(|(key, _)| !may_stand(key.get_ref())) {
            let name = key.get_ref().to_string();
            let near = spelling::nearest(
                &name,
                SHARED
                    .iter()
                    .chain(&OWN)
                    .copied()
                    .chain(Usage::names())
                    .filter(|key| may_stand(key)),
            );
            let near = near.map(str::to_owned);
            let problem = CaseProblem::UnknownKey {
                key: name,
                near,
                known,
            };
            self.at(&key.span(), problem);
        }
    }

    /// Reads a case; `None`, with a mistake recorded, if it is incomplete.
    fn case(&mut self, table: &CaseTable<'_>) -> Option<Case> {
        let knows = |key: &str| {
            SHARED.contains(&key) || OWN.contains(&key) || Usage::by_name(key).is_some()
        };
        self.unknown_keys(table.own, knows, KNOWN_IN_CASE);
        let name = table
            .own
            .get("name")
            .and_then(|value| self.string("name", value));
        let mut settings = self.settings(table);
        let agents = self.agents(table);
        let sitemap = table.own.get("sitemap");
        let sitemap = sitemap.and_then(|value| self.string("sitemap", value));
        let urls = self.urls(table, sitemap.is_some());
        let expected = self.expected(table);
        let is_preference = |one: &Expectation| matches!(one, Expectation::Outcome(usage, _) if Usage::PREFERENCES.contains(usage));
        settings.asks_preferences = expected.iter().flatten().any(is_preference);
        Some(Case {
            line: table.line,
            name,
            agents: agents?,
            urls: urls?,
            sitemap,
            settings,
            expected: expected?,
        })
    }

    fn agents(&mut self, table: &CaseTable<'_>) -> Option<Vec<Agent>> {
        let mut is_set = |key| {
            let value = table.get(key)?;
            self.boolean(key, value)
        };
        let any_name = is_set("nonstandard_token").unwrap_or_default();
        let is_literal = is_set("literal").unwrap_or_default();
        let Some(names) = self.strings(table, "agent", "agents") else {
            self.say(table.line, CaseProblem::NoAgent);
            return None;
        };
        let mut agents: Vec<Agent> = Vec::new();
        for (name, span) in names {
            let line = self.line(&span);
            let robots = match Robot::list(&name) {
                Ok(robots) => robots,
                Err(error) => {
                    self.say(line, CaseProblem::Robot(error));
                    continue;
                }
            };
            for robot in robots {
                let mut robot = robot;
                if is_literal {
                    robot = robot.without_known_facts();
                }
                if any_name {
                    robot = robot.with_any_name();
                }
                // Of lines without a name, the file may name different words.
                let is_nameless = robot.taken() == Some(TakenName::Nobody);
                let is_new = |known: &Agent| known.robot.name() != robot.name();
                if is_nameless || agents.iter().all(is_new) {
                    agents.push(Agent {
                        robot,
                        line,
                        is_literal: is_literal || any_name,
                    });
                }
            }
        }
        (!agents.is_empty()).then_some(agents)
    }

    fn urls(&mut self, table: &CaseTable<'_>, has_sitemap: bool) -> Option<Vec<String>> {
        let Some(urls) = self.strings(table, "url", "urls") else {
            if has_sitemap {
                return Some(Vec::new());
            }
            self.say(table.line, CaseProblem::NoUrl);
            return None;
        };
        for (url, span) in &urls {
            if let Err(error) = Target::new(url) {
                let why = format!(
                    "{error}, or a path such as /page; found {}",
                    visible(url.as_bytes())
                );
                self.value("url", span, why);
            }
        }
        Some(urls.into_iter().map(|(url, _)| url).collect())
    }

    fn settings(&mut self, table: &CaseTable<'_>) -> CaseSettings {
        let mut settings = CaseSettings::default();
        for (name, span) in self
            .strings(table, "purpose", "purposes")
            .unwrap_or_default()
        {
            match PurposeToken::new(&name) {
                Ok(purpose) => settings.purposes.push(purpose),
                Err(error) => self.value("purpose", &span, error.to_string()),
            }
        }
        for (line, span) in self.strings(table, "header", "headers").unwrap_or_default() {
            if let Some(field) = FieldLine::read(line.as_bytes()) {
                settings.fields.push(field);
            } else {
                let why = "expected a field line such as \"Robots-Tag: *;noindex\"";
                self.value("header", &span, why.to_owned());
            }
        }
        let profile = |word: &str| word.parse::<Profile>().ok();
        settings.profile = self
            .word(table, "profile", "careful or google", profile)
            .unwrap_or_default();
        let acap = self.word(table, "acap", "full, restrict or off", |name| {
            name.parse::<AcapMode>().ok()
        });
        settings.acap = acap.unwrap_or_default();
        settings.vocabularies = self.vocabularies(table);
        settings.revision = self.word(table, "revision", "\"08\" or \"07\"", |number| {
            Revision::named(number).ok()
        });
        settings.now = table.get("now").and_then(|value| self.instant(value));
        settings
    }

    fn vocabularies(&mut self, table: &CaseTable<'_>) -> Option<Vec<Vocabulary>> {
        let names = self.strings(table, "vocabulary", "vocabularies")?;
        let mut vocabularies = Vec::new();
        for (name, span) in names {
            if let Ok(known) = name.parse() {
                vocabularies.push(known);
            } else {
                let names = Vocabulary::listed();
                let found = visible(name.as_bytes());
                let why = format!("expected one of {names}, but found \"{found}\"");
                self.value("vocabulary", &span, why);
            }
        }
        Some(vocabularies)
    }

    fn instant(&mut self, value: TomlValue<'_>) -> Option<Moment> {
        let text = match value.get_ref() {
            DeValue::Datetime(instant) => instant.to_string(),
            _ => self.string("now", value)?,
        };
        match text.parse() {
            Ok(moment) => Some(moment),
            Err(error) => {
                self.value("now", &value.span(), format!("{error}"));
                None
            }
        }
    }
}
