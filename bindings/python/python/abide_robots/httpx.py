"""httpx with RFC 9309: a request that robots.txt does not allow is not sent.

::

    network = httpx.AsyncHTTPTransport(proxy="http://proxy.example:3128")
    robots = RobotsCache("ExampleBot/1.0 (+https://bot.example/)", fetch=fetch_with(network))
    async with httpx.AsyncClient(transport=RobotsTransport(robots, network)) as client:
        await client.get("https://example.com/page", follow_redirects=True)

:func:`fetch_with` is there for caches that have to fetch robots.txt as the client fetches pages, such as through
its proxy; without it, abide's own client does. Works with asyncio and trio. ``docs/clients.md`` has the details.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx

from abide_robots._hops import MAX_READ
from abide_robots.errors import DisallowedError

if TYPE_CHECKING:
    from abide_robots import Decision, RobotsCache
    from abide_robots._types import Fetch

__all__ = ["RobotsDisallowed", "RobotsTransport", "fetch_with"]


class RobotsDisallowed(DisallowedError, httpx.RequestError):
    """A request that was not sent. Also an error of httpx."""

    def __init__(self, decision: Decision, request: httpx.Request) -> None:
        DisallowedError.__init__(self, decision)
        self.request = request


class RobotsTransport(httpx.AsyncBaseTransport):
    """Asks robots.txt before each request, also before those of redirects, and sends the allowed ones through
    another transport. ``response.extensions["abide"]`` has the decision.

    - ``robots``: who is asked.
    - ``transport``: what sends requests [default: httpx's own, without a proxy].

    Raises :class:`RobotsDisallowed`, before a connection is made.
    """

    def __init__(
        self, robots: RobotsCache, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self._robots = robots
        self._transport = httpx.AsyncHTTPTransport() if transport is None else transport

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Sends a request, if it is allowed."""
        decision = await self._robots.decide(str(request.url))
        if not decision.allowed:
            raise RobotsDisallowed(decision, request)
        response = await self._transport.handle_async_request(request)
        response.extensions["abide"] = decision
        return response

    async def aclose(self) -> None:
        """Closes the other transport."""
        await self._transport.aclose()


def fetch_with(transport: httpx.AsyncBaseTransport) -> Fetch:
    """Returns what a :class:`abide_robots.RobotsCache` takes as ``fetch``, to send its requests through this
    transport. It must not be a :class:`RobotsTransport`, which would wait for itself.
    """
    if isinstance(transport, RobotsTransport):
        raise TypeError("argument 'transport': expected what sends requests, but found RobotsTransport")

    async def fetch(url: str, headers: dict[str, str]) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
        request = httpx.Request("GET", url, headers={"Accept-Encoding": "gzip", **headers})
        response = await transport.handle_async_request(request)
        response.request = request
        try:
            body = bytearray()
            async for piece in response.aiter_bytes():
                body += piece[: MAX_READ - len(body)]
                if len(body) == MAX_READ:
                    break
        finally:
            await response.aclose()
        return response.status_code, response.headers.raw, bytes(body)

    return fetch
