//! The conformance vectors in `vectors/*.toml`: their format, and how they are read.
//!
//! A file holds any number of ten kinds of tables. Unknown fields are errors, for a misspelt
//! expectation would pass unseen.

use base64::Engine;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

/// Files of vectors, in the order in which they are read.
pub const FILES: [&str; 7] = ["rep", "purpose", "tag", "app", "acap", "cross", "fetch"];

/// The vectors of one file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct VectorFile {
    /// Decisions about a URL.
    pub decision: Vec<DecisionVector>,
    /// Canonical forms.
    pub normal: Vec<NormalVector>,
    /// Tokens that a client may be built with.
    pub token: Vec<TokenVector>,
    /// Shapes of files.
    pub parse: Vec<ParseVector>,
    /// Robots tags.
    pub tags: Vec<TagVector>,
    /// Directives of applications.
    pub applications: Vec<ApplicationVector>,
    /// Lists of structured fields.
    pub structured: Vec<StructuredVector>,
    /// What all sources together say.
    pub composed: Vec<ComposedVector>,
    /// Which of two ACAP patterns is narrower.
    pub scope: Vec<ScopeVector>,
    /// What came of fetching, and what is in force.
    pub retrieval: Vec<RetrievalVector>,
}

/// Attempts to fetch a site's robots.txt, and what is in force at instants between and behind them.
/// Instants are seconds since the first one.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RetrievalVector {
    /// The requirement or ambiguity that the vector is about.
    pub id: String,
    /// Further ones that it shows.
    #[serde(default)]
    pub also: Vec<String>,
    /// Name, unique in its file.
    pub name: String,
    /// What the client chose; defaults where left out.
    #[serde(default)]
    pub settings: RetrievalSettings,
    /// What happened, in order.
    #[serde(default)]
    pub events: Vec<Attempt>,
    /// What is asked, in order.
    pub ask: Vec<Asked>,
}

/// What a client chose.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RetrievalSettings {
    /// Seconds that every answer holds at least.
    pub min_lifetime: Option<u64>,
    /// Seconds of being unreachable after which `after_grace` counts.
    pub grace: Option<u64>,
    /// `copy-else-allow`, `copy-else-disallow` or `disallow`.
    pub after_grace: Option<String>,
    /// `unreachable` or `unavailable`.
    pub while_429: Option<String>,
}

/// One attempt.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    /// When its answer came.
    pub at: i64,
    /// Redirects before the final response, to as many further authorities.
    #[serde(default)]
    pub redirects: usize,
    /// The final status.
    pub status: Option<u16>,
    /// Why there is none.
    pub error: Option<String>,
    /// Field lines of the final response.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
    /// Its body.
    #[serde(default)]
    pub body: String,
}

/// What is in force at an instant.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The instant.
    pub at: i64,
    /// What is said about `/x`: `permitted`, `prohibited` or `unknown`.
    pub x: String,
    /// What is said about `/y`.
    pub y: String,
    /// Why.
    pub why: Option<String>,
    /// Seconds until the site is to be asked again.
    pub next: Option<i64>,
}

