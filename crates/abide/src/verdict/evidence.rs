//! What made an outcome: the deciding line first, then all that matched and lost, with why
//! (Part 3.6 of the requirements).

use super::vocabulary::Vocabulary;
use crate::access::Cause;
use crate::text::Span;
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// One piece of evidence for an outcome: what a source states, and the part that it plays.
///
/// A statement can be evidence for every usage, so its [`Provenance`] is kept once and shared.
/// Evidence dereferences to it:
///
/// ```
/// # use abide::{Client, Policy, ProductToken, Target};
/// # let client = Client::new(ProductToken::new("ExampleBot")?);
/// let policy = Policy::compile(b"User-agent: *\nDisallow: /x\n", &client);
/// let decision = policy.decide(&Target::new("/x")?);
/// let evidence = decision.usages.crawl().evidence.first().ok_or("none")?;
/// assert_eq!(evidence.place.map(|place| place.line), Some(2));
/// assert_eq!(evidence.statement, b"Disallow: /x");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Evidence<'p> {
    provenance: Arc<Provenance<'p>>,
    /// The part it played.
    pub role: Role,
    /// Why it played that part.
    pub reason: Reason,
    /// Why a file is unavailable or unreachable.
    pub cause: Option<Cause>,
    pub(crate) notes: Notes,
}

impl<'p> Evidence<'p> {
    pub(crate) fn new(provenance: Provenance<'p>, role: Role, reason: Reason) -> Self {
        Self {
            provenance: Arc::new(provenance),
            role,
            reason,
            cause: None,
            notes: Notes::default(),
        }
    }

    /// Returns this evidence with why a file is unavailable or unreachable.
    pub(crate) fn with_cause(self, cause: Cause) -> Self {
        let cause = Some(cause);
        Self { cause, ..self }
    }

    /// A copy of where it comes from.
    pub(crate) fn provenance(&self) -> Provenance<'p> {
        (*self.provenance).clone()
    }

    /// Returns this evidence with another role.
    pub(crate) fn in_role(self, role: Role) -> Self {
        Self { role, ..self }
    }

    /// Returns this evidence with another part.
    pub(crate) fn in_part(self, role: Role, reason: Reason) -> Self {
        Self {
            role,
            reason,
            ..self
        }
    }

    /// Returns this tag as one that the client never sees, because crawl is prohibited (CLA-24).
    pub(crate) fn not_seen(self) -> Self {
        Self {
            notes: Notes::NotSeen,
            ..self.in_part(Role::Void, Reason::CrawlProhibited)
        }
    }

    /// Whether the client never sees this, because crawl is prohibited.
    pub(crate) fn is_not_seen(&self) -> bool {
        self.notes == Notes::NotSeen
    }

    /// Whether both are the same statement in the same part.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.provenance, &other.provenance)
            && (self.role, self.reason, self.notes) == (other.role, other.reason, other.notes)
    }

    /// What else is to be known.
    #[must_use]
    pub const fn notes(&self) -> &'static [Note] {
        self.notes.list()
    }
}

impl<'p> Deref for Evidence<'p> {
    type Target = Provenance<'p>;

    fn deref(&self) -> &Provenance<'p> {
        &self.provenance
    }
}

/// Where evidence comes from: the source, the place in it, and the text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Provenance<'p> {
    /// What kind of source spoke.
    pub source: Source,
    /// For a preference about AI: its vocabulary.
    pub vocabulary: Option<Vocabulary>,
    /// Where in that source; `None` where the evidence is a fact and no text.
    pub place: Option<Place>,
    /// The text itself, verbatim, without the line end; empty where there is none.
    pub statement: &'p [u8],
    /// The group or record that brought it.
    pub selected_by: Option<Arc<Selection<'p>>>,
    /// For a rule: how many bytes its pattern has (REP-42).
    pub bytes: Option<u32>,
    /// Fields that only evidence outside robots.txt has.
    pub(crate) details: Option<Arc<SourceDetails<'p>>>,
}

/// What evidence from other places than robots.txt has. It is apart, because every few bytes of a
/// robots.txt can be evidence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SourceDetails<'p> {
    pub(crate) locator: Option<Cow<'p, str>>,
    pub(crate) tag_place: Option<TagPlace>,
    pub(crate) field_line: Option<u32>,
    pub(crate) member: Option<u32>,
    pub(crate) rule: Option<&'p str>,
}

impl<'p> Provenance<'p> {
    /// A source of which nothing else is known.
    pub(crate) const fn of(source: Source) -> Self {
        Self {
            source,
            vocabulary: None,
            place: None,
            statement: b"",
            selected_by: None,
            bytes: None,
            details: None,
        }
    }

