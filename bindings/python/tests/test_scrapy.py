"""Scrapy, its oldest supported and its newest version: crawls of local servers, and its own tests."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import Answer, Crawler, Site, Start

import abide_robots


def test_allowed_and_forbidden_pages(crawl: Crawler, site: Site) -> None:
    allowed, forbidden = site.url + "/page", site.url + "/private/x"
    done = crawl(allowed, forbidden)
    assert list(done["pages"]) == [allowed]
    reason = 'line 2: "Disallow: /private/", the only rule that matches (9 bytes)'
    assert done["ignored"] == {forbidden: f"IgnoreRequest: Forbidden by robots.txt: {reason}"}
    assert any(line.startswith("DEBUG Forbidden by") and reason in line for line in done["log"])
    assert sorted(site.requests) == ["/page", "/robots.txt"]
    stats = done["stats"]
    assert (stats["abide/allowed"], stats["abide/forbidden"], stats["robotstxt/forbidden"]) == (1, 1, 1)
    assert stats["robotstxt/request_count"] == stats["robotstxt/response_status_count/200"] == 1


FAILING = {
    "503": Answer(503, b"busy"),
    "500": Answer(500),
    "429": Answer(429),
    "broken gzip": Answer(200, b"x", {"Content-Encoding": "gzip"}),
    "slow": Answer(delay=8),
    "redirects to a failure": Answer(302, headers={"Location": "/failing"}),
}


@pytest.mark.parametrize("failure", FAILING)
def test_a_failing_robots_txt_closes_the_site(newest: Crawler, start: Start, failure: str) -> None:
    site = start({"/robots.txt": FAILING[failure], "/failing": Answer(500)})
    done = newest(site.url + "/a", site.url + "/b", ABIDE_TIMEOUT=2)
    assert done["pages"] == {}
    assert not {"/a", "/b"} & set(site.requests)
    assert all("unreachable" in reason for reason in done["ignored"].values())
    # One warning for the site, not one for each page.
    assert sum(line.startswith("WARNING No request to this site") for line in done["log"]) == 1


@pytest.mark.parametrize("status", [404, 410, 403, 401])
def test_a_missing_robots_txt_opens_the_site(newest: Crawler, start: Start, status: int) -> None:
    site = start({"/robots.txt": Answer(status, b"User-agent: *\nDisallow: /\n")})
    assert len(newest(site.url + "/a")["pages"]) == 1


def test_what_stock_scrapy_does_instead(newest: Crawler, start: Start) -> None:
    sites = [start({"/robots.txt": answer, "/failing": Answer(500)}) for answer in FAILING.values()]
    urls = [site.url + "/page" for site in sites]
    stock = {"ADDONS": {}, "ROBOTSTXT_OBEY": True, "DOWNLOAD_TIMEOUT": 2}
    fetched = newest(*urls, **stock)["pages"]
    # Protego gets the body of any answer, and no answer allows everything.
    assert len(fetched) == len(sites)


def test_a_site_that_nobody_serves(newest: Crawler, closed_port: int) -> None:
    done = newest(f"http://127.0.0.1:{closed_port}/x", "http://no-such-host.invalid/x")
    assert len(done["ignored"]) == 2
    assert done["stats"]["abide/robots_failure"] == 2
    failures = {key: count for key, count in done["stats"].items() if key.startswith("robotstxt/exception_count/")}
    assert sum(failures.values()) == 2 and any("Connection refused" in key for key in failures)


def test_private_addresses_need_a_setting(newest: Crawler, site: Site) -> None:
    done = newest(site.url + "/page", ABIDE_ALLOW_PRIVATE=False)
    assert list(done["ignored"].values()) == [
        "IgnoreRequest: Forbidden by robots.txt: robots.txt is unreachable (the address is refused)"
    ]
    assert site.requests == []


def test_redirected_requests_are_asked_about_again(crawl: Crawler, start: Start) -> None:
    site = start(
        {
            "/robots.txt": b"User-agent: *\nDisallow: /private/\n",
            "/old": Answer(302, headers={"Location": "/private/new"}),
        }
    )
    done = crawl(site.url + "/old")
    assert list(done["ignored"]) == [site.url + "/private/new"]
    assert "/private/new" not in site.requests


def test_each_origin_is_fetched_once(newest: Crawler, start: Start) -> None:
    sites = [start({"/robots.txt": Answer(body=b"User-agent: *\nDisallow: /x\n", delay=0.3)}) for _ in range(3)]
    urls = [f"{site.url}/{number}" for site in sites for number in range(20)]
    done = newest(*urls, CONCURRENT_REQUESTS=64)
    assert len(done["pages"]) == 60
    assert [site.fetches for site in sites] == [1, 1, 1]


def test_a_cache_outlives_the_run(crawl: Crawler, site: Site, tmp_path: Path) -> None:
    for _ in range(2):
        done = crawl(site.url + "/private/x", site.url + "/y", ABIDE_CACHE=str(tmp_path))
        assert (len(done["pages"]), len(done["ignored"])) == (1, 1)
    assert site.fetches == 1


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"ABIDE_MIN_DELAY": -1}, "ABIDE_MIN_DELAY: expected seconds from 0"),
        ({"ABIDE_MAX_CRAWL_DELAY": -1}, "ABIDE_MAX_CRAWL_DELAY: expected seconds from 0"),
        ({"ABIDE_MEMBER": "0/2"}, "ABIDE_MEMBER: has no effect without a server"),
        ({"ABIDE_MEMBER": "0/2", "ABIDE_CRAWL_DELAY": False}, "ABIDE_MEMBER: has no effect without ABIDE_CRAWL"),
        ({"ABIDE_MEMBER": 0, "ABIDE_CACHE": "redis://127.0.0.1:1"}, "ABIDE_MEMBER: expected"),
        ({"ABIDE_MEMBER": "", "ABIDE_CACHE": "redis://127.0.0.1:1"}, "ABIDE_MEMBER: expected"),
        ({"ABIDE_MEMBER": [0, 3], "ABIDE_CACHE": "redis://127.0.0.1:1"}, "ABIDE_MEMBER: expected text"),
        ({"ABIDE_MEMBER": "0/2", "ABIDE_CACHE": "/tmp"}, "ABIDE_MEMBER: has no effect without a server"),
        ({"ABIDE_TIMEOUT": -1}, "ABIDE_TIMEOUT: expected"),
        ({"ABIDE_TIMEOUT": [1]}, "ABIDE_TIMEOUT: expected seconds from 0, but found [1]"),
        ({"ABIDE_MIN_DELAY": "abc"}, "ABIDE_MIN_DELAY: expected seconds from 0, but found 'abc'"),
        ({"ABIDE_CACHE": "mysql://host"}, "ABIDE_CACHE: "),
        ({"ABIDE_MEMBER": "2/2", "ABIDE_CACHE": "redis://127.0.0.1:1"}, "ABIDE_MEMBER: expected a number and how"),
    ],
)
def test_settings_that_cannot_be(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(abide_robots.InvalidOptionError) as caught:
        made_middleware(**settings)
    assert str(caught.value).startswith(words)


PAGE = b'<html><head><meta name="robots" content="max-snippet:50"></head><a href="/linked">x</a></html>'


def tagged(start: Start, tag: str) -> Site:
    headers = {"X-Robots-Tag": tag, "Content-Type": "text/html"}
    return start({"/robots.txt": b"", "/page": Answer(200, PAGE, headers), "/linked": Answer()})


def test_tags_of_pages(crawl: Crawler, start: Start) -> None:
    site = tagged(start, "noarchive, otherbot: noindex")
    done = crawl(site.url + "/page")
    assert done["pages"][site.url + "/page"]["tags"] == {"max-snippet": "50", "noarchive": True}
    assert len(done["pages"]) == 2  # nothing is obeyed unless asked for
    assert crawl(site.url + "/page", ABIDE_TAGS=False)["pages"][site.url + "/page"]["tags"] == {}


@pytest.mark.parametrize(
    ("tag", "obeyed", "items", "pages"),
    [
        ("noindex", ["noindex"], ["/linked"], ["/page", "/linked"]),
        ("nofollow", ["nofollow"], ["/page"], ["/page"]),
        ("none", ["noindex", "nofollow"], [], ["/page"]),
        ("noindex", ["nofollow"], ["/page", "/linked"], ["/page", "/linked"]),
        ("noai", ["train"], ["/linked"], ["/page", "/linked"]),
    ],
)
def test_obedience(
    crawl: Crawler, start: Start, tag: str, obeyed: list[str], items: list[str], pages: list[str]
) -> None:
    site = tagged(start, tag)
    done = crawl(site.url + "/page", ABIDE_OBEY=obeyed)
    assert done["items"] == [site.url + item for item in items]
    assert list(done["pages"]) == [site.url + page for page in pages]
    dropped = 1 if len(items) < 2 and "nofollow" not in obeyed else 0
    assert done["stats"].get(f"abide/dropped/{obeyed[0]}", 0) >= dropped


def test_requests_of_other_robots_are_obedient_too(newest: Crawler, start: Start) -> None:
    site = tagged(start, "noai")
    page = site.url + "/page"
    # The second sends nothing that could name a robot: every file is obeyed as by `*`.
    for line in ["OtherBot/1.0", "\x7f"]:
        done = newest(page, requests={page: {"headers": {"User-Agent": line}}}, ABIDE_OBEY=["train"])
        assert page in done["pages"] and page not in done["items"], line


def test_pages_and_requests_can_be_excepted(newest: Crawler, start: Start) -> None:
    site = tagged(start, "noindex")
    page = site.url + "/page"
    excepted = {page: {"meta": {"abide_disobey": ["noindex"]}}}
    assert page in newest(page, requests=excepted, ABIDE_OBEY=["noindex"])["items"]
    closed = start({"/robots.txt": b"User-agent: *\nDisallow: /\n"})
    url = closed.url + "/x"
    done = newest(url, requests={url: {"meta": {"dont_obey_robotstxt": True}}})
    assert list(done["pages"]) == [url] and closed.fetches == 0


def test_who_asks(newest: Crawler, start: Start) -> None:
    site = start({"/robots.txt": b"User-agent: OtherBot\nDisallow: /\n\nUser-agent: Scrapy\nAllow: /\n"})
    url = site.url + "/x"
    assert url in newest(url)["pages"]
    assert url in newest(url, ROBOTSTXT_USER_AGENT="OtherBot")["ignored"]
    assert url in newest(url, USER_AGENT="Mozilla/5.0 (compatible; OtherBot/1.0; +https://bot.example/)")["ignored"]
    assert url in newest(url, USER_AGENT="Mozilla/5.0")["pages"]
    header = {url: {"headers": {"User-Agent": "OtherBot/1.0"}}}
    assert url in newest(url, requests=header)["ignored"]
    # A file may know a name of the line that is not the robot's own (CLA-23).
    behind = "ExampleBot/1.0 OtherBot-2 (+https://bot.example/)"
    assert url in newest(url, USER_AGENT=behind)["ignored"]
    header[url]["headers"]["User-Agent"] = behind
    assert url in newest(url, requests=header)["ignored"]


def test_preferences_beside_the_file(newest: Crawler, start: Start) -> None:
    reserved = b'[{"location": "/", "tdm-reservation": 1}]'
    site = start({"/robots.txt": b"", "/.well-known/tdmrep.json": reserved, "/page": Answer()})
    page = site.url + "/page"
    for reads, outcome in [(True, "prohibited"), (False, None)]:
        done = newest(page, ABIDE_PREFERENCES=reads)
        assert done["pages"][page]["train"] == outcome
        assert ("/.well-known/tdmrep.json" in site.requests) is reads
        site.requests.clear()


def test_purposes_applications_and_a_registry(newest: Crawler, start: Start) -> None:
    robots = (
        b"User-agent: *\nApp-Directives: search;x=1\n\n"
        b"User-agent-purpose: EXAMPLE-PURPOSE-1\nDisallow: /page\n"
    )
    site = start({"/robots.txt": robots, "/page": Answer()})
    page = site.url + "/page"
    assert page in newest(page)["pages"]
    # Who claims a purpose says so in its User-Agent (PUR-4).
    claim: dict[str, Any] = {
        "ABIDE_PURPOSES": ["EXAMPLE-PURPOSE-1"],
        "USER_AGENT": "ExampleBot/1.0 (EXAMPLE-PURPOSE-1; +https://bot.example/)",
    }
    assert page in newest(page, **claim)["ignored"]
    # A registry that does not have the purpose ends the crawl.
    registry = "Purpose Token\nEXAMPLE-PURPOSE-2\n"
    done = newest(page, ABIDE_REGISTRY=registry, **claim)
    assert done["pages"] == {} and done["ignored"] == {}
    registry = {"application": [{"id": "search", "directive": {"x": {"type": "boolean"}}}]}
    done = newest(page, ABIDE_APPLICATIONS=["search"], ABIDE_REGISTRY=registry)
    assert page in done["pages"]


@pytest.mark.parametrize("reactor", ["select", "epoll"])
def test_reactors_without_asyncio(crawl: Crawler, site: Site, reactor: str) -> None:
    name = {"select": "selectreactor.SelectReactor", "epoll": "epollreactor.EPollReactor"}[reactor]
    settings = {"TWISTED_REACTOR": f"twisted.internet.{name}"}
    done = crawl(site.url + "/a", site.url + "/private/b", **settings)
    assert (list(done["pages"]), list(done["ignored"])) == ([site.url + "/a"], [site.url + "/private/b"])


@pytest.mark.parametrize("reactor", ["selectreactor.SelectReactor", "asyncioreactor.AsyncioSelectorReactor"])
def test_a_site_that_hangs_stops_no_other(crawl: Crawler, start: Start, reactor: str) -> None:
    hangs, good = start({"/robots.txt": Answer(delay=8)}), start({"/robots.txt": b""})
    urls = [f"{hangs.url}/{number}" for number in range(14)] + [good.url + "/page"]
    settings = {"TWISTED_REACTOR": f"twisted.internet.{reactor}", "CONCURRENT_REQUESTS": 32}
    done = crawl(*urls, CONCURRENT_REQUESTS_PER_DOMAIN=32, ABIDE_TIMEOUT=5, **settings)
    assert len(done["ignored"]) == 14 and hangs.fetches == 1
    assert not any(url.startswith(hangs.url) for url in done["pages"][good.url + "/page"]["after"])


STOCK = "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware"
OURS = "abide_robots.scrapy.RobotsMiddleware"


@pytest.mark.parametrize(
    ("middlewares", "before"),
    [
        ({STOCK: 100}, "DefaultHeadersMiddleware"),
        ({STOCK: 595}, "RedirectMiddleware"),
        ({STOCK: None}, "DefaultHeadersMiddleware"),
        ({OURS: 595}, "RedirectMiddleware"),
        ({STOCK: 100, OURS: 595}, "RedirectMiddleware"),
    ],
)
@pytest.mark.parametrize("by_spider", [True, False])
def test_scrapys_middleware_is_replaced_where_it_stands(
    crawl: Crawler, start: Start, middlewares: dict[str, int | None], before: str, by_spider: bool
) -> None:
    site = start({"/robots.txt": Answer(404, b"User-agent: *\nDisallow: /\n")})
    named: dict[str, Any] = {"DOWNLOADER_MIDDLEWARES": middlewares}
    done = crawl(site.url + "/page", **({"spider": named} if by_spider else named))
    assert list(done["pages"]) == [site.url + "/page"] and site.fetches == 1
    order = done["middlewares"]
    assert "RobotsTxtMiddleware" not in order and order.count("RobotsMiddleware") == 1
    assert order.index("RobotsMiddleware") < order.index(before)
    if before == "RedirectMiddleware":
        assert order.index("RobotsMiddleware") > order.index("DefaultHeadersMiddleware")


def test_a_subclass_of_scrapys_middleware_is_warned_of(crawl: Crawler, site: Site) -> None:
    own = {"__main__.OwnRobots": 90}
    done = crawl(site.url + "/page", spider={"DOWNLOADER_MIDDLEWARES": own})
    warnings = [line for line in done["log"] if line.startswith("WARNING __main__.OwnRobots is enabled beside")]
    assert len(warnings) == 1 and "Set it to None in DOWNLOADER_MIDDLEWARES" in warnings[0]
    assert not any("beside abide" in line for line in crawl(site.url + "/page")["log"])


BROWSER = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/120.0 Safari/537.36"


@pytest.mark.parametrize("line", [None, "", "*", "\x7f", BROWSER])
def test_a_user_agent_that_names_no_robot(crawl: Crawler, start: Start, line: str | None) -> None:
    robots = b"User-agent: *\nDisallow: /private/\n\nUser-agent: FleetBot\nDisallow: /fleet/\n"
    site = start({"/robots.txt": robots})
    urls = [site.url + path for path in ("/page", "/private/x", "/fleet/x")]
    done = crawl(*urls, USER_AGENT=line)
    assert list(done["ignored"]) == [urls[1]] and len(done["pages"]) == 2
    warnings = [entry for entry in done["log"] if entry.startswith("WARNING No robots.txt can name this robot")]
    assert len(warnings) == 1
    assert "USER_AGENT is" in warnings[0] and "Set ROBOTSTXT_USER_AGENT" in warnings[0]
    done = crawl(*urls, USER_AGENT=line, ROBOTSTXT_USER_AGENT="FleetBot")
    assert list(done["ignored"]) == [urls[2]]
    assert not any(entry.startswith("WARNING") for entry in done["log"])


def test_a_user_agent_of_many_words(newest: Crawler, site: Site) -> None:
    done = newest(site.url + "/page", USER_AGENT="my company crawler 2019")
    assert len(done["pages"]) == 1


@pytest.mark.parametrize("name", ["USER_AGENT", "ROBOTSTXT_USER_AGENT"])
def test_a_user_agent_that_is_no_text_ends_the_crawl(newest: Crawler, site: Site, name: str) -> None:
    done = newest(site.url + "/page", **{name: ["a", "b"]})
    assert done["pages"] == {} and site.requests == []


def test_the_signal_of_a_file_that_was_read(newest: Crawler, start: Start, closed_port: int) -> None:
    robots = b"User-agent: OtherBot\nDisallow: /\n\nUser-agent: *\nCrawl-delay: 0.1\nDisallow: /private/\n"
    site, missing = start({"/robots.txt": robots}), start({"/robots.txt": Answer(404, robots)})
    urls = [site.url + "/a", site.url + "/b", missing.url + "/c", f"http://127.0.0.1:{closed_port}/d"]
    parsed = sorted(newest(*urls, CONCURRENT_REQUESTS=1)["parsed"])
    expected = [[urls[0], [True, False], 0.1], [urls[2], [True, True], None]]
    assert parsed == sorted(expected)
    assert site.fetches == 1
    # One that is forbidden is announced too, and Scrapy says the same about files that it can read.
    forbidden = site.url + "/private/x"
    stock = {"ADDONS": {}, "ROBOTSTXT_OBEY": True}
    expected = [[forbidden, [False, False], 0.1]]
    assert newest(forbidden)["parsed"] == newest(forbidden, **stock)["parsed"] == expected


def made_middleware(**more: Any) -> Any:
    from scrapy import Spider
    from scrapy.utils.test import get_crawler

    from abide_robots.scrapy import RobotsMiddleware

    class Named(Spider):
        name = "named"

    settings = {"ROBOTSTXT_OBEY": True, "USER_AGENT": "ExampleBot/1.0", "ABIDE_ALLOW_PRIVATE": True, **more}
    return RobotsMiddleware.from_crawler(get_crawler(Named, settings))


def abide_threads() -> list[str]:
    return [one.name for one in threading.enumerate() if one.name == "abide-robots"]


def test_a_request_after_the_end_starts_no_thread() -> None:
    from scrapy import Request
    from scrapy.exceptions import IgnoreRequest
    from scrapy.http import HtmlResponse

    middleware = made_middleware()
    middleware._spider_closed()
    request = Request("http://127.0.0.1:9/x", meta={"abide": None})
    response = HtmlResponse(request.url, body=b"<meta name=robots content=noindex>")
    # Without a running loop, as with a reactor that has none.
    with pytest.raises(StopIteration) as stopped:
        middleware.process_response(request, response).send(None)
    assert stopped.value.value is response
    with pytest.raises(IgnoreRequest, match="The spider is closed"):
        middleware.process_request(request).send(None)
    assert abide_threads() == []


def test_a_question_that_cannot_be_cancelled_holds_nobody_up(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    import abide_robots.scrapy as module

    monkeypatch.setattr(module, "_CLOSING", 0.2)
    loop = module._EventLoop()
    done = threading.Event()

    async def stubborn() -> None:
        while not done.is_set():
            try:
                await asyncio.sleep(0.05)
            except asyncio.CancelledError:
                pass

    future = asyncio.run_coroutine_threadsafe(stubborn(), loop._loop)
    began = time.monotonic()
    loop.close()
    assert time.monotonic() - began < 5
    assert "did not end within 0.2 s" in caplog.text
    done.set()
    future.cancel()
    assert abide_threads() == []


def test_what_is_known_of_sites_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    import abide_robots.scrapy as module

    monkeypatch.setattr(module, "_MAX_SITES", 3)
    sites = module._Sites()
    assert [sites.is_new(site) for site in "abcacdb"] == [True, True, True, False, False, True, False]
    assert (len(sites), sites.is_new("a")) == (3, True)


def test_events_that_nobody_counts_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    import abide_robots.scrapy as module

    monkeypatch.setattr(module, "_MAX_EVENTS", 3)
    middleware = made_middleware()
    for number in range(5):
        middleware._events.append({"event": "retrieved", "url": str(number), "status": "200", "failure": None})
    middleware._count_events()
    stats = middleware._stats.get_stats()
    assert (stats["robotstxt/response_count"], stats["abide/events_dropped"]) == (3, 2)
    assert middleware._events.dropped == 0


def test_the_parser_of_the_signal_fetches_nothing() -> None:
    from abide_robots.scrapy import _CachedParser

    parser = _CachedParser(abide_robots.Policy("User-agent: OtherBot\nDisallow: /x\nCrawl-delay: 2\n", "ExampleBot"))
    assert parser.allowed("https://e.example/x", "ExampleBot/1.0")
    assert not parser.allowed("https://e.example/x", b"OtherBot/1.0 (+https://b.example/)")
    assert (parser.crawl_delay("OtherBot"), parser.crawl_delay(" ")) == (2.0, None)
    closed = _CachedParser(abide_robots.Policy(None, "ExampleBot", robots_status=503))
    assert not closed.allowed("https://e.example/x", "OtherBot")


def test_a_cache_that_another_has_alone_is_warned_of_once(newest: Crawler, start: Start, taken_folder: Path) -> None:
    sites = [start({"/robots.txt": b""}) for _ in range(4)]
    done = newest(*[site.url + "/y" for site in sites], ABIDE_CACHE=str(taken_folder))
    assert len(done["pages"]) == 4 and done["stats"]["abide/store_failure"] >= 3
    assert sum(line.startswith("WARNING the cache failed") for line in done["log"]) == 1


@pytest.mark.parametrize("way", ["abide", "scrapy"])
def test_spiders_share_a_folder(newest: Crawler, start: Start, tmp_path: Path, way: str) -> None:
    sites = [start() for _ in range(4)]
    other = abide_robots.BlockingRobotsCache("OtherBot/1.0", store=tmp_path, allow_private=True)
    assert other.allows(sites[0].url + "/y")
    done = newest(*[site.url + "/y" for site in sites], ABIDE_CACHE=str(tmp_path), ABIDE_FETCH=way)
    assert len(done["pages"]) == 4 and not any(line.startswith("WARNING") for line in done["log"])
    assert not any(other.allows(site.url + "/private/x") for site in sites)
    assert [site.fetches for site in sites] == [1] * 4


def test_other_schemes_are_left_alone(newest: Crawler, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text("x")
    assert len(newest(file.as_uri(), "data:,x")["pages"]) == 2


def test_switched_off(newest: Crawler, site: Site) -> None:
    done = newest(site.url + "/private/x", ROBOTSTXT_OBEY=False)
    assert len(done["pages"]) == 1 and site.fetches == 0


def test_the_parser_alone(crawl: Crawler, site: Site) -> None:
    settings = {"ADDONS": {}, "ROBOTSTXT_OBEY": True, "ROBOTSTXT_PARSER": "abide_robots.scrapy.RobotParser"}
    done = crawl(site.url + "/page", site.url + "/private/x", **settings)
    assert (list(done["pages"]), list(done["ignored"])) == ([site.url + "/page"], [site.url + "/private/x"])


def test_mistakes_in_settings_end_the_crawl(newest: Crawler, site: Site) -> None:
    done = newest(site.url + "/page", ABIDE_OBEY=["noidnex"])
    assert done["pages"] == {} and site.requests == []


@pytest.fixture(scope="session")
def scrapy_sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution of the Scrapy that is installed, from PyPI."""
    import tarfile

    import scrapy

    folder = tmp_path_factory.mktemp("scrapy-sources")
    words = ["download", "-q", "--no-deps", "--no-binary", "scrapy", "-d", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", *words, f"scrapy=={scrapy.__version__}"], check=True)
    with tarfile.open(next(folder.glob("*.tar.gz"))) as sources:
        sources.extractall(folder, filter="data")
    return next(path for path in folder.iterdir() if path.is_dir())


OWN_TESTS = '''
import pytest
from tests.test_downloadermiddleware_robotstxt import TestRobotsTxtMiddleware as Middleware
from tests.test_robotstxt_interface import BaseRobotParserTest
from abide_robots.scrapy import RobotParser


class TestAbideParser(BaseRobotParserTest):
    def setup_method(self):
        self._setUp(RobotParser)


class TestMiddlewareWithAbide(Middleware):
    def setup_method(self):
        super().setup_method()
        self.crawler.settings.set("ROBOTSTXT_PARSER", "abide_robots.scrapy.RobotParser")


del BaseRobotParserTest, Middleware
'''


def test_scrapys_own_tests(scrapy_sources: Path, package: str) -> None:
    (scrapy_sources / "tests" / "test_abide.py").write_text(OWN_TESTS)
    # The rules of a shorter pattern would come first if it stood first: RFC 9309 takes the longest.
    others = ["--deselect", "tests/test_abide.py::TestAbideParser::test_order_based_precedence"]
    words = ["-q", "-p", "no:cacheprovider", "-W", "ignore", "--reactor=none", *others, "tests/test_abide.py"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words],
        cwd=scrapy_sources,
        env={**os.environ, "PYTHONPATH": f"{scrapy_sources}:{package}"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "22 passed" in done.stdout, done.stdout
