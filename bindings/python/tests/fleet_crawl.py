"""A crawl by several Scrapy processes that share the pace of each site, and what the servers saw of it.

    python tests/fleet_crawl.py redis://127.0.0.1:6379 SITES PAGES SECONDS

SECONDS is the longest delay that a site asks for. One of the three processes is killed midway.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import Any

PROCESSES = 3
CLOSED = "/private/"


@dataclass
class Host:
    """A site, and the visits that it saw: their beginnings, their ends, and what was asked for."""

    address: str
    delay: float
    visits: list[tuple[float, float, str]] = field(default_factory=list)

    def too_early(self) -> list[float]:
        """The rests before visits that came sooner than the delay after the answer before, in seconds."""
        visits = sorted(self.visits)
        rests = [began - ended for (_, ended, _), (began, _, _) in zip(visits, visits[1:], strict=False)]
        return [rest for rest in rests if 0 < self.delay and rest < self.delay]


class Hosts:
    """Sites with addresses of their own, in a thread."""

    def __init__(self, number: int, longest: float) -> None:
        self.sites = [
            Host(f"127.77.{number // 250}.{number % 250 + 1}", longest * (number % 5) / 4)
            for number in range(number)
        ]
        self.port = 0
        self._loop = asyncio.new_event_loop()
        started = threading.Event()
        threading.Thread(target=self._run, args=(started,), daemon=True).start()
        started.wait()

    def _run(self, started: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._listen())
        started.set()
        self._loop.run_forever()

    async def _listen(self) -> None:
        for site in self.sites:
            answer = self._answers(site)
            server = await asyncio.start_server(answer, site.address, self.port, backlog=1024)
            self.port = server.sockets[0].getsockname()[1]

    @staticmethod
    def _answers(site: Host) -> Any:
        robots = f"User-agent: *\nDisallow: {CLOSED}\nCrawl-delay: {site.delay:g}\n".encode()

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                while head := await reader.readuntil(b"\r\n\r\n"):
                    began, path = time.monotonic(), head.split(b" ")[1].decode()
                    body = robots if path == "/robots.txt" else b"page"
                    await asyncio.sleep(random.random() * 0.02)
                    # The end comes before the client can know of it.
                    site.visits.append((began, time.monotonic(), path))
                    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body))
            except (asyncio.IncompleteReadError, ConnectionError):
                pass
            finally:
                writer.close()

        return answer

    def pages(self) -> int:
        """How many pages were visited."""
        return sum(path != "/robots.txt" for site in self.sites for _, _, path in site.visits)


@dataclass
class Report:
    """What a crawl was like. Times are in seconds."""

    hosts: Hosts
    took: float
    done: list[dict[str, Any] | None]
    """What each process says at its end; nothing of one that was killed."""

    @property
    def optimum(self) -> float:
        """How long the site with the most delays takes at least."""
        return max(site.delay * (len(site.visits) - 1) for site in self.hosts.sites)


def crawl_in_fleet(server: str, sites: int, pages: int, longest: float, kills: bool = False) -> Report:
    """Visits each page of each site once, and asks for one that is closed."""
    hosts, began = Hosts(sites, longest), time.monotonic()
    processes = []
    for number in range(PROCESSES):
        own = [
            f"http://{site.address}:{hosts.port}/{page}"
            for page in range(number, pages, PROCESSES)
            for site in hosts.sites
        ]
        closed = [f"http://{site.address}:{hosts.port}{CLOSED}{number}" for site in hosts.sites]
        process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert process.stdin is not None
        json.dump({"server": server, "member": f"{number}/{PROCESSES}", "urls": own + closed}, process.stdin)
        process.stdin.close()
        processes.append(process)
    if kills:
        while hosts.pages() < sites * pages / 2:
            time.sleep(0.1)
        processes[-1].kill()
    done = []
    for process in processes:
        assert process.stdout is not None
        lines = process.stdout.read().splitlines()
        done.append(json.loads(lines[-1]) if process.wait() == 0 else None)
    return Report(hosts, time.monotonic() - began, done)


def member() -> None:
    """One process of the fleet. Reads what to do from stdin."""
    import scrapy
    from scrapy.crawler import CrawlerProcess

    task = json.load(sys.stdin)

    class Member(scrapy.Spider):
        name = "member"

        async def start(self):
            for url in task["urls"]:
                yield scrapy.Request(url, errback=lambda _: None)

        def parse(self, response):
            pass

    process = CrawlerProcess(
        {
            "ADDONS": {"abide_robots.scrapy.Addon": 500},
            "ABIDE_ALLOW_PRIVATE": True,
            "ABIDE_CACHE": task["server"],
            "ABIDE_MEMBER": task["member"],
            "CONCURRENT_REQUESTS": 400,
            "LOG_ENABLED": False,
            "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.DownloaderAwarePriorityQueue",
            "TELNETCONSOLE_ENABLED": False,
        }
    )
    crawler = process.create_crawler(Member)
    process.crawl(crawler)
    process.start()
    assert crawler.stats is not None
    stats = crawler.stats.get_stats()
    print(json.dumps({key: value for key, value in stats.items() if isinstance(value, int)}))


def main() -> None:
    server, sites, pages, longest = sys.argv[1:]
    report = crawl_in_fleet(server, int(sites), int(pages), float(longest), kills=True)
    early = [rest for site in report.hosts.sites for rest in site.too_early()]
    closed = sum(CLOSED in path for site in report.hosts.sites for _, _, path in site.visits)
    print(
        f"{report.hosts.pages()} pages in {report.took:.0f} s, {report.took / report.optimum:.2f} of the shortest "
        f"time; too early: {len(early)} ({sorted(early)[:5]}); closed pages visited: {closed}"
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main()
    else:
        member()
