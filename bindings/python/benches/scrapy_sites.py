"""Crawls 200 local sites with Scrapy, once with its own robots.txt middleware and Protego, and once
with abide's add-on. Prints the times, and how many pages each fetched that RFC 9309 forbids.

    maturin develop --release --extras scrapy
    python benches/scrapy_sites.py

Every second site has a robots.txt that fails: with a server error, a reset connection, or a redirect
to a failure. RFC 9309 (2.3.1.4) closes these sites. The others disallow a third of their pages.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import subprocess
import sys
import time
from typing import Any

SITES = 200
PAGES = 9
RULES = b"User-agent: *\nDisallow: /private/\n"
FAILURES = [b"503 Busy", b"500 Error", b"reset", b"302 Found\r\nLocation: /failing"]


def host(number: int) -> str:
    """An address of its own for each site: crawlers limit the connections to one host."""
    return f"127.0.1.{number + 1}"


def serve(ports: Any) -> None:
    """Serves all sites, in a process of its own."""

    async def run() -> None:
        servers = []
        for number in range(SITES):

            async def answer(reader: Any, writer: Any, number: int = number) -> None:
                try:
                    while line := await reader.readline():
                        path = line.split()[1]
                        while (await reader.readline()).strip():
                            pass
                        status, body = b"200 OK", b"<html>page</html>"
                        if path == b"/robots.txt":
                            body = RULES
                            if number % 2:
                                status = FAILURES[number // 2 % len(FAILURES)]
                        elif path == b"/failing":
                            status = b"500 Error"
                        if status == b"reset":
                            writer.transport.abort()
                            return
                        length = str(len(body)).encode()
                        head = b"HTTP/1.1 " + status + b"\r\nContent-Length: " + length
                        writer.write(head + b"\r\nContent-Type: text/html\r\n\r\n" + body)
                        await writer.drain()
                except (ConnectionError, IndexError):
                    pass
                finally:
                    writer.close()

            servers.append(await asyncio.start_server(answer, host(number), 0, backlog=256))
        ports.put([server.sockets[0].getsockname()[1] for server in servers])
        await asyncio.Event().wait()

    asyncio.run(run())


def crawl(kind: str, ports: list[int]) -> None:
    """Crawls, in a process of its own, and writes the pages that were fetched."""
    import scrapy
    from scrapy.crawler import CrawlerProcess

    fetched: list[str] = []

    class Sites(scrapy.Spider):
        name = "sites"

        async def start(self) -> Any:
            for page in range(PAGES):
                folder = "private" if page % 3 == 2 else "public"
                for number, port in enumerate(ports):
                    url = f"http://{host(number)}:{port}/{folder}/{page}"
                    yield scrapy.Request(url, self.parse)

        def parse(self, response: Any) -> None:
            if response.status == 200:
                fetched.append(response.url)

    settings: dict[str, Any] = {
        "LOG_LEVEL": "CRITICAL",
        "RETRY_ENABLED": False,
        "ROBOTSTXT_OBEY": True,
        "CONCURRENT_REQUESTS": 64,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 64,
        "DOWNLOAD_DELAY": 0,
        "TELNETCONSOLE_ENABLED": False,
    }
    if kind == "abide":
        settings |= {"ADDONS": {"abide_robots.scrapy.Addon": 500}, "ABIDE_ALLOW_PRIVATE": True}
    began = time.perf_counter()
    process = CrawlerProcess(settings)
    process.crawl(Sites)
    process.start()
    print(json.dumps({"seconds": time.perf_counter() - began, "fetched": fetched}))


def main() -> None:
    context = multiprocessing.get_context("spawn")
    queue = context.SimpleQueue()
    server = context.Process(target=serve, args=(queue,), daemon=True)
    server.start()
    ports = queue.get()
    closed = {f"{host(number)}:{ports[number]}" for number in range(1, SITES, 2)}
    best: dict[str, float] = {}
    for _ in range(3):
        for kind in ("stock", "abide"):
            words = [sys.executable, __file__, kind, json.dumps(ports)]
            done = subprocess.run(words, capture_output=True, text=True, check=True)
            told = json.loads(done.stdout.splitlines()[-1])
            best[kind] = min(told["seconds"], best.get(kind, told["seconds"]))
            urls = told["fetched"]
            wrong = [url for url in urls if "/private/" in url or url.split("/")[2] in closed]
            print(f"{kind:<6} {told['seconds']:6.2f} s, {len(urls)} pages, {len(wrong)} against RFC 9309")
    print(f"abide takes {best['abide'] / best['stock']:.2f} of the time of stock Scrapy (best of three)")
    server.terminate()


if __name__ == "__main__":
    if len(sys.argv) > 2:
        crawl(sys.argv[1], json.loads(sys.argv[2]))
    else:
        main()
