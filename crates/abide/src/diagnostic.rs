//! Findings about a text: their codes in one table, with severities (CLA-17;
//! docs/spec/decision.md). The module `findings` makes them; robots tags and ACAP records are
//! checked where they are read. Codes that compare readings, and `discloses-path`, belong to the
//! linter.

use crate::growth;
use crate::text::Span;
use std::borrow::Cow;
use std::fmt;

/// Something that is wrong or odd in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Diagnostic {
    /// The kind of the finding.
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// Number of the line, from 1; null for the whole file.
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub line: Option<u32>,
    /// The bytes it is about.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub span: Span,
    /// What was found, and what to write instead.
    pub message: Cow<'static, str>,
}

impl Diagnostic {
    /// A finding about bytes of a text; `line` is `None` for the whole text. Crates that read
    /// documents beside robots.txt report with it.
    #[must_use]
    pub fn new(
        code: Code,
        line: Option<u32>,
        span: Span,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            code,
            severity: code.severity(),
            line,
            span,
            message: kept(message),
        }
    }

    /// Changes how much it matters, where that is more or less than for others of its kind.
    #[must_use]
    pub fn with_severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// A finding without a place in robots.txt.
    pub(crate) fn of_decision(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(code, None, Span::default(), message)
    }
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum Severity {
    /// A note.
    Info,
    /// Probably not what was meant.
    Warning,
    /// Certainly not what was meant, or without effect.
    Error,
}

