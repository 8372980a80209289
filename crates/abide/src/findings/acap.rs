//! Findings about the ACAP stream of a file: in its own fields, and in its order with conventional
//! records (ACAP-2, ACAP-13, ACAP-20, AMB-ACAP-4, AMB-ACAP-15, AMB-ACAP-16, AMB-X-14).

use crate::acap::{
    self, AcapFile, AcapLine, AcapSide, Reading, Resource, UsageField, lines, marked, policy_for,
    read_lines, referenced, version, why_conventional_count,
};
use crate::client::Client;
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::profile::Profile;
use crate::rep::field::{FieldKind, KeyedLine};
use crate::text::Part as _;
use crate::text::{Lines, RawLine, Span, Text};
use crate::verdict::{Place, Sense, Usage};
use crate::visible::{quoted, shown, visible};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::Arc;

/// The findings about the ACAP stream `lines` of a robots.txt, for a client that reads it.
/// `side` is the same stream, compiled with its references. Without it the file alone decides.
pub(super) fn findings(
    text: &Text<'_>,
    lines: &[AcapLine],
    client: &Client,
    side: Option<&AcapSide>,
) -> Vec<Diagnostic> {
    let mut findings = Findings::kept();
    let Some(asker) = client.for_acap() else {
        return Vec::new();
    };
    let bytes = text.as_bytes();
    let file = acap::read(lines, bytes, None, &mut findings);
    let versioned = versions(text, &mut findings);
    if let Some(first) = lines
        .first()
        .filter(|_| !versioned && !file.records.is_empty())
    {
        findings.say(
            Code::AcapNoVersion,
            Some(first.line),
            first.place().span,
            || "a file with ACAP records needs ##ACAP version=1.0 as its first line".to_owned(),
        );
    }
    if versioned && lines.is_empty() && !text.is_truncated() {
        findings.say(Code::AcapNoRecords, None, Span::default(), || {
            "the file announces ACAP records, but has none".to_owned()
        });
    }
    if text.is_truncated() && (versioned || !lines.is_empty()) {
        findings.say(Code::AcapTruncated, None, Span::default(), || {
            "ACAP records were cut off: anything they might permit counts as prohibited".to_owned()
        });
    }
    if !lines.is_empty() {
        neighbours(text, &file, &mut findings);
    }
    if file.ignores_conventional {
        let why = if let Some(side) = side {
            why_conventional_count(asker, &side.policy, side.is_truncated)
        } else {
            let policy = policy_for(asker, std::iter::once(&file));
            let is_truncated = text.is_truncated() || file.is_beyond_limits;
            why_conventional_count(asker, &policy, is_truncated)
        };
        not_honoured(why, lines, bytes, &mut findings);
    }
    dollars(&file, &mut findings);
    findings.into_vec()
}

/// The findings in files that a robots.txt refers to, with file and line in the message.
pub(super) fn findings_of_references(text: &Text<'_>, side: &AcapSide) -> Vec<Diagnostic> {
    let definitions = Arc::new(read_lines(&lines(text), text).definitions);
    let mut found = Vec::new();
    for (reference, reading) in side.policy.references.iter().zip(&side.read) {
        let mut findings = Findings::kept();
        referenced(reading, &definitions, &mut findings);
        if let Reading::Text(text) = reading
            && text.is_truncated()
        {
            for (code, message) in [
                (
                    Code::SizeLimit,
                    "longer than the parsing limit; the rest is not read",
                ),
                (
                    Code::AcapTruncated,
                    "records may be cut off: what may be permitted counts as prohibited",
                ),
            ] {
                findings.say(code, None, Span::default(), || message.to_owned());
            }
        }
        let locator = visible(quoted(reference.locator.as_bytes()).as_bytes());
        found.extend(findings.into_vec().into_iter().map(|finding| Diagnostic {
            message: match finding.line {
                Some(line) => format!("{locator}, line {line}: {}", finding.message).into(),
                None => format!("{locator}: {}", finding.message).into(),
            },
            line: Some(reference.place.line),
            span: reference.place.span,
            ..finding
        }));
    }
    found
}

/// Checks the comment with the ACAP version. Returns whether there is one.
fn versions(text: &Text<'_>, findings: &mut Findings) -> bool {
    let bytes = text.as_bytes();
    let is_blank = |line: &RawLine| line.span.of(bytes).trim_ascii().is_empty();
    let mut first = None;
    let mut versioned = false;
    for line in marked(text).filter(|line| !is_blank(line)) {
        let first = *first.get_or_insert(line.number);
        let Some(version) = version(line.span.of(bytes)) else {
            continue;
        };
        versioned = true;
        if first != line.number {
            findings.say(
                Code::AcapVersionNotFirst,
                Some(line.number),
                line.span,
                || "this comment must come before every other line".to_owned(),
            );
        }
        if version != b"1.0" {
            findings.say(
                Code::AcapVersionUnknown,
                Some(line.number),
                line.span,
                || format!("ACAP {} is read as ACAP 1.0", shown(version)),
            );
        }
    }
    versioned
}

