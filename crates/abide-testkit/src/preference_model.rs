//! A slow, direct model of AI preferences, which the engine is compared with: one function for each
//! vocabulary, and one that combines them. It implements the requirements as literally as possible,
//! shares no code with the engine, and ignores speed. Groups, rules and paths are those of
//! [`crate::model`].
//!
//! The model does not cover evidence, `needs`, the profile `google`, the limits of the parsing of
//! pages, and ACAP.

mod dictionary;
mod xml;

use crate::model::{self, File, OtherRecord, Question};
use dictionary::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The usages, in the order of the answer.
pub const USAGES: [&str; 3] = ["train", "ai-input", "search"];

/// The words that a vocabulary settles, each with its value.
pub type Words = BTreeMap<String, String>;

/// The outcome for a usage, from the laxest to the strictest (CLA-12).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Nobody speaks about the usage.
    #[default]
    Unspecified,
    /// The usage is permitted.
    Permitted,
    /// The usage is permitted under conditions.
    Conditional,
    /// Input is missing.
    Unknown,
    /// The usage is prohibited.
    Prohibited,
}

impl Outcome {
    /// The name in the decision contract.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unspecified => "unspecified",
            Self::Permitted => "permitted",
            Self::Conditional => "conditional",
            Self::Unknown => "unknown",
            Self::Prohibited => "prohibited",
        }
    }
}

/// What is said about one usage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The outcome.
    pub outcome: Outcome,
    /// The conditions: kind, space, value. Empty unless the outcome is conditional.
    pub conditions: BTreeSet<String>,
}

impl From<Outcome> for Verdict {
    fn from(outcome: Outcome) -> Self {
        let conditions = BTreeSet::new();
        Self {
            outcome,
            conditions,
        }
    }
}

/// What one vocabulary says about a resource.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// The words that it settles.
    pub words: Words,
    /// Its verdicts, by usage. A usage that is missing is unspecified.
    pub usages: BTreeMap<&'static str, Verdict>,
}

impl Said {
    /// The verdict on a usage.
    #[must_use]
    pub fn usage(&self, usage: &str) -> Verdict {
        self.usages.get(usage).cloned().unwrap_or_default()
    }

    /// The outcome for a usage.
    #[must_use]
    pub fn outcome(&self, usage: &str) -> Outcome {
        self.usage(usage).outcome
    }

    /// A vocabulary that says `outcome` about `usages`, by no word.
    fn about(usages: &[&'static str], outcome: Outcome) -> Self {
        let verdicts = usages.iter().map(|usage| (*usage, outcome.into()));
        Self {
            words: Words::new(),
            usages: verdicts.collect(),
        }
    }
}

/// A file beside robots.txt, or the reason why there is none.
#[derive(Clone, Copy, Debug)]
pub enum Fetched<'a> {
    /// Its content.
    Body(&'a [u8]),
    /// There is none: the status is from 400 to 499, and not 429.
    Missing,
    /// It could not be reached: another status, or a network failure.
    Unreachable,
    /// It was not asked for.
    NotGiven,
}

/// The strictest verdict on each usage (PREF-6).
#[must_use]
pub fn strictest(all: &[Said]) -> BTreeMap<&'static str, Verdict> {
    let of = |usage: &'static str| {
        let verdicts = all.iter().map(|answer| answer.usage(usage));
        (usage, together(verdicts))
    };
    USAGES.into_iter().map(of).collect()
}

/// The strictest of several verdicts. Conditions of the conditional ones add up; of two limits of
/// use the lower stands.
fn together(verdicts: impl Iterator<Item = Verdict>) -> Verdict {
    let verdicts: Vec<Verdict> = verdicts.collect();
    let outcomes = verdicts.iter().map(|verdict| verdict.outcome);
    let outcome = outcomes.max().unwrap_or_default();
    let mut conditions = BTreeSet::new();
    if outcome == Outcome::Conditional {
        conditions.extend(verdicts.into_iter().flat_map(|verdict| verdict.conditions));
        if conditions.contains("max-use immediate") {
            conditions.remove("max-use reference");
        }
    }
    Verdict {
        outcome,
        conditions,
    }
}

// ---------------------------------------------------------------------------------------------
// Lines of robots.txt
// ---------------------------------------------------------------------------------------------

/// A preference line: its path, or nothing, and what it states.
struct Line {
    path: Option<Vec<u8>>,
    statement: Vec<u8>,
}

impl Line {
    /// Splits a value (PREF-21).
    fn read(value: &[u8]) -> Self {
        if !value.starts_with(b"/") {
            return Self {
                path: None,
                statement: value.to_vec(),
            };
        }
        let blank = value.iter().position(|byte| matches!(byte, b' ' | b'\t'));
        let (path, statement) = value.split_at(blank.unwrap_or(value.len()));
        Self {
            path: Some(path.to_vec()),
            statement: model::trim(statement).to_vec(),
        }
    }

