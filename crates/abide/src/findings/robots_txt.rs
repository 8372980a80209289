//! Findings about a robots.txt: its encoding, and each field of the formats of RFC 9309 and
//! `User-Agent-Purpose`. Those about ACAP and `App-Directives` come from `acap` and
//! `app_directives`.

use super::foreign_body::{ForeignBody, foreign_body};
use super::line_filter::{LineFilter, is_fine};
use super::{acap, app_directives, licence_lines, preference_lines};
use crate::acap::{AcapSide, line as acap_line};
use crate::client::Client;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::growth;
use crate::pattern::normal;
use crate::profile::Profile;
use crate::purpose::is_purpose;
use crate::rep::field::{Field, FieldKind, KeyedLine, Spelling};
use crate::rep::{CrawlDelay, token};
use crate::spelling::nearest;
use crate::text::{Encoding, Lines, RawLine, Separator, Span, Text, is_blank, is_control, offset};
use crate::visible::shown;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The findings about a robots.txt itself, in the reading of `profile`. `acap_side` is its ACAP
/// stream, compiled with its references; `None` without one, or if the file was not compiled.
pub(super) fn findings(
    text: &Text<'_>,
    profile: Profile,
    client: &Client,
    acap_side: Option<&AcapSide>,
) -> Vec<Diagnostic> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    whole_file(text, client, &mut found);
    let mut filter = LineFilter::default();
    let mut acap_lines = Vec::new();
    let mut asks_applications = false;
    for raw in Lines::new(bytes, text.body()) {
        let Some(keyed) = KeyedLine::new(bytes, &raw, profile) else {
            continue;
        };
        if !filter.needs_check(&keyed) {
            continue;
        }
        let Some(field) = keyed.field(bytes, &raw, profile) else {
            continue;
        };
        asks_applications |= keyed.kind == FieldKind::AppDirectives;
        if keyed.kind == FieldKind::Acap {
            acap_lines.push(acap_line(&field, raw.number, bytes));
        }
        let finder = FieldFinder {
            bytes,
            profile,
            client,
            raw,
            field,
            is_in_group: filter.is_in_group(),
        };
        finder.all(&mut found);
    }
    let body = foreign_body(text, filter.is_in_group());
    found.extend(body.map(ForeignBody::diagnostic));
    if profile == Profile::Careful {
        if asks_applications {
            let (applications, known) = (client.applications(), client.registry());
            growth::append(
                &mut found,
                app_directives::findings(text, applications, known),
            );
        }
        let of_acap = acap::findings(text, &acap_lines, client, acap_side);
        growth::append(&mut found, of_acap);
        controls(text, &mut found);
        if let Some(sent) = client.identification() {
            identification(text, client, sent, &mut found);
        }
    }
    if let Some(preferences) = client.preferences() {
        let of_licences = licence_lines::findings(text, profile, preferences);
        growth::append(&mut found, of_licences);
        let of_preferences = preference_lines::findings(text, profile, preferences);
        growth::append(&mut found, of_preferences);
    }
    sort(&mut found);
    found
}

/// Where the purposes in the identification string are not those that the client claims: words of
/// the string that `;` separates (PUR-4, CLA-22). Each purpose is reported once.
fn identification(text: &Text<'_>, client: &Client, sent: &str, found: &mut Vec<Diagnostic>) {
    let words = sent.split([';', '(', ')']).map(str::trim);
    let mut words: BTreeSet<String> = words.map(str::to_ascii_lowercase).collect();
    for purpose in client.purposes() {
        if !words.remove(&purpose.as_str().to_ascii_lowercase()) {
            let message = format!(
                "the client claims the purpose {}, but its User-Agent line does not have it between semicolons (draft-illyes-rep-purpose, 2.2)",
                shown(purpose.as_str().as_bytes())
            );
            growth::push(
                found,
                Diagnostic::of_decision(Code::PurposeNotSent, message),
            );
        }
    }
    let bytes = text.as_bytes();
    for raw in Lines::new(bytes, text.body()) {
        let keyed = KeyedLine::new(bytes, &raw, Profile::Careful);
        let starter = keyed.filter(|keyed| keyed.kind == FieldKind::UserAgentPurpose);
        let Some(field) = starter.and_then(|keyed| keyed.field(bytes, &raw, Profile::Careful))
        else {
            continue;
        };
        let value = field.value.of(bytes);
        let word = String::from_utf8_lossy(value).to_ascii_lowercase();
        if is_purpose(value) && words.remove(&word) {
            let message = format!(
                "the User-Agent line has the purpose {}, but the client does not claim it, so groups for this purpose do not count",
                shown(value)
            );
            let code = Code::PurposeNotClaimed;
            growth::push(
                found,
                Diagnostic::new(code, Some(raw.number), field.value, message),
            );
        }
    }
}

