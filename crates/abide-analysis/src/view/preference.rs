//! What a file states about training, AI input and search, for its client.
//!
//! The answers come from the engine, for sample paths: one for each pattern of the rules and
//! preference lines that count, and one that none of them is about. Licence documents are not part
//! of a robots.txt, so what the file asks is what it asks without them.

use super::line_state::LineState;
use super::{FileView, data};
use crate::compare::{self, Openness};
use crate::preferences::{self, SiteQuestion};
use crate::sample;
use abide::explain;
use abide::preference::{Documents, LicenceState, TdmrepState, Vocabulary};
use abide::syntax::{Inspect, Line, LineStatement, PathPattern, PreferenceStatement};
use abide::verdict::{EvidenceList, Note, Place, Reason, Role, SelectedBy, Source};
use abide::{Client, Decision, Evidence, Outcome, Policy, Robots, Target, Usage, UsageDecision};
use abide_known_robots::KnownRobot;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The largest number of sample paths.
const MAX_SAMPLES: usize = 64;
/// A path that patterns match only if they match most paths.
const ANY: &str = "/abide/any";

/// What a file states about training, AI input and search.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PreferencesView {
    /// Whether the file has a preference line for any robot, or a group for a control token that
    /// the client asks about.
    pub is_stated: bool,
    /// The answer for the site by robots.txt alone, for each of [`Usage::PREFERENCES`].
    pub answers: Vec<UsageAnswer>,
    /// The licence documents that bind the client, which may ask for more, with their lines.
    pub licences: Vec<(u32, String)>,
    /// Every preference line, in file order.
    pub lines: Vec<PreferenceLine>,
    /// Every `User-agent` line that names a control token, in file order.
    pub tokens: Vec<TokenLine>,
}

/// The answer for training, AI input or search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct UsageAnswer {
    /// The usage.
    pub usage: Usage,
    /// The answer for most paths.
    pub outcome: Outcome,
    /// The line that decides, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub line: Option<u32>,
    /// The vocabulary of the deciding statement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vocabulary: Option<Vocabulary>,
    /// The control token whose group decides.
    #[serde(rename = "control_token", skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// Patterns of the file for which the answer is another one, each deciding line once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub exceptions: Vec<PathAnswer>,
    /// The reason in words, if no line decides.
    #[serde(skip)]
    pub(super) why: Option<String>,
    /// The conditions in words.
    #[serde(skip)]
    pub(super) conditions: Option<String>,
    /// Whether a group for `*` decides about a control token.
    #[serde(skip)]
    pub(super) is_by_star: bool,
    /// Whether it is disallowed only because something cannot be read.
    #[serde(skip)]
    pub(super) is_unreadable: bool,
    /// Lines about the usage in groups that do not apply.
    #[serde(skip)]
    pub(super) of_others: Vec<u32>,
    /// If a licence document was not read, so that the answer is not known: what it is without the
    /// document.
    #[serde(skip)]
    pub without_licence: Option<Outcome>,
    /// The document, in words.
    #[serde(skip)]
    pub(super) open: Option<String>,
}

/// Another answer for some paths.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PathAnswer {
    /// The pattern as the file has it.
    pub pattern: String,
    /// The answer.
    pub outcome: Outcome,
    /// The line that decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub line: Option<u32>,
}

/// A preference line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PreferenceLine {
    /// The number of the line, from 1.
    #[serde(skip)]
    pub number: u32,
    /// Its vocabulary.
    pub vocabulary: Vocabulary,
    /// Its path, as written; absent for every path.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "data::path")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub path: Option<Vec<u8>>,
    /// What it states.
    #[serde(flatten, serialize_with = "data::statement")]
    #[cfg_attr(feature = "schema", schemars(with = "data::StatementMembers"))]
    pub states: LineStatement,
    /// Its state for the client.
    #[serde(skip)]
    pub state: LineState,
    /// The `User-agent` values of its group, as written, each once; empty before the first group.
    /// Lines of a group share them.
    #[serde(skip)]
    pub addressees: Arc<[Vec<u8>]>,
    /// By usage that it states and never settles: the line that overrides it.
    #[serde(
        rename = "overridden_by",
        skip_serializing_if = "Vec::is_empty",
        serialize_with = "data::by_usage"
    )]
    #[cfg_attr(feature = "schema", schemars(with = "BTreeMap<Usage, u32>"))]
    pub overridden: Vec<(Usage, u32)>,
    /// Whether every path that it is about may not be crawled, so that it has no effect (PREF-20).
    #[serde(skip)]
    pub is_about_disallowed: bool,
}

