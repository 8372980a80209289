"""Fields that RFC 9309 does not have and that other parsers report: ``Request-rate``,
``Visit-time`` and ``Host``. No decision depends on them.
"""

from __future__ import annotations

from datetime import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from abide_robots._native import Policy

    T = TypeVar("T")

_UNITS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}


def last_value(policy: Policy, names: set[str], read: Callable[[str], T]) -> T | None:
    """Returns the last readable value of a field in the groups of the robot."""
    found: T | None = None
    for _, key, value, counts in policy._other_fields():
        if counts and key in names:
            try:
                found = read(value)
            except ValueError:
                continue
    return found


def site_value(policy: Policy, name: str) -> str | None:
    """Returns the last value of a field anywhere in the file."""
    values = [value for _, key, value, _ in policy._other_fields() if key == name and value]
    return values[-1] if values else None


def rate(text: str) -> tuple[int, int]:
    """Reads ``1/10m``: a number of requests, and how many seconds they take.

    Raises :class:`ValueError` for anything else.
    """
    requests, _, seconds = text.partition("/")
    unit = _UNITS.get(seconds[-1:].lower())
    period = int(seconds[:-1]) * unit if unit else int(seconds)
    if int(requests) <= 0 or period <= 0:
        raise ValueError(text)
    return int(requests), period


def period(text: str) -> tuple[time, time]:
    """Reads ``0600-0845`` or ``0600 0845``: two times of day.

    Raises :class:`ValueError` for anything else.
    """
    parts = text.split("-") if "-" in text else text.split()
    if len(parts) != 2:
        raise ValueError(text)
    return _time(parts[0]), _time(parts[1])


def _time(text: str) -> time:
    digits = text.strip()
    if len(digits) != 4 or not digits.isdigit():
        raise ValueError(text)
    return time(int(digits[:2]), int(digits[2:]))