/// What all sources together say about the usages of a URL. What is asked is written as in a request of
/// the decision contract.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComposedVector {
    /// The requirement or ambiguity that the vector is about.
    pub id: String,
    /// Further ones that it shows.
    #[serde(default)]
    pub also: Vec<String>,
    /// Name, unique in its file.
    pub name: String,
    /// Body of robots.txt.
    pub robots: Option<String>,
    /// Body of robots.txt by recipe, where it is long.
    pub robots_repeat: Option<Repeat>,
    /// HTTP status of the fetch.
    pub robots_status: Option<u16>,
    /// What came of fetching permissions references, by their locators.
    #[serde(default)]
    pub references: BTreeMap<String, ReferenceText>,
    /// Product tokens of the client, in order.
    pub agent: Vec<String>,
    /// Purposes that it claims.
    #[serde(default)]
    pub purposes: Vec<String>,
    /// Applications asked for: an identifier, with `@` and a product token where it has one of its own.
    #[serde(default)]
    pub applications: Vec<String>,
    /// The reading, `careful` where left out.
    pub profile: Option<String>,
    /// What the client is to ACAP.
    #[serde(default)]
    pub acap: AcapClient,
    /// The URL asked about.
    pub url: String,
    /// Field lines of the response: name and value.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
    /// The page's source.
    pub html: Option<String>,
    /// The instant, RFC 3339; the beginning of 2000 where left out.
    pub now: Option<String>,
    /// When the resource was first indexed, RFC 3339.
    pub first_indexed: Option<String>,
    /// When it was first copied, RFC 3339.
    pub first_copied: Option<String>,
    /// `latest`, or `old`.
    pub version: Option<String>,
    /// Outcomes by usage.
    pub outcomes: BTreeMap<String, String>,
    /// All conditions by usage: kind, blank, value.
    #[serde(default)]
    pub conditions: BTreeMap<String, Vec<String>>,
    /// Line of the deciding piece of evidence, by usage.
    #[serde(default)]
    pub lines: BTreeMap<String, u32>,
    /// Its source.
    #[serde(default)]
    pub sources: BTreeMap<String, String>,
    /// Its reason.
    #[serde(default)]
    pub reasons: BTreeMap<String, String>,
    /// Its notes.
    #[serde(default)]
    pub notes: BTreeMap<String, Vec<String>>,
    /// Directives by application.
    #[serde(default)]
    pub directives: BTreeMap<String, BTreeMap<String, String>>,
    /// All action requests: action, blank, path.
    pub action_requests: Option<Vec<String>>,
    /// All URLs that are needed.
    pub needs: Option<Vec<String>>,
    /// Codes of diagnostics that have to be there.
    #[serde(default)]
    pub diagnostics: Vec<String>,
    /// Codes of diagnostics that must not be there.
    #[serde(default)]
    pub no_diagnostics: Vec<String>,
}

/// What came of fetching a permissions reference.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(untagged)]
pub enum ReferenceText {
    /// Its body.
    Body(String),
    /// An HTTP status.
    Status {
        /// The status.
        status: u16,
    },
    /// A network failure.
    Error {
        /// Its name.
        error: String,
    },
}

/// What a client is to ACAP.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct AcapClient {
    /// Its names; the product tokens where there are none.
    pub names: Vec<String>,
    /// Usage purposes.
    pub purposes: Vec<String>,
    /// Whether features that ask for a prior arrangement may be used.
    pub prior_arrangement: bool,
    /// Qualifiers that it cannot honour.
    pub unsupported: Vec<String>,
    /// `full` where left out, `restrict` or `off`.
    pub mode: Option<String>,
}

/// What a face says about one usage, for a comparison with a vector.
#[derive(Clone, Debug, Default)]
pub struct SaidOfUsage {
    /// The outcome.
    pub outcome: String,
    /// Conditions: kind, blank, value.
    pub conditions: Vec<String>,
    /// Line of the deciding piece of evidence.
    pub line: Option<u32>,
    /// Its source.
    pub source: Option<String>,
    /// Its reason.
    pub reason: Option<String>,
    /// Its notes.
    pub notes: Vec<String>,
}

impl ComposedVector {
    /// The octets of robots.txt; `None` where there are none.
    #[must_use]
    pub fn octets(&self) -> Option<Vec<u8>> {
        let recipe = self.robots_repeat.as_ref().map(Repeat::text);
        self.robots.clone().or(recipe).map(String::into_bytes)
    }

    /// The instant of the decision.
    #[must_use]
    pub fn instant(&self) -> &str {
        self.now.as_deref().unwrap_or("2000-01-01T00:00:00Z")
    }

