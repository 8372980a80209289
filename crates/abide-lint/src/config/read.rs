//! Reads an `abide.toml`. Anything unknown is a mistake, because a setting that is skipped in
//! silence would let CI pass by accident.

use super::mistake::{ConfigError, ConfigMistake, ConfigProblem};
use super::settings::{Setting, SettingChanges, SettingSource};
use super::{Config, FileSection};
use crate::linter;
use abide::Severity;
use abide::explain::visible;
use abide_analysis::spelling::nearest;
use abide_known_robots::Selection;
use std::fmt::Display;
use std::ops::Range;
use std::str::FromStr;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The settings, which may be at the top and in a `[[file]]`.
const SETTINGS: [&str; 10] = [
    "select",
    "ignore",
    "severity",
    "fail-on",
    "allow-closed",
    "robots",
    "peers",
    "purposes",
    "registry",
    "cases",
];

type TomlValue<'t> = &'t Spanned<DeValue<'t>>;

impl Config {
    /// Reads the text of an `abide.toml`, as `docs/lint.md` describes it.
    ///
    /// # Errors
    /// [`ConfigError`] with every mistake: invalid TOML, unknown keys, rules, robots and words, and
    /// values of the wrong type.
    pub fn read(text: &str) -> Result<Self, ConfigError> {
        let mut reader = ConfigReader {
            text,
            mistakes: Vec::new(),
        };
        let config = match DeTable::parse(text) {
            Ok(parsed) => reader.file(parsed.get_ref()),
            Err(error) => {
                let why = visible(error.message().trim().as_bytes());
                reader.at(&error.span().unwrap_or_default(), ConfigProblem::Toml(why));
                Self::default()
            }
        };
        let mut mistakes = reader.mistakes;
        if mistakes.is_empty() {
            return Ok(config);
        }
        mistakes.sort_by_key(|mistake| (mistake.line, mistake.column));
        Err(ConfigError { mistakes })
    }
}

struct ConfigReader<'t> {
    text: &'t str,
    mistakes: Vec<ConfigMistake>,
}

