//! What applies to one file, and where each setting comes from.

use crate::file::Context;
use crate::linter::Linter;
use crate::peers::Peer;
use crate::rules::UnknownCodeError;
use abide::app::Registry;
use abide::{PurposeToken, Severity};
use serde::Serialize;
use std::sync::Arc;

/// A setting, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct Setting<T> {
    /// What is set.
    pub value: T,
    /// Where it is set.
    pub source: SettingSource,
}

/// Where a setting comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SettingSource {
    /// It is the default.
    Default,
    /// This line of the `abide.toml`, starting from 1.
    Line(u32),
    /// The caller, such as the flag `--select` of the command line.
    Flag(&'static str),
}

/// What kind of source a setting comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SettingOrigin {
    /// It is the default.
    Default,
    /// The `abide.toml`.
    File,
    /// The caller.
    Flag,
}

abide::named!(
    SettingOrigin,
    [Default = "default", File = "file", Flag = "flag"]
);

/// The settings for one file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct Settings {
    /// Codes to report; empty for all.
    pub select: Vec<Setting<String>>,
    /// Codes not to report.
    pub ignore: Vec<Setting<String>>,
    /// Severities by code or pattern of codes. A code wins over a pattern, a longer pattern over a
    /// shorter one, and a later entry over an earlier one.
    pub severity: Vec<(String, Setting<Severity>)>,
    /// The least severity that fails a run.
    pub fail_on: Setting<Severity>,
    /// Whether a closed site is meant to be closed.
    pub allow_closed: Setting<bool>,
    /// The robots that matter to the site; empty for the default of [`Context::robots`].
    pub robots: Vec<Setting<String>>,
    /// The tools whose complaints are reported.
    pub peers: Vec<Setting<Peer>>,
    /// The purposes that exist; empty for every well-formed one.
    pub purposes: Vec<Setting<PurposeToken>>,
    /// The file with the registry of applications, relative to the folder of the `abide.toml`.
    pub registry: Option<Setting<String>>,
    /// The file of cases for `abide test`, relative to the folder of the `abide.toml`.
    pub cases: Option<Setting<String>>,
}

impl<T> Setting<T> {
    /// A default.
    const fn default(value: T) -> Self {
        let source = SettingSource::Default;
        Self { value, source }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            select: Vec::new(),
            ignore: Vec::new(),
            severity: Vec::new(),
            fail_on: Setting::default(Severity::Warning),
            allow_closed: Setting::default(false),
            robots: Vec::new(),
            peers: Vec::new(),
            purposes: Vec::new(),
            registry: None,
            cases: None,
        }
    }
}

/// A setting as `abide config` lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SettingEntry {
    /// The key in `abide.toml`, such as `ignore` or `severity.bom`. A list has one entry for each
    /// member.
    pub key: String,
    /// What is set; null for a list without members, or a file that is not named.
    pub value: SettingValue,
    /// Where it is set.
    pub origin: SettingOrigin,
    /// The line of the `abide.toml`, starting from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

/// What a setting is set to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
#[non_exhaustive]
pub enum SettingValue {
    /// A code, a severity, a robot, a purpose or a file.
    Text(String),
    /// Yes or no.
    Flag(bool),
    /// Nothing: no member, or no file. The text says what that means.
    #[cfg_attr(feature = "schema", schemars(with = "()"))]
    Unset(#[serde(skip)] &'static str),
}

impl Settings {
    /// Selects only these codes, and ignores none of them. A code may end in `*`.
    ///
    /// # Errors
    /// [`UnknownCodeError`] for the first one that names no rule.
    pub fn select<'c>(
        &mut self,
        codes: impl IntoIterator<Item = &'c str>,
        source: SettingSource,
    ) -> Result<(), UnknownCodeError> {
        self.select = checked(codes, source)?;
        self.ignore.clear();
        Ok(())
    }

