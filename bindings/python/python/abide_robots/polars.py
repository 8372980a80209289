"""Expressions for Polars. Importing this module adds the namespace ``abide``.

>>> import polars as pl
>>> import abide_robots.polars
>>> policy = abide_robots.Policy("User-agent: *\\nDisallow: /x", "ExampleBot")
>>> frame = pl.DataFrame({"url": ["/x", "/y"], "body": ["", "User-agent: *\\nDisallow: /"]})
>>> frame.filter(pl.col("url").abide.allows(policy))["url"].to_list()
['/y']
>>> frame.select(pl.col("url").abide.allows(pl.col("body"), "ExampleBot")).to_series().to_list()
[True, False]
>>> decision = pl.col("url").abide.decide(pl.col("body"), "ExampleBot", columns=["allowed", "line"])
>>> frame.select(decision.alias("decision")).unnest("decision").rows()
[(True, None), (False, 2)]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

import polars

from abide_robots import InvalidOptionError, Policy, _native

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, TypeAlias, Unpack

    from abide_robots._types import AnswerColumn, ClientOptions

    Text: TypeAlias = polars.Expr | str | bytes | None

__all__ = ["AbideNamespace"]

_TYPES: dict[str, Any] = {
    "allowed": polars.Boolean,
    "outcome": polars.String,
    "line": polars.UInt32,
    "statement": polars.String,
    "reason": polars.String,
    "crawl_delay": polars.Float64,
    "error": polars.String,
}


@polars.api.register_expr_namespace("abide")
class AbideNamespace:
    """Questions about a column of URLs: ``pl.col("url").abide``.

    ``robots`` is the file of each row, an expression or one text; ``agent`` the robot, an expression
    or one name. ``robots_status`` is the status of the response with the file, an expression or one
    number. Other options are those of :class:`abide_robots.Policy`.
    """

    def __init__(self, url: polars.Expr) -> None:
        self._url = url

    @overload
    def allows(self, robots: Policy) -> polars.Expr: ...
    @overload
    def allows(
        self,
        robots: Text,
        agent: polars.Expr | str,
        *,
        robots_status: polars.Expr | int | None = None,
        **options: Unpack[ClientOptions],
    ) -> polars.Expr: ...
    def allows(
        self,
        robots: Policy | Text,
        agent: polars.Expr | str | None = None,
        *,
        robots_status: polars.Expr | int | None = None,
        **options: Unpack[ClientOptions],
    ) -> polars.Expr:
        """Returns whether the robot may fetch each URL: under one :class:`abide_robots.Policy`, or
        under the robots.txt of its row. Null for a URL that cannot be read.
        """
        if isinstance(robots, Policy):
            if agent is not None or robots_status is not None or options:
                message = "agent: a Policy has its robot and its options, so nothing more can be given"
                raise InvalidOptionError(message, "agent")
            ask = robots.allows_many
            return self._url.map_batches(ask, return_dtype=polars.Boolean, is_elementwise=True)
        if agent is None:
            message = "argument 'agent': expected a name or an expression, but found None"
            raise TypeError(message)
        decider = _native.RowDecider(**options)
        return self._asked(decider.allows, (robots, agent, robots_status), polars.Boolean)

    def decide(
        self,
        robots: Text,
        agent: polars.Expr | str,
        *,
        columns: AnswerColumn | Iterable[AnswerColumn] | None = None,
        robots_status: polars.Expr | int | None = None,
        **options: Unpack[ClientOptions],
    ) -> polars.Expr:
        """Decides about each URL: structs with the fields of :func:`abide_robots.arrow.decide`, or
        those that ``columns`` names.
        """
        names: list[Any] = [columns] if isinstance(columns, str) else list(_TYPES if columns is None else columns)
        decider = _native.RowDecider(names, **options)
        returns = polars.Struct({name: _TYPES[name] for name in names})
        return self._asked(decider.decide, (robots, agent, robots_status), returns)

    def _asked(
        self, ask: Callable[..., Any], given: tuple[Any, ...], returns: Any
    ) -> polars.Expr:
        """Asks with the values of expressions, and with what holds for all rows."""
        places = [place for place, one in enumerate(given) if isinstance(one, polars.Expr)]

        def answers(columns: Sequence[polars.Series]) -> polars.Series:
            url, *others = columns
            arguments = list(given)
            for place, column in zip(places, others, strict=True):
                # Polars gives the only value of a literal once.
                arguments[place] = column if len(column) == len(url) else column.new_from_index(0, len(url))
            robots, agent, status = arguments
            return polars.Series(url.name, ask(robots, url, agent, status), dtype=returns)

        expressions = [self._url, *(given[place] for place in places)]
        return polars.map_batches(expressions, answers, return_dtype=returns, is_elementwise=True)
