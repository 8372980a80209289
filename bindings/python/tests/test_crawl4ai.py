"""Crawlers of Crawl4AI."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Answer, Start

from abide_robots import RobotsCache

AGENT = "ExampleBot/1.0 (+https://bot.example/)"
RULES = b"User-agent: ExampleBot\nDisallow: /private/\n"
# Crawl4AI takes a short page for a refusal.
PAGE = Answer(body=b"<html><body>" + b"<p>A long text for readers.</p>" * 100, headers={"Content-Type": "text/html"})


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Crawl4AI makes folders when it is imported."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CRAWL4_AI_BASE_DIRECTORY", str(tmp_path_factory.mktemp("crawl4ai")))
        patch.setenv("CRAWL4AI_NO_CLOUD_NOTICE", "1")
        yield


async def crawled(urls: list[str], **options: Any) -> dict[str, tuple[bool, int]]:
    """Whether each URL was fetched, and the status that its result has."""
    import crawl4ai
    from crawl4ai.async_configs import HTTPCrawlerConfig
    from crawl4ai.async_crawler_strategy import AsyncHTTPCrawlerStrategy

    from abide_robots.crawl4ai import obey

    # Without a browser.
    strategy = AsyncHTTPCrawlerStrategy(HTTPCrawlerConfig(headers={"User-Agent": AGENT}))
    async with (
        RobotsCache(AGENT, allow_private=True) as robots,
        crawl4ai.AsyncWebCrawler(crawler_strategy=strategy) as crawler,
    ):
        obey(crawler, robots)
        results = [await crawler.arun(url, **options) for url in urls]
        results += await crawler.arun_many([f"{url}?many" for url in urls], **options)
    return {result.url: (result.success, result.status_code) for result in results}


def test_a_crawl(start: Start) -> None:
    open_site = start({"/robots.txt": Answer(body=RULES), "/page": PAGE, "/page?many": PAGE})
    closed = start({"/robots.txt": Answer(503), "/page": PAGE})
    urls = [f"{open_site.url}/page", f"{open_site.url}/private/x", f"{closed.url}/page"]
    found = asyncio.run(crawled(urls))
    for query in ["", "?many"]:
        assert [found[url + query] for url in urls] == [(True, 200), (False, 403), (False, 403)]
    assert sorted(open_site.requests) == ["/page", "/page?many", "/robots.txt"]
    assert closed.requests == ["/robots.txt"]


def test_a_configuration_that_does_not_ask(start: Start) -> None:
    import crawl4ai

    site = start({"/robots.txt": Answer(body=RULES)})
    config = crawl4ai.CrawlerRunConfig(check_robots_txt=False)
    url = f"{site.url}/private/x"
    assert asyncio.run(crawled([url], config=config))[url] == (False, 403)


def test_what_is_of_no_site() -> None:
    url = "raw:" + PAGE.body.decode()
    assert asyncio.run(crawled([url]))[url][0]


def test_what_is_no_crawler() -> None:
    from abide_robots.crawl4ai import obey

    message = "argument 'crawler': expected an AsyncWebCrawler of Crawl4AI, but found str"
    with pytest.raises(TypeError, match=message):
        obey("crawler", RobotsCache(AGENT))  # type: ignore[arg-type]
