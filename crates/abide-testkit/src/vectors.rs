//! The conformance vectors in `vectors/*.toml`: their format and their reader.
//!
//! A file holds any number of ten kinds of tables. Unknown fields are errors, because a misspelt
//! expectation would otherwise pass unnoticed.

use base64::Engine;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

/// Files of vectors, in the order in which they are read.
pub const FILES: [&str; 9] = [
    "rep",
    "purpose",
    "tag",
    "app",
    "acap",
    "cross",
    "fetch",
    "preference",
    "readings",
];

/// The vectors of one file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct VectorFile {
    /// Decisions about a URL.
    pub decision: Vec<DecisionVector>,
    /// Canonical forms of paths and patterns.
    pub normal: Vec<NormalVector>,
    /// Tokens with which a client can be built.
    pub token: Vec<TokenVector>,
    /// How files split into lines.
    pub parse: Vec<ParseVector>,
    /// Robots tags.
    pub tags: Vec<TagVector>,
    /// Directives of applications.
    pub applications: Vec<ApplicationVector>,
    /// Values parsed as lists of structured fields.
    pub structured: Vec<StructuredVector>,
    /// Answers composed from all sources.
    pub composed: Vec<ComposedVector>,
    /// Which of two ACAP patterns is narrower.
    pub scope: Vec<ScopeVector>,
    /// Results of fetching, and the rules that apply afterwards.
    pub retrieval: Vec<RetrievalVector>,
}

/// Attempts to fetch a site's robots.txt, and the rules that apply at instants between and after
/// them. Instants are seconds since the first attempt.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RetrievalVector {
    /// The requirement or ambiguity that the vector is about.
    pub id: String,
    /// Other requirements that it shows.
    #[serde(default)]
    pub also: Vec<String>,
    /// Name, unique in its file.
    pub name: String,
    /// Settings of the client [default: the library's defaults].
    #[serde(default)]
    pub settings: RetrievalSettings,
    /// The attempts, in order.
    #[serde(default)]
    pub events: Vec<Attempt>,
    /// The questions, in order.
    pub ask: Vec<ExpectedRules>,
}

/// The retrieval settings of a client.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RetrievalSettings {
    /// Minimum lifetime of every answer, in seconds.
    pub min_lifetime: Option<u64>,
    /// Seconds of being unreachable after which `after_grace` applies.
    pub grace: Option<u64>,
    /// `copy-else-allow`, `copy-else-disallow` or `disallow`.
    pub after_grace: Option<String>,
    /// `unreachable` or `unavailable`.
    pub while_429: Option<String>,
}

/// One attempt to fetch robots.txt.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    /// When the response arrived.
    pub at: i64,
    /// The number of redirects before the final response, each to another authority.
    #[serde(default)]
    pub redirects: usize,
    /// The final status.
    pub status: Option<u16>,
    /// The failure, if there is no status.
    pub error: Option<String>,
    /// Field lines of the final response.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
    /// Its body.
    #[serde(default)]
    pub body: String,
}

/// The rules that apply at an instant.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedRules {
    /// The instant.
    pub at: i64,
    /// The outcome for `/x`: `permitted`, `prohibited` or `unknown`.
    pub x: String,
    /// The outcome for `/y`.
    pub y: String,
    /// The reason.
    pub why: Option<String>,
    /// Seconds until the next attempt is due.
    pub next: Option<i64>,
}