    /// The octets of the path if it matches; no path has none, and matches everything (PREF-26).
    fn octets_if_matching(&self, form: &[u8]) -> Option<usize> {
        match &self.path {
            None => Some(0),
            Some(path) => model::strength_if_matching(path, &model::c1(form, false)),
        }
    }
}

/// The records with one of `keys` that count (CLA-25): those of the chosen groups or, with `scope`
/// `file`, those of the whole file for a client that has none of its own.
fn counting(file: &File, question: &Question<'_>, keys: &[&str], scope: &str) -> Vec<OtherRecord> {
    let own = records(file, question, keys);
    if scope != "file" || !own.is_empty() {
        return own;
    }
    let of_groups = file.groups.iter().flat_map(|group| &group.records);
    let all = of_groups.chain(&file.outside);
    let all = all.filter(|record| keys.contains(&record.key.as_str()));
    all.cloned().collect()
}

/// The records of the chosen groups with one of `keys`, in order.
fn records(file: &File, question: &Question<'_>, keys: &[&str]) -> Vec<OtherRecord> {
    let chosen = model::choose(&file.groups, question);
    let records = chosen.into_iter().flat_map(|group| &group.records);
    records
        .filter(|record| keys.contains(&record.key.as_str()))
        .cloned()
        .collect()
}

// ---------------------------------------------------------------------------------------------
// Content-Usage
// ---------------------------------------------------------------------------------------------

/// The limit on the combined field (PREF-48).
const MAX_FIELD_BYTES: usize = 131_072;