    /// Adds codes to those that are ignored. A code may end in `*`.
    ///
    /// # Errors
    /// [`UnknownCodeError`] for the first one that names no rule.
    pub fn ignore<'c>(
        &mut self,
        codes: impl IntoIterator<Item = &'c str>,
        source: SettingSource,
    ) -> Result<(), UnknownCodeError> {
        self.ignore.extend(checked(codes, source)?);
        Ok(())
    }

    /// The linter with these rules and severities.
    ///
    /// # Errors
    /// [`UnknownCodeError`] for a code that no rule has. An `abide.toml` that was read has none.
    pub fn linter(&self) -> Result<Linter, UnknownCodeError> {
        let codes = |list: &'_ [Setting<String>]| -> Vec<String> {
            list.iter().map(|one| one.value.clone()).collect()
        };
        let mut linter = Linter::new();
        if !self.select.is_empty() {
            linter = linter.select(codes(&self.select).iter().map(String::as_str))?;
        }
        linter = linter.ignore(codes(&self.ignore).iter().map(String::as_str))?;
        let mut severities: Vec<_> = self.severity.iter().collect();
        // Stable: of equally long patterns the last one wins.
        severities.sort_by_key(|(code, _)| (!code.ends_with('*'), code.len()));
        let severities = severities.into_iter();
        linter.with_severities(severities.map(|(code, set)| (code.as_str(), set.value)))
    }

    /// What the linter knows beside the file. `registry` is the content of [`Settings::registry`].
    #[must_use]
    pub fn context(&self, registry: Option<Arc<Registry>>) -> Context {
        Context {
            registry,
            purposes: self.purposes.iter().map(|one| one.value.clone()).collect(),
            allow_closed: self.allow_closed.value,
            robots: self.robots.iter().map(|one| one.value.clone()).collect(),
            peers: self.peers.iter().map(|one| one.value).collect(),
            ..Context::default()
        }
    }

    /// Every setting in a fixed order, for people.
    #[must_use]
    pub fn entries(&self) -> Vec<SettingEntry> {
        let mut entries = Vec::new();
        list(&mut entries, "select", &self.select, "all", Clone::clone);
        list(&mut entries, "ignore", &self.ignore, "none", Clone::clone);
        for (code, set) in &self.severity {
            let value = SettingValue::Text(set.value.name().to_owned());
            entries.push(entry(format!("severity.{code}"), value, set.source));
        }
        let fail_on = SettingValue::Text(self.fail_on.value.name().to_owned());
        entries.push(entry("fail-on", fail_on, self.fail_on.source));
        let allow_closed = SettingValue::Flag(self.allow_closed.value);
        entries.push(entry(
            "allow-closed",
            allow_closed,
            self.allow_closed.source,
        ));
        let robots = Context::MATTERING;
        list(&mut entries, "robots", &self.robots, robots, Clone::clone);
        list(&mut entries, "peers", &self.peers, "none", |one| {
            one.name().to_owned()
        });
        let every = "every well-formed one";
        list(&mut entries, "purposes", &self.purposes, every, |one| {
            one.as_str().to_owned()
        });
        for (key, file) in [("registry", &self.registry), ("cases", &self.cases)] {
            let file: Vec<_> = file.iter().cloned().collect();
            list(&mut entries, key, &file, "none", Clone::clone);
        }
        entries
    }
}

/// Settings of codes that rules have.
fn checked<'c>(
    codes: impl IntoIterator<Item = &'c str>,
    source: SettingSource,
) -> Result<Vec<Setting<String>>, UnknownCodeError> {
    let codes: Vec<&str> = codes.into_iter().collect();
    Linter::new().select(codes.iter().copied())?;
    let set = |code: &&str| Setting {
        value: (*code).to_owned(),
        source,
    };
    Ok(codes.iter().map(set).collect())
}

fn entry(key: impl Into<String>, value: SettingValue, source: SettingSource) -> SettingEntry {
    let (origin, line) = match source {
        SettingSource::Default => (SettingOrigin::Default, None),
        SettingSource::Line(line) => (SettingOrigin::File, Some(line)),
        SettingSource::Flag(_) => (SettingOrigin::Flag, None),
    };
    SettingEntry {
        key: key.into(),
        value,
        origin,
        line,
    }
}

/// Adds one entry for each member, or one for an empty list.
fn list<T>(
    entries: &mut Vec<SettingEntry>,
    key: &'static str,
    members: &[Setting<T>],
    unset: &'static str,
    text: impl Fn(&T) -> String,
) {
    if members.is_empty() {
        entries.push(entry(
            key,
            SettingValue::Unset(unset),
            SettingSource::Default,
        ));
    }
    entries.extend(
        members
            .iter()
            .map(|one| entry(key, SettingValue::Text(text(&one.value)), one.source)),
    );
}

/// What the file or a section of it sets.
#[derive(Clone, Debug, Default)]
pub(super) struct SettingChanges {
    pub(super) select: Option<Vec<Setting<String>>>,
    pub(super) ignore: Vec<Setting<String>>,
    pub(super) severity: Vec<(String, Setting<Severity>)>,
    pub(super) fail_on: Option<Setting<Severity>>,
    pub(super) allow_closed: Option<Setting<bool>>,
    pub(super) robots: Option<Vec<Setting<String>>>,
    pub(super) peers: Option<Vec<Setting<Peer>>>,
    pub(super) purposes: Option<Vec<Setting<PurposeToken>>>,
    pub(super) registry: Option<Setting<String>>,
    pub(super) cases: Option<Setting<String>>,
}

impl SettingChanges {
    /// Changes the settings: codes to ignore and severities are added, all else is replaced.
    pub(super) fn apply_to(&self, settings: &mut Settings) {
        fn set<T: Clone>(to: &mut T, from: Option<&T>) {
            if let Some(from) = from {
                to.clone_from(from);
            }
        }
        set(&mut settings.select, self.select.as_ref());
        settings.ignore.extend(self.ignore.iter().cloned());
        settings.severity.extend(self.severity.iter().cloned());
        set(&mut settings.fail_on, self.fail_on.as_ref());
        set(&mut settings.allow_closed, self.allow_closed.as_ref());
        set(&mut settings.robots, self.robots.as_ref());
        set(&mut settings.peers, self.peers.as_ref());
        set(&mut settings.purposes, self.purposes.as_ref());
        for (to, from) in [
            (&mut settings.registry, &self.registry),
            (&mut settings.cases, &self.cases),
        ] {
            if from.is_some() {
                to.clone_from(from);
            }
        }
    }
}
