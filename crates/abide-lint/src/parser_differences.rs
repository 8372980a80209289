//! Finds URLs on which parsers differ: RFC 9309 alone, google/robotstxt, and RFC 9309 with the
//! extensions (AMB-X-5).
//!
//! URLs that the file's own patterns suggest are decided by each parser: these are samples.
//! `abide_analysis::language` cannot search for them, because its paths are in form C1, and
//! google/robotstxt compares the bytes of a URL as they are written: whether a path in form C1 is
//! decided alike depends on how its URL is spelt.

use crate::facts::ParserDifference;
use crate::file::File;
use abide::acap::{AcapMode, AcapProfile};
use abide::syntax::FieldKind;
use abide::syntax::{Addressee, Line, Rule};
use abide::{Client, Policy, ProductToken, Profile, Robots};
use memchr::memmem::Finder;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Robots that are looked at, one a group, and rules that paths are made of, at most.
const MAX_AGENTS: usize = 16;
const MAX_PATHS: usize = 64;

/// ACAP off: this compares how parsers read groups.
pub(crate) fn without_acap() -> AcapProfile {
    AcapProfile {
        mode: AcapMode::Off,
        ..AcapProfile::default()
    }
}

/// Whether Google's parser surely reads the rules as the careful reading does: nothing stands in
/// them that it is known to treat otherwise.
fn are_surely_alike(file: &File<'_>) -> bool {
    let plain_rules = file.rules.iter().flatten().all(is_plain);
    plain_rules && !has_odd_lines(file) && !file.robots.text().is_truncated()
}

/// Whether some line may begin a group, or be a rule, for one parser and not for another.
fn has_odd_lines(file: &File<'_>) -> bool {
    file.fields().any(|(_, field)| match field.kind {
        FieldKind::Other | FieldKind::UserAgentPurpose => {
            let key = field.key.of(file.text()).to_ascii_lowercase();
            [&b"user"[..], b"allow", b"disallow"]
                .iter()
                .any(|known| key.starts_with(known))
        }
        FieldKind::AppDirectives => true,
        _ => field.has_control(file.text()),
    })
}

/// The page that Google's parser also takes for its folder.
static INDEX: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"/index.htm"));

/// Whether nothing stands in a rule that parsers are known to read differently.
fn is_plain(rule: &Rule<'_>) -> bool {
    let body = rule.value.strip_suffix(b"$").unwrap_or(rule.value);
    let is_plain = |byte: &u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'/' | b'_' | b'.' | b'?' | b'=' | b'&' | b'*' | b'-')
    };
    body.iter().all(is_plain)
        && matches!(rule.value, [] | [b'/' | b'*', ..])
        && INDEX.find(rule.value).is_none()
}

/// Whether RFC 9309 alone does not know a field that starts groups or is a rule.
pub(crate) const fn is_extension(kind: FieldKind) -> bool {
    matches!(kind, FieldKind::UserAgentPurpose | FieldKind::AppDirectives)
}

/// A text in which the extensions' lines are records that nobody knows.
fn legacy_text(file: &File<'_>) -> Option<Vec<u8>> {
    let has_any = file.fields().any(|(_, field)| is_extension(field.kind));
    has_any.then(|| masked(file.robots, |_, kind| is_extension(kind)))
}

/// The text of a file in which these lines are records that nobody knows.
pub(crate) fn masked(robots: &Robots, is_it: impl Fn(&Line, FieldKind) -> bool) -> Vec<u8> {
    let mut text = robots.text().as_bytes().to_vec();
    for line in robots.lines() {
        let field = line.field().filter(|field| is_it(line, field.kind));
        let key = field.map(|field| field.key.start as usize..field.key.end as usize);
        if let Some(key) = key.and_then(|key| text.get_mut(key)) {
            key.fill(b'x');
        }
    }
    text
}

