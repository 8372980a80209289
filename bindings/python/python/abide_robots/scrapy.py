"""Scrapy with RFC 9309.

Everything in one line of ``settings.py``::

    ADDONS = {"abide_robots.scrapy.Addon": 500}

- :class:`RobotsMiddleware` takes the place of Scrapy's: it fetches and keeps robots.txt files as
  RFC 9309 says, and logs the line that forbids a request.
- :class:`TurnsMiddleware` lets requests wait for the delay that a site asks for.
- :class:`TagsMiddleware` obeys robots tags, if ``ABIDE_OBEY`` asks for it.
- :class:`RobotParser` is only a parser, for Scrapy's own middleware.

``docs/scrapy.md`` describes the settings.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import deque
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.request import getproxies
from weakref import WeakKeyDictionary

from scrapy import Request, exceptions, signals
from scrapy.downloadermiddlewares.httpcache import HttpCacheMiddleware
from scrapy.downloadermiddlewares.httpproxy import HttpProxyMiddleware
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import IgnoreRequest, NotConfigured, StopDownload
from scrapy.http import HtmlResponse
from scrapy.http.request import NO_CALLBACK
from scrapy.robotstxt import RobotParser as _RobotParser
from scrapy.settings import default_settings
from scrapy.utils.defer import deferred_from_coro, maybe_deferred_to_future
from scrapy.utils.httpobj import urlparse_cached
from scrapy.utils.misc import load_object
from scrapy.utils.python import to_unicode
from twisted.internet.defer import CancelledError, Deferred

from abide_robots import (
    Decision,
    FetchError,
    InvalidOptionError,
    InvalidUrlError,
    NoTurnError,
    RobotsCache,
    product_token,
)
from abide_robots._hops import MAX_READ, failure_of
from abide_robots._native import user_agent_names
from abide_robots.compat._by_robot import PoliciesByRobot

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine, Iterable, Iterator
    from typing import Self

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Headers, Response
    from scrapy.settings import BaseSettings

    from abide_robots._native import Policy, Visit
    from abide_robots._types import Pace, Preferences, Usage

__all__ = ["Addon", "RobotParser", "RobotsMiddleware", "TagsMiddleware", "TurnsMiddleware"]

logger = logging.getLogger(__name__)
_T = TypeVar("_T")

_DOWNLOADER = "DOWNLOADER_MIDDLEWARES"
_DOWNLOADER_LISTS = (f"{_DOWNLOADER}_BASE", _DOWNLOADER)
_OBEYED = ("noindex", "nofollow", "train")
# For how many sites is remembered what was said about them.
_MAX_SITES = 65_536
# How many events of a cache wait to be counted.
_MAX_EVENTS = 16_384
# What Scrapy unpacks of one at most. A longer one is a failure.
_MAX_UNPACKED = 16 * 1024 * 1024
_READ = "abide_read"
# How many seconds the end of a spider waits for questions that it cancelled.
_CLOSING = 5.0
# For how many seconds of rest of a site, such as Retry-After asks for, a request waits.
_MAX_REST = 300.0
# A download that the crawler itself stopped, by its name in old and new versions of Scrapy.
_STOPPED = (StopDownload, CancelledError, getattr(exceptions, "DownloadCancelledError", StopDownload))
# Behind all other middlewares: what they answer themselves, such as from an HTTP cache, is no visit.
_LAST = 1_000_000
# Arguments of a cache that are settings here.
_SETTINGS = {
    "applications": "ABIDE_APPLICATIONS",
    "grace": "ABIDE_GRACE",
    "max_lifetime": "ABIDE_MAX_LIFETIME",
    "pace.max_delay": "ABIDE_MAX_CRAWL_DELAY",
    "pace.member": "ABIDE_MEMBER",
    "pace.min_delay": "ABIDE_MIN_DELAY",
    "purposes": "ABIDE_PURPOSES",
    "registry": "ABIDE_REGISTRY",
    "store": "ABIDE_CACHE",
    "timeout": "ABIDE_TIMEOUT",
}


class RobotParser(_RobotParser):
    """A parser for Scrapy's own middleware: ``ROBOTSTXT_PARSER = "abide_robots.scrapy.RobotParser"``.

    Scrapy's middleware still parses the body of any status, and allows everything if there is no
    answer; :class:`RobotsMiddleware` does not.
    """

    def __init__(self, robotstxt_body: bytes) -> None:
        self._robots = PoliciesByRobot(robotstxt_body)

    @classmethod
    def from_crawler(cls, crawler: Crawler | None, robotstxt_body: bytes) -> Self:
        """Reads a robots.txt."""
        return cls(robotstxt_body)

    def policy(self, user_agent: str | bytes) -> Policy:
        """Returns the rules for a robot, for more than Scrapy asks: ``decide``, ``allows_many``."""
        return self._robots.policy(user_agent)

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:
        """Returns whether the robot may fetch this URL."""
        try:
            return self.policy(user_agent).allows(url)
        except InvalidUrlError:
            return False

    def crawl_delay(self, user_agent: str | bytes) -> float | None:
        """Returns the delay between requests, in seconds."""
        return self.policy(user_agent).crawl_delay


class _Settings:
    """The settings, read strictly: a typing mistake must not open a site."""

    def __init__(self, settings: BaseSettings) -> None:
        self.user_agent = self._text(settings, "USER_AGENT")
        self.robot = self._text(settings, "ROBOTSTXT_USER_AGENT")
        self.cache = settings.get("ABIDE_CACHE") or None
        self.allow_private = settings.getbool("ABIDE_ALLOW_PRIVATE", False)
        timeout = self._seconds(settings, "ABIDE_TIMEOUT")
        self.timeout = 30.0 if timeout is None else timeout
        self.fetches_through_scrapy, self.why = self._way(settings)
        self.max_lifetime = self._seconds(settings, "ABIDE_MAX_LIFETIME")
        self.grace = self._seconds(settings, "ABIDE_GRACE")
        self.uses_delays = settings.getbool("ABIDE_CRAWL_DELAY", True)
        max_delay = self._seconds(settings, "ABIDE_MAX_CRAWL_DELAY")
        self.max_delay = 300.0 if max_delay is None else max_delay
        self.min_delay = self._seconds(settings, "ABIDE_MIN_DELAY")
        self.member = self._member(settings)
        self.reads_tags = settings.getbool("ABIDE_TAGS", True)
        self.reads_preferences = settings.getbool("ABIDE_PREFERENCES", False)
        self.purposes = settings.getlist("ABIDE_PURPOSES")
        self.applications = settings.getlist("ABIDE_APPLICATIONS")
        self.registry = settings.get("ABIDE_REGISTRY") or None
        self.obeys = frozenset(settings.getlist("ABIDE_OBEY"))
        unknown = self.obeys.difference(_OBEYED)
        if unknown:
            names = ", ".join(sorted(unknown))
            message = f"ABIDE_OBEY: expected some of {', '.join(_OBEYED)}, but found {names}"
            raise InvalidOptionError(message, "ABIDE_OBEY")

    def _member(self, settings: BaseSettings) -> str | None:
        if settings.get("ABIDE_MEMBER") is None:
            return None
        lacks = None
        if not self.uses_delays and self.min_delay is None:
            lacks = "ABIDE_CRAWL_DELAY or ABIDE_MIN_DELAY"
        elif "://" not in str(self.cache):
            lacks = "a server: set ABIDE_CACHE to one, such as redis://127.0.0.1:6379"
        if lacks is not None:
            message = f"ABIDE_MEMBER: has no effect without {lacks}"
            raise InvalidOptionError(message, "ABIDE_MEMBER")
        return self._text(settings, "ABIDE_MEMBER")

    def takes_turn(self, decision: Decision) -> bool:
        """Whether a request waits for its turn at its site."""
        return self.min_delay is not None or (self.uses_delays and bool(decision.crawl_delay))

    def delay(self, decision: Decision) -> float:
        """How many seconds are between requests to the site of a decision."""
        asked = (decision.crawl_delay or 0) if self.uses_delays else 0
        return max(min(asked, self.max_delay), self.min_delay or 0)

    def pace(self) -> Pace | None:
        """How visits are paced, if any are."""
        if not self.uses_delays and self.min_delay is None:
            return None
        longest = max(self.max_delay if self.uses_delays else 0, self.min_delay or 0)
        pace: Pace = {
            "key": "origin",
            "min_delay": self.min_delay or 0,
            "max_delay": longest,
            # A request that waits has one of CONCURRENT_REQUESTS, which other sites need.
            "max_rest": max(longest, _MAX_REST),
        }
        if self.member is not None:
            pace["member"] = self.member
        return pace

    @staticmethod
    def _way(settings: BaseSettings) -> tuple[bool, str]:
        """Whether Scrapy's downloader fetches robots.txt, and why."""
        way = settings.get("ABIDE_FETCH")
        if way is not None:
            if way not in ("abide", "scrapy"):
                message = f"ABIDE_FETCH: expected abide or scrapy, but found {way!r}"
                raise InvalidOptionError(message, "ABIDE_FETCH")
            return way == "scrapy", f"ABIDE_FETCH is {way!r}"
        enabled = _enabled(settings)
        if settings.getbool("HTTPCACHE_ENABLED") and _has(enabled, HttpCacheMiddleware):
            return True, "HTTPCACHE_ENABLED is set"
        if settings.getbool("HTTPPROXY_ENABLED") and _has(enabled, HttpProxyMiddleware):
            proxies = sorted({"http", "https"}.intersection(getproxies()))
            if proxies:
                return True, f"the environment has {proxies[0]}_proxy"
        return False, "neither a proxy nor an HTTP cache is configured"

    @staticmethod
    def _text(settings: BaseSettings, name: str) -> str:
        value = settings.get(name) or ""
        if not isinstance(value, (str, bytes)):
            message = f"{name}: expected text, but found {type(value).__name__}"
            raise InvalidOptionError(message, name)
        return to_unicode(value, errors="replace")

    @staticmethod
    def _seconds(settings: BaseSettings, name: str) -> float | None:
        value = settings.get(name)
        if value is None:
            return None
        try:
            seconds = float(value)
        except (TypeError, ValueError):
            seconds = -1
        if not seconds >= 0:
            message = f"{name}: expected seconds from 0, but found {value!r}"
            raise InvalidOptionError(message, name)
        return seconds