/// The outcomes of all sources together for the usages of a URL. The fields of the question are
/// written as in a request of the decision contract.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComposedVector {
    /// The requirement or ambiguity that the vector is about.
    pub id: String,
    /// Other requirements that it shows.
    #[serde(default)]
    pub also: Vec<String>,
    /// Name, unique in its file.
    pub name: String,
    /// Body of robots.txt.
    pub robots: Option<String>,
    /// Recipe for the body of robots.txt, if it is long.
    pub robots_repeat: Option<Repeat>,
    /// HTTP status of the fetch.
    pub robots_status: Option<u16>,
    /// Network failure of the fetch.
    pub robots_error: Option<String>,
    /// Results of fetching permissions references, by locator.
    #[serde(default)]
    pub references: BTreeMap<String, ReferenceText>,
    /// Product tokens of the client, in order.
    pub agent: Vec<String>,
    /// Purposes that the client claims.
    #[serde(default)]
    pub purposes: Vec<String>,
    /// Applications to decide for: an identifier, followed by `@` and a product token if it has its
    /// own.
    #[serde(default)]
    pub applications: Vec<String>,
    /// The profile [default: `careful`].
    pub profile: Option<String>,
    /// Readings that the client chooses in place of abide's own, by the ID of the ambiguous point
    /// and a name.
    #[serde(default)]
    pub readings: Vec<String>,
    /// The client's ACAP settings.
    #[serde(default)]
    pub acap: AcapClient,
    /// The member `preferences` of the request, if the preferences are asked for.
    pub preferences: Option<toml::Table>,
    /// The URL in question.
    pub url: String,
    /// Field lines of the response: name and value.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
    /// The page's source.
    pub html: Option<String>,
    /// Source of the page after rendering.
    pub rendered_html: Option<String>,
    /// The instant of the decision, RFC 3339 [default: the beginning of 2000].
    pub now: Option<String>,
    /// When the resource was first indexed, RFC 3339.
    pub first_indexed: Option<String>,
    /// When the resource was first copied, RFC 3339.
    pub first_copied: Option<String>,
    /// Version of the resource: `latest` or `old`.
    pub version: Option<String>,
    /// Outcomes by usage.
    #[serde(default)]
    pub outcomes: BTreeMap<String, String>,
    /// Code of the error with which the request is refused. It has no outcomes then.
    pub error: Option<String>,
    /// All words that a vocabulary settles, by vocabulary and word.
    #[serde(default)]
    pub words: BTreeMap<String, BTreeMap<String, String>>,
    /// Outcomes of a vocabulary on its own, by vocabulary and usage.
    #[serde(default)]
    pub by_vocabulary: BTreeMap<String, BTreeMap<String, String>>,
    /// URLs of all licence documents that bind the client, in order.
    pub documents: Option<Vec<String>>,
    /// All conditions by usage: kind, space, value.
    #[serde(default)]
    pub conditions: BTreeMap<String, Vec<String>>,
    /// Line of the deciding piece of evidence, by usage.
    #[serde(default)]
    pub lines: BTreeMap<String, u32>,
    /// Source of the deciding piece of evidence, by usage.
    #[serde(default)]
    pub sources: BTreeMap<String, String>,
    /// Reason of the deciding piece of evidence, by usage.
    #[serde(default)]
    pub reasons: BTreeMap<String, String>,
    /// Notes of the deciding piece of evidence, by usage.
    #[serde(default)]
    pub notes: BTreeMap<String, Vec<String>>,
    /// Directives by application.
    #[serde(default)]
    pub directives: BTreeMap<String, BTreeMap<String, String>>,
    /// What is registered, as the member `registry` of a request.
    pub registry: Option<toml::Table>,
    /// Outcomes of AI preferences for an application, by application and usage.
    #[serde(default)]
    pub application_outcomes: BTreeMap<String, BTreeMap<String, String>>,
    /// Line of the piece of evidence that decides them.
    #[serde(default)]
    pub application_lines: BTreeMap<String, BTreeMap<String, u32>>,
    /// All lines that directives override, by application and usage.
    #[serde(default)]
    pub application_overridden: BTreeMap<String, BTreeMap<String, Vec<u32>>>,
    /// All action requests: action, space, path.
    pub action_requests: Option<Vec<String>>,
    /// All URLs that the decision needs.
    pub needs: Option<Vec<String>>,
    /// Diagnostic codes that must be reported.
    #[serde(default)]
    pub diagnostics: Vec<String>,
    /// Diagnostic codes that must not be reported.
    #[serde(default)]
    pub no_diagnostics: Vec<String>,
}

/// The result of fetching a permissions reference.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(untagged)]
pub enum ReferenceText {
    /// The body of the file.
    Body(String),
    /// An HTTP status.
    Status {
        /// The status.
        status: u16,
    },
    /// A network failure.
    Error {
        /// Name of the failure.
        error: String,
    },
}

