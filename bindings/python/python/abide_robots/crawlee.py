"""Crawlee for Python with RFC 9309: its crawlers ask abide which pages they may fetch.

::

    robots = RobotsCache("ExampleBot/1.0 (+https://bot.example/)")
    crawler = HttpCrawler(http_client=ImpitHttpClient(browser=None, headers={"User-Agent": "ExampleBot/1.0"}))
    obey(crawler, robots)
    await crawler.run(["https://example.com/"])

``docs/clients.md`` has the details.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import crawlee._utils.robots

if TYPE_CHECKING:
    from crawlee.crawlers import BasicCrawler
    from crawlee.http_clients import HttpClient

    from abide_robots import Policy, RobotsCache

__all__ = ["RobotsTxtFile", "obey"]

_FIND = "_get_robots_txt_file_for_url"


class RobotsTxtFile(crawlee._utils.robots.RobotsTxtFile):
    """The current rules of one site, for the robot of a :class:`abide_robots.Policy`: the name that a question gives
    makes no difference. Sitemaps are read as Crawlee reads them.
    """

    def __init__(self, url: str, policy: Policy, http_client: HttpClient | None = None) -> None:
        # All that is asked of a parser is its list of sitemaps.
        super().__init__(url, policy, http_client)  # type: ignore[arg-type]
        self._policy = policy

    def is_allowed(self, url: str, user_agent: str = "*") -> bool:
        """Returns whether the robot may fetch this URL. On another site, nothing is allowed."""
        return self._policy.allows(url)

    def get_crawl_delay(self, user_agent: str = "*") -> int | None:
        """Returns the Crawl-delay for the robot, in whole seconds, rounded up."""
        delay = self._policy.crawl_delay
        return None if delay is None else math.ceil(delay)


def obey(crawler: BasicCrawler[Any, Any], robots: RobotsCache) -> None:
    """Makes a crawler ask this cache about each URL, before it runs. What is not allowed is skipped, as it is with
    Crawlee's own ``respect_robots_txt_file``: see ``on_skipped_request``. A ``ThrottlingRequestManager`` keeps the
    Crawl-delay of the sites that it is for.
    """
    # Crawlee has no place to give it one.
    if not hasattr(crawler, _FIND):
        message = f"argument 'crawler': expected a crawler of Crawlee 1.0 or newer, but found {type(crawler).__name__}"
        raise TypeError(message)

    async def find(url: str) -> RobotsTxtFile:
        return RobotsTxtFile(url, await robots.policy(url), crawler._http_client)

    crawler._respect_robots_txt_file = True
    setattr(crawler, _FIND, find)
