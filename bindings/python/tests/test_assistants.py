"""Crawlers of Crawlee, and the fetch server of the Model Context Protocol."""

from __future__ import annotations

import asyncio
import sys
from datetime import timedelta
from typing import Any

import mcp
import pytest
from conftest import Answer, Site, Start
from crawlee import ConcurrencySettings, Request
from crawlee.crawlers import BasicCrawlingContext, HttpCrawler
from crawlee.http_clients import ImpitHttpClient
from crawlee.request_loaders import ThrottlingRequestManager
from crawlee.storage_clients import MemoryStorageClient
from crawlee.storages import RequestQueue

from abide_robots import Policy, RobotsCache
from abide_robots.crawlee import RobotsTxtFile, obey

AGENT = "ExampleBot/1.0 (+https://bot.example/)"
RULES = b"""User-agent: *
Disallow: /

User-agent: ExampleBot
Disallow: /private/
Crawl-delay: 0.2
Sitemap: https://news.example/sitemap.xml
"""


class Crawl:
    """A crawl, with the paths of the pages that it handled and skipped."""

    def __init__(self, robots: RobotsCache, **options: Any) -> None:
        client = ImpitHttpClient(browser=None, headers={"User-Agent": AGENT})
        self.crawler = HttpCrawler(
            http_client=client,
            storage_client=MemoryStorageClient(),
            configure_logging=False,
            max_request_retries=0,
            **options,
        )
        self.handled: list[str] = []
        self.skipped: list[tuple[str, str]] = []
        obey(self.crawler, robots)

        @self.crawler.router.default_handler
        async def handle(context: BasicCrawlingContext) -> None:
            self.handled.append(context.request.url)

        @self.crawler.on_skipped_request
        async def skip(request: str | Request, reason: str) -> None:
            self.skipped.append((request if isinstance(request, str) else request.url, reason))


def test_a_crawl_of_crawlee(start: Start, closed_port: int) -> None:
    open_site, closed, none = (
        start({"/robots.txt": RULES}),
        start({"/robots.txt": Answer(503)}),
        start({}),
    )
    gone = f"http://127.0.0.1:{closed_port}/page"
    allowed = [f"{open_site.url}/page", f"{none.url}/page"]
    refused = [f"{open_site.url}/private/x", f"{closed.url}/page", gone]

    async def main() -> Crawl:
        async with RobotsCache(AGENT, allow_private=True) as robots:
            crawl = Crawl(robots)
            await crawl.crawler.run([*allowed, *refused])
        return crawl

    crawl = asyncio.run(main())
    assert sorted(crawl.handled) == sorted(allowed)
    # Neither a file that fails nor a site that is down opens anything.
    assert sorted(crawl.skipped) == sorted((url, "robots_txt") for url in refused)
    assert sorted(open_site.requests) == ["/page", "/robots.txt"]
    assert closed.requests == ["/robots.txt"]


def test_crawl_delay_reaches_crawlee(start: Start) -> None:
    site = start({"/robots.txt": RULES.replace(b"0.2", b"1.2")})
    began: list[float] = []

    async def main() -> None:
        async def opener(**options: Any) -> RequestQueue:
            return await RequestQueue.open(**{**options, "storage_client": MemoryStorageClient()})

        manager = ThrottlingRequestManager(
            await opener(alias="plain"), domains=["127.0.0.1"], request_manager_opener=opener
        )
        async with RobotsCache(AGENT, allow_private=True) as robots:
            crawl = Crawl(
                robots,
                request_manager=manager,
                concurrency_settings=ConcurrencySettings(desired_concurrency=2),
            )

            @crawl.crawler.pre_navigation_hook
            async def note(_: object) -> None:
                began.append(asyncio.get_running_loop().time())

            await crawl.crawler.run([f"{site.url}/1", f"{site.url}/2"])
        assert len(crawl.handled) == 2

    asyncio.run(main())
    assert began[1] - began[0] >= timedelta(seconds=1.5).total_seconds()


def test_one_file_of_crawlee() -> None:
    file = RobotsTxtFile("https://news.example/robots.txt", Policy(RULES, "ExampleBot"))
    assert file.is_allowed("https://news.example/page") and not file.is_allowed("https://news.example/private/")
    assert file.get_crawl_delay() == 1
    assert RobotsTxtFile("https://news.example/robots.txt", Policy(b"", "ExampleBot")).get_crawl_delay() is None
    assert file.get_sitemaps(enqueue_strategy="same-hostname") == ["https://news.example/sitemap.xml"]


def test_what_is_no_crawler() -> None:
    with pytest.raises(TypeError, match="argument 'crawler': expected a crawler of Crawlee 1.0 or newer, but found str"):
        obey("crawler", RobotsCache(AGENT))  # type: ignore[arg-type]


def fetch_by_assistant(urls: list[str], *options: str) -> list[tuple[bool, str]]:
    """What the fetch server answers: whether it is an error, and the text."""
    words = ["-m", "abide_robots.mcp", "--user-agent", AGENT, *options]
    parameters = mcp.StdioServerParameters(command=sys.executable, args=words)

    async def main() -> list[tuple[bool, str]]:
        answers = []
        async with mcp.Client(parameters) as client:
            for url in urls:
                answer = await client.call_tool("fetch", {"url": url, "raw": True})
                content = answer.content[0]
                assert isinstance(content, mcp.types.TextContent)
                answers.append((bool(answer.is_error), content.text))
        return answers

    return asyncio.run(main())


def test_what_an_assistant_may_fetch(start: Start) -> None:
    site, closed = start({"/robots.txt": RULES}), start({"/robots.txt": Answer(503)})
    site.answers["/moved"] = Answer(302, headers={"Location": f"{site.url}/private/x"})
    urls = [f"{site.url}/page", f"{site.url}/private/x", f"{site.url}/moved", f"{closed.url}/page"]
    answers = fetch_by_assistant(urls, "--allow-private-ips")
    assert [is_error for is_error, _ in answers] == [False, True, True, True]
    assert "page" in answers[0][1]
    assert f"may not fetch {site.url}/private/x by itself" in answers[1][1] and "Disallow: /private/" in answers[1][1]
    # Neither is the target of a redirect fetched.
    assert f"{site.url}/private/x" in answers[2][1] and "/private/x" not in site.requests
    assert "HTTP status 503" in answers[3][1] and closed.requests == ["/robots.txt"]
    assert site.fetches == 1


def test_an_assistant_reaches_no_private_network(site: Site) -> None:
    [(is_error, text)] = fetch_by_assistant([f"{site.url}/page"])
    assert is_error and "the address is refused" in text and site.requests == []


def test_an_assistant_with_a_proxy(start: Start) -> None:
    proxy = start({"http://news.invalid/robots.txt": RULES, "http://news.invalid/page": b"through the proxy"})
    urls = ["http://news.invalid/page", "http://news.invalid/private/x"]
    page, private = fetch_by_assistant(urls, "--proxy-url", proxy.url, "--allow-private-ips")
    assert (page[0], private[0]) == (False, True) and "through the proxy" in page[1]
    assert proxy.requests == ["http://news.invalid/robots.txt", "http://news.invalid/page"]