/// The ACAP settings of a client.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct AcapClient {
    /// Names of the client [default: the product tokens].
    pub names: Vec<String>,
    /// Usage purposes that the client recognises as its own.
    pub purposes: Vec<String>,
    /// Whether the client may use features that require a prior arrangement.
    pub prior_arrangement: bool,
    /// Qualifiers that the client cannot honour.
    pub unsupported: Vec<String>,
    /// `full`, `restrict` or `off` [default: `full`].
    pub mode: Option<String>,
}

/// The answer of an interface about an AI preference for an application, to compare with a vector.
#[derive(Clone, Debug, Default)]
pub struct SaidForApplication {
    /// The outcome.
    pub outcome: String,
    /// Line of the deciding piece of evidence.
    pub line: Option<u32>,
    /// The lines that directives override.
    pub overridden: Vec<u32>,
}

/// The answer of an interface about one usage, to compare with a vector.
#[derive(Clone, Debug, Default)]
pub struct SaidOfUsage {
    /// The outcome.
    pub outcome: String,
    /// Conditions: kind, space, value.
    pub conditions: Vec<String>,
    /// Line of the deciding piece of evidence.
    pub line: Option<u32>,
    /// Source of the deciding piece of evidence.
    pub source: Option<String>,
    /// Reason of the deciding piece of evidence.
    pub reason: Option<String>,
    /// Notes of the deciding piece of evidence.
    pub notes: Vec<String>,
}

/// What a vector expects by application and usage.
fn each<T>(
    expected: &BTreeMap<String, BTreeMap<String, T>>,
) -> impl Iterator<Item = (&str, &str, &T)> {
    expected.iter().flat_map(|(id, usages)| {
        let usages = usages.iter();
        usages.map(move |(usage, expected)| (id.as_str(), usage.as_str(), expected))
    })
}

impl ComposedVector {
    /// The bytes of robots.txt, or `None` if the vector gives none.
    #[must_use]
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let recipe = self.robots_repeat.as_ref().map(Repeat::text);
        self.robots.clone().or(recipe).map(String::into_bytes)
    }

    /// The instant of the decision.
    #[must_use]
    pub fn instant(&self) -> &str {
        self.now.as_deref().unwrap_or("2000-01-01T00:00:00Z")
    }

    /// Compares the answers of an interface with the outcomes that the vector expects.
    ///
    /// # Panics
    /// Panics if they differ.
    pub fn check_usages(&self, answer_of: impl Fn(&str) -> SaidOfUsage) {
        let name = format!("{} {}", self.id, self.name);
        for (usage, expected) in &self.outcomes {
            let answer_of = answer_of(usage);
            assert_eq!(
                answer_of.outcome, *expected,
                "{name}: {usage}: {answer_of:?}"
            );
        }
        for (usage, expected) in &self.conditions {
            assert_eq!(answer_of(usage).conditions, *expected, "{name}: {usage}");
        }
        for (usage, expected) in &self.lines {
            assert_eq!(answer_of(usage).line, Some(*expected), "{name}: {usage}");
        }
        for (usage, expected) in &self.sources {
            let source = answer_of(usage).source;
            assert_eq!(source.as_ref(), Some(expected), "{name}: {usage}");
        }
        for (usage, expected) in &self.reasons {
            let reason = answer_of(usage).reason;
            assert_eq!(reason.as_ref(), Some(expected), "{name}: {usage}");
        }
        for (usage, expected) in &self.notes {
            assert_eq!(answer_of(usage).notes, *expected, "{name}: {usage}");
        }
    }

    /// Compares what an interface says about an application and a usage with what the vector
    /// expects.
    ///
    /// # Panics
    /// Panics if they differ.
    pub fn check_applications(&self, answer_of: impl Fn(&str, &str) -> SaidForApplication) {
        let name = format!("{} {}", self.id, self.name);
        for (id, usage, expected) in each(&self.application_outcomes) {
            assert_eq!(
                answer_of(id, usage).outcome,
                *expected,
                "{name}: {id} {usage}"
            );
        }
        for (id, usage, expected) in each(&self.application_lines) {
            let line = answer_of(id, usage).line;
            assert_eq!(line, Some(*expected), "{name}: {id} {usage}");
        }
        for (id, usage, expected) in each(&self.application_overridden) {
            let overridden = answer_of(id, usage).overridden;
            assert_eq!(overridden, *expected, "{name}: {id} {usage}");
        }
    }

    /// Compares what an interface says under `preferences` with what the vector expects: the words
    /// by vocabulary, the outcomes by vocabulary and usage, and the URLs of the licence documents.
    ///
    /// # Panics
    /// Panics if they differ.
    pub fn check_preferences(
        &self,
        words: &BTreeMap<String, BTreeMap<String, String>>,
        usages: &BTreeMap<String, BTreeMap<String, String>>,
        documents: &[String],
    ) {
        let name = format!("{} {}", self.id, self.name);
        for (vocabulary, expected) in &self.words {
            let found = words.get(vocabulary);
            assert_eq!(found, Some(expected), "{name}: words of {vocabulary}");
        }
        for (vocabulary, expected) in &self.by_vocabulary {
            let found = usages.get(vocabulary);
            for (usage, outcome) in expected {
                let found = found.and_then(|usages| usages.get(usage));
                assert_eq!(found, Some(outcome), "{name}: {usage} in {vocabulary}");
            }
        }
        if let Some(expected) = &self.documents {
            assert_eq!(documents, expected, "{name}: documents");
        }
    }
}

