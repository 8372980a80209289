"""`RobotsCache` and `BlockingRobotsCache`, against servers that work and that fail."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import Answer, Site, Start

import abide_robots
from abide_robots import BlockingRobotsCache, InvalidOptionError, InvalidUrlError, RobotsCache, StoreError

AGENT = "ExampleBot/1.0 (+https://bot.example/)"


def blocking(**options: Any) -> BlockingRobotsCache:
    return BlockingRobotsCache(AGENT, allow_private=True, **options)


def test_blocking_and_asyncio_agree(site: Site) -> None:
    async def ask() -> list[bool]:
        cache = RobotsCache(AGENT, allow_private=True)
        return [await cache.allows(site.url + path) for path in ("/", "/private/x")]

    cache = blocking()
    assert [cache.allows(site.url + path) for path in ("/", "/private/x")] == [True, False]
    assert asyncio.run(ask()) == [True, False]
    assert site.fetches == 2  # one for each cache


def test_decisions_say_how_the_file_was_had(site: Site) -> None:
    async def ask() -> abide_robots.Decision:
        cache = RobotsCache(AGENT, allow_private=True)
        return await cache.decide(site.url + "/private/x", headers={"X-Robots-Tag": "noindex"})

    for decision in [asyncio.run(ask()), blocking().decide(site.url + "/private/x", headers={"X-Robots-Tag": "noindex"})]:
        assert (decision.allowed, decision.line) == (False, 2)
        assert decision.tags == {"noindex": True}
        assert decision.robots_url == site.url + "/robots.txt"
        assert decision.retrieval is not None and decision.retrieval["state"] == "fresh"
        assert len(decision.retrieval["sha256"]) == 64
        assert decision.url == site.url + "/private/x"


def test_the_url_is_the_one_that_is_requested(site: Site) -> None:
    decision = blocking().decide(f"HTTP://127.0.0.1:{site.port}/public/../private/x#top")
    assert not decision.allowed
    assert decision.url == site.url + "/private/x"


@pytest.mark.parametrize(
    ("answer", "allowed", "access"),
    [
        (Answer(404), True, "unavailable"),
        (Answer(403), True, "unavailable"),
        (Answer(500), False, "unreachable"),
        (Answer(503), False, "unreachable"),
        (Answer(429), False, "unreachable"),
        (Answer(200, b""), True, "rules"),
        (Answer(302, headers={"Location": "/elsewhere"}), True, "rules"),
        (Answer(302, headers={"Location": "/robots.txt"}), True, "unavailable"),
        (Answer(200, b"x", {"Content-Encoding": "gzip"}), False, "unreachable"),
    ],
    ids=lambda value: f"{value.status}" if isinstance(value, Answer) else str(value),
)
def test_statuses_mean_what_rfc_9309_says(start: Start, answer: Answer, allowed: bool, access: str) -> None:
    site = start({"/robots.txt": answer, "/elsewhere": b"User-agent: *\nDisallow: /x\n"})
    cache = blocking()
    assert (cache.allows(site.url + "/y"), cache.policy(site.url).access) == (allowed, access)


def test_sites_that_do_not_answer(start: Start, closed_port: int) -> None:
    cache = blocking(timeout=0.5)
    refused = cache.decide(f"http://127.0.0.1:{closed_port}/")
    assert not refused and "unreachable" in refused.reason
    assert refused.retrieval is not None and "unreachable_since" in refused.retrieval
    slow = start({"/robots.txt": Answer(delay=3)})
    assert not cache.allows(slow.url + "/")
    assert not cache.allows("http://no-such-host.invalid/")


def test_the_guard_is_on_by_default(site: Site) -> None:
    cache = BlockingRobotsCache(AGENT)
    decision = cache.decide(site.url + "/")
    assert not decision
    assert decision.reason == "robots.txt is unreachable (the address is refused)"
    assert not cache.allows(f"http://localhost:{site.port}/")
    assert site.requests == []


def test_each_file_is_fetched_once(start: Start) -> None:
    site = start({"/robots.txt": Answer(body=b"User-agent: *\nDisallow: /x\n", delay=0.3)})

    async def ask() -> list[bool]:
        cache = RobotsCache(AGENT, allow_private=True)
        urls = [f"{site.url}/{'x' if number % 2 else 'y'}{number}" for number in range(200)]
        return await asyncio.gather(*map(cache.allows, urls))

    before = threading.active_count()
    assert asyncio.run(ask()) == [True, False] * 100
    assert site.fetches == 1
    assert threading.active_count() <= before + 1
    # Not one thread for each call: what serves the sockets is a handful.
    threads = len(os.listdir("/proc/self/task"))
    asyncio.run(ask())
    assert len(os.listdir("/proc/self/task")) <= threads + 8


def test_asyncio_goes_on_while_a_site_is_slow(start: Start) -> None:
    slow = start({"/robots.txt": Answer(delay=1)})

    async def ask() -> int:
        cache = RobotsCache(AGENT, allow_private=True)
        question = asyncio.create_task(cache.allows(slow.url + "/"))
        turns = 0
        while not question.done():
            turns += 1
            await asyncio.sleep(0.01)
        return turns

    assert asyncio.run(ask()) > 10


def test_a_question_can_be_cancelled(start: Start) -> None:
    slow = start({"/robots.txt": Answer(delay=1)})

    async def ask() -> bool:
        cache = RobotsCache(AGENT, allow_private=True)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await cache.allows(slow.url + "/")
        return await cache.allows(slow.url + "/")

    assert asyncio.run(ask())


def test_one_cache_for_several_loops_and_threads(site: Site) -> None:
    cache = RobotsCache(AGENT, allow_private=True)
    for _ in range(3):
        assert asyncio.run(cache.allows(site.url + "/")) is True
    assert cache.blocking.allows(site.url + "/")
    answers: list[bool] = []
    threads = [threading.Thread(target=lambda: answers.append(cache.blocking.allows(site.url))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [True] * 8
    assert site.fetches == 1
    assert cache.sites in (0, 1) and "ExampleBot" in repr(cache)


def test_several_robots_share_the_files(start: Start) -> None:
    site = start({"/robots.txt": b"User-agent: OtherBot\nDisallow: /\n"})
    cache = RobotsCache(AGENT, allow_private=True)
    other = cache.for_agent("OtherBot")
    assert (other.agents, cache.agents) == (["OtherBot"], ["ExampleBot"])
    assert asyncio.run(cache.allows(site.url))
    assert not asyncio.run(other.allows(site.url))
    assert not other.blocking.decide(site.url)
    assert site.fetches == 1
    again = pickle.loads(pickle.dumps(other))
    assert again.agents == ["OtherBot"] and not asyncio.run(again.allows(site.url))


def test_another_robot_has_the_same_options(start: Start) -> None:
    body = b"User-agent: *\nAllow: /\nContent-Usage: train-ai=n\n"
    site = start({"/robots.txt": body})
    # Iterators can be read only once, and the arguments are needed again.
    cache = BlockingRobotsCache(
        "ExampleBot/1.0 (EXAMPLE-PURPOSE-1)",
        allow_private=True,
        preferences={},
        profile="google",
        purposes=iter(["EXAMPLE-PURPOSE-1"]),
    )
    for one in [cache, cache.for_agent("OtherBot"), pickle.loads(pickle.dumps(cache.for_agent(iter(["A", "B"]))))]:
        decision = one.decide(site.url + "/x")
        assert decision.outcome("train") == "prohibited", one
        assert decision.profile == "google"
    assert one.decide(site.url + "/x").agent == ["A", "B"]
    # Whatever a request sends is accepted as a name.
    assert cache.for_agent("Bot2").agents == ["Bot2"]


def test_policies_of_sites(site: Site, start: Start) -> None:
    cache = RobotsCache(AGENT, allow_private=True)
    policy = asyncio.run(cache.policy(site.url))
    assert policy.allows_many([site.url + "/", site.url + "/private/"]) == [True, False]
    assert policy.decide(site.url).retrieval is not None
    again = pickle.loads(pickle.dumps(policy))
    assert again.allows_many(["/", "/private/"]) == [True, False]
    for status in [404, 503]:
        failing = cache.blocking.policy(start({"/robots.txt": Answer(status)}).url)
        again = pickle.loads(pickle.dumps(failing))
        assert (again.access, again.allows("/x")) == (failing.access, failing.allows("/x"))


def test_files_survive_in_a_folder(site: Site, tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    cache = blocking(store=folder)
    assert not cache.allows(site.url + "/private/")
    del cache
    again = blocking(store=str(folder))
    assert not again.allows(site.url + "/private/")
    assert site.fetches == 1
    assert folder.stat().st_mode & 0o077 == 0
    # The command reads the same folder.
    del again
    words = ["cache", "show", str(folder), site.url]
    shown = subprocess.run([sys.executable, "-m", "abide_robots", *words], capture_output=True, text=True)
    assert (shown.returncode, str(site.port) in shown.stdout) == (0, True), shown.stderr


def test_caches_share_a_folder(start: Start, tmp_path: Path) -> None:
    sites = [start() for _ in range(6)]
    caches = [blocking(store=tmp_path) for _ in range(3)]
    for number, site in enumerate(sites):
        assert caches[number % 3].allows(site.url + "/")
    # Each uses what another one fetched, and what a process fetched beside them.
    other = start()
    program = (
        "import sys, abide_robots as a;"
        f"c = a.BlockingRobotsCache({AGENT!r}, allow_private=True, store=sys.argv[1]);"
        "print(*map(c.allows, sys.argv[2:]))"
    )
    words = [site.url + "/private/x" for site in [*sites, other]]
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path), *words], capture_output=True, text=True)
    assert (done.stdout.split(), done.stderr) == (["False"] * 7, "")
    for site in [*sites, other]:
        assert [cache.allows(site.url + "/private/x") for cache in caches] == [False] * 3
        assert site.fetches == 1


def test_processes_write_a_folder_at_once(start: Start, tmp_path: Path) -> None:
    sites = [start() for _ in range(8)]
    program = (
        "import sys, abide_robots as a;"
        f"c = a.BlockingRobotsCache({AGENT!r}, allow_private=True, store=sys.argv[1]);"
        "print(*(c.allows(url) for url in sys.argv[2:]))"
    )
    words = [site.url + "/private/x" for site in sites]
    orders = [words[place:] + words[:place] for place in (0, 2, 4, 6)]
    running = [
        subprocess.Popen([sys.executable, "-W", "error", "-c", program, str(tmp_path), *order], stdout=subprocess.PIPE, text=True)
        for order in orders
    ]
    answers = [process.communicate(timeout=60)[0].split() for process in running]
    assert answers == [["False"] * 8] * 4 and all(process.returncode == 0 for process in running)
    before = [site.fetches for site in sites]
    again = blocking(store=tmp_path)
    assert not any(again.allows(url) for url in words)
    assert [site.fetches for site in sites] == before


def test_a_folder_that_somebody_has_alone(site: Site, taken_folder: Path) -> None:
    with pytest.warns(RuntimeWarning, match="in use by another process.*not kept"):
        cache = blocking(store=taken_folder)
    assert cache.allows(site.url + "/")


def test_places_that_cannot_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(StoreError, match="folder"):
        blocking(store=file / "folder")
    (tmp_path / "robots.redb").write_bytes(b"no database" * 1_000)
    with pytest.raises(StoreError):
        blocking(store=tmp_path)
    # Taken for folders, these would be created, with the password in the name.
    monkeypatch.chdir(tmp_path)
    for name in ["mysql://host", "redis:/user:secret@host", "VALKEYS:host", "unix:/socket", ""]:
        with pytest.raises(InvalidOptionError) as caught:
            blocking(store=name)
        assert caught.value.argument == "store" and "secret" not in str(caught.value)
    assert {path.name for path in tmp_path.iterdir()} == {"file", "robots.redb"}


def test_a_fleet_shares_a_server(site: Site, valkey: str) -> None:
    for _ in range(3):
        assert not blocking(store=valkey).allows(site.url + "/private/")
    assert site.fetches == 1


def test_a_server_that_is_down_costs_fetches_and_no_answers(site: Site, closed_port: int) -> None:
    events: list[dict[str, str | None]] = []
    cache = blocking(store=f"redis://127.0.0.1:{closed_port}", observer=events.append)
    assert not cache.allows(site.url + "/private/")
    assert {"retrieved", "warning"} <= {event["event"] for event in events}


def test_observers(site: Site, closed_port: int) -> None:
    events: list[dict[str, str | None]] = []
    cache = blocking(observer=events.append)
    cache.allows(site.url)
    cache.allows(f"http://127.0.0.1:{closed_port}/")
    assert [(event["event"], event["status"]) for event in events] == [("retrieved", "200"), ("retrieved", None)]
    assert events[0]["url"] == site.url + "/robots.txt"
    assert events[1]["failure"]


def test_preferences_fetch_the_documents_beside_robots_txt(start: Start) -> None:
    tdmrep = b'[{"location": "/", "tdm-reservation": 1}]'
    site = start({"/.well-known/tdmrep.json": tdmrep})
    cache = blocking(preferences={"vocabularies": ["tdmrep"]})
    assert cache.decide(site.url + "/").outcome("train") == "prohibited"
    assert "/.well-known/tdmrep.json" in site.requests
    given = {"tdmrep": {"status": 404}}
    assert cache.decide(site.url + "/", preferences=given).outcome("train") == "unspecified"


def _child(cache: BlockingRobotsCache, url: str, answers: Any) -> None:
    answers.put([cache.allows(url + path) for path in ("/", "/private/")])


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_child_processes_have_their_own_connections(site: Site, method: str) -> None:
    cache = blocking()
    assert cache.allows(site.url + "/")
    context = multiprocessing.get_context(method)
    answers = context.SimpleQueue()
    child = context.Process(target=_child, args=(cache, site.url, answers))
    child.start()
    assert answers.get() == [True, False]
    child.join()
    assert child.exitcode == 0
    assert cache.allows(site.url + "/")
    assert site.fetches == 2


def test_ctrl_c_ends_a_wait(start: Start) -> None:
    slow = start({"/robots.txt": Answer(delay=5)})
    # Processes that a shell starts in the background ignore the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        timer = threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT])
        timer.start()
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            blocking().allows(slow.url)
        assert time.monotonic() - began < 4
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("url", ["/x", "example.com", "ftp://example.com/", ""])
def test_bad_urls(url: str) -> None:
    cache = RobotsCache(AGENT)
    for ask in [cache.blocking.allows, cache.blocking.decide, cache.blocking.policy]:
        with pytest.raises(InvalidUrlError):
            ask(url)
    with pytest.raises(InvalidUrlError):
        asyncio.run(cache.allows(url))


@pytest.mark.parametrize(
    ("options", "argument"),
    [
        ({"user_agent": ""}, "user_agent"),
        ({"user_agent": "Bot/1.0\n"}, "user_agent"),
        ({"user_agent": "Mozilla/5.0"}, "user_agent"),
        ({"agent": "OtherBot"}, "user_agent"),
        ({"timeout": -1}, "timeout"),
        ({"timeout": 0}, "timeout"),
        ({"memory": -1}, "memory"),
        ({"max_lifetime": float("nan")}, "max_lifetime"),
        ({"acap": {"mode": "x"}}, "acap"),
        ({"profile": "x"}, "profile"),
    ],
)
def test_mistakes_show_at_once(options: dict[str, Any], argument: str) -> None:
    with pytest.raises(InvalidOptionError) as caught:
        RobotsCache(**{"user_agent": AGENT, **options})
    assert caught.value.argument == argument


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("store", 5),
        ("allow_private", "yes"),
        ("memory", "1 GB"),
        ("timeout", "30s"),
        ("max_lifetime", "1h"),
        ("grace", []),
    ],
)
def test_wrong_types_name_the_argument(argument: str, value: object) -> None:
    found = type(value).__name__
    with pytest.raises(TypeError, match=f"^argument '{argument}': expected a .*, but found {found}$"):
        RobotsCache(AGENT, **{argument: value})


def test_an_interpreter_ends_with_questions_under_way(start: Start) -> None:
    slow = start({"/robots.txt": Answer(delay=2)})
    program = (
        "import asyncio, abide_robots\n"
        f"cache = abide_robots.RobotsCache({AGENT!r}, allow_private=True, observer=print)\n"
        "async def main():\n"
        f"    asyncio.ensure_future(cache.allows('{slow.url}/'))\n"
        "    await asyncio.sleep(0.2)\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stderr) == (0, "")
