//! The field lines of the responses that a pattern is about.

use super::Pattern;
use super::crawler::Crawler;
use crate::convert::GoesOn;
use crate::language;
use abide::Target;
use abide::syntax::PathPattern;
use abide::tag::Scope;
use abide::write::{FieldRules, ResponseField, RobotsTagWriter, WriteError};
use std::fmt::Write as _;

/// The fields of each pattern.
pub(super) struct Fields {
    pub(super) text: String,
    pub(super) rules: FieldRules,
}

impl Fields {
    /// Stops early, with fewer fields, if it shall not go on.
    pub(super) fn write(
        patterns: &[Pattern<'_>],
        paths: &[String],
        crawlers: &[Crawler],
        field: ResponseField,
        goes_on: GoesOn<'_>,
    ) -> Result<Self, WriteError> {
        let mut lines: Vec<Vec<String>> = Vec::new();
        for path in deciding(patterns, paths, goes_on) {
            if !goes_on() {
                break;
            }
            let writer = path.map_or_else(RobotsTagWriter::new, |path| tags(path, crawlers));
            lines.push(match field {
                _ if writer == RobotsTagWriter::new() => Vec::new(),
                ResponseField::XRobotsTag => writer.x_robots_tag()?,
                _ => vec![writer.robots_tag()?],
            });
        }
        // A pattern without fields matters where a shorter one has fields.
        let tagged = || {
            patterns
                .iter()
                .zip(&lines)
                .filter(|(_, lines)| !lines.is_empty())
        };
        let is_needed = |pattern: &PathPattern<'_>| {
            tagged().any(|(other, _)| {
                other.read.length() <= pattern.length()
                    && language::may_overlap(&other.read, pattern)
            })
        };
        let (mut rules, mut texts) = (FieldRules::new(), Vec::new());
        for (pattern, lines) in patterns.iter().zip(&lines) {
            if lines.is_empty() && !is_needed(&pattern.read) {
                continue;
            }
            let of_pattern: Vec<&str> = lines.iter().map(String::as_str).collect();
            rules = rules.with(pattern.text, field, &of_pattern)?;
            let none = if lines.is_empty() { ": no field" } else { "" };
            let mut text = format!("# {}{none}\n", pattern.text);
            for line in lines {
                // Writing to a String cannot fail.
                let _ = writeln!(text, "{}: {line}", field.name());
            }
            texts.push(text);
        }
        let text = texts.join("\n");
        Ok(Self { text, rules })
    }
}

/// For each pattern a path on which it decides about the fields, because it is the longest that
/// matches: the one that the fewest patterns match.
fn deciding<'p>(
    patterns: &[Pattern<'_>],
    paths: &'p [String],
    goes_on: GoesOn<'_>,
) -> Vec<Option<&'p str>> {
    let mut found: Vec<Option<(usize, &'p str)>> = vec![None; patterns.len()];
    for path in paths.iter().take_while(|_| goes_on()) {
        let numbered = patterns.iter().enumerate();
        let matching: Vec<(usize, usize)> = numbered
            .filter(|(_, pattern)| pattern.read.matches(path.as_bytes()))
            .map(|(at, pattern)| (pattern.read.length(), at))
            .collect();
        // Of two that are equally long, the first decides.
        let longest = matching.iter().rev().max_by_key(|(length, _)| *length);
        let own = longest.and_then(|(_, at)| found.get_mut(*at));
        if let Some(own) = own
            && own.is_none_or(|(count, _)| matching.len() < count)
        {
            *own = Some((matching.len(), path));
        }
    }
    let found = found.into_iter();
    found.map(|one| one.map(|(_, path)| path)).collect()
}

/// The rules that the crawlers get on a path. Those for every robot bind the others too.
fn tags(path: &str, crawlers: &[Crawler]) -> RobotsTagWriter {
    let mut writer = RobotsTagWriter::new();
    let Ok(target) = Target::new(path) else {
        return writer;
    };
    let everyone = crawlers.iter().find(|crawler| crawler.name.is_none());
    let of_everyone = everyone.map(|one| one.wanted(&target)).unwrap_or_default();
    for rule in &of_everyone {
        writer = writer.with_rule(Scope::Everyone, rule.clone());
    }
    for crawler in crawlers {
        let Some(name) = &crawler.name else {
            continue;
        };
        let own = crawler.wanted(&target).into_iter();
        for rule in own.filter(|rule| !of_everyone.contains(rule)) {
            writer = writer.with_rule(Scope::Token(name.clone()), rule);
        }
    }
    writer
}
