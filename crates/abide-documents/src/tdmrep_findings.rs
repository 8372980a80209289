//! What is wrong with the text of a `tdmrep.json`.

use crate::findings::{DocumentFinding, DocumentFix, Findings, place_of};
use crate::tdmrep::{Object, is_blank, nests_too_deep, tdmrep};
use abide::explain::shown;
use abide::preference::TdmrepState;
use abide::preference::tdmrep::{MAX_BYTES, MAX_DEPTH, TdmrepFile, TdmrepRule};
use abide::syntax::PathPattern;
use abide::{Code, Severity};
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};

/// Returns what is wrong or odd about the text of a `tdmrep.json`, in the order of its places
/// (PREF-68 to PREF-74, PREF-80, PREF-81, PREF-85).
///
/// ```
/// let file = br#"[{"location": "images/", "tdm-reservation": 1}]"#;
/// let found = abide_documents::tdmrep_findings(file);
/// assert_eq!(found[0].diagnostic.code.name(), "tdmrep-location");
/// ```
#[must_use]
pub fn tdmrep_findings(body: &[u8]) -> Vec<DocumentFinding> {
    let rest = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    let mut findings = Findings::new(rest, body.len() - rest.len());
    match (tdmrep(body), std::str::from_utf8(rest)) {
        (TdmrepState::File(file), Ok(text)) => of_rules(&file, text, &mut findings),
        (TdmrepState::TooLarge, _) => findings.say_of_all(Code::TdmrepUnreadable, too_large(rest)),
        (_, Ok(text)) => of_no_array(text, &mut findings),
        (_, Err(_)) => findings.say_of_all(
            Code::TdmrepUnreadable,
            "the file is not UTF-8, so robots read no rule; save it as UTF-8",
        ),
    }
    findings.sorted()
}

/// What a file that exceeds a limit means: it prohibits, unlike one that is no array of rules.
fn too_large(body: &[u8]) -> String {
    let limit = if body.len() > MAX_BYTES {
        format!("is longer than {MAX_BYTES} bytes")
    } else {
        format!("nests deeper than {MAX_DEPTH} levels")
    };
    format!(
        "the file {limit}, so robots do not read its rules, and it reserves the whole site: training \
         and AI input are disallowed; shorten it"
    )
}

/// The finding about a text that is no array of rules.
fn of_no_array(text: &str, findings: &mut Findings) {
    let inner = text.trim_matches(|c: char| c.is_ascii() && is_blank(c as u8));
    let place = place_of(inner, text);
    let message = match inner.bytes().next() {
        None => "the file is empty, so it reserves nothing; write an array of rules, [{…}]".to_owned(),
        Some(b'<') => {
            "this is a web page, so it reserves nothing; robots read a JSON array of rules".to_owned()
        }
        Some(b'{') => {
            "this is a JSON object, so robots read no rule, and it reserves nothing; write an array \
             of rules, [{…}]"
                .to_owned()
        }
        _ => match serde_json::from_str::<&RawValue>(text) {
            Ok(_) => {
                "this is no array of rules, [{…}], so robots read no rule, and it reserves nothing"
                    .to_owned()
            }
            Err(error) => format!("the file is not JSON, so robots read no rule: {error}"),
        },
    };
    if inner.is_empty() {
        findings.say_of_all(Code::TdmrepUnreadable, message);
        return;
    }
    let fix = as_array(inner, place, findings);
    // Only the beginning is marked: the rest can be a whole page.
    let first = inner.chars().next().map_or(0, char::len_utf8);
    let finding = findings.say(Code::TdmrepUnreadable, (place.0, place.0 + first), message);
    finding.fix = fix;
}

/// The fix that makes an array of an object: of one rule, or of one member that has all rules.
fn as_array(
    object: &str,
    (start, end): (usize, usize),
    findings: &Findings,
) -> Option<DocumentFix> {
    if !object.starts_with('{') || object.len() > MAX_BYTES || nests_too_deep(object.as_bytes()) {
        return None;
    }
    let rule: Object<'_> = serde_json::from_str(object).ok()?;
    if rule.location.is_some() || rule.reservation.is_some() {
        return Some(DocumentFix {
            is_safe: false,
            title: "put brackets round the rule",
            edits: vec![
                (findings.span(start, start), "[".to_owned()),
                (findings.span(end, end), "]".to_owned()),
            ],
        });
    }
    let members: BTreeMap<&str, &RawValue> = serde_json::from_str(object).ok()?;
    let mut values = members.into_values();
    let (Some(only), None) = (values.next(), values.next()) else {
        return None;
    };
    let (from, to) = place_of(only.get(), object);
    has_rules(only).then(|| DocumentFix {
        is_safe: false,
        title: "keep only the array",
        edits: vec![
            (findings.span(start, start + from), String::new()),
            (findings.span(start + to, end), String::new()),
        ],
    })
}