/// Sorts findings by place, then by code; others keep their order. Sorts numbers and moves each
/// finding once, because a stable sort of the findings needs room for all of them again.
fn sort(found: &mut [Diagnostic]) {
    let key = |finding: &Diagnostic| (finding.line, finding.span, finding.code);
    if found.is_sorted_by_key(key) {
        return;
    }
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_unstable_by_key(|&at| (found.get(at).map(key), at));
    for start in 0..order.len() {
        let mut at = start;
        while let Some(next) = order.get_mut(at).map(|next| std::mem::replace(next, at))
            && next != start
        {
            found.swap(at, next);
            at = next;
        }
    }
}

/// Control bytes, which the grammar forbids (REP-83): in comments, and in lines for which none was
/// `found` yet. A line with a control byte in its comment still counts, because a comment is
/// discarded before anything is read (REP-11).
fn controls(text: &Text<'_>, found: &mut Vec<Diagnostic>) {
    let bytes = text.as_bytes();
    // Hardly any file has one, and one look at all bytes costs less than one at every comment.
    let has_control = |byte: &u8| is_control(*byte) && !matches!(byte, b'\n' | b'\r');
    // No early end within a chunk: the compiler then compares many bytes at once.
    let any_in = |chunk: &[u8]| {
        chunk
            .iter()
            .fold(false, |any, byte| any | has_control(byte))
    };
    if !bytes.chunks(4_096).any(any_in) {
        return;
    }
    let reported = found.iter().filter(|one| one.code == Code::ControlChar);
    let mut reported: Vec<u32> = reported.filter_map(|one| one.line).collect();
    reported.sort_unstable();
    for raw in Lines::new(bytes, text.body()) {
        let comment = Span::new(raw.hash, raw.span.end);
        let content = Span::new(raw.span.start, raw.hash);
        let control_in = |span: Span| span.of(bytes).iter().find(|byte| has_control(byte));
        if let Some(byte) = control_in(content)
            && reported.binary_search(&raw.number).is_err()
        {
            let message = format!("a control byte, {byte:#04x}, in the line: the line is ignored");
            let finding = Diagnostic::new(Code::ControlChar, Some(raw.number), raw.span, message);
            growth::push(found, finding);
        }
        if let Some(byte) = control_in(comment) {
            let message = format!(
                "a control byte, {byte:#04x}, in a comment: other parsers may drop or cut the line"
            );
            let finding = Diagnostic::new(Code::ControlChar, Some(raw.number), comment, message);
            growth::push(found, finding);
        }
    }
}

