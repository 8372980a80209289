//! Writes ACAP records as robots tags of responses, by path (CLA-13, TAG-3, REP-41).

mod crawler;
mod fields;

use super::resources::{
    NO_USAGE, Resources, UNDEFINED_SET, UNKNOWN_REFERENCE, has_letters, ignores_case, rooted, words,
};
use super::{Conversion, ConversionFinding, GoesOn, Loss, TagForm, stream, too_long};
use crate::bound::{Bound, Work};
use crate::compare::{self, each_case};
use abide::syntax::PathPattern;
use abide::tag::FieldLine;
use abide::verdict::Role;
use abide::write::{FieldRules, ResponseField};
use abide::{Outcome, Robots, Target, Usage};
use crawler::{Crawler, Restrictions};
use fields::Fields;
use std::collections::{BTreeMap, BTreeSet};

/// The largest number of patterns, and of crawlers.
const MAX_PATTERNS: usize = 500;
const MAX_CRAWLERS: usize = 200;
/// The work of finding all paths that the patterns can tell apart, and how often a pattern or a
/// crawler is looked at for these.
const BOUND: Bound = Bound { work: 10_000_000 };
const MAX_LOOKS: usize = 1_000_000;

/// The field lines of a response, for each pattern of its path.
///
/// The result is read again: on every path, and for every crawler that the records name and one
/// that they do not, robots tags have to restrict each usage as the records do. What no robots tag
/// can say is refused, each with the usage.
pub(super) fn converted(bytes: &[u8], to: TagForm, goes_on: GoesOn<'_>) -> Conversion {
    let mut findings = Vec::new();
    let text = written(bytes, to, goes_on, &mut findings).unwrap_or_else(|refusal| {
        findings.push(refusal);
        String::new()
    });
    Conversion::new(text, findings)
}

fn written(
    bytes: &[u8],
    to: TagForm,
    goes_on: GoesOn<'_>,
    findings: &mut Vec<ConversionFinding>,
) -> Result<String, ConversionFinding> {
    let refusal = |loss, message: &str| Err(ConversionFinding::refusal(loss, None, message));
    let field = match to {
        TagForm::RobotsTag => ResponseField::RobotsTag,
        TagForm::XRobotsTag => ResponseField::XRobotsTag,
        TagForm::Meta => {
            let message = "a meta element is about its page, and ACAP records are about paths; \
                           convert them to robots-tag or x-robots-tag";
            return refusal(Loss::Path, message);
        }
    };
    if let Some(refusal) = too_long(bytes) {
        return Err(refusal);
    }
    let records = Robots::parse(stream(&Robots::parse(bytes), true));
    if records.acap_lines().next().is_none() {
        let message = "the file has no ACAP records, so there is nothing to convert to robots tags";
        return refusal(Loss::Silent, message);
    }
    let named = RecordPatterns::of(&records);
    findings.extend(named.findings);
    let patterns = named.patterns.iter();
    let patterns: Vec<Pattern<'_>> = patterns.filter_map(|text| Pattern::read(text)).collect();
    let crawlers: Vec<Crawler> = compare::clients(&records, &records)
        .into_iter()
        .filter(|one| !one.is_implied)
        .map(|client| Crawler::new(&records, client))
        .collect();
    for (name, line) in &named.crawlers {
        let mut known = crawlers
            .iter()
            .filter_map(|crawler| crawler.name.as_deref());
        if !known.any(|known| known.eq_ignore_ascii_case(name)) {
            let message = "no robots tag can name this crawler";
            findings.push(ConversionFinding::refusal(Loss::Name, *line, message));
        }
    }
    let paths = paths(&patterns, &crawlers)?;
    let is_refused = findings.iter().any(|finding| finding.refuses);
    if is_refused || !goes_on() {
        return Ok(String::new());
    }
    let fields = Fields::write(&patterns, &paths, &crawlers, field, goes_on)
        .map_err(|error| ConversionFinding::refusal(Loss::Malformed, None, error.to_string()))?;
    let differences = prove(&paths, &fields.rules, &crawlers, goes_on);
    if fields.text.is_empty() && differences.is_empty() {
        let message = "no ACAP record restricts what robots tags are about, so there is nothing \
                       to convert to them";
        return refusal(Loss::Silent, message);
    }
    findings.extend(differences);
    Ok(fields.text)
}

