//! `sitemap-other-host`: a sitemap on a host for tests, or on another host than the site.

use super::unfilled_value::{host_of, is_local, is_one_site};
use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::explain::shown;
use abide::syntax::FieldKind;

pub(crate) static RULE: Rule = Rule::new(
    "sitemap-other-host",
    Severity::Warning,
    include_str!("sitemap_other_host.md"),
    RuleCheck::File(check),
)
.or(Severity::Info);

/// Names of servers that visitors do not see, as the first part of a host or a part of it between
/// hyphens.
const TEST_NAMES: [&str; 6] = ["preprod", "stage", "staging", "stg", "test", "uat"];

fn check(file: &File<'_>, found: &mut Findings) {
    let site = file.context.site_url();
    let site = site.and_then(|url| host_of(url.as_bytes()));
    for (line, field, value) in file.fields_of(FieldKind::Sitemap) {
        let Some(host) = host_of(value).filter(|host| !host.is_empty()) else {
            continue;
        };
        if site.is_some_and(|site| is_one_site(site, host)) {
            continue;
        }
        let name = String::from_utf8_lossy(host).to_ascii_lowercase();
        let host = shown(host);
        if is_for_tests(&name) {
            let message = format!(
                "the sitemap is on {host}, which looks like a server for tests; write the host of the site"
            );
            found.say(Some(line.number), field.value, message);
        } else if let Some(site) = site.filter(|_| !is_local(&name)) {
            let message = format!(
                "the sitemap is on {host}, and the site is {}; search engines accept that only if its pages are those of the site",
                shown(site)
            );
            let place = found.say(Some(line.number), field.value, message);
            place.severity(Severity::Info);
        }
    }
}

/// Whether a host is one of a server for tests. `test.example` may be the name of the site itself,
/// and so may `test.com.au`: below the name of a country, two parts may be those of a registry.
fn is_for_tests(host: &str) -> bool {
    let parts: Vec<&str> = host.split('.').collect();
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else {
        return false;
    };
    let min_parts = if last.len() == 2 { 4 } else { 3 };
    let is_test = |part: &str| TEST_NAMES.contains(&part);
    first.split('-').any(is_test) && parts.len() >= min_parts
}
