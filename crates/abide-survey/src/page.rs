//! What pages say: their fields, and the robots tags and licences of their HTML.
//!
//! A page is decided about as if its site had no robots.txt, because none is in the record.

use crate::capture::Capture;
use crate::facts::asked_robots;
use crate::input::whole;
use crate::options::{Options, WhatIf};
use crate::schema::{ChangeRow, PageAnswerRow, PageRow, PreferenceRow, TagRow};
use crate::what_if::MAX_NAMED;
use crate::words::{count, cut, text, words};
use abide::preference::{Revision, Vocabulary};
use abide::syntax::PreferenceStatement;
use abide::tag::{FieldLine, Meta, Response, RuleKind, Scope, Statement, TagPlace, is_about_ai};
use abide::verdict::Source;
use abide::{Client, Decision, Moment, Outcome, Policy, ProductToken, PurposeToken, Target, Usage};
use abide_analysis::{ShortAnswer, preferences};
use abide_fetch::BodyHash;
use std::collections::{BTreeMap, BTreeSet};

/// The largest number of rows that the tables `tags` and `preferences` have of a page each.
const MAX_STATED: usize = 1_000;

/// What the tables say about a page.
#[derive(Debug, Default)]
pub(crate) struct PageFacts {
    pub(crate) page: PageRow<'static>,
    pub(crate) tags: Vec<TagRow<'static>>,
    pub(crate) preferences: Vec<PreferenceRow<'static>>,
    pub(crate) answers: Vec<PageAnswerRow<'static>>,
    pub(crate) changes: Vec<ChangeRow<'static>>,
}

/// Computes facts about pages.
#[derive(Debug)]
pub(crate) struct PageAnalyst {
    robots: Vec<PageRobot>,
    /// The names of all of them, in lower case.
    names: BTreeSet<String>,
    everyone: Policy,
    purposes: Vec<PurposeToken>,
    has_changes: bool,
}

/// A robot that is asked about, with the policy of a site without robots.txt.
#[derive(Debug)]
struct PageRobot {
    name: String,
    kind: Option<&'static str>,
    policy: Policy,
}

/// A page, read.
struct ReadPage<'c> {
    capture: &'c Capture,
    state: &'static str,
    response: Response,
    metas: Vec<Meta>,
    bytes_read: Option<&'c [u8]>,
    /// Whether a field or the page can name a licence.
    has_licences: bool,
    /// The robots tags: of all meta elements, those that are about robots.
    tags: Vec<Statement>,
}

impl PageAnalyst {
    pub(crate) fn new(options: &Options) -> Self {
        let compile = |client: &Client| Policy::compile(b"", &asking(client, &options.purposes));
        let mut names = BTreeSet::new();
        let robots = asked_robots(options).map(|(name, kind, robot)| {
            names.extend(robot.names().iter().map(|name| name.to_ascii_lowercase()));
            let policy = robot.policy(options.profile, compile);
            PageRobot {
                name,
                kind,
                // A name that no client can have is named by no tag.
                policy: policy.unwrap_or_else(|_| compile(&Client::unnamed())),
            }
        });
        let robots = robots.collect();
        Self {
            robots,
            names,
            everyone: compile(&Client::unnamed()),
            purposes: options.purposes.clone(),
            has_changes: options.what_if.contains(&WhatIf::Repext),
        }
    }

    /// What the tables say about a page; `None` for a response that is neither HTML nor has a field
    /// that says something.
    pub(crate) fn facts(&self, capture: &Capture) -> Option<PageFacts> {
        let read = ReadPage::of(capture, &self.names);
        let mut facts = PageFacts {
            page: read.row(),
            ..PageFacts::default()
        };
        facts.tags = read.tags();
        facts.preferences = read.preferences();
        let url = capture.url.as_deref().unwrap_or_default();
        let target = Target::new(url).ok().map(|target| {
            let target = target.with_response(&read.response);
            match capture.date {
                Some(date) => target.with_now(Moment::from_unix_seconds(date.div_euclid(1_000))),
                None => target,
            }
        });
        if let Some(target) = target.filter(|_| read.has_licences) {
            let licences = licences(&self.everyone.decide(&target));
            facts.page.licenses = count(licences.len());
            facts.preferences.extend(licences);
        }
        facts.preferences.truncate(MAX_STATED);
        let says_nothing = facts.tags.is_empty() && facts.preferences.is_empty();
        if says_nothing {
            return read.is_html().then_some(facts);
        }
        if let Some(target) = target {
            let answers = self.robots.iter().flat_map(|robot| robot.answers(&target));
            facts.answers = answers.collect();
            if self.has_changes && facts.page.robots_tag > 0 {
                facts.changes = self.changes(&read, &target);
            }
        }
        Some(facts)
    }

