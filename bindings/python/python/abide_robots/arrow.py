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
>>> arrow.allows(table["robots"], table["url"], "ExampleBot").to_pylist()
[False, False]
>>> decided = arrow.decide(table["robots"], table["url"], "ExampleBot")
>>> decided.field("allowed").to_pylist(), decided.field("line").to_pylist()
([False, False], [2, None])
>>> decided.field("reason").to_pylist()
['the only rule that matches (2 bytes)', 'robots.txt was not read']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from abide_robots import _columns, _native

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Unpack

    import pandas
    import polars
    import pyarrow

    from abide_robots._native import BooleanColumn, DecisionColumn, RecordBatches
    from abide_robots._types import (
        Acap,
        AnswerColumn,
        Column,
        Listed,
        Numbers,
        Profile,
        RowOptions,
        Texts,
    )

__all__ = ["allows", "decide", "survey"]


@overload
def allows(
    robots: Listed | str | bytes | None,
    url: Listed,
    agent: Texts,
    **options: Unpack[RowOptions],
) -> list[bool | None]: ...

@overload
def allows(
    robots: Texts,
    url: polars.Series,
    agent: Texts,
    **options: Unpack[RowOptions],
) -> polars.Series: ...

@overload
def allows(
    robots: polars.Series,
    url: str | bytes,
    agent: Texts,
    **options: Unpack[RowOptions],
) -> polars.Series: ...

@overload
def allows(
    robots: Texts,
    url: pandas.Series,
    agent: Texts,
    **options: Unpack[RowOptions],
) -> pandas.Series: ...

@overload
def allows(
    robots: pandas.Series,
    url: str | bytes,
    agent: Texts,
    **options: Unpack[RowOptions],
) -> pandas.Series: ...

@overload
def allows(
    robots: Texts,
    url: pyarrow.Array | pyarrow.ChunkedArray,
    agent: Texts,
    **options: Unpack[RowOptions],
) -> pyarrow.BooleanArray: ...

@overload
def allows(
    robots: pyarrow.Array | pyarrow.ChunkedArray,
    url: str | bytes,
    agent: Texts,
    **options: Unpack[RowOptions],
) -> pyarrow.BooleanArray: ...

@overload
def allows(
    robots: Texts,
    url: Texts,
    agent: Texts,
    **options: Unpack[RowOptions],
) -> BooleanColumn: ...

def allows(
    robots: Texts,
    url: Texts,
    agent: Texts,
    *,
    robots_status: Numbers | None = None,
    purposes: Iterable[str] | None = None,
    acap: Acap | None = None,
    profile: Profile | None = None,
    nonstandard_token: bool | None = None,
    known_robots: bool | None = None,
) -> object:
    """Returns whether the robot of each row may fetch its URL, under the robots.txt of the row.

    Each of the three is a column of text or bytes, a list, or one ``str`` or ``bytes`` for all;
    rows meet by their position. A missing robots.txt is one that is not known: nothing is allowed.
    ``robots_status``, a column of numbers or one for all, is the status of the response with the
    file. Files that are equal are compiled once, wherever their rows are. The options are those of
    :class:`abide_robots.Policy`.

    The answers are a column of the library that the columns are of: a pyarrow array, a Series of
    Polars, or one of pandas with its index (always of the type ``boolean``). Lists give a list. Other
    columns with Arrow's interface give a :class:`abide_robots.BooleanColumn`. A row that cannot be
    read has no answer; ``decide(…, columns="error")`` says why.

    Raises :class:`abide_robots.InvalidOptionError` for an option with a wrong value, and for columns
    of different length.

    >>> from abide_robots import arrow
    >>> arrow.allows("User-agent: *\\nDisallow: /x", ["/x", "/y", "no url"], "ExampleBot")
    [False, True, None]
    """
    decider = _native.RowDecider(
        purposes=purposes,
        acap=acap,
        profile=profile,
        nonstandard_token=nonstandard_token,
        known_robots=known_robots,
    )
    return _columns.of_rows(decider.allows, (robots, url, agent, robots_status), _columns.allowed)


