"""Sends the requests of a cache with a client of the program."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading

from abide_robots.errors import FetchError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator
    from typing import Any

    from abide_robots._native import OpenHop
    from abide_robots._types import Failure, Fetch

__all__ = ["MAX_READ", "Hops", "failure_of"]

# What is read of a robots.txt: one byte more than is parsed shows whether the last line is complete.
MAX_READ = 512_001

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
    fitting: list[Failure] = [name for name, classes in _CLASSES.items() if classes & names]
    words = type(error).__name__
    # An exception that cannot be shown is one all the same.
    with contextlib.suppress(Exception):
        words = f"{words}: {error}".removesuffix(": ")
    found = fitting[0] if fitting else "network"
    return FetchError(words, found, is_local=bool(_LOCAL & names))


class _Asyncio:
    """Begins requests in an event loop of asyncio, from any thread."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()

    def begin(self, request: Coroutine[Any, Any, None]) -> Callable[[], object]:
        return asyncio.run_coroutine_threadsafe(request, self.loop).cancel


class _Trio:
    """Begins requests in a run of trio, from any thread."""

    def __init__(self, trio: Any) -> None:
        self.trio, self.loop = trio, trio.lowlevel.current_trio_token()

    def begin(self, request: Coroutine[Any, Any, None]) -> Callable[[], object]:
        scope = self.trio.CancelScope()

        async def scoped() -> None:
            with scope:
                await request

        self.loop.run_sync_soon(self.trio.lowlevel.spawn_system_task, scoped)
        return lambda: self._cancel(scope)

    def _cancel(self, scope: Any) -> None:
        with contextlib.suppress(self.trio.RunFinishedError):
            self.loop.run_sync_soon(scope.cancel)


class Hops:
    """Requests in the event loop of whoever asked last."""

    __slots__ = ("_cancels", "_fetch", "_is_closed", "_lock", "_loop")

    def __init__(self, fetch: Fetch) -> None:
        if not callable(fetch):
            found = type(fetch).__name__
            raise TypeError(f"argument 'fetch': expected a coroutine function, but found {found}")
        self._fetch = fetch
        self._loop: _Asyncio | _Trio | None = None
        self._lock = threading.Lock()
        # How to break off what is under way.
        self._cancels: dict[OpenHop, Callable[[], object]] = {}
        self._is_closed = False

    def attend(self, trio: Any) -> None:
        """Notes in which event loop requests are sent."""
        if self._is_closed:
            raise RuntimeError("the cache is closed")
        loop = asyncio.get_running_loop() if trio is None else trio.lowlevel.current_trio_token()
        if self._loop is None or self._loop.loop is not loop:
            self._loop = _Asyncio() if trio is None else _Trio(trio)

    def send(self, url: str, headers: dict[str, str], hop: OpenHop) -> Callable[[], object]:
        """Begins a request, from any thread. Returns a function that breaks it off."""
        if self._is_closed or self._loop is None:
            raise RuntimeError("the cache is closed")
        request = self._report(url, headers, hop)
        # It may be over before it is noted.
        with self._lock:
            try:
                cancel = self._cancels[hop] = self._loop.begin(request)
            except RuntimeError:
                # The loop is closed.
                request.close()
                raise

        def break_off() -> None:
            self._forget(hop)
            cancel()

        return break_off

    def _forget(self, hop: OpenHop) -> None:
        with self._lock:
            self._cancels.pop(hop, None)

    async def _report(self, url: str, headers: dict[str, str], hop: OpenHop) -> None:
        try:
            answer = await self._fetch(url, headers)
        except Exception as error:
            failure = failure_of(error)
            hop.failed(failure.failure, str(failure), failure.is_local)
            return
        except BaseException:
            hop.failed("network", "the request was cancelled", True)
            raise
        finally:
            self._forget(hop)
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
        with self._lock:
            under_way = list(self._cancels.items())
            self._cancels.clear()
        for hop, cancel in under_way:
            # It may not have begun yet.
            hop.failed("network", "the cache is closed", True)
            cancel()
