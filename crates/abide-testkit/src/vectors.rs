//! The conformance vectors in `vectors/*.toml`: their format, and how they are read.
//!
//! A file holds any number of four kinds of tables. Unknown fields are errors, for a misspelt
//! expectation would pass unseen.

use base64::Engine;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// Files of vectors, in the order in which they are read.
pub const FILES: [&str; 2] = ["rep", "purpose"];

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
            (None, None, Some(recipe)) => {
                let body = recipe.unit.repeat(recipe.times);
                Some(
                    [&recipe.head, &body, &recipe.tail]
                        .map(String::as_str)
                        .concat()
                        .into_bytes(),
                )
            }
            (None, None, None) => None,
            _ => panic!("{}: more than one body", self.name),
        }
    }
}

impl VectorFile {
    /// The requirement IDs that the file's vectors show, with repetitions.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        let also = self.decision.iter().flat_map(|vector| &vector.also);
        let own = self.decision.iter().map(|vector| &vector.id);
        let others = self.normal.iter().map(|vector| &vector.id);
        let tokens = self.token.iter().map(|vector| &vector.id);
        let parses = self.parse.iter().map(|vector| &vector.id);
        own.chain(also)
            .chain(others)
            .chain(tokens)
            .chain(parses)
            .map(String::as_str)
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        let decisions = self.decision.iter().map(|vector| &vector.name);
        let normals = self.normal.iter().map(|vector| &vector.name);
        let tokens = self.token.iter().map(|vector| &vector.name);
        let parses = self.parse.iter().map(|vector| &vector.name);
        decisions
            .chain(normals)
            .chain(tokens)
            .chain(parses)
            .map(String::as_str)
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
    for vector in file.names() {
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
            assert!(!file.decision.is_empty(), "{name}.toml has no decisions");
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