/// Which of two ACAP patterns is narrower.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScopeVector {
    /// The requirement or ambiguity.
    pub id: String,
    /// Name, unique in its file.
    pub name: String,
    /// The first pattern.
    pub a: String,
    /// The second pattern.
    pub b: String,
    /// `a`, `b`, `same` or `undecidable`.
    pub narrower: String,
}

/// The outcome of crawling a URL, given a robots.txt or the result of fetching it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecisionVector {
    /// The requirement or ambiguity that the vector is about.
    pub id: String,
    /// Other requirements that it shows.
    #[serde(default)]
    pub also: Vec<String>,
    /// Name, unique in its file.
    pub name: String,
    /// Body of robots.txt.
    pub robots: Option<String>,
    /// Body of robots.txt in base64, if it is not UTF-8.
    pub robots_base64: Option<String>,
    /// Recipe for the body of robots.txt, if it is long.
    pub robots_repeat: Option<Repeat>,
    /// Product tokens of the client, in order.
    pub agent: Vec<String>,
    /// Purposes that the client claims.
    #[serde(default)]
    pub purposes: Vec<String>,
    /// Whether product tokens may contain characters that the grammar excludes.
    #[serde(default)]
    pub nonstandard_token: bool,
    /// The profile [default: `careful`].
    pub profile: Option<String>,
    /// HTTP status of the fetch.
    pub robots_status: Option<u16>,
    /// Network failure of the fetch.
    pub robots_error: Option<String>,
    /// The URL in question.
    pub url: String,
    /// `permitted`, `prohibited` or `unknown`.
    pub expect: String,
    /// Line of the deciding rule.
    pub line: Option<u32>,
    /// Text of the deciding rule, from key to value.
    pub statement: Option<String>,
    /// How the group of the deciding rule was selected: `product-token`, `purpose` or
    /// `any-crawler`.
    pub selected_by: Option<String>,
    /// Number of bytes in the pattern of the deciding rule.
    pub bytes: Option<u32>,
    /// Diagnostic codes that must be reported.
    #[serde(default)]
    pub diagnostics: Vec<String>,
    /// Diagnostic codes that must not be reported.
    #[serde(default)]
    pub no_diagnostics: Vec<String>,
    /// All values of `Sitemap`, in order.
    pub sitemaps: Option<Vec<String>>,
    /// `Crawl-delay` in seconds: 0 if none applies.
    pub crawl_delay: Option<f64>,
    /// URL of the robots.txt that applies to the URL in question.
    pub robots_url: Option<String>,
}

/// A recipe for a body: `head`, then `unit` repeated `times` times, then `tail`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repeat {
    /// Text before the repeated part.
    #[serde(default)]
    pub head: String,
    /// The repeated text.
    pub unit: String,
    /// Number of repetitions.
    pub times: usize,
    /// Text after the repeated part.
    #[serde(default)]
    pub tail: String,
}