    /// One row for each robot and usage whose answer is another one if `Robots-Tag` is not read.
    fn changes(&self, read: &ReadPage<'_>, target: &Target<'_>) -> Vec<ChangeRow<'static>> {
        let fields = read.capture.fields.iter();
        let others = fields.filter(|field| !is_named(field, "robots-tag"));
        let without =
            abide_html::response(&others.cloned().collect::<Vec<_>>(), read.bytes_read, None);
        let before = target.with_response(&without);
        let mut rows = Vec::new();
        for robot in &self.robots {
            read.add_changes(&robot.name, &robot.policy, [&before, target], &mut rows);
        }
        for name in self.named(&read.response) {
            let Ok(token) = ProductToken::nonstandard(&name) else {
                continue;
            };
            let client = asking(&Client::new(token), &self.purposes);
            let policy = Policy::compile(b"", &client);
            read.add_changes(&name, &policy, [&before, target], &mut rows);
        }
        rows
    }

    /// The robots that `Robots-Tag` fields name and that the survey does not ask about.
    fn named(&self, response: &Response) -> Vec<String> {
        let tags = response.statements().iter();
        let tags = tags.filter(|tag| tag.source == Source::RobotsTag);
        let mut named = BTreeMap::new();
        for tag in tags {
            let Scope::Token(name) = &tag.scope else {
                continue;
            };
            let mut asked = self.robots.iter();
            if named.len() < MAX_NAMED && !asked.any(|one| one.name.eq_ignore_ascii_case(name)) {
                named.entry(name.to_ascii_lowercase()).or_insert(name);
            }
        }
        named.into_values().cloned().collect()
    }
}

/// The client, claiming these purposes, and asking for all preferences.
fn asking(client: &Client, purposes: &[PurposeToken]) -> Client {
    let client = preferences::with_all_preferences(client);
    purposes.iter().cloned().fold(client, Client::with_purpose)
}

