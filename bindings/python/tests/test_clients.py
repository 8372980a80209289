"""`RobotsCache(fetch=…)`, and clients that ask it: httpx with asyncio and trio, and aiohttp."""

from __future__ import annotations

import asyncio
import gc
import gzip
import pickle
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import httpx
import pytest
import trio
from conftest import RULES, Answer, Site, Start

import abide_robots.aiohttp
import abide_robots.httpx
from abide_robots import BlockingRobotsCache, DisallowedError, FetchError, InvalidOptionError, RobotsCache
from abide_robots.httpx import RobotsTransport

AGENT = "ExampleBot/1.0 (+https://bot.example/)"
RUNS: dict[str, Callable[[Callable[[], Awaitable[Any]]], Any]] = {
    "asyncio": lambda main: asyncio.run(main()),  # type: ignore[arg-type]
    "trio": trio.run,
}
Response = tuple[int, Any, bytes]


class Fetched:
    """A client with answers, which notes what it was asked."""

    def __init__(self, answers: dict[str, Any]) -> None:
        self.answers = answers
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.cancelled = 0

    async def __call__(self, url: str, headers: dict[str, str]) -> Any:
        self.asked.append((url, headers))
        answer = self.answers.get(url, (404, {}, b""))
        if isinstance(answer, BaseException):
            raise answer
        if answer == "never":
            try:
                await (trio.sleep_forever() if trio.lowlevel.in_trio_run() else asyncio.sleep(100))
            finally:
                self.cancelled += 1
        return answer


@pytest.fixture(params=RUNS)
def run(request: pytest.FixtureRequest) -> Callable[[Callable[[], Awaitable[Any]]], Any]:
    return RUNS[request.param]


def test_one_hop_at_a_time(run: Any) -> None:
    fetch = Fetched(
        {
            "https://e.example/robots.txt": (301, {"Location": "https://www.e.example/r"}, b""),
            "https://www.e.example/r": (200, [(b"ETag", b'"1"')], RULES),
            "https://e.example/.well-known/tdmrep.json": (302, {"location": "/private/t"}, b""),
        }
    )

    async def main() -> None:
        async with RobotsCache(AGENT, fetch=fetch, preferences={}) as robots:
            assert await robots.allows("https://e.example/page")
            decision = await robots.decide("https://e.example/private/x")
            assert (decision.allowed, decision.line) == (False, 2)
            assert (await robots.policy("https://other.example/")).access == "unavailable"
            # A document is subject to robots.txt, and so is the target of its redirect.
            assert (await robots.decide("https://e.example/page")).allowed
            assert await robots.for_agent("OtherBot").allows("https://e.example/page")

    run(main)
    urls = [url for url, _ in fetch.asked]
    assert urls[:2] == ["https://e.example/robots.txt", "https://www.e.example/r"]
    assert len(urls) == len(set(urls)) and "https://e.example/private/t" not in urls
    assert "https://e.example/.well-known/tdmrep.json" in urls
    assert all(headers == {"User-Agent": AGENT} for _, headers in fetch.asked)


def test_many_tasks_share_a_request(run: Any) -> None:
    fetch = Fetched({f"https://{name}.example/robots.txt": (200, {}, RULES) for name in "abc"})
    urls = [f"https://{name}.example/private/{number}" for name in "abc" for number in range(30)]
    answers: list[bool] = []

    async def main() -> None:
        robots = RobotsCache(AGENT, fetch=fetch)

        async def ask(url: str) -> None:
            answers.append(await robots.allows(url))

        if trio.lowlevel.in_trio_run():
            async with trio.open_nursery() as nursery:
                for url in urls:
                    nursery.start_soon(ask, url)
        else:
            await asyncio.gather(*map(ask, urls))

    run(main)
    assert answers == [False] * 90 and len(fetch.asked) == 3