fn whole_file(text: &Text<'_>, client: &Client, found: &mut Vec<Diagnostic>) {
    if matches!(text.encoding(), Encoding::Utf16Le | Encoding::Utf16Be) {
        // Most robots read no rule, so they may crawl everything.
        let message = "the file is UTF-16: Google and others read no rule in it; save it as UTF-8";
        let finding = Diagnostic::of_decision(Code::NotUtf8, message);
        found.push(finding.with_severity(Severity::Error));
    }
    found.extend(not_utf8(text));
    let mut say = |code, message: Cow<'static, str>| {
        found.push(Diagnostic::of_decision(code, message));
    };
    if text.body() > 0 {
        say(
            Code::Bom,
            "the file begins with a byte order mark, which robots ignore".into(),
        );
    }
    if text.is_truncated() {
        let limit = thousands(client.limits().bytes());
        let last = last_line(text);
        let until = last.map_or_else(String::new, |line| format!(", up to line {line}"));
        let message = format!("robots read only the first {limit} bytes{until}");
        say(Code::SizeLimit, message.into());
        if text.has_cut_line() {
            let next = last.unwrap_or_default().saturating_add(1);
            let message = format!(
                "robots read only the first {limit} bytes, which end within line {next}: the whole line is ignored"
            );
            say(Code::CutLine, message.into());
        }
    }
}

/// The finding about the first byte that is not UTF-8.
fn not_utf8(text: &Text<'_>) -> Option<Diagnostic> {
    if text.encoding() != Encoding::NotUtf8 {
        return None;
    }
    let bytes = text.as_bytes();
    let at = std::str::from_utf8(bytes).err()?.valid_up_to();
    let byte = bytes.get(at)?;
    let line = Lines::new(bytes, text.body()).find(|line| at < line.span.end as usize)?;
    let column = at
        .saturating_sub(line.span.start as usize)
        .saturating_add(1);
    let message = format!(
        "the byte {byte:#04x} in column {column} (byte {at} of the file) is not UTF-8; save the file as UTF-8"
    );
    let span = Span::new(offset(at), offset(at.saturating_add(1)));
    Some(Diagnostic::new(
        Code::NotUtf8,
        Some(line.number),
        span,
        message,
    ))
}

/// The number of the last line that was read.
fn last_line(text: &Text<'_>) -> Option<u32> {
    let bytes = text.as_bytes();
    let lines = Lines::new(bytes, text.body());
    let read = lines.filter(|line| (line.span.start as usize) < bytes.len());
    read.last().map(|line| line.number)
}

/// A number with commas: `512,000`.
fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len().saturating_mul(2));
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && digits.len().saturating_sub(at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// How many points a segment consists of, escaped or not. `None` if it has anything else.
fn points(mut segment: &[u8]) -> Option<usize> {
    let mut points = 0_usize;
    while !segment.is_empty() {
        segment = match segment {
            [b'.', rest @ ..] | [b'%', b'2', b'e' | b'E', rest @ ..] => rest,
            _ => return None,
        };
        points = points.saturating_add(1);
    }
    Some(points)
}

/// Whether a pattern that ends in `points` points is most likely about hidden files, such as
/// `/.git`: those at the root, or in any folder.
fn may_be_hidden_files(path: &[u8], points: Option<usize>) -> bool {
    let folders = memchr::memchr_iter(b'/', path).count();
    points == Some(1) && (folders == 1 || path.contains(&b'*'))
}

/// What there is to say about one field.
struct FieldFinder<'a> {
    bytes: &'a [u8],
    profile: Profile,
    client: &'a Client,
    raw: RawLine,
    field: Field,
    is_in_group: bool,
}

