"""Caches that fetch robots.txt files."""

from __future__ import annotations

import atexit
import sys

from abide_robots import _native
from abide_robots.errors import InvalidOptionError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable
    from typing import Any, Self

    from abide_robots._hops import Hops
    from abide_robots._native import Decision, Policy, Visit
    from abide_robots._types import (
        Acap,
        Agent,
        Application,
        Body,
        Fetch,
        Headers,
        Instant,
        Pace,
        Preferences,
        Profile,
        Registry,
        Url,
    )

__all__ = ["BlockingRobotsCache", "RobotsCache"]

_MEMORY = 256 * 1024 * 1024


class _Cache:
    """What both caches share."""

    __slots__ = ("__weakref__", "_arguments", "_hops", "_native")

    def __init__(
        self,
        user_agent: str,
        *,
        agent: Agent | None = None,
        store: str | os.PathLike[str] | None = None,
        allow_private: bool = False,
        memory: int = _MEMORY,
        timeout: float = 30.0,
        max_lifetime: float | None = None,
        min_lifetime: float | None = None,
        grace: float | None = None,
        observer: Callable[[dict[str, str | None]], object] | None = None,
        pace: Pace | None = None,
        fetch: Fetch | None = None,
        purposes: Iterable[str] | None = None,
        applications: Iterable[str | Application] | None = None,
        registry: Registry | str | None = None,
        acap: Acap | None = None,
        preferences: Preferences | None = None,
        profile: Profile | None = None,
        nonstandard_token: bool | None = None,
    ) -> None:
        place = None
        if store is not None:
            if not isinstance(store, str) and not hasattr(store, "__fspath__"):
                found = type(store).__name__
                message = f"argument 'store': expected a str or a path, but found {found}"
                raise TypeError(message)
            place = store if isinstance(store, str) else store.__fspath__()
        agent, purposes, applications = _kept(agent), _kept(purposes), _kept(applications)
        self._arguments: tuple[str, dict[str, Any], Agent | None] = (
            user_agent,
            {
                "agent": agent,
                "store": place,
                "allow_private": allow_private,
                "memory": memory,
                "timeout": timeout,
                "max_lifetime": max_lifetime,
                "min_lifetime": min_lifetime,
                "grace": grace,
                "observer": observer,
                "pace": pace,
                "fetch": fetch,
                "purposes": purposes,
                "applications": applications,
                "registry": registry,
                "acap": acap,
                "preferences": preferences,
                "profile": profile,
                "nonstandard_token": nonstandard_token,
            },
            None,
        )
        if fetch is not None and not isinstance(self, RobotsCache):
            raise InvalidOptionError("fetch: only RobotsCache has an event loop to fetch in", "fetch")
        self._hops: Hops | None = None
        if fetch is not None:
            # It needs asyncio, which takes longer to import than everything else.
            from abide_robots._hops import Hops

            self._hops = Hops(fetch)
        options = {name: value for name, value in self._arguments[1].items() if name != "fetch"}
        send = None if self._hops is None else self._hops.send
        self._native = _native.NativeCache(user_agent, send=send, **options)
        atexit.unregister(_native.end_network)
        atexit.register(_native.end_network)

    def for_agent(self, agent: Agent) -> Self:
        """Returns a cache that answers for another robot, with the same options. It shares the files
        and sends the same ``User-Agent``: no robots.txt is fetched twice. Create one for each robot
        and keep it.
        """
        agent = _kept(agent)
        cache = type(self).__new__(type(self))
        cache._arguments, cache._hops = (*self._arguments[:2], agent), self._hops
        cache._native = self._native.for_agent(agent)
        return cache

    @property
    def agents(self) -> list[str]:
        """The product tokens that the cache answers for, in order of preference."""
        return self._native.agents()

    @property
    def sites(self) -> int:
        """How many sites are in memory, about."""
        return self._native.sites()

    def __reduce__(self) -> tuple[object, ...]:
        # Another process has its own connections and threads.
        return _restore, (type(self), *self._arguments)

    def __repr__(self) -> str:
        store = self._arguments[1]["store"]
        place = "in memory" if store is None else "with a store"
        names = ", ".join(self.agents)
        return f"<{type(self).__name__} for {names}: {self.sites} sites {place}>"


