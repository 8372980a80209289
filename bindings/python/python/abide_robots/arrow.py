"""Decisions and surveys of tables, for pyarrow, Polars, DuckDB, Spark's ``mapInArrow`` and every
other library that knows Arrow.

>>> import pyarrow
>>> from abide_robots import arrow
>>> table = pyarrow.table(
...     {
...         "robots": ["User-agent: *\\nDisallow: /x", None],
...         "url": ["https://a.example/x/y", "https://b.example/"],
...     }
... )
>>> decided = arrow.decide(table["robots"], table["url"], "ExampleBot")
>>> decided.field("allowed").to_pylist(), decided.field("line").to_pylist()
([False, False], [2, None])
>>> decided.field("reason").to_pylist()
['the only rule that matches (2 bytes)', 'robots.txt was not read']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from abide_robots import _native

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["decide", "survey"]


def decide(
    robots: Any,
    url: Any,
    agent: Any,
    *,
    robots_status: Any = None,
    purposes: Iterable[str] | None = None,
    acap: Mapping[str, Any] | None = None,
    profile: str | None = None,
    nonstandard_token: bool | None = None,
    known_robots: bool | None = None,
) -> Any:
    """Decides about each row of a table: a robots.txt, a URL and a robot.

    Each of the three is a column of text or bytes, or one ``str`` or ``bytes`` for all rows. A
    missing robots.txt is one that is not known: the outcome is ``unknown``. ``robots_status``, a column
    of numbers or one for all rows, is the status of the response with the file. Files that are equal
    are compiled once. The options are those of :class:`abide_robots.Policy`.

    Returns a column of structs with the fields ``allowed``, ``outcome``, ``line``, ``statement``,
    ``reason``, ``crawl_delay`` and ``error``: a pyarrow array if any column is of pyarrow, a Series
    for Polars, else an object with Arrow's interface. A row that cannot be read has an ``error``, and
    null in all other fields.

    Raises :class:`abide_robots.InvalidOptionError` for an option with a wrong value, and for columns
    of different length.
    """
    column = _native.decide_rows(
        robots,
        url,
        agent,
        robots_status=robots_status,
        purposes=purposes,
        acap=acap,
        profile=profile,
        nonstandard_token=nonstandard_token,
        known_robots=known_robots,
    )
    libraries = {_library(one) for one in (robots, url, agent)}
    if "pyarrow" in libraries:
        import pyarrow

        return pyarrow.array(column)
    if "polars" in libraries:
        import polars

        return polars.Series(column)
    return column


def survey(
    batches: Any,
    *,
    tables: str | Iterable[str] | None = None,
    agents: str | Iterable[str] = "*",
    paths: str | Iterable[str] = "/",
    profile: str = "careful",
    literal: bool = False,
) -> dict[str, Any]:
    """Surveys record batches: what ``abide survey`` writes about a Parquet file with these rows.

    ``batches`` is a table, a record batch, or a stream of them, with the columns ``url``, and ``body``
    or ``status``; ``headers`` and ``date`` if they are there. All rows are in memory at a time.

    - ``tables``: the tables to return, such as ``["files", "robots"]`` [default: all but
      ``findings`` and ``changes``]. Without ``findings`` the linter does not run, which is much faster.
    - ``agents``: the robots of the table ``robots``: names, ``*`` for every robot that a file does not
      name, and sets such as ``@search`` [default: ``*``].
    - ``paths``: the paths of the table ``robots`` [default: ``/``].
    - ``profile``: ``careful`` or ``google``.
    - ``literal``: ignores what operators document about their robots.

    Returns the tables by their names: pyarrow Tables for pyarrow, DataFrames for Polars, else
    :class:`abide_robots.RecordBatches`. A row that cannot be read is a row of the table ``errors``.
    ``docs/survey.md`` describes every column.

    Raises :class:`abide_robots.InvalidOptionError` for columns and options that cannot be used.

    >>> import pyarrow
    >>> from abide_robots import arrow
    >>> rows = pyarrow.table(
    ...     {
    ...         "url": ["https://a.example/robots.txt", "https://b.example/robots.txt"],
    ...         "status": [200, 404],
    ...         "body": ["User-agent: GPTBot\\nDisallow: /", None],
    ...     }
    ... )
    >>> tables = arrow.survey(rows, tables="robots", agents="GPTBot,CCBot")
    >>> for row in tables["robots"].select(["host", "robot", "class"]).to_pylist():
    ...     print(*row.values())
    a.example GPTBot closed
    a.example CCBot open
    b.example GPTBot open
    b.example CCBot open
    """
    library = _library(batches)
    if not hasattr(batches, "__arrow_c_stream__") and not hasattr(batches, "__arrow_c_array__"):
        found = type(batches).__name__
        message = f"argument 'batches': expected a table or record batches, but found {found}"
        raise TypeError(message)
    surveyed = _native.survey_batches(
        batches, tables=tables, agents=agents, paths=paths, profile=profile, literal=literal
    )
    if library == "pyarrow":
        import pyarrow

        return {name: pyarrow.table(rows) for name, rows in surveyed.items()}
    if library == "polars":
        import polars

        return {name: polars.DataFrame(rows) for name, rows in surveyed.items()}
    return surveyed


def _library(value: object) -> str:
    """The name of the library that a value is of."""
    return type(value).__module__.partition(".")[0]
