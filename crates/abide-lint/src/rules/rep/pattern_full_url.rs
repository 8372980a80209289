//! `pattern-full-url`: a URL instead of a path.

use super::unfilled_value::{host_of, is_one_site};
use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::needless::needless;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::Span;
use abide::explain::visible;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) static RULE: Rule = Rule::new(
    "pattern-full-url",
    Severity::Error,
    include_str!("pattern_full_url.md"),
    RuleCheck::File(check),
)
.or(Severity::Info)
.instead_of(&["pattern-no-slash"])
.doubting_line();

/// Which site the host in a rule belongs to.
#[derive(PartialEq)]
enum Whose {
    /// The site itself: its URL, its sitemaps or most of its rules name this host.
    Own,
    /// Another site.
    Foreign,
    /// The file does not say.
    Unknown,
}

fn check(file: &File<'_>, found: &mut Findings) {
    let own = own_hosts(file);
    let most = most_frequent(file).filter(|_| own.is_empty());
    for rule in file.rules.iter().flatten() {
        let Some(field) = rule.line.field() else {
            continue;
        };
        let (length, is_folder) = match (host(rule.value), host_as_folder(rule.value, &own)) {
            (Some(length), _) => (length, false),
            (None, Some(length)) => (length, true),
            (None, None) => continue,
        };
        let (written, path) = rule.value.split_at_checked(length).unwrap_or_default();
        let name = name_of(written);
        let whose = if own.iter().any(|own| is_one_site(own, name)) || is_folder {
            Whose::Own
        } else if !own.is_empty() {
            Whose::Foreign
        } else if is_plain_name(name) && most.as_deref().is_some_and(|most| is_one_site(most, name))
        {
            Whose::Own
        } else {
            Whose::Unknown
        };
        // The root of a host: as a path alone it would close the whole site.
        let is_bare = matches!(path, [] | [_] | [_, b'*' | b'$']);
        let already = (whose == Whose::Own && !is_bare)
            .then(|| file.does_already(rule.line, path))
            .flatten();
        let remedy = match already {
            Some(already) => needless(already),
            None => remedy(&whose, name, is_bare),
        };
        let message = if is_folder {
            let folder = visible(written);
            format!(
                "robots take the host in {folder} for a folder, so the rule matches nothing; {remedy}"
            )
        } else {
            format!("a pattern with a host never matches; {remedy}")
        };
        let span = File::statement(rule.line);
        let place = found.say(Some(rule.line.number), span, message);
        let place = place.severity(match already {
            Some(_) => Severity::Info,
            None => Severity::Error,
        });
        if whose == Whose::Own && !is_bare && path.starts_with(b"/") {
            let end = u32::try_from(length).unwrap_or_default();
            let end = field.value.start.saturating_add(end);
            let host = Span::new(field.value.start, end);
            place.fix(Fix::replace(Safety::Unsafe, "keep only the path", host, ""));
        }
    }
}

/// What to do about a rule with a host: no robots.txt speaks for another host.
fn remedy(whose: &Whose, name: &[u8], is_bare: bool) -> String {
    let last = name.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    // A name such as `static.example` may lack its end.
    let is_whole = name.contains(&b'.') && (is_top(last) || is_number(last));
    let elsewhere = if is_whole {
        format!("https://{}/robots.txt", visible(name))
    } else {
        "the robots.txt of that host".to_owned()
    };
    match (whose, is_bare) {
        (Whose::Own, true) => "delete the line, or write \"/\" to close the whole site".to_owned(),
        (Whose::Own, false) => "write the path only".to_owned(),
        (_, true) => format!(
            "this file cannot tell robots about another host: delete the line, and put \"Disallow: /\" into {elsewhere}"
        ),
        (Whose::Foreign, false) => format!(
            "this file cannot tell robots about another host: put the path into {elsewhere}"
        ),
        (Whose::Unknown, false) => format!(
            "write the path only, or, if the host is not that of this file, put it into {elsewhere}"
        ),
    }
}

/// The host in what `host` found, without scheme and port.
fn name_of(written: &[u8]) -> &[u8] {
    let scheme = memchr::memmem::find(written, b"://").map_or(0, |at| at + 3);
    let name = written.get(scheme..).unwrap_or_default();
    let name = name.strip_prefix(b"/").unwrap_or(name);
    name.split(|byte| *byte == b':').next().unwrap_or_default()
}

/// Whether a name is that of a whole site: with `www.`, or with one dot.
fn is_plain_name(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    let mut labels = name.split(|byte| *byte == b'.');
    let first = labels.next().unwrap_or_default();
    let is_part = FIRST_LABELS.iter().any(|known| known.as_bytes() == first);
    first == b"www" || (labels.count() < 2 && !is_part)
}

/// The host that most rules with hosts name, if more than half of them do.
fn most_frequent(file: &File<'_>) -> Option<Vec<u8>> {
    let mut counts: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    for rule in file.rules.iter().flatten() {
        if let Some(written) = host(rule.value).and_then(|end| rule.value.get(..end)) {
            let name = name_of(written).to_ascii_lowercase();
            let bare = name.strip_prefix(b"www.").unwrap_or(&name);
            *counts.entry(bare.to_vec()).or_default() += 1;
        }
    }
    let all: usize = counts.values().sum();
    let most = counts.into_iter().max_by_key(|(_, count)| *count)?;
    (most.1 * 2 > all).then_some(most.0)
}