/// A `User-agent` line that names a control token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TokenLine {
    /// The number of the line, from 1.
    #[serde(skip)]
    pub number: u32,
    /// The token.
    pub token: &'static str,
    /// Who operates what it controls.
    #[serde(skip)]
    pub operator: &'static str,
    /// The usages that its group is about.
    pub usages: &'static [Usage],
    /// The robots whose content it is about.
    pub fetchers: &'static [&'static str],
    /// Whether it is about what the client fetches.
    pub counts: bool,
    /// How much of the site its group opens; `None` if that is not proven.
    #[serde(skip)]
    pub openness: Option<Openness>,
}

impl PreferencesView {
    pub(super) fn of(view: &FileView<'_>) -> Self {
        let (policy, robots) = (view.policy, &view.robots);
        let own = robots.policy(&preferences::of_robots_txt(policy.client()));
        let question = SiteQuestion::default();
        let samples = Samples::new(&own, robots, &question);
        let mut seen = LineOutcomes::default();
        let decisions = samples.decisions(&own);
        for decision in &decisions {
            seen.add(decision);
        }
        let tokens = token_lines(policy, robots);
        let revision = policy
            .client()
            .preferences()
            .map_or_else(preferences::latest, |profile| profile.revision);
        let mut addressees = BTreeMap::new();
        let lines = robots.lines().iter().zip(&view.states);
        let lines: Vec<PreferenceLine> = lines
            .filter_map(|(line, state)| {
                let stated = robots.preference_statement(line, revision)?;
                let mut read = seen.line(line, &stated, *state);
                if let Some(group) = line.group {
                    let known = addressees.entry(group);
                    let known = known.or_insert_with(|| of_group(robots, group));
                    read.addressees = Arc::clone(known);
                }
                Some(read)
            })
            .collect();
        let licences = lines.iter().filter_map(|line| match &line.states {
            LineStatement::Licence(url) if line.state == LineState::Counts => {
                Some((line.number, url.clone()))
            }
            _ => None,
        });
        Self {
            is_stated: !lines.is_empty() || tokens.iter().any(|token| token.counts),
            answers: samples.answers(&own, &decisions),
            licences: licences.collect(),
            lines,
            tokens,
        }
    }

    /// The preference line with this number.
    #[must_use]
    pub fn line(&self, number: u32) -> Option<&PreferenceLine> {
        let at = self.lines.binary_search_by_key(&number, |line| line.number);
        self.lines.get(at.ok()?)
    }

    /// The line with this number, if it names a control token.
    #[must_use]
    pub fn token(&self, number: u32) -> Option<&TokenLine> {
        let at = self
            .tokens
            .binary_search_by_key(&number, |line| line.number);
        self.tokens.get(at.ok()?)
    }
}

/// What a file asks the client of a policy about each of [`Usage::PREFERENCES`], on most paths and
/// on others.
#[must_use]
pub fn site_answers(policy: &Policy, robots: &Robots) -> Vec<UsageAnswer> {
    site_answers_with(policy, robots, &SiteQuestion::default())
}

/// Like [`site_answers`], with the documents beside the file. The client of the policy
/// says which vocabularies count: see [`SiteQuestion::add_to`].
#[must_use]
pub fn site_answers_with(
    policy: &Policy,
    robots: &Robots,
    question: &SiteQuestion,
) -> Vec<UsageAnswer> {
    let samples = Samples::new(policy, robots, question);
    samples.answers(policy, &samples.decisions(policy))
}