/// What Content-Usage says: rules of robots.txt, and the lines of the response field. `revision` is
/// `08` or `07`, `scope` is `group` or `file`.
#[must_use]
pub fn content_usage(
    question: &Question<'_>,
    fields: &[&str],
    revision: &str,
    scope: &str,
) -> Said {
    let known: &[(&str, &'static str)] = if revision == "07" {
        &[("train-ai", "train"), ("search", "search")]
    } else {
        &[
            ("train-ai", "train"),
            ("ai-use", "ai-input"),
            ("search", "search"),
        ]
    };
    let mut statements = Vec::new();
    // Two stages: a path that may not be crawled has no preference (PREF-20).
    if model::decide(question).allowed {
        let file = File::read(question.robots);
        let lines = counting(&file, question, &["content-usage"], scope);
        let lines = lines.iter().map(|record| Line::read(&record.value));
        let matching: Vec<(usize, Line)> = lines
            .filter_map(|line| Some((line.octets_if_matching(question.path)?, line)))
            .collect();
        let most = matching.iter().map(|(octets, _)| *octets).max();
        for (octets, line) in &matching {
            if Some(*octets) == most {
                statements.push(statement(&line.statement, known));
            }
        }
    }
    if !fields.is_empty() {
        let lines: Vec<&str> = fields
            .iter()
            .map(|line| line.trim_matches([' ', '\t']))
            .collect();
        let combined = lines.join(", ");
        if combined.len() <= MAX_FIELD_BYTES {
            statements.push(statement(combined.as_bytes(), known));
        }
    }
    let mut answer = Said::default();
    for (word, usage) in known {
        let values: Vec<&String> = statements
            .iter()
            .filter_map(|words| words.get(*word))
            .collect();
        let Some(value) = values
            .iter()
            .find(|value| **value == "n")
            .or(values.first())
        else {
            continue;
        };
        let outcome = if *value == "n" {
            Outcome::Prohibited
        } else {
            Outcome::Permitted
        };
        answer.words.insert((*word).to_owned(), (*value).clone());
        answer.usages.insert(usage, outcome.into());
    }
    answer
}

/// The words of a statement whose values are preferences. One that cannot be parsed has none.
fn statement(text: &[u8], known: &[(&str, &'static str)]) -> Words {
    let members = dictionary::parse(text).unwrap_or_default();
    let words = members.into_iter().filter_map(|(key, value)| match value {
        Value::Token(value) if value == "y" || value == "n" => Some((key, value)),
        _ => None,
    });
    words
        .filter(|(key, _)| known.iter().any(|(word, _)| word == key))
        .collect()
}

// ---------------------------------------------------------------------------------------------
// Content-Signal
// ---------------------------------------------------------------------------------------------

/// The words of Content-Signal that stand for a usage.
const SIGNALS: [(&str, &str); 3] = [
    ("ai-train", "train"),
    ("ai-input", "ai-input"),
    ("search", "search"),
];

/// The levels of `use`, from the lowest.
const LEVELS: [&str; 3] = ["immediate", "reference", "full"];

/// What Content-Signal says: lines of robots.txt, and the lines of the response field. With
/// `outside_groups` the lines before the first group count as a `*` group. `declared` is the level
/// of use that the client means. `scope` is `group` or `file`.
#[must_use]
pub fn content_signal(
    question: &Question<'_>,
    fields: &[&str],
    outside_groups: bool,
    scope: &str,
    declared: Option<&str>,
) -> Said {
    let mut file = File::read(question.robots);
    if outside_groups {
        let mut group = model::Group::default();
        group.agents.push(b"*".to_vec());
        group.records = std::mem::take(&mut file.outside);
        file.groups.push(group);
    }
    let keys = ["content-signal", "content-signals"];
    let lines = counting(&file, question, &keys, scope);
    // Word by word, with the octets of the line (PREF-60).
    let mut strongest: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for record in &lines {
        let line = Line::read(&record.value);
        let Some(octets) = line.octets_if_matching(question.path) else {
            continue;
        };
        for (word, value) in signals(&String::from_utf8_lossy(&line.statement)) {
            let entry = match strongest.remove(&word) {
                Some((most, other)) if most == octets => (most, stricter(other, value)),
                Some((most, other)) if most > octets => (most, other),
                _ => (octets, value),
            };
            strongest.insert(word, entry);
        }
    }
    let mut words: Words = strongest
        .into_iter()
        .map(|(word, (_, value))| (word, value))
        .collect();
    // A field only restricts (PREF-65).
    for (word, value) in fields.iter().flat_map(|line| signals(line)) {
        if value == "yes" {
            continue;
        }
        let value = match words.remove(&word) {
            Some(other) => stricter(other, value),
            None => value,
        };
        words.insert(word, value);
    }
    let mut answer = Said::default();
    for (word, usage) in SIGNALS {
        let verdict = match words.get(word).map(String::as_str) {
            Some("no") => Outcome::Prohibited.into(),
            Some(_) => limited(Outcome::Permitted, words.get("use"), declared),
            None => limited(Outcome::Unspecified, words.get("use"), declared),
        };
        answer.usages.insert(usage, verdict);
    }
    answer.words = words;
    answer
}

/// A verdict under a limit of use (PREF-53, PREF-54).
fn limited(outcome: Outcome, limit: Option<&String>, declared: Option<&str>) -> Verdict {
    let Some(limit) = limit else {
        return outcome.into();
    };
    match declared {
        Some(declared) if level(declared) > level(limit) => Outcome::Prohibited.into(),
        Some(_) => outcome.into(),
        None if limit == "full" => outcome.into(),
        None => Verdict {
            outcome: Outcome::Conditional,
            conditions: BTreeSet::from([format!("max-use {limit}")]),
        },
    }
}

fn level(name: &str) -> Option<usize> {
    LEVELS.iter().position(|level| *level == name)
}

/// The items of a line that say something, in lower case.
fn signals(text: &str) -> Vec<(String, String)> {
    let items = text.split([',', ';']).filter_map(|item| {
        let (key, value) = item.split_once('=')?;
        let clean = |text: &str| text.trim_matches([' ', '\t']).to_ascii_lowercase();
        Some((clean(key), clean(value)))
    });
    items
        .filter(|(key, value)| {
            let is_word = SIGNALS.iter().any(|(word, _)| word == key);
            is_word && matches!(value.as_str(), "yes" | "no")
                || key == "use" && level(value).is_some()
        })
        .collect()
}

/// The more restrictive of two values of one word (PREF-61).
fn stricter(a: String, b: String) -> String {
    let is_first = match (level(&a), level(&b)) {
        (Some(level_a), Some(level_b)) => level_a <= level_b,
        _ => a == "no",
    };
    if is_first { a } else { b }
}

// ---------------------------------------------------------------------------------------------
// TDMRep
// ---------------------------------------------------------------------------------------------

/// The limits on `tdmrep.json` (PREF-85).
const MAX_DOCUMENT_BYTES: usize = 512_000;
const MAX_JSON_DEPTH: usize = 8;

/// What a TDM reservation says: the site's file, superseded by response fields, superseded by the
/// metas of the page. Fields and metas are names and values. `path` is path and query of the page.
#[must_use]
pub fn tdmrep(
    file: Fetched<'_>,
    fields: &[(&str, &str)],
    metas: &[(&str, &str)],
    path: &[u8],
) -> Said {
    const ABOUT: [&str; 2] = ["train", "ai-input"];
    let mut reservation = Reservation::Unset;
    let mut policy = None;
    match file {
        Fetched::Body(body) => (reservation, policy) = in_file(body, path),
        Fetched::Missing => {}
        Fetched::Unreachable | Fetched::NotGiven => reservation = Reservation::NotKnown,
    }
    for place in [fields, metas] {
        let values = |wanted: &str| -> Vec<&str> {
            let named = place
                .iter()
                .filter(|(name, _)| name.eq_ignore_ascii_case(wanted));
            named
                .map(|(_, value)| value.trim_matches([' ', '\t']))
                .collect()
        };
        let reservations = values("tdm-reservation");
        if reservations.contains(&"1") {
            reservation = Reservation::Reserved;
        } else if reservations.contains(&"0") {
            reservation = Reservation::Open;
        }
        if let Some(first) = values("tdm-policy").first() {
            policy = Some((*first).to_owned());
        }
    }
    let (word, outcome) = match reservation {
        Reservation::Unset => return Said::default(),
        Reservation::NotKnown => return Said::about(&ABOUT, Outcome::Unknown),
        Reservation::TooLarge => return Said::about(&ABOUT, Outcome::Prohibited),
        Reservation::Reserved => ("1", Outcome::Prohibited),
        Reservation::Open => ("0", Outcome::Permitted),
    };
    let mut answer = Said::about(&ABOUT, outcome);
    answer.words.insert("tdm-reservation".into(), word.into());
    if let (Reservation::Reserved, Some(policy)) = (reservation, policy) {
        answer.words.insert("tdm-policy".into(), policy);
    }
    answer
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reservation {
    Unset,
    Reserved,
    Open,
    NotKnown,
    TooLarge,
}

/// Reservation and policy of the first rule that matches.
fn in_file(body: &[u8], path: &[u8]) -> (Reservation, Option<String>) {
    let nothing = (Reservation::Unset, None);
    if body.len() > MAX_DOCUMENT_BYTES || depth(body) > MAX_JSON_DEPTH {
        return (Reservation::TooLarge, None);
    }
    let text = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    let Ok(serde_json::Value::Array(rules)) = serde_json::from_slice(text) else {
        return nothing;
    };
    for rule in &rules {
        let location = rule.get("location").and_then(serde_json::Value::as_str);
        let Some(location) = location.filter(|text| text.starts_with(['/', '*'])) else {
            continue;
        };
        let form = model::c1(path, false);
        if model::strength_if_matching(location.as_bytes(), &form).is_none() {
            continue;
        }
        let reservation = match &rule["tdm-reservation"] {
            serde_json::Value::Number(number) if number.as_f64() == Some(1.0) => {
                Reservation::Reserved
            }
            serde_json::Value::Number(number) if number.as_f64() == Some(0.0) => Reservation::Open,
            serde_json::Value::String(text) if text == "1" => Reservation::Reserved,
            serde_json::Value::String(text) if text == "0" => Reservation::Open,
            _ => Reservation::Unset,
        };
        let policy = rule["tdm-policy"].as_str().map(str::to_owned);
        return (reservation, policy);
    }
    nothing
}

/// How deep brackets are nested outside strings.
fn depth(json: &[u8]) -> usize {
    let (mut depth, mut most, mut in_string) = (0_usize, 0, false);
    let mut bytes = json.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => in_string = !in_string,
            b'\\' if in_string => drop(bytes.next()),
            b'[' | b'{' if !in_string => depth += 1,
            b']' | b'}' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
        most = most.max(depth);
    }
    most
}

// ---------------------------------------------------------------------------------------------
// RSL
// ---------------------------------------------------------------------------------------------

const NAMESPACE: &str = "https://rslstandard.org/rsl";

/// The elements of that namespace that the requirements name.
const ELEMENTS: [&str; 12] = [
    "rsl",
    "content",
    "license",
    "permits",
    "prohibits",
    "payment",
    "reporting",
    "legal",
    "schema",
    "copyright",
    "terms",
    "alternate",
];

/// The usage words that have an outcome of their own, and the usages that they stand for.
const LICENSED: [(&str, Option<&str>); 4] = [
    ("ai-train", Some("train")),
    ("ai-input", Some("ai-input")),
    ("ai-index", None),
    ("search", Some("search")),
];

/// Where a licence document is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Association {
    /// In robots.txt.
    Site,
    /// In a field or an element of the page, or in the page itself.
    Page,
}

/// The licence documents in robots.txt that bind the client, in order (PREF-86, PREF-87).
#[must_use]
pub fn licences(question: &Question<'_>) -> Vec<String> {
    let file = File::read(question.robots);
    let absolute = |records: &[OtherRecord]| -> Vec<String> {
        let licences = records.iter().filter(|record| record.key == "license");
        let values = licences.map(|record| String::from_utf8_lossy(&record.value).into_owned());
        let mut urls: Vec<String> = Vec::new();
        for value in values {
            if absolute_url(&value).is_some() && !urls.contains(&value) {
                urls.push(value);
            }
        }
        urls
    };
    let own = absolute(&records(&file, question, &["license"]));
    if own.is_empty() {
        absolute(&file.outside)
    } else {
        own
    }
}

/// Scheme, host and port, and path of an absolute URL with the scheme `http` or `https`.
fn absolute_url(text: &str) -> Option<(String, String, String)> {
    let url = url::Url::parse(text).ok()?;
    let scheme = url.scheme().to_owned();
    if !matches!(scheme.as_str(), "http" | "https") {
        return None;
    }
    let host = url[url::Position::BeforeHost..url::Position::AfterPort].to_owned();
    let (_, rest) = text.split_once("://")?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (_, path) = rest.split_at(end);
    let path = path.split('#').next().unwrap_or_default();
    let path = if path.starts_with('/') {
        path.to_owned()
    } else {
        format!("/{path}")
    };
    (!host.is_empty()).then_some((scheme, host, path))
}

/// What one document of a robots.txt says about a URL.
#[must_use]
pub fn rsl(document: &str, url: &str) -> Said {
    rsl_document(Fetched::Body(document.as_bytes()), Association::Site, url)
}

/// What the documents of the page, and those of robots.txt, say about a URL together (PREF-92).
#[must_use]
pub fn rsl_together(page: &[Fetched<'_>], site: &[Fetched<'_>], url: &str) -> Said {
    let level = |documents: &[Fetched<'_>], association| {
        let of = |(number, document): (usize, &Fetched<'_>)| match number {
            0..8 => rsl_document(*document, association, url),
            _ => unlicensed(), // The ninth and later ones count as unreadable (PREF-108).
        };
        let all: Vec<Said> = documents.iter().enumerate().map(of).collect();
        strictest(&all)
    };
    let mut usages = level(site, Association::Site);
    for (usage, verdict) in level(page, Association::Page) {
        if verdict.outcome != Outcome::Unspecified {
            usages.insert(usage, verdict);
        }
    }
    Said {
        words: Words::new(),
        usages,
    }
}

/// What one document says about a URL.
#[must_use]
pub fn rsl_document(document: Fetched<'_>, association: Association, url: &str) -> Said {
    let contents = match document {
        Fetched::Body(body) => contents(body),
        Fetched::Missing | Fetched::Unreachable => None,
        Fetched::NotGiven => return Said::about(&USAGES, Outcome::Unknown),
    };
    let Some(contents) = contents else {
        return unlicensed();
    };
    // Licences of one width count together, the narrowest first (PREF-100, CLA-PREF-5).
    let mut widths: BTreeMap<usize, Vec<&Licence>> = BTreeMap::new();
    for content in &contents {
        if let Some(width) = width_if_matching(&content.url, association, url) {
            widths.entry(width).or_default().extend(&content.licences);
        }
    }
    let mut answer = Said::default();
    for (word, usage) in LICENSED {
        let verdicts = widths
            .values()
            .rev()
            .map(|licences| licensed(licences, word));
        let verdict = verdicts
            .into_iter()
            .find(|(verdict, _)| verdict.outcome != Outcome::Unspecified);
        let Some((verdict, is_unread)) = verdict else {
            continue;
        };
        // What cannot be read has no words.
        if !is_unread {
            answer
                .words
                .insert(word.into(), verdict.outcome.name().into());
        }
        if let Some(usage) = usage {
            answer.usages.insert(usage, verdict);
        }
    }
    answer
}

/// A document that cannot be had or read (PREF-94).
fn unlicensed() -> Said {
    Said::about(&USAGES, Outcome::Prohibited)
}

/// What the licences of one width say about a word, by the five steps of CLA-PREF-4, and whether
/// they do so only because a list cannot be read (CLA-PREF-19).
fn licensed(licences: &[&Licence], word: &str) -> (Verdict, bool) {
    let covers = |listed: &str| match listed {
        "all" => true,
        "ai-all" => word.starts_with("ai-"),
        // The words of 0.9 (CLA-PREF-18).
        "train-ai" => word == "ai-train",
        "ai-use" => word == "ai-input",
        listed => listed == word,
    };
    let covers_in_part = |listed: &str| match listed {
        "train-genai" => word == "ai-train",
        "ai-summarize" => word == "ai-input",
        _ => false,
    };
    let permitted = |words: &[String]| words.iter().any(|listed| covers(listed));
    let prohibited = |words: &[String]| {
        let mut words = words.iter();
        words.any(|listed| covers(listed) || covers_in_part(listed))
    };
    let asked_by = |licences: &[&&Licence], without: Outcome| -> Verdict {
        let path = licences.iter().flat_map(|licence| licence.asks.clone());
        let conditions: BTreeSet<String> = path.collect();
        Verdict {
            outcome: if conditions.is_empty() {
                without
            } else {
                Outcome::Conditional
            },
            conditions,
        }
    };
    if licences
        .iter()
        .any(|licence| prohibited(&licence.prohibits))
    {
        return (Outcome::Prohibited.into(), false);
    }
    let (listing, without): (Vec<&&Licence>, Vec<&&Licence>) = licences
        .iter()
        .partition(|licence| licence.permits.is_some());
    let permitting: Vec<&&Licence> = listing
        .iter()
        .copied()
        .filter(|licence| licence.permits.as_deref().is_some_and(permitted))
        .collect();
    if !permitting.is_empty() {
        return (asked_by(&permitting, Outcome::Permitted), false);
    }
    let asking = asked_by(&without, Outcome::Unspecified);
    if asking.outcome == Outcome::Unspecified && !listing.is_empty() {
        let is_unread = listing.iter().any(|licence| {
            licence.has_unknown_list && licence.permits.as_ref().is_some_and(Vec::is_empty)
        });
        return (Outcome::Prohibited.into(), is_unread);
    }
    (asking, false)
}

/// The octets of a `content`'s path if it matches the page. The page itself is narrower than every
/// path (CLA-PREF-6).
fn width_if_matching(scope: &str, association: Association, url: &str) -> Option<usize> {
    let (scheme, host, path) = absolute_url(url)?;
    let pattern = match absolute_url(scope) {
        Some((own_scheme, own_host, path)) if (&own_scheme, &own_host) == (&scheme, &host) => path,
        Some(_) => return None,
        None if scope.is_empty() => {
            return (association == Association::Page).then_some(usize::MAX);
        }
        None => scope.to_owned(),
    };
    model::strength_if_matching(pattern.as_bytes(), &model::c1(path.as_bytes(), false))
}

struct Content {
    url: String,
    licences: Vec<Licence>,
}

struct Licence {
    /// The usages that are permitted, if the licence lists them.
    permits: Option<Vec<String>>,
    /// Whether it has a list of permissions of an unknown type.
    has_unknown_list: bool,
    prohibits: Vec<String>,
    /// What it asks for in turn: kind, space, value.
    asks: BTreeSet<String>,
}

/// The `content` elements of a document, or `None` if it is unreadable (PREF-94).
fn contents(body: &[u8]) -> Option<Vec<Content>> {
    let root = xml::read(&decoded(body)?)?;
    let is_own = |element: &xml::Element| element.namespace == NAMESPACE;
    if !is_own(&root) || root.name != "rsl" || has_misplaced_element(&root, "") {
        return None;
    }
    let named = |parent: &'_ xml::Element, name: &str| {
        let children = parent.children.iter();
        let indices = children.enumerate();
        let found = indices.filter(|(_, child)| is_own(child) && child.name == name);
        found.map(|(index, _)| index).collect::<Vec<_>>()
    };
    let mut contents = Vec::new();
    for index in named(&root, "content") {
        let content = &root.children[index];
        let licences = named(content, "license");
        let server = content.attribute("server");
        let licences = licences
            .into_iter()
            .map(|index| licence(&content.children[index], server));
        let licences: Vec<Licence> = licences.collect::<Option<_>>()?;
        if licences.is_empty() {
            return None;
        }
        contents.push(Content {
            url: content.attribute("url")?.to_owned(),
            licences,
        });
    }
    (1..=1024).contains(&contents.len()).then_some(contents)
}

/// The text of a document: UTF-8, or UTF-16 with a byte order mark, of 512,000 bytes at most.
fn decoded(body: &[u8]) -> Option<String> {
    let utf16 = |rest: &[u8], unit: fn([u8; 2]) -> u16| {
        let pairs: Option<Vec<u16>> = rest
            .chunks(2)
            .map(|pair| Some(unit(pair.try_into().ok()?)))
            .collect();
        String::from_utf16(&pairs?).ok()
    };
    match body {
        _ if body.len() > MAX_DOCUMENT_BYTES => None,
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] | rest => String::from_utf8(rest.to_vec()).ok(),
    }
}