class _Sites:
    """The sites about which something was said, of which the oldest is forgotten."""

    def __init__(self) -> None:
        self._known: dict[str, None] = {}

    def __len__(self) -> int:
        return len(self._known)

    def is_new(self, site: str) -> bool:
        """Whether the site was not there, which it is from now on."""
        is_new = site not in self._known
        self._known[site] = None
        if len(self._known) > _MAX_SITES:
            del self._known[next(iter(self._known))]
        return is_new


class _Events:
    """What a cache reports: filled by other threads, emptied by the reactor's."""

    def __init__(self) -> None:
        self._waiting: deque[dict[str, str | None]] = deque()
        self.dropped = 0

    def append(self, event: dict[str, str | None]) -> None:
        """Keeps an event, if there is room."""
        if len(self._waiting) < _MAX_EVENTS:
            self._waiting.append(event)
        else:
            self.dropped += 1

    def taken(self) -> Iterator[dict[str, str | None]]:
        """Takes all events out."""
        while self._waiting:
            yield self._waiting.popleft()


class _EventLoop:
    """An event loop in a thread of its own, for reactors that have none. However many sites hang,
    it needs no other thread.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        run = self._loop.run_forever
        self._thread = threading.Thread(target=run, name="abide-robots", daemon=True)
        self._thread.start()

    async def result(self, asked: Coroutine[Any, Any, _T]) -> _T:
        """Awaits a question in that thread, from a coroutine of the reactor."""
        from twisted.internet import reactor

        def fire(done: Future[_T]) -> None:
            if deferred.called:
                return
            if done.cancelled():
                deferred.cancel()
            elif (error := done.exception()) is not None:
                deferred.errback(error)
            else:
                deferred.callback(done.result())

        def cancel(_: object) -> None:
            future.cancel()

        future = asyncio.run_coroutine_threadsafe(asked, self._loop)
        deferred: Deferred[_T] = Deferred(cancel)
        future.add_done_callback(lambda done: reactor.callFromThread(fire, done))
        return await deferred

    def close(self) -> None:
        """Ends the thread. Nobody waits for an answer any more, and what cannot be cancelled holds
        nobody up: the thread ends with the process.
        """
        cancelled = asyncio.run_coroutine_threadsafe(self._cancel(), self._loop)
        try:
            cancelled.result(_CLOSING)
        except TimeoutError:
            logger.warning("A question about robots.txt did not end within %g s", _CLOSING)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_CLOSING)
        if not self._thread.is_alive():
            self._loop.close()

    async def _cancel(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)


class _Downloader:
    """Sends requests for robots.txt through the downloader of a crawler, with its proxies, HTTP cache
    and handlers, and without what is for pages: retries, redirects, cookies and delays.
    """

    def __init__(self, crawler: Crawler, timeout: float) -> None:
        self._crawler = crawler
        self._timeout = timeout
        self._has_cache = crawler.settings.getbool("HTTPCACHE_ENABLED")
        # The proxies of requests, by their sites, and the last one, for redirects elsewhere.
        self._proxies: dict[str, str | None] = {}
        self._last_proxy: dict[str, str | None] = {}
        crawler.signals.connect(self._headers_received, signals.headers_received)
        crawler.signals.connect(self._bytes_received, signals.bytes_received)

    def note(self, request: Request) -> None:
        """Remembers the proxy of a request, which the robots.txt of its site has to come through."""
        if "proxy" in request.meta and "_scheme_proxy" not in request.meta:
            site = urlparse_cached(request).netloc
            self._proxies.pop(site, None)
            self._proxies[site] = self._last_proxy["proxy"] = request.meta["proxy"]
            if len(self._proxies) > _MAX_SITES:
                del self._proxies[next(iter(self._proxies))]

    async def __call__(self, url: str, headers: dict[str, str]) -> tuple[int, Headers, bytes]:
        """Sends one request. Called in the event loop of a cache, which need not be the reactor's."""
        from twisted.internet import reactor

        reply: Future[tuple[int, Headers, bytes]] = Future()
        reactor.callFromThread(self._begin, url, headers, reply)
        return await asyncio.wrap_future(reply)

    def _begin(self, url: str, headers: dict[str, str], reply: Future[Any]) -> None:
        if reply.set_running_or_notify_cancel():
            sent = deferred_from_coro(self._send(url, headers))
            sent.addCallbacks(
                reply.set_result, lambda failure: reply.set_exception(failure.value)
            )

    async def _send(self, url: str, headers: dict[str, str]) -> tuple[int, Headers, bytes]:
        engine = self._crawler.engine
        if engine is None:
            raise FetchError("the crawler has no engine", is_local=True)
        request = self._request(url, headers)
        # A slot of its own: a file that waits behind pages could come too late to be believed.
        slot, slots = request.meta["download_slot"], engine.downloader.per_slot_settings
        slots[slot] = {"delay": 0}
        try:
            if hasattr(engine, "download_async"):
                response = await engine.download_async(request)
            else:
                response = await maybe_deferred_to_future(engine.download(request))
        except Exception as error:
            raise self._failure(error, request) from error
        finally:
            slots.pop(slot, None)
        return self._answer(request, response)

    def _request(self, url: str, headers: dict[str, str]) -> Request:
        if self._has_cache:
            # It would keep "not modified" as the file.
            headers = {name: value for name, value in headers.items() if not name.startswith("If-")}
        request = Request(url, headers=headers, callback=NO_CALLBACK, dont_filter=True)
        site = urlparse_cached(request).netloc
        request.meta.update(self._last_proxy)
        if site in self._proxies:
            request.meta["proxy"] = self._proxies[site]
        request.meta.update(
            {
                "allow_offsite": True,
                "autothrottle_dont_adjust_delay": True,
                "dont_merge_cookies": True,
                "dont_obey_robotstxt": True,
                "dont_redirect": True,
                "dont_retry": True,
                "download_fail_on_dataloss": True,
                "download_slot": f"robots.txt of {site}",
                "download_timeout": self._timeout,
                _READ: 0,
            }
        )
        return request

    @staticmethod
    def _failure(error: Exception, request: Request) -> FetchError:
        failure = failure_of(error)
        if request.meta.get("proxy") is not None and failure.failure in ("connect", "dns"):
            failure.is_local = True
        return failure

    @staticmethod
    def _answer(request: Request, response: Response) -> tuple[int, Headers, bytes]:
        if response.status == 407 and request.meta.get("proxy") is not None:
            raise FetchError("the proxy asks for a password (407)", is_local=True)
        codings = b",".join(response.headers.getlist("Content-Encoding")).lower().split(b",")
        if response.status < 300 and {coding.strip() for coding in codings} - {b"", b"identity"}:
            raise FetchError("Scrapy cannot unpack the body")
        return response.status, response.headers, response.body

    def _headers_received(self, headers: Headers, request: Request) -> None:
        if _READ in request.meta and "Content-Encoding" in headers:
            request.meta["download_maxsize"] = _MAX_UNPACKED

    def _bytes_received(self, data: bytes, request: Request) -> None:
        if _READ in request.meta:
            request.meta[_READ] += len(data)
            if request.meta[_READ] >= MAX_READ:
                raise StopDownload(fail=False)