/// What a file asks the client of a policy about each of [`Usage::PREFERENCES`], on most paths: the
/// outcomes of [`site_answers`], which takes longer because it also looks for exceptions.
///
/// ```
/// use abide::{Client, Outcome, Robots, Usage};
/// use abide_analysis::{preferences, view};
/// let robots = Robots::parse(b"User-agent: *\nContent-Signal: ai-train=no\n");
/// let policy = robots.policy(&preferences::with_all_preferences(&Client::unnamed()));
/// let outcomes = view::site_outcomes(&policy, &robots);
/// assert_eq!(outcomes.outcome(Usage::Train), Outcome::Prohibited);
/// assert_eq!(outcomes.outcome(Usage::AiInput), Outcome::Unspecified);
/// ```
#[must_use]
pub fn site_outcomes(policy: &Policy, robots: &Robots) -> SiteOutcomes {
    let question = SiteQuestion::default();
    let samples = Samples::without_patterns(&question);
    let decisions = samples.decisions(policy);
    if let Some(general) = decisions.iter().find(|one| is_open(policy, one)) {
        return outcomes(policy, general);
    }
    // The robot may not crawl `/`, and perhaps some paths of rules.
    let samples = Samples::new(policy, robots, &question);
    let decisions = samples.decisions(policy);
    let open = decisions.iter().find(|one| is_open(policy, one));
    open.or(decisions.first())
        .map_or_else(SiteOutcomes::default, |one| outcomes(policy, one))
}

fn outcomes(policy: &Policy, decision: &Decision<'_>) -> SiteOutcomes {
    let answers = page_answers(policy, decision).into_iter();
    SiteOutcomes(
        answers
            .map(|answer| (answer.usage, answer.outcome))
            .collect(),
    )
}

/// The outcome of each of [`Usage::PREFERENCES`] for a site; unspecified for other usages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteOutcomes(Vec<(Usage, Outcome)>);

impl SiteOutcomes {
    /// The outcome of a usage.
    #[must_use]
    pub fn outcome(&self, usage: Usage) -> Outcome {
        let found = self.0.iter().find(|(about, _)| *about == usage);
        found.map_or(Outcome::Unspecified, |(_, outcome)| *outcome)
    }
}

/// What is decided about each of [`Usage::PREFERENCES`], if the client asks for preferences.
#[must_use]
pub fn page_answers(policy: &Policy, decision: &Decision<'_>) -> Vec<UsageAnswer> {
    let preferences = Usage::PREFERENCES.iter().copied();
    preferences
        .filter_map(|usage| {
            let usage_decision = decision.usage(usage)?;
            let mut evidence = usage_decision.evidence.iter();
            let first = evidence.find(|one| one.reason != Reason::OtherGroup);
            let answer = UsageAnswer::of(policy, usage_decision, first);
            Some(without_licence(policy, decision, usage_decision).unwrap_or(answer))
        })
        .collect()
}

/// The answer for a usage that only a licence document leaves open, which was not read: what the
/// other vocabularies say.
fn without_licence(
    policy: &Policy,
    decision: &Decision<'_>,
    usage_decision: &UsageDecision<'_>,
) -> Option<UsageAnswer> {
    let open = usage_decision.evidence.first()?;
    if usage_decision.outcome != Outcome::Unknown || open.reason != Reason::LicenceNotKnown {
        return None;
    }
    let each = decision.preferences.as_ref()?.vocabularies.iter();
    let others = each.filter(|one| one.vocabulary != Vocabulary::Rsl);
    let outcomes = others.map(|one| one.outcome(usage_decision.usage));
    let outcome = outcomes.fold(Outcome::Unspecified, Outcome::stricter);
    let decides = |one: &&Evidence<'_>| {
        let is_own = one.role == Role::Overridden && one.reason != Reason::OtherGroup;
        one.vocabulary != Some(Vocabulary::Rsl) && is_own
    };
    let first = usage_decision.evidence.iter().find(decides);
    Some(UsageAnswer {
        without_licence: Some(outcome),
        open: Some(reason(open)),
        ..UsageAnswer::of(policy, usage_decision, first)
    })
}

impl UsageAnswer {
    /// The answer of a decision, of which `first` is the deciding piece.
    fn of(
        policy: &Policy,
        usage_decision: &UsageDecision<'_>,
        first: Option<&Evidence<'_>>,
    ) -> Self {
        let is_token =
            first.is_some_and(|first| first.vocabulary == Some(Vocabulary::ControlToken));
        let token = Inspect::of(policy)
            .control_tokens()
            .find(|(token, _)| is_token && token.usages.contains(&usage_decision.usage));
        let is_line =
            |first: &&Evidence<'_>| first.role != Role::Void && first.tag_place().is_none();
        Self {
            usage: usage_decision.usage,
            outcome: usage_decision.outcome,
            line: first
                .filter(is_line)
                .and_then(|first| Some(first.place?.line)),
            vocabulary: first.and_then(|first| first.vocabulary),
            token: token.map(|(token, _)| token.token.as_str().to_owned()),
            exceptions: Vec::new(),
            why: first.map(reason),
            conditions: explain::conditions(usage_decision),
            is_unreadable: first.is_some_and(|first| first.reason.is_unreadable()),
            of_others: lines_of_others(usage_decision),
            is_by_star: first.is_some_and(|first| first.notes().contains(&Note::ByStar)),
            without_licence: None,
            open: None,
        }
    }
}

