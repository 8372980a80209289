"""A drop-in for Protego: ``from abide_robots.compat.protego import Protego``.

The answers are those of RFC 9309; ``docs/drop-ins.md`` lists what differs from Protego.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from abide_robots import InvalidUrlError
from abide_robots.compat import _extensions
from abide_robots.compat._by_robot import PoliciesByRobot

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import time
    from typing import Self

    from abide_robots import Policy

__all__ = ["Protego", "RequestRate", "VisitTime"]


class RequestRate(NamedTuple):
    """So many requests in so many seconds, perhaps only at a time of day."""

    requests: int
    seconds: int
    start_time: time | None
    end_time: time | None


class VisitTime(NamedTuple):
    """The time of day, in UTC, at which a site wants to be visited."""

    start_time: time
    end_time: time


class Protego:
    """A robots.txt for all robots.

    >>> from abide_robots.compat.protego import Protego
    >>> robots = Protego.parse("User-agent: *\\nDisallow: /x\\nCrawl-delay: 2")
    >>> robots.can_fetch("https://example.com/x", "ExampleBot")
    False
    >>> robots.crawl_delay("ExampleBot")
    2.0
    """

    __slots__ = ("_robots",)

    def __init__(self) -> None:
        self._robots = PoliciesByRobot(b"")

    @classmethod
    def parse(cls, content: str) -> Self:
        """Reads a robots.txt."""
        if not isinstance(content, str):
            raise TypeError(f"Protego.parse expects str, got {type(content).__name__}")
        robots = cls()
        robots._robots = PoliciesByRobot(content.encode("utf-8", "surrogatepass"))
        return robots

    def policy(self, user_agent: str) -> Policy:
        """Returns the rules for a robot, for more than Protego offers: ``decide``, ``allows_many``."""
        return self._robots.policy(user_agent)

    def can_fetch(self, url: str, user_agent: str) -> bool:
        """Returns whether the robot may fetch this URL, or path. The URL comes first.

        Text that is neither is not allowed.
        """
        try:
            return self.policy(user_agent).allows(url)
        except InvalidUrlError:
            return False

    def crawl_delay(self, user_agent: str) -> float | None:
        """Returns the delay between requests, in seconds."""
        return self.policy(user_agent).crawl_delay

    def request_rate(self, user_agent: str) -> RequestRate | None:
        """Returns the value of ``Request-rate``, which RFC 9309 does not have."""
        return _extensions.last_value(self.policy(user_agent), {"request-rate", "request rate"}, _rate)

    def visit_time(self, user_agent: str) -> VisitTime | None:
        """Returns the value of ``Visit-time``, which RFC 9309 does not have."""
        return _extensions.last_value(self.policy(user_agent), {"visit-time", "visit time"}, _visit)

    @property
    def sitemaps(self) -> Iterator[str]:
        """The values of all ``Sitemap`` lines."""
        return iter(self.policy("*").sitemaps)

    @property
    def preferred_host(self) -> str | None:
        """The value of ``Host``, which RFC 9309 does not have."""
        return _extensions.site_value(self.policy("*"), "host")


def _rate(text: str) -> RequestRate:
    rate, _, rest = text.partition(" ")
    start, end = _extensions.period(rest) if rest.strip() else (None, None)
    return RequestRate(*_extensions.rate(rate), start, end)


def _visit(text: str) -> VisitTime:
    return VisitTime(*_extensions.period(text))