    /// A source of preferences about AI of which nothing else is known.
    pub(crate) fn of_preference(vocabulary: Vocabulary, source: Source) -> Self {
        Self {
            vocabulary: Some(vocabulary),
            ..Self::of(source)
        }
    }

    /// Adds what evidence from other places than robots.txt has.
    pub(crate) fn with_details(self, details: SourceDetails<'p>) -> Self {
        Self {
            details: Some(Arc::new(details)),
            ..self
        }
    }

    /// For a line of a permissions reference: its locator, as the referring file writes it. For a
    /// document: its URL.
    #[must_use]
    pub fn locator(&self) -> Option<&str> {
        self.details.as_ref()?.locator.as_deref()
    }

    /// For a robots tag, and for a preference of a page: where it is.
    #[must_use]
    pub fn tag_place(&self) -> Option<TagPlace> {
        self.details.as_ref()?.tag_place
    }

    /// For a preference of a response field: which of the lines of its name, from 1.
    #[must_use]
    pub fn field_line(&self) -> Option<u32> {
        self.details.as_ref()?.field_line
    }

    /// For a document beside robots.txt: the number of its rule or `content`, from 1.
    #[must_use]
    pub fn member(&self) -> Option<u32> {
        self.details.as_ref()?.member
    }

    /// For a robots tag: the name of its rule. For an older word of `Content-Usage`: that word with
    /// its value. In the preferences for an application: the directive, or the word with its value.
    #[must_use]
    pub fn rule(&self) -> Option<&'p str> {
        self.details.as_ref()?.rule
    }
}

/// What else is to be known of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Note {
    /// A `Content-Usage` statement that settles search too.
    SearchGoverns,
    /// A control token without a group of its own: the group of `*` decides.
    ByStar,
    /// Crawl is prohibited, so nobody can have seen the resource at an allowed visit (CLA-11).
    NeedsFetch,
    /// Crawl is prohibited, so the client never sees this tag (CLA-24).
    NotSeen,
    /// Another resource has to be fetched first.
    Pending,
    /// The caller did not follow the redirect of the robots.txt (REP-71).
    RedirectNotFollowed,
    /// The robots.txt is the one that the caller has stored, and has to be given (CLA-20).
    NotModified,
}

crate::named!(
    Note,
    "note",
    [
        SearchGoverns = "search-governs",
        ByStar = "by-star",
        NeedsFetch = "needs-fetch",
        NotSeen = "not-seen",
        Pending = "pending",
        RedirectNotFollowed = "redirect-not-followed",
        NotModified = "not-modified"
    ]
);

/// Which notes evidence has. One byte, because there can be evidence for every few bytes of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Notes {
    #[default]
    None,
    /// Crawl is prohibited.
    NeedsFetch,
    /// The usage has to wait until another resource is crawled.
    Pending,
    NeedsFetchAndPending,
    /// The `search` of the same statement decides about search.
    SearchGoverns,
    SearchGovernsAndNeedsFetch,
    /// A group for `*` decides for a control token.
    ByStar,
    ByStarAndNeedsFetch,
    /// Crawl is prohibited, so the client never sees the tag.
    NotSeen,
}

impl Notes {
    const fn list(self) -> &'static [Note] {
        match self {
            Self::None => &[],
            Self::NeedsFetch => &[Note::NeedsFetch],
            Self::Pending => &[Note::Pending],
            Self::NeedsFetchAndPending => &[Note::NeedsFetch, Note::Pending],
            Self::SearchGoverns => &[Note::SearchGoverns],
            Self::SearchGovernsAndNeedsFetch => &[Note::SearchGoverns, Note::NeedsFetch],
            Self::ByStar => &[Note::ByStar],
            Self::ByStarAndNeedsFetch => &[Note::ByStar, Note::NeedsFetch],
            Self::NotSeen => &[Note::NotSeen],
        }
    }

    /// Adds that crawl is prohibited.
    pub(crate) const fn and_needs_fetch(self) -> Self {
        match self {
            Self::None | Self::NeedsFetch => Self::NeedsFetch,
            Self::Pending | Self::NeedsFetchAndPending => Self::NeedsFetchAndPending,
            Self::SearchGoverns | Self::SearchGovernsAndNeedsFetch => {
                Self::SearchGovernsAndNeedsFetch
            }
            Self::ByStar | Self::ByStarAndNeedsFetch => Self::ByStarAndNeedsFetch,
            Self::NotSeen => Self::NotSeen,
        }
    }
}

