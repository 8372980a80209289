"""The drop-ins: the test suites of the originals, and what these do not test."""

from __future__ import annotations

import datetime
import http.server
import pickle
import re
import subprocess
import sys
import tarfile
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from abide_robots import Policy
from abide_robots.compat.protego import Protego, RequestRate, VisitTime
from abide_robots.compat.robotparser import RobotFileParser

HERE = Path(__file__).parent
DIFFERENCES = HERE.parents[2] / "docs" / "drop-ins.md"


def listed(section: str) -> list[str]:
    """The tests in the table of a section of the page about differences."""
    text = DIFFERENCES.read_text().partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    return sorted(re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE))


def outcome(program: str, *arguments: str) -> tuple[list[str], int]:
    """The tests that fail, and how many pass."""
    words = [sys.executable, str(HERE / program), *arguments]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    failed = [line.removeprefix("failed: ") for line in lines if line.startswith("failed: ")]
    passed = [line.removeprefix("passed: ") for line in lines if line.startswith("passed: ")]
    return sorted(failed), int(passed[0])


@pytest.fixture(scope="session")
def protego_sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Protego's source distribution, from PyPI."""
    folder = tmp_path_factory.mktemp("protego")
    words = ["download", "-q", "--no-deps", "--no-binary", ":all:", "-d", str(folder), "protego==0.7.0"]
    subprocess.run([sys.executable, "-m", "pip", *words], check=True)
    archive = next(folder.glob("*.tar.gz"))
    with tarfile.open(archive) as sources:
        sources.extractall(folder, filter="data")
    return next(path for path in folder.iterdir() if path.is_dir())


def test_the_suite_of_protego(protego_sources: Path) -> None:
    failed, passed = outcome("suite_of_protego.py", str(protego_sources))
    assert failed == listed("Protego")
    assert passed > 4_000


def test_the_suite_of_robotparser() -> None:
    failed, passed = outcome("suite_of_robotparser.py")
    assert failed == listed("urllib.robotparser")
    assert passed > 50


def test_protego_answers_and_more() -> None:
    robots = Protego.parse(
        "User-agent: *\nDisallow: /x\nCrawl-delay: 2\nRequest-rate: 1/10m 0600-0845\n"
        "Visit-time: 0200-0630\nHost: e.example\nSitemap: https://e.example/s.xml\n"
    )
    assert not robots.can_fetch("https://e.example/x", "Mozilla/5.0 (compatible; ExampleBot/1.0)")
    assert robots.can_fetch(url="https://e.example/y", user_agent="ExampleBot")
    morning = (datetime.time(6), datetime.time(8, 45))
    assert robots.request_rate("A") == RequestRate(1, 600, *morning)
    assert robots.visit_time("A") == VisitTime(datetime.time(2), datetime.time(6, 30))
    assert robots.preferred_host == "e.example"
    assert list(robots.sitemaps) == ["https://e.example/s.xml"]
    assert isinstance(robots.policy("ExampleBot"), Policy)
    assert robots.policy("ExampleBot").decide("/x").line == 2


@pytest.mark.parametrize("agent", ["", "*", " ", "a b c", "(x)", "Googlebot*", "\u00fc", "a" * 10_000])
def test_any_text_is_a_robot(agent: str) -> None:
    robots = Protego.parse("User-agent: *\nDisallow: /x\n")
    assert not robots.can_fetch("https://e.example/x", agent)
    parser = RobotFileParser()
    parser.parse(["User-agent: *", "Disallow: /x"])
    assert not parser.can_fetch(agent, "https://e.example/x")


def test_a_group_for_a_product_of_the_line_binds() -> None:
    chrome = "Mozilla/5.0 (Windows NT 10.0) Chrome/120.0 Safari/537.36"
    nutch = "MyCrawler/Nutch-1.19"
    for name, line in [("Mozilla", chrome), ("MyCrawler", nutch), ("Nutch", nutch)]:
        body = f"User-agent: {name}\nDisallow: /\n\nUser-agent: *\nAllow: /\n"
        assert not Protego.parse(body).can_fetch("/x", line)
        parser = RobotFileParser()
        parser.parse(body.splitlines())
        assert not parser.can_fetch(line, "/x")


def test_rules_behind_the_limit_count() -> None:
    body = "User-agent: *\n" + f"Disallow: /filler/{'a' * 50}\n" * 9_000 + "Disallow: /secret\n"
    assert len(body) > 512_000
    robots = Protego.parse(body)
    assert not robots.can_fetch("/secret", "B")
    assert robots.can_fetch("/open", "B")
    assert pickle.loads(pickle.dumps(robots.policy("B"))).allows("/secret") is False
    parser = RobotFileParser()
    parser.parse(body.splitlines())
    assert not parser.can_fetch("B", "/secret")
    assert Policy(body, "B").allows("/secret")


def test_a_request_is_a_url(site: str) -> None:
    request = urllib.request.Request(f"{site}/200/robots.txt", headers={"User-Agent": "A"})
    parser = RobotFileParser(request)
    assert (parser.host, parser.path) == (site.removeprefix("http://"), "/200/robots.txt")
    parser.read()
    assert not parser.can_fetch("A", "/x")


def test_many_robots_do_not_fill_the_memory() -> None:
    robots = Protego.parse("User-agent: *\nDisallow: /x\n")
    for number in range(1_000):
        robots.can_fetch("/", f"Bot{number}")
    assert len(robots._robots._policies) <= 64


class Site(http.server.BaseHTTPRequestHandler):
    """A site whose robots.txt has the status that its path begins with."""

    def do_GET(self) -> None:
        self.send_response(int(self.path.split("/")[1]))
        self.end_headers()
        self.wfile.write(b"User-agent: *\nDisallow: /x\n")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("status", "page", "hidden"),
    [(200, True, False), (404, True, True), (403, True, True), (500, False, False), (503, False, False)],
)
def test_robotparser_reads_statuses(site: str, status: int, page: bool, hidden: bool) -> None:
    parser = RobotFileParser(f"{site}/{status}/robots.txt")
    assert not parser.can_fetch("A", "/y")  # not read yet
    parser.read()
    assert (parser.can_fetch("A", "/y"), parser.can_fetch("A", "/x")) == (page, hidden)


def test_robotparser_without_an_answer() -> None:
    parser = RobotFileParser("http://127.0.0.1:1/robots.txt")
    with pytest.raises(OSError):
        parser.read()
    assert not parser.can_fetch("A", "/y")
    assert parser.mtime() == 0
