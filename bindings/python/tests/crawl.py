"""A real crawl with Scrapy, in a process of its own. Reads what to do as JSON from stdin, and writes
what happened as the last line of stdout.
"""

from __future__ import annotations

import json
import logging
import sys
import threading
import time
from pathlib import Path
from typing import Any

import scrapy
import scrapy.exceptions
import scrapy.signals
from scrapy.crawler import CrawlerProcess
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware

TASK = json.load(sys.stdin)
DONE: dict[str, Any] = {"scrapy": scrapy.__version__, "pages": {}, "ignored": {}, "items": [], "delays": {}, "log": [], "parsed": []}
BEGAN = time.monotonic()


class Messages(logging.Handler):
    """Collects what the middlewares log."""

    def emit(self, record: logging.LogRecord) -> None:
        DONE["log"].append(f"{record.levelname} {record.getMessage()}")


class OwnRobots(RobotsTxtMiddleware):
    """What a project of 2019 may have made of Scrapy's middleware."""


class Crawl(scrapy.Spider):
    name = "crawl"
    custom_settings = TASK["spider"]
    allowed_domains = TASK["spider"].get("ALLOWED_DOMAINS", [])

    async def start(self):
        for url in TASK["urls"]:
            options = TASK.get("requests", {}).get(url, {})
            yield scrapy.Request(url, self.parse, errback=self.failed, dont_filter=True, **options)

    @classmethod
    def from_crawler(cls, crawler, *args, **kwargs):
        spider = super().from_crawler(crawler, *args, **kwargs)
        signal = getattr(scrapy.signals, "robots_parsed", None)
        if signal is not None:
            crawler.signals.connect(spider.parsed, signal)
        if crawler.settings.getbool("STOPS_AT_HEADERS"):
            crawler.signals.connect(spider.stop, scrapy.signals.headers_received)
        return spider

    def stop(self):
        raise scrapy.exceptions.StopDownload(fail=True)

    def parsed(self, robotparser, request):
        agents = ("Scrapy", b"OtherBot/1.0")
        allowed = [robotparser.allowed(request.url, agent) for agent in agents]
        DONE["parsed"].append([request.url, allowed, robotparser.crawl_delay("Scrapy")])

    def parse(self, response):
        decision = response.meta.get("abide")
        page = DONE["pages"][response.url] = {"status": response.status, "tags": None, "train": None}
        page["at"], page["after"] = time.monotonic() - BEGAN, list(DONE["ignored"])
        middlewares = self.crawler.engine.downloader.middleware.middlewares
        DONE["middlewares"] = [type(one).__name__ for one in middlewares]
        if decision is not None:
            page["tags"] = decision.tags
            page["train"] = decision.outcome("train") if "train" in decision.usages else None
        slots = self.crawler.engine.downloader.slots
        page["active"] = {key: len(slot.active) for key, slot in slots.items()}
        DONE["slots_with_settings"] = list(self.crawler.engine.downloader.per_slot_settings)
        key = response.meta["download_slot"]
        if key in slots:
            # What random variation makes of it, too.
            slot = slots[key]
            DONE["delays"][key] = [slot.delay, min(slot.download_delay() for _ in range(50))]
        yield {"url": response.url}
        for href in response.css("a::attr(href)").getall() if hasattr(response, "css") and b"<a" in response.body else ():
            yield response.follow(href, self.parse, errback=self.failed)

    def failed(self, failure):
        DONE["ignored"][failure.request.url] = f"{failure.type.__name__}: {failure.value}"


class Keep:
    """An item pipeline that keeps items."""

    def process_item(self, item, spider=None):
        DONE["items"].append(item["url"])
        return item


def main() -> None:
    logging.getLogger("abide_robots.scrapy").addHandler(Messages())
    settings = {
        "ADDONS": {"abide_robots.scrapy.Addon": 500},
        "ABIDE_ALLOW_PRIVATE": True,
        "ITEM_PIPELINES": {Keep: 100},
        "LOG_LEVEL": "DEBUG",
        "LOG_FILE": "/dev/null",
        "RETRY_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "DOWNLOAD_TIMEOUT": 5,
        **TASK["settings"],
    }
    process = CrawlerProcess(settings)
    crawler = process.create_crawler(Crawl)
    process.crawl(crawler)
    process.start()
    stats = crawler.stats.get_stats()
    DONE["stats"] = {key: value for key, value in stats.items() if isinstance(value, (int, str))}
    memory = Path("/proc/self/status").read_text()
    DONE["peak"] = int(memory.partition("VmHWM:")[2].split()[0]) * 1024
    DONE["threads"] = sorted(thread.name for thread in threading.enumerate())
    print(json.dumps(DONE))


if __name__ == "__main__":
    main()