crate::named!(
    Severity,
    "severity",
    [Info = "info", Warning = "warning", Error = "error"]
);

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
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

        $crate::named!(Code, "code", [$($variant = $name),*]);

        impl Code {
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
    /// An invalid name (ACAP-12, ACAP-35).
    AcapBadName "acap-bad-name" Warning;
    /// An invalid path pattern (ACAP-61, ACAP-64).
    AcapBadPattern "acap-bad-pattern" Error;
    /// A qualifier that is unknown, invalid for its usage, or has an invalid value (ACAP-50,
    /// AMB-ACAP-8).
    AcapBadQualifier "acap-bad-qualifier" Error;
    /// A permissions reference to something other than a single resource (ACAP-42).
    AcapBadReference "acap-bad-reference" Error;
    /// An action request for something other than a single resource (ACAP-118).
    AcapBadRequest "acap-bad-request" Warning;
    /// ACAP records before conventional ones (ACAP-20).
    AcapBeforeConventional "acap-before-conventional" Warning;
    /// A wildcard in a crawler name, which then names no crawler (AMB-ACAP-35).
    AcapCrawlerWildcard "acap-crawler-wildcard" Error;
    /// A `$` inside a pattern, where it is an ordinary character (ACAP-137).
    AcapDollarInside "acap-dollar-inside" Warning;
    /// Two patterns of which the one with `$` is narrower but counts as wider (AMB-ACAP-4).
    AcapDollarScope "acap-dollar-scope" Warning;
    /// A name that is defined twice (ACAP-131, AMB-ACAP-18).
    AcapDuplicateName "acap-duplicate-name" Error;
    /// A qualifier that occurs too often (ACAP-102, ACAP-109).
    AcapDuplicateQualifier "acap-duplicate-qualifier" Warning;
    /// A record or sub-record without effect (ACAP-23, ACAP-25).
    AcapEmptyRecord "acap-empty-record" Warning;
    /// A word after the resource that is not a qualifier (ACAP-61).
    AcapExtraToken "acap-extra-token" Error;
    /// Fields beside a permissions reference (AMB-ACAP-21).
    AcapFieldsWithReference "acap-fields-with-reference" Warning;
    /// Conventional records that the file asks to ignore, but that still apply (AMB-ACAP-15).
    AcapIgnoreNotHonoured "acap-ignore-not-honoured" Warning;
    /// Conventional rules among ACAP fields, which belong to the group before them (AMB-ACAP-16).
    AcapInterleaved "acap-interleaved" Warning;
    /// A definition after the first record, which is ignored (ACAP-123).
    AcapLateDefinition "acap-late-definition" Error;
    /// A prohibition of a usage in parentheses (ACAP-59, AMB-ACAP-2).
    AcapLocalInProhibition "acap-local-in-prohibition" Warning;
    /// A composite usage as part of another (ACAP-130).
    AcapNestedComposite "acap-nested-composite" Error;
    /// A qualified usage without qualifiers (ACAP-126).
    AcapNoQualifier "acap-no-qualifier" Error;
    /// ACAP fields without a record (ACAP-13).
    AcapNoRecords "acap-no-records" Warning;
    /// ACAP records without the comment with their version (ACAP-2).
    AcapNoVersion "acap-no-version" Info;
    /// A qualifier that only counts by prior arrangement, or never (ACAP-141, AMB-ACAP-24).
    AcapNotReady "acap-not-ready" Warning;
    /// The scheme `acap:`, which is `the-acap:` now (ACAP-63).
    AcapOldScheme "acap-old-scheme" Error;
    /// Fields in the wrong order (ACAP-6, ACAP-16).
    AcapOrder "acap-order" Warning;
    /// A field before the first crawler field, which has no effect (AMB-ACAP-36).
    AcapOrphanField "acap-orphan-field" Error;
    /// `disallow-other` in a record without a field about crawl (AMB-ACAP-25).
    AcapOtherBlocksCrawl "acap-other-blocks-crawl" Warning;
    /// A character in a path that no URL contains (ACAP-64).
    AcapPatternCharacter "acap-pattern-character" Info;
    /// Qualifiers on a permission of a usage in parentheses (ACAP-56).
    AcapQualifierOnLocal "acap-qualifier-on-local" Error;
    /// Qualifiers on a prohibition (ACAP-58).
    AcapQualifierOnProhibition "acap-qualifier-on-prohibition" Warning;
    /// A query in a pattern (AMB-ACAP-10).
    AcapQuery "acap-query" Info;
    /// A reference in a referenced file, or of a file to itself (ACAP-40).
    AcapReferenceChain "acap-reference-chain" Error;
    /// An action request in a sub-record, which is ignored (ACAP-26).
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
    /// The comment with the version is not the first line with content (ACAP-2).
    AcapVersionNotFirst "acap-version-not-first" Warning;
    /// A version other than 1.0 (ACAP-2, AMB-ACAP-34).
    AcapVersionUnknown "acap-version-unknown" Warning;
    /// `App-Directives` of which one replaces another: two values for the same pages, or a line
    /// without a path beside one for `/` (AMB-APP-7, AMB-APP-8).
    AppDirectivesConflict "app-directives-conflict" Warning;
    /// An `App-Directives` line without a valid directive (APP-31, AMB-APP-21).
    AppDirectivesMalformed "app-directives-malformed" Error;
    /// Directives in a group that is not for all robots (APP-20).
    AppDirectivesNotUnderStar "app-directives-not-under-star" Info;
    /// Directives under `*` for an application that has a group of its own (AMB-APP-6).
    AppDirectivesShadowed "app-directives-shadowed" Error;
    /// Directives in a group in which the application does not look (APP-21).
    AppDirectivesUnreachable "app-directives-unreachable" Warning;
    /// A UTF-8 byte order mark at the beginning (AMB-REP-13).
    Bom "bom" Info;
    /// A body that is compressed, although the response does not say so (AMB-REP-22).
    CompressedBody "compressed-body" Error;
    /// Upper case in a word or value of Content-Signal (PREF-55).
    ContentSignalCase "content-signal-case" Info;
    /// A key that Content-Signal does not have, such as a word of Content-Usage (PREF-56).
    ContentSignalForeignWord "content-signal-foreign-word" Error;
    /// The key `Content-Signals` (PREF-63, AMB-PREF-13).
    ContentSignalMisspelt "content-signal-misspelt" Warning;
    /// A signal before the first group, which has no effect (PREF-62, AMB-PREF-7).
    ContentSignalOutsideGroup "content-signal-outside-group" Error;
    /// Items of Content-Signal that `;` or a blank separates (CLA-PREF-17).
    ContentSignalSeparator "content-signal-separator" Warning;
    /// A word of Content-Signal with a value that it does not take (PREF-56, AMB-PREF-12).
    ContentSignalValue "content-signal-value" Error;
    /// A `Content-Usage` line whose path leaves open what a shorter path prohibits (PREF-23). The
    /// first 200 lines of a group are compared with each other.
    ContentUsageDroppedWord "content-usage-dropped-word" Warning;
    /// A word of Content-Usage that is stated twice (PREF-38).
    ContentUsageDuplicateWord "content-usage-duplicate-word" Warning;
    /// A word of Content-Signal in Content-Usage (PREF-37).
    ContentUsageForeignWord "content-usage-foreign-word" Error;
    /// Groups for one robot that differ in Content-Usage only (PREF-12).
    ContentUsageGroupLevel "content-usage-group-level" Info;
    /// The word `ai-use`, which revision 07 does not have (PREF-35).
    ContentUsageNewerWord "content-usage-newer-word" Info;
    /// A path of Content-Usage that does not begin with `/` (PREF-21).
    ContentUsagePath "content-usage-path" Error;
    /// A word of an older revision of Content-Usage (PREF-47).
    ContentUsageStaleWord "content-usage-stale-word" Error;
    /// A Content-Usage field that is longer than the limit (PREF-48).
    ContentUsageTooLong "content-usage-too-long" Warning;
    /// A word that no revision of Content-Usage has (PREF-37).
    ContentUsageUnknownWord "content-usage-unknown-word" Warning;
    /// A statement of Content-Usage that cannot be parsed, or a part of it that is read as
    /// something else (PREF-27, PREF-34).
    ContentUsageUnparsable "content-usage-unparsable" Error;
    /// A word of Content-Usage with another value than `y` or `n` (PREF-36).
    ContentUsageValue "content-usage-value" Error;
    /// Upper case in a word of Content-Usage, which fails the whole statement (PREF-39).
    ContentUsageWordCase "content-usage-word-case" Error;
    /// A control byte, so the line is ignored (AMB-REP-12).
    ControlChar "control-char" Error;
    /// A control token without a group of its own, for which a group for `*` decides (PREF-122,
    /// AMB-PREF-28).
    ControlTokenByStar "control-token-by-star" Info;
    /// A control token that is permitted what its robots may not fetch (PREF-121).
    ControlTokenFetcherClosed "control-token-fetcher-closed" Warning;
    /// A `Crawl-delay` that is not a number of seconds (REP-63).
    CrawlDelayValue "crawl-delay-value" Warning;
    /// The line that the parsing limit cuts is dropped (AMB-REP-10).
    CutLine "cut-line" Warning;
    /// A directive that its registry entry calls deprecated (APP-29).
    DirectiveDeprecated "directive-deprecated" Warning;
    /// A directive with a value of another type than its registry entry says (AMB-APP-16).
    DirectiveType "directive-type" Error;
    /// An HTML page in place of a robots.txt (AMB-REP-22).
    HtmlPage "html-page" Error;
    /// A link to a licence that robots do not read as RSL (PREF-89, PREF-90).
    LicenceLinkType "licence-link-type" Warning;
    /// A `License` line whose value is not an absolute URL (PREF-86, CLA-PREF-8).
    LicenceNotAbsolute "licence-not-absolute" Error;
    /// A licence document that is not RSL, or cannot be read (PREF-94).
    LicenceNotRsl "licence-not-rsl" Error;
    /// A `License` line of a group, which hides those before the first group (PREF-87).
    LicenceReplacesGlobal "licence-replaces-global" Info;
    /// A licence outside the head of a page, which does not count (PREF-90).
    LicenceScoped "licence-scoped" Info;
    /// A key and a value without a colon between them (AMB-REP-5).
    MissingColon "missing-colon" Warning;
    /// `noindex` on a resource that may not be crawled, so robots never see it (AMB-X-11).
    NoindexBehindDisallow "noindex-behind-disallow" Warning;
    /// Bytes that are not UTF-8 (AMB-REP-11).
    NotUtf8 "not-utf8" Warning;
    /// A pattern with a `.` or `..` segment, which URLs never contain when they are sent
    /// (AMB-REP-24).
    PatternDotSegment "pattern-dot-segment" Warning;
    /// A pattern that begins neither with `/` nor with `*`, and so never matches (AMB-REP-3).
    PatternNoSlash "pattern-no-slash" Error;
    /// A space, tab or DEL in a pattern, read as its escape (AMB-REP-12).
    PatternSpace "pattern-space" Warning;
    /// A preference in a meta element, where no robot looks for it (PREF-43).
    PreferenceInMeta "preference-in-meta" Warning;
    /// A `Content-Usage` line, or a signal that permits something, that is only about paths that
    /// its group disallows (PREF-20, AMB-PREF-4). The first 200 preference lines of a group are
    /// compared with its first 200 rules.
    PreferenceOnDisallowedPath "preference-on-disallowed-path" Warning;
    /// `User-agent` lines with nothing but preferences between them, which are one group (PREF-13,
    /// AMB-PREF-1).
    PreferenceOnlyGroup "preference-only-group" Error;
    /// Two vocabularies of AI preferences contradict each other for a usage (PREF-6).
    PreferencesConflict "preferences-conflict" Warning;
    /// A purpose of the file that is in the client's identification string, and that the client
    /// does not claim (PUR-4, CLA-22).
    PurposeNotClaimed "purpose-not-claimed" Warning;
    /// A purpose that the client claims, and that is not in its identification string (PUR-4,
    /// CLA-22).
    PurposeNotSent "purpose-not-sent" Error;
    /// A robots meta element outside the head, which does not count (TAG-31).
    RobotsMetaInBody "robots-meta-in-body" Warning;
    /// An element that was probably meant as a robots meta element, and is none (TAG-24).
    RobotsMetaMisspelt "robots-meta-misspelt" Warning;
    /// A member of `Robots-Tag` that names a known rule where a product token belongs (AMB-TAG-7).
    RobotsTagBareRule "robots-tag-bare-rule" Error;
    /// `robots` in a field, where `*` means all robots (AMB-TAG-9).
    RobotsTagGlobal "robots-tag-global" Error;
    /// A rule of `Robots-Tag` in upper case (AMB-TAG-4).
    RobotsTagKeyCase "robots-tag-key-case" Error;
    /// A value of `Robots-Tag` that is not a structured list (AMB-TAG-6).
    RobotsTagMalformed "robots-tag-malformed" Error;
    /// A member that names no product token (AMB-TAG-1, AMB-TAG-17).
    RobotsTagMember "robots-tag-member" Warning;
    /// A value of a type that parsers of RFC 8941 cannot read (AMB-TAG-13).
    RobotsTagNewerType "robots-tag-newer-type" Info;
    /// Rules separated by `;` instead of `,`, which makes them one rule (AMB-TAG-3).
    RobotsTagSeparator "robots-tag-separator" Warning;
    /// A field that is longer than the limit (TAG-15).
    RobotsTagSizeLimit "robots-tag-size-limit" Error;
    /// A rule with a value that it does not take, or that cannot be read (AMB-TAG-5).
    RobotsTagValue "robots-tag-value" Warning;
    /// Words of a licence separated by commas, as in RSL 0.9 (PREF-104).
    RslCommaList "rsl-comma-list" Warning;
    /// An empty `url` in a licence document that robots.txt names (PREF-96).
    RslEmptyUrl "rsl-empty-url" Error;
    /// A licence document that is only about other sites (PREF-95, PREF-105).
    RslForeignHost "rsl-foreign-host" Warning;
    /// A usage word of RSL 0.9 (CLA-PREF-18).
    RslOldWord "rsl-old-word" Warning;
    /// A usage that is permitted and prohibited for the same URLs (PREF-99, AMB-PREF-24).
    RslPermitsAndProhibits "rsl-permits-and-prohibits" Warning;
    /// An element that RSL does not have, or a list of a type that it does not have (CLA-PREF-19).
    RslUnknownElement "rsl-unknown-element" Warning;
    /// A usage word that RSL 1.0 does not have (PREF-104).
    RslUnknownWord "rsl-unknown-word" Warning;
    /// A rule before the first group, which has no effect (REP-36).
    RuleOutsideGroup "rule-outside-group" Error;
    /// A word of Content-Signal with two values for one path (PREF-61, AMB-PREF-11).
    SignalConflict "signal-conflict" Warning;
    /// `ai-train=yes` for a path with the limit `use=immediate` (PREF-53).
    SignalPermitsClosed "signal-permits-closed" Info;
    /// A sitemap in place of a robots.txt (AMB-REP-22).
    SitemapBody "sitemap-body" Error;
    /// A file that is longer than the limit (REP-81).
    SizeLimit "size-limit" Error;
    /// A `%` without two hexadecimal digits (AMB-REP-1).
    StrayPercent "stray-percent" Warning;
    /// A policy without a reservation of rights, which is not used (PREF-80).
    TdmPolicyWithZero "tdm-policy-with-zero" Info;
    /// A `tdmrep.json` that robots.txt disallows (PREF-132, AMB-PREF-32).
    TdmrepDisallowed "tdmrep-disallowed" Warning;
    /// A rule of `tdmrep.json` whose `location` is not a path (PREF-74).
    TdmrepLocation "tdmrep-location" Error;
    /// A rule of `tdmrep.json` without a reservation (PREF-74).
    TdmrepMissingMember "tdmrep-missing-member" Error;
    /// A rule of `tdmrep.json` whose paths an earlier rule covers (PREF-71).
    TdmrepShadowedRule "tdmrep-shadowed-rule" Warning;
    /// A field or meta element that contradicts what it replaces (PREF-77).
    TdmrepSuperseded "tdmrep-superseded" Warning;
    /// A `tdmrep.json` that is not a JSON array, or is too long (PREF-81, PREF-85).
    TdmrepUnreadable "tdmrep-unreadable" Error;
    /// A reservation that is not the number 1 or 0 (PREF-68, AMB-PREF-18).
    TdmrepValue "tdmrep-value" Error;
    /// A control token as a robot: it sends no requests (PREF-124).
    TokenNeverFetches "token-never-fetches" Info;
    /// A misspelt key that robots accept (AMB-REP-5).
    Typo "typo" Warning;
    /// A `User-agent` value that is not a product token (AMB-REP-6).
    UaInvalidToken "ua-invalid-token" Warning;
    /// A purpose that the client does not know (PUR-6, AMB-PUR-7).
    UnknownPurpose "unknown-purpose" Info;
    /// An unknown robots tag rule (TAG-38).
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

/// Collects findings while a text is read, or drops them. Messages are only written if they are
/// kept, which is never without the feature `findings`.
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
        cfg!(feature = "findings") && self.0.is_some()
    }

    pub(crate) fn say<M: Into<Cow<'static, str>>>(
        &mut self,
        code: Code,
        line: Option<u32>,
        span: Span,
        message: impl FnOnce() -> M,
    ) {
        if cfg!(feature = "findings")
            && let Some(found) = &mut self.0
        {
            growth::push(found, Diagnostic::new(code, line, span, message()));
        }
    }

    pub(crate) fn into_vec(self) -> Vec<Diagnostic> {
        self.0.unwrap_or_default()
    }
}

/// A message without room for more text.
pub(crate) fn kept(message: impl Into<Cow<'static, str>>) -> Cow<'static, str> {
    let mut message = message.into();
    if let Cow::Owned(text) = &mut message {
        text.shrink_to_fit();
    }
    message
}
