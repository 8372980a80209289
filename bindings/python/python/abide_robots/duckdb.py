"""SQL functions for DuckDB.

>>> import duckdb
>>> import abide_robots.duckdb
>>> con = duckdb.connect()
>>> abide_robots.duckdb.register(con)
>>> con.execute("CREATE TABLE pages AS SELECT 'User-agent: *\\nDisallow: /x' AS body, '/x/y' AS url")
<...>
>>> con.sql("SELECT abide_allowed(body, url, 'ExampleBot') FROM pages").fetchall()
[(False,)]
>>> con.sql("SELECT abide_decide(body, url, 'ExampleBot').line FROM pages").fetchall()
[(2,)]
>>> con.sql("SELECT abide_allowed(NULL, url, 'ExampleBot', status := 404) FROM pages").fetchall()
[(True,)]
"""

from __future__ import annotations

# DuckDB evaluates annotations.
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow

from abide_robots import _native

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Unpack

    from abide_robots._types import ClientOptions

__all__ = ["register"]

_BODIES = ("BLOB", "VARCHAR")
# Their types are in another module in each version of DuckDB.
_ARROW: dict[str, Any] = {"type": "arrow", "null_handling": "special"}
_DECISION = (
    "STRUCT(allowed BOOLEAN, outcome VARCHAR, line UINTEGER, statement VARCHAR, reason VARCHAR, "
    "crawl_delay DOUBLE, error VARCHAR)"
)


def register(
    con: duckdb.DuckDBPyConnection,
    **options: Unpack[ClientOptions],
) -> None:
    """Registers two functions with a connection. They last as long as it does, and a database keeps
    nothing of them. To change the options, register them again.

    - ``abide_allowed(body, url, agent)`` is true if the robot may fetch the URL under this
      robots.txt, a ``BLOB`` or a ``VARCHAR``; null if the URL or the agent cannot be read.
    - ``abide_decide(body, url, agent)`` is a struct with the fields of
      :func:`abide_robots.arrow.decide`.

    Both take ``status := …``, the status of the response with the file. A missing file is one that is
    not known: nothing is allowed, unless a status says more. Files that are equal are compiled once. The
    options ``purposes``, ``acap``, ``profile``, ``nonstandard_token`` and ``known_robots`` are those of
    :class:`abide_robots.Policy`.

    Raises :class:`abide_robots.InvalidOptionError` for an option with a wrong value.
    """
    decider = _native.RowDecider(**options)
    _function(con, "abide_allowed", "BOOLEAN", decider.allows)
    _function(con, "abide_decide", _DECISION, decider.decide)


def _function(
    con: duckdb.DuckDBPyConnection, name: str, returns: str, ask: Callable[..., Any]
) -> None:
    def answers(robots: Any, url: Any, agent: Any, status: Any) -> pyarrow.Array:
        return pyarrow.array(ask(robots, url, agent, status))

    for body in _BODIES:
        native = f"_{name}_{body.lower()}"
        try:
            con.remove_function(native)
        except duckdb.InvalidInputException:
            pass  # It is the first time.
        con.create_function(
            native,
            answers,
            [body, "VARCHAR", "VARCHAR", "INTEGER"],
            returns,
            **_ARROW,
        )
    # A function has one type for each argument, and a file is bytes or text. The branch that does
    # not fit is never evaluated.
    con.execute(
        f"CREATE OR REPLACE TEMP MACRO {name}(body, url, agent, status := NULL) AS "
        f"CASE WHEN typeof(body) = 'BLOB' "
        f"THEN _{name}_blob(body::BLOB, url, agent, status) "
        f"ELSE _{name}_varchar(body::VARCHAR, url, agent, status) END"
    )