/// Kinds of sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Source {
    /// A line of robots.txt.
    RobotsTxt,
    /// A field of an ACAP record.
    Acap,
    /// A field of an ACAP record in a permissions reference.
    AcapReference,
    /// A member of the `Robots-Tag` field.
    RobotsTag,
    /// A member or segment of the `X-Robots-Tag` field.
    XRobotsTag,
    /// A robots meta element of the initial source.
    Meta,
    /// A robots meta element of the final DOM.
    RenderedMeta,
    /// What came of fetching robots.txt, or a permissions reference.
    Fetch,
    /// What was decided about another usage, or another resource.
    Dependency,
    /// The specification's own default.
    Default,
    /// A `Content-Usage` line of robots.txt.
    ContentUsage,
    /// The response field `Content-Usage`.
    ContentUsageField,
    /// A `Content-Signal` line of robots.txt.
    ContentSignal,
    /// The response field `Content-Signal`.
    ContentSignalField,
    /// A rule of `tdmrep.json`.
    Tdmrep,
    /// The response fields `tdm-reservation` and `tdm-policy`.
    TdmField,
    /// The meta elements of these names.
    TdmMeta,
    /// A licence document.
    Rsl,
    /// A line of a control token's group.
    ControlToken,
    /// An `App-Directives` line of robots.txt.
    AppDirectives,
}

crate::named!(
    Source,
    "source",
    [
        RobotsTxt = "robots.txt",
        Acap = "acap",
        AcapReference = "acap-reference",
        RobotsTag = "robots-tag",
        XRobotsTag = "x-robots-tag",
        Meta = "meta",
        RenderedMeta = "rendered-meta",
        Fetch = "fetch",
        Dependency = "dependency",
        Default = "default",
        ContentUsage = "content-usage",
        ContentUsageField = "content-usage-field",
        ContentSignal = "content-signal",
        ContentSignalField = "content-signal-field",
        Tdmrep = "tdmrep",
        TdmField = "tdm-field",
        TdmMeta = "tdm-meta",
        Rsl = "rsl",
        ControlToken = "control-token",
        AppDirectives = "app-directives"
    ]
);

impl Source {
    /// Whether it is a meta element of a page.
    #[must_use]
    pub const fn is_meta(self) -> bool {
        matches!(self, Self::Meta | Self::RenderedMeta)
    }
}

/// A place in robots.txt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct Place {
    /// Number of the line, from 1.
    pub line: u32,
    /// The bytes of the statement.
    pub span: Span,
}

/// Which starter line chose a group or record for this client (REP-27, REP-32, PUR-8, ACAP-29).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Selection<'p> {
    /// By what the group or record was found.
    pub by: SelectedBy<'p>,
    /// The starter line.
    pub place: Place,
}

/// By what a group was found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelectedBy<'p> {
    /// One of the client's product tokens.
    ProductToken(&'p str),
    /// One of the client's purposes.
    Purpose(&'p str),
    /// One of the client's names, in `ACAP-crawler`.
    CrawlerName(&'p str),
    /// `User-agent: *`, or `ACAP-crawler: *`.
    AnyCrawler,
}

/// How closely a group was found to be about the client, the closest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SelectionLevel {
    /// By a product token.
    ProductToken,
    /// By a purpose.
    Purpose,
    /// By a name in `ACAP-crawler`.
    CrawlerName,
    /// By `*`.
    AnyCrawler,
}

crate::named!(
    SelectionLevel,
    "selection level",
    [
        ProductToken = "product-token",
        Purpose = "purpose",
        CrawlerName = "crawler-name",
        AnyCrawler = "any-crawler"
    ]
);

impl<'p> SelectedBy<'p> {
    /// The level, without the token.
    #[must_use]
    pub const fn level(&self) -> SelectionLevel {
        match self {
            Self::ProductToken(_) => SelectionLevel::ProductToken,
            Self::Purpose(_) => SelectionLevel::Purpose,
            Self::CrawlerName(_) => SelectionLevel::CrawlerName,
            Self::AnyCrawler => SelectionLevel::AnyCrawler,
        }
    }

    /// The level's name in the decision contract.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.level().name()
    }

    /// The token; `*` for any crawler.
    #[must_use]
    pub const fn token(&self) -> &'p str {
        match self {
            Self::ProductToken(token) | Self::Purpose(token) | Self::CrawlerName(token) => token,
            Self::AnyCrawler => "*",
        }
    }
}

/// What a rule says (REP-2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum Sense {
    /// `Disallow`.
    Disallow,
    /// `Allow`.
    Allow,
}