/// The rules that a response and its page state.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TagVector {
    /// The requirement or ambiguity that the vector is about.
    pub id: String,
    /// Other requirements that it shows.
    #[serde(default)]
    pub also: Vec<String>,
    /// Name, unique in its file.
    pub name: String,
    /// Lines of `Robots-Tag`.
    #[serde(default)]
    pub robots_tag: Vec<String>,
    /// Recipe for one line of `Robots-Tag`, if it is long.
    pub robots_tag_repeat: Option<Repeat>,
    /// Lines of `X-Robots-Tag`.
    #[serde(default)]
    pub x_robots_tag: Vec<String>,
    /// Other field lines: name and value.
    #[serde(default)]
    pub fields: Vec<(String, String)>,
    /// The page's source.
    pub html: Option<String>,
    /// Source of the page after rendering.
    pub rendered_html: Option<String>,
    /// Body of robots.txt [default: empty].
    #[serde(default)]
    pub robots: String,
    /// Product tokens of the client, in order.
    pub agent: Vec<String>,
    /// Purposes that the client claims.
    #[serde(default)]
    pub purposes: Vec<String>,
    /// The profile [default: `careful`].
    pub profile: Option<String>,
    /// The instant, RFC 3339.
    pub now: Option<String>,
    /// The effective rules: `true`, or the value as text.
    pub expect: BTreeMap<String, RuleValue>,
    /// The unknown rules, sorted by name [default: not checked].
    pub unknown: Option<Vec<String>>,
    /// Diagnostic codes that must be reported.
    #[serde(default)]
    pub diagnostics: Vec<String>,
    /// Diagnostic codes that must not be reported.
    #[serde(default)]
    pub no_diagnostics: Vec<String>,
    /// Outcomes by usage.
    #[serde(default)]
    pub outcomes: BTreeMap<String, String>,
    /// Conditions by usage: kind, space, value.
    #[serde(default)]
    pub conditions: BTreeMap<String, Vec<String>>,
}

/// The value of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum RuleValue {
    /// The rule has no value.
    Stated(bool),
    /// The value as text.
    Text(String),
}

impl RuleValue {
    /// The text, if there is one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Stated(_) => None,
            Self::Text(text) => Some(text),
        }
    }
}

impl TagVector {
    /// All field lines, in order.
    #[must_use]
    pub fn field_lines(&self) -> Vec<(String, String)> {
        let named = |name: &str, value: &String| (name.to_owned(), value.clone());
        let long = self.robots_tag_repeat.as_ref().map(Repeat::text);
        let tags = self
            .robots_tag
            .iter()
            .chain(long.as_ref())
            .map(|value| named("Robots-Tag", value));
        let older = self
            .x_robots_tag
            .iter()
            .map(|value| named("X-Robots-Tag", value));
        tags.chain(older)
            .chain(self.fields.iter().cloned())
            .collect()
    }
}

/// The directives of a robots.txt to an application for a resource.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApplicationVector {
    /// The requirement or ambiguity that the vector is about.
    pub id: String,
    /// Other requirements that it shows.
    #[serde(default)]
    pub also: Vec<String>,
    /// Name, unique in its file.
    pub name: String,
    /// Body of robots.txt.
    pub robots: String,
    /// The application's identifier.
    pub application: String,
    /// The application's product tokens, in order.
    pub product_tokens: Vec<String>,
    /// The URL in question.
    pub url: String,
    /// The directives that apply, with their values as structured fields write them; a Byte
    /// Sequence is written as its content.
    pub expect: BTreeMap<String, String>,
    /// Whether the client, whose name is `client`, may not fetch the resource.
    #[serde(default)]
    pub crawl_disallowed: bool,
    /// Diagnostic codes that must be reported.
    #[serde(default)]
    pub diagnostics: Vec<String>,
    /// Diagnostic codes that must not be reported.
    #[serde(default)]
    pub no_diagnostics: Vec<String>,
}

/// A value that is or is not a List of structured fields.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StructuredVector {
    /// The requirement or ambiguity.
    pub id: String,
    /// Name, unique in its file.
    pub name: String,
    /// The value.
    pub value: String,
    /// Whether a parser of RFC 9651 accepts it.
    pub valid: bool,
}

