"""Types of answers, made from the schemas of the contract by
``crates/abide-contract/tests/it/generated``; do not edit. Not imported when a program runs."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict


class Acap(TypedDict):
    """The client in terms of ACAP."""

    names: NotRequired[list[str]]
    """Crawler names [default: the product tokens]."""
    purposes: NotRequired[list[str]]
    """Usage purposes."""
    prior_arrangement: NotRequired[bool]
    """Whether site and client have a prior arrangement, which "amber" features require."""
    unsupported: NotRequired[list[Qualifier]]
    """Qualifiers that the client cannot honour."""
    mode: NotRequired[AcapMode]
    """Which ACAP records apply [default: full]."""


AcapMode: TypeAlias = Literal[
    "full",
    "restrict",
    "off",
]

Access: TypeAlias = Literal[
    "rules",
    "unknown",
    "unavailable",
    "unreachable",
]

Action: TypeAlias = Literal[
    "take-down",
    "re-crawl",
]


class ActionRequest(TypedDict):
    """What the file asks the client to do."""

    action: Action
    path: str
    requires_confirmation: bool
    """Always true."""


Agent: TypeAlias = "str | list[str]"
"""A name, ``*`` for the robots that no group names, or names in order of preference."""

Agents: TypeAlias = "str | list[str]"
"""Robots: a string or a list of strings. Each is a name, ``*``, names in order of preference such as ``NewsBot>Bot``, a whole ``User-Agent`` line, a set such as ``@search``, or several of these with commas."""

AnyGroup: TypeAlias = "bool | Literal['not-as-permission']"
"""Whether groups for ``*`` apply to the robot. not-as-permission: they do not let it in; it comes only if another group allows it."""


class Application(TypedDict):
    """An application with its own product tokens."""

    id: str
    """The identifier."""
    product_tokens: NotRequired[list[str]]
    """Its product tokens, in order of preference [default: those of the registry, or else the client's]."""


class ApplicationAnswer(TypedDict):
    """What a file asks an application to do."""

    directives: dict[str, DirectiveValue]
    """The directives that apply, with their values. A Token, Date, Byte Sequence or Display String is an object that names its type."""
    evidence: list[DirectiveEvidence]
    """The lines that name the application: first those that apply."""
    registered: NotRequired[dict[str, DirectiveDescription]]
    """What the registry says about the directives, for people."""
    unregistered: NotRequired[list[str]]
    """Directives that the registry of the application does not know."""
    deprecated: NotRequired[list[str]]
    """Directives that the registry calls deprecated."""
    type_mismatch: NotRequired[list[str]]
    """Directives with a value of another type than the registry says."""
    overrides: NotRequired[dict[str, list[str]]]
    """Words of AI preferences that a directive contradicts, and so overrides."""
    may_override: NotRequired[dict[str, list[str]]]
    """Words of AI preferences that a directive covers with a value of unknown meaning."""
    crawl_disallowed: bool
    """Whether the client may not fetch the resource."""
    preferences: NotRequired[dict[str, UsageDecision]]
    """If AI preferences are asked for: the answer for the application, in which its directives override words of robots.txt. The evidence is what decides, and the directives with the words that they override or agree with."""


AskedPreferences: TypeAlias = "bool | SitePreferences | None"

Basis: TypeAlias = Literal[
    "operator",
    "secondary",
]

CaseAnswer: TypeAlias = "Outcome | str"
"""What a site says about a page, as a case expects it."""

Category: TypeAlias = Literal[
    "every-other",
    "search",
    "ai-training",
    "ai-input",
    "control-token",
    "user-triggered",
    "archive",
    "seo",
    "preview",
    "monitoring",
    "ads",
    "feeds",
    "academic",
    "security",
    "shopping",
    "translation",
    "other",
    "unknown",
]
"""The main purpose of robots that crawl by themselves, or another kind. every-other: robots that the file does not name. unknown: robots that the file names and the table of known robots does not have."""


class Cause(TypedDict):
    """Why the answers of some regions change. Each region has one cause."""

    kind: CauseKind
    """The kind of cause."""
    sentence: str
    """The cause in words."""
    whom: str
    """For whom."""
    line: int | None
    """The number of a line: of the old file for ``rule-removed``, ``preference-removed`` and ``own-group``, else of the new one."""
    regions: list[RegionPlace]
    """The regions, at least one."""


CauseKind: TypeAlias = Literal[
    "site-closed",
    "own-group",
    "group-lost",
    "other-group",
    "rule-added",
    "rule-removed",
    "preference-added",
    "preference-removed",
    "other",
]


class CellAnswer(TypedDict):
    """An answer that cells have."""

    outcome: Outcome
    """The outcome."""
    conditions: list[Condition]
    """The conditions of a conditional outcome."""
    decided_by: DecidedBy | None
    """What decided the outcome; null if no source says anything."""
    differs: NotRequired[ShortAnswer]
    """What it says in the second profile, if the outcome is another one."""


class ChangedUrl(TypedDict):
    """A URL with a change."""

    url: str
    """The URL."""
    changes: list[UrlChange]
    """For which clients, and what."""


class ChangedUrls(TypedDict):
    """What changes for URLs of a list."""

    count: int
    """How many URLs there were."""
    changed: list[ChangedUrl]
    """The URLs with a change, in the order of the list."""


class Check(TypedDict):
    """The result of one case for one of its agents and one of its URLs."""

    line: int
    """The line on which the case begins, starting from 1."""
    name: str
    """The name of the case; if it has none, a description."""
    agent: str
    """The agent: a name, names in order of preference such as ``NewsBot>Bot``, or ``*``."""
    url: str
    """The URL."""
    passed: bool
    """Whether all expectations hold."""
    failures: NotRequired[list[Failure]]
    """The expectations that failed; empty if the check passed."""
    explanation: NotRequired[list[str]]
    """Which groups apply to the robot, and what is decided and why, in the words of ``abide explain``; empty if the check passed."""
    findings: NotRequired[list[str]]
    """Findings about the URL, such as that web clients send another one."""


class Chosen(TypedDict):
    """How a client finds its groups."""

    by: SelectionLevel
    """The kind of name."""
    token: str
    """The token or purpose; ``*`` for any crawler."""


class ClientDifferences(TypedDict):
    """Robots that the same lines address in both files, and what changes for each of them."""

    names: list[NamedClient]
    """The robots; with neither agent nor purpose, all that no line names."""
    equivalent: bool
    """Whether it was shown that nothing changes for them."""
    complete: bool
    """Whether all regions were found. If not, because the comparison reached its limit or the files were parsed with different profiles, the regions found are right, but there may be others."""
    regions: list[Region]
    """The regions in which the outcome or a condition changes: ordered by usage, and within a usage the shortest witness first."""
    directives: list[DirectiveRegion]
    """The regions in which the directives for an application change: one application after another, the shortest witness first."""
    groups: dict[str, Chosen | None] | None
    """How the client finds its groups, if that changes; null where no group addresses it. By itself this changes no decision."""
    crawl_delay: dict[str, float | None] | None
    """The crawl delay in seconds, if it changes."""
    action_requests: dict[str, list[RequestedAction]] | None
    """What the file asks to be done with single resources (ACAP-117), if it changes: sorted."""
    vocabularies: NotRequired[list[VocabularyChange]]
    """What single vocabularies of AI preferences say otherwise while the outcome stays, because another is stricter."""
    licences: NotRequired[dict[str, list[str]]]
    """The URLs of the licence documents that bind the client, sorted, if they change. What they say is not known."""


Code: TypeAlias = Literal[
    "acap-allow-other",
    "acap-bad-name",
    "acap-bad-pattern",
    "acap-bad-qualifier",
    "acap-bad-reference",
    "acap-bad-request",
    "acap-before-conventional",
    "acap-crawler-wildcard",
    "acap-dollar-inside",
    "acap-dollar-scope",
    "acap-duplicate-name",
    "acap-duplicate-qualifier",
    "acap-empty-record",
    "acap-extra-token",
    "acap-fields-with-reference",
    "acap-ignore-not-honoured",
    "acap-interleaved",
    "acap-late-definition",
    "acap-local-in-prohibition",
    "acap-nested-composite",
    "acap-no-qualifier",
    "acap-no-records",
    "acap-no-version",
    "acap-not-ready",
    "acap-old-scheme",
    "acap-order",
    "acap-orphan-field",
    "acap-other-blocks-crawl",
    "acap-pattern-character",
    "acap-qualifier-on-local",
    "acap-qualifier-on-prohibition",
    "acap-query",
    "acap-reference-chain",
    "acap-request-in-sub-record",
    "acap-space",
    "acap-star-mixed",
    "acap-truncated",
    "acap-undefined-set",
    "acap-undefined-usage",
    "acap-unknown-field",
    "acap-unknown-usage",
    "acap-unqualified-preserve",
    "acap-until-recrawl",
    "acap-version-not-first",
    "acap-version-unknown",
    "app-directives-conflict",
    "app-directives-malformed",
    "app-directives-not-under-star",
    "app-directives-shadowed",
    "app-directives-unreachable",
    "bom",
    "compressed-body",
    "content-signal-case",
    "content-signal-foreign-word",
    "content-signal-misspelt",
    "content-signal-outside-group",
    "content-signal-separator",
    "content-signal-value",
    "content-usage-dropped-word",
    "content-usage-duplicate-word",
    "content-usage-foreign-word",
    "content-usage-group-level",
    "content-usage-newer-word",
    "content-usage-path",
    "content-usage-stale-word",
    "content-usage-too-long",
    "content-usage-unknown-word",
    "content-usage-unparsable",
    "content-usage-value",
    "content-usage-word-case",
    "control-char",
    "control-token-by-star",
    "control-token-fetcher-closed",
    "crawl-delay-value",
    "cut-line",
    "directive-deprecated",
    "directive-type",
    "html-page",
    "licence-link-type",
    "licence-not-absolute",
    "licence-not-rsl",
    "licence-replaces-global",
    "licence-scoped",
    "missing-colon",
    "noindex-behind-disallow",
    "not-utf8",
    "pattern-dot-segment",
    "pattern-no-slash",
    "pattern-space",
    "preference-in-meta",
    "preference-on-disallowed-path",
    "preference-only-group",
    "preferences-conflict",
    "purpose-not-claimed",
    "purpose-not-sent",
    "robots-meta-in-body",
    "robots-meta-misspelt",
    "robots-tag-bare-rule",
    "robots-tag-global",
    "robots-tag-key-case",
    "robots-tag-malformed",
    "robots-tag-member",
    "robots-tag-newer-type",
    "robots-tag-separator",
    "robots-tag-size-limit",
    "robots-tag-value",
    "rsl-comma-list",
    "rsl-empty-url",
    "rsl-foreign-host",
    "rsl-old-word",
    "rsl-permits-and-prohibits",
    "rsl-unknown-element",
    "rsl-unknown-word",
    "rule-outside-group",
    "signal-conflict",
    "signal-permits-closed",
    "sitemap-body",
    "size-limit",
    "stray-percent",
    "tdm-policy-with-zero",
    "tdmrep-disallowed",
    "tdmrep-location",
    "tdmrep-missing-member",
    "tdmrep-shadowed-rule",
    "tdmrep-superseded",
    "tdmrep-unreadable",
    "tdmrep-value",
    "token-never-fetches",
    "typo",
    "ua-invalid-token",
    "unknown-purpose",
    "unknown-tag-rule",
    "url-not-as-sent",
    "x-robots-tag-deprecated",
]


class Condition(TypedDict):
    """What a conditional outcome demands."""

    kind: ConditionKind
    """What it is about."""
    value: str
    """In the words of the source: ``50-chars``, ``standard``, an instant."""


ConditionKind: TypeAlias = Literal[
    "excluded-geo",
    "excluded-user",
    "licence-server",
    "licensed-geo",
    "licensed-user",
    "max-image-preview",
    "max-length",
    "max-use",
    "max-video-preview",
    "must-include-resource",
    "must-use-resource",
    "payment",
    "prohibited-context",
    "prohibited-modification",
    "reporting",
    "required-context",
    "time-limit",
]


class ControlToken(TypedDict):
    """A control token with its usages."""

    token: str
    usages: list[Literal[
        "train",
        "ai-input",
        "search",
    ]]


class ConversionFinding(TypedDict):
    """Something that a conversion changes or leaves out."""

    code: Loss
    """The kind of loss."""
    line: NotRequired[int]
    """The line of the source, starting from 1, if the finding is about one."""
    refuses: bool
    """Whether the conversion is refused because of it."""
    message: str
    """One sentence, with foreign text as it is."""


class Convert(TypedDict):
    """The result of a conversion to another specification."""

    schema: int
    """Version of this form."""
    converted: str | None
    """The converted text, with LF line ends; null if it would not mean what the source means."""
    findings: list[ConversionFinding]
    """Everything that changes or is left out: first the reasons for a refusal, each in the order of lines."""


class ConvertRequest(TypedDict):
    """What to convert, and to what."""

    robots: NotRequired[str]
    """A robots.txt as text."""
    robots_base64: NotRequired[str]
    """The file in base64, for any bytes."""
    headers: NotRequired[list[list[str]]]
    """Header fields with robots tags, in place of a robots.txt."""
    html: NotRequired[str]
    """A page with robots meta elements, in place of a robots.txt."""
    rendered_html: NotRequired[str]
    """Its final DOM, serialised."""
    to: To
    """The target format."""
    revision: NotRequired[str]
    """Revision of ``Content-Usage`` whose words count, from or to it: 08 or 07 [default: 08]"""


class Counts(TypedDict):
    """How many robots of a section get each answer."""

    allowed: int
    """All of the site."""
    partly: int
    """Parts of it, or not proven."""
    closed: int
    """Nothing."""
    not_following: int
    """Robots that do not follow robots.txt, whatever the file asks. The other members do not count them."""


class DecidedBy(TypedDict):
    """What decided an outcome."""

    source: Source
    """The kind of source."""
    reason: Reason
    """Why it decided, as in a decision."""
    cause: NotRequired[str]
    """Why the file is unavailable or unreachable, as in a decision."""
    line: int | None
    """The number of the line, in the robots.txt or a header field; null if the source has no lines. If no rule of a group matches, the group's first line."""
    statement: str | None
    """The statement on it; null if there is none."""
    group: NotRequired[str]
    """The name through which its group applies; absent if no group does."""


class DecidingLine(TypedDict):
    """A line of the file."""

    line: int
    """Its number."""
    statement: str
    """Its text, without a comment: up to 256 bytes, and then ``…``."""


class Decision(TypedDict):
    """What may be done with a URL, and why."""

    schema: int
    """Version of this contract."""
    id: object
    """The ``id`` of the request, as written."""
    url: str
    """The URL as it was given."""
    requested: NotRequired[str]
    """The URL that is requested, about which abide decided, if it differs from ``url``."""
    robots_url: str | None
    """Where the robots.txt of the URL is; null for a path."""
    retrieval: NotRequired[Retrieval]
    """How the robots.txt was fetched, if abide fetched it or took it from a cache."""
    usages: dict[str, UsageDecision]
    """The answer for each usage. ``train``, ``ai-input`` and ``search`` come together with ``preferences``. A slim answer leaves out the usages that no source mentions."""
    preferences: NotRequired[dict[str, VocabularyAnswer]]
    """What each vocabulary of AI preferences says, if the request asks for preferences."""
    tags: dict[str, bool | str]
    """The rules of robots tags that bind the client: ``true``, or the value as text."""
    unknown_tag_rules: list[str]
    """Rules of robots tags that abide does not know."""
    applications: dict[str, ApplicationAnswer]
    """What the file asks each application to do."""
    action_requests: list[ActionRequest]
    """What the file asks the client to do with single resources. abide does not act on them."""
    sitemaps: list[str]
    """The values of the file's ``Sitemap`` lines."""
    crawl_delay: NotRequired[float]
    """The delay in seconds, if the chosen group has one: the longest of several, and at most 86400."""
    needs: list[str]
    """The URLs to fetch for a complete answer: robots.txt, a permissions reference, a ``tdmrep.json``, a licence document."""
    diagnostics: list[Diagnostic]
    """What is wrong or odd in the file."""
    agent: Agent
    """The robot that was asked about. If a ``User-Agent`` line was, the name in it that counts."""
    user_agent: NotRequired[UserAgent]
    """The ``User-Agent`` line that was asked about, and why its name was taken."""
    profile: Profile
    """How open points of the specifications were read."""
    known_robot: NotRequired[DocumentedRobot]
    """What the operator documents about the robot, if that matters for the answer."""


class Deviation(TypedDict):
    """A reading that is not the letter of the text."""

    id: str
    """ID of the resolution."""
    section: str
    """Section of the document."""


class Diagnostic(TypedDict):
    """Something that is wrong or odd in a file."""

    code: Code
    """The kind of the finding."""
    severity: Severity
    """How much it matters."""
    line: int | None
    """Number of the line, from 1; null for the whole file."""
    message: str
    """What was found, and what to write instead."""


class Diff(TypedDict):
    """What changes for whom from one robots.txt to another."""

    schema: int
    """Version of this form."""
    old: str
    """The old file, as it was named."""
    new: str
    """The new file, as it was named."""
    equivalent: bool
    """Whether it was shown that nothing changes, by RFC 9309 and for Google's parser."""
    complete: bool
    """Whether everything could be compared."""
    headline: str
    """The worst effect, and whom it concerns, in words."""
    also: list[str]
    """The other effects, the worst first, in words."""
    affected: str | None
    """Who is affected at all, and by how many sets of URLs, in words; null if nobody is."""
    causes: list[Cause]
    """Why answers change."""
    google_sees_more: bool
    """Whether Google's parser sees a change of what may be crawled that RFC 9309 does not."""
    google_sees_less: bool
    """Whether Google's parser does not see a change of what may be crawled."""
    not_compared: list[str]
    """What was not compared, or only in part, because the comparison reached its limit, in words."""
    clients: list[ClientDifferences]
    """The robots that were compared. Robots that the same lines address are together."""
    sitemaps: dict[str, list[str]] | None
    """The values of all ``Sitemap`` records, sorted, if they change (REP-63)."""
    left_out: int
    """How many robots were not compared at all, because the comparison reached its limit."""
    urls: ChangedUrls | None
    """What became of the URLs of a list; null where there is none."""
    omitted: NotRequired[Omitted]


class DiffRequest(TypedDict):
    """Two files, and the robots to compare for."""

    before: Side
    """The old file."""
    after: Side
    """The new file."""
    agents: NotRequired[Agents]
    """Robots to compare for [default: every robot that either file names, one that neither names, and known robots that follow other groups]"""
    purposes: NotRequired[list[str]]
    """Purposes that the robots claim, as ``User-Agent-Purpose`` lines name them."""
    literal: NotRequired[bool]
    """Whether to leave out what operators document about their robots."""
    urls: NotRequired[list[str]]
    """URLs, or paths, to look for changes."""
    all: NotRequired[bool]
    """Whether the answer may be longer than 20 times the files."""


class DirectiveDescription(TypedDict):
    """What the registry says about a directive."""

    description: NotRequired[str]
    """What it means, in short."""
    documentation: NotRequired[str]
    """The address of its documentation."""


class DirectiveEvidence(TypedDict):
    """A line that names the application."""

    source: Source
    """Always ``robots.txt``."""
    line: int
    span: list[int]
    """First byte, and byte after the last, in the decoded file."""
    statement: str
    """The line, of which at most 256 bytes are quoted, and then ``…``."""
    bytes: int
    """Bytes of the path pattern; 0 without one."""
    role: Role
    reason: DirectiveReason


DirectiveReason: TypeAlias = Literal[
    "longest-pattern",
    "shorter-pattern",
]


class DirectiveRegion(TypedDict):
    """URLs for which the old file takes an application's directives from the same lines, the new file too, and the directives differ."""

    application: str
    """The application's identifier."""
    witness: str
    """A shortest path with query in the region, in form C1."""
    old: Directives
    """What the old file asks."""
    new: Directives
    """What the new file asks."""


DirectiveValue: TypeAlias = "bool | int | float | str | TypedValue"
"""A directive's value: a JSON value of the same kind if there is one, otherwise an object that names the type."""


class Directives(TypedDict):
    """What an application is asked to do."""

    directives: dict[str, str]
    """The values of the directives that apply, by name, as structured fields write them."""
    lines: list[int]
    """The numbers of their lines."""


DocumentState: TypeAlias = Literal[
    "read",
    "unreadable",
    "not-known",
]


class DocumentStatus(TypedDict):
    """How far abide does what a document says (RFC 7942)."""

    schema: int
    """Version of this form."""
    document: str
    """Name of the document, such as ``repext-03``."""
    title: str
    """Its title and revision."""
    implementation: str
    """The implementation."""
    version: str
    """Version of the implementation."""
    licence: str
    """Licence of the implementation, as an SPDX expression."""
    vectors: int
    """How many vectors about the document ran."""
    passed: int
    """How many of them got the expected answer."""
    levels: list[LevelStatus]
    """The requirements of the document, by the strength of its words."""
    deviations: list[Deviation]
    """Readings that are not the letter of the text, on purpose."""
    failures: list[FailedVector]
    """Vectors that got another answer."""


class DocumentedRobot(TypedDict):
    """What is documented about a known robot and matters for the answer."""

    token: str
    operator: str
    applied: list[str]
    """What applies, in sentences."""
    documentation: str | None
    """The page that says so."""
    checked: str
    """The day on which the page was read."""


class Edit(TypedDict):
    """A replacement of bytes."""

    span: list[int]
    """What is replaced: its first byte, and the byte after the last. Empty to insert."""
    replacement: str
    """The new bytes."""


class ErrorAnswer(TypedDict):
    """The answer to a request that cannot be read."""

    id: object
    """The ``id`` of the request, as written."""
    url: NotRequired[str]
    """For a bare URL: the text of the line."""
    error: ReportedError
    agent: NotRequired[Agent]
    profile: NotRequired[Profile]


class Evidence(TypedDict):
    """Something that decided, agreed or was overridden."""

    source: Source
    """What kind of source it comes from."""
    vocabulary: NotRequired[Vocabulary]
    """For an AI preference: its vocabulary."""
    locator: NotRequired[str]
    """For a line of a permissions reference: the reference, as robots.txt writes it; for a document: its URL."""
    sha256: NotRequired[str]
    """Of the robots.txt that the line is in, if abide fetched it or took it from a cache."""
    line: NotRequired[int]
    """Number of the line of robots.txt, or of the field line, from 1."""
    field: NotRequired[TagField]
    """For a robots tag in a field: the field."""
    member: NotRequired[int]
    """Number of the field's member, or of the document's rule or ``content``, from 1."""
    offset: NotRequired[int]
    """For an element of a page: its first byte."""
    span: NotRequired[list[int]]
    """First byte, and byte after the last, in the decoded file."""
    statement: NotRequired[str]
    """The field as written, from key to value; of a tag at most 256 bytes, and then ``…``."""
    bytes: NotRequired[int]
    """How many bytes the rule's pattern has, normalised."""
    selected_by: NotRequired[Selection]
    """The line through which the group or record applies."""
    rule: NotRequired[str]
    """The name of the robots tag rule; for an older word of ``Content-Usage`` that word with its value; in the preferences for an application the directive, or the word with its value."""
    role: Role
    """The part that it played."""
    reason: Reason
    """Why it played that part."""
    cause: NotRequired[str]
    """Why the file is unavailable or unreachable, in words."""
    notes: NotRequired[list[Note]]
    """What else is to be known."""


class ExplainBody(TypedDict):
    """A file, the robots that read it, and pages. Members of a request of ``/v1/decide`` that hold for all of them may follow."""

    robots: NotRequired[str]
    """The robots.txt as text."""
    robots_base64: NotRequired[str]
    """The file in base64, for any bytes."""
    agents: Agents
    """The robots that read it."""
    urls: NotRequired[list[str]]
    """Absolute URLs, or paths. More than eight are counted."""
    profile: NotRequired[Profile]
    """How to read what the specifications leave open [default: careful]"""
    literal: NotRequired[bool]
    """Whether to leave out what operators document about their robots."""
    purposes: NotRequired[list[str]]
    """``User-Agent-Purpose`` tokens that the client claims."""
    applications: NotRequired[list[str | Application]]
    """Applications whose directives to return. A text is one with the product tokens of ``agent``."""
    registry: NotRequired[str | Registry]
    """What is registered: applications with their directives, the purposes that exist, and the robots tag rules that count. An object, or the text of a TOML, JSON or CSV file."""
    acap: NotRequired[Acap]
    """The client in terms of ACAP."""
    references: NotRequired[dict[str, str | FailedFetch]]
    """Contents of ACAP permissions references, by locator as the file writes it: a body, or its ``status`` or ``error``."""
    headers: NotRequired[list[list[str]]]
    """Field lines of the page's response, in order."""
    html: NotRequired[str]
    """The page's source."""
    rendered_html: NotRequired[str]
    """The page's final DOM, serialised."""
    now: NotRequired[str]
    """The time of the decision, RFC 3339 [default: now]."""
    first_indexed: NotRequired[str]
    """When the page was first indexed, for limits in days, RFC 3339."""
    first_copied: NotRequired[str]
    """When the page was first copied, for limits in days, RFC 3339."""
    version: NotRequired[Version]
    """The version of the page that the question is about."""
    nonstandard_token: NotRequired[bool]
    """Whether to accept product tokens outside of RFC 9309, such as ``MJ12bot``."""
    readings: NotRequired[list[Reading]]
    """Readings of ambiguous points in place of abide's own, each as the ID of the point and the name of the reading."""
    preferences: NotRequired[Preferences]
    """Asks for AI preferences: the usages ``train``, ``ai-input`` and ``search``."""
    robots_status: NotRequired[int]
    """Final HTTP status of the robots.txt fetch, 200 to 599 [default: 200]. One from 300 to 399 is a redirect that nobody followed, and says nothing about the site; 304 means that the stored copy has to be given instead."""
    robots_location: NotRequired[str]
    """Where a redirecting ``robots_status`` leads: the field ``Location`` of the answer."""
    robots_error: NotRequired[FailureName]
    """Network failure instead of a status."""


class ExplainedLine(TypedDict):
    """A line of the file, and what it is to the client."""

    line: int
    """Number of the line, from 1."""
    text: str
    """The line as written, without its end."""
    state: LineStateName
    """``head``: begins what applies to the client. ``counts``: applies to it. ``void``: would apply, but has no effect. ``control-token``: in the group of a control token that is about what the client fetches. ``others``: for other robots, or a comment or blank line."""
    why: NotRequired[str]
    """Why the line has no effect."""
    preference: NotRequired[ExplainedPreference]
    """For a line of ``Content-Usage``, ``Content-Signal`` or ``License``: what it states, for whomever it is."""
    control_token: NotRequired[ExplainedToken]
    """For a ``User-agent`` line that names a control token."""


class ExplainedPage(TypedDict):
    """What is decided about a page."""

    url: str
    outcomes: dict[str, Outcome]
    """By usage; those about which anything is said."""
    parts: list[Part]
    """What each statement did to it."""
    verdict: str
    """Whether the client may crawl the page, in one sentence."""
    preferences: NotRequired[list[PreferenceAnswer]]
    """What is asked about training, AI input and search, if the file or the page states any preference."""
    summary: str
    """What is decided and why, in plain English."""
    findings: NotRequired[list[str]]
    """Findings about the URL, in sentences."""


class ExplainedPreference(TypedDict):
    """What a preference line states."""

    vocabulary: Vocabulary
    """Its vocabulary."""
    path: NotRequired[str]
    """Its path, as written; absent for every path."""
    states: dict[str, Outcome]
    """By usage."""
    max_use: NotRequired[UseLevel]
    """The level that it limits every usage to."""
    licence: NotRequired[str]
    """The URL of the licence document that it names."""
    overridden_by: NotRequired[dict[str, int]]
    """By usage that it states and never settles: the line that overrides it."""
    text: NotRequired[str]
    """What it settles for the client, in words; absent where ``why`` says that it has no effect."""


class ExplainedToken(TypedDict):
    """What the group of a control token settles."""

    token: str
    """The token."""
    usages: list[Usage]
    """The usages that its group is about."""
    fetchers: list[str]
    """The robots whose content it is about."""
    counts: bool
    """Whether it is about what the client fetches."""
    text: str
    """What it settles, in words."""


class FailedFetch(TypedDict):
    """A document that could not be fetched."""

    status: NotRequired[int]
    """Its HTTP status."""
    error: NotRequired[FailureName]
    """The network failure."""


class FailedVector(TypedDict):
    """A vector that got another answer than expected."""

    id: str
    """The requirement that the vector is about."""
    name: str
    """Name of the vector."""
    difference: str
    """What differs."""


class Failure(TypedDict):
    """An expectation that failed."""

    about: str
    """The usage, or the application."""
    expected: CaseAnswer
    """What was expected."""
    found: CaseAnswer
    """What was found."""
    cause: str
    """What decided: ````line 2: ``Disallow: /`` ````, or the reason if no line did."""
    vocabulary: NotRequired[Vocabulary]
    """For training, AI input and search: the vocabulary of what decided."""


FailureName: TypeAlias = Literal[
    "dns",
    "connect",
    "tls",
    "timeout",
    "truncated",
    "redirect-limit",
    "bad-redirect",
    "refused",
    "network",
]


class FetchTrail(TypedDict):
    """What was requested when a file was fetched, and what answered: kept with the file."""

    requests: list[SentRequest]
    """The requests: the first one, and one for each redirect."""
    fields: list[SentField]
    """The field lines of the last response, in order, without ``Set-Cookie``."""
    cut: NotRequired[bool]
    """Whether a request or a field is missing because there was too much to keep."""


class FetchedSite(TypedDict):
    """The robots.txt of a site, and how it was fetched."""

    schema: int
    """Version of this form."""
    url: str
    """URL of the robots.txt."""
    rules: FetchedSiteRules
    """Which rules apply now: those of a file; none, because the site has no file (``unavailable``, everything is allowed) or because it cannot be fetched (``unreachable``, only robots.txt itself is allowed); or ``unknown``, because nothing is stored and nothing was requested."""
    cause: NotRequired[str]
    """Why there is no file, in words: ``HTTP status 404``."""
    file: NotRequired[ServedFile]
    """The file, if one applies. The command leaves its text out."""
    retrieval: Retrieval
    """How the file was fetched, and how long it is valid."""
    age: NotRequired[int]
    """How many seconds ago it was last confirmed."""
    lifetime: NotRequired[int]
    """For how many seconds the site says that it is fresh."""
    next_fetch: NotRequired[str]
    """The earliest instant at which to ask again. Missing: now."""
    asks_to_wait: NotRequired[str]
    """Until when the site asked to be left alone (``Retry-After``), if it was not asked again for that reason."""
    user_agent: NotRequired[str]
    """The ``User-Agent`` that was sent. Missing if nothing was requested."""
    requests: list[SentRequest]
    """The requests that this process sent or refused last: the first one, and one for each redirect. Empty if it had no need to."""
    trail: NotRequired[FetchTrail]
    """How the file was fetched that applies, or the response that says that there is none, also if that was earlier. Missing if nothing is stored, or an older version stored it without this."""
    media_type: NotRequired[str]
    """Media type of the last response, as sent."""
    downgraded: NotRequired[bool]
    """Whether a redirect led from https to http."""


FetchedSiteRules: TypeAlias = Literal[
    "file",
    "unavailable",
    "unreachable",
    "unknown",
]


class FileExplanation(TypedDict):
    """A robots.txt as one client reads it, and what it does to pages."""

    schema: int
    """Version of this form."""
    robot: str
    """The robot as it was asked for: a name, names in order of preference such as ``NewsBot>Bot``, or ``*`` for every robot that the file does not name."""
    agents: list[str]
    """The client's product tokens, in order of preference; none for ``*``."""
    access: Access
    """What came of fetching the file."""
    truncated: bool
    """Whether the file goes on behind the limit up to which it is read."""
    groups: list[Selection]
    """The groups that apply to the client, by their starter lines."""
    passed_over_groups: list[Selection]
    """Groups that address the client too, but that a better match overrides."""
    lines: list[ExplainedLine]
    """Every line of the file, in order."""
    tags: list[ReadTag]
    """The robots tags that were given."""
    verdict: str
    """What the client may crawl, in one sentence."""
    documented: NotRequired[list[str]]
    """What is documented about the robot and matters for this file, in sentences."""
    preferences: NotRequired[list[PreferenceAnswer]]
    """What robots.txt alone asks about training, AI input and search, on most paths, if the file states any preference."""
    purposes: NotRequired[list[str]]
    """What the file asks of robots that claim a purpose, in sentences."""
    summary: str
    """What the file is to the client, in plain English."""
    pages: NotRequired[list[ExplainedPage]]
    """What is decided about each page, if pages were named."""
    tally: NotRequired[Tally]
    """What was counted, if many pages were named."""


class FileFinding(TypedDict):
    """A finding in a file."""

    schema: int
    """Version of this form."""
    file: str
    """The file or URL, as it was named; ``stdin``; ``the response``."""
    origin: Input
    """What the finding is about."""
    code: str
    """The rule that found it: ``abide lint --explain CODE``."""
    severity: Severity
    """How much the finding matters."""
    message: str
    """One sentence."""
    line: NotRequired[int]
    """From 1; absent if the finding is about the whole file."""
    span: NotRequired[list[int]]
    """The first byte, and the byte after the last, in the text as it was read."""
    column: NotRequired[int]
    """Where the span begins on its line, in characters from 1."""
    related: NotRequired[list[RelatedPlace]]
    """Other places that belong to it."""
    fix: NotRequired[Fix]
    """What would fix it."""


class Findings(TypedDict):
    """What was found, and the fixed file."""

    schema: int
    """Version of this form."""
    findings: list[FileFinding]
    """First those in the file."""
    omitted: NotRequired[int]
    """How many findings are left out because the answer would be longer than 20 times the file."""
    fixed: NotRequired[int]
    """With ``fix``: how many findings were fixed."""
    robots: NotRequired[str]
    """With ``fix``: the new file, if it is UTF-8."""
    robots_base64: NotRequired[str]
    """With ``fix``: the new file otherwise."""


class Fix(TypedDict):
    """A change that fixes a finding."""

    safety: Safety
    """Whether it may be applied without asking: ``safe`` changes no answer."""
    title: str
    """What it does, such as "remove the line"."""
    edits: list[Edit]
    """Replacements of bytes of the decoded text. They do not overlap. None if the text only has to be written as it was read."""


class FmtRequest(TypedDict):
    """A file to format."""

    robots: NotRequired[str]
    """The robots.txt as text."""
    robots_base64: NotRequired[str]
    """The file in base64, for any bytes."""


class FormattedFile(TypedDict):
    """The formatted file."""

    schema: int
    """Version of this form."""
    changed: bool
    """Whether the formatted file differs from the file."""
    robots_txt: bool
    """Whether the file has any robots.txt field. If not, it stays as it is."""
    formatted: NotRequired[str]
    """The formatted file, if it is UTF-8."""
    formatted_base64: NotRequired[str]
    """The formatted file otherwise."""


class InitRequest(TypedDict):
    """What a site wishes of its robots.txt."""

    no_training: NotRequired[bool]
    """Closes the site to robots that fetch for the training of AI models."""
    no_ai_input: NotRequired[bool]
    """Closes the site to robots that fetch for AI answers."""
    keep_search: NotRequired[bool]
    """Lets in every robot that mainly searches, and refuses wishes that close the site to one."""
    staging: NotRequired[bool]
    """Closes the site to every robot."""
    block: NotRequired[Agents]
    """Closes the site to these robots too."""
    delay: NotRequired[int]
    """How many seconds robots wait between visits."""
    sitemaps: NotRequired[list[str]]
    """The absolute URLs of sitemaps."""


Input: TypeAlias = Literal[
    "robots.txt",
    "response",
    "tdmrep.json",
    "rsl",
]

Kind: TypeAlias = Literal[
    "robot",
    "user-triggered",
    "control-token",
]


class KnownRobot(TypedDict):
    """A known robot: facts about it, with their source. Facts that nobody documents are left out."""

    schema: int
    """Version of this form."""
    token: str
    """The token that robots.txt uses."""
    operator: str
    """Who operates the robot."""
    kind: Kind
    """Whether it crawls, fetches for people, or only controls the use of content."""
    purposes: list[Purpose]
    """What it is for; at least one, the main purpose first."""
    falls_back_to: NotRequired[list[str]]
    """Tokens whose groups the robot follows, in this order, if no group has its own."""
    follows_any_group: NotRequired[AnyGroup]
    """How it reads groups for ``*``, if that is documented."""
    honours_crawl_delay: NotRequired[bool]
    """Whether it honours ``Crawl-delay``, if that is documented."""
    follows_robots_txt: NotRequired[bool]
    """Whether it follows robots.txt at all, if that is documented."""
    user_agent: NotRequired[str]
    """Text in its ``User-Agent`` header, ignoring case, if it sends requests."""
    ip_ranges: NotRequired[str]
    """URL of its published address ranges."""
    reverse_dns: NotRequired[list[str]]
    """Suffixes of its host names in reverse DNS."""
    documentation: NotRequired[str]
    """URL of the operator's documentation."""
    replaced_by: NotRequired[list[str]]
    """For a legacy token: those that the operator has for the same today."""
    products: NotRequired[list[str]]
    """What people write in place of the token: products that are trained on what it lets through."""
    basis: Basis
    """What the row rests on."""
    checked: str
    """Date on which the row was checked, as ``2026-11-24``."""
    note: str
    """What blocking it does and does not do; empty if there is nothing to add."""


class KnownRobots(TypedDict):
    """Known robots."""

    schema: int
    """Version of this form."""
    robots: list[KnownRobot]
    """Those that were found."""


class LevelStatus(TypedDict):
    """The requirements of one level."""

    level: str
    """``must``, ``should``, ``may``, ``descriptive``, or ``resolution``: what the document leaves open."""
    requirements: int
    """How many requirements there are."""
    passed: int
    """For how many of them all vectors ran and passed."""
    failed: list[str]
    """The requirements with a vector that failed."""
    by_tests: list[str]
    """The requirements that no vector shows, only tests of the source. They did not run."""


LicenceDocument = TypedDict(
    "LicenceDocument",
    {
        "url": "str | None",
        "from": "LicenceSource",
        "state": "DocumentState",
    },
)
"""A licence document."""

LicenceSource: TypeAlias = Literal[
    "robots.txt",
    "link",
    "html",
    "inline",
]


class LineCounts(TypedDict):
    """What one line did."""

    line: int
    """The number of the line, from 1."""
    decided: int
    """Pages about which it decided anything."""
    overridden: int
    """Pages that it matched, and about which it decided nothing."""
    witness: str
    """The first page about which it decided; where there is none, the first that it matched."""


LineStateName: TypeAlias = Literal[
    "head",
    "counts",
    "void",
    "control-token",
    "others",
]


class LintCode(TypedDict):
    """What a code of findings means."""

    schema: int
    """Version of this form."""
    code: str
    """The code, such as ``pattern-no-slash``."""
    severity: str
    """How much such findings matter: info, warning or error."""
    markdown: str
    """What is found, why it matters, what is wrong and what is right, in Markdown."""


class LintRequest(TypedDict):
    """A file to check, or a response."""

    robots: NotRequired[str]
    """A robots.txt, a tdmrep.json or an RSL licence, as text."""
    robots_base64: NotRequired[str]
    """The file in base64, for any bytes."""
    file: NotRequired[str]
    """The name of the file in findings; it also says what the file is [default: robots.txt]"""
    media_type: NotRequired[str]
    """The field ``Content-Type`` that the file is served with."""
    select: NotRequired[list[str]]
    """Codes to report, such as ``bom`` or ``pattern-*``; also those that ``config`` ignores [default: all]"""
    ignore: NotRequired[list[str]]
    """Codes not to report."""
    allow_closed: NotRequired[bool]
    """Whether a closed site is meant to be closed [default: what ``config`` says]"""
    purposes: NotRequired[list[str]]
    """Purposes that exist [default: every well-formed one]"""
    config: NotRequired[str]
    """The text of an ``abide.toml``."""
    registry: NotRequired[str]
    """The text of a TOML, JSON or CSV file with a registry of applications and their directives, or of purposes."""
    headers: NotRequired[list[list[str]]]
    """Header fields of a response of the site, which is checked too."""
    html: NotRequired[str]
    """The page of that response."""
    rendered_html: NotRequired[str]
    """Its final DOM, serialised."""
    url: NotRequired[str]
    """The URL or path of that response [default: /]"""
    now: NotRequired[str]
    """The instant of the check, RFC 3339; control-token-stale depends on it [default: now]"""
    fix: NotRequired[Safety]
    """Applies fixes. The answer has the new file, and the findings that are left."""
    all: NotRequired[bool]
    """Whether the answer may be longer than 20 times the file."""


Loss: TypeAlias = Literal[
    "convert-case",
    "convert-precedence",
    "convert-decision",
    "convert-unproved",
    "convert-name",
    "convert-purpose",
    "convert-query",
    "convert-dollar",
    "convert-record",
    "convert-usage",
    "convert-qualifier",
    "convert-local-name",
    "convert-reference",
    "convert-malformed",
    "convert-size-limit",
    "convert-unknown-rule",
    "convert-positive-rule",
    "convert-value",
    "convert-deprecated",
    "convert-word",
    "convert-use",
    "convert-width",
    "convert-path",
    "convert-robots",
    "convert-disallowed",
    "convert-present",
    "convert-nothing",
]


class Matrix(TypedDict):
    """Which robots may crawl a site."""

    schema: int
    """Version of this form."""
    file: str
    """The robots.txt, as it was named."""
    profile: Profile
    """How the file is read."""
    literal: bool
    """Whether documented behaviour of robots is left out."""
    proven: bool
    """Whether every answer is proven for every path."""
    notes: NotRequired[list[str]]
    """What differs for robots that read the file in another way, in sentences."""
    left_out: NotRequired[int]
    """How many further robots the file names. Of those that the table of known robots does not have, as many are here as twenty times the bytes of the file have room for, and at most 2,000."""
    kinds: list[MatrixKind]
    """Kinds of robots, each with at least one."""


class MatrixKind(TypedDict):
    """Robots of one kind."""

    kind: Category
    summary: str
    """One sentence about all robots of the kind."""
    note: str | None
    """What people have to know about the kind."""
    counts: Counts
    """How many robots get each answer."""
    robots: list[MatrixRobot]


class MatrixRequest(TypedDict):
    """A file, and the robots to answer for."""

    robots: NotRequired[str]
    """The robots.txt as text."""
    robots_base64: NotRequired[str]
    """The file in base64, for any bytes."""
    file: NotRequired[str]
    """The name of the file in the answer [default: robots.txt]"""
    agents: NotRequired[Agents]
    """Robots [default: all known robots, those that the file names, and every other robot]"""
    purposes: NotRequired[list[str]]
    """Purposes that the robots claim, as ``User-Agent-Purpose`` lines name them."""
    profile: NotRequired[Profile]
    """How to read what the specifications leave open [default: careful]"""
    literal: NotRequired[bool]
    """Whether to leave out what operators document about their robots."""
    preferences: NotRequired[AskedPreferences]
    """Whether to answer for training, AI input and search too, or by which vocabularies and documents [default: if the file states a preference]"""
    site: NotRequired[str]
    """A URL of the site that the file is from. Without it, licences for whole URLs do not count."""


class MatrixRobot(TypedDict):
    """One robot."""

    name: str
    """Its name; ``*`` for every robot that the file does not name."""
    known: bool
    """Whether the table of known robots has it."""
    operator: str | None
    """Who operates it, if it is known."""
    purposes: list[Purpose]
    """What it is for, the main purpose first; empty if it is not known."""
    access: RobotAccess
    """How much of the site the file allows."""
    proven: bool
    """Whether that is proven for every path. If not, the file was too complex to compare all paths, and the access is ``partly``."""
    follows_robots_txt: bool | None
    """Whether the robot follows robots.txt; null if that is not documented or does not count. Of a robot that does not, the access says only what the file asks."""
    decided_by: DecidingLine | None
    """The line that decides about ``/``, or else the first line of the robot's group."""
    exception: PathException | None
    """A path that is decided otherwise than ``/``, if the access is ``partly``. If it is ``closed``, a file that nobody visits and that the robot may fetch."""
    exceptions: int
    """The number of rules that decide otherwise than about ``/``: at least so many."""
    documented: list[str]
    """What operators document about the robot and matters here, in sentences."""
    preferences: NotRequired[list[PreferenceAnswer]]
    """What robots.txt, and the documents of --tdmrep and --rsl, ask about training, AI input and search on most paths. Absent unless the file states a preference or names a control token, or an option about AI preferences is given."""


class NamedClient(TypedDict):
    """A client that a file names, or the client for all robots that no file names."""

    agent: str | None
    """The name as the file writes it; null for a client without one."""
    purpose: str | None
    """The purpose that the client claims."""


Note: TypeAlias = Literal[
    "search-governs",
    "by-star",
    "needs-fetch",
    "not-seen",
    "pending",
    "redirect-not-followed",
    "not-modified",
]


class Observation(TypedDict):
    """A file that a site served, and when."""

    sha256: str
    """SHA-256 of the bytes that were kept."""
    bytes: int
    """How many bytes were kept."""
    first: str
    """The first time that it was served."""
    last: str
    """The last time that it was served."""
    trail: NotRequired[FetchTrail]
    """How it was fetched the first time. Missing if an older version stored it without this."""


class Omitted(TypedDict):
    """How much is left out, so that the answer is at most 20 times as long as the files; absent if nothing is, as with ``--all``."""

    causes: int
    clients: int
    regions: int
    """Of the clients that are listed."""
    urls: int


Outcome: TypeAlias = Literal[
    "unspecified",
    "permitted",
    "conditional",
    "unknown",
    "prohibited",
]


class Part(TypedDict):
    """What one statement did to a page."""

    source: Source
    """The kind of source."""
    locator: NotRequired[str]
    """The file that robots.txt refers to, if the statement is in it."""
    line: NotRequired[int]
    """The line of the file, from 1."""
    field_line: NotRequired[int]
    """Which of the lines of its field, from 1."""
    member: NotRequired[int]
    """Which member or segment, from 1: of the whole list for ``Robots-Tag``, of the line for ``X-Robots-Tag``."""
    offset: NotRequired[int]
    """At which byte of the page it begins."""
    usages: NotRequired[list[Usage]]
    """The usages that it is about."""
    outcome: NotRequired[Outcome]
    """What is decided about them."""
    application: NotRequired[str]
    """The application whose directives it is about."""
    role: Role
    """Its role."""
    vocabulary: NotRequired[Vocabulary]
    """For a preference: its vocabulary."""
    bytes: NotRequired[int]
    """For a rule: bytes of its pattern (REP-42)."""
    overridden_by: NotRequired[int]
    """For what is overridden: the line of the file that overrides it."""
    reason: str
    """The reason, as in a decision; ``longest-pattern`` and ``shorter-pattern`` for directives."""
    why: str
    """The reason in words."""


class PathAnswer(TypedDict):
    """Another answer for some paths."""

    pattern: str
    """The pattern as the file has it."""
    outcome: Outcome
    """The answer."""
    line: NotRequired[int]
    """The line that decides."""


class PathException(TypedDict):
    """A path that is decided otherwise than ``/``."""

    path: str
    """The path."""
    decided_by: DecidingLine | None
    """The line that decides about it."""


class PreferenceAnswer(TypedDict):
    """The answer for training, AI input or search."""

    usage: Usage
    """The usage."""
    outcome: Outcome
    """The answer for most paths."""
    line: NotRequired[int]
    """The line that decides, from 1."""
    vocabulary: NotRequired[Vocabulary]
    """The vocabulary of the deciding statement."""
    control_token: NotRequired[str]
    """The control token whose group decides."""
    exceptions: NotRequired[list[PathAnswer]]
    """Patterns of the file for which the answer is another one, each deciding line once."""
    more_exceptions: NotRequired[int]
    """How many exceptions are left out."""
    text: str
    """The answer in one sentence."""


class Preferences(TypedDict):
    """The member ``preferences`` of a request."""

    vocabularies: NotRequired[list[Vocabulary]]
    """The vocabularies that count [default: all]. With ``tdmrep`` and without that file, ``train`` and ``ai-input`` are unknown."""
    revision: NotRequired[Literal[
        "08",
        "07",
    ]]
    """The revision of draft-ietf-aipref-vocab that has the words of ``Content-Usage`` [default: 08]."""
    vendor_tags: NotRequired[bool]
    """Whether ``noai``, ``noimageai`` and ``noml`` count [default: true]."""
    signals_outside_groups: NotRequired[bool]
    """Whether ``Content-Signal`` lines before the first group count as a group for ``*`` [default: false]."""
    signal_scope: NotRequired[SignalScope]
    """For whom a ``Content-Usage`` or ``Content-Signal`` line counts: the robots of its group, or every robot whose own groups have no such line, also before the first group [default: group]."""
    use: NotRequired[UseLevel]
    """The level to which the client means to use content."""
    control_tokens: NotRequired[list[str | ControlToken]]
    """Control tokens to ask about [default: those of the client's operator]. A text is one that abide knows, such as ``Google-Extended``."""
    tdmrep: NotRequired[str | FailedFetch]
    """The site's ``/.well-known/tdmrep.json``: a body, or its ``status`` or ``error``."""
    rsl: NotRequired[dict[str, str | FailedFetch]]
    """RSL licence documents, by URL as the site writes it: a body, or its ``status`` or ``error``."""
    fetched_at: NotRequired[str]
    """When the page was fetched, RFC 3339."""


Profile: TypeAlias = Literal[
    "careful",
    "google",
]

Purpose: TypeAlias = Literal[
    "search",
    "ai-training",
    "ai-input",
    "archive",
    "seo",
    "preview",
    "monitoring",
    "ads",
    "feeds",
    "academic",
    "security",
    "shopping",
    "translation",
    "other",
]

Qualifier: TypeAlias = Literal[
    "time-limit",
    "max-length",
    "prohibited-modification",
    "prohibited-context",
    "required-context",
    "must-use-resource",
    "must-include-resource",
]


class ReadTag(TypedDict):
    """A robots tag of a response."""

    source: Source
    """Where it comes from."""
    field_line: NotRequired[int]
    """Which of the lines of its field, from 1."""
    member: NotRequired[int]
    """Which member or segment, from 1: of the whole list for ``Robots-Tag``, of the line for ``X-Robots-Tag``."""
    offset: NotRequired[int]
    """At which byte of the page it begins."""
    text: str
    """The tag as written."""
    binds: bool
    """Whether it applies to the client (TAG-10, TAG-11)."""


Reading: TypeAlias = Literal[
    "AMB-PREF-1=ends-nothing",
    "AMB-PREF-1=attach",
    "AMB-APP-2=plan-b",
    "AMB-APP-2=ends-nothing",
    "AMB-PUR-1=product-token",
    "AMB-PUR-1=purpose",
    "AMB-PUR-3=purpose",
    "AMB-PUR-3=unknown",
    "AMB-PUR-3=user-agent",
    "AMB-PUR-4=token",
    "AMB-PUR-4=line",
    "AMB-TAG-6=until-mistake",
    "AMB-TAG-6=void",
    "AMB-TAG-7=robot",
    "AMB-TAG-7=rule",
    "AMB-REP-3=no-match",
    "AMB-REP-3=implied-slash",
    "AMB-REP-6=identifier",
    "AMB-REP-6=word",
    "AMB-REP-6=whole",
]

Reason: TypeAlias = Literal[
    "only-match",
    "most-bytes",
    "equal-bytes",
    "equal-bytes-allow-wins",
    "equal-bytes-lost-to-allow",
    "fewer-bytes",
    "other-group",
    "no-rule-matches",
    "no-group",
    "tag-rule",
    "tag-expired",
    "tag-unreadable",
    "stricter-wins",
    "narrowest-scope",
    "wider-scope",
    "no-narrower-permission",
    "not-narrower",
    "says-the-same",
    "applies-too",
    "named-over-any",
    "by-other",
    "qualifier-invalid",
    "unsupported-qualifier",
    "no-prior-arrangement",
    "qualifier-not-ready",
    "expired",
    "nothing-left",
    "not-html",
    "substitute-not-crawlable",
    "acap-truncated",
    "reference-not-known",
    "reference-unreachable",
    "acap-overrides-conventional",
    "conventional-ignored",
    "preserve-prohibited",
    "preserve-until-recrawled",
    "older-version",
    "robots-txt-itself",
    "unavailable",
    "unreachable",
    "robots-txt-not-known",
    "says-so",
    "crawl-prohibited",
    "unparsable",
    "superseded",
    "not-listed",
    "licence-unreadable",
    "licence-not-known",
    "tdmrep-not-known",
    "tdmrep-too-large",
    "outside-group",
    "field-permits-nothing",
    "older-word",
    "use-exceeded",
    "directive-overrides",
    "meaning-unknown",
]


class Region(TypedDict):
    """URLs for which the old file decides by the same lines, the new file too, and the answers differ."""

    usage: Usage
    """The usage that the answers are about."""
    witness: str
    """A shortest path with query in the region, in form C1 (AMB-REP-1)."""
    old: ShortAnswer
    """What the old file says."""
    new: ShortAnswer
    """What the new file says."""


class RegionPlace(TypedDict):
    """The place of a region."""

    clients: int
    """The index in the member ``clients``."""
    region: int
    """The index in the regions of these clients."""


class RegisteredApplication(TypedDict):
    """A registered application."""

    id: str
    """The identifier, a Token."""
    product_tokens: NotRequired[list[str]]
    """Its product tokens, in order of preference [default: the client's]."""
    change_controller: NotRequired[str]
    """Who may register directives for it: a name and contact details."""
    directive: NotRequired[dict[str, RegisteredDirective]]
    """Its directives, by name."""


class RegisteredDirective(TypedDict):
    """A registered directive."""

    type: str
    """The type of its values: integer, decimal, string, token, byte-sequence, boolean, date or display-string."""
    status: NotRequired[str]
    """``active`` or ``deprecated`` [default: active]."""
    overrides: NotRequired[list[str]]
    """The words of AI preferences that it overrides, such as ``train-ai``."""
    means: NotRequired[dict[str, str]]
    """What its values mean for these words: ``y`` or ``n``, by value."""
    description: NotRequired[str]
    """What it means, in short."""
    documentation: NotRequired[str]
    """The address of its documentation."""


class RegisteredPurpose(TypedDict):
    """A registered purpose."""

    token: str
    """The token, as ``User-Agent-Purpose`` lines have it."""
    description: NotRequired[str]
    """What it means, in short."""
    reference: NotRequired[str]
    """Where it is specified."""


class RegisteredRule(TypedDict):
    """A registered robots tag rule."""

    name: str
    """Its name, as robots tags have it."""
    description: NotRequired[str]
    """What it means, in short."""
    reference: NotRequired[str]
    """Where it is specified."""


class Registry(TypedDict):
    """A registry. The names of its members are those of the columns in the IANA sections."""

    version: NotRequired[int]
    """The version of this form, which is 1 [default: 1]."""
    application: NotRequired[list[RegisteredApplication]]
    """Applications and their directives (draft-nottingham-plan-b, 3)."""
    purpose: NotRequired[list[RegisteredPurpose]]
    """The purposes that exist; a purpose that is not among them is an error [default: every purpose of letters, digits, ``-`` and ``_``]."""
    rule: NotRequired[list[RegisteredRule]]
    """The robots tag rules that count (draft-illyes-repext, 5.2) [default: those that abide knows]."""


class RelatedPlace(TypedDict):
    """Another place that belongs to a finding."""

    line: int
    """Its line."""
    span: list[int]
    """Its first byte, and the byte after the last."""
    message: str
    """How it is related, in a few words."""


class ReportedError(TypedDict):
    """What is wrong."""

    code: Literal[
        "invalid-json",
        "invalid-request",
        "invalid-agent",
        "invalid-application",
        "invalid-purpose",
        "invalid-url",
        "invalid-robots",
        "invalid-references",
        "invalid-acap",
        "invalid-preferences",
        "invalid-registry",
        "line-too-long",
    ]
    input_line: NotRequired[int]
    """Number of the line of input, from 1."""
    pointer: NotRequired[str]
    message: str


class Request(TypedDict):
    """What abide is asked. One request a line in abide batch."""

    id: NotRequired[object]
    """Any JSON of at most 4,096 bytes, nested less than 128 deep; the answer repeats it."""
    url: str
    """Absolute URL, as the client will send it."""
    agent: str | list[str]
    """Product tokens in order of preference: the first that has a group decides. ``*`` is every robot that the file does not name. A text with ``/`` or ``(`` is a whole ``User-Agent`` line, whose names are looked for in the file. A name has at most 256 bytes, a line 4,096."""
    robots: NotRequired[str]
    """Body of robots.txt."""
    robots_base64: NotRequired[str]
    """Body of robots.txt, any bytes, in base64."""
    robots_limit: NotRequired[int]
    """How many bytes of the robots.txt are read; RFC 9309 (2.5) lets robots ignore the rest [default: 512000, which is the least; 16 MiB with the google profile]."""
    profile: NotRequired[Profile]
    """How open points of the specifications are read."""
    known_robots: NotRequired[bool]
    """Whether to apply what the operators of known robots document: other names whose groups they follow, and that they ignore groups for ``*`` [default: false]."""
    purposes: NotRequired[list[str]]
    """``User-Agent-Purpose`` tokens that the client claims."""
    applications: NotRequired[list[str | Application]]
    """Applications whose directives to return. A text is one with the product tokens of ``agent``."""
    registry: NotRequired[str | Registry]
    """What is registered: applications with their directives, the purposes that exist, and the robots tag rules that count. An object, or the text of a TOML, JSON or CSV file."""
    acap: NotRequired[Acap]
    """The client in terms of ACAP."""
    references: NotRequired[dict[str, str | FailedFetch]]
    """Contents of ACAP permissions references, by locator as the file writes it: a body, or its ``status`` or ``error``."""
    headers: NotRequired[list[list[str]]]
    """Field lines of the page's response, in order."""
    html: NotRequired[str]
    """The page's source."""
    rendered_html: NotRequired[str]
    """The page's final DOM, serialised."""
    now: NotRequired[str]
    """The time of the decision, RFC 3339 [default: now]."""
    first_indexed: NotRequired[str]
    """When the page was first indexed, for limits in days, RFC 3339."""
    first_copied: NotRequired[str]
    """When the page was first copied, for limits in days, RFC 3339."""
    version: NotRequired[Version]
    """The version of the page that the question is about."""
    nonstandard_token: NotRequired[bool]
    """Whether to accept product tokens outside of RFC 9309, such as ``MJ12bot``."""
    readings: NotRequired[list[Reading]]
    """Readings of ambiguous points in place of abide's own, each as the ID of the point and the name of the reading."""
    preferences: NotRequired[Preferences]
    """Asks for AI preferences: the usages ``train``, ``ai-input`` and ``search``."""
    robots_status: NotRequired[int]
    """Final HTTP status of the robots.txt fetch, 200 to 599 [default: 200]. One from 300 to 399 is a redirect that nobody followed, and says nothing about the site; 304 means that the stored copy has to be given instead."""
    robots_location: NotRequired[str]
    """Where a redirecting ``robots_status`` leads: the field ``Location`` of the answer."""
    robots_error: NotRequired[FailureName]
    """Network failure instead of a status."""


class RequestedAction(TypedDict):
    """What a file asks to be done with a single resource."""

    action: Action
    """What is asked."""
    path: str
    """The path of the resource."""


class Retrieval(TypedDict):
    """How a robots.txt was fetched, and how long it is valid."""

    state: RetrievalState
    """Why these rules apply."""
    sha256: NotRequired[str]
    """SHA-256 of the file's bytes as sent. Missing if no file applies."""
    cut: NotRequired[bool]
    """Whether the file continues after the bytes that were kept. Then ``sha256`` covers these only."""
    fetched_at: NotRequired[str]
    """When the site's last response arrived."""
    checked_at: NotRequired[str]
    """When it was last confirmed."""
    fresh_until: NotRequired[str]
    """Until when it is fresh."""
    unreachable_since: NotRequired[str]
    """Since when every attempt has failed."""


RetrievalState: TypeAlias = Literal[
    "fresh",
    "refresh-failed",
    "unreachable",
    "grace-is-over",
    "due",
    "never-asked",
]

RobotAccess: TypeAlias = Literal[
    "allowed",
    "partly",
    "closed",
]

Role: TypeAlias = Literal[
    "decided",
    "agreed",
    "overridden",
    "void",
]

Safety: TypeAlias = Literal[
    "safe",
    "unsafe",
]


class Selection(TypedDict):
    """The ``User-agent``, ``User-Agent-Purpose`` or ``ACAP-crawler`` line through which a group or record applies."""

    by: SelectionLevel
    token: str
    """The name in the line, of which at most 256 bytes are quoted."""
    line: int


SelectionLevel: TypeAlias = Literal[
    "product-token",
    "purpose",
    "crawler-name",
    "any-crawler",
]


class SentField(TypedDict):
    """A field line of a response."""

    name: str
    """Its name."""
    value: str
    """Its value. A byte that is not UTF-8 is U+FFFD."""


class SentRequest(TypedDict):
    """A request, and what came of it."""

    url: str
    """Its URL."""
    address: NotRequired[str]
    """Address and port that responded: those of the proxy, if there is one."""
    status: NotRequired[int]
    """Status of the response."""
    failure: NotRequired[str]
    """Why there is no response, or none that can be read, in words."""
    milliseconds: int
    """How long it took."""


class ServedFile(TypedDict):
    """A file as a site served it."""

    sha256: str
    """SHA-256 of the bytes that were kept."""
    bytes: int
    """How many bytes were kept."""
    cut: bool
    """Whether the file goes on behind them."""
    cut_line: bool
    """Whether the bytes that were kept end within a line. That line does not count."""
    body: NotRequired[str]
    """The text, if it is UTF-8."""
    body_base64: NotRequired[str]
    """The bytes otherwise."""


class SettingEntry(TypedDict):
    """A setting as ``abide config`` lists it."""

    key: str
    """The key in ``abide.toml``, such as ``ignore`` or ``severity.bom``. A list has one entry for each member."""
    value: SettingValue
    """What is set; null for a list without members, or a file that is not named."""
    origin: SettingOrigin
    """Where it is set."""
    line: NotRequired[int]
    """The line of the ``abide.toml``, starting from 1."""


SettingOrigin: TypeAlias = Literal[
    "default",
    "file",
    "flag",
]

SettingValue: TypeAlias = "str | bool | None"
"""What a setting is set to."""


class Settings(TypedDict):
    """The settings for a robots.txt, and where each comes from."""

    schema: int
    """Version of this form."""
    file: str
    """The robots.txt, as it was named."""
    config: str | None
    """The ``abide.toml`` that applies; null if none does."""
    settings: list[SettingEntry]
    """Every setting."""


Severity: TypeAlias = Literal[
    "info",
    "warning",
    "error",
]


class ShortAnswer(TypedDict):
    """What a file says about one usage of a page, in short."""

    outcome: Outcome
    """The outcome."""
    conditions: list[Condition]
    """The conditions of a conditional outcome."""
    decided_by: DecidedBy | None
    """What decided the outcome; null if no source says anything."""


class Side(TypedDict):
    """A file: given, or that of a site."""

    robots: NotRequired[str]
    """The robots.txt as text."""
    robots_base64: NotRequired[str]
    """The file in base64, for any bytes."""
    file: NotRequired[str]
    """The name of the file in the answer [default: before, after]"""
    url: NotRequired[str]
    """A URL of the site whose robots.txt is fetched."""


SignalScope: TypeAlias = Literal[
    "group",
    "file",
]


class SiteHistory(TypedDict):
    """Every file that a site served."""

    schema: int
    """Version of this form."""
    url: str
    """URL of the robots.txt."""
    observations: list[Observation]
    """The files, the first one first."""
    file: NotRequired[ServedFile]
    """The file that was asked for."""


class SitePreferences(TypedDict):
    """Vocabularies that count, and documents beside robots.txt, with the meaning that they have in a request of ``/v1/decide``. They are read as strictly as there."""

    vocabularies: NotRequired[list[str]]
    """Vocabularies that count: content-usage, content-signal, tdmrep, rsl, robots-tag, control-token [default: all]"""
    revision: NotRequired[str]
    """Revision of the words of ``Content-Usage``: 08 or 07 [default: 08]"""
    signal_scope: NotRequired[str]
    """For whom a ``Content-Usage`` or ``Content-Signal`` line counts: ``group``, the robots of its group, or ``file``, every robot whose own groups have no such line [default: group]"""
    tdmrep: NotRequired[str | FailedFetch]
    """The site's tdmrep.json as text, or an object with ``status`` or ``error`` in its place."""
    rsl: NotRequired[dict[str, str | FailedFetch]]
    """Licence documents by URL as the site writes it: each as text, or an object with ``status`` or ``error`` in its place."""


class SitemapRequest(TypedDict):
    """A sitemap: given, or that at a URL."""

    sitemap: NotRequired[str]
    """The sitemap as text: XML, or one URL on each line."""
    sitemap_base64: NotRequired[str]
    """The sitemap in base64, for any bytes; it may be compressed with gzip."""
    url: NotRequired[str]
    """The URL of a sitemap, which is fetched if the robots.txt of its site allows that."""


class SitemapUrls(TypedDict):
    """What a sitemap lists."""

    schema: int
    """Version of this form."""
    index: bool
    """Whether it is an index: its URLs are those of other sitemaps."""
    urls: list[str]
    """The URLs in their order, as they are written."""


Source: TypeAlias = Literal[
    "robots.txt",
    "acap",
    "acap-reference",
    "robots-tag",
    "x-robots-tag",
    "meta",
    "rendered-meta",
    "fetch",
    "dependency",
    "default",
    "content-usage",
    "content-usage-field",
    "content-signal",
    "content-signal-field",
    "tdmrep",
    "tdm-field",
    "tdm-meta",
    "rsl",
    "control-token",
    "app-directives",
]


class Statistic(TypedDict):
    """How often a code was found."""

    schema: int
    """Version of this form."""
    code: str
    """The rule: ``abide lint --explain CODE``."""
    severity: Severity
    """The highest severity of its findings."""
    findings: int
    """The number of findings."""
    files: int
    """The number of files with at least one."""
    fixable: int
    """Findings with a fix that changes no answer."""
    unsafely_fixable: int
    """Findings with another fix."""


class Table(TypedDict):
    """Which robots may have which URLs."""

    schema: int
    """Version of this form."""
    profiles: list[Profile]
    """The profile of the answers; with two, the second is compared with it."""
    usage: Usage
    """The usage that is answered for."""
    robots: list[TableColumn]
    """The columns."""
    urls: list[TableUrl]
    """The rows."""
    answers: list[CellAnswer]
    """The different answers of all cells."""
    cells: list[list[int] | None]
    """For each URL, and in it for each robot, the place of the answer in ``answers``, from 0. Null for a URL with an error."""


class TableBody(TypedDict):
    """A file, robots and URLs. Members of a request of ``/v1/decide`` that hold for all of them may follow."""

    robots: NotRequired[str]
    """The robots.txt as text."""
    robots_base64: NotRequired[str]
    """The file in base64, for any bytes."""
    agents: Agents
    """The robots: one column each."""
    urls: list[str]
    """Absolute URLs, or paths: one row each."""
    profiles: NotRequired[list[Profile]]
    """How to read what the specifications leave open: one profile, or two to see where they differ [default: careful]"""
    usage: NotRequired[str]
    """The usage to answer for [default: crawl]"""
    literal: NotRequired[bool]
    """Whether to leave out what operators document about their robots."""
    purposes: NotRequired[list[str]]
    """``User-Agent-Purpose`` tokens that the client claims."""
    applications: NotRequired[list[str | Application]]
    """Applications whose directives to return. A text is one with the product tokens of ``agent``."""
    registry: NotRequired[str | Registry]
    """What is registered: applications with their directives, the purposes that exist, and the robots tag rules that count. An object, or the text of a TOML, JSON or CSV file."""
    acap: NotRequired[Acap]
    """The client in terms of ACAP."""
    references: NotRequired[dict[str, str | FailedFetch]]
    """Contents of ACAP permissions references, by locator as the file writes it: a body, or its ``status`` or ``error``."""
    headers: NotRequired[list[list[str]]]
    """Field lines of the page's response, in order."""
    html: NotRequired[str]
    """The page's source."""
    rendered_html: NotRequired[str]
    """The page's final DOM, serialised."""
    now: NotRequired[str]
    """The time of the decision, RFC 3339 [default: now]."""
    first_indexed: NotRequired[str]
    """When the page was first indexed, for limits in days, RFC 3339."""
    first_copied: NotRequired[str]
    """When the page was first copied, for limits in days, RFC 3339."""
    version: NotRequired[Version]
    """The version of the page that the question is about."""
    nonstandard_token: NotRequired[bool]
    """Whether to accept product tokens outside of RFC 9309, such as ``MJ12bot``."""
    readings: NotRequired[list[Reading]]
    """Readings of ambiguous points in place of abide's own, each as the ID of the point and the name of the reading."""
    preferences: NotRequired[Preferences]
    """Asks for AI preferences: the usages ``train``, ``ai-input`` and ``search``."""
    robots_status: NotRequired[int]
    """Final HTTP status of the robots.txt fetch, 200 to 599 [default: 200]. One from 300 to 399 is a redirect that nobody followed, and says nothing about the site; 304 means that the stored copy has to be given instead."""
    robots_location: NotRequired[str]
    """Where a redirecting ``robots_status`` leads: the field ``Location`` of the answer."""
    robots_error: NotRequired[FailureName]
    """Network failure instead of a status."""


class TableColumn(TypedDict):
    """A robot of a table."""

    name: str
    """The name of the robot, or ``*`` for every robot that the file does not name."""
    known: bool
    """Whether the table of known robots has it."""
    operator: NotRequired[str]
    """Who operates it, if it is known."""
    documented: NotRequired[list[str]]
    """What operators document about the robot and matters here, in sentences."""


class TableUrl(TypedDict):
    """A URL of a table."""

    url: str
    """The URL as it was asked about."""
    requested: NotRequired[str]
    """The URL or path that clients send and that was judged, if it is another one."""
    error: NotRequired[UrlError]
    """Why there is no answer about it."""


TagField: TypeAlias = Literal[
    "Robots-Tag",
    "X-Robots-Tag",
]

TakenName: TypeAlias = Literal[
    "in-file",
    "known",
    "product",
    "software",
    "nobody",
]


class Tally(TypedDict):
    """What the lines of a file did to many pages. Its size depends on the lines, not on the pages."""

    pages: int
    """Pages that were counted."""
    crawl: dict[str, int]
    """How many pages had each outcome of crawl."""
    lines: list[LineCounts]
    """The lines that matched any page, in file order."""
    without_hits: list[int]
    """The rules and fields that count for the client and matched no page, by their lines."""
    unmatched: int
    """Pages that no rule of a group and no ACAP field is about, so that the default applies."""
    unmatched_witness: NotRequired[str]
    """The first of them."""


class Test(TypedDict):
    """What came of a site's expectations of its robots.txt."""

    schema: int
    """Version of this form."""
    passed: int
    """The number of checks that passed."""
    failed: int
    """The number of checks that failed."""
    checks: list[Check]
    """One for each agent and URL of each case, in the order of the file."""


class TestRequest(TypedDict):
    """A file, and what its site expects of it."""

    robots: NotRequired[str]
    """The robots.txt as text."""
    robots_base64: NotRequired[str]
    """The file in base64, for any bytes."""
    cases: str
    """The text of a TOML file of cases."""
    literal: NotRequired[bool]
    """Whether to leave out what operators document about their robots."""
    preferences: NotRequired[SitePreferences]
    """Vocabularies that count for every case, whatever it says, and documents beside robots.txt."""


To: TypeAlias = Literal[
    "acap",
    "robots",
    "content-usage",
    "content-signal",
    "tdmrep",
    "robots-tag",
    "x-robots-tag",
    "meta",
]
"""A target format."""


class TypedValue(TypedDict):
    """A value that JSON has no kind for."""

    type: ValueType
    value: int | str


class UrlChange(TypedDict):
    """What changes for some clients."""

    names: list[NamedClient]
    """The clients."""
    what: str
    """What changes, in words."""


class UrlError(TypedDict):
    """Why a URL cannot be read."""

    code: str
    """A code of the contract, such as ``invalid-url``."""
    message: str
    """What is wrong, and what to do."""


Usage: TypeAlias = Literal[
    "crawl",
    "follow",
    "index",
    "preserve",
    "present",
    "present-original",
    "present-currentcopy",
    "present-oldcopy",
    "present-snippet",
    "present-thumbnail",
    "present-oldsnippet",
    "present-oldthumbnail",
    "present-link",
    "other",
    "train",
    "ai-input",
    "search",
]


class UsageDecision(TypedDict):
    """The answer for one usage."""

    outcome: Outcome
    """The answer."""
    conditions: list[Condition]
    """What a conditional outcome demands."""
    evidence: list[Evidence]
    """The deciding entry first, then everything else that matched, in file order."""


UseLevel: TypeAlias = Literal[
    "immediate",
    "reference",
    "full",
]


class UserAgent(TypedDict):
    """The ``User-Agent`` line that the robot was named by."""

    line: str
    """The line as it was given."""
    taken: TakenName
    """``in-file``: the first name of the line that the file has a group for; ``known``: a known robot by its mark; ``product``: the first product that is no browser, library or crawling software; ``software``: the line names no other product than software; ``nobody``: it names no robot."""
    why: str
    """Why, in a sentence."""


ValueType: TypeAlias = Literal[
    "token",
    "date",
    "byte-sequence",
    "display-string",
]

Version: TypeAlias = Literal[
    "latest",
    "old",
]

Vocabulary: TypeAlias = Literal[
    "content-usage",
    "content-signal",
    "tdmrep",
    "rsl",
    "robots-tag",
    "control-token",
]


class VocabularyAnswer(TypedDict):
    """What one vocabulary says."""

    revision: NotRequired[str]
    """The document that defines the words of ``Content-Usage``."""
    words: dict[str, bool | str]
    """The words that the vocabulary settles, with their values as written in lower case; for licences and control tokens an outcome, for a robots tag ``true``."""
    usages: dict[str, Outcome]
    """Its own outcomes for the usages that are about AI."""
    documents: NotRequired[list[LicenceDocument]]
    """For RSL: the licence documents that bind the client."""


class VocabularyChange(TypedDict):
    """URLs for which one vocabulary says something else about a usage, while the outcome stays: another vocabulary is stricter. A robot that reads this vocabulary alone sees the change."""

    vocabulary: Vocabulary
    """The vocabulary."""
    usage: Usage
    """The usage."""
    witness: str
    """A shortest path with query for which it does, in form C1."""
    old: Outcome
    """What it says in the old file."""
    new: Outcome
    """What it says in the new file."""


class WrittenFile(TypedDict):
    """A robots.txt that was proved to keep the wishes."""

    schema: int
    """Version of this form."""
    robots: str
    """The file."""
    summary: str
    """What was proved, in a sentence."""
    notes: list[str]
    """What the file does besides, and what no robots.txt can do, in sentences."""