class RobotsMiddleware:
    """A downloader middleware that follows RFC 9309, in place of Scrapy's.

    ``request.meta["abide"]`` has the :class:`abide_robots.Decision` about each request, and
    ``response.meta["abide"]`` one that also has the robots tags of the page.
    ``request.meta["dont_obey_robotstxt"]`` skips a request, as in Scrapy.
    """

    def __init__(self, crawler: Crawler) -> None:
        if not crawler.settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured
        assert crawler.stats is not None
        self._crawler = crawler
        self._stats = crawler.stats
        self._settings = _Settings(crawler.settings)
        self._downloader: _Downloader | None = None
        if self._settings.fetches_through_scrapy:
            self._downloader = _Downloader(crawler, self._settings.timeout)
        self._events = _Events()
        self._loop: _EventLoop | None = None
        # Lines with the same names are the same robot to every file.
        self._caches = {self._names(self._sent()): self._new_cache()}
        self._is_closed = False
        self._closed_sites, self._announced, self._unpaced = _Sites(), _Sites(), _Sites()
        self._has_turns = _has(_enabled(crawler.settings), TurnsMiddleware)
        self._store_has_failed = self._knows_of_proxies = False
        self._say_how_files_are_fetched()
        self._warn_of_nobody()
        self._warn_of_others(crawler.settings)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Makes the middleware."""
        middleware = cls(crawler)
        crawler.signals.connect(middleware._spider_closed, signals.spider_closed)
        return middleware

    @staticmethod
    def _names(agent: str) -> tuple[str, ...]:
        return tuple(user_agent_names(agent))

    def _sent(self) -> str:
        """What requests for robots.txt send. A line that names no robot cannot be sent."""
        settings = self._settings
        lines = (settings.user_agent, settings.robot, default_settings.USER_AGENT)
        return next(line for line in lines if self._names(line))

    def _say_how_files_are_fetched(self) -> None:
        who = "Scrapy's downloader" if self._downloader is not None else "abide"
        logger.info(
            "robots.txt is fetched by %s, because %s",
            who,
            self._settings.why,
            extra={"spider": self._crawler.spider},
        )

    def _heed_proxy(self, request: Request) -> None:
        """A proxy that only the requests know of."""
        if self._downloader is not None:
            self._downloader.note(request)
        elif request.meta.get("proxy") is not None and not self._knows_of_proxies:
            self._knows_of_proxies = True
            if self._crawler.settings.get("ABIDE_FETCH") is None:
                logger.warning(
                    "Requests have a proxy, and robots.txt is fetched without it. Set ABIDE_FETCH to "
                    "'scrapy' to fetch it through the proxy, or to 'abide' to fetch it without.",
                    extra={"spider": self._crawler.spider},
                )

    def _warn_of_nobody(self) -> None:
        settings = self._settings
        line = settings.user_agent
        if not settings.robot and (not self._names(line) or product_token(line) == "*"):
            logger.warning(
                "No robots.txt can name this robot, because USER_AGENT is %r: the rules for * "
                "apply. Set ROBOTSTXT_USER_AGENT to the robot's name.",
                line,
                extra={"spider": self._crawler.spider},
            )

    def _warn_of_others(self, settings: BaseSettings) -> None:
        """Middlewares of Scrapy's kind, which fetch and judge robots.txt once more."""
        for kind, place in _middlewares(settings).items():
            if place is not None and issubclass(kind, RobotsTxtMiddleware):
                logger.warning(
                    "%s is enabled beside abide: it fetches every robots.txt once more, and reads "
                    "it as Scrapy does. Set it to None in %s.",
                    f"{kind.__module__}.{kind.__qualname__}",
                    _DOWNLOADER,
                    extra={"spider": self._crawler.spider},
                )

    def _new_cache(self) -> RobotsCache:
        settings, line = self._settings, self._sent()
        # The documents beside robots.txt are only fetched if somebody wants to know.
        wants_preferences = settings.reads_preferences or "train" in settings.obeys
        preferences: Preferences | None = {} if wants_preferences else None
        try:
            return RobotsCache(
                line,
                agent=product_token(line),
                nonstandard_token=True,
                store=settings.cache,
                allow_private=settings.allow_private,
                timeout=settings.timeout,
                max_lifetime=settings.max_lifetime,
                grace=settings.grace,
                purposes=settings.purposes,
                applications=settings.applications,
                registry=settings.registry,
                preferences=preferences,
                observer=self._events.append,
                pace=settings.pace(),
                fetch=self._downloader,
            )
        except InvalidOptionError as error:
            argument = error.argument or ""
            name = _SETTINGS.get(argument, argument)
            message = str(error).removeprefix(f"{argument}: ")
            raise InvalidOptionError(f"{name}: {message}", name) from error

    async def turn(self, request: Request) -> Visit | None:
        """Waits until the site of a request may be visited. ``None`` if its rules do not allow that now.

        Raises :class:`abide_robots.NoTurnError` if there is no turn.
        """
        try:
            return await self._answer(self._cache(request).turn(request.url))
        finally:
            self._count_events()

    def _cache(self, request: Request) -> RobotsCache:
        sent = request.headers.get(b"User-Agent")
        line = self._settings.robot or sent or self._settings.user_agent
        return self._cache_of(to_unicode(line, errors="replace"))

    def _cache_of(self, agent: str) -> RobotsCache:
        names = self._names(agent)
        cache = self._caches.get(names)
        if cache is None:
            shared = next(iter(self._caches.values()))
            # No file can name a robot without names.
            cache = self._caches[names] = shared.for_agent(agent if names else "*")
        return cache

    async def process_request(self, request: Request, spider: Spider | None = None) -> None:
        """Ignores a request that robots.txt forbids.

        Raises :class:`scrapy.exceptions.IgnoreRequest` with the reason.
        """
        request.meta.pop("abide", None)
        if request.meta.get("dont_obey_robotstxt"):
            return
        if not request.url.startswith(("http:", "https:")):
            return
        if self._is_closed:
            # A thread that starts now would stay.
            raise IgnoreRequest("The spider is closed, so nobody asks for robots.txt")
        self._heed_proxy(request)
        cache = self._cache(request)
        try:
            decision = await self._answer(cache.decide(request.url))
        except InvalidUrlError as error:
            self._stats.inc_value("abide/invalid_url")
            raise IgnoreRequest(str(error)) from error
        finally:
            self._count_events()
        request.meta["abide"] = decision
        await self._announce(request, decision, cache)
        if not decision.allowed:
            self._forbid(request, decision)
        self._stats.inc_value("abide/allowed")
        self._see_who_paces(request, decision)

    async def _answer(self, asked: Coroutine[Any, Any, _T]) -> _T:
        """Awaits a question, with the loop of the reactor if it has one."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            if self._loop is None:
                self._loop = _EventLoop()
            return await self._loop.result(asked)
        return await asked

    def _see_who_paces(self, request: Request, decision: Decision) -> None:
        """Warns of a delay that nobody waits for."""
        if self._has_turns or not self._settings.takes_turn(decision):
            return
        if self._unpaced.is_new(decision.robots_url or request.url):
            logger.warning(
                "%s: nothing waits %g s between requests: use the add-on, or put "
                "abide_robots.scrapy.TurnsMiddleware into %s with 1000000.",
                decision.robots_url,
                self._settings.delay(decision),
                _DOWNLOADER,
                extra={"spider": self._crawler.spider},
            )

    async def _announce(self, request: Request, decision: Decision, cache: RobotsCache) -> None:
        """Sends Scrapy's signal for each robots.txt that answered, once."""
        # Scrapy has it since 2.19.
        signal = getattr(signals, "robots_parsed", None)
        site = decision.robots_url
        if signal is None or site is None or "fetched_at" not in (decision.retrieval or {}):
            return
        if self._announced.is_new(site):
            parser = _CachedParser(await self._answer(cache.policy(request.url)))
            await self._crawler.signals.send_catch_log_async(
                signal=signal, robotparser=parser, request=request
            )

    def _forbid(self, request: Request, decision: Decision) -> None:
        self._stats.inc_value("abide/forbidden")
        self._stats.inc_value("robotstxt/forbidden")
        extra = {"spider": self._crawler.spider}
        values = {"request": request, "reason": decision.reason, "robots": decision.robots_url}
        robots_url = decision.robots_url or request.url
        if decision.line is None and self._closed_sites.is_new(robots_url):
            # One line for the site, because all of its requests have the same reason.
            logger.warning("No request to this site: %(robots)s: %(reason)s", values, extra=extra)
        logger.debug("Forbidden by %(robots)s: %(request)s: %(reason)s", values, extra=extra)
        raise IgnoreRequest(f"Forbidden by robots.txt: {decision.reason}")

    async def process_response(
        self, request: Request, response: Response, spider: Spider | None = None
    ) -> Response:
        """Puts the decision with the robots tags of the page into ``response.meta["abide"]``."""
        if self._settings.reads_tags and "abide" in request.meta and not self._is_closed:
            html = response.body if isinstance(response, HtmlResponse) else None
            decided = self._cache(request).decide(request.url, headers=response.headers, html=html)
            request.meta["abide"] = await self._answer(decided)
            self._count_events()
        return response

    def _spider_closed(self) -> None:
        self._is_closed = True
        for cache in self._caches.values():
            cache.close()
        if self._loop is not None:
            self._loop.close()
            self._loop = None
        self._count_events()

    def _count_events(self) -> None:
        if self._events.dropped:
            self._stats.inc_value("abide/events_dropped", self._events.dropped)
            self._events.dropped = 0
        for event in self._events.taken():
            extra = {"spider": self._crawler.spider}
            if event["event"] == "retrieved":
                self._count_retrieval(event)
            elif event["event"] == "pace":
                logger.info("%(message)s", event, extra=extra)
            elif event["event"] == "emptied":
                logger.warning("%(url)s had rules, and now has none", event, extra=extra)
            elif event["event"] == "warning":
                self._stats.inc_value("abide/store_failure")
                # What one site cannot save, the others cannot either.
                level = logging.DEBUG if self._store_has_failed else logging.WARNING
                self._store_has_failed = True
                logger.log(level, "%(message)s", event, extra=extra)

    def _count_retrieval(self, event: dict[str, str | None]) -> None:
        self._stats.inc_value("robotstxt/request_count")
        if event["status"] is None:
            self._stats.inc_value("abide/robots_failure")
            self._stats.inc_value(f"robotstxt/exception_count/{event['failure']}")
            extra = {"spider": self._crawler.spider}
            logger.info("Cannot fetch %(url)s: %(failure)s", event, extra=extra)
        else:
            self._stats.inc_value("robotstxt/response_count")
            self._stats.inc_value(f"robotstxt/response_status_count/{event['status']}")