    /// Compares what a face says about usages with what the vector expects.
    ///
    /// # Panics
    /// Where they differ.
    pub fn check_usages(&self, said: impl Fn(&str) -> SaidOfUsage) {
        let name = format!("{} {}", self.id, self.name);
        for (usage, expected) in &self.outcomes {
            let said = said(usage);
            assert_eq!(said.outcome, *expected, "{name}: {usage}: {said:?}");
        }
        for (usage, expected) in &self.conditions {
            assert_eq!(said(usage).conditions, *expected, "{name}: {usage}");
        }
        for (usage, expected) in &self.lines {
            assert_eq!(said(usage).line, Some(*expected), "{name}: {usage}");
        }
        for (usage, expected) in &self.sources {
            let source = said(usage).source;
            assert_eq!(source.as_ref(), Some(expected), "{name}: {usage}");
        }
        for (usage, expected) in &self.reasons {
            let reason = said(usage).reason;
            assert_eq!(reason.as_ref(), Some(expected), "{name}: {usage}");
        }
        for (usage, expected) in &self.notes {
            assert_eq!(said(usage).notes, *expected, "{name}: {usage}");
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
    /// A pattern.
    pub a: String,
    /// Another one.
    pub b: String,
    /// `a`, `b`, `same` or `undecidable`.
    pub narrower: String,
}

/// What a robots.txt, or what came of fetching it, says about crawling a URL.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecisionVector {
    /// The requirement or ambiguity that the vector is about.
    pub id: String,
    /// Further ones that it shows.
    #[serde(default)]
    pub also: Vec<String>,
    /// Name, unique in its file.
    pub name: String,
    /// Body of robots.txt.
    pub robots: Option<String>,
    /// Body of robots.txt in base64, where it is not UTF-8.
    pub robots_base64: Option<String>,
    /// Body of robots.txt by recipe, where it is long.
    pub robots_repeat: Option<Repeat>,
    /// Product tokens of the client, in order.
    pub agent: Vec<String>,
    /// Purposes that it claims.
    #[serde(default)]
    pub purposes: Vec<String>,
    /// Whether product tokens outside of the grammar are admitted.
    #[serde(default)]
    pub nonstandard_token: bool,
    /// The reading, `careful` where left out.
    pub profile: Option<String>,
    /// HTTP status of the fetch.
    pub robots_status: Option<u16>,
    /// Network failure of the fetch.
    pub robots_error: Option<String>,
    /// The URL asked about.
    pub url: String,
    /// `permitted`, `prohibited` or `unknown`.
    pub expect: String,
    /// Line of the rule that decides.
    pub line: Option<u32>,
    /// Text of the rule that decides, from key to value.
    pub statement: Option<String>,
    /// How the group of that rule was found: `product-token`, `purpose` or `any-crawler`.
    pub selected_by: Option<String>,
    /// Octets of its pattern.
    pub octets: Option<u32>,
    /// Codes of diagnostics that have to be there.
    #[serde(default)]
    pub diagnostics: Vec<String>,
    /// Codes of diagnostics that must not be there.
    #[serde(default)]
    pub no_diagnostics: Vec<String>,
    /// All values of `Sitemap`, in order.
    pub sitemaps: Option<Vec<String>>,
    /// `Crawl-delay` in seconds.
    pub crawl_delay: Option<f64>,
    /// Where the robots.txt of the URL lives.
    pub robots_url: Option<String>,
}

/// A body by recipe: `head`, then `times` times `unit`, then `tail`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repeat {
    /// What comes first.
    #[serde(default)]
    pub head: String,
    /// What is repeated.
    pub unit: String,
    /// How often.
    pub times: usize,
    /// What comes last.
    #[serde(default)]
    pub tail: String,
}

