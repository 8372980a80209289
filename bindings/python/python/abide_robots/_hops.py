"""Sends the requests of a cache with a client of the program."""

from __future__ import annotations

import asyncio
import logging

from abide_robots.errors import FetchError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator
    from concurrent.futures import Future
    from typing import Any

    from abide_robots._native import OpenHop
    from abide_robots._types import Failure, Fetch

__all__ = ["Hops", "failure_of"]

logger = logging.getLogger("abide_robots")

# What the classes of exceptions mean that clients raise: of Python, httpx, aiohttp, Twisted and
# Scrapy. The first one that fits counts.
_CLASSES: dict[Failure, frozenset[str]] = {
    "dns": frozenset(("gaierror", "ClientConnectorDNSError", "DNSLookupError", "CannotResolveHostError")),
    "tls": frozenset(("SSLError", "ClientSSLError", "VerificationError")),
    "timeout": frozenset(
        ("TimeoutError", "TimeoutException", "TCPTimedOutError", "DownloadTimeoutError")
    ),
    "truncated": frozenset(
        ("BadGzipFile", "ClientPayloadError", "EOFError", "ResponseDataLossError", "_DataLoss")
    ),
    "connect": frozenset(
        ("ConnectionRefusedError", "ConnectError", "ClientConnectorError", "DownloadConnectionRefusedError")
    ),
}
# What says nothing about the site: a proxy, or the program itself, has refused.
_LOCAL = frozenset(("ClientHttpProxyError", "ClientProxyConnectionError", "IgnoreRequest", "ProxyError", "TunnelError"))
# How far back the reasons of an exception are followed.
_MAX_REASONS = 16


def _names(error: BaseException) -> Iterator[str]:
    """The names of the classes of an exception, and of those that it came of."""
    reasons: list[BaseException] = [error]
    for _ in range(_MAX_REASONS):
        if not reasons:
            return
        one = reasons.pop()
        yield from (kind.__name__ for kind in type(one).__mro__)
        # Twisted has a list of failures.
        inner = [getattr(failure, "value", None) for failure in getattr(one, "reasons", None) or ()]
        inner += [one.__cause__, one.__context__]
        reasons += [reason for reason in inner if isinstance(reason, BaseException)]


def failure_of(error: BaseException) -> FetchError:
    """What an exception of a client means for robots.txt."""
    if isinstance(error, FetchError):
        return error
    names = frozenset(_names(error))
    found: Failure = next((name for name, classes in _CLASSES.items() if classes & names), "network")
    words = f"{type(error).__name__}: {error}".removesuffix(": ")
    return FetchError(words, found, is_local=bool(_LOCAL & names))


class Hops:
    """Requests in the event loop of whoever asked last."""

    __slots__ = ("_fetch", "_is_closed", "_loop", "_sent")

    def __init__(self, fetch: Fetch) -> None:
        if not callable(fetch):
            found = type(fetch).__name__
            raise TypeError(f"argument 'fetch': expected a coroutine function, but found {found}")
        self._fetch = fetch
        self._loop: asyncio.AbstractEventLoop | None = None
        self._sent: set[Future[None]] = set()
        self._is_closed = False

    def attend(self) -> None:
        """Notes in which event loop requests are sent."""
        if self._is_closed:
            raise RuntimeError("the cache is closed")
        self._loop = asyncio.get_running_loop()

    def send(self, url: str, headers: dict[str, str], hop: OpenHop) -> Callable[[], object]:
        """Begins a request, from any thread. Returns a function that breaks it off."""
        if self._is_closed or self._loop is None or self._loop.is_closed():
            raise RuntimeError("the cache or its event loop is closed")
        report = self._report(url, headers, hop)
        try:
            sent = asyncio.run_coroutine_threadsafe(report, self._loop)
        except RuntimeError:
            report.close()
            raise
        self._sent.add(sent)
        sent.add_done_callback(self._sent.discard)
        return sent.cancel

    async def _report(self, url: str, headers: dict[str, str], hop: OpenHop) -> None:
        try:
            asked: Coroutine[Any, Any, tuple[Any, Any, Any]] = self._fetch(url, headers)
            answer = await asked
        except Exception as error:
            failure = failure_of(error)
            hop.failed(failure.failure, str(failure), failure.is_local)
            return
        try:
            status, fields, body = answer
            hop.answered(status, fields, body)
        except Exception as error:
            # A mistake of the program, which nobody awaits.
            message = f"fetch returned no response: {error}"
            hop.failed("network", message, True)
            logger.error(message, exc_info=error)

    def close(self) -> None:
        """Breaks off every request. No other begins."""
        self._is_closed = True
        for sent in list(self._sent):
            sent.cancel()