impl FieldFinder<'_> {
    fn all(&self, found: &mut Vec<Diagnostic>) {
        self.spelling(found);
        match self.field.kind {
            FieldKind::UserAgent => self.user_agent(found),
            FieldKind::UserAgentPurpose => self.purpose(found),
            FieldKind::Allow | FieldKind::Disallow => self.rule(found),
            FieldKind::CrawlDelay => self.crawl_delay(found),
            FieldKind::AppDirectives => self.directives(found),
            _ => {}
        }
    }

    fn say(
        &self,
        found: &mut Vec<Diagnostic>,
        code: Code,
        span: Span,
        message: impl Into<Cow<'static, str>>,
    ) {
        let line = Some(self.raw.number);
        growth::push(found, Diagnostic::new(code, line, span, message));
    }

    fn value(&self) -> &[u8] {
        self.field.value.of(self.bytes)
    }

    fn shown(&self, span: Span) -> String {
        shown(span.of(self.bytes))
    }

    /// The careful reading voids such lines; the google profile does not (AMB-REP-12).
    fn control(&self) -> Option<u8> {
        let whole = Span::new(self.field.key.start, self.field.value.end).of(self.bytes);
        let careful = self.profile == Profile::Careful;
        whole
            .iter()
            .copied()
            .find(|&byte| careful && is_control(byte))
    }

    fn spelling(&self, found: &mut Vec<Diagnostic>) {
        let Field {
            kind,
            spelling,
            key,
            separator,
            ..
        } = self.field;
        if kind == FieldKind::Other || kind == FieldKind::Acap {
            return;
        }
        if spelling == Spelling::Typo {
            let message = format!(
                "{} is read as {}",
                self.shown(key),
                kind.name().unwrap_or("another record")
            );
            self.say(found, Code::Typo, key, message);
        }
        if separator == Separator::Blank {
            let message = format!("expected a colon after {}", self.shown(key));
            self.say(found, Code::MissingColon, key, message);
        }
    }

    fn user_agent(&self, found: &mut Vec<Diagnostic>) {
        let value = self.value();
        let named = token::identifier(value);
        let message = if let Some(byte) = self.control() {
            self.say_control(found, byte, "the line is ignored");
            return;
        } else if token::is_any(value, |_| false) || (!value.is_empty() && named == value) {
            return;
        } else if token::is_any(value, is_blank) {
            format!("{} is read as \"*\"; write \"*\" alone", shown(value))
        } else if named.is_empty() {
            format!(
                "{} names no robot: a product token has letters, '-' and '_' only",
                shown(value)
            )
        } else {
            format!(
                "most robots read only {}; a robot that compares the whole value {} may still follow this group",
                shown(named),
                shown(value)
            )
        };
        self.say(found, Code::UaInvalidToken, self.field.value, message);
    }

    fn purpose(&self, found: &mut Vec<Diagnostic>) {
        let value = self.value();
        if let Some(byte) = self.control() {
            self.say_control(found, byte, "the line is ignored");
        } else if !is_purpose(value) {
            let message = format!(
                "{} is not a purpose token and names no robot, but the line still begins a group{}",
                shown(value),
                self.nearest_purpose(value)
            );
            self.say(found, Code::UnknownPurpose, self.field.value, message);
        } else if !self
            .client
            .purposes()
            .iter()
            .any(|purpose| purpose.is_named_by(value))
        {
            let message = format!(
                "the robot does not claim the purpose {}{}",
                shown(value),
                self.nearest_purpose(value)
            );
            self.say(found, Code::UnknownPurpose, self.field.value, message);
        }
    }

    /// The purpose of the client that was probably meant, as the end of a sentence.
    fn nearest_purpose(&self, value: &[u8]) -> String {
        // A file can have a purpose that nobody claims on each line.
        const MAX_COMPARED: usize = 50;
        let claimed = self.client.purposes().iter().take(MAX_COMPARED);
        let near = nearest(value, claimed.map(|purpose| purpose.as_str().as_bytes()));
        near.map_or_else(String::new, |near| {
            format!("; did you mean {}?", shown(near))
        })
    }

    fn rule(&self, found: &mut Vec<Diagnostic>) {
        let message = "a rule before the first User-agent line has no effect";
        self.outside_group(found, message);
        if let Some(byte) = self.control() {
            self.say_control(found, byte, "the rule is ignored");
            return;
        }
        match self.value() {
            [] => {}
            [b'/' | b'*', ..] => self.pattern(found, self.field.value),
            _ => self.no_slash(found),
        }
    }

    /// A line before the first group (REP-36, APP-35).
    fn outside_group(&self, found: &mut Vec<Diagnostic>, message: &'static str) {
        if !self.is_in_group {
            self.say(found, Code::RuleOutsideGroup, self.raw.span, message);
        }
    }

    fn crawl_delay(&self, found: &mut Vec<Diagnostic>) {
        let message = "a Crawl-delay before the first User-agent line has no effect";
        self.outside_group(found, message);
        if CrawlDelay::read(self.value()).is_none() {
            let message = format!(
                "{} is not a delay: write a number of seconds, such as 10 or 0.5",
                shown(self.value())
            );
            let span = match self.value() {
                [] => self.raw.span,
                _ => self.field.value,
            };
            self.say(found, Code::CrawlDelayValue, span, message);
        }
    }

    fn no_slash(&self, found: &mut Vec<Diagnostic>) {
        let message = format!(
            "{} never matches: a pattern begins with \"/\" or \"*\"",
            shown(self.value())
        );
        self.say(found, Code::PatternNoSlash, self.field.value, message);
    }

    /// The path before directives, which is a pattern like that of a rule (APP-17, APP-18).
    fn directives(&self, found: &mut Vec<Diagnostic>) {
        let message = "directives before the first User-agent line have no effect";
        self.outside_group(found, message);
        let value = self.value();
        if value.starts_with(b"/") && self.control().is_none() {
            let end = value.iter().position(|&byte| is_blank(byte));
            let start = self.field.value.start;
            let end = start.saturating_add(offset(end.unwrap_or(value.len())));
            self.pattern(found, Span::new(start, end));
        }
    }

    fn pattern(&self, found: &mut Vec<Diagnostic>, pattern: Span) {
        let value = pattern.of(self.bytes);
        if is_fine(value) {
            return;
        }
        let at = |position: usize, len: usize| {
            let start = pattern.start.saturating_add(offset(position));
            Span::new(start, start.saturating_add(offset(len)))
        };
        if let Some(position) = value
            .iter()
            .position(|&byte| is_blank(byte) || byte == 0x7F)
        {
            let message =
                "space in a path: some robots read it as %20, others do not match it; write %20"
                    .to_owned();
            self.say(found, Code::PatternSpace, at(position, 1), message);
        }
        if let Some(position) = normal::stray_percent(value) {
            let message = normal::STRAY_PERCENT.to_owned();
            self.say(found, Code::StrayPercent, at(position, 1), message);
        }
        self.dot_segment(found, pattern);
    }

    /// A segment `.` or `..`, which web clients resolve before they send a URL, also as `%2e`
    /// (AMB-REP-24).
    fn dot_segment(&self, found: &mut Vec<Diagnostic>, pattern: Span) {
        let value = pattern.of(self.bytes);
        let path = value.split(|&byte| byte == b'?').next().unwrap_or_default();
        let path = path.strip_suffix(b"$").unwrap_or(path);
        let is_open = path.len() == value.len();
        let mut start = 0_usize;
        for segment in path.split(|&byte| byte == b'/') {
            let end = start.saturating_add(segment.len());
            // Other segments begin with what a pattern that ends open begins its last segment with.
            let goes_on = is_open && end == path.len();
            let points = points(segment);
            if matches!(points, Some(1 | 2)) && !(goes_on && may_be_hidden_files(path, points)) {
                let shown = shown(segment);
                let message = if goes_on {
                    format!(
                        "web clients resolve the segment {shown}, so this only matches names that begin with it"
                    )
                } else {
                    format!("URLs never contain the segment {shown} when they are sent")
                };
                let at = |position| pattern.start.saturating_add(offset(position));
                let span = Span::new(at(start), at(end));
                let line = Some(self.raw.number);
                let mut finding = Diagnostic::new(Code::PatternDotSegment, line, span, message);
                if goes_on && points == Some(1) {
                    // Names of hidden files begin with one point, and a pattern is a prefix.
                    finding = finding.with_severity(Severity::Info);
                }
                growth::push(found, finding);
                break;
            }
            start = end.saturating_add(1);
        }
    }

    fn say_control(&self, found: &mut Vec<Diagnostic>, byte: u8, effect: &str) {
        let message = format!("a control byte, {byte:#04x}, in the line: {effect}");
        self.say(found, Code::ControlChar, self.raw.span, message);
    }
}
