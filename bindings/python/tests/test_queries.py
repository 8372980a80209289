"""SQL functions for DuckDB, and expressions for Polars."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import polars
import pytest

import abide_robots.duckdb
import abide_robots.polars
from abide_robots import InvalidOptionError, Policy, arrow

FILES = [f"User-agent: *\nDisallow: /é{n}\nCrawl-delay: {n}\n# für alle\n" for n in range(7)]
ROWS = 10_000
BODIES = [None if n % 31 == 0 else FILES[n % 7] for n in range(ROWS)]
URLS = [None if n % 37 == 0 else "no url" if n % 41 == 0 else f"https://e.example/é{n % 5}/x" for n in range(ROWS)]


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        abide_robots.duckdb.register(con)
        frame = polars.DataFrame({"n": range(ROWS), "body": BODIES, "url": URLS})
        con.execute("CREATE TABLE pages AS SELECT *, encode(body) AS bytes FROM frame")
        yield con


def column(con: duckdb.DuckDBPyConnection, expression: str) -> list[Any]:
    return [row[0] for row in con.sql(f"SELECT {expression} FROM pages ORDER BY n").fetchall()]


def test_sql_has_the_answers_of_columns(con: duckdb.DuckDBPyConnection) -> None:
    expected = arrow.allows(BODIES, URLS, "ExampleBot")
    assert {True, False, None} == set(expected)
    # Text and bytes, and more rows than DuckDB asks about at a time.
    assert column(con, "abide_allowed(body, url, 'ExampleBot')") == expected
    assert column(con, "abide_allowed(bytes, url, 'ExampleBot')") == expected
    decided = polars.Series(arrow.decide(BODIES, URLS, "ExampleBot"))
    assert column(con, "abide_decide(bytes, url, 'ExampleBot')") == decided.to_list()
    (count,) = con.sql("SELECT count(*) FROM pages WHERE abide_allowed(body, url, 'ExampleBot')").fetchall()
    assert count == (expected.count(True),)


def test_sql_of_single_rows(con: duckdb.DuckDBPyConnection) -> None:
    def value(expression: str) -> Any:
        (row,) = con.sql(f"SELECT {expression}").fetchall()
        return row[0]

    assert value("abide_allowed(NULL, '/x', 'A')") is False
    assert value("abide_allowed(NULL, '/x', 'A', status := 404)") is True
    assert value("abide_allowed('User-agent: *\nDisallow: /x', '/x', 'A', status := 503)") is False
    assert value("abide_allowed('', '/x', NULL)") is None
    assert value("abide_decide('', '/x', NULL).error") == "agent: there is none"
    assert value("abide_decide('', 'no url', 'A').error").startswith("url: ")
    assert value("abide_allowed('User-agent: B\nDisallow: /', '/', 'B/1.0 (+https://b.example/)')") is False
    with pytest.raises(duckdb.Error):
        value("abide_allowed('', '/x')")


def test_sql_options_can_change_and_nothing_stays(tmp_path: Any) -> None:
    question = "SELECT abide_allowed('User-agent: Googlebot\nDisallow: /', '/', 'Googlebot-News')"
    with duckdb.connect(tmp_path / "file.db") as con:
        abide_robots.duckdb.register(con)
        assert con.sql(question).fetchall() == [(True,)]
        abide_robots.duckdb.register(con, known_robots=True)
        assert con.sql(question).fetchall() == [(False,)]
        with pytest.raises(InvalidOptionError, match="profile"):
            abide_robots.duckdb.register(con, profile="x")  # type: ignore[arg-type] # pyright: ignore
    with duckdb.connect(tmp_path / "file.db") as con:
        functions = con.sql("SELECT function_name FROM duckdb_functions() WHERE function_name LIKE '%abide%'")
        assert functions.fetchall() == []
        with pytest.raises(duckdb.CatalogException):
            con.sql(question)


FRAME = polars.DataFrame({"body": BODIES, "url": URLS})


def test_expressions_have_the_answers_of_columns() -> None:
    expected = arrow.allows(BODIES, URLS, "ExampleBot")
    url: Any = polars.col("url")
    allows = url.abide.allows(polars.col("body"), "ExampleBot")
    assert FRAME.select(allows).schema == {"url": polars.Boolean}
    assert FRAME.select(allows)["url"].to_list() == expected
    as_bytes = polars.col("body").cast(polars.Binary)
    assert FRAME.select(url.abide.allows(as_bytes, polars.lit("ExampleBot")))["url"].to_list() == expected
    for engine in ("in-memory", "streaming"):
        rows = FRAME.lazy().with_row_index().filter(allows).collect(engine=engine)
        assert sorted(rows["index"]) == [n for n, answer in enumerate(expected) if answer]
    decided = polars.Series(arrow.decide(BODIES, URLS, "ExampleBot"))
    decide = url.abide.decide(polars.col("body"), "ExampleBot")
    assert FRAME.lazy().select(decide).collect_schema()["url"] == decided.dtype
    assert FRAME.select(decide)["url"].to_list() == decided.to_list()
    some = FRAME.select(url.abide.decide(polars.col("body"), "ExampleBot", columns=iter(["line", "error"])))
    assert some["url"].struct.unnest().rows() == [(row["line"], row["error"]) for row in decided]


def test_expressions_with_one_file() -> None:
    policy = Policy(FILES[1], "ExampleBot")
    url: Any = polars.col("url")
    expected = policy.allows_many(URLS)
    assert FRAME.select(url.abide.allows(policy))["url"].to_list() == expected
    assert FRAME.select(url.abide.allows(FILES[1].encode(), "ExampleBot"))["url"].to_list() == expected
    assert FRAME.select(url.abide.allows(polars.lit(FILES[1]), "ExampleBot"))["url"].to_list() == expected
    statuses = polars.DataFrame({"url": ["/x"] * 3, "status": [404, 503, None]})
    answers = statuses.select(url.abide.allows(None, "A", robots_status=polars.col("status")))
    assert answers["url"].to_list() == [True, False, False]
    assert FRAME[:0].select(url.abide.allows(polars.col("body"), "A"))["url"].to_list() == []


def test_mistakes_in_expressions() -> None:
    url: Any = polars.col("url")
    with pytest.raises(InvalidOptionError, match="agent: a Policy has its robot"):
        url.abide.allows(Policy("", "A"), "B")
    with pytest.raises(InvalidOptionError, match='columns: .* but found "x"'):
        url.abide.decide(polars.col("body"), "A", columns=["x"])
    with pytest.raises(InvalidOptionError, match="profile"):
        url.abide.allows(polars.col("body"), "A", profile="x")
    with pytest.raises(TypeError, match="agent"):
        url.abide.allows(polars.col("body"))
    with pytest.raises(InvalidOptionError, match="url: expected text, but found a column of Int64"):
        FRAME.select(polars.lit(1).cast(polars.Int64).abide.allows("", "A"))
