"""`arrow.decide`: tables in which each row has a robots.txt, a URL and a robot."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import archives
import duckdb
import numpy
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest

from abide_robots import BooleanColumn, InvalidOptionError, Policy, arrow

FILES = ["User-agent: *\nDisallow: /x\nCrawl-delay: 2\n", "User-agent: OtherBot\nDisallow: /\n", None, ""]
URLS = ["https://a.example/x", "https://b.example/x", "https://c.example/x", "/x"]
TEXT = [
    pyarrow.string(),
    pyarrow.large_string(),
    pyarrow.string_view(),
    pyarrow.binary(),
    pyarrow.large_binary(),
    pyarrow.binary_view(),
    pyarrow.dictionary(pyarrow.int16(), pyarrow.string()),
]


def column(values: list[Any], data_type: pyarrow.DataType) -> pyarrow.Array:
    if pyarrow.types.is_dictionary(data_type):
        return pyarrow.array(values, data_type.value_type).dictionary_encode().cast(data_type)
    return pyarrow.array(values, data_type)


@pytest.mark.parametrize("data_type", TEXT, ids=str)
def test_rows_have_the_answers_of_policies(data_type: pyarrow.DataType) -> None:
    robots, urls = column(FILES, data_type), column(URLS, data_type)
    decided = arrow.decide(robots, urls, "ExampleBot")
    assert isinstance(decided, pyarrow.StructArray)
    for row, body, url in zip(decided.to_pylist(), FILES, URLS, strict=True):
        decision = Policy(body, "ExampleBot").decide(url)
        assert row == {
            "allowed": decision.allowed,
            "outcome": decision.outcome(),
            "line": decision.line,
            "statement": decision.statement,
            "reason": row["reason"],
            "crawl_delay": decision.crawl_delay,
            "error": None,
        }
        assert row["reason"] in decision.reason
    assert decided[0].as_py()["line"] == 2
    assert decided[2].as_py()["outcome"] == "unknown"
    sliced = arrow.decide(robots[1:3], urls[1:3], "ExampleBot")
    assert sliced.to_pylist() == decided[1:3].to_pylist()


def test_each_row_has_its_own_robot() -> None:
    agents = pyarrow.array(["ExampleBot", "OtherBot/1.0 (+https://bot.example/)", "*", "OtherBot"])
    decided = arrow.decide(FILES[1], "https://e.example/", agents)
    assert decided.field("allowed").to_pylist() == [True, False, True, False]


def test_bad_rows_have_errors() -> None:
    urls = pyarrow.array(["no url", None, "https://e.example/", "https://e.example/"])
    agents = pyarrow.array(["A", "A", None, "not \n a name"])
    decided = arrow.decide("", urls, agents).to_pylist()
    assert [row["error"].partition(":")[0] for row in decided] == ["url", "url", "agent", "agent"]
    assert all(value is None for row in decided for name, value in row.items() if name != "error")
    invalid = pyarrow.array([b"https://e.example/\xff"])
    assert arrow.decide("", invalid, "A")[0].as_py()["error"].startswith("url: ")


def test_libraries() -> None:
    frame = polars.DataFrame({"robots": FILES, "url": URLS}).with_columns(
        decision=arrow.decide(polars.Series(FILES), polars.Series(URLS), "ExampleBot")
    )
    assert frame["decision"].struct.field("line").to_list() == [2, None, None, None]
    chunks = pyarrow.chunked_array([FILES[:1], FILES[1:]])
    assert len(arrow.decide(chunks, pyarrow.array(URLS), "A")) == 4
    batch = pyarrow.record_batch({"robots": FILES, "url": URLS})
    added = batch.append_column("decision", arrow.decide(batch["robots"], batch["url"], "A"))
    assert added.num_columns == 3
    one = arrow.decide("", "/x", "A")
    assert len(one) == 1 and pyarrow.array(one)[0].as_py()["allowed"] is True
    assert repr(one) == "<DecisionColumn: 1 decisions>"
    assert len(arrow.decide(pyarrow.array([], pyarrow.string()), pyarrow.array([], pyarrow.string()), "A")) == 0
    assert arrow.decide(None, pyarrow.array(["/x"]), "A")[0].as_py()["outcome"] == "unknown"


def test_options_and_mistakes() -> None:
    body = "User-agent: Googlebot\nDisallow: /\n"
    news = arrow.decide(body, pyarrow.array(["/x"]), "Googlebot-News", known_robots=True)
    assert news[0].as_py()["allowed"] is False
    with pytest.raises(InvalidOptionError, match="url: found 1 rows, but robots has 2"):
        arrow.decide(pyarrow.array(["", ""]), pyarrow.array(["/x"]), "A")
    with pytest.raises(InvalidOptionError, match="profile"):
        arrow.decide("", pyarrow.array(["/x"]), "A", profile="x")
    with pytest.raises(InvalidOptionError, match="acap"):
        arrow.decide("", pyarrow.array(["/x"]), "A", acap={"mode": "x"})
    with pytest.raises(InvalidOptionError, match="robots: expected text"):
        arrow.decide(pyarrow.array([1]), "/x", "A")
    with pytest.raises(TypeError, match="argument 'robots'"):
        arrow.decide(1, "/x", "A")


def test_many_rows_of_one_file_compile_it_once() -> None:
    # Compiling this file for each row would take minutes.
    body = "User-agent: *\n" + "".join(f"Disallow: /{n}*a*b$\n" for n in range(20_000))
    for robots in [body, pyarrow.array([body]).dictionary_encode().take(pyarrow.array([0] * 5_000))]:
        urls = pyarrow.array([f"https://e.example/{n}" for n in range(5_000)])
        assert len(arrow.decide(robots, urls, "A")) == 5_000


COLUMNS = ["allowed", "outcome", "line", "statement", "reason", "crawl_delay", "error"]
ROWS = 400


def mixed() -> tuple[list[bytes | None], list[str | None]]:
    """Rows of 40 files in no order, ten of them of one length, with rows that cannot be read."""
    files: list[bytes | None] = [b"User-agent: *\nDisallow: /%d\n" % n for n in range(20)]
    # Different only where a sample does not look.
    files += [b"User-agent: *\nDisallow: /%b\n# %b\n" % (b"%02d" % n, b"x" * 5_000) for n in range(19)]
    files.append(None)
    robots = [files[n * 7 % 40] for n in range(ROWS)]
    return robots, [None if n % 50 == 3 else "no url" if n % 50 == 4 else f"/{n % 23:02}/x" for n in range(ROWS)]


@pytest.mark.parametrize("data_type", [pyarrow.binary(), pyarrow.binary_view(), "dictionary", "chunks"], ids=str)
def test_allows_is_the_column_of_decide(data_type: Any) -> None:
    robots, urls = mixed()
    expected = [
        None if url in (None, "no url") else Policy(body, "ExampleBot").allows(url)
        for body, url in zip(robots, urls, strict=True)
    ]
    assert len(set(expected)) == 3
    column: Any = pyarrow.array(robots, pyarrow.binary())
    url: Any = pyarrow.array(urls)
    if data_type == "dictionary":
        column = column.dictionary_encode()
    elif data_type == "chunks":
        column = pyarrow.chunked_array([column[:1], column[1:1], column[1:150], column[150:]])
        url = pyarrow.chunked_array([url[:99], url[99:]])
    else:
        column = column.cast(data_type)
    answers = arrow.allows(column, url, "ExampleBot")
    assert isinstance(answers, pyarrow.BooleanArray)
    assert answers.to_pylist() == expected
    decided = arrow.decide(column, url, "ExampleBot")
    assert decided.field("allowed").to_pylist() == expected
    # No row shows anything but its own columns, however they are asked for.
    for names in [["allowed"], ["error", "allowed"], ["crawl_delay"], ["reason", "line"], "statement", COLUMNS]:
        some = arrow.decide(column, url, "ExampleBot", columns=names)
        names = [names] if isinstance(names, str) else names
        assert [field.name for field in some.type] == names
        for name in names:
            assert some.field(name).to_pylist() == decided.field(name).to_pylist(), name


def test_files_that_look_alike_are_told_apart() -> None:
    # More of them than are compared byte by byte, with equal bytes at the places of the samples.
    files = [b"User-agent: *\nDisallow: /%02d\n" % n + b"#" * 4_000 for n in range(40)]
    urls = [f"/{n:02}" for n in range(40)]
    assert arrow.allows(files, urls, "A") == [False] * 40
    assert arrow.allows(files[1:] + files[:1], urls, "A") == [True] * 40
    assert arrow.allows(files + files, urls + urls, "A") == [False] * 80


def test_allows_takes_what_decide_takes() -> None:
    agents = ["ExampleBot", "OtherBot/1.0 (+https://bot.example/)", "*", "OtherBot", "not \n a name", None]
    assert arrow.allows(FILES[1], "https://e.example/", agents) == [True, False, True, False, None, None]
    status = pyarrow.array([200, 404, 503, None], "int32")
    answers = arrow.allows("User-agent: *\nDisallow: /x", ["/x"] * 4, "A", robots_status=status)
    assert answers.to_pylist() == [False, True, False, False]
    news = arrow.allows("User-agent: Googlebot\nDisallow: /\n", ["/x"], "Googlebot-News", known_robots=True)
    assert news == [False]
    one = arrow.allows("", "/x", "A")
    assert isinstance(one, BooleanColumn)
    assert one.to_list() == [True]
    assert arrow.allows([], [], "A") == []


def test_each_library_gets_its_own_answers() -> None:
    robots = ["User-agent: *\nDisallow: /x", None, "", ""]
    urls = ["/x", "/", "/", "no url"]
    expected = [False, False, True, None]
    series = polars.Series(urls)
    assert isinstance(arrow.allows(polars.Series(robots), series, "A"), polars.Series)
    assert arrow.allows(polars.Series(robots), series, "A").to_list() == expected
    assert arrow.allows(polars.Series(robots).cast(polars.Categorical), series, "A").to_list() == expected
    for dtype in ["str", "object", "string[pyarrow]", "string[python]", "category"]:
        frame = pandas.DataFrame({"robots": robots, "url": urls}, index=[3, 5, 7, 9]).astype(dtype)
        answers = arrow.allows(frame.robots, frame.url, "A")
        assert (str(answers.dtype), answers.index.tolist()) == ("boolean", [3, 5, 7, 9])
        assert [None if value is pandas.NA else value for value in answers] == expected
        decided = arrow.decide(frame.robots, frame.url, "A", columns=["line", "error"])
        assert decided.index.tolist() == [3, 5, 7, 9]
        assert [str(one) for one in decided.dtypes] == ["UInt32", "string"]
        assert decided.line.fillna(0).tolist() == [2, 0, 0, 0]
        assert decided.error.isna().tolist() == [True, True, True, False]
    assert len(arrow.decide(frame.robots[:0], frame.url[:0], "A")) == 0
    masked = arrow.allows("User-agent: *\nDisallow: /x", numpy.array(urls, dtype=object), "A")
    assert isinstance(masked, numpy.ma.MaskedArray)
    assert masked.tolist() == [False, True, True, None]
    statuses = pandas.Series([404, 503, 404, 404])
    assert arrow.allows(None, pandas.Series(["/"] * 4), "A", robots_status=statuses).tolist() == [True, False, True, True]
    assert arrow.allows(None, ["/"] * 3, "A", robots_status=[404, None, 503]) == [True, False, False]
    some = pandas.Series([404, None])
    assert arrow.allows(None, pandas.Series(["/"] * 2), "A", robots_status=some).tolist() == [True, False]


def test_mistakes_in_columns() -> None:
    for columns, found in [(["x"], '"x"'), (["line", "line"], '"line" twice'), ([], "none")]:
        with pytest.raises(InvalidOptionError, match=f"columns: expected some of allowed, .* but found {found}"):
            arrow.decide("", "/x", "A", columns=columns)
    with pytest.raises(TypeError, match="argument 'columns'"):
        arrow.decide("", "/x", "A", columns=5)
    for rows, argument in [(("\ud800", "/x", "A"), "robots"), (("", ["/x", "\ud800"], "A"), "url"), (("", "/x", "\udc00"), "agent")]:
        with pytest.raises(InvalidOptionError, match=f"{argument}: expected text, but found half of a surrogate pair"):
            arrow.allows(*rows)
    with pytest.raises(TypeError, match="argument 'url'"):
        arrow.allows("", ["/x", 1], "A")
    with pytest.raises(TypeError, match="argument 'robots_status': expected a column, a list of int"):
        arrow.allows("", ["/x"], "A", robots_status=["x"])
    with pytest.raises(InvalidOptionError, match="url: expected text, but found a column of Struct"):
        arrow.allows("", polars.DataFrame({"a": ["/x"], "b": [1]}), "A")
    with pytest.raises(InvalidOptionError, match="url: found 1 rows, but robots has 2"):
        arrow.allows(["", ""], pyarrow.array(["/x"]), "A")


def captured() -> pyarrow.Table:
    """Answers of sites, with a redirect, and rows that cannot be read."""
    return pyarrow.table(
        {
            "url": [f"https://{host}.example/robots.txt" for host in "abcd"] + ["no url", None],
            "status": pyarrow.array([200, 404, 301, 99, 200, 200], "int16"),
            "headers": [None, None, "Location: https://a.example/robots.txt", None, None, None],
            "body": [b"User-agent: GPTBot\nDisallow: /\n", None, None, None, b"", b""],
            "date": ["2026-11-20T12:00:00Z"] * 5 + ["yesterday"],
        }
    )


def test_surveys_are_those_of_the_command(tmp_path: Path) -> None:
    table = captured()
    pyarrow.parquet.write_table(table, tmp_path / "rows.parquet")
    expected = archives.surveyed([tmp_path / "rows.parquet"], tmp_path / "tables")
    surveyed = arrow.survey(table, agents=archives.AGENTS, paths=archives.PATHS.split(","))
    assert list(surveyed) == ["files", "robots", "groups", "agents", "rules", "sitemaps", "directives", "acap", "preferences", "errors"]
    for name, rows in surveyed.items():
        assert rows.schema == expected[name].schema.remove_metadata(), name
        alone, as_written = archives.without_source(rows), archives.without_source(expected[name])
        assert archives.rows(alone) == archives.rows(as_written), name
    assert set(surveyed["files"]["source"].to_pylist()) == {"rows"}
    assert surveyed["files"]["redirect"].to_pylist()[-1] == "https://a.example/robots.txt"
    # The batches do not matter, and neither does who made them.
    frame = polars.DataFrame(table)
    small = pyarrow.Table.from_batches(table.to_batches(max_chunksize=1))
    assert arrow.survey(small, tables=["files"])["files"] == arrow.survey(table, tables="files")["files"]
    assert arrow.survey(frame, tables="robots")["robots"]["class"].to_list() == ["open"] * 3


def test_rows_lead_to_their_records(tmp_path: Path) -> None:
    """With the function of docs/survey.md."""
    guide = (Path(__file__).parents[3] / "docs/survey.md").read_text()
    (recipe,) = [code for code in re.findall(r"```python\n(.*?)```", guide, re.DOTALL) if "def record" in code]
    names: dict[str, Any] = {}
    exec(recipe, names)
    paths = archives.write(tmp_path / "archives", archives=2, sites=24)
    found = 0
    for row in archives.surveyed(paths, tmp_path / "tables")["files"].to_pylist():
        head, response = names["record"](row).split(b"\r\n\r\n", 1)
        assert f"WARC-Target-URI: {row['url']}".encode() in head
        body = response.split(b"\r\n\r\n", 1)[1].removesuffix(b"\r\n\r\n")
        found += hashlib.sha256(body).hexdigest() == row["digest"]
    assert found > 15


def test_survey_options_and_mistakes() -> None:
    robots = arrow.survey(captured(), tables="robots", agents=["GPTBot", "*"], paths=["/", "/x"])["robots"]
    assert len(robots) == 3 * 2 * 2
    columns = [pyarrow.array(["https://a.example/robots.txt"]).dictionary_encode(), pyarrow.array([None]), ["x"]]
    odd = pyarrow.table(columns, names=["url", "status", "body"])
    assert arrow.survey(odd, tables="files")["files"]["state"].to_pylist() == ["no-fields"]
    capsule = arrow.survey(duckdb.sql("SELECT 'https://a.example/robots.txt' AS url, 404 AS status"), tables="files")
    assert pyarrow.table(capsule["files"])["state"].to_pylist() == ["missing"]
    assert "1 rows of capture, url" in repr(capsule["files"])
    for options, argument in [
        ({"tables": "x"}, "tables"),
        ({"agents": ""}, "agents"),
        ({"paths": "x"}, "paths"),
        ({"profile": "x"}, "profile"),
    ]:
        with pytest.raises(InvalidOptionError) as caught:
            arrow.survey(captured(), **options)
        assert caught.value.argument == argument
    with pytest.raises(InvalidOptionError, match="needs the column url"):
        arrow.survey(pyarrow.table({"x": [1]}))
    with pytest.raises(TypeError, match="argument 'batches'"):
        arrow.survey([1])


def test_statuses_of_files() -> None:
    urls = pyarrow.array(["/x"] * 4)
    status = pyarrow.array([200, 404, 503, None], "int32")
    decided = arrow.decide("User-agent: *\nDisallow: /x", urls, "A", robots_status=status)
    assert decided.field("allowed").to_pylist() == [False, True, False, False]
    with pytest.raises(InvalidOptionError, match="robots_status"):
        arrow.decide("", urls, "A", robots_status=pyarrow.array(["x"] * 4))