/// The lines about a usage in groups that do not apply.
fn lines_of_others(usage_decision: &UsageDecision<'_>) -> Vec<u32> {
    let others = usage_decision.evidence.iter();
    let others = others.filter(|one| one.reason == Reason::OtherGroup);
    others.filter_map(|one| Some(one.place?.line)).collect()
}

/// Why evidence decides, if the sentence cannot end with its line: `line 2: a line before …`.
fn reason(first: &Evidence<'_>) -> String {
    let why = explain::why(first);
    match (first.place, first.locator()) {
        (None, Some(url)) if matches!(first.reason, Reason::SaysSo | Reason::NotListed) => {
            let kind = match first.source {
                Source::Tdmrep => "rule",
                _ => "content",
            };
            let number = first.member().unwrap_or_default();
            format!("{kind} {number} of {}", explain::visible_url(url))
        }
        (Some(Place { line, .. }), Some(url)) => {
            format!("{why}: {} (line {line})", explain::visible_url(url))
        }
        (Some(Place { line, .. }), None) => format!("line {line}: {why}"),
        (None, Some(url)) => format!("{why}: {}", explain::visible_url(url)),
        (None, None) if first.tag_place().is_some() || first.field_line().is_some() => {
            format!(
                "{} {}",
                first.source.name(),
                explain::visible(first.statement)
            )
        }
        // Without a host the document has no address.
        (None, None) if first.source == Source::Tdmrep && first.member().is_some() => {
            format!("rule {} of tdmrep.json", first.member().unwrap_or_default())
        }
        (None, None) => why,
    }
}

/// URLs, each with the pattern that it is an example of.
struct Samples<'q> {
    /// Paths, after the origin if there is one.
    all: Vec<(String, Option<String>)>,
    origin: &'q str,
    documents: &'q Documents,
}

impl<'q> Samples<'q> {
    fn without_patterns(question: &'q SiteQuestion) -> Self {
        let origin = question.origin.as_deref().unwrap_or_default();
        Self {
            all: vec![
                (format!("{origin}{ANY}"), None),
                (format!("{origin}/"), Some("/".to_owned())),
            ],
            origin,
            documents: &question.documents,
        }
    }

    fn new(policy: &Policy, robots: &Robots, question: &'q SiteQuestion) -> Self {
        let mut samples = Self::without_patterns(question);
        let profile = policy.client().preferences();
        let revision = profile.map_or_else(preferences::latest, |profile| profile.revision);
        let counting: BTreeSet<u32> = Inspect::of(policy).preference_lines().into_iter().collect();
        for line in robots.lines() {
            if counting.contains(&line.number)
                && let Some(path) = robots
                    .preference_statement(line, revision)
                    .and_then(|stated| stated.path)
                && let Ok(pattern) = PathPattern::read(path)
            {
                samples.add(path, &pattern);
            }
        }
        let tokens = Inspect::of(policy).control_tokens().map(|(_, rules)| rules);
        for rules in tokens.chain([policy]) {
            for rule in robots.rules(rules) {
                if let Ok(pattern) = &rule.pattern {
                    samples.add(rule.value, pattern);
                }
            }
        }
        for path in samples.paths_of_documents() {
            if let Ok(pattern) = PathPattern::read(path.as_bytes()) {
                samples.add(path.as_bytes(), &pattern);
            }
        }
        samples
    }

