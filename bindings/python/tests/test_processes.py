"""Pickle, threads, fork, and what importing costs."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import abide_robots
from abide_robots import Policy

BODY = b"User-agent: *\nDisallow: /x\n\nUser-agent: OtherBot\nDisallow: /\n"
URLS = [f"https://e.example/{'x' if n % 2 else 'y'}{n}" for n in range(200)]


@pytest.mark.parametrize(
    "policy",
    [
        Policy(BODY, "ExampleBot"),
        Policy(BODY, ["NewsBot", "OtherBot"], purposes=["EXAMPLE-PURPOSE-1"]),
        Policy(BODY, "Googlebot", known_robots=True, preferences={"vocabularies": ["rsl"]}),
        Policy(None, "ExampleBot", robots_error="dns"),
        Policy(None, "ExampleBot", robots_status=404),
        Policy(None, "ExampleBot"),
    ],
    ids=repr,
)
def test_policies_and_decisions_are_picklable(policy: Policy) -> None:
    for again in [pickle.loads(pickle.dumps(policy)), copy.deepcopy(policy)]:
        assert repr(again) == repr(policy)
        assert again.allows_many(URLS) == policy.allows_many(URLS)
        now = "2026-01-01T00:00:00Z"
        assert again.decide(URLS[0], now=now) == policy.decide(URLS[0], now=now)
    decision = policy.decide(URLS[1])
    again = pickle.loads(pickle.dumps(decision))
    assert again == decision
    assert (repr(again), again.explain(), again.line, again.statement, bool(again)) == (
        repr(decision),
        decision.explain(),
        decision.line,
        decision.statement,
        bool(decision),
    )


def test_exceptions_are_picklable() -> None:
    for call in [
        lambda: Policy("", "A").allows_many(["x"], errors="raise"),
        lambda: Policy("", "A", profile="x"),
        lambda: abide_robots.fmt("User-agent: *".encode("utf-16")),
    ]:
        with pytest.raises(abide_robots.AbideError) as caught:
            call()
        again = pickle.loads(pickle.dumps(caught.value))
        assert type(again) is type(caught.value)
        assert (str(again), vars(again)) == (str(caught.value), vars(caught.value))


def test_threads_share_a_policy() -> None:
    policy = Policy(BODY, "ExampleBot")
    expected = policy.allows_many(URLS)

    def ask(_: int) -> bool:
        single = [policy.allows(url) for url in URLS]
        decided = [bool(policy.decide(url)) for url in URLS]
        return single == decided == policy.allows_many(URLS) == expected

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(32)))


def test_other_threads_run_during_work() -> None:
    # The many URLs keep one call busy. A thread that holds the GIL would let nobody count.
    body = "User-agent: *\n" + "".join(f"Disallow: /*{n}*a*b*c$\n" for n in range(2_000))
    policy = Policy(body, "ExampleBot")
    urls = ["/" + "abc" * 200 + str(n) for n in range(300)] * 1_000
    with ThreadPoolExecutor(1) as pool:
        busy = pool.submit(policy.allows_many, urls)
        counted = 0
        while not busy.done():
            counted += 1
    assert len(busy.result()) == len(urls)
    assert counted > 1_000


def _ask_in_child(policy: Policy, urls: list[str], parent: int) -> list[bool | None]:
    assert os.getpid() != parent
    return policy.allows_many(urls)


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_child_processes(method: str) -> None:
    policy = Policy(BODY, "ExampleBot")
    with multiprocessing.get_context(method).Pool(2) as pool:
        answers = pool.starmap(_ask_in_child, [(policy, URLS, os.getpid())] * 4)
    assert answers == [policy.allows_many(URLS)] * 4


def test_importing_loads_no_other_library() -> None:
    code = (
        "import sys; before = set(sys.modules); import abide_robots; "
        "print(*sorted({name.partition('.')[0] for name in set(sys.modules) - before}))"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    # What tells sub-interpreters is a part of CPython, with a new name since 3.13.
    interpreters = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    assert loaded.stdout.split() == ["__future__", interpreters, "abide_robots", "atexit"]


def test_the_command_is_in_the_package() -> None:
    def run(*words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "abide_robots", *words], input=stdin, capture_output=True
        )

    assert run("--version").stdout == f"abide {abide_robots.__version__}\n".encode()
    check = run("check", "/x", "--agent", "ExampleBot", "--robots", "-", stdin=BODY)
    assert (check.returncode, b"line 2" in check.stdout) == (1, True)
    assert run("check").returncode == 2
    assert b"Usage: abide" in run("--help").stdout
