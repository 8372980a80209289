//! Converts ACAP records about crawling to conventional records (ACAP-22 to ACAP-37, AMB-X-2,
//! AMB-X-3, AMB-X-4).

use super::agreement::{Origin, prove};
use super::resources::{
    NO_USAGE, Resources, UNDEFINED_SET, UNKNOWN_REFERENCE, has_letters, ignores_case, rooted, words,
};
use super::sides::Sides;
use super::{Conversion, ConversionFinding, GoesOn, Loss, is_everything, stream, too_long};
use abide::acap::AcapPattern;
use abide::syntax::{AcapStatement, FieldKind};
use abide::verdict::Sense;
use abide::write::{GroupWriter, WriteError};
use abide::{Limits, ProductToken, Robots, Usage};
use std::collections::{BTreeMap, BTreeSet};

/// Writes conventional records that say about crawling what the ACAP records in `bytes` say.
///
/// In RFC 9309 a crawler's own group replaces the rules of `*`; in ACAP a named record overrides
/// `*` only where it says something. So the group of a name also gets the rules of `*`, unless its
/// own rules cover every path.
///
/// ```
/// let converted = abide_analysis::convert::to_robots(
///     b"ACAP-crawler: *\nACAP-disallow-crawl: /1/\nACAP-crawler: f\nACAP-allow-crawl: /1/2\n",
/// );
/// assert_eq!(
///     converted.text(),
///     Some("User-agent: *\nDisallow: /1/\n\nUser-agent: f\nAllow: /1/2\nDisallow: /1/\n")
/// );
/// ```
#[must_use]
pub fn to_robots(bytes: &[u8]) -> Conversion {
    converted(bytes, &|| true)
}

pub(super) fn converted(bytes: &[u8], goes_on: GoesOn<'_>) -> Conversion {
    if let Some(refusal) = too_long(bytes) {
        return Conversion::new(String::new(), vec![refusal]);
    }
    let source = stream(&Robots::parse(bytes), true);
    let robots = Robots::parse(&source);
    let mut reader = RecordReader::new(&robots);
    for line in robots.acap_lines() {
        if let Some(field) = line.field() {
            let value = field.value.of(&source);
            if field.has_control(&source) {
                reader.refuse(Loss::Malformed, line.number, "a control byte in the line");
            } else {
                reader.field(line.number, field.key.of(&source), value);
            }
        }
    }
    let groups = reader.groups().unwrap_or_else(|| {
        let message = format!(
            "with the rules of * in the group of each crawler, the result would be longer than \
             {MAX_RULE_BYTES} bytes"
        );
        let refusal = ConversionFinding::refusal(Loss::SizeLimit, None, message);
        reader.findings.push(refusal);
        Vec::new()
    });
    if groups.is_empty() {
        reader.nothing(&robots);
    } else {
        reader.beside(&Robots::parse(bytes));
    }
    let (text, origins) = written(&groups).unwrap_or_else(|error| {
        let refusal = ConversionFinding::refusal(Loss::Malformed, None, error.to_string());
        reader.findings.push(refusal);
        Default::default()
    });
    let names = groups
        .iter()
        .flat_map(|group| group.names.iter().cloned())
        .collect();
    let target = Robots::parse(text.as_bytes());
    let sides = Sides {
        files: [&robots, &target],
        target_is_acap: false,
    };
    let none = Origin {
        line: 0,
        is_named: false,
    };
    let origin = |line: u32| origins.get(&line).copied().unwrap_or(none);
    let mut findings = reader.findings;
    if findings.iter().all(|finding| !finding.refuses) {
        prove(&sides, &names, origin, goes_on, &mut findings);
    }
    Conversion::new(text, findings)
}

/// The largest number of bytes of rules in the groups of crawlers, far above what robots read.
const MAX_RULE_BYTES: usize = 8 * Limits::FLOOR;

/// The bytes of a rule with this value.
fn rule_bytes(value: &str) -> usize {
    "Allow: \n".len() + value.len()
}

/// A permission or prohibition to crawl.
#[derive(Clone, Debug)]
struct Statement {
    line: u32,
    sense: Sense,
    value: String,
}