impl PageRobot {
    /// What a page says about each usage, except crawling, which it says nothing about.
    fn answers(&self, target: &Target<'_>) -> Vec<PageAnswerRow<'static>> {
        let decision = self.policy.decide(target);
        let said = decision.usages.iter();
        let said =
            said.filter(|said| said.usage != Usage::Crawl && said.outcome != Outcome::Unspecified);
        let rows = said.map(|said| {
            let answer = ShortAnswer::new(said);
            let conditions = answer.conditions.iter().map(ToString::to_string);
            let conditions = conditions.collect::<Vec<_>>().join(", ");
            let statement = answer.statement().map(|statement| cut(text(statement)));
            PageAnswerRow {
                robot: self.name.clone().into(),
                kind: self.kind.map(Into::into),
                usage: said.usage.name().into(),
                outcome: said.outcome.name().into(),
                conditions: (!conditions.is_empty()).then(|| cut(conditions).into()),
                decided_by: answer.decided_by.as_ref().map(|by| by.source.name().into()),
                statement: statement.map(Into::into),
            }
        });
        rows.collect()
    }
}

impl<'c> ReadPage<'c> {
    /// Adds a row for each usage whose answer `Robots-Tag` changes.
    fn add_changes(
        &self,
        robot: &str,
        policy: &Policy,
        [before, after]: [&Target<'_>; 2],
        rows: &mut Vec<ChangeRow<'static>>,
    ) {
        let [before, after] = [before, after].map(|target| policy.decide(target));
        for said in &after.usages {
            let was = before.outcome(said.usage);
            if was == said.outcome {
                continue;
            }
            rows.push(ChangeRow {
                what_if: WhatIf::Repext.name().into(),
                robot: robot.to_owned().into(),
                usage: said.usage.name().into(),
                path: after.target.path_and_query().to_owned().into(),
                before: was.name().into(),
                after: said.outcome.name().into(),
                line: ShortAnswer::new(said)
                    .statement()
                    .and_then(|said| self.line_of(said)),
                group: None,
            });
        }
    }

    /// Which line of `Robots-Tag` has this statement, from 1.
    fn line_of(&self, statement: &[u8]) -> Option<i64> {
        let is_it =
            |tag: &&Statement| tag.source == Source::RobotsTag && tag.text.as_bytes() == statement;
        match self.tags.iter().find(is_it)?.place {
            TagPlace::Field { line, .. } => Some(line.into()),
            TagPlace::Element { .. } => None,
        }
    }

    /// Reads a page. `names` are further robots that its elements can be for.
    fn of(capture: &'c Capture, names: &BTreeSet<String>) -> Self {
        let is_page = capture
            .status
            .is_none_or(|status| (200..300).contains(&status));
        let is_html = is_page && is_html(capture);
        let bytes_read =
            (is_html && !capture.body.is_undecoded()).then_some(capture.body.bytes.as_slice());
        let (response, found) = match bytes_read {
            Some(bytes) => abide_html::response_and_page(&capture.fields, bytes),
            None => (Response::new(&capture.fields), abide_html::Page::default()),
        };
        let state = match bytes_read {
            None if is_html => "damaged",
            None => "fields",
            Some(_) if found.truncated || capture.body.is_cut => "cut",
            Some(_) => "html",
        };
        let is_robot = |name: &str| {
            abide_known_robots::named(name).is_some() || names.contains(&name.to_ascii_lowercase())
        };
        let tags = response.statements().iter().filter(|tag| match &tag.scope {
            Scope::Token(name) if tag.source == Source::Meta => is_robot(name),
            _ => true,
        });
        let link = |field: &FieldLine| is_named(field, "link");
        Self {
            capture,
            state,
            tags: tags.cloned().collect(),
            has_licences: !found.licences.is_empty() || capture.fields.iter().any(link),
            response,
            metas: found.metas,
            bytes_read,
        }
    }

    fn is_html(&self) -> bool {
        self.state != "fields"
    }

    /// The row of table `pages`, without the number of licences.
    fn row(&self) -> PageRow<'static> {
        let capture = self.capture;
        let fields = |name: &str| {
            let own = capture.fields.iter().filter(|field| is_named(field, name));
            count(own.count())
        };
        let metas = self
            .tags
            .iter()
            .filter(|tag| tag.source == Source::Meta)
            .count();
        let tdm_metas = self.metas.iter().filter(|meta| is_tdm(&meta.name)).count();
        let mut rules = self.tags.iter().flat_map(|tag| &tag.rules);
        let digest = capture.body.digest.map(BodyHash::from_bytes);
        let record = &capture.record;
        PageRow {
            status: capture.status.map(Into::into),
            media_type: media_type(&capture.fields).map(|name| cut(name).into()),
            state: self.state.into(),
            bytes: whole(capture.body.length),
            digest: digest.map(|digest| digest.to_string().into()),
            robots_tag: fields("robots-tag"),
            x_robots_tag: fields("x-robots-tag"),
            robots_meta: count(metas),
            noai: rules.any(|rule| is_about_ai(&rule.name)),
            content_usage: fields("content-usage"),
            content_signal: fields("content-signal"),
            tdm: fields("tdm-reservation") + fields("tdm-policy") + count(tdm_metas),
            source: record.source.as_deref().map(|name| name.to_owned().into()),
            offset: record.offset.map(whole),
            length: record.length.map(whole),
            ..PageRow::default()
        }
    }

    /// One row for each rule.
    fn tags(&self) -> Vec<TagRow<'static>> {
        let mut rows = Vec::new();
        for tag in &self.tags {
            let (line, offset) = match tag.place {
                TagPlace::Field { line, .. } => (Some(line.into()), None),
                TagPlace::Element { offset } => (None, Some(whole(offset))),
            };
            let own = TagRow {
                found_in: tag.source.name().into(),
                line,
                offset,
                robot: match &tag.scope {
                    Scope::Token(name) => cut(name.clone()).into(),
                    _ => "*".into(),
                },
                text: cut(tag.text.clone()).into(),
                ..TagRow::default()
            };
            if tag.rules.is_empty() {
                rows.push(own.clone());
            }
            rows.extend(tag.rules.iter().take(MAX_STATED).map(|rule| TagRow {
                rule: Some(cut(rule.name.clone()).into()),
                value: rule.value.clone().map(|value| cut(value).into()),
                kind: Some(kind(&rule.name).into()),
                ..own.clone()
            }));
            if rows.len() >= MAX_STATED {
                break;
            }
        }
        rows.truncate(MAX_STATED);
        rows
    }

