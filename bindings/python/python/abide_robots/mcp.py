"""The fetch server of the Model Context Protocol with RFC 9309: ``python -m abide_robots.mcp`` takes the options of
``python -m mcp_server_fetch``, and asks abide what the assistant may fetch by itself, redirects included.

A site whose robots.txt cannot be had is closed, one that has none is open, and every file is fetched once. The answer
to the assistant names the line that refuses. ``docs/clients.md`` has the details.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx
import mcp_server_fetch  # type: ignore[import-untyped]
from mcp_server_fetch import server

from abide_robots import RobotsCache
from abide_robots.httpx import fetch_with

if TYPE_CHECKING:
    from typing import TypeAlias

    Setting: TypeAlias = tuple[str, str | None, bool]

__all__ = ["check", "main"]

_CHECK = "check_may_autonomously_fetch_url"
# One for each name, proxy and guard: a server has one of each.
_caches: dict[Setting, RobotsCache] = {}


async def check(url: str, user_agent: str, proxy_url: str | None = None, allow_private_ips: bool = False) -> None:
    """Raises the server's ``ToolError`` if the assistant may not fetch this URL by itself. It takes the place of
    ``mcp_server_fetch.server.check_may_autonomously_fetch_url``.
    """
    setting = (user_agent, proxy_url, allow_private_ips)
    robots = _caches.get(setting)
    if robots is None:
        fetch = None if proxy_url is None else fetch_with(httpx.AsyncHTTPTransport(proxy=proxy_url))
        robots = RobotsCache(user_agent, allow_private=allow_private_ips, fetch=fetch)
        _caches[setting] = robots
    decision = await robots.decide(url)
    if not decision.allowed:
        message = (
            f"The assistant may not fetch {url} by itself: {decision.reason}. Tell the user that the page was not "
            "viewed. They can fetch it themselves with the prompt 'fetch'."
        )
        raise server.ToolError(message)


def main() -> None:
    """Runs the server."""
    if not hasattr(server, _CHECK):
        message = f"this version of mcp-server-fetch has no {_CHECK}; its check cannot be replaced"
        raise RuntimeError(message)
    setattr(server, _CHECK, check)
    mcp_server_fetch.main()


if __name__ == "__main__":
    main()