#[derive(Clone, Debug, Default)]
struct Record {
    names: Vec<String>,
    is_any: bool,
    statements: Vec<Statement>,
    has_body: bool,
    /// Whether its record has fields after the first that name a service.
    is_divided: bool,
}

/// A group in the result.
struct Group {
    /// Empty for `*`.
    names: Vec<String>,
    rules: Vec<(Statement, bool)>,
}

#[derive(Debug, Default)]
struct RecordReader<'r> {
    records: Vec<Record>,
    findings: Vec<ConversionFinding>,
    case: Option<u32>,
    /// What each field says about usages, with the names written out that the file defines.
    stated: BTreeMap<u32, Vec<AcapStatement<'r>>>,
    resources: Resources,
    /// How many more bytes of rules robots read. `None` if there were too many: a set of paths is
    /// written out wherever the file names it.
    room: Option<usize>,
}

impl<'r> RecordReader<'r> {
    fn new(robots: &'r Robots) -> Self {
        let mut reader = Self {
            room: Some(Limits::FLOOR),
            resources: Resources::of(robots),
            ..Self::default()
        };
        for statement in robots.acap_statements() {
            let of_line = reader.stated.entry(statement.place.line).or_default();
            of_line.push(statement);
        }
        reader
    }

    fn refuse(&mut self, loss: Loss, line: u32, message: &str) {
        self.findings
            .push(ConversionFinding::refusal(loss, line, message));
    }

    fn warn(&mut self, loss: Loss, line: u32, message: &str) {
        self.findings
            .push(ConversionFinding::warning(loss, line, message));
    }

    fn field(&mut self, line: u32, key: &[u8], value: &[u8]) {
        let key = String::from_utf8_lossy(key).to_ascii_lowercase();
        let value = String::from_utf8_lossy(value).into_owned();
        let statement = [
            ("acap-allow-", Sense::Allow),
            ("acap-disallow-", Sense::Disallow),
        ]
        .into_iter()
        .find_map(|(prefix, sense)| Some((sense, key.strip_prefix(prefix)?)));
        match (key.as_str(), statement) {
            ("acap-crawler", _) => self.crawler(line, &value),
            (_, Some((sense, usage))) => self.statement(line, sense, usage, &value),
            ("acap-usage-purpose", _) => {
                if let Some(record) = self.records.last_mut() {
                    (record.has_body, record.is_divided) = (true, true);
                }
            }
            ("acap-permissions-reference", _) => {
                self.refuse(Loss::Reference, line, UNKNOWN_REFERENCE);
            }
            ("acap-resource-set" | "acap-qualified-usage" | "acap-composite-usage", _) => {}
            ("acap-ignore-conventional-records", _) => {
                self.warn(
                    Loss::Record,
                    line,
                    "robots.txt rules cannot ask to be ignored",
                );
            }
            _ => {
                if let Some(record) = self.records.last_mut() {
                    record.has_body |= key.starts_with("acap-request-");
                }
                self.warn(Loss::Record, line, "RFC 9309 has no such line");
            }
        }
    }

    fn crawler(&mut self, line: u32, value: &str) {
        if self.records.last().is_none_or(|record| record.has_body) {
            self.records.push(Record::default());
        }
        let Some(record) = self.records.last_mut() else {
            return;
        };
        if value == "*" {
            record.is_any = true;
        } else if ProductToken::nonstandard(value).is_ok() && !value.contains('*') {
            record.names.push(value.to_ascii_lowercase());
            if ProductToken::new(value).is_err() {
                let message = "RFC 9309 only reads this name up to the first byte that is not a letter, \"-\" or \"_\"";
                self.warn(Loss::Name, line, message);
            }
        } else {
            self.refuse(
                Loss::Name,
                line,
                "no user-agent line can name this crawler alone",
            );
        }
    }

    fn statement(&mut self, line: u32, sense: Sense, usage: &str, value: &str) {
        let Some(record) = self.records.last_mut() else {
            return self.warn(
                Loss::Malformed,
                line,
                "no effect: there is no ACAP-crawler field before this field",
            );
        };
        record.has_body = true;
        let is_divided = record.is_divided;
        if usage.starts_with('(') {
            return self.local_usage(line, sense, is_divided, value);
        }
        if self.is_about_crawling(line, usage.parse().ok()) {
            self.crawl(line, sense, is_divided, value);
        }
    }

