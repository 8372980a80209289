//! Clients and URLs for the files of property tests.

use abide::syntax::FieldKind;
use abide::{Client, ProductToken, Profile, Robots};
use std::collections::BTreeSet;

/// Every crawler that a file names, in conventional or ACAP records, and one that it does not name;
/// at most `most`.
pub(crate) fn clients(robots: &Robots, profile: Profile, most: usize) -> Vec<Client> {
    let text = robots.text().as_bytes();
    let mut names: BTreeSet<String> = BTreeSet::new();
    for line in robots.lines() {
        let Some(field) = line.field() else { continue };
        let key = field.key.of(text);
        if field.kind == FieldKind::UserAgent || key.eq_ignore_ascii_case(b"acap-crawler") {
            let value = String::from_utf8_lossy(field.value.of(text)).to_ascii_lowercase();
            let name = value
                .split(|c: char| !(c.is_ascii_alphabetic() || "-_".contains(c)))
                .next();
            names.insert(name.unwrap_or_default().to_owned());
        }
        if names.len() >= most {
            break;
        }
    }
    names.insert("nobody-knows-me".to_owned());
    let client =
        |name: &String| Some(Client::new(ProductToken::new(name).ok()?).with_profile(profile));
    names.iter().filter_map(client).collect()
}

/// URLs from the patterns of the file, with wildcards replaced, ends changed and case swapped; at
/// most `most`.
pub(crate) fn urls(bytes: &[u8], most: usize) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let values = text
        .split(['\n', '\r'])
        .filter_map(|line| line.split_once(':'));
    let patterns: Vec<String> = values
        .map(|(_, value)| value.split('#').next().unwrap_or(value).trim())
        .filter(|value| value.starts_with(['/', '*']))
        .map(|value| {
            value
                .split_whitespace()
                .next()
                .unwrap_or_default()
                .chars()
                .take(300)
                .collect()
        })
        .collect();
    let each = 7;
    let step = patterns.len().div_ceil((most / each).max(1)).max(1);
    let own = patterns.iter().step_by(step).flat_map(|pattern| {
        let path = format!(
            "/{}",
            pattern
                .trim_start_matches('/')
                .replace('*', "q")
                .replace('$', "")
        );
        let short: String = path
            .chars()
            .take(path.chars().count().saturating_sub(1).max(1))
            .collect();
        let bare = format!(
            "/{}",
            pattern.trim_start_matches('/').replace(['*', '$'], "")
        );
        let turned = path.to_ascii_uppercase();
        [
            format!("{path}x?y=1"),
            format!("{path}/a.b"),
            format!("{path}?"),
            short,
            bare,
            turned,
            path,
        ]
    });
    let fixed = ["/", "/robots.txt", "/a/b.html?c=d", "/search?q=a:b"].map(String::from);
    let mut urls: Vec<String> = fixed.into_iter().chain(own).collect();
    urls.truncate(most);
    urls
}
