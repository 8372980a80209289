"""aiohttp with RFC 9309: a request that robots.txt does not allow is not sent.

::

    robots = RobotsCache("ExampleBot/1.0 (+https://bot.example/)")
    async with aiohttp.ClientSession(middlewares=[RobotsMiddleware(robots)]) as session:
        await session.get("https://example.com/page")

:func:`fetch_with` is there for caches that have to fetch robots.txt as the program fetches pages, such as through
its proxy; without it, abide's own client does. ``docs/clients.md`` has the details.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import aiohttp

from abide_robots._hops import MAX_READ
from abide_robots.errors import DisallowedError

if TYPE_CHECKING:
    from abide_robots import RobotsCache
    from abide_robots._types import Fetch

__all__ = ["RobotsDisallowed", "RobotsMiddleware", "fetch_with"]


class RobotsDisallowed(DisallowedError, aiohttp.ClientError):
    """A request that was not sent. Also an error of aiohttp."""


class RobotsMiddleware:
    """Asks robots.txt before each request, also before those of redirects.

    Raises :class:`RobotsDisallowed`, before a connection is made.
    """

    def __init__(self, robots: RobotsCache) -> None:
        self._robots = robots

    async def __call__(
        self, request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
    ) -> aiohttp.ClientResponse:
        """Sends a request, if it is allowed."""
        decision = await self._robots.decide(str(request.url))
        if not decision.allowed:
            raise RobotsDisallowed(decision)
        return await handler(request)


def fetch_with(session: aiohttp.ClientSession, **options: Any) -> Fetch:
    """Returns what a :class:`abide_robots.RobotsCache` takes as ``fetch``, to send its requests through this
    session, without its middlewares. ``options`` are those of ``session.get``, such as ``proxy``.
    """

    async def fetch(url: str, headers: dict[str, str]) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        sent = {**options, "headers": headers, "allow_redirects": False, "middlewares": ()}
        async with session.get(url, **sent) as response:
            body = bytearray()
            while len(body) < MAX_READ and not response.content.at_eof():
                body += await response.content.read(MAX_READ - len(body))
            return response.status, list(response.raw_headers), bytes(body)

    return fetch
