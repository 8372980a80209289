//! `short-prefix`: a rule of one or two letters, which closes more than a folder of that name.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::explain::shown;
use abide::syntax::PathPattern;
use abide::verdict::Sense;
use abide::{Severity, Target};
use abide_analysis::words::enumerated;
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule::new(
    "short-prefix",
    Severity::Info,
    include_str!("short_prefix.md"),
    RuleCheck::File(check),
)
.doubting_line();

/// Pages that many sites have, for files that name none of their own.
const FREQUENT: [&str; 40] = [
    "/about",
    "/account",
    "/blog",
    "/brands",
    "/careers",
    "/categories",
    "/company",
    "/contact",
    "/delivery",
    "/docs",
    "/events",
    "/faq",
    "/features",
    "/gallery",
    "/gifts",
    "/guides",
    "/help",
    "/home",
    "/images",
    "/info",
    "/jobs",
    "/kids",
    "/legal",
    "/locations",
    "/magazine",
    "/men",
    "/news",
    "/offers",
    "/pages",
    "/products",
    "/questions",
    "/returns",
    "/sale",
    "/services",
    "/shop",
    "/support",
    "/terms",
    "/topics",
    "/videos",
    "/women",
];
/// How many pages a finding names.
const MAX_SHOWN: usize = 2;
/// How many rules of a file are looked at.
const MAX_RULES: usize = 100;

fn check(file: &File<'_>, found: &mut Findings) {
    let mut short = file.rules.iter().flatten();
    let is_one =
        |rule: &abide::syntax::Rule<'_>| rule.sense == Sense::Disallow && is_short(rule.value);
    if !short.any(is_one) {
        return;
    }
    let urls = file.context.sitemap_urls.iter();
    let listed = urls.filter_map(|url| Some(Target::new(url).ok()?.path_and_query().to_owned()));
    let listed: Vec<String> = listed.collect();
    let rules = file.rules.iter().flatten();
    let short = rules.filter(|rule| is_one(rule));
    for rule in short.take(MAX_RULES) {
        let group = rule.line.group.and_then(|group| file.rules.get(group));
        let known = known_pages(file, &listed, rule.value);
        let (such_as, pages) = if known.is_empty() {
            ("paths such as ", frequent_pages(rule.value))
        } else {
            ("", known)
        };
        // Whoever wrote exceptions knows what the rule closes.
        let mut exceptions = group.into_iter().flatten();
        if pages.is_empty()
            || exceptions.any(|one| one.sense == Sense::Allow && one.value.starts_with(rule.value))
        {
            continue;
        }
        let value = shown(rule.value);
        let folder = shown(&[rule.value, b"/"].concat());
        let message = format!(
            "{value} also disallows {such_as}{}; if you mean the folder, write {folder}",
            enumerated(&pages, MAX_SHOWN)
        );
        found.say(Some(rule.line.number), File::statement(rule.line), message);
    }
}

/// Whether a pattern is one letter or two, and nothing ends it.
pub(crate) fn is_short(value: &[u8]) -> bool {
    let name = value.strip_prefix(b"/").unwrap_or_default();
    matches!(name.len(), 1 | 2) && name.iter().all(u8::is_ascii_alphabetic)
}

/// Whether a path begins as the pattern `value`, and the name goes on.
fn goes_on(path: &[u8], value: &[u8]) -> bool {
    let rest = path.strip_prefix(value);
    rest.is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_alphanumeric))
}

/// Pages that begin as the pattern: those of the sitemap and of other lines.
fn known_pages(file: &File<'_>, listed: &[String], value: &[u8]) -> Vec<String> {
    let listed = listed.iter();
    let listed = listed.filter(|path| goes_on(path.as_bytes(), value));
    let listed = listed.cloned();
    let other = file.rules.iter().flatten().filter_map(|rule| {
        let pattern: &PathPattern<'_> = rule.pattern.as_ref().ok()?;
        let has_mark = rule.value.iter().any(|byte| b"*$".contains(byte));
        let is_plain = !has_mark && pattern.length() > value.len() + 1;
        (is_plain && goes_on(rule.value, value)).then(|| shown(rule.value))
    });
    let known = listed.chain(other).take(MAX_SHOWN + 1);
    let known: BTreeSet<String> = known.collect();
    known.into_iter().collect()
}

/// Pages of many sites that begin as the pattern.
fn frequent_pages(value: &[u8]) -> Vec<String> {
    let pages = FREQUENT.iter();
    let pages = pages.filter(|page| goes_on(page.as_bytes(), value));
    pages.map(|page| (*page).to_owned()).collect()
}
