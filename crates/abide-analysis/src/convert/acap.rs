//! Converts conventional records to records of ACAP 1.0 (ACAP-29, ACAP-32, ACAP-48, ACAP-57,
//! AMB-X-2, AMB-X-4, AMB-X-6).

use super::agreement::{Origin, prove};
use super::sides::{Sides, crawler};
use super::{
    Conversion, ConversionFinding, GoesOn, Loss, in_other_case, is_everything, stream, too_long,
};
use abide::Robots;
use abide::syntax::PathPattern;
use abide::syntax::{Field, FieldKind};
use abide::syntax::{Group, Line};
use abide::verdict::Sense;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Writes the conventional records in `bytes` as records of ACAP 1.0 that say the same about
/// crawling, below the comment with the version. Append them to the file, and make that comment its
/// first line (ACAP-2, ACAP-20).
///
/// The record of a named crawler begins with a permission for everything if `*` has rules: in ACAP,
/// the fields for `*` apply wherever a named record says nothing, but in RFC 9309 a crawler's own
/// group replaces the rules of `*` (AMB-X-3).
///
/// ```
/// use abide_analysis::convert::to_acap;
/// let converted = to_acap(b"User-agent: *\nDisallow: /1/\nAllow: /1/2\n");
/// assert_eq!(
///     converted.text(),
///     Some(
///         "##ACAP version=1.0\n\nACAP-crawler: *\n\
///          ACAP-disallow-crawl: /1/\nACAP-allow-crawl: /1/2\n"
///     )
/// );
/// assert!(converted.findings().is_empty());
/// let undecided = b"User-agent: *\nDisallow: /*.gif$\nAllow: /img\n";
/// let converted = abide_analysis::convert::to_acap(undecided);
/// assert!(converted.is_refused());
/// ```
#[must_use]
pub fn to_acap(bytes: &[u8]) -> Conversion {
    converted(bytes, &|| true)
}

pub(super) fn converted(bytes: &[u8], goes_on: GoesOn<'_>) -> Conversion {
    if let Some(refusal) = too_long(bytes) {
        return Conversion::new(String::new(), vec![refusal]);
    }
    let source = stream(&Robots::parse(bytes), false);
    let robots = Robots::parse(&source);
    let mut writer = AcapWriter::new(&robots);
    for group in robots.groups() {
        writer.group(group);
    }
    writer.others(&Robots::parse(bytes));
    let AcapWriter {
        text,
        mut findings,
        names,
        ..
    } = writer;
    let sides = Sides {
        files: [&robots, &Robots::parse(&text)],
        target_is_acap: true,
    };
    let origin = |line| Origin {
        line,
        is_named: false,
    };
    prove(&sides, &names, origin, goes_on, &mut findings);
    let is_refused = findings.iter().any(|finding| finding.refuses);
    if !is_refused && !text.contains("ACAP-crawler") {
        let message =
            "no group applies to a crawler, so there is nothing to convert to ACAP records";
        findings.push(ConversionFinding::refusal(Loss::Silent, None, message));
    }
    Conversion::new(text, findings)
}

struct AcapWriter<'r> {
    robots: &'r Robots,
    text: String,
    findings: Vec<ConversionFinding>,
    names: BTreeSet<String>,
    /// The names with a permission for everything, in lower case: one is enough for all records.
    with_base: BTreeSet<String>,
    /// The path of a permission that covers every path and is weaker than every rule; `None` if `*`
    /// has no rules.
    everything: Option<&'static str>,
}

impl<'r> AcapWriter<'r> {
    fn new(robots: &'r Robots) -> Self {
        let text = robots.text().as_bytes();
        let rules = || robots.lines().iter().filter_map(|line| robots.rule(line));
        let of_any = robots.groups().iter().any(|group| {
            let mut starters = group
                .starters
                .iter()
                .filter_map(|at| robots.lines().get(*at)?.field());
            !group.rules.is_empty() && starters.any(|field| is_any(field.value.of(text)))
        });
        // "/" is narrower than "*".
        let starred = rules().any(|rule| rule.value.starts_with(b"*"));
        Self {
            robots,
            text: "##ACAP version=1.0\n".to_owned(),
            findings: Vec::new(),
            names: BTreeSet::new(),
            with_base: BTreeSet::new(),
            everything: of_any.then_some(if starred { "*" } else { "/" }),
        }
    }

    /// Writes one record for the names of a group, and one for `*`.
    fn group(&mut self, group: &Group) {
        let robots = self.robots;
        let text = robots.text().as_bytes();
        let (mut names, mut any) = (Vec::new(), false);
        for (line, field) in fields(robots, &group.starters) {
            let value = field.value.of(text);
            if field.kind == FieldKind::UserAgentPurpose {
                let message = "ACAP has no records for crawlers of a purpose";
                self.findings.push(ConversionFinding::refusal(
                    Loss::Purpose,
                    line.number,
                    message,
                ));
            } else if is_any(value) {
                any = true;
            } else if !field.has_control(text) {
                names.extend(self.crawler_names(value, line.number));
            }
        }
        let rules: Vec<_> = group.rules.iter().filter_map(|at| self.rule(*at)).collect();
        let silent = |(_, value): &(Sense, String)| !is_everything(value.as_bytes());
        let base = self.everything.or(rules.is_empty().then_some("/"));
        let base = base.filter(|_| rules.iter().all(silent));
        if any {
            let base = base.filter(|_| rules.is_empty());
            self.record(&["*".to_owned()], base, &rules);
        }
        let lower: Vec<String> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
        let base = base.filter(|_| lower.iter().any(|name| !self.with_base.contains(name)));
        // Names without fields would be names of the next record.
        if !names.is_empty() && (base.is_some() || !rules.is_empty()) {
            self.record(&names, base, &rules);
        }
        self.with_base
            .extend(lower.into_iter().filter(|_| base.is_some()));
        self.names.extend(names);
    }

