"""Compares surveys of the same archives in one run: the command, Spark with abide, and a job in
cc-pyspark's form with Protego. Prints captures per second and core.

    maturin develop --release
    python benches/spark_survey.py [--pinned] [FOLDER]

FOLDER has archives (.warc.gz) [default: some that this program makes, of 600,000 sites]. Every run uses
one core as each program counts them: `abide survey -j 1`, and a Spark session with one task at a time,
`local[1]`, whose JVM and Python work at the same time. With --pinned, all processes share one core of the
machine. The times of Spark are without the start of the session and without a first survey of one
archive: a job that takes minutes compiles its code once. The tasks are as large as in a survey of
thousands of archives.
"""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

SITES = 600_000
ARCHIVES = 120
AGENTS = ["GPTBot", "CCBot", "Googlebot"]
# Captures of robots.txt files in a month of Common Crawl (November 2023: 74.3 million).
MONTH = 75_000_000


def made(folder: Path) -> None:
    """Archives as Common Crawl's: a request and a response for each site, each compressed by itself."""
    for archive in range(ARCHIVES):
        with open(folder / f"made-{archive:02}.warc.gz", "wb") as out:
            for number in range(archive, SITES, ARCHIVES):
                for record in records(number):
                    out.write(gzip.compress(record, 6))


def records(number: int) -> list[bytes]:
    url = f"https://site{number}.example/robots.txt"
    lines = ["User-agent: GPTBot", "Disallow: /" if number % 3 else "Disallow: /shop/", "", "User-agent: *"]
    lines += [f"Disallow: /{folder}-{number % 97}/*.html$" for folder in range(number % 60)]
    body = "\n".join([*lines, "Allow: /public/", f"Sitemap: https://site{number}.example/sitemap.xml", ""])
    response = http(200, "OK", body)
    if number % 10 == 0:
        response = http(404, "Not Found", "<html>not found</html>")
    elif number % 10 == 1:
        to = f"Location: https://site{number + 1}.example/robots.txt\r\n"
        response = http(301, "Moved", "", to)
    request = f"GET /robots.txt HTTP/1.1\r\nHost: site{number}.example\r\n\r\n"
    return [record("request", url, request), record("response", url, response)]


def http(status: int, reason: str, body: str, fields: str = "") -> str:
    return f"HTTP/1.1 {status} {reason}\r\n{fields}Content-Length: {len(body)}\r\n\r\n{body}"


def record(kind: str, url: str, content: str) -> bytes:
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-11-20T12:00:00Z\r\n"
    head += f"Content-Type: application/http; msgtype={kind}\r\nContent-Length: {len(content)}\r\n\r\n"
    return (head + content + "\r\n\r\n").encode()


def session(master: str = "local[1]", partitions: int = 4) -> Any:
    from pyspark.sql import SparkSession

    os.environ.update(SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable)
    builder = SparkSession.builder.master(master).config("spark.ui.enabled", "false")
    # A task takes 50 ms longer if Spark and Python talk through TCP.
    builder = builder.config("spark.python.unix.domain.socket.enabled", "true")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    spark = builder.config("spark.driver.memory", "2g").config("spark.sql.shuffle.partitions", partitions).getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def command(folder: Path, tables: Path) -> int:
    """`abide survey`, on one core."""
    words = [sys.executable, "-m", "abide_robots", "survey", str(folder), "-o", str(tables / "command"), "-j", "1"]
    words += ["--tables", "robots", "--agents", ",".join(AGENTS)]
    subprocess.run(words, check=True, capture_output=True)
    return parquet_rows(tables / "command" / "robots")


def with_abide(spark: Any, paths: list[str], to: Path) -> int:
    from abide_robots import spark as abide_spark

    abide_spark.register(spark)
    read = spark.read.format("abide-warc").option("tasks", 1).load(paths)
    abide_spark.survey(read, "robots", agents=AGENTS).write.parquet(str(to))
    spark.catalog.clearCache()
    return parquet_rows(to)


