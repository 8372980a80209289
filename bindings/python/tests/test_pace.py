"""Turns to visit sites: `RobotsCache(pace=…)`."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest
import trio
from conftest import Answer, Site, Start

from abide_robots import (
    BlockingRobotsCache,
    InvalidOptionError,
    InvalidUrlError,
    NoTurnError,
    RobotsCache,
    Visit,
)

AGENT = "ExampleBot/1.0 (+https://bot.example/)"
SLOW = b"User-agent: *\nDisallow: /private/\nCrawl-delay: 0.4\n"


async def times(robots: RobotsCache, urls: list[str], held: float = 0.0) -> list[tuple[float, float]]:
    """Visits each URL in a task of its own; when each visit began and ended."""
    found = []

    async def visit(url: str) -> None:
        visit = await robots.turn(url)
        assert visit is not None and visit.url == url
        with visit:
            began = time.monotonic()
            await asyncio.sleep(held)
            visit.answered(200)
            found.append((began, time.monotonic()))

    await asyncio.gather(*map(visit, urls))
    return sorted(found)


def test_a_delay_counts_from_the_end_of_a_visit(start: Start) -> None:
    site = start({"/robots.txt": SLOW})
    robots = RobotsCache(AGENT, allow_private=True, pace={"min_delay": 0.0})
    found = asyncio.run(times(robots, [f"{site.url}/{number}" for number in range(4)], held=0.1))
    rests = [began - ended for (_, ended), (began, _) in zip(found, found[1:], strict=False)]
    assert len(rests) == 3 and all(rest >= 0.39 for rest in rests), rests
    assert site.requests == ["/robots.txt"]


def test_other_robots_share_the_pace(start: Start) -> None:
    site = start({"/robots.txt": b"User-agent: other\nCrawl-delay: 0.4\n\nUser-agent: *\nCrawl-delay: 0.2\n"})
    robots = RobotsCache(AGENT, allow_private=True, pace={"min_delay": 0.0})
    other = robots.for_agent("Other")

    async def main() -> list[float]:
        began = []
        for cache in (robots, other, robots):
            visit = await cache.turn(f"{site.url}/x")
            assert visit is not None
            began.append(time.monotonic())
            visit.end()
        return began

    first, second, third = asyncio.run(main())
    # The longest delay that any robot of the pacer is asked for.
    assert second - first >= 0.19 and third - second >= 0.39


def test_what_is_not_allowed_gets_no_visit(start: Start) -> None:
    site, closed = start({"/robots.txt": SLOW}), start({"/robots.txt": Answer(503)})
    robots = BlockingRobotsCache(AGENT, allow_private=True, pace={"min_delay": 0.0})
    assert robots.turn(f"{site.url}/private/x") is None and robots.turn(f"{closed.url}/x") is None
    visit = robots.turn(f"{site.url}/public/../x")
    assert visit is not None and visit.url == f"{site.url}/x"


def test_how_a_visit_went(site: Site) -> None:
    robots = BlockingRobotsCache(AGENT, allow_private=True, pace={"min_delay": 0.2})

    def visit(number: int) -> Visit:
        visit = robots.turn(f"{site.url}/{number}")
        assert visit is not None
        return visit

    first = visit(1)
    assert "goes on" in repr(first)
    first.answered(200, {"Content-Type": "text/html"})
    assert first.end() == pytest.approx(0.2, abs=0.05)
    # It ends once.
    assert first.end() == 0 and "has ended" in repr(first)
    with pytest.raises(RuntimeError, match="the visit has ended"):
        first.answered(200)
    second = visit(2)
    second.answered(429, [("Retry-After", b"1")])
    assert second.end() >= 1
    third = visit(3)
    with pytest.raises(ValueError, match="expected a final code"):
        third.answered(99)
    third.failed()
    # A failing site is visited less often.
    assert third.end() > 0.2


def test_an_exception_is_a_failure(site: Site) -> None:
    robots = BlockingRobotsCache(AGENT, allow_private=True, pace={"min_delay": 0.1})

    def rest_after(error: BaseException) -> float:
        visit = robots.turn(f"{site.url}/x")
        assert visit is not None
        with pytest.raises(type(error)), visit:
            raise error
        began = time.monotonic()
        after = robots.turn(f"{site.url}/y")
        assert after is not None
        after.answered(200)
        after.end()
        return time.monotonic() - began

    assert rest_after(ConnectionError()) >= 0.19
    # What ends a program is not.
    assert rest_after(KeyboardInterrupt()) >= 0.09


def test_a_visit_that_is_forgotten_ends(site: Site) -> None:
    robots = BlockingRobotsCache(AGENT, allow_private=True, pace={"min_delay": 0.0})
    for _ in range(3):
        assert robots.turn(f"{site.url}/x") is not None


def test_who_stops_waiting_leaves_no_trace(start: Start) -> None:
    site = start({"/robots.txt": SLOW})
    robots = RobotsCache(AGENT, allow_private=True, pace={"min_delay": 0.0})

    async def main() -> None:
        held = await robots.turn(f"{site.url}/1")
        assert held is not None
        waiting = asyncio.ensure_future(robots.turn(f"{site.url}/2"))
        await asyncio.sleep(0.05)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        held.end()
        assert await asyncio.wait_for(robots.turn(f"{site.url}/3"), 30) is not None

    asyncio.run(main())


def test_trio_and_threads(start: Start) -> None:
    site = start({"/robots.txt": SLOW})
    robots = RobotsCache(AGENT, allow_private=True, pace={"min_delay": 0.0})
    visits: list[Visit | None] = []

    async def main() -> None:
        visits.append(await robots.turn(f"{site.url}/1"))

    trio.run(main)
    thread = threading.Thread(target=lambda: visits.append(robots.blocking.turn(f"{site.url}/2")))
    thread.start()
    assert visits[0] is not None
    visits[0].end()
    thread.join()
    assert visits[1] is not None


def test_what_an_operator_learns(start: Start) -> None:
    site = start({"/robots.txt": b"User-agent: *\nCrawl-delay: 900\n"})
    events: list[dict[str, Any]] = []
    capped = BlockingRobotsCache(AGENT, allow_private=True, observer=events.append, pace={"max_delay": 0.1, "min_delay": 0.0})
    assert capped.turn(f"{site.url}/1") is not None
    [event] = [event for event in events if event["event"] == "pace"]
    assert "asks for a Crawl-delay of 900 s. It is visited every 0.1 s" in event["message"]
    skipping = BlockingRobotsCache(AGENT, allow_private=True, pace={"above_max": "skip", "min_delay": 0.0})
    with pytest.raises(NoTurnError, match=r"above 300 s, and is skipped \(pace.above_max\)"):
        skipping.turn(f"{site.url}/1")


def test_a_client_of_the_program() -> None:
    asked: list[str] = []

    async def fetch(url: str, headers: dict[str, str]) -> tuple[int, dict[str, str], bytes]:
        asked.append(url)
        return 200, {}, SLOW

    async def main() -> None:
        async with RobotsCache(AGENT, fetch=fetch, pace={"min_delay": 0.0}) as robots:
            assert await robots.turn("https://news.example/page") is not None
            assert await robots.turn("https://news.example/private/x") is None

    asyncio.run(main())
    assert asked == ["https://news.example/robots.txt"]


@pytest.mark.parametrize(
    ("pace", "error", "words"),
    [
        (True, TypeError, "argument 'pace': expected a dict of settings"),
        ({"delay": 1}, InvalidOptionError, "pace: expected min_delay, max_delay, max_rest, above_max, key or member, but found \"delay\""),
        ({"min_delay": -1}, InvalidOptionError, "pace.min_delay: expected seconds from 0"),
        ({"min_delay": float("nan")}, InvalidOptionError, "pace.min_delay: expected seconds from 0"),
        ({"max_delay": "1"}, TypeError, "argument 'pace.max_delay': expected a number of seconds"),
        ({"above_max": "stop"}, InvalidOptionError, "pace.above_max: expected one of cap, skip, obey, but found 'stop'"),
        ({"max_rest": -1}, InvalidOptionError, "pace.max_rest: expected seconds from 0"),
        ({"member": 1}, TypeError, "argument 'pace.member': expected text such as '0/3'"),
        ({"member": "3/3"}, InvalidOptionError, "pace.member: expected a number and how many there are, such as 0/3"),
        ({"member": "0/3"}, InvalidOptionError, "pace.member: has no effect without a server: set store to one"),
        ({"key": None}, InvalidOptionError, "pace.key: expected one of origin, host, domain, but found None"),
    ],
)
def test_bad_settings(pace: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error) as raised:
        RobotsCache(AGENT, pace=pace)
    assert words in str(raised.value)


def test_bad_questions() -> None:
    with pytest.raises(InvalidOptionError, match="pace: expected settings, such as {}"):
        BlockingRobotsCache(AGENT).turn("https://news.example/")
    with pytest.raises(InvalidUrlError):
        BlockingRobotsCache(AGENT, pace={}).turn("news.example")
