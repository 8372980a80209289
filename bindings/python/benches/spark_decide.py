"""Compares decisions about the URLs of a DataFrame in one run: `decide` with all files in every task and with
URLs that meet their files, and functions that a user might write, with `Policy` and with Protego.

    maturin develop --release
    python benches/spark_decide.py FOLDER [URLS]

FOLDER has robots.txt files, of which 2,000 are asked. Half of the URLs [default: 2,000,000] are on one host. Two
tasks run at a time, `local[2]`. Each way runs three times, in turn, and its best time counts: the first one has the
JVM and Python start.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from spark_survey import session

FILES = 2_000
ROUNDS = 3


def urls_of(spark: Any, count: int, path: str) -> Any:
    from pyspark.sql import functions as F

    host = F.when(F.rand(3) < 0.5, F.lit(7)).otherwise((F.rand(5) * FILES * 1.05).cast("int"))
    url = F.concat(F.lit("https://h"), host.cast("string"), F.lit(".example/a/"), "id", F.lit("/search?q=x"))
    spark.range(0, count, 1, 16).select(url.alias("url")).write.parquet(path)
    return spark.read.parquet(path)


def by_hand(spark: Any, files: list[bytes], prepared: Any) -> Any:
    """What people write: a function, and the files in a variable that every task has."""
    from urllib.parse import urlsplit

    from pyspark.sql import functions as F

    bodies = spark.sparkContext.broadcast({f"h{n}.example": body for n, body in enumerate(files)})
    known: dict[str, Any] = {}

    @F.udf("boolean")
    def allowed(url: str) -> bool | None:
        host = urlsplit(url).netloc
        if host not in known:
            body = bodies.value.get(host)
            known[host] = None if body is None else prepared(body)
        ask = known[host]
        return None if ask is None else ask(url)

    return allowed


def with_policy(body: bytes) -> Any:
    import abide_robots

    return abide_robots.Policy(body, "ExampleBot").allows


def with_protego(body: bytes) -> Any:
    import protego

    parsed = protego.Protego.parse(body.decode("utf-8", "replace"))
    return lambda url: parsed.can_fetch(url, "ExampleBot")


def main() -> None:
    found = sorted(one for one in Path(sys.argv[1]).rglob("*") if one.is_file())
    files = [one.read_bytes() for one in found[:FILES]]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 2_000_000
    spark = session("local[2]", partitions=8)
    from abide_robots import spark as abide_spark

    with tempfile.TemporaryDirectory() as folder:
        urls = urls_of(spark, count, f"{folder}/urls")
        # A table, as a robots.txt collection is.
        rows = [(f"https://h{n}.example/robots.txt", 200, bytearray(body)) for n, body in enumerate(files)]
        spark.createDataFrame(rows, "url string, status int, body binary").write.parquet(f"{folder}/robots")
        robots = spark.read.parquet(f"{folder}/robots")
        policy, protego = (by_hand(spark, files, prepared) for prepared in (with_policy, with_protego))

        def decided(field: str, **options: Any) -> Any:
            answers = abide_spark.decide(urls, robots, agent="ExampleBot", **options)
            return answers.groupBy(f"decision.{field}").count().collect()

        ways = {
            "a function with Protego": lambda: urls.groupBy(protego("url")).count().collect(),
            "a function with abide_robots.Policy": lambda: urls.groupBy(policy("url")).count().collect(),
            "decide(columns='allowed')": lambda: decided("allowed", columns="allowed"),
            "decide(): every field": lambda: decided("outcome"),
            "decide(columns='allowed', broadcast=False)": lambda: decided("allowed", columns="allowed", broadcast=False),
            "decide(broadcast=False): every field": lambda: decided("outcome", broadcast=False),
        }
        best = dict.fromkeys(ways, float("inf"))
        for _ in range(ROUNDS):
            for name, ask in ways.items():
                began = time.perf_counter()
                ask()
                best[name] = min(best[name], time.perf_counter() - began)
        base = best["a function with abide_robots.Policy"]
        for name, took in best.items():
            print(f"{name:<44} {count / took:10,.0f} URLs/s {base / took:6.2f} x", flush=True)
    spark.stop()


if __name__ == "__main__":
    main()