    /// A field whose usage the file defines: what it says about each usage that the name stands
    /// for.
    fn local_usage(&mut self, line: u32, sense: Sense, is_divided: bool, value: &str) {
        let parts: Vec<_> = self.stated.get(&line).into_iter().flatten().collect();
        let is_known = !parts.is_empty() && parts.iter().all(|part| part.is_valid);
        let terms = |usage| {
            let mut of_usage = parts.iter().filter(|part| part.usage == usage);
            of_usage.any(|part| !part.conditions.is_empty())
        };
        let has_terms = sense == Sense::Allow && terms(Usage::Crawl);
        let usages: Vec<Usage> = parts.iter().map(|part| part.usage).collect();
        if !is_known {
            let message = match sense {
                Sense::Disallow => "no prohibition names a local usage; write the usages out",
                Sense::Allow => {
                    "the file does not define this usage once, and before it; write it out"
                }
            };
            return self.refuse(Loss::LocalName, line, message);
        }
        for usage in usages {
            if !self.is_about_crawling(line, Some(usage)) {
                continue;
            }
            if has_terms {
                let message = "the name stands for crawling on conditions, which no rule has";
                self.refuse(Loss::Qualifier, line, message);
            } else {
                self.crawl(line, sense, is_divided, value);
            }
        }
    }

    /// Whether a field is about crawling, and otherwise a finding.
    fn is_about_crawling(&mut self, line: u32, usage: Option<Usage>) -> bool {
        match usage {
            Some(Usage::Crawl) => return true,
            Some(Usage::Other) => {
                let message = "this includes crawling if no other field names it";
                self.refuse(Loss::Usage, line, message);
            }
            Some(usage) => {
                let message = format!("robots.txt rules say nothing about {}", usage.name());
                self.warn(Loss::Usage, line, &message);
            }
            None => self.warn(Loss::Usage, line, NO_USAGE),
        }
        false
    }

    fn crawl(&mut self, line: u32, sense: Sense, is_divided: bool, value: &str) {
        if is_divided {
            let message = "robots.txt rules apply to every service of a crawler";
            return self.refuse(Loss::Qualifier, line, message);
        }
        let mut words = words(value);
        let resource = words.next().unwrap_or_default();
        if words.next().is_some() {
            let message = "only the path can be written in a conventional rule";
            match sense {
                Sense::Allow => return self.refuse(Loss::Qualifier, line, message),
                Sense::Disallow => self.warn(Loss::Qualifier, line, message),
            }
        }
        let Some(patterns) = self.resources.patterns(resource) else {
            return self.refuse(Loss::LocalName, line, UNDEFINED_SET);
        };
        for pattern in &*patterns {
            if !self.rule(line, sense, pattern) {
                break;
            }
        }
    }

    /// Adds a rule for a pattern to the last record. Returns whether it could: a field is refused
    /// once.
    fn rule(&mut self, line: u32, sense: Sense, pattern: &str) -> bool {
        let Some(room) = self.room else {
            return false;
        };
        if AcapPattern::read(pattern.as_bytes()).is_err() {
            self.refuse(Loss::Malformed, line, "no path pattern");
            return false;
        }
        self.room = room.checked_sub(rule_bytes(pattern));
        if self.room.is_none() {
            let message = format!(
                "with the sets of paths written out, the rules are longer than {} bytes: robots \
                 read no further",
                Limits::FLOOR
            );
            self.refuse(Loss::SizeLimit, line, &message);
            return false;
        }
        if self.case.is_none() && has_letters(pattern) {
            self.case = Some(line);
            let message = ignores_case("conventional rules", pattern);
            self.warn(Loss::Case, line, &message);
        }
        let value = rooted(pattern);
        if let Some(record) = self.records.last_mut() {
            record.statements.push(Statement { line, sense, value });
        }
        true
    }

