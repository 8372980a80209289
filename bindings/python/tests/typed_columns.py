"""A program with columns, for the type checker that knows the types of their libraries. It is not run."""

from __future__ import annotations

from typing import assert_type

import numpy
import polars

from abide_robots import BooleanColumn, Policy, arrow
from abide_robots._native import DecisionColumn
from abide_robots._types import ArrowArray


def many(policy: Policy, series: polars.Series, array: ArrowArray) -> None:
    assert_type(policy.allows_many(["/", None]), list[bool | None])
    assert_type(policy.allows_many(url for url in ["/"]), list[bool | None])
    assert_type(policy.allows_many(series), polars.Series)
    assert policy.allows_many(numpy.array(["/"])).mask is not None


def rows(series: polars.Series, body: str, urls: list[str]) -> None:
    assert_type(arrow.allows(series, series, "ExampleBot"), polars.Series)
    assert_type(arrow.allows(series, "/x", "ExampleBot"), polars.Series)
    assert_type(arrow.decide(body, series, "ExampleBot", columns=["line"]), polars.Series)
    assert_type(arrow.allows(body, urls, "ExampleBot", profile="google"), list[bool | None])
    assert_type(arrow.decide(body, urls, "ExampleBot", acap={"mode": "off"}), DecisionColumn)
    arrow.decide(body, urls, "ExampleBot", columns=["lines"])  # pyright: ignore
    arrow.allows(body, urls, "ExampleBot", profile="gogle")  # pyright: ignore
    arrow.allows(body, urls, "ExampleBot", acap={"mod": "off"})  # pyright: ignore


def foreign(policy: Policy, array: ArrowArray) -> BooleanColumn:
    return policy.allows_many(array)