/// Whether a value is an array in which something is a rule.
fn has_rules(value: &RawValue) -> bool {
    let members: Vec<&RawValue> = serde_json::from_str(value.get()).unwrap_or_default();
    let mut objects = members
        .iter()
        .filter_map(|member| serde_json::from_str::<Object<'_>>(member.get()).ok());
    objects.any(|rule| rule.location.is_some() || rule.reservation.is_some())
}

/// The findings about the rules of an array.
fn of_rules(file: &TdmrepFile, text: &str, findings: &mut Findings) {
    let Ok(members) = serde_json::from_str::<Vec<&RawValue>>(text) else {
        return;
    };
    let is_only = members.len() == 1;
    for (number, (member, rule)) in (1_usize..).zip(members.iter().zip(&file.rules)) {
        let place = place_of(member.get(), text);
        let read = serde_json::from_str::<Object<'_>>(member.get());
        let (Some(rule), Ok(object)) = (rule, read) else {
            let message = format!("rule {number} is not an object, so robots skip it");
            findings.say(Code::TdmrepMissingMember, place, message);
            continue;
        };
        let rule = RuleText {
            number,
            text,
            place,
            object,
            rule,
        };
        rule.location(is_only, findings);
        rule.reservation(findings);
        rule.policy(findings);
    }
    shadowed(file, &members, text, findings);
}

/// A rule, with its text.
struct RuleText<'a> {
    number: usize,
    text: &'a str,
    place: (usize, usize),
    object: Object<'a>,
    rule: &'a TdmrepRule,
}

impl RuleText<'_> {
    /// The place of one of its values.
    fn value(&self, value: &RawValue) -> (usize, usize) {
        place_of(value.get(), self.text)
    }

    /// The location as a pattern, if it can match.
    fn pattern(&self) -> Option<PathPattern<'_>> {
        PathPattern::read(self.rule.location.as_deref()?.as_bytes()).ok()
    }

    fn location(&self, is_only: bool, findings: &mut Findings) {
        let number = self.number;
        let Some(written) = self.object.location else {
            let message = format!("rule {number} has no location, so it matches nothing");
            // One rule alone can only mean the whole site.
            let inside = findings.span(self.place.0 + 1, self.place.0 + 1);
            let fix = is_only.then(|| DocumentFix {
                is_safe: false,
                title: "add a location for the whole site",
                edits: vec![(inside, "\"location\": \"/\", ".to_owned())],
            });
            findings.say(Code::TdmrepLocation, self.place, message).fix = fix;
            return;
        };
        let Some(location) = &self.rule.location else {
            let message = format!("the location of rule {number} is not a string");
            findings.say(Code::TdmrepLocation, self.value(written), message);
            return;
        };
        if self.pattern().is_some() {
            return;
        }
        let path = path_of(location);
        let message = match &path {
            Some(path) => format!(
                "a location begins with / or *, so {} matches nothing; write {}",
                shown(location.as_bytes()),
                shown(path.as_bytes())
            ),
            None => format!(
                "the location {} matches nothing",
                shown(location.as_bytes())
            ),
        };
        let place = self.value(written);
        let span = findings.span(place.0, place.1);
        let fix = path.and_then(|path| serde_json::to_string(&path).ok());
        findings.say(Code::TdmrepLocation, place, message).fix = fix.map(|path| DocumentFix {
            is_safe: false,
            title: "write a path",
            edits: vec![(span, path)],
        });
    }

    fn reservation(&self, findings: &mut Findings) {
        let number = self.number;
        let Some(written) = self.object.reservation else {
            // Without a location that can match, it hides no later rule.
            let matches = self.pattern().is_some();
            let effect = if matches {
                "so it says nothing, and later rules do not count for its paths"
            } else {
                "so it says nothing"
            };
            let message = format!("rule {number} has no tdm-reservation, {effect}");
            findings.say(Code::TdmrepMissingMember, self.place, message);
            return;
        };
        let place = self.value(written);
        let span = findings.span(place.0, place.1);
        let (message, value) = match self.rule.reservation {
            Some(is_reserved) if written.get().starts_with('"') => {
                let value = if is_reserved { "1" } else { "0" };
                let message = format!("tdm-reservation is a number: write {value} without quotes");
                (message, Some(value))
            }
            Some(_) => return,
            None => {
                let message = format!(
                    "robots ignore the tdm-reservation {}: write 1 to reserve rights, or 0",
                    shown(written.get().as_bytes())
                );
                (message, meant(written.get()))
            }
        };
        let is_safe = self.rule.reservation.is_some();
        let finding = findings.say(Code::TdmrepValue, place, message);
        if is_safe {
            finding.diagnostic.severity = Severity::Warning;
        }
        finding.fix = value.map(|value| DocumentFix {
            is_safe,
            title: "write a number",
            edits: vec![(span, value.to_owned())],
        });
    }

    fn policy(&self, findings: &mut Findings) {
        let is_idle = match self.rule.reservation {
            Some(is_reserved) => !is_reserved,
            None => self.object.reservation.is_none(),
        };
        if let Some(written) = self.object.policy.filter(|_| is_idle)
            && self.rule.policy.is_some()
        {
            let message = "robots ignore tdm-policy unless tdm-reservation is 1";
            findings.say(Code::TdmPolicyWithZero, self.value(written), message);
        }
    }
}