/// The patterns of the fields that tags may be about, as conventional rules have them.
#[derive(Default)]
struct RecordPatterns {
    patterns: BTreeSet<String>,
    /// The crawlers that the records name, with the first line of each.
    crawlers: BTreeMap<String, u32>,
    findings: Vec<ConversionFinding>,
    has_letters: bool,
}

impl RecordPatterns {
    fn of(records: &Robots) -> Self {
        let mut reader = Self::default();
        let resources = Resources::of(records);
        let text = records.text().as_bytes();
        for line in records.acap_lines() {
            let Some(field) = line.field() else {
                continue;
            };
            if field.has_control(text) {
                reader.refuse(Loss::Malformed, line.number, "a control byte in the line");
                continue;
            }
            let key = String::from_utf8_lossy(field.key.of(text)).to_ascii_lowercase();
            let Ok(value) = str::from_utf8(field.value.of(text)) else {
                let message = "bytes that are not UTF-8; in a path, write them as %E9";
                reader.refuse(Loss::Malformed, line.number, message);
                continue;
            };
            reader.field(&resources, line.number, &key, value);
        }
        reader
    }

    fn refuse(&mut self, loss: Loss, line: u32, message: &str) {
        let refusal = ConversionFinding::refusal(loss, line, message);
        self.findings.push(refusal);
    }

    fn warn(&mut self, loss: Loss, line: u32, message: &str) {
        let warning = ConversionFinding::warning(loss, line, message);
        self.findings.push(warning);
    }

    fn field(&mut self, resources: &Resources, line: u32, key: &str, value: &str) {
        let usage = ["acap-allow-", "acap-disallow-"]
            .into_iter()
            .find_map(|prefix| key.strip_prefix(prefix));
        match (key, usage) {
            (_, Some("crawl")) => {
                let message = "robots tags say nothing about crawling; convert the file to robots \
                               as well";
                self.warn(Loss::Usage, line, message);
            }
            (_, Some(usage)) if usage.starts_with('(') || usage.parse::<Usage>().is_ok() => {
                self.statement(resources, line, value);
            }
            (_, Some(_)) => self.warn(Loss::Usage, line, NO_USAGE),
            ("acap-usage-purpose", _) => {
                let message = "robots tags apply to every service of a crawler";
                self.refuse(Loss::Qualifier, line, message);
            }
            ("acap-permissions-reference", _) => {
                self.refuse(Loss::Reference, line, UNKNOWN_REFERENCE);
            }
            ("acap-crawler", _) if value != "*" => {
                self.crawlers.entry(value.to_owned()).or_insert(line);
            }
            (
                "acap-crawler"
                | "acap-resource-set"
                | "acap-qualified-usage"
                | "acap-composite-usage",
                _,
            ) => {}
            _ => self.warn(Loss::Record, line, "robots tags have no such rule"),
        }
    }

    fn statement(&mut self, resources: &Resources, line: u32, value: &str) {
        let Some(patterns) = resources.patterns(words(value).next().unwrap_or_default()) else {
            return self.refuse(Loss::LocalName, line, UNDEFINED_SET);
        };
        for pattern in &*patterns {
            if !self.has_letters && has_letters(pattern) {
                self.has_letters = true;
                let message = ignores_case("the patterns of fields", pattern);
                self.warn(Loss::Case, line, &message);
            }
            self.patterns.insert(rooted(pattern));
        }
    }
}

/// A pattern of the result.
struct Pattern<'t> {
    text: &'t str,
    read: PathPattern<'t>,
}

impl<'t> Pattern<'t> {
    /// `None` for what matches no path, which no record is about.
    fn read(text: &'t str) -> Option<Self> {
        let read = PathPattern::read(text.as_bytes()).ok()?;
        Some(Self { text, read })
    }
}

