//! What is wrong or odd in a text: codes in one table, with their severity (Part 3.8 of the
//! requirements, CLA-17). Codes that compare readings, and `discloses-path`, are the linter's.

mod glance;

use crate::app;
use crate::client::Client;
use crate::policy::acap::line as acap_line;
use crate::policy::acap_findings;
use crate::profile::Profile;
use crate::purpose::is_purpose;
use crate::rep::field::{Field, FieldKind, Keyed, Spelling};
use crate::rep::{CrawlDelay, token};
use crate::text::{Encoding, Lines, RawLine, Separator, Span, Text, is_blank, is_control, offset};
use glance::is_fine;
use std::fmt;

pub(crate) use glance::Glance;

/// A finding about a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What kind of finding it is.
    pub code: Code,
    /// The line it is about; `None` for the whole file.
    pub line: Option<u32>,
    /// The octets it is about.
    pub span: Span,
    /// One sentence: what was found, and what to write instead.
    pub message: String,
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Good to know.
    Info,
    /// Probably not what was meant.
    Warning,
    /// Certainly not what was meant, or without the effect that it seems to have.
    Error,
}

impl Severity {
    /// The severity's name in the decision contract.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident $name:literal $severity:ident;)*) => {
        /// The kind of a finding. Its name is stable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[$doc])* $variant,)*
        }

        impl Code {
            /// Every code.
            pub const ALL: &'static [Code] = &[$(Self::$variant),*];

            /// The code's stable name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// How much findings of this kind matter.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => Severity::$severity,)* }
            }
        }
    };
}