/// The part that evidence played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Role {
    /// It made the outcome.
    Decided,
    /// It says the same as the deciding piece.
    Agreed,
    /// It matched, but something stronger overrides it.
    Overridden,
    /// It matched, but has no effect.
    Void,
}

crate::named!(
    Role,
    "role",
    [
        Decided = "decided",
        Agreed = "agreed",
        Overridden = "overridden",
        Void = "void"
    ]
);

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a piece of evidence decided, agreed or was overridden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The only rule of the group that matches.
    OnlyMatch,
    /// The longest matching rule (REP-42).
    MostBytes,
    /// A rule of the same length as the deciding one, and later in the file.
    EqualBytes,
    /// An `Allow` that wins over a `Disallow` of the same length (REP-44, AMB-REP-4).
    AllowWinsTie,
    /// A `Disallow` of the same length as the deciding `Allow`, which wins (REP-44, AMB-REP-4).
    LostTieToAllow,
    /// Shorter than the deciding rule (REP-42).
    FewerBytes,
    /// A rule of a group that a better match for the client overrides (REP-29, PUR-9), or a
    /// preference in a group that does not apply to the client (CLA-25).
    OtherGroup,
    /// No rule of the group matches (REP-45).
    NoRuleMatches,
    /// No group applies to the client (REP-34).
    NoGroup,
    /// A robots tag rule (TAG-35, TAG-36).
    TagRule,
    /// A robots tag rule whose date has passed.
    TagExpired,
    /// A robots tag rule with an unreadable value, so the strictest value applies.
    TagUnreadable,
    /// Something stricter also applies.
    StricterWins,
    /// Narrower than every other ACAP field that matches (ACAP-67).
    NarrowestScope,
    /// An ACAP field wider than the one that decides (ACAP-67).
    WiderScope,
    /// An ACAP prohibition that no matching permission is narrower than (ACAP-74, AMB-ACAP-22).
    NoNarrowerPermission,
    /// An ACAP permission that is not narrower than every matching prohibition (ACAP-74).
    NotNarrower,
    /// An ACAP prohibition beside the one that decides.
    SaysTheSame,
    /// An ACAP permission as narrow as the deciding one; its qualifiers also apply (CLA-3).
    AppliesToo,
    /// A field for any crawler, which a field for the client's name overrides (ACAP-36, CLA-1).
    NamedOverAny,
    /// `other`, because no field is about the usage (ACAP-115).
    ByOther,
    /// A permission with invalid qualifiers (AMB-ACAP-8).
    QualifierInvalid,
    /// A permission with a qualifier that the client cannot honour (ACAP-107).
    QualifierUnsupported,
    /// A permission with a qualifier that needs a prior arrangement, and there is none
    /// (AMB-ACAP-7).
    NoPriorArrangement,
    /// A permission with a qualifier that is not ready for use (AMB-ACAP-7).
    QualifierNotReady,
    /// A permission with a time limit that has passed.
    TimeLimitPassed,
    /// A permission for no characters or words at all (AMB-ACAP-32).
    NothingLeft,
    /// A permission to use an element of a page, and the resource is no page (ACAP-88).
    NotHtml,
    /// A permission to use another resource, which may not be crawled (ACAP-89).
    SubstituteNotCrawlable,
    /// ACAP records were cut off, so the answer is not known (AMB-X-14).
    AcapTruncated,
    /// A permissions reference that was not read yet.
    ReferenceNotKnown,
    /// A permissions reference that is unreachable (AMB-ACAP-14): see [`Evidence::cause`].
    ReferenceUnreachable,
    /// A conventional rule with the same pattern as the deciding ACAP field (ACAP-21, CLA-2).
    AcapSamePattern,
    /// A conventional rule of a file that asks to ignore them (ACAP-15, AMB-ACAP-15).
    ConventionalIgnored,
    /// No copy may be kept to present (ACAP-96, ACAP-97).
    PreserveProhibited,
    /// Copies may be kept until the resource is crawled again, so there are no old ones (ACAP-97).
    PreserveUntilRecrawled,
    /// The permission ends when the resource is crawled again, and this is an older version.
    OlderVersion,
    /// `/robots.txt` is always allowed (REP-46).
    RobotsTxtItself,
    /// The file is unavailable, so everything is allowed (REP-74): see [`Evidence::cause`].
    Unavailable,
    /// The file is unreachable, so nothing is allowed (REP-75): see [`Evidence::cause`].
    Unreachable,
    /// The file was not fetched yet.
    RobotsTxtNotKnown,
    /// A preference that applies.
    SaysSo,
    /// A preference about a path that may not be crawled (PREF-20), or a robots tag that the client
    /// never sees for that reason (CLA-24).
    CrawlProhibited,
    /// A statement that cannot be parsed (PREF-27).
    Unparsable,
    /// A place that a later place replaces (PREF-77).
    Superseded,
    /// A licence that lists what it permits, and not this (PREF-98).
    NotListed,
    /// A licence document that cannot be had or read (PREF-94).
    LicenceUnreadable,
    /// A licence document that was not read yet.
    LicenceNotKnown,
    /// A `tdmrep.json` that was not read yet, or cannot be reached.
    TdmrepNotKnown,
    /// A `tdmrep.json` that is too long to be read (PREF-85).
    TdmrepTooLarge,
    /// A line before the first group (PREF-14, PREF-62).
    OutsideGroup,
    /// A response field that can only restrict (PREF-65).
    FieldPermitsNothing,
    /// A word of an earlier revision, which does not count (PREF-47, CLA-PREF-22).
    OlderWord,
    /// A level of use that is lower than what the client intends (PREF-54).
    UseExceeded,
    /// A preference of robots.txt that says the opposite of a directive for the application
    /// (APP-22).
    DirectiveOverrides,
    /// A directive with a value whose meaning the registry does not give (AMB-APP-14).
    MeaningUnknown,
}