/// The canonical forms of a path or pattern.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NormalVector {
    /// The requirement or ambiguity.
    pub id: String,
    /// Name, unique in its file.
    pub name: String,
    /// Path and query, or a pattern without its final `$`.
    pub input: String,
    /// Whether the input is a pattern, in which `*` is a wildcard.
    #[serde(default)]
    pub pattern: bool,
    /// Form C1.
    pub c1: String,
    /// Form C2.
    pub c2: String,
}

/// A text that is or is not a token.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenVector {
    /// The requirement or ambiguity.
    pub id: String,
    /// Name, unique in its file.
    pub name: String,
    /// `product`, `nonstandard` or `purpose`.
    pub kind: String,
    /// The text.
    pub token: String,
    /// Whether it is a token of that kind.
    pub valid: bool,
}

/// The number of lines in a file, and the number of one of them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParseVector {
    /// The requirement or ambiguity.
    pub id: String,
    /// Name, unique in its file.
    pub name: String,
    /// Body of robots.txt.
    pub robots: String,
    /// How many lines it has.
    pub lines: usize,
    /// One of its lines.
    pub line_of: Option<LineOf>,
}

/// A line, identified by its text.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineOf {
    /// The whole line, without its line ending.
    pub text: String,
    /// Its number, counted from 1.
    pub number: u32,
}

impl Repeat {
    /// The text that the recipe produces.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}{}{}", self.head, self.unit.repeat(self.times), self.tail)
    }
}

impl DecisionVector {
    /// The bytes of robots.txt, or `None` if the vector gives only a status or a failure.
    ///
    /// # Panics
    /// Panics if the body is given twice or is not base64.
    #[must_use]
    pub fn bytes(&self) -> Option<Vec<u8>> {
        match (&self.robots, &self.robots_base64, &self.robots_repeat) {
            (Some(text), None, None) => Some(text.clone().into_bytes()),
            (None, Some(encoded), None) => {
                let decoded = base64::engine::general_purpose::STANDARD.decode(encoded);
                Some(decoded.unwrap_or_else(|error| panic!("{}: {error}", self.name)))
            }
            (None, None, Some(recipe)) => Some(recipe.text().into_bytes()),
            (None, None, None) => None,
            _ => panic!("{}: more than one body", self.name),
        }
    }
}

impl VectorFile {
    /// The requirement IDs that the vectors of the file show, with repetitions.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        let further = self.decision.iter().flat_map(|vector| &vector.also);
        let further = further.chain(self.tags.iter().flat_map(|vector| &vector.also));
        let further = further.chain(self.applications.iter().flat_map(|vector| &vector.also));
        let further = further.chain(self.composed.iter().flat_map(|vector| &vector.also));
        let further = further.chain(self.retrieval.iter().flat_map(|vector| &vector.also));
        self.vectors()
            .map(|(id, _)| id)
            .chain(further.map(String::as_str))
    }

    /// ID and name of every vector.
    fn vectors(&self) -> impl Iterator<Item = (&str, &str)> {
        let decisions = self.decision.iter().map(|v| (&v.id, &v.name));
        let normals = self.normal.iter().map(|v| (&v.id, &v.name));
        let tokens = self.token.iter().map(|v| (&v.id, &v.name));
        let parses = self.parse.iter().map(|v| (&v.id, &v.name));
        let tags = self.tags.iter().map(|v| (&v.id, &v.name));
        let applications = self.applications.iter().map(|v| (&v.id, &v.name));
        let lists = self.structured.iter().map(|v| (&v.id, &v.name));
        let composed = self.composed.iter().map(|v| (&v.id, &v.name));
        let scopes = self.scope.iter().map(|v| (&v.id, &v.name));
        let retrievals = self.retrieval.iter().map(|v| (&v.id, &v.name));
        let all = decisions
            .chain(normals)
            .chain(tokens)
            .chain(parses)
            .chain(tags)
            .chain(applications)
            .chain(lists)
            .chain(composed)
            .chain(scopes)
            .chain(retrievals);
        all.map(|(id, name)| (id.as_str(), name.as_str()))
    }
}

