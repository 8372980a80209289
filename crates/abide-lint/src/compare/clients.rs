//! The robots that two files can treat differently.

use abide::app::Application;
use abide::app::field::Directives;
use abide::syntax::FieldKind;
use abide::{Client, ProductToken, PurposeToken, Robots};
use std::collections::BTreeMap;

/// A client that a file names, or the client for all robots that no file names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamedClient {
    /// The name as the file writes it; `None` for a client without one.
    pub agent: Option<String>,
    /// The purpose that the client claims.
    pub purpose: Option<String>,
    /// The client.
    pub client: Client,
}

impl NamedClient {
    /// The client with this name, with all applications that the files name.
    #[must_use]
    pub fn named(token: &ProductToken, old: &Robots, new: &Robots) -> Self {
        let agent = Some(token.as_str().to_owned());
        Self {
            agent,
            purpose: None,
            client: with_applications(token, &applications(&[old, new])),
        }
    }
}

/// The clients that two files may treat differently: one for each product token in a user-agent
/// line or an `ACAP-crawler` field of either file, one that no line names, and one for each
/// purpose, without a name. Each has all the applications that App-Directives lines name. The
/// unnamed client comes first, the others are sorted by name.
///
/// A user-agent value that is not a product token of RFC 9309, such as `MJ12bot`, gives two
/// clients: one for the token at its beginning, which it also names, and one for a crawler that
/// uses the whole value as its token (AMB-REP-6, AMB-REP-7).
#[must_use]
pub fn clients(old: &Robots, new: &Robots) -> Vec<NamedClient> {
    let files = [old, new];
    let applications = applications(&files);
    let mut tokens = BTreeMap::new();
    for value in files.iter().flat_map(|robots| crawlers(robots)) {
        for token in product_tokens(value) {
            let key = token.as_str().to_ascii_lowercase();
            tokens.entry(key).or_insert(token);
        }
    }
    let unnamed = unnamed(|name| tokens.contains_key(&name.to_ascii_lowercase()));
    let mut clients = Vec::new();
    if let Some(unnamed) = unnamed {
        let client = with_applications(&unnamed, &applications);
        clients.push(NamedClient {
            agent: None,
            purpose: None,
            client: client.clone(),
        });
        let purposes = purposes(&files).into_values();
        clients.extend(purposes.map(|purpose| NamedClient {
            agent: None,
            purpose: Some(purpose.as_str().to_owned()),
            client: client.clone().with_purpose(purpose),
        }));
    }
    clients.extend(tokens.into_values().map(|token| NamedClient {
        agent: Some(token.as_str().to_owned()),
        purpose: None,
        client: with_applications(&token, &applications),
    }));
    clients
}

/// The values of all fields of one kind.
fn values(robots: &Robots, kind: FieldKind) -> impl Iterator<Item = &[u8]> {
    let bytes = robots.text().as_bytes();
    let fields = robots.lines().iter().filter_map(|line| line.field());
    fields
        .filter(move |field| field.kind == kind)
        .map(|field| field.value.of(bytes))
}

/// The values of user-agent lines and of `ACAP-crawler` fields.
fn crawlers(robots: &Robots) -> impl Iterator<Item = &[u8]> {
    values(robots, FieldKind::UserAgent).chain(acap_crawlers(robots))
}

/// The values of `ACAP-crawler` fields.
pub(super) fn acap_crawlers(robots: &Robots) -> impl Iterator<Item = &[u8]> {
    let bytes = robots.text().as_bytes();
    let fields = robots.acap_lines().filter_map(|line| line.field());
    fields
        .filter(|field| field.key.of(bytes).eq_ignore_ascii_case(b"acap-crawler"))
        .map(|field| field.value.of(bytes))
}

/// The tokens that a value names.
fn product_tokens(value: &[u8]) -> impl Iterator<Item = ProductToken> {
    let text = String::from_utf8_lossy(value);
    let until =
        |ends: &dyn Fn(char) -> bool| text.split(ends).next().unwrap_or_default().to_owned();
    let word = until(&|found| matches!(found, ' ' | '\t' | '/'));
    let identifier = until(&|found: char| !(found.is_ascii_alphabetic() || "-_".contains(found)));
    let own = ProductToken::new(&identifier).ok();
    let nonstandard = (word != identifier).then(|| ProductToken::nonstandard(&word).ok());
    own.into_iter().chain(nonstandard.flatten())
}

fn purposes(files: &[&Robots]) -> BTreeMap<String, PurposeToken> {
    let values = files
        .iter()
        .flat_map(|robots| values(robots, FieldKind::UserAgentPurpose));
    let texts = values.filter_map(|value| std::str::from_utf8(value).ok());
    texts
        .filter_map(|text| Some((text.to_ascii_lowercase(), PurposeToken::new(text).ok()?)))
        .collect()
}

/// The identifiers of applications that App-Directives lines name, sorted.
fn applications(files: &[&Robots]) -> Vec<String> {
    let values = files
        .iter()
        .flat_map(|robots| values(robots, FieldKind::AppDirectives));
    let lines = values.filter_map(Directives::read);
    let ids = lines.flat_map(|line| line.applications.into_iter().map(|(id, _)| id));
    let mut ids: Vec<String> = ids.collect();
    ids.sort();
    ids.dedup();
    ids
}

fn with_applications(token: &ProductToken, ids: &[String]) -> Client {
    let applications = ids
        .iter()
        .filter_map(|id| Application::new(id, vec![token.clone()]).ok());
    applications.fold(Client::new(token.clone()), Client::with_application)
}

/// A token that neither file names.
fn unnamed(is_taken: impl Fn(&str) -> bool) -> Option<ProductToken> {
    let mut name = "unnamed".to_owned();
    while is_taken(&name) {
        name.push_str("-x");
    }
    ProductToken::new(&name).ok()
}