FAILURES: list[tuple[Any, str]] = [
    (FetchError("who knows", "dns"), "the name did not resolve"),
    (TimeoutError(), "no answer in time"),
    (httpx.ConnectTimeout("slow"), "no answer in time"),
    (ConnectionRefusedError(111, "refused"), "no connection"),
    (httpx.ConnectError("refused"), "no connection"),
    (aiohttp.ClientPayloadError("short"), "the body ended early"),
    (aiohttp.ClientConnectorDNSError(None, OSError()), "the name did not resolve"),  # type: ignore[arg-type]
    (ValueError("x"), "unreadable answer"),
    ((503, {}, b""), "HTTP status 503"),
    ((999, {}, b""), "HTTP status 999"),
    ((302, {}, b""), "redirect"),
    ((302, {"Location": "file:///etc/passwd"}, b""), "redirect"),
]


@pytest.mark.parametrize(("answer", "reason"), FAILURES, ids=lambda value: type(value).__name__)
def test_what_failures_mean(answer: Any, reason: str) -> None:
    fetch = Fetched({"https://e.example/robots.txt": answer})

    async def main() -> None:
        robots = RobotsCache(AGENT, fetch=fetch)
        decision = await robots.decide("https://e.example/x")
        assert not decision.allowed and reason in decision.reason, decision.reason
        assert not await robots.allows("https://e.example/y")

    asyncio.run(main())
    # What fails is not asked for again at once.
    assert len(fetch.asked) == 1


@pytest.mark.parametrize("answer", [None, 5, (200,), (200, {}, None), ("200", {}, b""), (99, {}, b""), (200, 7, b"")])
def test_a_fetch_that_returns_no_response(answer: Any, caplog: pytest.LogCaptureFixture, run: Any) -> None:
    fetch = Fetched({"https://e.example/robots.txt": answer})

    async def main() -> None:
        robots = RobotsCache(AGENT, fetch=fetch)
        assert not await robots.allows("https://e.example/x")
        assert not await robots.allows("https://e.example/x")

    run(main)
    # A mistake of the program says nothing about the site, so it is asked again.
    assert len(fetch.asked) == 2 and "fetch returned no response" in caplog.text


def test_a_request_that_hangs_is_cancelled(run: Any) -> None:
    fetch = Fetched({"https://e.example/robots.txt": "never"})
    threads = threading.active_count()

    async def main() -> None:
        robots = RobotsCache(AGENT, fetch=fetch, timeout=0.5)
        began = time.monotonic()
        decision = await robots.decide("https://e.example/x")
        assert "no answer in time" in decision.reason and time.monotonic() - began < 5
        while not fetch.cancelled:
            await (trio.sleep(0.01) if trio.lowlevel.in_trio_run() else asyncio.sleep(0.01))

    run(main)
    assert fetch.cancelled == 1 and threading.active_count() <= threads + 1


def test_closing_breaks_requests_off() -> None:
    fetch = Fetched({"https://e.example/robots.txt": "never"})

    async def main() -> None:
        async with RobotsCache(AGENT, fetch=fetch) as robots:
            asked = asyncio.ensure_future(robots.decide("https://e.example/x"))
            while not fetch.asked:
                await asyncio.sleep(0.01)
        decision = await asyncio.wait_for(asked, 5)
        assert not decision.allowed
        with pytest.raises(RuntimeError, match="the cache is closed"):
            await robots.allows("https://e.example/x")
        assert len(asyncio.all_tasks()) == 1
        # Without fetch there is nothing to close.
        async with RobotsCache(AGENT) as robots:
            pass
        assert not await robots.allows("http://127.0.0.1/")

    asyncio.run(main())
    assert fetch.cancelled == 1


def test_another_event_loop() -> None:
    fetch = Fetched({"https://a.example/robots.txt": (200, {}, RULES)})
    robots = RobotsCache(AGENT, fetch=fetch)
    for name in ("a", "b"):
        assert asyncio.run(robots.allows(f"https://{name}.example/x"))  # type: ignore[arg-type]
    assert trio.run(robots.allows, "https://c.example/x")
    assert len(fetch.asked) == 3