/// A path for each set of patterns that can match together, and for none.
fn paths(patterns: &[Pattern<'_>], crawlers: &[Crawler]) -> Result<Vec<String>, ConversionFinding> {
    let unproved = |message: &str| ConversionFinding::refusal(Loss::Unproved, None, message);
    if patterns.len() > MAX_PATTERNS || crawlers.len() > MAX_CRAWLERS {
        return Err(unproved(&format!(
            "expected at most {MAX_PATTERNS} patterns and {MAX_CRAWLERS} crawlers: more are not \
             compared"
        )));
    }
    let (mut paths, mut work) = (Vec::new(), Work::new(BOUND));
    let read = patterns.iter().map(|pattern| pattern.read.clone());
    let is_complete = each_case(read, &mut work, |path| paths.push(path.to_owned()));
    // About ten rules are tried on a path.
    let of_path = patterns.len().saturating_add(10 * crawlers.len());
    if !is_complete || paths.len().saturating_mul(of_path) > MAX_LOOKS {
        let message = "the patterns overlap in too many ways to compare all URLs";
        return Err(unproved(message));
    }
    Ok(paths)
}

/// What is told once: the line of the records, the usage, and why tags cannot say it.
type Difference = (Option<u32>, Usage, Loss);

/// Refusals for everything that robots tags restrict otherwise than the records, on any path.
fn prove(
    paths: &[String],
    rules: &FieldRules,
    crawlers: &[Crawler],
    goes_on: GoesOn<'_>,
) -> Vec<ConversionFinding> {
    let mut found: BTreeMap<Difference, String> = BTreeMap::new();
    for path in paths {
        let Some(target) = Target::new(path).ok().filter(|_| goes_on()) else {
            break;
        };
        let fields = rules.fields(path);
        let fields = fields.map(|(field, value)| FieldLine::new(field.name(), value.as_bytes()));
        let fields: Vec<FieldLine> = fields.collect();
        for crawler in crawlers {
            if let Some(((line, usage, loss), why)) = difference(crawler, &target, &fields) {
                let whom = crawler.name.as_deref().unwrap_or("every other crawler");
                let message = || format!("{} of {path} for {whom}: {why}", usage.name());
                found.entry((line, usage, loss)).or_insert_with(message);
            }
        }
    }
    let found = found.into_iter();
    found
        .map(|((line, _, loss), message)| ConversionFinding::refusal(loss, line, message))
        .collect()
}

/// The first usage that the fields restrict otherwise than the records, with the line of these,
/// and why.
fn difference(
    crawler: &Crawler,
    target: &Target<'_>,
    fields: &[FieldLine],
) -> Option<(Difference, String)> {
    let decision = crawler.by_records.decide(target);
    let records = Restrictions::of(&decision);
    let tagged = crawler.tagged(target, fields);
    let mut usages = Usage::ALL.iter().copied();
    let usage = usages.find(|usage| records.0.get(usage) != tagged.0.get(usage))?;
    let said = decision.usage(usage).into_iter();
    let mut decided = said
        .flat_map(|said| &said.evidence)
        .filter(|one| one.role == Role::Decided);
    let line = decided.find_map(|one| one.place.map(|place| place.line));
    let best = crawler.best(target);
    let is_sayable = best.0.get(&usage) == records.0.get(&usage);
    let (loss, why) = match records.0.get(&usage) {
        Some((Outcome::Prohibited, _)) if !is_sayable => {
            let why = "no robots tag prohibits this alone";
            (Loss::Usage, why.to_owned())
        }
        Some((_, conditions)) if !is_sayable => {
            let conditions: Vec<_> = conditions.iter().map(ToString::to_string).collect();
            let conditions = conditions.join(", ");
            let why = format!("no robots tag restricts this alone and so: {conditions}");
            (Loss::Qualifier, why)
        }
        _ if best == records && crawler.name.is_some() => {
            let why = "robots tags for every crawler bind this one too";
            (Loss::Robots, why.to_owned())
        }
        _ => {
            let why = "the longest pattern that matches says something else";
            (Loss::Path, why.to_owned())
        }
    };
    Some(((line, usage, loss), why))
}
