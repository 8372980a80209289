"""What ``abide_robots.write`` writes: abide and another parser of structured fields read it the same."""

from __future__ import annotations

import doctest
import random
import re
from collections.abc import Callable
from datetime import datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import http_sf
import pytest

import abide_robots
from abide_robots import InvalidOptionError, write
from abide_robots.write import DisplayString, Token

MODELS = 3_000
PRINTABLE = [chr(code) for code in range(0x20, 0x7F)]


def some(dice: random.Random, of: list[str]) -> list[str]:
    return dice.sample(of, dice.randint(1, len(of)))


def text(dice: random.Random, without: str = "") -> str:
    letters = dice.choices(PRINTABLE, k=dice.randint(0, 8))
    return "".join(letter for letter in letters if letter not in without)


def number(dice: random.Random) -> int:
    return dice.randint(-(10**15) + 1, 10**15 - 1) if dice.random() < 0.3 else dice.randint(-99, 99)


def plain(value: Any) -> Any:
    """A value that http-sf read, as the writer takes it."""
    if isinstance(value, http_sf.Token):
        return Token(str(value))
    if isinstance(value, http_sf.DisplayString):
        return DisplayString(str(value))
    return value


def same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and one == other


def tags(dice: random.Random) -> dict[str, dict[str, str | bool]]:
    robots = some(dice, ["*", "examplebot", "b", "-x_y", "mj12bot", "80legs", "archive.org_bot"])
    rules = ["noindex", "nosnippet", "x-own.rule_1", "*", "a"]

    def value(name: str) -> str | bool:
        if name.startswith("no") or dice.random() < 0.3:
            return True
        return dice.choice([text(dice), str(number(dice)), "token", "?1"])

    return {robot: {rule: value(rule) for rule in some(dice, rules)} for robot in robots}


def test_robots_tags_read_back() -> None:
    dice = random.Random(1)
    for _ in range(MODELS):
        model = tags(dice)
        written = write.robots_tag(model)
        read = http_sf.parse(written.encode(), tltype="list")
        assert [str(name) for name, _ in read] == list(model), written
        for (_, parameters), rules in zip(read, model.values()):
            shown = {name: value if value is True else str(value) for name, value in parameters.items()}
            assert shown == rules, written
        assert not abide_robots.lint(None, headers={"Robots-Tag": written}, select="robots-tag-malformed")
        for robot in model:
            # What abide applies: the rules of the robot and of everybody, as far as it knows them.
            name = robot if robot != "*" else "unnamed"
            policy = abide_robots.Policy("", name, nonstandard_token=True)
            bound = policy.decide("/", headers={"Robots-Tag": written}).tags
            names = {*model.get(robot, {}), *model.get("*", {})}
            assert set(bound) == {name for name in names if name.startswith("no")}, (robot, written)


VALUES: list[Callable[[random.Random], Any]] = [
    lambda dice: dice.random() < 0.5,
    number,
    lambda dice: Decimal(dice.randint(-(10**9), 10**9) * 10 + dice.randint(1, 9)) / 1000,
    lambda dice: text(dice, "#"),
    lambda dice: Token(dice.choice(["a", "*", "a/b:c", "A!$%&'*+-.^_`|~"])),
    lambda dice: dice.randbytes(dice.randint(0, 9)),
    lambda dice: datetime.fromtimestamp(dice.randint(0, 4 * 10**9), timezone.utc),
    lambda dice: DisplayString(text(dice) + dice.choice(["", "ü", "#", "%", '"', "漢字"])),
]


def shown(value: Any) -> Any:
    """A directive's value as a decision has it."""
    if isinstance(value, Decimal):
        return format(value, "f")
    return value


def test_directives_read_back() -> None:
    dice = random.Random(2)
    for _ in range(MODELS):
        model = {
            id: {name: dice.choice(VALUES)(dice) for name in some(dice, ["widgets", "*", "a.b-c_d", "x"])}
            for id in some(dice, ["examplesearch", "a/b", "*x", "App.1"])
        }
        path = dice.choice([None, "/", "/news/*.html$", "/ü?a=%20"])
        written = write.app_directives(model, path=path)
        value = written
        if path is not None:
            prefix, _, value = written.partition(" ")
            assert prefix == path
        read = http_sf.parse(value.encode(), tltype="list")
        assert [str(id) for id, _ in read] == list(model), written
        assert all(isinstance(id, http_sf.Token) for id, _ in read)
        for (_, parameters), directives in zip(read, model.values()):
            for name, stated in directives.items():
                found = plain(parameters[name])
                if isinstance(stated, datetime):
                    assert found.timestamp() == stated.timestamp(), written
                elif isinstance(stated, Decimal):
                    assert Decimal(str(found)) == stated, written
                else:
                    assert same(found, stated), (written, found, stated)
            assert len(parameters) == len(directives)
        group = write.group(robots=["*"], app_directives=[(path, model)])
        assert group == f"User-agent: *\nApp-Directives: {written}\n"
        decision = abide_robots.Policy(group, "ExampleBot", applications=list(model)).decide(
            {None: "/x", "/": "/x", "/news/*.html$": "/news/a.html"}.get(path, path) or "/x"
        )
        for id, directives in model.items():
            answer = decision.applications[id]["directives"]
            assert sorted(answer) == sorted(directives), (group, answer)


