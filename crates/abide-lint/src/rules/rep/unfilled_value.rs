//! `unfilled-value`: a value that a program or a person was to fill in.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::syntax::FieldKind;

pub(crate) static RULE: Rule = Rule::new(
    "unfilled-value",
    Severity::Warning,
    include_str!("unfilled_value.md"),
    RuleCheck::File(check),
)
.instead_of(&[
    "crawl-delay-value",
    "pattern-no-slash",
    "sitemap-not-absolute",
    "sitemap-other-host",
    "ua-invalid-token",
])
.doubting_line();

/// What programs write where a value is missing.
const WORDS: [&str; 3] = ["undefined", "null", "nan"];

/// What begins a place of a template.
const MARKS: [&[u8]; 4] = [b"{{", b"${", b"<%", b"[object "];

/// Hosts that instructions use for that of the reader.
const HOSTS: [&str; 6] = [
    "yourdomain.com",
    "your-domain.com",
    "yoursite.com",
    "your-site.com",
    "yourwebsite.com",
    "domain.tld",
];

/// Hosts of examples (RFC 2606), which are the right ones in examples.
const EXAMPLES: [&str; 3] = ["example.com", "example.net", "example.org"];

fn check(file: &File<'_>, found: &mut Findings) {
    let site = file.context.url.as_deref();
    let site = site.and_then(|url| host_of(url.as_bytes()));
    for (line, field) in file.fields() {
        let value = field.value.of(file.text());
        let unfilled = match field.kind {
            FieldKind::Sitemap => sitemap(value, site),
            // A path may be about places of a template that pages link to, such as `/*{{`.
            FieldKind::Allow | FieldKind::Disallow if matches!(value, [b'/' | b'*', ..]) => None,
            FieldKind::UserAgent
            | FieldKind::Allow
            | FieldKind::Disallow
            | FieldKind::CrawlDelay => unfilled(value, &[value]),
            _ => None,
        };
        if let Some(message) = unfilled {
            found.say(Some(line.number), File::statement(line), message);
        }
    }
}

/// What is wrong with the URL of a sitemap on the host `site`.
fn sitemap(value: &[u8], site: Option<&[u8]>) -> Option<String> {
    let parts: Vec<&[u8]> = value.split(|byte| b"/:?#".contains(byte)).collect();
    if let Some(message) = unfilled(value, &parts) {
        return Some(message);
    }
    let host = String::from_utf8_lossy(host_of(value)?).to_ascii_lowercase();
    let is_site = site.is_some_and(|site| site.eq_ignore_ascii_case(host.as_bytes()));
    if is_site {
        None
    } else if is_local(&host) {
        Some(format!(
            "the sitemap is on {host}, which robots cannot reach; write the host of the site"
        ))
    } else if is_placeholder(&host, site.is_some()) {
        Some(format!(
            "{host} is a placeholder; write the host of the site"
        ))
    } else {
        None
    }
}

/// Whether a value, or one of its `parts`, was not filled in.
fn unfilled(value: &[u8], parts: &[&[u8]]) -> Option<String> {
    let is_word = |word: &&&str| {
        let mut parts = parts.iter();
        parts.any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
    };
    let word = WORDS.iter().find(is_word).map(|word| (*word).to_owned());
    let has_mark = |mark: &&&[u8]| memchr::memmem::find(value, mark).is_some();
    let mark = || MARKS.iter().find(has_mark);
    let mark = || mark().map(|mark| String::from_utf8_lossy(mark).trim_end().to_owned());
    let left = word.or_else(mark)?;
    Some(format!(
        "a program left \"{left}\" where a value belongs; write the value"
    ))
}

/// Whether only the machine itself, or its own network, has this host.
pub(super) fn is_local(host: &str) -> bool {
    let is_under = |name: &str| {
        let before = host.strip_suffix(name);
        before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
    };
    let begins = ["127.", "10.", "192.168.", "0.0.0.0"];
    let is_address = host
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    ["localhost", "local", "internal"].into_iter().any(is_under)
        || (is_address && begins.iter().any(|begin| host.starts_with(begin)))
        || host == "[::1]"
}

/// Whether a host is the one of instructions. On a site that is known, so are hosts of examples.
fn is_placeholder(host: &str, is_site_known: bool) -> bool {
    let host = host.strip_prefix("www.").unwrap_or(host);
    HOSTS.contains(&host) || (is_site_known && EXAMPLES.contains(&host))
}

/// Whether two hosts are one site for its owner, with `www.` and without: most sites redirect from
/// one to the other, and the rules of robots.txt follow.
pub(super) fn is_one_site(one: &[u8], other: &[u8]) -> bool {
    let bare = |host: &[u8]| {
        let host = host.to_ascii_lowercase();
        host.strip_prefix(b"www.")
            .map(<[u8]>::to_vec)
            .unwrap_or(host)
    };
    bare(one) == bare(other)
}

/// The host in a URL with a scheme, without its port. A path may have another URL in its query.
pub(super) fn host_of(url: &[u8]) -> Option<&[u8]> {
    let scheme = memchr::memmem::find(url, b"://")?;
    let (scheme, rest) = url.split_at_checked(scheme)?;
    let is_of_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    if !scheme.iter().all(is_of_scheme) {
        return None;
    }
    let rest = rest.get(3..)?;
    let host = rest.split(|byte| b"/?#".contains(byte)).next()?;
    match host.iter().rposition(|byte| *byte == b':') {
        Some(port) if !host.ends_with(b"]") => host.get(..port),
        _ => Some(host),
    }
}
