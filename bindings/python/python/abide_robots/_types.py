"""Types of arguments and results, for type checkers. Not imported when a program runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Literal, TypeAlias

from abide_robots._contract import (
    Condition,
    Diagnostic,
    Evidence,
    Outcome,
    UsageDecision,
)

__all__ = [
    "Agent",
    "Body",
    "Condition",
    "Diagnostic",
    "Evidence",
    "Headers",
    "Instant",
    "OnError",
    "Outcome",
    "Url",
    "UsageDecision",
]

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
OnError: TypeAlias = Literal["null", "raise"]
"""What a URL that cannot be read gives: no answer, or an exception."""