impl ConfigReader<'_> {
    fn file(&mut self, table: &DeTable<'_>) -> Config {
        let every = self.changes(table, "file");
        let mut some = Vec::new();
        if let Some(value) = table.get("file") {
            for entry in self.array("file", "[[file]] tables", value) {
                match entry.get_ref().as_table() {
                    Some(own) => some.extend(self.section(own, &entry.span())),
                    None => self.wrong_type("file", "[[file]] tables", entry),
                }
            }
        }
        Config { every, some }
    }

    fn section(&mut self, table: &DeTable<'_>, span: &Range<usize>) -> Option<FileSection> {
        let changes = self.changes(table, "path");
        let Some(value) = table.get("path") else {
            self.at(span, ConfigProblem::NoPath);
            return None;
        };
        if table.len() == 1 {
            self.at(span, ConfigProblem::NoSetting);
        }
        let paths = self.strings("path", value);
        let paths = paths
            .into_iter()
            .filter_map(|(path, span)| self.pattern(&path, &span))
            .collect();
        Some(FileSection { paths, changes })
    }

    fn pattern(&mut self, path: &str, span: &Range<usize>) -> Option<glob::Pattern> {
        let is_above = path.split('/').any(|name| name == "..");
        if path.is_empty() || path.starts_with('/') || is_above {
            let why = "write it relative to the folder of the abide.toml, such as public/*.txt";
            self.value("path", span, why.to_owned());
            return None;
        }
        let path = path.strip_prefix("./").unwrap_or(path);
        match glob::Pattern::new(path) {
            Ok(pattern) => Some(pattern),
            Err(error) => {
                self.value("path", span, format!("not a valid pattern: {}", error.msg));
                None
            }
        }
    }

    /// The settings in a table, which may also have the key `other`.
    fn changes(&mut self, table: &DeTable<'_>, other: &'static str) -> SettingChanges {
        let mut changes = SettingChanges::default();
        for (key, value) in table {
            match &**key.get_ref() {
                "select" => changes.select = Some(self.codes("select", value)),
                "ignore" => changes.ignore = self.codes("ignore", value),
                "severity" => changes.severity = self.severities(value),
                "fail-on" => changes.fail_on = self.severity("fail-on", value),
                "allow-closed" => changes.allow_closed = self.boolean("allow-closed", value),
                "robots" => changes.robots = Some(self.robots(value)),
                "peers" => changes.peers = Some(self.parsed("peers", value)),
                "purposes" => changes.purposes = Some(self.parsed("purposes", value)),
                "registry" => changes.registry = self.path("registry", value),
                "cases" => changes.cases = self.path("cases", value),
                name if name == other => {}
                name => {
                    let known = SETTINGS.into_iter().chain([other]);
                    let problem = ConfigProblem::UnknownKey {
                        key: name.to_owned(),
                        nearest: nearest(name, known.clone()),
                        known: known.collect::<Vec<_>>().join(", "),
                    };
                    self.at(&key.span(), problem);
                }
            }
        }
        changes
    }

    fn codes(&mut self, key: &'static str, value: TomlValue<'_>) -> Vec<Setting<String>> {
        if key == "ignore" && value.get_ref().as_array().is_some_and(|all| all.is_empty()) {
            return Vec::new();
        }
        let codes = self.strings(key, value).into_iter();
        let codes = codes.map(|(code, span)| {
            self.known_rule(&code, &span);
            self.set(code, &span)
        });
        codes.collect()
    }

    fn known_rule(&mut self, code: &str, span: &Range<usize>) {
        if let Err(error) = linter::named([code]) {
            self.at(span, ConfigProblem::UnknownRule(error));
        }
    }

    /// `severity = { bom = "error" }`
    fn severities(&mut self, value: TomlValue<'_>) -> Vec<(String, Setting<Severity>)> {
        let Some(table) = value.get_ref().as_table() else {
            self.wrong_type("severity", "a table such as { bom = \"error\" }", value);
            return Vec::new();
        };
        let mut severities = Vec::new();
        for (code, value) in table {
            self.known_rule(code.get_ref(), &code.span());
            let key = format!("severity.{}", visible(code.get_ref().as_bytes()));
            if let Some(severity) = self.severity(&key, value) {
                severities.push((code.get_ref().to_string(), severity));
            }
        }
        severities
    }

    fn severity(&mut self, key: &str, value: TomlValue<'_>) -> Option<Setting<Severity>> {
        let all = [Severity::Info, Severity::Warning, Severity::Error];
        let found = self.string(key, value)?;
        if let Some(severity) = all.into_iter().find(|one| one.name() == found) {
            return Some(self.set(severity, &value.span()));
        }
        if key != "fail-on" && matches!(&*found, "off" | "none" | "ignore" | "allow") {
            let why = "to report nothing, name the code in ignore".to_owned();
            self.value(key, &value.span(), why);
            return None;
        }
        let nearest = match &*found {
            "warn" => Some("warning"),
            "note" | "notice" | "hint" => Some("info"),
            other => nearest(other, all.map(Severity::name)),
        };
        let (key, expected) = (key.to_owned(), "info, warning or error");
        self.at(
            &value.span(),
            ConfigProblem::Word {
                key,
                expected,
                found,
                nearest,
            },
        );
        None
    }

    fn robots(&mut self, value: TomlValue<'_>) -> Vec<Setting<String>> {
        let mut robots = Vec::new();
        for (name, span) in self.strings("robots", value) {
            if name == "*" {
                let why = "`*` always matters; name robots that matter besides, such as GPTBot";
                self.value("robots", &span, why.to_owned());
            } else if name.starts_with('@') {
                match name.parse::<Selection>() {
                    Ok(set) => robots.extend(
                        set.robots()
                            .map(|robot| self.set(robot.token.to_owned(), &span)),
                    ),
                    Err(error) => self.value("robots", &span, error.to_string()),
                }
            } else if let Some(robot) = abide_known_robots::named(&name) {
                robots.push(self.set(robot.token.to_owned(), &span));
            } else {
                let nearest = abide_known_robots::nearest(&name);
                self.at(&span, ConfigProblem::UnknownRobot { name, nearest });
            }
        }
        robots
    }

    /// Strings that are read further.
    fn parsed<T: FromStr<Err: Display>>(
        &mut self,
        key: &'static str,
        value: TomlValue<'_>,
    ) -> Vec<Setting<T>> {
        let mut parsed = Vec::new();
        for (name, span) in self.strings(key, value) {
            match name.parse() {
                Ok(one) => parsed.push(self.set(one, &span)),
                Err(error) => self.value(key, &span, T::Err::to_string(&error)),
            }
        }
        parsed
    }

    fn path(&mut self, key: &'static str, value: TomlValue<'_>) -> Option<Setting<String>> {
        let path = self.string(key, value)?;
        if path.is_empty() || path.contains(char::is_control) {
            self.value(key, &value.span(), "expected the name of a file".to_owned());
            return None;
        }
        Some(self.set(path, &value.span()))
    }
}

