"""A drop-in for :mod:`urllib.robotparser`: ``from abide_robots.compat.robotparser import
RobotFileParser``.

The answers are those of RFC 9309; ``docs/drop-ins.md`` lists what differs from the original.
"""

from __future__ import annotations

import time
import urllib.error
import urllib.parse
import urllib.request
from typing import TYPE_CHECKING, NamedTuple

from abide_robots import InvalidUrlError, Policy
from abide_robots.compat import _extensions
from abide_robots.compat._by_robot import LIMIT, PoliciesByRobot

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["RequestRate", "RobotFileParser"]


class RequestRate(NamedTuple):
    """So many requests in so many seconds."""

    requests: int
    seconds: int


class RobotFileParser:
    """A robots.txt at a URL.

    >>> from abide_robots.compat.robotparser import RobotFileParser
    >>> robots = RobotFileParser()
    >>> robots.parse(["User-agent: *", "Disallow: /x"])
    >>> robots.can_fetch("ExampleBot", "https://example.com/x")
    False
    """

    url: str | urllib.request.Request
    """The URL of the file, or a request for it."""
    host: str
    """The authority of the URL."""
    path: str
    """The path of the URL."""
    disallow_all: bool
    """Whether nothing may be fetched, because the file cannot be had."""
    allow_all: bool
    """Whether everything may be fetched, because there is no file."""
    last_checked: float
    """When the file was read, in seconds since 1970; 0 before."""

    def __init__(self, url: str | urllib.request.Request = "") -> None:
        self.disallow_all = False
        self.allow_all = False
        self.last_checked = 0
        self._body = b""
        self._robots = PoliciesByRobot(b"")
        self.set_url(url)

    def set_url(self, url: str | urllib.request.Request) -> None:
        """Sets the URL of the file. A request may have fields of its own, as in CPython 3.15."""
        self.url = url
        text = url.full_url if isinstance(url, urllib.request.Request) else url
        self.host, self.path = urllib.parse.urlsplit(text)[1:3]

    def read(self) -> None:
        """Fetches the file with :mod:`urllib.request`, and reads it.

        A client error means that there is no file, so everything is allowed; any other error status
        that nothing is (RFC 9309, 2.3.1.3 and 2.3.1.4). If no answer comes, the exception of urllib
        is passed on, and nothing is allowed. :class:`abide_robots.BlockingRobotsCache` does more:
        it refuses private addresses, and keeps files as long as they are valid.
        """
        try:
            with urllib.request.urlopen(self.url) as response:
                body = response.read(LIMIT + 1)
        except urllib.error.HTTPError as error:
            with error:
                access = Policy(None, "*", robots_status=max(error.code, 200)).access
            self.allow_all = access == "unavailable"
            self.disallow_all = not self.allow_all
        else:
            self._take(body)

    def parse(self, lines: Iterable[str]) -> None:
        """Reads the lines of a file."""
        text = "\n".join(line.rstrip("\r\n") for line in lines)
        self._take(text.encode("utf-8", "surrogatepass"))

    def _take(self, body: bytes) -> None:
        self._body = body
        self._robots = PoliciesByRobot(body)
        self.modified()

    def mtime(self) -> float:
        """Returns when the file was read, in seconds since 1970; 0 before."""
        return self.last_checked

    def modified(self) -> None:
        """Says that the file was read now."""
        self.last_checked = time.time()

    def policy(self, useragent: str) -> Policy:
        """Returns the rules for a robot, for more than urllib offers: ``decide``, ``allows_many``."""
        return self._robots.policy(useragent)

    def can_fetch(self, useragent: str, url: str) -> bool:
        """Returns whether the robot may fetch this URL, or path. The robot comes first.

        Before the file was read, and for text that is neither, nothing is allowed.
        """
        if self.disallow_all:
            return False
        if self.allow_all:
            return True
        if not self.last_checked:
            return False
        try:
            return self.policy(useragent).allows(url)
        except InvalidUrlError:
            return False

    def crawl_delay(self, useragent: str) -> float | None:
        """Returns the delay between requests, in seconds."""
        return self.policy(useragent).crawl_delay if self.mtime() else None

    def request_rate(self, useragent: str) -> RequestRate | None:
        """Returns the value of ``Request-rate``, which RFC 9309 does not have."""
        if not self.mtime():
            return None
        return _extensions.last_value(self.policy(useragent), {"request-rate"}, _rate)

    def site_maps(self) -> list[str] | None:
        """Returns the values of all ``Sitemap`` lines; ``None`` if there are none."""
        return self.policy("*").sitemaps or None

    def __str__(self) -> str:
        return self._body.decode("utf-8", "replace")


def _rate(text: str) -> RequestRate:
    return RequestRate(*_extensions.rate(text))