/// The first difference for a robot of each group, and for one that none names.
pub(crate) fn differences(file: &File<'_>) -> Vec<ParserDifference> {
    let legacy_text = legacy_text(file);
    let has_acap = file.robots.acap_lines().next().is_some();
    if legacy_text.is_none() && !has_acap && are_surely_alike(file) {
        return Vec::new();
    }
    let everybody = legacy_text.is_some() || has_acap || has_odd_lines(file);
    let mut agents: BTreeSet<&str> = BTreeSet::from(["*"]);
    for (addressees, rules) in file.addressees.iter().zip(&file.rules) {
        if !everybody && rules.iter().all(is_plain) {
            continue;
        }
        let tokens = addressees.iter().filter_map(|addressee| match addressee {
            Addressee::Token(token) => Some(*token),
            _ => None,
        });
        agents.extend(tokens.take(1));
    }
    let paths = paths(file);
    agents
        .into_iter()
        .take(MAX_AGENTS)
        .filter_map(|agent| first(file, legacy_text.as_deref(), agent, &paths))
        .collect()
}

fn first(
    file: &File<'_>,
    legacy: Option<&[u8]>,
    agent: &str,
    paths: &[(u32, String)],
) -> Option<ParserDifference> {
    let token = if agent == "*" { "abide-lint" } else { agent };
    let client = Client::new(ProductToken::new(token).ok()?).with_acap(without_acap());
    let has_acap = file.robots.acap_lines().next().is_some();
    let acap = client.clone().with_acap(AcapProfile::default());
    let acap = has_acap.then(|| file.robots.policy(&acap));
    let google = client.clone().with_profile(Profile::Google);
    let google = Policy::compile(file.bytes, &google);
    let legacy = legacy.map(|text| Policy::compile(text, &client));
    let aware = file.robots.policy(&client);
    paths.iter().find_map(|(line, path)| {
        // A path alone that begins with `//` would be read as a host.
        let url = &format!("https://site.example{path}");
        let allowed = aware.allows(url);
        let difference = ParserDifference {
            agent: agent.to_owned(),
            path: path.clone(),
            line: *line,
            aware: allowed,
            legacy: legacy.as_ref().map_or(allowed, |policy| policy.allows(url)),
            google: google.allows(url),
            acap: acap.as_ref().map_or(allowed, |policy| policy.allows(url)),
        };
        let others = [difference.google, difference.legacy, difference.acap];
        let differs = others.iter().any(|other| *other != allowed);
        differs.then_some(difference)
    })
}

/// Paths made of the file's own patterns, with the lines of these: those that are written in a way
/// that parsers take differently come first.
fn paths(file: &File<'_>) -> Vec<(u32, String)> {
    let all = || file.rules.iter().flatten();
    let odd = all().filter(|rule| !is_plain(rule));
    let plain = all().filter(|rule| is_plain(rule));
    odd.chain(plain)
        .take(MAX_PATHS)
        .flat_map(paths_of)
        .collect()
}

fn paths_of(rule: &Rule<'_>) -> Vec<(u32, String)> {
    let text = String::from_utf8_lossy(rule.value);
    let text = text.strip_suffix('$').unwrap_or(&text);
    let path = text
        .replace('*', "")
        .replace(' ', "%20")
        .replace('\t', "%09");
    let path = encoded(&path);
    let path = if path.starts_with('/') {
        path
    } else {
        format!("/{path}")
    };
    let folder = path.find("/index.htm").and_then(|end| path.get(..=end));
    let mut found: Vec<String> = folder.map(str::to_owned).into_iter().collect();
    let decoded = path
        .replace("%7E", "~")
        .replace("%7e", "~")
        .replace("%2D", "-");
    if decoded != path {
        found.push(decoded);
    }
    found.push(path);
    found
        .into_iter()
        .map(|path| (rule.line.number, path))
        .collect()
}

/// A path with escapes for what is no ASCII.
fn encoded(path: &str) -> String {
    let bytes = path.bytes().map(|byte| match byte {
        0x80.. => format!("%{byte:02X}"),
        _ => char::from(byte).to_string(),
    });
    bytes.collect()
}

impl File<'_> {
    /// The URLs on which parsers differ, at most one for each robot that the file names.
    pub(crate) fn differences(&self) -> &[ParserDifference] {
        self.differences.get_or_init(|| differences(self))
    }
}