class TurnsMiddleware:
    """A downloader middleware in which requests wait for their turns at sites that ask for a delay, or at all sites
    with ``ABIDE_MIN_DELAY``. A site has one visit at a time, and its delay begins when the answer is there.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._settings = _Settings(crawler.settings)
        if not crawler.settings.getbool("ROBOTSTXT_OBEY") or self._settings.pace() is None:
            raise NotConfigured
        assert crawler.stats is not None
        self._crawler = crawler
        self._stats = crawler.stats
        self._sites = _Sites()
        # A request that is forgotten ends its visit.
        self._visits: WeakKeyDictionary[Request, Visit] = WeakKeyDictionary()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Makes the middleware, and lets it see when visits end."""
        middleware = cls(crawler)
        crawler.signals.connect(middleware._response_downloaded, signals.response_downloaded)
        return middleware

    async def process_request(self, request: Request, spider: Spider | None = None) -> None:
        """Waits for the turn of a request.

        Raises :class:`scrapy.exceptions.IgnoreRequest` if there is none.
        """
        decision, engine = request.meta.get("abide"), self._crawler.engine
        if not isinstance(decision, Decision) or engine is None:
            return
        if not self._settings.takes_turn(decision):
            return
        robots = self._crawler.get_downloader_middleware(RobotsMiddleware)
        assert robots is not None  # It put the decision there.
        self._say_what_delays(request, decision, engine.downloader)
        # The scheduler counts what waits, and takes requests to other sites first.
        counted = self._slot(request, engine.downloader).active
        counted.add(request)
        try:
            visit = await robots.turn(request)
        except NoTurnError as error:
            self._stats.inc_value("abide/no_turn")
            raise IgnoreRequest(f"No turn: {error}") from error
        finally:
            counted.discard(request)
        if visit is None:
            # Its rules changed while the request waited. This raises, with the reason.
            await robots.process_request(request)
            raise IgnoreRequest("Forbidden by robots.txt when its turn came")
        self._visits[request] = visit

    def _slot(self, request: Request, downloader: Any) -> Any:
        """The slot of a request, also if it is the first one there."""
        key = downloader.get_slot_key(request)
        if key not in downloader.slots:
            # Nothing public makes a slot, and the scheduler looks at no other number.
            downloader._get_slot(request, self._crawler.spider)
        return downloader.slots[key]

    def _say_what_delays(self, request: Request, decision: Decision, downloader: Any) -> None:
        site = decision.robots_url or request.url
        if not self._sites.is_new(site):
            return
        delay, why = self._settings.delay(decision), "Crawl-delay"
        if delay == self._settings.min_delay:
            why = "ABIDE_MIN_DELAY"
        elif decision.crawl_delay and decision.crawl_delay > delay:
            why = f"ABIDE_MAX_CRAWL_DELAY; Crawl-delay asks for {decision.crawl_delay:g} s"
        slot = downloader.per_slot_settings.get(downloader.get_slot_key(request), {})
        usual = float(slot.get("delay", self._crawler.settings.getfloat("DOWNLOAD_DELAY")))
        if usual > delay:
            why += f"; DOWNLOAD_DELAY or the slot makes it about {usual:g} s"
        if self._crawler.settings.getbool("AUTOTHROTTLE_ENABLED"):
            why += "; AutoThrottle may make it longer"
        values = {"robots": site, "delay": delay, "why": why}
        message = "%(robots)s: at least %(delay)g s between requests (%(why)s)"
        logger.info(message, values, extra={"spider": self._crawler.spider})

    def _response_downloaded(self, response: Response, request: Request) -> None:
        visit = self._visits.pop(request, None)
        if visit is not None:
            try:
                visit.answered(response.status, response.headers)
            finally:
                visit.end()

    def process_exception(
        self, request: Request, exception: Exception, spider: Spider | None = None
    ) -> None:
        """Ends the visit of a request that failed."""
        visit = self._visits.pop(request, None)
        if visit is None:
            return
        # What the crawler stops, and a proxy that fails, say nothing about the site.
        if not isinstance(exception, _STOPPED) and request.meta.get("proxy") is None:
            visit.failed()
        visit.end()


