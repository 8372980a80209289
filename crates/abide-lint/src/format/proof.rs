//! That two files say the same in one reading: in each line, and to clients.

use super::FormatError;
use super::line::trimmed_end;
use abide::syntax::Separator;
use abide::syntax::{Content, FieldKind};
use abide::verdict::Sense;
use abide::{Client, Policy, ProductToken, Profile, Robots, syntax::Line};
use std::collections::BTreeSet;

/// How many of the crawlers that the file names are asked what it says to them, beside one without
/// a name. What is compared before leaves nothing over; this does not share its view of a file.
const MAX_CLIENTS: usize = 4;

/// What a line says, without its number and its blanks.
#[derive(Debug, PartialEq, Eq)]
enum LineContent<'t> {
    /// A record, and the group it stands in.
    Field {
        kind: FieldKind,
        key: FieldKey<'t>,
        separator: Separator,
        value: &'t [u8],
        has_control: bool,
        group: Option<usize>,
        comment: Option<&'t [u8]>,
    },
    /// Text that is no field, and comments.
    Text(&'t [u8]),
}

/// A key, in any case.
#[derive(Debug)]
struct FieldKey<'t>(&'t [u8]);

impl PartialEq for FieldKey<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(other.0)
    }
}

impl Eq for FieldKey<'_> {}

/// Compares two files in the reading they were parsed in. Linear in their length.
pub(super) fn same(before: &Robots, after: &Robots) -> Result<(), FormatError> {
    let mut own = contents(before);
    let mut other = contents(after);
    loop {
        match (own.next(), other.next()) {
            (None, None) => break,
            (Some((_, content)), Some((_, again))) if content == again => {}
            (Some((line, _)), _) | (None, Some((line, _))) => {
                return Err(FormatError::Meaning { line });
            }
        }
    }
    let differs = before.text().is_truncated() != after.text().is_truncated();
    match clients(before).find(|client| differs || !agree(before, after, client)) {
        Some(_) => Err(FormatError::Meaning { line: 1 }),
        None => Ok(()),
    }
}

fn contents(robots: &Robots) -> impl Iterator<Item = (u32, LineContent<'_>)> {
    let careful = robots.profile() == Profile::Careful;
    let of = move |line: &Line| of_line(robots, line, careful);
    robots
        .lines()
        .iter()
        .filter_map(move |line| Some((line.number, of(line)?)))
}

fn of_line<'r>(robots: &'r Robots, line: &Line, careful: bool) -> Option<LineContent<'r>> {
    let text = robots.text().as_bytes();
    let comment = line.comment.map(|span| trimmed_end(span.of(text)));
    match &line.content {
        Content::Field(field) => Some(LineContent::Field {
            kind: field.kind,
            key: FieldKey(field.key.of(text)),
            separator: field.separator,
            value: field.value.of(text),
            has_control: field.has_control(text),
            group: line.group,
            comment: comment.filter(|_| careful),
        }),
        // What Google's reading passes over is compared in the other one.
        Content::Blank | Content::Unreadable if !careful => None,
        Content::Blank => comment.map(LineContent::Text),
        Content::Unreadable => Some(LineContent::Text(
            trimmed_end(line.span.of(text)).trim_ascii_start(),
        )),
    }
}

/// A client without a name in the file, and the first few that it names.
fn clients(robots: &Robots) -> impl Iterator<Item = Client> {
    let text = robots.text().as_bytes();
    let agents = robots.lines().iter().filter_map(|line| {
        let field = line.field()?;
        (field.kind == FieldKind::UserAgent).then(|| field.value.of(text))
    });
    let is_name = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_');
    let name = |value: &[u8]| {
        let end = value.iter().position(|byte| !is_name(byte));
        let name = value.get(..end.unwrap_or(value.len()))?;
        Some(std::str::from_utf8(name).ok()?.to_ascii_lowercase())
    };
    let mut named = BTreeSet::new();
    named.extend(agents.filter_map(name).take(MAX_CLIENTS));
    named.insert("format-proof".to_owned());
    let profile = robots.profile();
    named.into_iter().filter_map(move |name| {
        Some(Client::new(ProductToken::new(&name).ok()?).with_profile(profile))
    })
}

/// Whether both files say the same to `client`.
fn agree(before: &Robots, after: &Robots, client: &Client) -> bool {
    let (own, other) = (before.policy(client), after.policy(client));
    rules(before, &own) == rules(after, &other)
        && own.sitemaps().eq(other.sitemaps())
        && own.crawl_delay().map(|(delay, _)| delay) == other.crawl_delay().map(|(delay, _)| delay)
        && own.references().len() == other.references().len()
        && own.action_requests().len() == other.action_requests().len()
}

fn rules<'r>(robots: &'r Robots, policy: &Policy) -> Vec<(Sense, &'r [u8], bool)> {
    let rules = robots.rules(policy).into_iter();
    rules
        .map(|rule| (rule.sense, rule.value, rule.pattern.is_ok()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(before: &str, after: &str) -> Option<u32> {
        let parsed = |text: &str| Robots::parse(text.as_bytes());
        match same(&parsed(before), &parsed(after)) {
            Err(FormatError::Meaning { line }) => Some(line),
            _ => None,
        }
    }

    #[test]
    fn what_is_not_the_same_is_found_with_its_line() {
        let file = "# c\nUser-agent: a\nDisallow: /a\nUser-agent: *\nAllow: /\nSitemap: /s\nCrawl-delay: 1\nACAP-crawler: *\ntext\n";
        for (change, into, expected) in [
            ("# c", "#c", 1),
            ("# c\n", "", 1),
            ("User-agent: a", "User-agent: b", 2),
            ("Disallow: /a", "Allow: /a", 3),
            ("Disallow: /a", "Disallow: /A", 3),
            ("Disallow: /a", "Disalow: /a", 3),
            ("Disallow: /a", "Disallow /a", 3),
            ("Disallow: /a\n", "", 3),
            ("/s", "/t", 6),
            ("Crawl-delay: 1", "Crawl-delay: 2", 7),
            ("ACAP-crawler: *", "ACAP-crawler: a", 8),
            ("text", "test", 9),
            ("text\n", "text\nmore text here\n", 10),
        ] {
            assert_eq!(
                line(file, &file.replace(change, into)),
                Some(expected),
                "{change} into {into}"
            );
        }
        assert_eq!(
            line(
                file,
                &file
                    .replace('\n', "\r\n\r\n")
                    .replace("Disallow:", "DISALLOW :")
            ),
            None
        );
    }
}