/// Whether an element that decides something is out of its place, or an unknown one is elsewhere
/// than beside those that decide, or alone in a licence (CLA-PREF-19). Elements of other namespaces
/// are passed over, with what is in them.
fn has_misplaced_element(element: &xml::Element, parent: &str) -> bool {
    if element.namespace != NAMESPACE {
        return false;
    }
    let name = element.name.as_str();
    let place = match name {
        "rsl" => Some(""),
        "content" => Some("rsl"),
        "license" => Some("content"),
        "permits" | "prohibits" | "payment" | "reporting" => Some("license"),
        _ => None,
    };
    let is_known = ELEMENTS.contains(&name);
    let is_skipped = matches!(parent, "rsl" | "content" | "license" | "unknown");
    if place.is_some_and(|place| place != parent) || (!is_known && !is_skipped) {
        return true;
    }
    let children = || {
        let children = element.children.iter();
        children.filter(|child| child.namespace == NAMESPACE)
    };
    let decides = |child: &xml::Element| {
        matches!(
            child.name.as_str(),
            "permits" | "prohibits" | "payment" | "reporting"
        )
    };
    let is_unknown = |child: &xml::Element| !ELEMENTS.contains(&child.name.as_str());
    if name == "license" && children().any(is_unknown) && !children().any(decides) {
        return true;
    }
    let kind = element.attribute("type");
    let is_list = matches!(name, "permits" | "prohibits");
    let is_unknown = !is_known || (is_list && !is_type_of_list(kind));
    let as_parent = if is_unknown || parent == "unknown" {
        "unknown"
    } else {
        name
    };
    children().any(|child| has_misplaced_element(child, as_parent))
}

