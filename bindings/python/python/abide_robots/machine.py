"""What RFC 9309 says about fetching a robots.txt, without any I/O: for programs that fetch with a
client of their own.

>>> from abide_robots.machine import Site
>>> site = Site("https://example.com/page", "ExampleBot")
>>> site.request(now=0)  # redirects are answers, not to be followed by the client
Request(url='https://example.com/robots.txt', headers={})
>>> site.answered(301, {"Location": "https://www.example.com/robots.txt"}, b"", now=1)
>>> site.request(now=1).url
'https://www.example.com/robots.txt'
>>> site.answered(200, {}, b"User-agent: *\\nDisallow: /x", now=2)
>>> site.request(now=3) is None  # what is known holds
True
>>> site.policy(now=3).allows("https://example.com/x")
False
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from abide_robots import _native

if TYPE_CHECKING:
    from collections.abc import Iterable

    from abide_robots._types import Acap, Agent, Body, Failure, Headers, Preferences, Profile, Url

__all__ = ["Request", "Site"]


class Request(NamedTuple):
    """A request to send. The client must not follow redirects."""

    url: str
    """The URL."""
    headers: dict[str, str]
    """Fields to send beside the client's own: validators of the file that is known."""


class Site:
    """What is known of the robots.txt of one site. It opens no connection and has no clock: ``now`` is
    the time in seconds, such as ``time.time()``.

    Ask :meth:`request` what to send, send it, and report with :meth:`answered` or :meth:`failed` what
    came of it, until it returns ``None``. :meth:`policy` returns the rules at any time. A site may be
    shared by threads, but only one of them should send a request.

    - ``url``: any URL of the site.
    - ``agent``, ``purposes``, ``acap``, ``preferences``, ``profile``: as for
      :class:`abide_robots.Policy`.
    - ``max_lifetime``, ``min_lifetime``, ``grace``: as for :class:`abide_robots.RobotsCache`.
    """

    __slots__ = ("_native",)

    def __init__(
        self,
        url: Url,
        agent: Agent,
        *,
        max_lifetime: float | None = None,
        min_lifetime: float | None = None,
        grace: float | None = None,
        purposes: Iterable[str] | None = None,
        acap: Acap | None = None,
        preferences: Preferences | None = None,
        profile: Profile | None = None,
    ) -> None:
        self._native = _native.NativeSite(
            url,
            agent,
            max_lifetime=max_lifetime,
            min_lifetime=min_lifetime,
            grace=grace,
            purposes=purposes,
            acap=acap,
            preferences=preferences,
            profile=profile,
        )

    @property
    def robots_url(self) -> str:
        """Where the robots.txt of the site is."""
        return self._native.robots_url

    def request(self, now: float) -> Request | None:
        """Returns the request to send now: the first one, or where a redirect leads. ``None`` while
        what is known holds: a file is fresh, or a site that failed should not be asked again yet.
        """
        asked = self._native.request(int(now))
        return None if asked is None else Request(asked[0], dict(asked[1]))

    def answered(self, status: int, headers: Headers, body: Body, now: float) -> None:
        """Reports the response to the request: its status, its fields, and its body without a content
        coding. Of a longer body, the first 512,001 bytes are enough.

        Raises :class:`RuntimeError` if no request is open, and
        :class:`abide_robots.InvalidOptionError` for a status that is not final.
        """
        self._native.answered(status, headers, body, int(now))

    def failed(self, failure: Failure, now: float) -> None:
        """Reports that there was no response: ``dns``, ``connect``, ``tls``, ``timeout``,
        ``truncated``, or ``network`` for everything else.

        Raises :class:`RuntimeError` if no request is open.
        """
        self._native.failed(failure, int(now))

    def policy(self, now: float) -> _native.Policy:
        """Returns the rules that hold. Nothing is allowed before the first answer, and while the site
        is unreachable.
        """
        return self._native.policy(int(now))

    def __repr__(self) -> str:
        return f"<Site: {self.robots_url}>"