/// Values by their types.
impl ConfigReader<'_> {
    fn set<T>(&self, value: T, span: &Range<usize>) -> Setting<T> {
        let source = SettingSource::Line(self.place(span).0);
        Setting { value, source }
    }

    /// A string, or the strings of a list that is not empty.
    fn strings(&mut self, key: &'static str, value: TomlValue<'_>) -> Vec<(String, Range<usize>)> {
        let Some(entries) = value.get_ref().as_array() else {
            if let Some(text) = value.get_ref().as_str() {
                return vec![(text.to_owned(), value.span())];
            }
            self.wrong_type(key, "a string or a list of strings", value);
            return Vec::new();
        };
        if entries.is_empty() {
            let key = key.to_owned();
            self.at(&value.span(), ConfigProblem::Empty { key });
        }
        let entry = |entry| Some((self.string(key, entry)?, entry.span()));
        entries.iter().filter_map(entry).collect()
    }

    fn array<'v>(
        &mut self,
        key: &str,
        expected: &'static str,
        value: TomlValue<'v>,
    ) -> &'v [Spanned<DeValue<'v>>] {
        let Some(entries) = value.get_ref().as_array() else {
            self.wrong_type(key, expected, value);
            return &[];
        };
        entries
    }

    fn string(&mut self, key: &str, value: TomlValue<'_>) -> Option<String> {
        let text = value.get_ref().as_str().map(str::to_owned);
        if text.is_none() {
            self.wrong_type(key, "a string", value);
        }
        text
    }

    fn boolean(&mut self, key: &str, value: TomlValue<'_>) -> Option<Setting<bool>> {
        let Some(found) = value.get_ref().as_bool() else {
            self.wrong_type(key, "true or false", value);
            return None;
        };
        Some(self.set(found, &value.span()))
    }

    fn wrong_type(&mut self, key: &str, expected: &'static str, value: TomlValue<'_>) {
        let (key, found) = (key.to_owned(), value.get_ref().type_str());
        self.at(
            &value.span(),
            ConfigProblem::Type {
                key,
                expected,
                found,
            },
        );
    }

    fn value(&mut self, key: &str, span: &Range<usize>, why: String) {
        let key = key.to_owned();
        self.at(span, ConfigProblem::Value { key, why });
    }

    fn at(&mut self, span: &Range<usize>, problem: ConfigProblem) {
        let (line, column) = self.place(span);
        self.mistakes.push(ConfigMistake {
            line,
            column,
            problem,
        });
    }

    /// The line and the column of a span's beginning, starting from 1.
    fn place(&self, span: &Range<usize>) -> (u32, u32) {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let of = |count: usize| u32::try_from(count).unwrap_or(u32::MAX).saturating_add(1);
        let line = before.matches('\n').count();
        let column = before.get(start..).unwrap_or_default().chars().count();
        (of(line), of(column))
    }
}