    /// The patterns of the documents.
    fn paths_of_documents(&self) -> Vec<&'q str> {
        let licences = self.documents.licences();
        let contents = licences.filter_map(|(_, state)| match state {
            LicenceState::Read(document) => Some(&document.contents),
            LicenceState::NotKnown | LicenceState::Unreadable => None,
        });
        let urls = contents.flatten().map(|content| &*content.url);
        let own = urls.filter_map(|url| {
            let path = url.strip_prefix(self.origin).unwrap_or(url);
            path.starts_with('/').then_some(path)
        });
        let rules = match self.documents.tdmrep() {
            Some(TdmrepState::File(file) | TdmrepState::LastKnown(file)) => &file.rules[..],
            _ => &[],
        };
        let locations = rules.iter().flatten();
        let locations = locations.filter_map(|rule| rule.location.as_deref());
        own.chain(locations).collect()
    }

    fn add(&mut self, written: &[u8], pattern: &PathPattern<'_>) {
        if self.all.len() >= MAX_SAMPLES {
            return;
        }
        let path = sample::matching(pattern).filter(|path| Target::new(path).is_ok());
        let url = path.map(|path| format!("{}{path}", self.origin));
        if let Some(url) = url
            && self.all.iter().all(|(known, _)| *known != url)
        {
            self.all.push((url, Some(explain::visible(written))));
        }
    }

    fn decisions<'p>(&'p self, policy: &'p Policy) -> Vec<Decision<'p>> {
        let targets = self
            .all
            .iter()
            .filter_map(|(url, _)| Some(Target::new(url).ok()?.with_documents(self.documents)));
        targets.map(|target| policy.decide(&target)).collect()
    }

    /// The answers for most paths that may be crawled, and the exceptions among them.
    fn answers(&self, policy: &Policy, decisions: &[Decision<'_>]) -> Vec<UsageAnswer> {
        let is_open = |decision: &Decision<'_>| is_open(policy, decision);
        let most = decisions.iter().position(is_open).unwrap_or_default();
        let Some(general) = decisions.get(most) else {
            return Vec::new();
        };
        let mut answers = page_answers(policy, general);
        let mut known = vec![BTreeSet::new(); answers.len()];
        let others = decisions.iter().zip(&self.all).enumerate();
        for (at, (decision, (_, pattern))) in others {
            if at == most || !is_open(decision) {
                continue;
            }
            let pattern = shown(pattern.as_deref());
            let others = page_answers(policy, decision);
            for ((answer, known), other) in answers.iter_mut().zip(&mut known).zip(others) {
                // Rules of documents have no line of the file.
                let key = (other.line, other.line.is_none().then_some(pattern));
                if other.outcome != answer.outcome && known.insert(key) {
                    answer.exceptions.push(PathAnswer {
                        pattern: pattern.to_owned(),
                        outcome: other.outcome,
                        line: other.line,
                    });
                }
            }
        }
        answers
    }
}

/// The pattern of a sample, or what its path stands for.
fn shown(pattern: Option<&str>) -> &str {
    pattern.unwrap_or("other paths")
}

/// Whether a path counts for what a file asks on most paths: those that may be crawled.
fn is_open(policy: &Policy, decision: &Decision<'_>) -> bool {
    // A control token crawls nothing: what its rules disallow is the answer itself.
    decision.outcome(Usage::Crawl) != Outcome::Prohibited
        || preferences::asks_about_itself(policy.client())
}

/// What the decisions about samples say of each line.
#[derive(Default)]
struct LineOutcomes {
    words: BTreeMap<(u32, Usage), UsageEffect>,
}

/// What became of a line for one usage.
#[derive(Clone, Copy, Default)]
struct UsageEffect {
    settles: bool,
    overridden_by: Option<u32>,
    is_about_disallowed: bool,
}

impl LineOutcomes {
    fn add(&mut self, decision: &Decision<'_>) {
        for one in &decision.usages {
            if !Usage::PREFERENCES.contains(&one.usage) {
                continue;
            }
            for evidence in &one.evidence {
                let Some(place) = evidence.place else {
                    continue;
                };
                if evidence.reason == Reason::OtherGroup {
                    continue;
                }
                let word = self.words.entry((place.line, one.usage)).or_default();
                match (evidence.role, evidence.reason) {
                    (Role::Decided | Role::Agreed, _) => word.settles = true,
                    // A limit of use adds a condition to a permission, and takes nothing from it.
                    (Role::Overridden, _) if one.outcome == Outcome::Conditional => {
                        word.settles = true;
                    }
                    (Role::Overridden, _) => word.overridden_by = winner(&one.evidence, evidence),
                    (_, Reason::CrawlProhibited) => word.is_about_disallowed = true,
                    _ => {}
                }
            }
        }
    }