def with_protego(spark: Any, paths: list[str], to: Path) -> int:
    """cc-pyspark's form: a task opens archives, goes through their records in Python, and yields rows.
    Redirects are not followed.
    """
    names = spark.sparkContext.parallelize(paths, max(1, len(paths) // 13))
    rows = names.mapPartitions(answers)
    columns = "url string, robot string, allowed boolean, delay double"
    spark.createDataFrame(rows, columns).write.parquet(str(to))
    return parquet_rows(to)


def answers(paths: Iterator[str]) -> Iterator[tuple[str, str, bool, float | None]]:
    import protego

    for path in paths:
        for url, status, body in responses(path):
            text = body.decode("utf-8", "replace") if status == 200 else ""
            robots = protego.Protego.parse(text)
            for robot in AGENTS:
                delay = robots.crawl_delay(robot)
                yield url, robot, robots.can_fetch(url.removesuffix("robots.txt"), robot), delay


def responses(path: str) -> Iterator[tuple[str, int, bytes]]:
    """The responses of an archive: cc-pyspark reads them with warcio, or with FastWARC if it is there."""
    try:
        from fastwarc.warc import ArchiveIterator as Fast
        from fastwarc.warc import WarcRecordType

        for one in Fast(open(path, "rb"), record_types=WarcRecordType.response):
            status = one.http_headers.status_code if one.http_headers else 0
            yield one.headers["WARC-Target-URI"], status, one.reader.read()
        return
    except ImportError:
        pass
    from warcio.archiveiterator import ArchiveIterator

    with open(path, "rb") as archive:
        for one in ArchiveIterator(io.BufferedReader(archive)):
            if one.rec_type == "response":
                status = int(one.http_headers.get_statuscode())
                yield one.rec_headers.get_header("WARC-Target-URI"), status, one.content_stream().read()


def parquet_rows(path: Path) -> int:
    import pyarrow.dataset

    return pyarrow.dataset.dataset(str(path), format="parquet").count_rows()


def shuffled(spark: Any) -> int:
    """The bytes that all tasks so far wrote for others."""
    executors = spark.sparkContext._jsc.sc().statusStore().executorList(False)
    return sum(executors.apply(at).totalShuffleWrite() for at in range(executors.size()))


def timed(name: str, call: Callable[[], int], rival: float | None = None) -> float:
    began = time.perf_counter()
    rows = call()
    rate = rows / len(AGENTS) / (time.perf_counter() - began)
    ratio = "" if rival is None else f"  {rate / rival:6.2f} of the command"
    print(f"{name:<34} {rate:10.0f} captures/s/core{ratio}", flush=True)
    return rate


def month(rate: float, size: float, shuffle: float) -> None:
    """What a month of Common Crawl costs at this rate."""
    hours = MONTH / rate / 3600
    print(f"  {size:.0f} bytes of archive and {shuffle:.0f} bytes of shuffle per capture")
    print(f"  {MONTH / 1e6:.0f} million captures: {hours:.1f} core hours, {shuffle * MONTH / 1e9:.0f} GB of shuffle")


def main() -> None:
    given = [word for word in sys.argv[1:] if word != "--pinned"]
    if "--pinned" in sys.argv:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as work:
        tables = Path(work) / "tables"
        tables.mkdir()
        folder = Path(given[0]) if given else Path(work) / "archives"
        if not given:
            folder.mkdir()
            made(folder)
        size = sum(path.stat().st_size for path in folder.glob("*.warc.gz"))
        print(f"{len(list(folder.glob('*.warc.gz')))} archives, {size / 1e6:.1f} MB")
        rate = timed("abide survey -j 1", lambda: command(folder, tables))
        spark = session()
        paths = [str(path) for path in sorted(folder.glob("*.warc.gz"))]
        with_abide(spark, paths[:1], tables / "first")
        with_protego(spark, paths[:1], tables / "first-protego")
        before = shuffled(spark)
        ours = timed("Spark, abide", lambda: with_abide(spark, paths, tables / "abide"), rate)
        captures = parquet_rows(tables / "abide") / len(AGENTS)
        month(ours, size / captures, (shuffled(spark) - before) / captures)
        # A part of the archives: it has no costs but those of each archive.
        some = paths[: -(-len(paths) // 5)]
        timed("Spark, cc-pyspark's form, Protego", lambda: with_protego(spark, some, tables / "protego"), rate)
        spark.stop()


if __name__ == "__main__":
    main()