class _CachedParser(RobotParser):
    """What a site of the cache said, as a parser: for Scrapy's signal."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def policy(self, user_agent: str | bytes) -> Policy:
        """Returns the rules for a robot. Fetches nothing: whoever asks is in the reactor's thread."""
        agent = to_unicode(user_agent, errors="replace")
        # No file can name a robot without names.
        return self._policy.for_agent(agent if user_agent_names(agent) else "*")


class TagsMiddleware:
    """A spider middleware that obeys the robots tags in ``ABIDE_OBEY``.

    - ``noindex``: drops the items of a page that says so.
    - ``nofollow``: drops the requests that a spider makes from the links of such a page.
    - ``train``: drops the items of a page that must not be used to train AI.

    ``request.meta["abide_disobey"]``, a list of these words, excepts a page.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._obeys = _Settings(crawler.settings).obeys
        if not self._obeys or not crawler.settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured
        assert crawler.stats is not None
        self._stats = crawler.stats

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Makes the middleware."""
        return cls(crawler)

    def process_spider_output(
        self, response: Response, result: Iterable[Any], spider: Spider | None = None
    ) -> Iterator[Any]:
        """Drops what the page does not want."""
        reasons = self._reasons(response)
        for one in result:
            if self._keeps(one, reasons):
                yield one

    async def process_spider_output_async(
        self, response: Response, result: AsyncIterator[Any], spider: Spider | None = None
    ) -> AsyncIterator[Any]:
        """Drops what the page does not want."""
        reasons = self._reasons(response)
        async for one in result:
            if self._keeps(one, reasons):
                yield one

    def _reasons(self, response: Response) -> frozenset[str]:
        """The words of ``ABIDE_OBEY`` that apply to a page."""
        decision = response.meta.get("abide")
        if not isinstance(decision, Decision):
            return frozenset()
        usages: dict[str, Usage] = {"noindex": "index", "nofollow": "follow", "train": "train"}
        said = {
            word
            for word in self._obeys
            if usages[word] in decision.usages
            and decision.outcome(usages[word]) in ("prohibited", "unknown")
        }
        return frozenset(said.difference(response.meta.get("abide_disobey", ())))

    def _keeps(self, one: object, reasons: frozenset[str]) -> bool:
        which = {"nofollow"} if isinstance(one, Request) else {"noindex", "train"}
        for reason in sorted(reasons & which):
            self._stats.inc_value(f"abide/dropped/{reason}")
            return False
        return True