def test_a_cache_with_fetch_is_pickled_with_it() -> None:
    robots = pickle.loads(pickle.dumps(RobotsCache(AGENT, fetch=pickled_fetch)))
    assert not asyncio.run(robots.allows("https://e.example/private/x"))


async def pickled_fetch(url: str, headers: dict[str, str]) -> Response:
    return 200, {}, RULES


def test_mistakes() -> None:
    with pytest.raises(TypeError, match="argument 'fetch': expected a coroutine function"):
        RobotsCache(AGENT, fetch=5)  # type: ignore[arg-type]
    with pytest.raises(InvalidOptionError, match="fetch: only RobotsCache"):
        BlockingRobotsCache(AGENT, fetch=pickled_fetch)
    with pytest.raises(InvalidOptionError, match="fetch: a coroutine function"):
        _ = RobotsCache(AGENT, fetch=pickled_fetch).blocking
    with pytest.raises(InvalidOptionError, match="user_agent"):
        RobotsCache("ExampleBot/1.0\r\nCookie: x", agent="ExampleBot", fetch=pickled_fetch)
    with pytest.raises(TypeError, match="argument 'transport'"):
        abide_robots.httpx.fetch_with(RobotsTransport(RobotsCache(AGENT)))


def test_private_addresses_are_refused_at_every_hop() -> None:
    to = {"https://e.example/robots.txt": (302, {"Location": "http://169.254.169.254/latest"}, b"")}
    fetch = Fetched(to)

    async def main() -> None:
        robots = RobotsCache(AGENT, fetch=fetch)
        for url in ("https://e.example/", "http://127.0.0.1/", "http://[::1]/", "http://localhost/", "http://e.example:25/"):
            assert not await robots.allows(url), url

    asyncio.run(main())
    assert [url for url, _ in fetch.asked] == ["https://e.example/robots.txt"]


def pages(start: Start) -> tuple[Site, Site]:
    """Two sites, of which the first redirects to a page of the other that is not allowed."""
    other = start()
    to = Answer(302, b"", {"Location": other.url + "/private/x"})
    return start({"/robots.txt": RULES, "/page": Answer(), "/moved": to}), other


@pytest.mark.parametrize("own", [True, False])
def test_httpx(run: Any, start: Start, own: bool) -> None:
    site, other = pages(start)

    async def main() -> None:
        network = httpx.AsyncHTTPTransport()
        fetch = abide_robots.httpx.fetch_with(network) if own else None
        robots = RobotsCache(AGENT, allow_private=True, fetch=fetch)
        async with httpx.AsyncClient(transport=RobotsTransport(robots, network)) as client:
            response = await client.get(site.url + "/page")
            assert response.text == "page" and response.extensions["abide"].allowed
            with pytest.raises(DisallowedError, match='line 2, "Disallow: /private/"|Disallow: /private/') as refused:
                await client.get(site.url + "/private/x")
            assert isinstance(refused.value, httpx.RequestError)
            assert (refused.value.decision.line, str(refused.value.request.url)) == (2, site.url + "/private/x")
            with pytest.raises(abide_robots.httpx.RobotsDisallowed):
                await client.get(site.url + "/moved", follow_redirects=True)

    run(main)
    assert site.requests == ["/robots.txt", "/page", "/moved"]
    assert other.requests == ["/robots.txt"]


@pytest.mark.parametrize("own", [True, False])
def test_aiohttp(start: Start, own: bool) -> None:
    site, other = pages(start)

    async def main() -> None:
        async with aiohttp.ClientSession() as plain:
            fetch = abide_robots.aiohttp.fetch_with(plain) if own else None
            robots = RobotsCache(AGENT, allow_private=True, fetch=fetch)
            middleware = abide_robots.aiohttp.RobotsMiddleware(robots)
            async with aiohttp.ClientSession(middlewares=[middleware]) as session:
                async with session.get(site.url + "/page") as response:
                    assert await response.text() == "page"
                with pytest.raises(DisallowedError, match="Disallow: /private/") as refused:
                    await session.get(site.url + "/private/x")
                assert isinstance(refused.value, aiohttp.ClientError) and refused.value.decision.line == 2
                with pytest.raises(abide_robots.aiohttp.RobotsDisallowed):
                    await session.get(site.url + "/moved")

    asyncio.run(main())
    assert site.requests == ["/robots.txt", "/page", "/moved"]
    assert other.requests == ["/robots.txt"]