    fn line(
        &self,
        line: &Line,
        stated: &PreferenceStatement<'_>,
        state: LineState,
    ) -> PreferenceLine {
        let usages: Vec<Usage> = match &stated.states() {
            LineStatement::Usages(each, _) => each.iter().map(|(usage, _)| *usage).collect(),
            _ => Vec::new(),
        };
        let words = usages.iter().filter_map(|usage| {
            let word = self.words.get(&(line.number, *usage))?;
            Some((*usage, *word))
        });
        let words: Vec<(Usage, UsageEffect)> = words.filter(|(_, word)| !word.settles).collect();
        let is_about_disallowed = words.len() == usages.len()
            && !words.is_empty()
            && words
                .iter()
                .all(|(_, word)| word.is_about_disallowed && word.overridden_by.is_none());
        PreferenceLine {
            number: line.number,
            vocabulary: stated.vocabulary,
            path: stated.path.map(<[u8]>::to_vec),
            states: stated.states(),
            state,
            addressees: Arc::default(),
            overridden: words
                .iter()
                .filter_map(|(usage, word)| Some((*usage, word.overridden_by?)))
                .collect(),
            is_about_disallowed,
        }
    }
}

/// The line that overrides `evidence`: of its own vocabulary if one decides there.
fn winner(all: &EvidenceList<'_>, evidence: &Evidence<'_>) -> Option<u32> {
    let decides = |one: &&Evidence<'_>| one.role == Role::Decided && one.place.is_some();
    let own = |one: &&Evidence<'_>| one.vocabulary == evidence.vocabulary;
    let winner = all.iter().filter(decides).find(own);
    let winner = winner.or_else(|| all.iter().find(decides));
    winner.and_then(|winner| Some(winner.place?.line))
}

/// The `User-agent` values of a group, each once.
fn of_group(robots: &Robots, group: usize) -> Arc<[Vec<u8>]> {
    let group = robots.groups().get(group);
    let starters = group.into_iter().flat_map(|group| &group.starters);
    let lines = starters.filter_map(|at| robots.lines().get(*at)?.field());
    let values = lines.map(|field| field.value.of(robots.text().as_bytes()));
    let mut seen = BTreeSet::new();
    let values = values.filter(|value| seen.insert(*value));
    values.map(<[u8]>::to_vec).collect()
}

/// What the `User-agent` lines of control tokens are for the client.
fn token_lines(policy: &Policy, robots: &Robots) -> Vec<TokenLine> {
    let mut known: BTreeMap<&str, Option<TokenLine>> = BTreeMap::new();
    let lines = robots.lines().iter().filter_map(|line| {
        let token = preferences::named_token(robots, line)?;
        let known = known.entry(token.token);
        let of_token = known
            .or_insert_with(|| of_token(policy, robots, token))
            .as_ref();
        Some(TokenLine {
            number: line.number,
            ..of_token?.clone()
        })
    });
    lines.collect()
}

/// What the lines of a control token are for the client.
fn of_token(policy: &Policy, robots: &Robots, token: &'static KnownRobot) -> Option<TokenLine> {
    let mut profile = Inspect::of(policy).control_tokens();
    let counts = profile.find(|(control_token, _)| {
        control_token
            .token
            .as_str()
            .eq_ignore_ascii_case(token.token)
    });
    let own = counts.map(|(_, rules)| rules.client().clone());
    let client = own.clone().or_else(|| {
        Some(Client::new(token.control_token()?.token).with_profile(robots.profile()))
    })?;
    let access = compare::openness(robots, &client);
    Some(TokenLine {
        number: 0,
        token: token.token,
        operator: token.operator,
        usages: token.controls,
        fetchers: token.fetchers,
        counts: own.is_some(),
        openness: access.is_exact.then_some(access.class),
    })
}

/// The lines of the groups of control tokens that are about what the client fetches.
pub(super) fn token_groups(policy: &Policy) -> BTreeSet<u32> {
    let groups = Inspect::of(policy)
        .control_tokens()
        .flat_map(|(_, rules)| rules.chosen_groups());
    let own = groups.filter(|group| matches!(group.by, SelectedBy::ProductToken(_)));
    own.map(|group| group.place.line).collect()
}
