"""Types of arguments and results, for type checkers. Not imported when a program runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

Body: TypeAlias = str | bytes | bytearray
"""A robots.txt."""
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
Instant: TypeAlias = datetime | str
"""An instant: an aware ``datetime``, or text such as ``2026-05-01T12:00:00Z``."""
Outcome: TypeAlias = Literal[
    "permitted", "conditional", "prohibited", "unspecified", "unknown"
]
"""What may be done with a page, for one usage."""
OnError: TypeAlias = Literal["null", "raise"]
"""What a URL that cannot be read gives: no answer, or an exception."""


class Condition(TypedDict):
    """What a conditional outcome demands."""

    kind: str
    value: str


class Evidence(TypedDict):
    """Something that decided, agreed or lost. ``docs/json.md`` lists all fields."""

    source: str
    role: Literal["decided", "agreed", "overridden", "void"]
    reason: str
    line: NotRequired[int]
    span: NotRequired[list[int]]
    statement: NotRequired[str]
    bytes: NotRequired[int]
    selected_by: NotRequired[dict[str, Any]]
    vocabulary: NotRequired[str]
    locator: NotRequired[str]
    sha256: NotRequired[str]
    field: NotRequired[str]
    member: NotRequired[int]
    offset: NotRequired[int]
    rule: NotRequired[str]
    cause: NotRequired[str]
    notes: NotRequired[list[str]]


class UsageDecision(TypedDict):
    """The answer for one usage."""

    outcome: Outcome
    conditions: list[Condition]
    evidence: list[Evidence]


class Diagnostic(TypedDict):
    """Something that is wrong or odd in a file."""

    code: str
    severity: Literal["info", "warning", "error"]
    line: int | None
    message: str