/// The hosts that the file and its URL name, in lower case.
fn own_hosts(file: &File<'_>) -> BTreeSet<Vec<u8>> {
    let sitemaps = file.robots.sitemaps().map(|(_, value)| value);
    let urls = sitemaps.chain(file.context.url.iter().map(String::as_bytes));
    urls.filter_map(|url| Some(host_of(url)?.to_ascii_lowercase()))
        .filter(|host| host.contains(&b'.'))
        .collect()
}

/// The length of a host in bytes that is the first folder of a path, with the slash before it.
fn host_as_folder(value: &[u8], own: &BTreeSet<Vec<u8>>) -> Option<usize> {
    let rest = value.strip_prefix(b"/")?;
    let ends = |byte: &u8| b"/*$?".contains(byte);
    let end = rest.iter().position(ends).unwrap_or(rest.len());
    let folder = rest.get(..end)?.to_ascii_lowercase();
    let is_www = folder
        .strip_prefix(b"www.")
        .is_some_and(|domain| domain.contains(&b'.'));
    // Links without a scheme make robots ask for the names of other hosts, so such a name alone may
    // be meant.
    let has_path = rest.get(end..).is_some_and(|path| path.len() > 1);
    (own.contains(&folder) || (is_www && has_path)).then_some(1 + end)
}

/// The length of scheme and host in bytes, if the value is a URL, with or without its scheme.
fn host(value: &[u8]) -> Option<usize> {
    let lower = value.get(..8).unwrap_or(value).to_ascii_lowercase();
    let schemes = [&b"http://"[..], b"https://"];
    let scheme = schemes
        .into_iter()
        .find(|scheme| lower.starts_with(scheme))
        .map(<[u8]>::len);
    let start = scheme.unwrap_or_default();
    let rest = value.get(start..)?;
    let end = rest.iter().position(|byte| b"/*?$#".contains(byte));
    let (name, path) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
    let is_host = scheme.is_some() || lower.starts_with(b"www.") || is_host(name, path);
    is_host.then_some(start + name.len())
}

/// Endings of files, which are no endings of hosts where a value names neither scheme nor `www.`.
const FILE_ENDINGS: [&str; 43] = [
    "action", "ashx", "asmx", "asp", "aspx", "axd", "bak", "bmp", "cfm", "cgi", "css", "csv", "do",
    "doc", "docx", "exe", "gif", "gz", "htm", "html", "ico", "jpeg", "jpg", "js", "json", "jsp",
    "md", "pdf", "php", "phtml", "pl", "png", "ppt", "py", "sh", "shtml", "svg", "swf", "txt",
    "webp", "xls", "xml", "zip",
];

/// First labels that hosts have, and files do not.
const FIRST_LABELS: [&str; 8] = [
    "cdn", "img", "mail", "secure", "staging", "static", "test", "www",
];

/// Last labels of hosts, beside those of two letters.
const TOP_LABELS: [&str; 8] = ["biz", "com", "edu", "gov", "info", "mil", "net", "org"];

/// Whether a value without a scheme begins with a host: an address, or a name with two dots, or
/// with one and a path, or with a first label of hosts. Names end in letters.
fn is_host(name: &[u8], path: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    let labels: Vec<&[u8]> = name.split(|byte| *byte == b'.').collect();
    let (Some(first), Some(last)) = (labels.first(), labels.last()) else {
        return false;
    };
    let is_label = |label: &&[u8]| {
        let is_of_label = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
        !label.is_empty() && label.iter().all(is_of_label)
    };
    if labels.len() == 4 && labels.iter().all(|label| is_number(label)) {
        return true;
    }
    let has_first = labels.len() > 1 && FIRST_LABELS.iter().any(|known| known.as_bytes() == *first);
    // In `secure.*`, the rest of the host is whatever it may be.
    if has_first && last.is_empty() && labels.len() == 2 && path.starts_with(b"*") {
        return true;
    }
    let is_ending = last.len() > 1
        && last.iter().all(u8::is_ascii_alphabetic)
        && FILE_ENDINGS.iter().all(|ending| ending.as_bytes() != *last);
    let is_long = labels.len() > 2 || has_first || (path.starts_with(b"/") && is_top(last));
    labels.len() > 1 && labels.iter().all(is_label) && is_ending && is_long
}

/// Whether a host may end in this label.
fn is_top(label: &[u8]) -> bool {
    let label = label.to_ascii_lowercase();
    let known = TOP_LABELS.iter().any(|top| top.as_bytes() == label);
    known || (label.len() == 2 && label.iter().all(u8::is_ascii_alphabetic))
}

/// Whether a label is a part of an address.
fn is_number(label: &[u8]) -> bool {
    let digits = std::str::from_utf8(label).ok();
    digits.is_some_and(|digits| digits.parse::<u8>().is_ok())
}