/// Compares the diagnostics of an interface with those that a vector expects and excludes.
///
/// # Panics
/// Panics if an expected code is missing or an excluded code is reported.
pub fn check_codes(name: &str, found: &[&str], wanted: &[String], unwanted: &[String]) {
    for code in wanted {
        assert!(
            found.contains(&code.as_str()),
            "{name}: {code} is not among {found:?}"
        );
    }
    for code in unwanted {
        assert!(
            !found.contains(&code.as_str()),
            "{name}: {code} is among {found:?}"
        );
    }
}

/// The folder of the vectors.
#[must_use]
pub fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors"))
}

/// Reads all vectors, by the name of their file.
///
/// # Panics
/// Panics if a file cannot be read or a name occurs twice.
#[must_use]
pub fn load() -> Vec<(String, VectorFile)> {
    FILES
        .iter()
        .map(|name| ((*name).to_owned(), load_file(name)))
        .collect()
}

fn load_file(name: &str) -> VectorFile {
    let path = folder().join(format!("{name}.toml"));
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file: VectorFile =
        toml::from_str(&text).unwrap_or_else(|error| panic!("{name}.toml: {error}"));
    let mut seen = BTreeSet::new();
    for (_, vector) in file.vectors() {
        assert!(
            seen.insert(vector.to_owned()),
            "{name}.toml: two vectors are called {vector}"
        );
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_read() {
        for (name, file) in load() {
            assert!(file.ids().next().is_some(), "{name}.toml has no vectors");
            assert!(
                file.decision.iter().all(|vector| !vector.agent.is_empty()),
                "{name}.toml"
            );
            for vector in &file.composed {
                assert!(!vector.agent.is_empty(), "{name}.toml: {}", vector.name);
                let nothing = vector.outcomes.is_empty()
                    && vector.words.is_empty()
                    && vector.by_vocabulary.is_empty()
                    && vector.documents.is_none()
                    && vector.needs.is_none();
                assert_eq!(
                    nothing,
                    vector.error.is_some(),
                    "{name}.toml: {}: either an answer or an error",
                    vector.name
                );
            }
        }
    }

    #[test]
    fn preferences_are_compared() {
        let vector: VectorFile = toml::from_str(
            "[[composed]]\nid = 'X'\nname = 'x'\nagent = ['f']\nurl = '/'\n\
             words = { rsl = {} }\nby_vocabulary = { rsl = { train = 'unspecified' } }\n\
             documents = ['https://l.example/']",
        )
        .expect("a vector");
        let vector = &vector.composed[0];
        let of = |key: &str, value: &str| BTreeMap::from([(key.to_owned(), value.to_owned())]);
        let words = BTreeMap::from([("rsl".to_owned(), BTreeMap::new())]);
        let usages = BTreeMap::from([("rsl".to_owned(), of("train", "unspecified"))]);
        let documents = ["https://l.example/".to_owned()];
        vector.check_preferences(&words, &usages, &documents);
        let differs = |check: &dyn Fn()| {
            let check = std::panic::AssertUnwindSafe(check);
            std::panic::catch_unwind(check).is_err()
        };
        let others = BTreeMap::from([("rsl".to_owned(), of("all", "permitted"))]);
        assert!(differs(
            &|| vector.check_preferences(&others, &usages, &documents)
        ));
        let others = BTreeMap::from([("rsl".to_owned(), of("train", "permitted"))]);
        assert!(differs(
            &|| vector.check_preferences(&words, &others, &documents)
        ));
        assert!(differs(&|| vector.check_preferences(&words, &usages, &[])));
    }

    #[test]
    fn a_body_by_recipe() {
        let repeat = Repeat {
            head: "a".into(),
            unit: "bc".into(),
            times: 2,
            tail: "d".into(),
        };
        let file: VectorFile = toml::from_str(
            "[[decision]]\nid = 'X'\nname = 'x'\nagent = ['f']\nurl = '/'\nexpect = 'permitted'\n\
             robots_repeat = { head = 'a', unit = 'bc', times = 2, tail = 'd' }",
        )
        .expect("a vector");
        assert_eq!(file.decision[0].bytes().as_deref(), Some(&b"abcbcd"[..]));
        assert_eq!(repeat.times, 2);
    }

    #[test]
    fn an_unknown_field_is_an_error() {
        assert!(toml::from_str::<VectorFile>("[[normal]]\nid = 'X'\nnmae = 'x'").is_err());
    }
}