LONG = RULES + b"#" * 30_000_000
BODIES = {
    "long": (LONG, {}),
    "bomb": (gzip.compress(LONG), {"Content-Encoding": "gzip"}),
    "gzip": (gzip.compress(RULES), {"Content-Encoding": "gzip"}),
}


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("library", ["httpx", "aiohttp"])
def test_bodies_are_unpacked_and_bounded(start: Start, body: str, library: str) -> None:
    site = start({"/robots.txt": Answer(200, *BODIES[body])})

    async def main() -> None:
        async with aiohttp.ClientSession() as session, httpx.AsyncHTTPTransport() as network:
            if library == "httpx":
                fetch = abide_robots.httpx.fetch_with(network)
            else:
                fetch = abide_robots.aiohttp.fetch_with(session)
            assert len((await fetch(site.url + "/robots.txt", {}))[2]) == (512_001 if body != "gzip" else len(RULES))
            robots = RobotsCache(AGENT, allow_private=True, fetch=fetch)
            decision = await robots.decide(site.url + "/private/x")
            assert (decision.allowed, decision.line) == (False, 2)
            assert decision.retrieval is not None and decision.retrieval.get("cut", False) is (body != "gzip")

    asyncio.run(main())
    gc.collect()
    assert site.sent < 25_000_000


@pytest.mark.parametrize("library", ["httpx", "aiohttp"])
def test_failures_of_the_network(start: Start, closed_port: int, library: str) -> None:
    reset, short = start({"/robots.txt": Answer(raw=b"")}), b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"
    cut = start({"/robots.txt": Answer(raw=short + RULES)})
    reasons = {
        f"http://127.0.0.1:{closed_port}/": "no connection",
        "http://no-such-host.invalid/": "the name did not resolve",
        reset.url + "/": "unreadable answer",
        cut.url + "/": "",
    }

    async def main() -> None:
        async with aiohttp.ClientSession() as session, httpx.AsyncHTTPTransport() as network:
            if library == "httpx":
                fetch = abide_robots.httpx.fetch_with(network)
            else:
                fetch = abide_robots.aiohttp.fetch_with(session)
            robots = RobotsCache(AGENT, allow_private=True, fetch=fetch)
            for url, reason in reasons.items():
                decision = await robots.decide(url)
                assert not decision.allowed and "unreachable" in decision.reason, url
                assert reason in decision.reason, (url, decision.reason)

    asyncio.run(main())


def test_a_proxy_of_httpx(start: Start) -> None:
    proxy = start({"http://news.invalid/robots.txt": RULES, "http://news.invalid/page": Answer()})

    async def main() -> None:
        network = httpx.AsyncHTTPTransport(proxy=proxy.url)
        robots = RobotsCache(AGENT, fetch=abide_robots.httpx.fetch_with(network))
        async with httpx.AsyncClient(transport=RobotsTransport(robots, network)) as client:
            assert (await client.get("http://news.invalid/page")).status_code == 200

    asyncio.run(main())
    assert proxy.requests == ["http://news.invalid/robots.txt", "http://news.invalid/page"]


def test_a_proxy_of_aiohttp(start: Start) -> None:
    proxy = start({"http://news.invalid/robots.txt": RULES})

    async def main() -> None:
        async with aiohttp.ClientSession() as session:
            fetch = abide_robots.aiohttp.fetch_with(session, proxy=proxy.url)
            robots = RobotsCache(AGENT, fetch=fetch)
            assert not await robots.allows("http://news.invalid/private/x")

    asyncio.run(main())
    assert proxy.requests == ["http://news.invalid/robots.txt"]