/// Whether lists have this type.
fn is_type_of_list(kind: Option<&str>) -> bool {
    matches!(kind, Some("usage" | "user" | "geo"))
}

/// Reads a licence, or returns `None` if it makes the document unreadable.
fn licence(element: &xml::Element, server: Option<&str>) -> Option<Licence> {
    let mut licence = Licence {
        permits: None,
        has_unknown_list: false,
        prohibits: Vec::new(),
        asks: BTreeSet::new(),
    };
    // Several lists of one name and type are one list.
    let mut lists: BTreeMap<(&str, &str), BTreeSet<String>> = BTreeMap::new();
    if let Some(server) = server {
        licence.asks.insert(format!("licence-server {server}"));
    }
    let own = element
        .children
        .iter()
        .filter(|child| child.namespace == NAMESPACE);
    for child in own {
        let kind = child.attribute("type");
        match child.name.as_str() {
            "permits" | "prohibits" => {
                let is_permission = child.name == "permits";
                if !is_type_of_list(kind) {
                    // It says nothing, but closes the list of usages.
                    licence.has_unknown_list |= is_permission;
                    if is_permission {
                        lists.entry(("permits", "usage")).or_default();
                    }
                    continue;
                }
                let kind = kind?;
                let spelled = |word: String| match kind {
                    "geo" => word.to_uppercase(),
                    _ => word.to_lowercase(),
                };
                let words = words(&child.text).into_iter().map(spelled);
                let list = lists.entry((child.name.as_str(), kind)).or_default();
                list.extend(words);
            }
            "payment" if kind != Some("free") => {
                let kind = kind.unwrap_or("custom");
                licence.asks.insert(format!("payment {kind}"));
            }
            "reporting" => {
                licence.asks.insert(format!("reporting {}", kind?));
            }
            _ => {}
        }
    }
    for ((name, kind), words) in lists {
        let words: Vec<String> = words.into_iter().collect();
        match (name, kind) {
            ("permits", "usage") => licence.permits = Some(words),
            ("prohibits", "usage") => licence.prohibits = words,
            _ if words.is_empty() => {}
            ("permits", _) => {
                let path = format!("licensed-{kind} {}", words.join(" "));
                licence.asks.insert(path);
            }
            _ => {
                let path = format!("excluded-{kind} {}", words.join(" "));
                licence.asks.insert(path);
            }
        }
    }
    Some(licence)
}

