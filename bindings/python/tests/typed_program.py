"""A program as users write it, for the type checkers. It is not run."""

from __future__ import annotations

from typing import Literal, assert_type

import abide_robots
from abide_robots import BlockingRobotsCache, Decision, Policy, RobotsCache


def engine(body: bytes) -> None:
    policy = Policy(body, "ExampleBot", purposes=["A"], acap={"mode": "off"}, preferences={})
    assert_type(policy.allows("https://e.example/"), bool)
    assert_type(policy.allows_many(["https://e.example/"]), list[bool | None])
    decision = policy.decide("https://e.example/", headers={"X-Robots-Tag": ["noindex"]}, html=b"")
    assert_type(decision, Decision)
    assert_type(decision.line, int | None)
    evidence = decision.usages["crawl"]["evidence"][0]
    reason: str = evidence["reason"]
    if evidence["reason"] == "most-bytes":
        assert_type(evidence["reason"], Literal["most-bytes"])
    assert reason
    assert_type(decision.tags, dict[str, str | bool])
    assert_type(policy.crawl_delay, float | None)
    assert_type(decision.outcome("index") == "prohibited", bool)
    decision.outcome("idnex")  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    retrieval = decision.retrieval
    if retrieval is not None:
        assert_type(retrieval.get("fetched_at"), str | None)
    for application in decision.applications.values():
        assert_type(application.get("unregistered"), list[str] | None)
    finding = abide_robots.lint(body)[0]
    assert_type(finding.line, int | None)
    assert_type(finding.severity, Literal["info", "warning", "error"])
    assert_type(finding.related[0]["message"], str)
    for cause in abide_robots.diff(body, body).causes:
        assert_type(cause["sentence"], str)
    for row in abide_robots.matrix(body).rows:
        assert_type(row["access"], Literal["allowed", "partly", "closed"])
        assert_type(row["name"], str)
    assert_type(decision.to_dict(), dict[str, object])
    assert_type(decision.profile, Literal["careful", "google"])
    Policy(body, "ExampleBot", acap={"mod": "off"})  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    Policy(body, "ExampleBot", registry={"application": [{"id": "a", "directive": {"x": {"type": "boolean"}}}]})
    Policy(body, "ExampleBot", preferences={"use": "bulk"})  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    assert_type(abide_robots.fmt("User-agent: *"), bytes)


async def retrieval() -> None:
    cache = RobotsCache("ExampleBot/1.0", store="/var/cache/abide", allow_private=True)
    assert_type(await cache.allows("https://e.example/"), bool)
    assert_type(await cache.decide("https://e.example/"), Decision)
    assert_type(cache.blocking, BlockingRobotsCache)
    assert_type(cache.blocking.allows(b"https://e.example/"), bool)
