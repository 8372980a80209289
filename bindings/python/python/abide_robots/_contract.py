"""Types of answers, made from the schemas of the contract by
``crates/abide-contract/tests/generated``; do not edit. Not imported when a program runs."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

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

AnyGroupJson: TypeAlias = "bool | str"
"""How a robot reads groups for ``*``: a boolean if they apply or do not apply to it."""


class ApplicationAnswer(TypedDict):
    """What a file asks an application to do."""

    directives: dict[str, DirectiveValue]
    """The directives that apply, with their values. A Token, Date, Byte Sequence or Display String is an object that names its type."""
    evidence: list[DirectiveEvidence]
    """The lines that name the application: first those that apply."""
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


Basis: TypeAlias = Literal[
    "operator",
    "secondary",
]

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
    value: str


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


class Decision(TypedDict):
    """What may be done with a URL, and why."""

    schema: int
    """Version of this contract."""
    id: Any
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

DirectiveValue: TypeAlias = "bool | int | float | str | TypedValue"
"""A directive's value: a JSON value of the same kind if there is one, otherwise an object that names the type."""

DocumentState: TypeAlias = Literal[
    "read",
    "unreadable",
    "not-known",
]


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


class ErrorAnswer(TypedDict):
    """The answer to a request that cannot be read."""

    id: Any
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
    """The name of the robots tag rule; for an older word of ``Content-Usage`` that word with its value."""
    role: Role
    """The part that it played."""
    reason: Reason
    """Why it played that part."""
    cause: NotRequired[str]
    """Why the file is unavailable or unreachable, in words."""
    notes: NotRequired[list[Note]]
    """What else is to be known."""


Kind: TypeAlias = Literal[
    "robot",
    "user-triggered",
    "control-token",
]


class KnownRobot(TypedDict):
    """A known robot. Facts that nobody documents are left out."""

    schema: int
    token: str
    operator: str
    kind: Kind
    purposes: list[Purpose]
    falls_back_to: NotRequired[list[str]]
    follows_any_group: NotRequired[AnyGroupJson]
    honours_crawl_delay: NotRequired[bool]
    follows_robots_txt: NotRequired[bool]
    user_agent: NotRequired[str]
    ip_ranges: NotRequired[str]
    reverse_dns: NotRequired[list[str]]
    documentation: NotRequired[str]
    replaced_by: NotRequired[list[str]]
    basis: Basis
    checked: str
    note: str


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

Note: TypeAlias = Literal[
    "search-governs",
    "by-star",
    "needs-fetch",
    "not-seen",
    "pending",
    "redirect-not-followed",
    "not-modified",
]

Outcome: TypeAlias = Literal[
    "unspecified",
    "permitted",
    "conditional",
    "unknown",
    "prohibited",
]

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
]


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
        "line-too-long",
    ]
    input_line: NotRequired[int]
    """Number of the line of input, from 1."""
    message: str


class Retrieval(TypedDict):
    """How a robots.txt was fetched, and how long it is valid."""

    state: Literal[
        "fresh",
        "refresh-failed",
        "unreachable",
        "grace-is-over",
        "due",
        "never-asked",
    ]
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


Role: TypeAlias = Literal[
    "decided",
    "agreed",
    "overridden",
    "void",
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

Severity: TypeAlias = Literal[
    "info",
    "warning",
    "error",
]

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
]

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


class TypedValue(TypedDict):
    """A value that JSON has no kind for."""

    type: ValueType
    value: int | str


class UsageDecision(TypedDict):
    """The answer for one usage."""

    outcome: Outcome
    """The answer."""
    conditions: list[Condition]
    """What a conditional outcome demands."""
    evidence: list[Evidence]
    """The deciding entry first, then everything else that matched, in file order."""


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