codes! {
    /// A permission of `other` (ACAP-116).
    AcapAllowOther "acap-allow-other" Info;
    /// A name that is none (ACAP-12, ACAP-35).
    AcapBadName "acap-bad-name" Warning;
    /// What stands where a path pattern belongs (ACAP-61, ACAP-64).
    AcapBadPattern "acap-bad-pattern" Error;
    /// A qualifier that is unknown, not valid for its usage, or has no valid value (ACAP-50, AMB-ACAP-8).
    AcapBadQualifier "acap-bad-qualifier" Error;
    /// A permissions reference to what is no single resource (ACAP-42).
    AcapBadReference "acap-bad-reference" Error;
    /// An action request for what is no single resource (ACAP-118).
    AcapBadRequest "acap-bad-request" Warning;
    /// ACAP records before conventional ones (ACAP-20).
    AcapBeforeConventional "acap-before-conventional" Warning;
    /// A wildcard in a crawler name, which then names nobody (AMB-ACAP-35).
    AcapCrawlerWildcard "acap-crawler-wildcard" Error;
    /// A `$` inside of a pattern, which stands for itself (ACAP-137).
    AcapDollarInside "acap-dollar-inside" Warning;
    /// Two patterns of which the one with `$` is narrower, and counts as wider (AMB-ACAP-4).
    AcapDollarScope "acap-dollar-scope" Warning;
    /// A name that is defined twice (ACAP-131, AMB-ACAP-18).
    AcapDuplicateName "acap-duplicate-name" Error;
    /// A qualifier that stands more often than it may (ACAP-102, ACAP-109).
    AcapDuplicateQualifier "acap-duplicate-qualifier" Warning;
    /// A record, or sub-record, that says nothing (ACAP-23, ACAP-25).
    AcapEmptyRecord "acap-empty-record" Warning;
    /// A word behind the resource that is no qualifier (ACAP-61).
    AcapExtraToken "acap-extra-token" Error;
    /// Fields beside a permissions reference (AMB-ACAP-21).
    AcapFieldsWithReference "acap-fields-with-reference" Warning;
    /// Conventional records that are to be ignored, and are not (AMB-ACAP-15).
    AcapIgnoreNotHonoured "acap-ignore-not-honoured" Error;
    /// Conventional rules among ACAP fields, which belong to the group before them (AMB-ACAP-16).
    AcapInterleaved "acap-interleaved" Warning;
    /// A definition behind the first record, which is not used (ACAP-123).
    AcapLateDefinition "acap-late-definition" Error;
    /// A prohibition of a usage in parentheses (ACAP-59, AMB-ACAP-2).
    AcapLocalInProhibition "acap-local-in-prohibition" Warning;
    /// A composite usage as part of another (ACAP-130).
    AcapNestedComposite "acap-nested-composite" Error;
    /// A qualified usage without qualifiers (ACAP-126).
    AcapNoQualifier "acap-no-qualifier" Error;
    /// ACAP fields without a record (ACAP-13).
    AcapNoRecords "acap-no-records" Warning;
    /// ACAP records without the comment that tells their version (ACAP-2).
    AcapNoVersion "acap-no-version" Info;
    /// A qualifier that counts by prior arrangement only, or never (ACAP-141, AMB-ACAP-24).
    AcapNotReady "acap-not-ready" Warning;
    /// The scheme `acap:`, which is `the-acap:` now (ACAP-63).
    AcapOldScheme "acap-old-scheme" Error;
    /// Fields in another order than ACAP asks for (ACAP-6, ACAP-16).
    AcapOrder "acap-order" Warning;
    /// A field before the first crawler field, which has no effect (AMB-ACAP-36).
    AcapOrphanField "acap-orphan-field" Error;
    /// `disallow-other` where nothing is said about crawl (AMB-ACAP-25).
    AcapOtherBlocksCrawl "acap-other-blocks-crawl" Warning;
    /// Qualifiers on a permission of a usage in parentheses (ACAP-56).
    AcapQualifierOnLocal "acap-qualifier-on-local" Error;
    /// Qualifiers on a prohibition (ACAP-58).
    AcapQualifierOnProhibition "acap-qualifier-on-prohibition" Warning;
    /// A query in a pattern (AMB-ACAP-10).
    AcapQuery "acap-query" Info;
    /// A reference in a referenced file, or of a file to itself (ACAP-40).
    AcapReferenceChain "acap-reference-chain" Error;
    /// An action request in a sub-record, which is not read (ACAP-26).
    AcapRequestInSubRecord "acap-request-in-sub-record" Warning;
    /// Blanks before a field's name or its colon (ACAP-10).
    AcapSpace "acap-space" Info;
    /// `*` beside named crawlers (ACAP-31, AMB-ACAP-20).
    AcapStarMixed "acap-star-mixed" Warning;
    /// ACAP records that the parsing limit cuts (AMB-X-14).
    AcapTruncated "acap-truncated" Error;
    /// A set that is not defined (AMB-ACAP-5).
    AcapUndefinedSet "acap-undefined-set" Error;
    /// A usage in parentheses that is not defined above (ACAP-54, ACAP-124).
    AcapUndefinedUsage "acap-undefined-usage" Error;
    /// A field that ACAP 1.0 does not know.
    AcapUnknownField "acap-unknown-field" Warning;
    /// A usage that ACAP 1.0 does not know (ACAP-76, ACAP-77).
    AcapUnknownUsage "acap-unknown-usage" Error;
    /// A permission to preserve without a limit (ACAP-80).
    AcapUnqualifiedPreserve "acap-unqualified-preserve" Info;
    /// `until-recrawl`, read as `until-recrawled` (AMB-ACAP-6).
    AcapUntilRecrawl "acap-until-recrawl" Info;
    /// The comment that tells the version is not the first line with content (ACAP-2).
    AcapVersionNotFirst "acap-version-not-first" Warning;
    /// A version other than 1.0 (ACAP-2, AMB-ACAP-34).
    AcapVersionUnknown "acap-version-unknown" Warning;
    /// An App-Directives line that carries none (APP-31, AMB-APP-21).
    AppDirectivesMalformed "app-directives-malformed" Error;
    /// Directives in a group that is not for everybody (APP-20).
    AppDirectivesNotUnderStar "app-directives-not-under-star" Info;
    /// Directives under `*` for an application that has a group of its own (AMB-APP-6).
    AppDirectivesShadowed "app-directives-shadowed" Error;
    /// Directives in a group in which the application does not look (APP-21).
    AppDirectivesUnreachable "app-directives-unreachable" Warning;
    /// A UTF-8 byte order mark at the beginning (AMB-REP-13).
    Bom "bom" Info;
    /// A control octet, which voids its line (AMB-REP-12).
    ControlChar "control-char" Error;
    /// A `Crawl-delay` that is not a number of seconds (REP-63).
    CrawlDelayValue "crawl-delay-value" Warning;
    /// The line that the parsing limit cuts is dropped (AMB-REP-10).
    CutLine "cut-line" Warning;
    /// A directive that its registry entry calls deprecated (APP-29).
    DirectiveDeprecated "directive-deprecated" Warning;
    /// A directive with a value of another type than its registry entry says (AMB-APP-16).
    DirectiveType "directive-type" Error;
    /// A key and a value without a colon between them (AMB-REP-5).
    MissingColon "missing-colon" Warning;
    /// `noindex` on a resource that may not be crawled, where nobody sees it (AMB-X-11).
    NoindexBehindDisallow "noindex-behind-disallow" Warning;
    /// Octets that are not UTF-8 (AMB-REP-11).
    NotUtf8 "not-utf8" Warning;
    /// A pattern with a `.` or `..` segment, which URLs do not have when they are sent (AMB-REP-24).
    PatternDotSegment "pattern-dot-segment" Warning;
    /// A pattern that begins neither with `/` nor with `*`, and so never matches (AMB-REP-3).
    PatternNoSlash "pattern-no-slash" Error;
    /// A blank or DEL inside of a pattern, read as its escape (AMB-REP-12).
    PatternSpace "pattern-space" Warning;
    /// A robots meta element outside of the head, which does not count (TAG-31).
    RobotsMetaInBody "robots-meta-in-body" Warning;
    /// A member of `Robots-Tag` that names a known rule where a product token belongs (AMB-TAG-7).
    RobotsTagBareRule "robots-tag-bare-rule" Error;
    /// `robots` in a field, where everybody is `*` (AMB-TAG-9).
    RobotsTagGlobal "robots-tag-global" Error;
    /// A rule of `Robots-Tag` in upper case (AMB-TAG-4).
    RobotsTagKeyCase "robots-tag-key-case" Error;
    /// A value of `Robots-Tag` that is no structured list (AMB-TAG-6).
    RobotsTagMalformed "robots-tag-malformed" Error;
    /// A member that names no product token (AMB-TAG-1, AMB-TAG-17).
    RobotsTagMember "robots-tag-member" Warning;
    /// Rules separated by `;` where the grammar wants `,`, which joins them into one (AMB-TAG-3).
    RobotsTagSeparator "robots-tag-separator" Warning;
    /// A field with more octets than are read (TAG-15).
    RobotsTagSizeLimit "robots-tag-size-limit" Error;
    /// A rule with a value that it does not take, or that cannot be read (AMB-TAG-5).
    RobotsTagValue "robots-tag-value" Warning;
    /// A rule before the first group, which nobody obeys (REP-36).
    RuleOutsideGroup "rule-outside-group" Error;
    /// More octets than are read (REP-81).
    SizeLimit "size-limit" Error;
    /// A `%` that begins no escape (AMB-REP-1).
    StrayPercent "stray-percent" Warning;
    /// A misspelt key that is read as what it means (AMB-REP-5).
    Typo "typo" Warning;
    /// A user-agent value that is no product token (AMB-REP-6).
    UaInvalidToken "ua-invalid-token" Warning;
    /// A purpose that the client does not know (PUR-6, AMB-PUR-7).
    UnknownPurpose "unknown-purpose" Info;
    /// A robots tag rule that nobody here knows (TAG-38).
    UnknownTagRule "unknown-tag-rule" Info;
    /// A URL that web clients rewrite before they send it (AMB-REP-24).
    UrlNotAsSent "url-not-as-sent" Warning;
    /// The field `X-Robots-Tag` (TAG-22).
    XRobotsTagDeprecated "x-robots-tag-deprecated" Info;
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where findings go while a text is read: they are kept for those who ask, and cost nothing where
/// nobody does.
#[derive(Debug)]
pub(crate) struct Findings(Option<Vec<Diagnostic>>);

impl Findings {
    pub(crate) fn kept() -> Self {
        Self(Some(Vec::new()))
    }

    pub(crate) fn dropped() -> Self {
        Self(None)
    }

    pub(crate) fn are_wanted(&self) -> bool {
        self.0.is_some()
    }

    pub(crate) fn say(
        &mut self,
        code: Code,
        line: Option<u32>,
        span: Span,
        message: impl FnOnce() -> String,
    ) {
        if let Some(found) = &mut self.0 {
            let message = message();
            found.push(Diagnostic {
                code,
                line,
                span,
                message,
            });
        }
    }

    pub(crate) fn into_vec(self) -> Vec<Diagnostic> {
        self.0.unwrap_or_default()
    }
}

/// The findings that a robots.txt itself shows, in the reading of `profile`, given its `lines`: all of
/// them, or those that a [`Glance`] notices. `has_acap_record` says whether an ACAP record addresses the
/// client, references included; `None` if the file was not compiled.
pub(crate) fn robots_txt(
    text: &Text<'_>,
    lines: impl Iterator<Item = RawLine>,
    profile: Profile,
    client: &Client,
    has_acap_record: Option<bool>,
) -> Vec<Diagnostic> {
    let octets = text.octets();
    let mut found = Vec::new();
    whole_file(text, &mut found);
    let mut glance = Glance::default();
    let mut acap = Vec::new();
    let mut asks_applications = false;
    for raw in lines {
        let Some(keyed) = Keyed::new(octets, &raw, profile) else {
            continue;
        };
        if !glance.notices(&keyed, &raw, octets) {
            continue;
        }
        let Some(field) = keyed.field(octets, &raw, profile) else {
            continue;
        };
        asks_applications |= keyed.kind == FieldKind::AppDirectives;
        if keyed.kind == FieldKind::Acap {
            acap.push(acap_line(&field, raw.number, octets));
        }
        let finder = Finder {
            octets,
            profile,
            client,
            raw,
            field,
            is_in_group: glance.is_in_group(),
        };
        finder.all(&mut found);
    }
    if profile == Profile::Careful {
        controls_in_comments(text, &mut found);
        if asks_applications {
            let (asked, known) = (client.applications(), client.known_applications());
            found.extend(app::diagnostics(text, asked, known));
        }
        found.extend(acap_findings::findings(
            text,
            &acap,
            client,
            has_acap_record,
        ));
    }
    found.sort_by_key(|finding| (finding.line, finding.span, finding.code));
    found
}

/// Control octets in comments, which the grammar forbids (REP-83). The line still counts: a comment is
/// discarded before anything is read (REP-11).
fn controls_in_comments(text: &Text<'_>, found: &mut Vec<Diagnostic>) {
    let octets = text.octets();
    // Hardly any file has one, and one look at all octets costs less than one at every comment.
    let has_control = |octet: &u8| is_control(*octet) && !matches!(octet, b'\n' | b'\r');
    // No early end within a chunk: the compiler then compares many octets at once.
    let any_in = |chunk: &[u8]| {
        chunk
            .iter()
            .fold(false, |any, octet| any | has_control(octet))
    };
    if !octets.chunks(4_096).any(any_in) {
        return;
    }
    for raw in Lines::new(octets, text.body()) {
        let comment = Span::new(raw.hash, raw.span.end);
        let Some(octet) = comment.of(octets).iter().find(|octet| has_control(octet)) else {
            continue;
        };
        found.push(Diagnostic {
            code: Code::ControlChar,
            line: Some(raw.number),
            span: comment,
            message: format!(
                "a control octet, {octet:#04x}, in a comment: other parsers may drop or cut the line"
            ),
        });
    }
}

fn whole_file(text: &Text<'_>, found: &mut Vec<Diagnostic>) {
    let mut say = |code, message: &str| {
        let (line, span) = (None, Span::default());
        found.push(Diagnostic {
            code,
            line,
            span,
            message: message.to_owned(),
        });
    };
    if text.body() > 0 {
        say(
            Code::Bom,
            "the file begins with a byte order mark, which is skipped",
        );
    }
    match text.encoding() {
        Encoding::Utf8 => {}
        Encoding::NotUtf8 => say(Code::NotUtf8, "the file is not UTF-8; save it as UTF-8"),
        Encoding::Utf16Le | Encoding::Utf16Be => {
            say(
                Code::NotUtf8,
                "the file is UTF-16 and was transcoded; save it as UTF-8",
            );
        }
    }
    if text.is_truncated() {
        say(
            Code::SizeLimit,
            "the file is longer than the parsing limit; the rest is not read",
        );
    }
    if text.has_cut_line() {
        say(
            Code::CutLine,
            "a line that the parsing limit cuts is dropped whole",
        );
    }
}

/// What there is to say about one field.
struct Finder<'a> {
    octets: &'a [u8],
    profile: Profile,
    client: &'a Client,
    raw: RawLine,
    field: Field,
    is_in_group: bool,
}