@overload
def decide(
    robots: Listed | str | bytes | None,
    url: Listed,
    agent: Texts,
    *,
    columns: AnswerColumn | Iterable[AnswerColumn] | None = None,
    **options: Unpack[RowOptions],
) -> DecisionColumn: ...

@overload
def decide(
    robots: Texts,
    url: polars.Series,
    agent: Texts,
    *,
    columns: AnswerColumn | Iterable[AnswerColumn] | None = None,
    **options: Unpack[RowOptions],
) -> polars.Series: ...

@overload
def decide(
    robots: polars.Series,
    url: str | bytes,
    agent: Texts,
    *,
    columns: AnswerColumn | Iterable[AnswerColumn] | None = None,
    **options: Unpack[RowOptions],
) -> polars.Series: ...

@overload
def decide(
    robots: Texts,
    url: pandas.Series,
    agent: Texts,
    *,
    columns: AnswerColumn | Iterable[AnswerColumn] | None = None,
    **options: Unpack[RowOptions],
) -> pandas.DataFrame: ...

@overload
def decide(
    robots: pandas.Series,
    url: str | bytes,
    agent: Texts,
    *,
    columns: AnswerColumn | Iterable[AnswerColumn] | None = None,
    **options: Unpack[RowOptions],
) -> pandas.DataFrame: ...

@overload
def decide(
    robots: Texts,
    url: pyarrow.Array | pyarrow.ChunkedArray,
    agent: Texts,
    *,
    columns: AnswerColumn | Iterable[AnswerColumn] | None = None,
    **options: Unpack[RowOptions],
) -> pyarrow.StructArray: ...

@overload
def decide(
    robots: pyarrow.Array | pyarrow.ChunkedArray,
    url: str | bytes,
    agent: Texts,
    *,
    columns: AnswerColumn | Iterable[AnswerColumn] | None = None,
    **options: Unpack[RowOptions],
) -> pyarrow.StructArray: ...

@overload
def decide(
    robots: Texts,
    url: Texts,
    agent: Texts,
    *,
    columns: AnswerColumn | Iterable[AnswerColumn] | None = None,
    **options: Unpack[RowOptions],
) -> DecisionColumn: ...

def decide(
    robots: Texts,
    url: Texts,
    agent: Texts,
    *,
    columns: AnswerColumn | Iterable[AnswerColumn] | None = None,
    robots_status: Numbers | None = None,
    purposes: Iterable[str] | None = None,
    acap: Acap | None = None,
    profile: Profile | None = None,
    nonstandard_token: bool | None = None,
    known_robots: bool | None = None,
) -> object:
    """Decides about each row of a table: a robots.txt, a URL and a robot. Takes what :func:`allows`
    takes. The outcome of a robots.txt that is not known is ``unknown``.

    Returns structs with the fields ``allowed``, ``outcome``, ``line``, ``statement``, ``reason``,
    ``crawl_delay`` and ``error``, or those that ``columns`` names: a pyarrow array, a Series of Polars,
    a DataFrame of pandas with its index (which needs pyarrow), else a
    :class:`abide_robots.DecisionColumn`. A row that cannot be read has an ``error``, and null in all
    other fields. Fewer columns are faster: without ``outcome``, ``line``, ``statement`` and ``reason``
    no evidence is gathered.

    Raises :class:`abide_robots.InvalidOptionError` for an option with a wrong value, and for columns
    of different length.
    """
    decider = _native.RowDecider(
        columns,
        purposes=purposes,
        acap=acap,
        profile=profile,
        nonstandard_token=nonstandard_token,
        known_robots=known_robots,
    )
    return _columns.of_rows(decider.decide, (robots, url, agent, robots_status), _columns.decided)


def survey(
    batches: Column,
    *,
    tables: str | Iterable[str] | None = None,
    agents: str | Iterable[str] = "*",
    paths: str | Iterable[str] = "/",
    profile: Profile = "careful",
    literal: bool = False,
) -> dict[str, pyarrow.Table] | dict[str, polars.DataFrame] | dict[str, RecordBatches]:
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
    library = _columns.library(batches)
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
