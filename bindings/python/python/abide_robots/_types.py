"""Types of arguments and results, for type checkers. Not imported when a program runs."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, Protocol, TypeAlias, TypedDict

from abide_robots._contract import (
    Acap,
    ActionRequest,
    Application,
    ApplicationAnswer,
    Category,
    Cause,
    ChangedUrls,
    ClientDifferences,
    Code,
    Condition,
    ConversionFinding,
    Diagnostic,
    DocumentedRobot,
    Evidence,
    FailedFetch,
    Fix,
    KnownRobot,
    MatrixRobot,
    Outcome,
    Preferences,
    Profile,
    Registry,
    RelatedPlace,
    Retrieval,
    Severity,
    Usage,
    UsageDecision,
    VocabularyAnswer,
)

__all__ = [
    "Acap",
    "ActionRequest",
    "Agent",
    "AnswerColumn",
    "Application",
    "ApplicationAnswer",
    "ArrowArray",
    "ArrowStream",
    "Body",
    "Cause",
    "ChangedUrls",
    "ClientDifferences",
    "ClientOptions",
    "Code",
    "Column",
    "Condition",
    "ConversionFinding",
    "Diagnostic",
    "DocumentedRobot",
    "Evidence",
    "FailedFetch",
    "Failure",
    "Fetch",
    "Fix",
    "Headers",
    "Instant",
    "KnownRobot",
    "Listed",
    "MatrixRow",
    "Numbers",
    "OnError",
    "Outcome",
    "Pace",
    "Preferences",
    "Profile",
    "Registry",
    "RelatedPlace",
    "Retrieval",
    "RowOptions",
    "Severity",
    "Texts",
    "Url",
    "Usage",
    "UsageDecision",
    "VocabularyAnswer",
]

Body: TypeAlias = str | bytes | bytearray | memoryview
"""A robots.txt, or a page."""
Url: TypeAlias = str | bytes
"""A URL, or a path that begins with ``/``."""
Agent: TypeAlias = str | Iterable[str]
"""A product token, ``*``, a whole ``User-Agent`` line, or names in order of preference."""
Headers: TypeAlias = (
    Mapping[str, str | bytes | Iterable[str | bytes]]
    | Mapping[bytes, str | bytes | Iterable[str | bytes]]
    | Iterable[tuple[str | bytes, str | bytes]]
)
"""Header fields: a mapping, whose values may be lists, or pairs."""
Failure: TypeAlias = Literal["dns", "connect", "tls", "timeout", "truncated", "network"]
"""Why there is no response to a request."""
Fetch: TypeAlias = Callable[[str, dict[str, str]], Coroutine[Any, Any, tuple[int, Headers, Body]]]
"""A coroutine function that sends one request, with a URL and header fields, and returns the status, the header
fields and the body of the response.
"""
class Pace(TypedDict, total=False):
    """How the visits of a robot are paced: each site, one visit at a time, and a delay after each."""

    min_delay: float
    """The shortest delay in seconds, for sites that ask for none, too [default: 1]."""
    max_delay: float
    """The longest delay in seconds [default: 300]."""
    max_rest: float
    """For how many seconds of rest of its site, such as ``Retry-After`` asks for, a visit waits at most. If a site
    rests for longer, its visits get no turn [default: a day]."""
    above_max: Literal["cap", "skip", "obey"]
    """What a longer ``Crawl-delay`` does: the longest delay applies, the site is not visited, or it is obeyed, up
    to a day [default: cap]."""
    key: Literal["origin", "host", "domain"]
    """What has one pace [default: a host, over all its ports]."""
    member: str
    """Which process this is of a fleet that shares the pace of each site on the server of ``store``: its number from 0
    and how many there are, such as ``0/3`` [default: the pace is not shared]."""


Instant: TypeAlias = datetime | str
"""An instant: an aware ``datetime``, or text such as ``2026-05-01T12:00:00Z``."""
OnError: TypeAlias = Literal["null", "raise"]
"""What a URL that cannot be read gives: no answer, or an exception."""


class MatrixRow(MatrixRobot):
    """A robot of a matrix."""

    kind: Category


AnswerColumn: TypeAlias = Literal[
    "allowed",
    "outcome",
    "line",
    "statement",
    "reason",
    "crawl_delay",
    "error",
]
"""A field of the decisions about rows."""


class ArrowArray(Protocol):
    """A column with Arrow's interface between libraries."""

    def __arrow_c_array__(self, requested_schema: object = None, /) -> tuple[object, object]: ...


class ArrowStream(Protocol):
    """A column in pieces, or a table, with Arrow's interface between libraries."""

    def __arrow_c_stream__(self, requested_schema: object = None, /) -> object: ...


Column: TypeAlias = ArrowArray | ArrowStream
"""A column of another library."""
Listed: TypeAlias = list[str] | list[bytes] | list[str | None] | list[bytes | None] | tuple[Url | None, ...]
"""Texts of rows, some of which may be missing."""
Texts: TypeAlias = Column | Listed | Url | None
"""The texts of rows: a column, a list, or one text for all."""
Numbers: TypeAlias = Column | Sequence[int | None] | int
"""The numbers of rows: a column, a list, or one number for all."""


class ClientOptions(TypedDict, total=False):
    """Options of a robot that decisions about rows know."""

    purposes: Iterable[str] | None
    acap: Acap | None
    profile: Profile | None
    nonstandard_token: bool | None
    known_robots: bool | None


class RowOptions(ClientOptions, total=False):
    """Options of decisions about rows."""

    robots_status: Numbers | None