/// Finds conventional lines after ACAP lines: whole records, which should come first (ACAP-20), and
/// rules without a group line, which belong to the group before (AMB-ACAP-16).
fn neighbours(text: &Text<'_>, file: &AcapFile, findings: &mut Findings) {
    let crawler = file
        .records
        .iter()
        .find_map(|record| record.crawlers.first());
    let begins = crawler.map_or(u32::MAX, |field| field.place.line);
    let (mut seen_acap, mut reported) = (false, false);
    let bytes = text.as_bytes();
    for own in Lines::new(bytes, text.body()) {
        let Some(keyed) = KeyedLine::new(bytes, &own, Profile::Careful) else {
            continue;
        };
        match keyed.kind {
            FieldKind::Acap => seen_acap = true,
            kind if kind.starts_group() => {
                seen_acap = false;
                if own.number > begins && !reported {
                    reported = true;
                    findings.say(
                        Code::AcapBeforeConventional,
                        Some(own.number),
                        own.span,
                        || {
                            "User-agent groups after ACAP records; move the ACAP records to the end"
                                .to_owned()
                        },
                    );
                }
            }
            kind if kind.is_rule() && seen_acap => {
                seen_acap = false;
                findings.say(Code::AcapInterleaved, Some(own.number), own.span, || {
                    "this rule after ACAP fields belongs to the group before them".to_owned()
                });
            }
            _ => {}
        }
    }
}

/// Reports `why` conventional records count although the file asks to ignore them.
fn not_honoured(
    why: Option<&'static str>,
    lines: &[AcapLine],
    bytes: &[u8],
    findings: &mut Findings,
) {
    let Some(why) = why else {
        return;
    };
    let asks = |line: &&AcapLine| acap::asks_to_ignore(line.key.of(bytes));
    let place = lines.iter().find(asks).map(AcapLine::place);
    let (line, span) = place.map_or((None, Span::default()), |at| (Some(at.line), at.span));
    findings.say(Code::AcapIgnoreNotHonoured, line, span, || {
        format!("conventional records apply: {why}")
    });
}

/// The patterns that patterns with `$` are compared with.
type ComparedPatterns<'f> = BTreeMap<(Usage, Sense, &'f [u8]), Place>;

/// Finds patterns with `$` that count as wider than a pattern that matches more (AMB-ACAP-4).
fn dollars(file: &AcapFile, findings: &mut Findings) {
    let patterns = patterns(file);
    for ((usage, sense, symbols), place) in &patterns {
        let Some(body) = symbols.strip_suffix(b"$") else {
            continue;
        };
        let other = match sense {
            Sense::Allow => Sense::Disallow,
            Sense::Disallow => Sense::Allow,
        };
        let from = Bound::Excluded((*usage, other, body));
        let wider = patterns
            .range((from, Bound::Unbounded))
            .take_while(|((of, sense, longer), _)| {
                (of, *sense) == (usage, other) && longer.starts_with(body)
            })
            .take(64)
            .find(|((.., longer), _)| {
                let rest = longer.part(body.len()..);
                rest != b"$" && (body.contains(&b'*') || rest.iter().all(|&byte| byte == b'*'))
            });
        if let Some(((.., longer), other)) = wider {
            findings.say(Code::AcapDollarScope, Some(place.line), place.span, || {
                format!(
                    "{} counts as wider than {} on line {}, which matches more",
                    shown(symbols),
                    shown(longer),
                    other.line
                )
            });
        }
    }
}

/// Every pattern that a field names, directly or by a set, with the first such field.
fn patterns(file: &AcapFile) -> ComparedPatterns<'_> {
    let mut patterns = ComparedPatterns::new();
    let mut sets = BTreeSet::new();
    let mut add = |field: &UsageField, symbols| {
        for part in &field.parts {
            patterns
                .entry((part.usage, field.sense, symbols))
                .or_insert(field.place);
        }
    };
    for field in file.records.iter().flat_map(|record| &record.statements) {
        match &field.resource {
            Resource::Pattern(pattern) => add(field, pattern.symbols()),
            Resource::Set(set) => {
                let usages: Vec<Usage> = field.parts.iter().map(|part| part.usage).collect();
                if sets.insert((Arc::as_ptr(set), field.sense, usages)) {
                    set.patterns
                        .iter()
                        .for_each(|pattern| add(field, pattern.symbols()));
                }
            }
            Resource::Unknown => {}
        }
    }
    patterns
}