def _kept(values: Any) -> Any:
    """The values of an iterator, which are needed again in another process."""
    return list(values) if hasattr(values, "__next__") else values


def _restore(
    kind: type[Any], user_agent: str, options: dict[str, Any], agent: Agent | None
) -> Any:
    cache = kind(user_agent, **options)
    return cache if agent is None else cache.for_agent(agent)


def _running_trio() -> Any:
    """The module ``trio``, if its loop calls."""
    trio = sys.modules.get("trio")
    return trio if trio is not None and trio.lowlevel.in_trio_run() else None


async def _beside(trio: Any, ask: Callable[..., Any], url: Url, **page: Any) -> Any:
    """Asks in a thread that waits, while trio goes on. Cancelled, it is left alone."""
    return await trio.to_thread.run_sync(lambda: ask(url, **page), abandon_on_cancel=True)


class RobotsCache(_Cache):
    """The robots.txt files of many sites, for asyncio and trio. Each file is fetched once, kept as long as
    RFC 9309 and the response say, and renewed before it expires.

    A site whose robots.txt cannot be had (a server error, a timeout, a name that does not resolve)
    is closed; a site that has none is open. Connections go to public addresses only, unless
    ``allow_private`` is set.

    - ``user_agent``: what requests send, such as ``ExampleBot/1.0 (+https://bot.example/)``. Its
      product token is the name that files have for the robot [default: ``agent``].
    - ``store``: where files are kept beyond the process: a folder, which any number of
      processes use at once, or the URL of a Valkey or Redis server, ``redis://host`` [default: in memory].
    - ``memory``: how many bytes of files are kept in memory [default: 256 MiB].
    - ``timeout``: how many seconds one retrieval may take, with redirects [default: 30].
    - ``max_lifetime``, ``min_lifetime``, ``grace``: in seconds, how long files may and must be
      kept, and after which time of failure a site counts as gone for good
      [default: what RFC 9309 says].
    - ``observer``: a function that gets a dict for each retrieval, each warning and each file that
      changed (``{"event": "changed", "url": …, "was": …, "is": …}``, with the SHA-256 of the files,
      ``None`` if there is none), and for what an operator should know about the pace of a site. It is
      called in another thread, and should be quick.
    - ``pace``: how the visits of :meth:`turn` are paced; ``{}`` is a delay of at least one second
      [default: no turns are given].
    - ``fetch``: a coroutine function that sends one request in place of abide's own client, such as
      that of the program: ``fetch(url, headers)`` returns the status, the header fields and the body, without
      a content coding. It must not follow redirects. Of a longer body, the first 512,001 bytes are enough.
      It runs in the event loop of whoever asks, and is cancelled after ``timeout``. An exception is a
      failure of the site, or not; :class:`FetchError` says so in words of its own. Without
      ``allow_private``, names of private networks and addresses written in a URL are still refused;
      where a name leads is the business of the client.
    - ``purposes`` and the options after it: as for :class:`Policy`.

    ``async with``, :meth:`aclose` and :meth:`close` break off what is being fetched.

    >>> import asyncio, abide_robots
    >>> async def crawl():
    ...     cache = abide_robots.RobotsCache("ExampleBot/1.0 (+https://bot.example/)")
    ...     return await cache.allows("https://127.0.0.1/")
    >>> asyncio.run(crawl())  # a private address: the guard refuses it
    False
    """

    __slots__ = ()

    async def allows(self, url: Url) -> bool:
        """Returns whether the robot may fetch this URL.

        Raises :class:`InvalidUrlError` for text that is not an http or https URL.
        """
        trio = self._attend()
        if trio is not None:
            return bool(await _beside(trio, self._native.allows_blocking, url))
        return await self._native.allows(url)

    async def policy(self, url: Url) -> Policy:
        """Returns the current rules of the site of this URL."""
        trio = self._attend()
        if trio is not None:
            policy: Policy = await _beside(trio, self._native.policy_blocking, url)
            return policy
        return await self._native.policy(url)

    async def turn(self, url: Url) -> Visit | None:
        """Waits until the site of this URL may be visited, and returns the visit, or ``None`` if the rules that then
        apply do not allow the URL. The delay of the site begins when the visit ends, so read the whole answer
        within ``with``:

        ::

            visit = await robots.turn("https://example.com/page")
            if visit is not None:
                with visit:
                    response = await client.get(visit.url)
                    visit.answered(response.status_code, response.headers)

        The delay is the ``Crawl-delay`` of robots.txt, within what ``pace`` allows, and longer after failures and
        ``Retry-After``. robots.txt is fetched in turns, too.

        Raises :class:`InvalidUrlError`, and :class:`NoTurnError` if there is no turn.
        """
        trio = self._attend()
        if trio is not None:
            visit: Visit | None = await _beside(trio, self._native.turn_blocking, url)
            return visit
        return await self._native.turn(url)

    async def decide(
        self,
        url: Url,
        *,
        headers: Headers | None = None,
        html: Body | None = None,
        rendered_html: Body | None = None,
        now: Instant | None = None,
        first_indexed: Instant | None = None,
        first_copied: Instant | None = None,
        version: str | None = None,
        preferences: Preferences | None = None,
    ) -> Decision:
        """Decides about a page, with evidence. Its ``retrieval`` says how robots.txt was fetched.

        For a cache that asks for ``preferences``, fetches the documents beside robots.txt that
        could change the answer, unless they are given.
        """
        page: dict[str, Any] = {
            "headers": headers,
            "html": html,
            "rendered_html": rendered_html,
            "now": now,
            "first_indexed": first_indexed,
            "first_copied": first_copied,
            "version": version,
            "preferences": preferences,
        }
        trio = self._attend()
        if trio is not None:
            decision: Decision = await _beside(trio, self._native.decide_blocking, url, **page)
            return decision
        return await self._native.decide(url, **page)

    @property
    def blocking(self) -> BlockingRobotsCache:
        """The same files, for code without asyncio.

        Raises :class:`InvalidOptionError` for a cache with ``fetch``, which needs an event loop.
        """
        if self._hops is not None:
            raise InvalidOptionError("fetch: a coroutine function cannot be awaited here", "fetch")
        cache = BlockingRobotsCache.__new__(BlockingRobotsCache)
        cache._arguments, cache._hops, cache._native = self._arguments, None, self._native
        return cache

    def _attend(self) -> Any:
        """The module ``trio`` if its loop asks, in which ``fetch`` is awaited then."""
        trio = _running_trio()
        if self._hops is not None:
            self._hops.attend(trio)
        return trio

    def close(self) -> None:
        """Breaks off the requests of ``fetch`` that are under way. Nobody can ask such a cache any more;
        without ``fetch``, nothing has to be closed.
        """
        if self._hops is not None:
            self._hops.close()

    async def aclose(self) -> None:
        """The same, as ``async with`` and other libraries call it."""
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class BlockingRobotsCache(_Cache):
    """The robots.txt files of many sites, for code without asyncio. Takes what
    :class:`RobotsCache` takes. Other threads run while it waits.

    >>> import abide_robots
    >>> cache = abide_robots.BlockingRobotsCache("ExampleBot/1.0 (+https://bot.example/)")
    >>> cache.decide("https://10.0.0.1/").reason
    'robots.txt is unreachable (the address is refused)'
    """

    __slots__ = ()

    def allows(self, url: Url) -> bool:
        """Returns whether the robot may fetch this URL.

        Raises :class:`InvalidUrlError` for text that is not an http or https URL.
        """
        return self._native.allows_blocking(url)

    def policy(self, url: Url) -> Policy:
        """Returns the current rules of the site of this URL."""
        return self._native.policy_blocking(url)

    def turn(self, url: Url) -> Visit | None:
        """Waits for a visit to the site of this URL. See :meth:`RobotsCache.turn`."""
        return self._native.turn_blocking(url)

    def decide(
        self,
        url: Url,
        *,
        headers: Headers | None = None,
        html: Body | None = None,
        rendered_html: Body | None = None,
        now: Instant | None = None,
        first_indexed: Instant | None = None,
        first_copied: Instant | None = None,
        version: str | None = None,
        preferences: Preferences | None = None,
    ) -> Decision:
        """Decides about a page, with evidence. See :meth:`RobotsCache.decide`."""
        return self._native.decide_blocking(
            url,
            headers=headers,
            html=html,
            rendered_html=rendered_html,
            now=now,
            first_indexed=first_indexed,
            first_copied=first_copied,
            version=version,
            preferences=preferences,
        )