/// The path that a location probably means.
fn path_of(location: &str) -> Option<String> {
    let location = location.trim();
    let path = match location.split_once("://") {
        Some(("http" | "https", rest)) => rest.find('/').and_then(|at| rest.get(at..)),
        Some(_) => return None,
        None => Some(location),
    };
    let path = path.unwrap_or("/");
    let path = match path.strip_prefix(['/', '*']) {
        Some(_) => path.to_owned(),
        None => format!("/{path}"),
    };
    PathPattern::read(path.as_bytes()).is_ok().then_some(path)
}

/// The reservation that another value probably means.
fn meant(value: &str) -> Option<&'static str> {
    let word = value.trim_matches('"').trim().to_ascii_lowercase();
    match word.as_str() {
        "true" | "yes" | "1" => Some("1"),
        "false" | "no" | "0" => Some("0"),
        _ => None,
    }
}

/// Rules whose paths an earlier rule covers.
fn shadowed(file: &TdmrepFile, members: &[&RawValue], text: &str, findings: &mut Findings) {
    let mut covered = EarlierPatterns::default();
    let mut lengths = Vec::with_capacity(members.len());
    let mut found = Vec::new();
    for (number, (member, rule)) in (1_usize..).zip(members.iter().zip(&file.rules)) {
        let location = rule.as_ref().and_then(|rule| rule.location.as_deref());
        let pattern = location.and_then(|text| PathPattern::read(text.as_bytes()).ok());
        lengths.push(pattern.as_ref().map_or(0, PathPattern::length));
        let Some(pattern) = pattern else {
            continue;
        };
        let Some(earlier) = covered.add(&pattern, number) else {
            continue;
        };
        let message = format!(
            "rule {number} never applies: rule {earlier} matches all its paths, and the first rule \
             that matches counts"
        );
        found.push((place_of(member.get(), text), message));
    }
    // One fix is for all of them: each would hold all rules.
    let mut fix = (!found.is_empty()).then(|| by_length(&lengths, members, text, findings));
    for (place, message) in found {
        let finding = findings.say(Code::TdmrepShadowedRule, place, message);
        finding.fix = fix.take().flatten();
    }
}

/// The fix that puts rules with longer locations first, if that changes the order.
fn by_length(
    lengths: &[usize],
    members: &[&RawValue],
    text: &str,
    findings: &Findings,
) -> Option<DocumentFix> {
    let mut order: Vec<usize> = (0..members.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(lengths.get(*at)));
    let moved = members.iter().zip(order).enumerate();
    let moved = moved.filter(|(at, (_, from))| at != from);
    let edits: Vec<_> = moved
        .filter_map(|(_, (member, from))| {
            let (start, end) = place_of(member.get(), text);
            let new = members.get(from)?.get();
            Some((findings.span(start, end), new.to_owned()))
        })
        .collect();
    (!edits.is_empty()).then_some(DocumentFix {
        is_safe: false,
        title: "put longer locations first",
        edits,
    })
}

/// The patterns of earlier rules.
#[derive(Default)]
struct EarlierPatterns {
    /// Patterns that match all paths that begin with them, by their text. None of them begins with
    /// another one, so the only one that can cover a text is the last one that is not after it.
    prefixes: BTreeMap<Vec<u8>, usize>,
    /// All other patterns, also those with a stray `%`: they match fewer paths than begin with
    /// them.
    others: BTreeMap<(Vec<u8>, bool), usize>,
    /// The first of these, with both forms of their texts.
    wildcards: Vec<(GlobText, usize)>,
    /// How many bytes were compared with wildcards.
    compared: usize,
}

/// How many bytes of all rules are compared with patterns that have wildcards. Bounds the work for
/// hostile files.
const MAX_COMPARED_BYTES: usize = 200_000_000;

/// How many patterns with wildcards are compared with later ones.
const MAX_WILDCARDS: usize = 1_000;

/// A pattern in both canonical forms, with a final `*` if it matches beginnings.
#[derive(Debug)]
struct GlobText {
    forms: [Vec<u8>; 2],
    /// Whether only the first form is compared (CLA-21).
    has_stray_percent: bool,
}

