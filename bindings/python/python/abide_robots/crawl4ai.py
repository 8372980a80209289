"""Crawl4AI with RFC 9309: its crawlers ask abide which pages they may fetch.

::

    async with RobotsCache("ExampleBot/1.0 (+https://bot.example/)") as robots:
        async with AsyncWebCrawler(config=BrowserConfig(user_agent="ExampleBot/1.0")) as crawler:
            obey(crawler, robots)
            await crawler.arun("https://example.com/")

``docs/clients.md`` has the details.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from crawl4ai import AsyncWebCrawler, CrawlerRunConfig

if TYPE_CHECKING:
    from abide_robots import RobotsCache

__all__ = ["RobotsParser", "obey"]


class RobotsParser:
    """What a crawler asks about each URL, for the robot of a :class:`abide_robots.RobotsCache`: the name that a
    question gives makes no difference.
    """

    def __init__(self, robots: RobotsCache) -> None:
        self._robots = robots

    async def can_fetch(self, url: str, user_agent: str = "*") -> bool:
        """Returns whether the robot may fetch this URL. Texts and files (``raw:``, ``file:``) are of no site."""
        if not url.lower().startswith(("http:", "https:")):
            return True
        return await self._robots.allows(url)


def obey(crawler: AsyncWebCrawler, robots: RobotsCache) -> None:
    """Makes a crawler ask this cache about each URL, before it runs, as if every configuration had
    ``check_robots_txt``. The result about a page that is not allowed has ``success=False`` and the status 403.
    """
    if not isinstance(crawler, AsyncWebCrawler):
        message = f"argument 'crawler': expected an AsyncWebCrawler of Crawl4AI, but found {type(crawler).__name__}"
        raise TypeError(message)
    # Its own parser is a class with a database, which nobody needs here.
    setattr(crawler, "robots_parser", RobotsParser(robots))
    run = crawler.arun

    async def arun(url: str, config: CrawlerRunConfig | None = None, **options: Any) -> Any:
        config = config or CrawlerRunConfig()
        config.check_robots_txt = True
        return await run(url, config, **options)

    # Runs of many URLs come here too.
    crawler.arun = arun