    /// One row for each word of the fields and meta elements that state AI preferences.
    fn preferences(&self) -> Vec<PreferenceRow<'static>> {
        let mut rows = Vec::new();
        let mut lines: BTreeMap<String, i64> = BTreeMap::new();
        for field in &self.capture.fields {
            let name = field.name.to_ascii_lowercase();
            let Some(vocabulary) = vocabulary(&name) else {
                continue;
            };
            let line = lines.entry(name.clone()).or_default();
            *line += 1;
            let own = PreferenceRow {
                found_in: "field".into(),
                line: Some(*line),
                readable: is_readable(&name, &field.value),
                ..PreferenceRow::default()
            };
            let field = (name.as_str(), field.value.as_slice());
            rows.extend(words(vocabulary, field, &own).take(MAX_STATED));
        }
        for meta in self.metas.iter().filter(|meta| is_tdm(&meta.name)) {
            let name = meta.name.trim().to_ascii_lowercase();
            let own = PreferenceRow {
                found_in: "meta".into(),
                offset: Some(whole(meta.offset)),
                readable: is_readable(&name, meta.content.as_bytes()),
                ..PreferenceRow::default()
            };
            let meta = (name.as_str(), meta.content.as_bytes());
            rows.extend(words(Vocabulary::Tdmrep, meta, &own));
            if rows.len() >= MAX_STATED {
                break;
            }
        }
        rows.truncate(MAX_STATED);
        rows
    }
}

/// The vocabulary of the field or element with this name, in lower case.
fn vocabulary(name: &str) -> Option<Vocabulary> {
    match name {
        "content-usage" => Some(Vocabulary::ContentUsage),
        "content-signal" => Some(Vocabulary::ContentSignal),
        _ => is_tdm(name).then_some(Vocabulary::Tdmrep),
    }
}

fn is_tdm(name: &str) -> bool {
    let name = name.trim();
    ["tdm-reservation", "tdm-policy"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}

/// Whether what a field or element says has the right form. No path begins it.
fn is_readable(name: &str, value: &[u8]) -> bool {
    let value = value.trim_ascii();
    match vocabulary(name) {
        Some(Vocabulary::Tdmrep) if name == "tdm-reservation" => matches!(value, b"0" | b"1"),
        Some(Vocabulary::Tdmrep) => !value.is_empty(),
        _ => {
            let read = PreferenceStatement::read(name.as_bytes(), value, 0, Revision::latest());
            read.is_some_and(|read| read.says.is_readable && read.path.is_none())
        }
    }
}

/// The licences that a decision knows of.
fn licences(decision: &Decision<'_>) -> Vec<PreferenceRow<'static>> {
    let answers = decision
        .preferences
        .iter()
        .flat_map(|all| &all.vocabularies);
    let rsl = answers.filter(|answer| answer.vocabulary == Vocabulary::Rsl);
    let documents = rsl.flat_map(|answer| &answer.documents);
    let rows = documents.map(|document| PreferenceRow {
        found_in: document.from.name().into(),
        vocabulary: Vocabulary::Rsl.name().into(),
        key: "license".into(),
        value: document.url.clone().map(|url| cut(url).into()),
        readable: true,
        ..PreferenceRow::default()
    });
    rows.collect()
}

fn is_named(field: &FieldLine, name: &str) -> bool {
    field.name.eq_ignore_ascii_case(name)
}

/// What the table calls the kind of a rule, which is in lower case.
fn kind(rule: &str) -> &'static str {
    match RuleKind::of(rule) {
        RuleKind::Registered => "registered",
        RuleKind::Vendor => "vendor",
        RuleKind::Positive => "positive",
        _ if is_about_ai(rule) => "ai",
        _ => "unknown",
    }
}

/// The media type that the fields name, in lower case and without parameters. The last one counts.
fn media_type(fields: &[FieldLine]) -> Option<String> {
    let field = fields
        .iter()
        .rev()
        .find(|field| is_named(field, "content-type"))?;
    let name = field.value.split(|byte| *byte == b';').next()?.trim_ascii();
    (!name.is_empty()).then(|| text(name).to_ascii_lowercase())
}

/// Whether a response is HTML. Without a media type, its first bytes say so.
fn is_html(capture: &Capture) -> bool {
    if let Some(name) = media_type(&capture.fields) {
        return matches!(&*name, "text/html" | "application/xhtml+xml");
    }
    let bytes = capture.body.bytes.as_slice();
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    matches!(bytes.trim_ascii_start(), [b'<', next, ..] if *next != b'?')
}
