"""Types of arguments and results, for type checkers. Not imported when a program runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Literal, TypeAlias

from abide_robots._contract import (
    ActionRequest,
    ApplicationAnswer,
    Cause,
    ChangedUrls,
    ClientDifferences,
    Code,
    Condition,
    ConversionFinding,
    Diagnostic,
    DocumentedRobot,
    Evidence,
    Fix,
    KnownRobot,
    Outcome,
    RelatedPlace,
    Retrieval,
    Severity,
    Usage,
    UsageDecision,
    VocabularyAnswer,
)

__all__ = [
    "ActionRequest",
    "Agent",
    "ApplicationAnswer",
    "Body",
    "Cause",
    "ChangedUrls",
    "ClientDifferences",
    "Code",
    "Condition",
    "ConversionFinding",
    "Diagnostic",
    "DocumentedRobot",
    "Evidence",
    "Fix",
    "Headers",
    "Instant",
    "KnownRobot",
    "OnError",
    "Outcome",
    "RelatedPlace",
    "Retrieval",
    "Severity",
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
Instant: TypeAlias = datetime | str
"""An instant: an aware ``datetime``, or text such as ``2026-05-01T12:00:00Z``."""
OnError: TypeAlias = Literal["null", "raise"]
"""What a URL that cannot be read gives: no answer, or an exception."""