impl GlobText {
    fn of(pattern: &PathPattern<'_>) -> Self {
        let forms = pattern.forms();
        let forms = [&forms.c1[..], forms.c2()].map(|text| {
            let mut text = text.to_vec();
            if !pattern.is_anchored() {
                text.push(b'*');
            }
            text
        });
        Self {
            forms,
            has_stray_percent: pattern.has_stray_percent(),
        }
    }

    fn len(&self) -> usize {
        self.forms.iter().map(Vec::len).sum()
    }

    /// Whether this pattern matches every path that `inner` matches.
    fn covers(&self, inner: &Self) -> bool {
        let mut forms = self.forms.iter().zip(&inner.forms);
        let stray = [self, inner].map(|text| text.has_stray_percent);
        stray != [true, false] && forms.all(|(outer, inner)| covers_every_path(outer, inner))
    }
}

/// Whether `outer` matches every path that `inner` matches. Every path begins with `/`.
fn covers_every_path(outer: &[u8], inner: &[u8]) -> bool {
    let stars = inner.iter().take_while(|byte| **byte == b'*').count();
    if stars == 0 || outer.first() == Some(&b'*') {
        return covers(outer, inner);
    }
    let rest = inner.get(stars..).unwrap_or_default();
    let begins_with_slash = rest.first() == Some(&b'/');
    covers(outer, &[b"/*", rest].concat()) && (!begins_with_slash || covers(outer, rest))
}

/// Whether `outer` matches all texts that `inner` matches. That is the case exactly if it matches
/// `inner` itself, read as a text in which `*` is a letter that nothing but a `*` matches.
fn covers(outer: &[u8], inner: &[u8]) -> bool {
    let (mut at, mut inside) = (0, 0);
    // Where the last `*` of `outer` is, and up to where it matches.
    let mut star: Option<(usize, usize)> = None;
    while let Some(&letter) = inner.get(inside) {
        match (outer.get(at), star) {
            (Some(b'*'), _) => {
                star = Some((at, inside));
                at += 1;
            }
            (Some(&expected), _) if expected == letter => {
                at += 1;
                inside += 1;
            }
            (_, Some((place, until))) => {
                star = Some((place, until + 1));
                (at, inside) = (place + 1, until + 1);
            }
            (_, None) => return false,
        }
    }
    let rest = outer.get(at..).unwrap_or_default();
    rest.iter().all(|byte| *byte == b'*')
}

impl EarlierPatterns {
    /// The earlier rule that covers `pattern`. Adds the pattern if there is none.
    fn add(&mut self, pattern: &PathPattern<'_>, number: usize) -> Option<usize> {
        let (text, is_anchored) = (&pattern.forms().c1, pattern.is_anchored());
        let stars = text.iter().rev().take_while(|byte| **byte == b'*').count();
        let bare = if is_anchored {
            text
        } else {
            text.get(..text.len() - stars).unwrap_or(text)
        };
        let head = bare.split(|byte| *byte == b'*').next().unwrap_or(bare);
        // Every path begins with `/`, so it covers as much as `*`.
        let bare = if bare == b"/" && !is_anchored {
            &[]
        } else {
            bare
        };
        let before = self.prefixes.range(..=head.to_vec()).next_back();
        if let Some((_, earlier)) = before.filter(|(prefix, _)| head.starts_with(prefix)) {
            return Some(*earlier);
        }
        let own = GlobText::of(pattern);
        if let Some(earlier) = self.covering_wildcard(&own) {
            return Some(earlier);
        }
        if is_anchored || head.len() < bare.len() || pattern.has_stray_percent() {
            let key = (bare.to_vec(), is_anchored);
            let earlier = self.others.get(&key).copied();
            if earlier.is_none() {
                self.others.insert(key, number);
                if self.wildcards.len() < MAX_WILDCARDS {
                    self.wildcards.push((own, number));
                }
            }
            return earlier;
        }
        // What begins with the new one can no longer decide about a later rule.
        let longer = self.prefixes.range(bare.to_vec()..);
        let longer = longer.take_while(|(prefix, _)| prefix.starts_with(bare));
        let longer: BTreeSet<_> = longer.map(|(prefix, _)| prefix.clone()).collect();
        for prefix in longer {
            self.prefixes.remove(&prefix);
        }
        self.prefixes.insert(bare.to_vec(), number);
        None
    }

    /// The first earlier rule with wildcards that covers a pattern.
    fn covering_wildcard(&mut self, pattern: &GlobText) -> Option<usize> {
        let (wildcards, compared) = (&self.wildcards, &mut self.compared);
        let mut earlier = wildcards.iter().take_while(|(outer, _)| {
            *compared = compared.saturating_add(outer.len().saturating_mul(pattern.len()));
            *compared < MAX_COMPARED_BYTES
        });
        let covering = earlier.find(|(outer, _)| outer.covers(pattern));
        covering.map(|(_, number)| *number)
    }
}