class Addon:
    """Enables everything: ``ADDONS = {"abide_robots.scrapy.Addon": 500}``.

    ``ROBOTSTXT_OBEY = False`` in the settings of a project or spider switches it off.
    """

    def update_settings(self, settings: BaseSettings) -> None:
        """Puts the middlewares in their places."""
        settings.set("ROBOTSTXT_OBEY", True, "addon")
        settings.set("ROBOTSTXT_PARSER", "abide_robots.scrapy.RobotParser", "addon")
        listed = [_loaded(key) for key in settings.getdict(_DOWNLOADER)]
        own = RobotsMiddleware in listed
        for name in _DOWNLOADER_LISTS:
            _replace_stock(settings, name, None if own else RobotsMiddleware)
        lists = [settings.getdict(name) for name in _DOWNLOADER_LISTS]
        if not own and not any(RobotsMiddleware in components for components in lists):
            settings[_DOWNLOADER][RobotsMiddleware] = 100
        if TurnsMiddleware not in listed:
            settings[_DOWNLOADER][TurnsMiddleware] = _LAST
        spider = settings["SPIDER_MIDDLEWARES"]
        # Near the engine, so that it sees what all other middlewares make.
        spider.setdefault("abide_robots.scrapy.TagsMiddleware", 50)


def _middlewares(settings: BaseSettings) -> dict[type, int | None]:
    """The classes of the downloader middlewares, with their places."""
    return {
        _loaded(key): place
        for name in _DOWNLOADER_LISTS
        for key, place in settings.getdict(name).items()
    }


def _enabled(settings: BaseSettings) -> list[type]:
    return [kind for kind, place in _middlewares(settings).items() if place is not None]


def _has(enabled: list[type], kind: type) -> bool:
    return any(issubclass(one, kind) for one in enabled)


def _loaded(component: Any) -> type:
    """The class of a component. Scrapy says what is wrong with a path that leads nowhere, if the
    component is enabled.
    """
    try:
        kind = load_object(component)
    except (ImportError, NameError, ValueError):
        kind = None
    return kind if isinstance(kind, type) else object


def _replace_stock(
    settings: BaseSettings, name: str, replacement: type[RobotsMiddleware] | None
) -> None:
    """Replaces Scrapy's middleware whatever the priority of the setting, and keeps its place."""
    components = settings.getdict(name)
    stock = [key for key in components if _loaded(key) is RobotsTxtMiddleware]
    for key in stock:
        place = components.pop(key)
        if place is not None and replacement is not None:
            components[replacement] = place
    if stock:
        settings.set(name, components, settings.getpriority(name) or 0)