    /// The names of crawlers that a user-agent value addresses: the token at its beginning, and,
    /// for crawlers with tokens that RFC 9309 does not allow, its first word (AMB-REP-6,
    /// AMB-REP-7).
    fn crawler_names(&mut self, value: &[u8], line: u32) -> Vec<String> {
        let value = String::from_utf8_lossy(value);
        let word = value.split([' ', '\t', '/']).next().unwrap_or_default();
        let is_name = |c: char| c.is_ascii_alphabetic() || matches!(c, '-' | '_');
        let token = word.split(|c| !is_name(c)).next().unwrap_or_default();
        let begins = |name: &&str| name.starts_with(|c: char| c.is_ascii_alphabetic());
        let names: Vec<String> = BTreeSet::from([token, word])
            .into_iter()
            .filter(|name| crawler(name).is_some() && name.is_ascii() && !name.contains('*'))
            .filter(begins)
            .map(str::to_owned)
            .collect();
        if names.len() != BTreeSet::from([token, word]).len() || names.is_empty() {
            let message = format!("{value} names crawlers that ACAP cannot name");
            self.findings
                .push(ConversionFinding::warning(Loss::Name, line, message));
        }
        names
    }

    /// A rule, with its value as ACAP writes it; `None` if the rule never matches.
    fn rule(&mut self, at: usize) -> Option<(Sense, String)> {
        let line = self.robots.lines().get(at)?;
        let rule = self.robots.rule(line)?;
        let pattern = rule.pattern.ok()?;
        if rule.value.contains(&b'?') {
            let message =
                "ACAP's grammar has no query in a pattern; abide reads it, other crawlers may not";
            self.findings.push(ConversionFinding::warning(
                Loss::Query,
                line.number,
                message,
            ));
        }
        let inner = rule.value.strip_suffix(b"$").unwrap_or(rule.value);
        if inner.contains(&b'$') {
            let message = "in ACAP, \"$\" is only allowed at the end; this one is written as %24";
            self.findings.push(ConversionFinding::warning(
                Loss::Dollar,
                line.number,
                message,
            ));
        }
        Some((rule.sense, value(rule.value, &pattern)))
    }

    fn record(&mut self, names: &[String], base: Option<&str>, rules: &[(Sense, String)]) {
        // Writing to a String cannot fail.
        let out = &mut self.text;
        let _ = writeln!(out);
        for name in names {
            let _ = writeln!(out, "ACAP-crawler: {name}");
        }
        if let Some(base) = base {
            let _ = writeln!(out, "ACAP-allow-crawl: {base}");
        }
        for (sense, value) in rules {
            let key = match sense {
                Sense::Allow => "ACAP-allow-crawl",
                Sense::Disallow => "ACAP-disallow-crawl",
            };
            let _ = writeln!(out, "{key}: {value}");
        }
    }

    /// Reports lines that are not converted, and differences of case.
    fn others(&mut self, whole: &Robots) {
        let mut left: BTreeMap<&str, (u32, usize)> = BTreeMap::new();
        for line in whole.lines() {
            let name = match line.field().map(|field| field.kind) {
                Some(FieldKind::Sitemap) => "Sitemap",
                Some(FieldKind::CrawlDelay) => "Crawl-delay",
                Some(FieldKind::AppDirectives) => "App-Directives",
                Some(FieldKind::Acap) => "ACAP",
                Some(FieldKind::Other) => "unknown",
                _ => continue,
            };
            left.entry(name).or_insert((line.number, 0)).1 += 1;
        }
        for (name, (line, count)) in left {
            let message = format!(
                "{name} records ({count}) are not part of the result; leave them in the file"
            );
            self.findings
                .push(ConversionFinding::warning(Loss::Record, line, message));
        }
        let lettered = whole.lines().iter().find_map(|line| {
            let rule = whole.rule(line)?;
            let letters = rule.pattern.is_ok() && rule.value.iter().any(u8::is_ascii_alphabetic);
            (letters && line.group.is_some()).then(|| (line.number, in_other_case(rule.value)))
        });
        if let Some((line, value)) = lettered {
            let message = format!(
                "ACAP ignores case: this rule, and others with letters, will also apply to {value}"
            );
            self.findings
                .push(ConversionFinding::warning(Loss::Case, line, message));
        }
    }
}

/// The lines at these places, with their fields.
fn fields<'r>(robots: &'r Robots, places: &[usize]) -> impl Iterator<Item = (&'r Line, &'r Field)> {
    let lines = places.iter().filter_map(|at| robots.lines().get(*at));
    lines.filter_map(|line| Some((line, line.field()?)))
}

fn is_any(value: &[u8]) -> bool {
    matches!(value, [b'*'] | [b'*', b' ' | b'\t', ..])
}

/// A pattern as ACAP writes it: unchanged if it is one visible word, otherwise in its canonical
/// form.
fn value(written: &[u8], pattern: &PathPattern<'_>) -> String {
    let inner = written.strip_suffix(b"$").unwrap_or(written);
    let is_plain = |byte: &u8| byte.is_ascii_graphic() && *byte != b'$';
    if inner.iter().all(is_plain) {
        return String::from_utf8_lossy(written).into_owned();
    }
    let mut value = String::new();
    for byte in pattern.forms().c1.iter() {
        // Writing to a String cannot fail.
        let _ = if is_plain(byte) {
            write!(value, "{}", char::from(*byte))
        } else {
            write!(value, "%{byte:02X}")
        };
    }
    if pattern.is_anchored() {
        value.push('$');
    }
    value
}