/// The words of a list, sorted (PREF-104).
fn words(text: &str) -> Vec<String> {
    let words: BTreeSet<&str> = text
        .split([' ', '\t', '\r', '\n', ','])
        .filter(|word| !word.is_empty())
        .collect();
    words.into_iter().map(str::to_owned).collect()
}

// ---------------------------------------------------------------------------------------------
// Robots tags and control tokens
// ---------------------------------------------------------------------------------------------

/// What the rules of robots tags that bind the client say (PREF-109 to 111).
#[must_use]
pub fn robots_tag(rules: &[&str], is_image: bool) -> Said {
    let mut answer = Said::default();
    for rule in rules {
        let usages: &[&str] = match *rule {
            "noai" => &["train"],
            "noml" => &["train", "ai-input"],
            "noimageai" if is_image => &["train"],
            _ => continue,
        };
        answer.words.insert((*rule).to_owned(), "true".to_owned());
        for usage in usages {
            answer.usages.insert(usage, Outcome::Prohibited.into());
        }
    }
    answer
}

/// The control tokens that ship: the token, the robot that fetches for it, and its usages.
pub const CONTROL_TOKENS: [(&str, &str, &[&str]); 2] = [
    ("Google-Extended", "Googlebot", &["train", "ai-input"]),
    ("Applebot-Extended", "Applebot", &["train"]),
];

