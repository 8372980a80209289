"""Compares questions about the rows of a table with a loop over prepared policies, in one run.

    maturin develop --release
    python benches/columns.py [FOLDER]

FOLDER has robots.txt files [default: 1,000 that this program makes, of the usual sizes]. Each row has
the file of its site and a URL, in no order. Times are CPU times of one core, the median of several
rounds. The loop, and what a caller of each library writes without abide's functions, ask prepared policies.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow

import abide_robots.duckdb
import abide_robots.polars
from abide_robots import arrow

AGENT = "ExampleBot"
ROWS = 100_000
FILES = 1_000
ROUNDS = 5


def made(site: int) -> bytes:
    rules = int(random.lognormvariate(3.2, 1.2)) + 1
    lines = [f"# site {site}", "User-agent: OtherBot", "Disallow: /", "", "User-agent: *"]
    for n in range(rules):
        lines.append(f"Disallow: /private/{n}/" if n % 4 else f"Disallow: /*/shop/{n}*.pdf$")
    return "\n".join([*lines, f"Sitemap: https://h{site}.example/sitemap.xml", ""]).encode()


def files() -> list[bytes]:
    if len(sys.argv) > 1:
        found = sorted(one for one in Path(sys.argv[1]).rglob("*") if one.is_file())
        return [one.read_bytes() for one in found[:FILES]]
    return [made(site) for site in range(FILES)]


def measure(call: Callable[[], Any]) -> float:
    times = []
    for _ in range(ROUNDS):
        began = time.process_time()
        call()
        times.append(time.process_time() - began)
    return statistics.median(times)


def main() -> None:
    random.seed(2)
    bodies = files()
    sites = [random.randrange(len(bodies)) for _ in range(ROWS)]
    urls = [f"https://h{site}.example/a/{row}/search?q=x" for row, site in enumerate(sites)]
    policies = [abide_robots.Policy(body, AGENT) for body in bodies]
    mean = sum(map(len, bodies)) / len(bodies)
    print(f"{ROWS:,} rows in no order, {len(bodies):,} files of {mean:,.0f} bytes on average")
    expected = [policies[site].allows(url) for site, url in zip(sites, urls, strict=True)]

    def loop() -> None:
        for site, url in zip(sites, urls, strict=True):
            policies[site].allows(url)

    base = measure(loop)

    def show(name: str, ask: Callable[[], Any], listed: Callable[[Any], list[Any]] | None = None) -> None:
        if listed is not None:
            assert listed(ask()) == expected, name
        took = measure(ask)
        print(f"{name:<58} {took / ROWS * 1e6:7.2f} µs/row {took / base:7.2f} x")

    print(f"{'a loop over prepared policies':<58} {base / ROWS * 1e6:7.2f} µs/row")
    url = pyarrow.array(urls)
    plain = pyarrow.array([bodies[site] for site in sites], pyarrow.large_binary())
    keys = pyarrow.array(sites, pyarrow.int32())
    dictionary = pyarrow.DictionaryArray.from_arrays(keys, pyarrow.array(bodies))
    ordered = sorted(range(ROWS), key=lambda row: sites[row])
    pylist: Callable[[Any], list[Any]] = lambda answers: answers.to_pylist()
    show("arrow.allows, files in each row", lambda: arrow.allows(plain, url, AGENT), pylist)
    show("arrow.allows, files in a dictionary", lambda: arrow.allows(dictionary, url, AGENT), pylist)
    by_site, its_urls = plain.take(ordered), url.take(ordered)
    show("arrow.allows, files in each row, sorted", lambda: arrow.allows(by_site, its_urls, AGENT))
    for columns in (["allowed", "error"], ["line"], None):
        name = "all columns" if columns is None else ", ".join(columns)
        show(f"arrow.decide, {name}", lambda: arrow.decide(plain, url, AGENT, columns=columns))
    tables(bodies, sites, urls, show)


def tables(bodies: list[bytes], sites: list[int], urls: list[str], show: Callable[..., None]) -> None:
    """What other libraries cost, with files that they keep in each row or that they join to the rows."""
    rows_table = pyarrow.table({"body": pyarrow.array([bodies[site] for site in sites]), "site": sites, "url": urls})
    files = pyarrow.table({"site": range(len(bodies)), "body": bodies})
    frame, held = polars.DataFrame(rows_table), polars.DataFrame(files)
    allows: Any = polars.col("url").abide.allows(polars.col("body"), AGENT)  # type: ignore[attr-defined]
    listed: Callable[[Any], list[Any]] = lambda answers: answers["url"].to_list()
    show("Polars, an expression, files in each row", lambda: frame.select(allows), listed)
    rows = frame.drop("body")
    show(
        "Polars, an expression, files joined to the rows",
        lambda: rows.join(held, on="site", how="left", maintain_order="left").select(allows),
        listed,
    )
    pandas_frame = rows_table.to_pandas(types_mapper=pandas.ArrowDtype)
    show(
        "pandas, arrow.allows, files in each row",
        lambda: arrow.allows(pandas_frame["body"], pandas_frame["url"], AGENT),
        lambda answers: answers.tolist(),
    )
    con = duckdb.connect(config={"threads": 1})
    abide_robots.duckdb.register(con)
    con.execute("CREATE TABLE pages AS SELECT row_number() OVER () AS n, * FROM rows_table")
    con.execute("CREATE TABLE files AS FROM files")
    ask = f"abide_allowed(body, url, '{AGENT}')"
    show(
        "DuckDB, abide_allowed, files in each row",
        lambda: con.sql(f"SELECT {ask} FROM pages ORDER BY n").fetchall(),
        lambda answers: [answer for (answer,) in answers],
    )
    show(
        "DuckDB, count(*) WHERE abide_allowed",
        lambda: con.sql(f"SELECT count(*) FROM pages WHERE {ask}").fetchall(),
    )
    show(
        "DuckDB, the same, files joined to the rows",
        lambda: con.sql(
            f"SELECT count(*) FROM (SELECT url, site FROM pages) JOIN files USING (site) WHERE {ask}"
        ).fetchall(),
    )
    show(
        "DuckDB, count(*) WHERE length(body) and length(url)",
        lambda: con.sql("SELECT count(*) FROM pages WHERE octet_length(body) > length(url)").fetchall(),
    )


if __name__ == "__main__":
    main()