def test_preferences_read_back() -> None:
    dice = random.Random(3)
    words = {"train": "train-ai", "ai-input": "ai-use", "search": "search"}
    for _ in range(MODELS):
        usages = {usage: dice.random() < 0.5 for usage in some(dice, list(words))}
        path = dice.choice([None, "/blog/", "/"])
        written = write.content_usage(usages, path=path)
        value = written if path is None else written.removeprefix(f"{path} ")
        read = http_sf.parse(value.encode(), tltype="dictionary")
        said = {word: str(token) for word, (token, _) in read.items()}
        assert said == {words[usage]: "y" if permits else "n" for usage, permits in usages.items()}
        assert all(isinstance(token, http_sf.Token) for token, _ in read.values())
        group = write.group(purposes=["P1"], content_usage=[(path, usages)])
        assert group == f"User-Agent-Purpose: P1\nContent-Usage: {written}\n"
        policy = abide_robots.Policy(group, "ExampleBot", purposes=["P1"], preferences={})
        decision = policy.decide("/blog/x")
        for usage in words:
            outcome = {True: "permitted", False: "prohibited", None: "unspecified"}[usages.get(usage)]
            assert decision.outcome(usage) == outcome, group


def test_groups_with_rules() -> None:
    written = write.group(
        purposes=["AI-TRAINING"],
        robots=["ExampleBot", "*"],
        rules=[("disallow", "/"), ("Allow", "/public/"), ("disallow", "")],
    )
    assert written.splitlines() == [
        "User-Agent-Purpose: AI-TRAINING",
        "User-agent: ExampleBot",
        "User-agent: *",
        "Disallow: /",
        "Allow: /public/",
        "Disallow:",
    ]
    policy = abide_robots.Policy(written, "ExampleBot")
    assert policy.allows("/public/x") and not policy.allows("/x")


def test_the_words_of_the_document_are_usages_too() -> None:
    assert write.content_usage({"train-ai": False}, revision="07") == "train-ai=n"
    assert write.x_robots_tag({"b": ["noindex"], "*": {"max-snippet": 1}}) == [
        "b: noindex",
        "max-snippet: 1",
    ]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: write.robots_tag({}), "nothing to write"),
        (lambda: write.robots_tag({"Foo Bar": "noindex"}), "a product token"),
        (lambda: write.robots_tag({"*": "No Index"}), "rule 1 of *: expected a name of lower-case"),
        (lambda: write.robots_tag({"b": {"a": "x\r\nSet-Cookie: y"}}), "rule 1 of b: expected printable"),
        (lambda: write.x_robots_tag({"*": {"noai": "x"}}), "the grammar of X-Robots-Tag"),
        (lambda: write.app_directives({"Bad id": ["a"]}), "an application identifier"),
        (lambda: write.app_directives({"a": {"x": 10**15}}), "directive 1 of a: expected a number"),
        (lambda: write.app_directives({"a": {"x": float("nan")}}), "directive 1 of a: expected a number"),
        (lambda: write.app_directives({"a": {"x": "#"}}), "begins a comment"),
        (lambda: write.app_directives({"a": ["x"]}, path="news"), "a path that begins with '/'"),
        (lambda: write.content_usage({"index": True}), "has no word for index"),
        (lambda: write.content_usage({"trian": True}), "trian"),
        (lambda: write.content_usage({"ai-input": True}, revision="07"), "has no word for ai-input"),
        (lambda: write.content_usage({"train": True}, revision="1"), "revision"),
        (lambda: write.group(robots=["*"]), "nothing to write; give it a rule"),
        (lambda: write.group(robots=["a b"], rules=[("allow", "/")]), "robots"),
        (lambda: write.group(purposes=["*"], rules=[("allow", "/")]), "purposes"),
        (lambda: write.group(robots=["*"], rules=[("allow", "x")]), "line 1 below its names"),
        (lambda: write.group(robots=["*"], rules=[("deny", "/")]), 'expected "allow" or "disallow"'),
    ],
)
def test_wrong_models_are_refused(wrong: Callable[[], object], message: str) -> None:
    with pytest.raises(InvalidOptionError, match=None) as caught:
        wrong()
    assert message in str(caught.value)


def test_values_of_no_type_are_refused() -> None:
    for value in (None, [1], datetime(2026, 1, 1)):
        with pytest.raises(TypeError, match="expected a value of a directive"):
            write.app_directives({"a": {"x": value}})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match="expected a list of directives"):
        write.app_directives({"a": "widgets"})


DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.parametrize("page", ["applications", "purposes", "tags"])
def test_examples_of_the_guides(page: str) -> None:
    blocks = re.findall(r"```python\n(>>> .*?)```", (DOCS / f"{page}.md").read_text(), re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, page, None, 0)
    result = doctest.DocTestRunner().run(test)
    assert result.attempted > 0 and result.failed == 0