/// The tokens to ask about for a client (PREF-119).
#[must_use]
pub fn control_tokens(agents: &[&str]) -> Vec<&'static str> {
    let is_asked = |name: &str| agents.iter().any(|agent| agent.eq_ignore_ascii_case(name));
    let path = CONTROL_TOKENS
        .iter()
        .filter(|(token, fetcher, _)| is_asked(token) || is_asked(fetcher));
    path.map(|(token, ..)| *token).collect()
}

/// What the groups of a token say about its usages (PREF-120 to 123).
#[must_use]
pub fn control_token(robots: &[u8], token: &str, path: &[u8]) -> Outcome {
    let question = Question {
        robots,
        agents: &[token],
        purposes: &[],
        nonstandard_token: false,
        path,
    };
    let file = File::read(robots);
    // A token that has a group is found without the `*` groups.
    let without_star: Vec<model::Group> = file
        .groups
        .into_iter()
        .map(|mut group| {
            group.agents.retain(|value| !value.starts_with(b"*"));
            group
        })
        .collect();
    let has_own = !model::choose(&without_star, &question).is_empty();
    match (model::decide(&question).allowed, has_own) {
        (false, _) => Outcome::Prohibited,
        (true, true) => Outcome::Permitted,
        (true, false) => Outcome::Unspecified,
    }
}

