"""Decisions about the rows of tables, for pyarrow, Polars, DuckDB, Spark's ``mapInArrow`` and every
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

__all__ = ["decide"]


def decide(
    robots: Any,
    url: Any,
    agent: Any,
    *,
    purposes: Iterable[str] | None = None,
    acap: Mapping[str, Any] | None = None,
    profile: str | None = None,
    nonstandard_token: bool | None = None,
    known_robots: bool | None = None,
) -> Any:
    """Decides about each row of a table: a robots.txt, a URL and a robot.

    Each of the three is a column of text or bytes, or one ``str`` or ``bytes`` for all rows. A
    missing robots.txt is one that is not known: the outcome is ``unknown``. Files that are equal are
    compiled once. The options are those of :class:`abide_robots.Policy`.

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
        purposes=purposes,
        acap=acap,
        profile=profile,
        nonstandard_token=nonstandard_token,
        known_robots=known_robots,
    )
    libraries = {type(one).__module__.partition(".")[0] for one in (robots, url, agent)}
    if "pyarrow" in libraries:
        import pyarrow

        return pyarrow.array(column)
    if "polars" in libraries:
        import polars

        return polars.Series(column)
    return column