/// What the response says that brought a page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TagVector {
    /// The requirement or ambiguity that the vector is about.
    pub id: String,
    /// Further ones that it shows.
    #[serde(default)]
    pub also: Vec<String>,
    /// Name, unique in its file.
    pub name: String,
    /// Lines of `Robots-Tag`.
    #[serde(default)]
    pub robots_tag: Vec<String>,
    /// One line of `Robots-Tag` by recipe, where it is long.
    pub robots_tag_repeat: Option<Repeat>,
    /// Lines of `X-Robots-Tag`.
    #[serde(default)]
    pub x_robots_tag: Vec<String>,
    /// Further field lines: name and value.
    #[serde(default)]
    pub fields: Vec<(String, String)>,
    /// The page's source.
    pub html: Option<String>,
    /// Its final DOM.
    pub rendered_html: Option<String>,
    /// Body of robots.txt, empty where left out.
    #[serde(default)]
    pub robots: String,
    /// Product tokens of the client, in order.
    pub agent: Vec<String>,
    /// Purposes that it claims.
    #[serde(default)]
    pub purposes: Vec<String>,
    /// The reading, `careful` where left out.
    pub profile: Option<String>,
    /// The instant, RFC 3339.
    pub now: Option<String>,
    /// The rules that bind: `true`, or the value as text.
    pub expect: BTreeMap<String, RuleValue>,
    /// The unknown rules, in order of name; not looked at where left out.
    pub unknown: Option<Vec<String>>,
    /// Codes of diagnostics that have to be there.
    #[serde(default)]
    pub diagnostics: Vec<String>,
    /// Codes of diagnostics that must not be there.
    #[serde(default)]
    pub no_diagnostics: Vec<String>,
    /// Outcomes by usage.
    #[serde(default)]
    pub outcomes: BTreeMap<String, String>,
    /// Conditions by usage: kind, blank, value.
    #[serde(default)]
    pub conditions: BTreeMap<String, Vec<String>>,
}

/// The value of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum RuleValue {
    /// It has none.
    Stated(bool),
    /// Its text.
    Text(String),
}

impl RuleValue {
    /// The text, where there is one.
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

/// What a robots.txt asks an application to do with a resource.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApplicationVector {
    /// The requirement or ambiguity that the vector is about.
    pub id: String,
    /// Further ones that it shows.
    #[serde(default)]
    pub also: Vec<String>,
    /// Name, unique in its file.
    pub name: String,
    /// Body of robots.txt.
    pub robots: String,
    /// The application's identifier.
    pub application: String,
    /// Its product tokens, in order.
    pub product_tokens: Vec<String>,
    /// The URL asked about.
    pub url: String,
    /// The directives that apply, with their values as structured fields write them; a Byte Sequence
    /// stands as its content.
    pub expect: BTreeMap<String, String>,
    /// Whether the client, which is called `client`, may not fetch the resource.
    #[serde(default)]
    pub crawl_disallowed: bool,
    /// Codes of diagnostics that have to be there.
    #[serde(default)]
    pub diagnostics: Vec<String>,
    /// Codes of diagnostics that must not be there.
    #[serde(default)]
    pub no_diagnostics: Vec<String>,
}

/// A value that is a List of structured fields, or is none.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StructuredVector {
    /// The requirement or ambiguity.
    pub id: String,
    /// Name, unique in its file.
    pub name: String,
    /// The value.
    pub value: String,
    /// Whether a parser of RFC 9651 takes it.
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

/// A token that is one, or is none.
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

/// How many lines a file has, and which number one of them has.
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
    /// A line of it.
    pub line_of: Option<LineOf>,
}

/// A line by its text.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineOf {
    /// The whole line, without its end.
    pub text: String,
    /// Its number, from 1.
    pub number: u32,
}

impl Repeat {
    /// The text.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}{}{}", self.head, self.unit.repeat(self.times), self.tail)
    }
}

impl DecisionVector {
    /// The octets of robots.txt; `None` where only a status or a failure is given.
    ///
    /// # Panics
    /// Where the body is given twice, or is not base64.
    #[must_use]
    pub fn octets(&self) -> Option<Vec<u8>> {
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
    /// The requirement IDs that the file's vectors show, with repetitions.
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

/// Compares the diagnostics that a face gives with those that a vector wants and does not want.
///
/// # Panics
/// Where one is missing, and where one is there that must not be.
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

/// All vectors, by the name of their file.
///
/// # Panics
/// Where a file cannot be read, and where a name is given twice.
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
        }
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
        assert_eq!(file.decision[0].octets().as_deref(), Some(&b"abcbcd"[..]));
        assert_eq!(repeat.times, 2);
    }

    #[test]
    fn an_unknown_field_is_an_error() {
        assert!(toml::from_str::<VectorFile>("[[normal]]\nid = 'X'\nnmae = 'x'").is_err());
    }
}