crate::named!(
    Reason,
    "reason",
    [
        OnlyMatch = "only-match",
        MostBytes = "most-bytes",
        EqualBytes = "equal-bytes",
        AllowWinsTie = "equal-bytes-allow-wins",
        LostTieToAllow = "equal-bytes-lost-to-allow",
        FewerBytes = "fewer-bytes",
        OtherGroup = "other-group",
        NoRuleMatches = "no-rule-matches",
        NoGroup = "no-group",
        TagRule = "tag-rule",
        TagExpired = "tag-expired",
        TagUnreadable = "tag-unreadable",
        StricterWins = "stricter-wins",
        NarrowestScope = "narrowest-scope",
        WiderScope = "wider-scope",
        NoNarrowerPermission = "no-narrower-permission",
        NotNarrower = "not-narrower",
        SaysTheSame = "says-the-same",
        AppliesToo = "applies-too",
        NamedOverAny = "named-over-any",
        ByOther = "by-other",
        QualifierInvalid = "qualifier-invalid",
        QualifierUnsupported = "unsupported-qualifier",
        NoPriorArrangement = "no-prior-arrangement",
        QualifierNotReady = "qualifier-not-ready",
        TimeLimitPassed = "expired",
        NothingLeft = "nothing-left",
        NotHtml = "not-html",
        SubstituteNotCrawlable = "substitute-not-crawlable",
        AcapTruncated = "acap-truncated",
        ReferenceNotKnown = "reference-not-known",
        ReferenceUnreachable = "reference-unreachable",
        AcapSamePattern = "acap-overrides-conventional",
        ConventionalIgnored = "conventional-ignored",
        PreserveProhibited = "preserve-prohibited",
        PreserveUntilRecrawled = "preserve-until-recrawled",
        OlderVersion = "older-version",
        RobotsTxtItself = "robots-txt-itself",
        Unavailable = "unavailable",
        Unreachable = "unreachable",
        RobotsTxtNotKnown = "robots-txt-not-known",
        SaysSo = "says-so",
        CrawlProhibited = "crawl-prohibited",
        Unparsable = "unparsable",
        Superseded = "superseded",
        NotListed = "not-listed",
        LicenceUnreadable = "licence-unreadable",
        LicenceNotKnown = "licence-not-known",
        TdmrepNotKnown = "tdmrep-not-known",
        TdmrepTooLarge = "tdmrep-too-large",
        OutsideGroup = "outside-group",
        FieldPermitsNothing = "field-permits-nothing",
        OlderWord = "older-word",
        UseExceeded = "use-exceeded",
        DirectiveOverrides = "directive-overrides",
        MeaningUnknown = "meaning-unknown"
    ]
);

impl Reason {
    /// Whether it prohibits only because something cannot be read, although no statement does
    /// (PREF-85, PREF-94).
    #[must_use]
    pub const fn is_unreadable(self) -> bool {
        matches!(self, Self::LicenceUnreadable | Self::TdmrepTooLarge)
    }
}

/// The place of a robots tag, or of a preference in a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(untagged))]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum TagPlace {
    /// In a response field.
    Field {
        /// Which of the lines of that name, from 1.
        line: u32,
        /// Which member or segment, from 1: of the whole List for `Robots-Tag`, of the line for
        /// `X-Robots-Tag`.
        member: u32,
    },
    /// In HTML.
    Element {
        /// At this byte.
        offset: u64,
    },
}