    /// Refuses a source without a record about crawling, unless it is refused already. An empty
    /// result would open the site.
    fn nothing(&mut self, acap: &Robots) {
        if self.findings.iter().any(|finding| finding.refuses) {
            return;
        }
        let message = if acap.acap_lines().next().is_none() {
            "the file has no ACAP records, so there is nothing to convert to robots.txt rules"
        } else {
            "no ACAP record is about crawling, so there is nothing to convert to robots.txt rules"
        };
        let refusal = ConversionFinding::refusal(Loss::Silent, None, message);
        self.findings.push(refusal);
    }

    /// Reports conventional rules in the source.
    fn beside(&mut self, whole: &Robots) {
        let mut own = whole.lines().iter().filter(|line| {
            line.field()
                .is_some_and(|field| matches!(field.kind, FieldKind::Allow | FieldKind::Disallow))
        });
        if let Some(first) = own.next() {
            let message = format!(
                "the result has only what the ACAP records say; robots.txt rules of the file that it lacks: {}",
                own.count() + 1
            );
            self.warn(Loss::Record, first.number, &message);
        }
    }

    /// One group for `*`, and one for all names that the same records address.
    /// `None` if they would be too long.
    fn groups(&self) -> Option<Vec<Group>> {
        let mut room = MAX_RULE_BYTES;
        let of_any = self.records.iter().filter(|record| record.is_any);
        let of_any: Vec<&Statement> = of_any.flat_map(|record| &record.statements).collect();
        let mut groups = Vec::new();
        if !of_any.is_empty() {
            let rules = of_any.iter().map(|statement| ((*statement).clone(), false));
            groups.push(Group {
                names: Vec::new(),
                rules: rules.collect(),
            });
        }
        for (records, names) in self.addressed() {
            let own = records.iter().filter_map(|at| self.records.get(*at));
            let own: Vec<&Statement> = own.flat_map(|record| &record.statements).collect();
            if own.is_empty() {
                continue;
            }
            let silent = own.iter().all(|one| !is_everything(one.value.as_bytes()));
            let known: BTreeSet<u32> = own.iter().map(|one| one.line).collect();
            let further = of_any
                .iter()
                .filter(|one| silent && !known.contains(&one.line));
            let named = own.iter().map(|statement| (*statement, true));
            let mut rules = Vec::new();
            for (statement, is_named) in named.chain(further.map(|statement| (*statement, false))) {
                room = room.checked_sub(rule_bytes(&statement.value))?;
                rules.push((statement.clone(), is_named));
            }
            groups.push(Group { names, rules });
        }
        Some(groups)
    }

    /// The names, by the records that address them, in the order of the records.
    fn addressed(&self) -> BTreeMap<Vec<usize>, Vec<String>> {
        let mut records: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, record) in self.records.iter().enumerate() {
            for name in BTreeSet::from_iter(&record.names) {
                records.entry(name).or_default().push(at);
            }
        }
        let mut addressed: BTreeMap<Vec<usize>, Vec<String>> = BTreeMap::new();
        for (name, records) in records {
            addressed.entry(records).or_default().push(name.to_owned());
        }
        addressed
    }
}

/// The groups as text, and the source of each rule by the number of its line.
fn written(groups: &[Group]) -> Result<(String, BTreeMap<u32, Origin>), WriteError> {
    let (mut texts, mut origins, mut line) = (Vec::new(), BTreeMap::new(), 1);
    for group in groups {
        let mut writer = match group.names.as_slice() {
            [] => GroupWriter::new().for_everyone(),
            names => names.iter().fold(GroupWriter::new(), |writer, name| {
                writer.for_robot(&ProductToken::verbatim(name))
            }),
        };
        line += u32::try_from(group.names.len().max(1)).unwrap_or(u32::MAX);
        for (statement, is_named) in &group.rules {
            writer = writer.with_rule(statement.sense, &*statement.value);
            let origin = Origin {
                line: statement.line,
                is_named: *is_named,
            };
            origins.insert(line, origin);
            line += 1;
        }
        texts.push(writer.text()?);
        line += 1;
    }
    Ok((texts.join("\n"), origins))
}