impl Finder<'_> {
    fn all(&self, found: &mut Vec<Diagnostic>) {
        self.spelling(found);
        match self.field.kind {
            FieldKind::UserAgent => self.user_agent(found),
            FieldKind::UserAgentPurpose => self.purpose(found),
            FieldKind::Allow | FieldKind::Disallow => self.rule(found),
            FieldKind::CrawlDelay => self.crawl_delay(found),
            _ => {}
        }
    }

    fn say(&self, found: &mut Vec<Diagnostic>, code: Code, span: Span, message: String) {
        found.push(Diagnostic {
            code,
            line: Some(self.raw.number),
            span,
            message,
        });
    }

    fn value(&self) -> &[u8] {
        self.field.value.of(self.octets)
    }

    fn shown(&self, span: Span) -> String {
        shown(span.of(self.octets))
    }

    /// The careful reading voids such lines; the google profile does not (AMB-REP-12).
    fn control(&self) -> Option<u8> {
        let whole = Span::new(self.field.key.start, self.field.value.end).of(self.octets);
        let careful = self.profile == Profile::Careful;
        whole
            .iter()
            .copied()
            .find(|&octet| careful && is_control(octet))
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
        let message = if let Some(octet) = self.control() {
            self.say_control(found, octet, "the line names nobody");
            return;
        } else if token::is_any(value, |_| false) || (!value.is_empty() && named == value) {
            return;
        } else if token::is_any(value, is_blank) {
            format!("{} is read as \"*\"; write \"*\" alone", shown(value))
        } else if named.is_empty() {
            format!(
                "{} names nobody: product tokens are letters, '-' and '_'",
                shown(value)
            )
        } else {
            format!(
                "{} is read as {}: only that part is a product token",
                shown(value),
                shown(named)
            )
        };
        self.say(found, Code::UaInvalidToken, self.field.value, message);
    }

    fn purpose(&self, found: &mut Vec<Diagnostic>) {
        let value = self.value();
        if let Some(octet) = self.control() {
            self.say_control(found, octet, "the line names no purpose");
        } else if !is_purpose(value) {
            let message = format!("{} is no purpose token, and addresses nobody", shown(value));
            self.say(found, Code::UnknownPurpose, self.field.value, message);
        } else if !self
            .client
            .purposes()
            .iter()
            .any(|purpose| purpose.is_named_by(value))
        {
            let message = format!(
                "the purpose {} is not one that the client claims",
                shown(value)
            );
            self.say(found, Code::UnknownPurpose, self.field.value, message);
        }
    }

    fn rule(&self, found: &mut Vec<Diagnostic>) {
        if !self.is_in_group {
            let message = "a rule before the first user-agent line belongs to no group".to_owned();
            self.say(found, Code::RuleOutsideGroup, self.raw.span, message);
        }
        if let Some(octet) = self.control() {
            self.say_control(found, octet, "the rule is not read");
            return;
        }
        match self.value() {
            [] => {}
            [b'/' | b'*', ..] => self.pattern(found),
            _ => self.no_slash(found),
        }
    }

    fn crawl_delay(&self, found: &mut Vec<Diagnostic>) {
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

    fn pattern(&self, found: &mut Vec<Diagnostic>) {
        let value = self.value();
        if is_fine(value) {
            return;
        }
        let at = |position: usize, len: usize| {
            let start = self.field.value.start.saturating_add(offset(position));
            Span::new(start, start.saturating_add(offset(len)))
        };
        if let Some(position) = value
            .iter()
            .position(|&octet| is_blank(octet) || octet == 0x7F)
        {
            let message = "a blank in a pattern is read as its escape; write %20".to_owned();
            self.say(found, Code::PatternSpace, at(position, 1), message);
        }
        let stray = value.iter().enumerate().find(|&(position, &octet)| {
            let digits = value.get(position.saturating_add(1)..position.saturating_add(3));
            octet == b'%' && !digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
        });
        if let Some((position, _)) = stray {
            let message = "a \"%\" that begins no escape; write %25".to_owned();
            self.say(found, Code::StrayPercent, at(position, 1), message);
        }
        let path = value
            .split(|&octet| octet == b'?')
            .next()
            .unwrap_or_default();
        let path = path.strip_suffix(b"$").unwrap_or(path);
        // What a pattern that ends open begins its last segment with, other segments begin with too.
        let is_open = path.len() == value.len();
        let mut start = 0_usize;
        for segment in path.split(|&octet| octet == b'/') {
            let ends = start.saturating_add(segment.len()) == path.len();
            if (segment == b"." || segment == b"..") && !(ends && is_open) {
                let message = format!("{} is no segment of a URL that is sent", shown(segment));
                self.say(
                    found,
                    Code::PatternDotSegment,
                    at(start, segment.len()),
                    message,
                );
                break;
            }
            start = start.saturating_add(segment.len()).saturating_add(1);
        }
    }

    fn say_control(&self, found: &mut Vec<Diagnostic>, octet: u8, effect: &str) {
        let message = format!("a control octet, {octet:#04x}, in the line: {effect}");
        self.say(found, Code::ControlChar, self.raw.span, message);
    }
}

/// Foreign text for a message: quoted, at most 80 octets, nothing in it that a terminal would obey.
pub(crate) fn shown(octets: &[u8]) -> String {
    const LONGEST: usize = 80;
    let cut = octets.get(..LONGEST).unwrap_or(octets);
    let more = if cut.len() < octets.len() { "…" } else { "" };
    format!("\"{}{more}\"", crate::explain::visible(cut))
}
