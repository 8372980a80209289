"""The linter, the formatter, the comparison, the matrix and the table of robots."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from datetime import datetime, timezone

import pytest

import abide_robots
from abide_robots import FormatError, InvalidOptionError, InvalidUrlError

BAD = "User-agent: *\nDisallow /private/\nAlow: /private/press/\n"


def command(*words: str, stdin: str = "") -> str:
    """What the command writes; these tests compare the package with it."""
    done = subprocess.run(
        [sys.executable, "-m", "abide_robots", *words], input=stdin, capture_output=True, text=True
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def test_lint_finds_what_the_command_finds() -> None:
    found = abide_robots.lint(BAD, file="-")
    lines = command("lint", "--no-config", "--format", "jsonl", "-", stdin=BAD).splitlines()
    told = [json.loads(line) for line in lines]
    names = ["code", "severity", "message", "line", "column"]
    assert [[getattr(one, name) for name in names] for one in found] == [
        [one.get(name) for name in names] for one in told
    ]
    assert [one.code for one in found][:1] == ["missing-colon"]
    assert found[0].line == 2 and found[0].span is not None
    assert "robots.txt:2:1 warning missing-colon" in repr(abide_robots.lint(BAD)[0])
    assert found[0].to_dict()["code"] == "missing-colon"
    assert pickle.loads(pickle.dumps(found)) == found


def test_lint_options() -> None:
    assert [one.code for one in abide_robots.lint(BAD, select="unknown-field")] == ["unknown-field"]
    assert abide_robots.lint(BAD, ignore=["missing-colon", "unknown-field"]) != abide_robots.lint(BAD)
    closed = "User-agent: *\nDisallow: /\n"
    assert abide_robots.lint(closed) and not abide_robots.lint(closed, allow_closed=True)
    html = abide_robots.lint("User-agent: *\n", media_type="text/html")
    assert html != abide_robots.lint("User-agent: *\n")
    config = 'ignore = ["missing-colon"]\n'
    assert "missing-colon" not in [one.code for one in abide_robots.lint(BAD, config=config)]
    # Like the flags: `select` replaces what the file selects and ignores, `ignore` adds to it.
    chosen = abide_robots.lint(BAD, config=config, select="missing-colon")
    assert [one.code for one in chosen] == ["missing-colon"]
    both = abide_robots.lint(BAD, config=config, ignore="unknown-field")
    assert not {"missing-colon", "unknown-field"}.intersection(one.code for one in both)


def test_lint_reads_registries_purposes_and_instants() -> None:
    body = "User-Agent-Purpose: search\nDisallow: /x\n"
    known = [one.code for one in abide_robots.lint(body, purposes=["search"])]
    assert known != [one.code for one in abide_robots.lint(body, purposes="training")]
    assert abide_robots.lint(body, now=datetime(2026, 1, 1, tzinfo=timezone.utc)) is not None
    for options in [{"registry": "["}, {"now": "today"}, {"purposes": ["a b"]}]:
        with pytest.raises(InvalidOptionError):
            abide_robots.lint(body, **options)
    with pytest.raises(InvalidOptionError, match="body"):
        abide_robots.lint(None)


def test_lint_responses() -> None:
    found = abide_robots.lint(None, headers={"X-Robots-Tag": "noindexx"})
    assert found and found[0].file == "the response"
    body = "User-agent: *\nDisallow: /x\n"
    hidden = abide_robots.lint(body, headers={"Robots-Tag": "*;noindex"}, url="/x")
    assert len(hidden) > len(abide_robots.lint(body, headers={"Robots-Tag": "*;noindex"}, url="/y"))
    assert abide_robots.lint(b"[", file="tdmrep.json")[0].to_dict()["origin"] == "tdmrep.json"


@pytest.mark.parametrize(
    ("options", "argument"),
    [({"select": "no-such-rule"}, "select"), ({"ignore": ["x"]}, "ignore"), ({"config": "["}, "config")],
)
def test_lint_mistakes(options: dict, argument: str) -> None:
    with pytest.raises(InvalidOptionError) as caught:
        abide_robots.lint(BAD, **options)
    assert caught.value.argument == argument


@pytest.mark.parametrize(
    ("to", "source"),
    [
        ("acap", "User-agent: *\nDisallow: /1/\nAllow: /1/2/\n"),
        ("robots", "##ACAP version=1.0\nACAP-crawler: *\nACAP-disallow-crawl: /1/\n"),
        ("content-usage", "User-agent: *\nContent-Signal: ai-train=no\n"),
        ("content-signal", "User-agent: *\nContent-Usage: train-ai=n\n"),
        ("tdmrep", "User-agent: *\nContent-Usage: train-ai=n, ai-use=n\n"),
        ("acap", "User-agent: *\n"),
    ],
)
def test_conversions_of_files_are_those_of_the_command(to: str, source: str) -> None:
    converted = abide_robots.convert(source, to)
    assert (converted.text or "") == command("convert", "--to", to, stdin=source)
    assert bool(converted) is (converted.text is not None)
    refused = [one for one in converted.findings if one["refuses"]]
    assert bool(refused) is not bool(converted)
    assert pickle.loads(pickle.dumps(converted)) == converted


@pytest.mark.parametrize("to", ["robots-tag", "x-robots-tag", "meta"])
def test_conversions_of_tags_are_those_of_the_command(to: str) -> None:
    field = "X-Robots-Tag: noindex, ExampleBot: max-snippet: 10"
    converted = abide_robots.convert(None, to, headers=[tuple(field.split(": ", 1))])
    assert converted.text == command("convert", "--to", to, "--header", field)
    page = '<meta name="robots" content="noindex">'
    assert abide_robots.convert(None, to, html=page).text == command("convert", "--to", to, stdin=page)
    assert "Conversion" in repr(converted)


def test_acap_records_become_tags_by_path() -> None:
    records = "ACAP-crawler: *\nACAP-disallow-index: /old/\n"
    converted = abide_robots.convert(records, "robots-tag")
    assert converted.text == "# /old/\nRobots-Tag: *;noindex\n"
    assert not abide_robots.convert("User-agent: *\n", "x-robots-tag")


def test_conversion_mistakes() -> None:
    mistakes = [
        ((None, "acap"), {}),
        (("", "acap"), {"headers": {"Robots-Tag": "*;noindex"}}),
        (("", "robots-tag"), {"headers": {"Robots-Tag": "*;noindex"}}),
        ((None, "robots-tag"), {"headers": {}}),
        (("", "no-such-form"), {}),
        (("", "content-usage"), {"revision": "1"}),
    ]
    for arguments, options in mistakes:
        with pytest.raises(InvalidOptionError):
            abide_robots.convert(*arguments, **options)


def test_fixes() -> None:
    fixed = abide_robots.fix(BAD, unsafe=True)
    assert fixed.body.startswith(b"User-agent: *\nDisallow: /private/\n")
    assert fixed.fixed >= 1
    assert all(one.code != "missing-colon" for one in fixed.findings)
    assert "fixed" in repr(fixed)
    safe = abide_robots.fix("User-agent: *\nDisallow: /x\n")
    assert (safe.body, safe.fixed) == (b"User-agent: *\nDisallow: /x\n", 0)


def test_formatting() -> None:
    assert abide_robots.fmt(b"user-agent:*\r\ndisallow:/x") == b"User-agent: *\nDisallow: /x\n"
    assert abide_robots.fmt("user-agent:*\ndisallow:/x") == b"User-agent: *\nDisallow: /x\n"
    with pytest.raises(FormatError, match="UTF-16") as caught:
        abide_robots.fmt("User-agent: *\n".encode("utf-16"))
    assert caught.value.line is None


def test_diff() -> None:
    old, new = "User-agent: *\nDisallow: /x\n", "User-agent: *\nDisallow: /\n"
    change = abide_robots.diff(old, new, urls=["https://e.example/y", "https://e.example/x"])
    assert change and not change.equivalent and change.complete
    assert change.headline in str(change) and change.headline in repr(change)
    assert change.causes[0]["line"] == 2
    assert change.urls is not None and change.urls["count"] == 2
    assert [one["url"] for one in change.urls["changed"]] == ["https://e.example/y"]
    assert change.to_dict()["schema"] == 1
    one = abide_robots.diff(old, new, urls="https://e.example/y")
    assert one.to_dict()["urls"] == abide_robots.diff(old, new, urls=iter(["https://e.example/y"])).to_dict()["urls"]
    same = abide_robots.diff(old, old.encode())
    assert not same and same.equivalent
    assert pickle.loads(pickle.dumps(change)) == change
    only = abide_robots.diff(old, "User-agent: GPTBot\nDisallow: /\n" + old, agents="Bingbot")
    assert not only
    with pytest.raises(InvalidUrlError, match=r"urls\[0\]"):
        abide_robots.diff(old, new, urls=["y"])
    with pytest.raises(InvalidOptionError, match="agents"):
        abide_robots.diff(old, new, agents="@nobody")
    added = old + "\nUser-Agent-Purpose: search\nDisallow: /\n"
    assert not abide_robots.diff(old, added, agents="GPTBot")
    assert abide_robots.diff(old, added, agents="GPTBot", purposes="search")


def test_matrix() -> None:
    body = "User-agent: GPTBot\nDisallow: /\n"
    shown = abide_robots.matrix(body, agents=["GPTBot", "Bingbot"])
    assert {row["name"]: row["access"] for row in shown} == {"GPTBot": "closed", "Bingbot": "allowed"}
    assert shown.proven and len(shown) == 2
    assert "GPTBot" in shown._repr_html_()
    assert len(abide_robots.matrix(body)) > 100
    assert str(abide_robots.matrix(body)).count("\n") >= 3
    told = json.loads(command("matrix", "--format", "json", "-", stdin=body))
    assert abide_robots.matrix(body).to_dict()["kinds"] == told["kinds"]
    with pytest.raises(InvalidOptionError, match="profile"):
        abide_robots.matrix(body, profile="x")


def test_matrix_with_documents() -> None:
    tdmrep = '[{"location": "/*", "tdm-reservation": 1}]'
    asked = {"vocabularies": ["tdmrep"], "tdmrep": tdmrep}
    [row] = abide_robots.matrix("", agents="GPTBot", preferences=asked, site="https://e.example/")
    assert {one["usage"]: one["outcome"] for one in row["preferences"]}["train"] == "prohibited"


def test_matrix_of_robots_that_claim_purposes() -> None:
    body = "User-Agent-Purpose: search\nDisallow: /\n"
    [row] = abide_robots.matrix(body, agents="Bingbot", purposes=["other", "SEARCH"])
    assert row["access"] == "closed"
    with pytest.raises(InvalidOptionError, match=r"purposes\[1\]: expected a purpose token") as caught:
        abide_robots.matrix(body, purposes=["search", "a b"])
    assert caught.value.pointer == "/purposes/1"


def test_known_robots() -> None:
    table = abide_robots.known_robots()
    assert len(table) > 100
    assert {"token", "operator", "kind", "purposes", "checked"} <= set(table[0])