/// What control tokens say together, each about its usages.
#[must_use]
pub fn control_token_usages(robots: &[u8], tokens: &[(&str, &[&str])], path: &[u8]) -> Said {
    let mut answer = Said::default();
    for (token, covered) in tokens {
        let outcome = control_token(robots, token, path);
        if outcome == Outcome::Unspecified {
            continue;
        }
        answer
            .words
            .insert((*token).to_owned(), outcome.name().to_owned());
        for usage in USAGES.into_iter().filter(|usage| covered.contains(usage)) {
            let verdict = answer.usages.entry(usage).or_default();
            verdict.outcome = verdict.outcome.max(outcome);
        }
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESERVED: &str = "[{\"location\":\"/\",\"tdm-reservation\":1}]";

    #[test]
    fn pref_48_the_limit_on_the_field() {
        let question = Question {
            robots: b"",
            agents: &["f"],
            purposes: &[],
            nonstandard_token: false,
            path: b"/",
        };
        let words = |bytes: usize| {
            let field = format!("train-ai=n, a=\"{}\"", "x".repeat(bytes - 16));
            assert_eq!(field.len(), bytes);
            content_usage(&question, &[&field], "08", "group")
                .words
                .len()
        };
        assert_eq!((words(MAX_FIELD_BYTES), words(MAX_FIELD_BYTES + 1)), (1, 0));
    }

    #[test]
    fn pref_85_the_limits_on_the_file() {
        let of = |text: &str| tdmrep(Fetched::Body(text.as_bytes()), &[], &[], b"/x");
        let filled = |bytes: usize| format!("{}{RESERVED}", " ".repeat(bytes - RESERVED.len()));
        assert_eq!(
            of(&filled(MAX_DOCUMENT_BYTES)).words["tdm-reservation"],
            "1"
        );
        let too_large = of(&filled(MAX_DOCUMENT_BYTES + 1));
        assert_eq!(
            too_large,
            Said::about(&["train", "ai-input"], Outcome::Prohibited)
        );
        let nested = |depth: usize| {
            let inside = "[".repeat(depth - 1) + &"]".repeat(depth - 1);
            of(&format!("[{inside}]")).outcome("train")
        };
        assert_eq!(nested(MAX_JSON_DEPTH), Outcome::Unspecified);
        assert_eq!(nested(MAX_JSON_DEPTH + 1), Outcome::Prohibited);
    }

    #[test]
    fn pref_108_the_limits_on_a_document() {
        let content =
            "<content url='/'><license><permits type='usage'>all</permits></license></content>";
        let document = |contents: &str| format!("<rsl xmlns='{NAMESPACE}'>{contents}</rsl>");
        let permits = |document: &str| {
            rsl(document, "https://e.example/x").outcome("search") == Outcome::Permitted
        };
        assert!(permits(&document(&content.repeat(1024))));
        assert!(!permits(&document(&content.repeat(1025))));
        let with_attributes = |count: usize| {
            let attributes: Vec<String> =
                (0..count).map(|number| format!("a{number}=''")).collect();
            let start = format!("<license {}", attributes.join(" "));
            document(&content.replace("<license", &start))
        };
        assert!(permits(&with_attributes(64)) && !permits(&with_attributes(65)));
        // Four elements stand there besides.
        let with_elements =
            |count: usize| document(&(content.to_owned() + &"<terms/>".repeat(count)));
        assert!(permits(&with_elements(9_996)) && !permits(&with_elements(9_997)));
        let filled = |bytes: usize| {
            let text = document(content);
            format!("{text}{}", " ".repeat(bytes - text.len()))
        };
        assert!(permits(&filled(MAX_DOCUMENT_BYTES)) && !permits(&filled(MAX_DOCUMENT_BYTES + 1)));
        let utf16: Vec<u8> = format!("\u{feff}{}", document(content))
            .encode_utf16()
            .flat_map(u16::to_be_bytes)
            .collect();
        let answer = rsl_document(
            Fetched::Body(&utf16),
            Association::Site,
            "https://e.example/",
        );
        assert_eq!(answer.outcome("train"), Outcome::Permitted);
    }
}
