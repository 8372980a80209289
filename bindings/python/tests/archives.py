"""Web archives and the survey of them by the command, for tests."""

from __future__ import annotations

import gzip
import hashlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet

ROBOTS = b"User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nCrawl-delay: 2\nDisallow: /private/\n"
AGENTS = "GPTBot,CCBot,*"
PATHS = "/,/private/x"


def record(kind: str, url: str, content: bytes, *fields: str, date: str = "2026-11-20T12:00:00Z") -> bytes:
    """A record, compressed by itself."""
    head = ["WARC/1.0", f"WARC-Type: {kind}", f"WARC-Target-URI: {url}"]
    if date:
        head.append(f"WARC-Date: {date}")
    if kind in ("response", "revisit"):
        head.append("Content-Type: application/http; msgtype=response")
    head += [*fields, f"Content-Length: {len(content)}"]
    return gzip.compress("\r\n".join(head).encode() + b"\r\n\r\n" + content + b"\r\n\r\n", mtime=0)


def http(status: int, body: bytes = b"", *fields: str) -> bytes:
    """A response."""
    head = "\r\n".join([f"HTTP/1.1 {status} Status", *fields])
    return head.encode() + b"\r\n\r\n" + body


def digest(body: bytes) -> str:
    """The digest of a payload, as archives write it."""
    return "WARC-Payload-Digest: sha256:" + hashlib.sha256(body).hexdigest()


def site(number: int) -> list[bytes]:
    """The records of a site: each kind of answer, and each kind of mistake."""
    host = f"site{number}.example"
    url = f"https://{host}/robots.txt"
    body = ROBOTS + f"Sitemap: https://{host}/sitemap.xml\nDisallow: /{number % 7}/\n".encode()
    plain = [record("request", url, b"GET /robots.txt HTTP/1.1\r\n\r\n")]
    match number % 12:
        case 0:
            return [*plain, record("response", url, http(404, b"<html>not found"))]
        case 1:
            return [*plain, record("response", url, http(503))]
        case 2:  # to the next site, which answers
            to = f"https://site{number + 1}.example/robots.txt"
            return [*plain, record("response", url, http(301, b"", f"Location: {to}"))]
        case 3:  # two redirects: to another host of the site, and to a page
            first = record("response", url, http(302, b"", f"Location: https://www.{host}/robots.txt"))
            www = record("response", f"https://www.{host}/robots.txt", http(308, b"", "Location: /about"))
            page = record("response", f"https://www.{host}/about", http(200, b"<html>about us"))
            return [*plain, first, www, page]
        case 4:  # the same file again, without its body
            response = record("response", url, http(200, body), digest(body))
            again = record("revisit", url, http(200), digest(body), date="2026-11-21T12:00:00Z")
            return [*plain, response, again]
        case 5:  # nobody has the body
            return [record("revisit", url, http(200), digest(b"elsewhere"))]
        case 6:
            return [record("response", url, b"no response")]
        case 7:  # in a circle
            return [record("response", url, http(301, b"", "Location: /robots.txt"))]
        case 8:  # a target that was not captured
            return [record("response", url, http(301, b"", "Location: https://gone.example/robots.txt"))]
        case 9:
            long = body + b"# long\n" * 80_000
            return [*plain, record("response", url, http(200, long))]
        case 10:
            return [record("response", url, http(200, gzip.compress(body), "Content-Encoding: gzip"), date="")]
        case _:
            return [*plain, record("response", url, http(200, body))]


def write(folder: Path, archives: int, sites: int) -> list[Path]:
    """Archives with these numbers of sites. The last one ends within a record."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number in range(archives):
        records = [one for at in range(sites) for one in site(number * sites + at)]
        if number == 0:
            # Captured twice: redirects lead to the nearer one.
            records.append(record("response", "https://site3.example/robots.txt", http(200, ROBOTS)))
        content = b"".join(records)
        path = folder / f"part-{number:03}.warc.gz"
        path.write_bytes(content[:-40] if number == archives - 1 else content)
        paths.append(path)
    return paths


def surveyed(inputs: list[Path], folder: Path, *words: str) -> dict[str, pyarrow.Table]:
    """The tables that the command makes."""
    command = [sys.executable, "-m", "abide_robots", "survey", *map(str, inputs), "-o", str(folder), "-j", "1"]
    subprocess.run([*command, "--agents", AGENTS, "--path", PATHS, *words], check=True, capture_output=True)
    return {table.name: pyarrow.parquet.read_table(table) for table in folder.iterdir()}


def without_source(table: pyarrow.Table) -> pyarrow.Table:
    """The table without the names of inputs, which rows in memory do not have."""
    return table.drop_columns(["source"]) if "source" in table.column_names else table


def rows(table: pyarrow.Table) -> list[tuple[Any, ...]]:
    """The rows, in an order of their own."""
    cells = [column.to_pylist() for column in table.columns]
    # Instants are in milliseconds there, and in microseconds in Spark.
    return sorted(zip(*cells, strict=True), key=repr)
