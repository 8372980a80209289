"""Surveys and decisions in Spark: the rows are those of the command, and of `Policy`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import archives
import pyarrow
import pyspark
import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from abide_robots import InvalidOptionError, Policy
from abide_robots import spark as abide_spark

TABLES = ["files", "robots", "groups", "agents", "rules", "findings", "sitemaps", "directives", "acap", "preferences", "errors"]
ASKED = {"agents": archives.AGENTS, "paths": archives.PATHS.split(",")}
# Nothing leaves this machine.
LOCAL = {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_HOSTNAME": "localhost", "PYSPARK_PYTHON": sys.executable}


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    os.environ.update(LOCAL)
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.shuffle.partitions", "3").config("spark.sql.session.timeZone", "UTC")
    # Each of the many small tasks takes 50 ms longer if Spark and Python talk through TCP.
    builder = builder.config("spark.python.unix.domain.socket.enabled", "true")
    session = builder.config("spark.driver.memory", "1g").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    abide_spark.register(session)
    yield session
    session.stop()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("archives")
    archives.write(folder, archives=4, sites=26)
    return folder


@pytest.fixture(scope="module")
def expected(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, pyarrow.Table]:
    return archives.surveyed([folder], tmp_path_factory.mktemp("tables") / "all", "--lint")


def collected(frame: DataFrame) -> list[tuple[Any, ...]]:
    return archives.rows(frame.toArrow())


def test_rows_are_those_of_the_command(
    spark: SparkSession, folder: Path, expected: dict[str, pyarrow.Table]
) -> None:
    read = spark.read.format("abide-warc").option("tasks", 3).load(str(folder))
    tables = abide_spark.survey(read, TABLES, **ASKED)
    assert set(tables) == set(expected) == set(TABLES)
    for name, table in tables.items():
        assert table.columns == expected[name].column_names
        assert collected(table) == archives.rows(expected[name]), name
    codes = {row[2] for row in archives.rows(expected["errors"])}
    assert codes >= {"gzip-cut", "revisit", "http-head", "warc-date"}
    states = set(expected["files"]["state"].to_pylist())
    assert states >= {"rules", "missing", "unreachable", "redirect-not-followed", "html", "cut"}


@pytest.mark.parametrize("partitions", [1, 7])
def test_partitions_do_not_matter(
    spark: SparkSession, folder: Path, expected: dict[str, pyarrow.Table], partitions: int
) -> None:
    names = [str(path) for path in sorted(folder.iterdir())]
    read = spark.read.format("abide-warc").option("tasks", partitions).load(names)
    spread = read.repartition(partitions, F.rand(seed=3))
    # With the linter, which knows web pages, as the command of `expected` has it.
    files = abide_spark.survey(spread, ["files", "findings"])["files"]
    assert collected(files) == archives.rows(expected["files"])


def test_archives_that_spark_opens(
    spark: SparkSession, folder: Path, expected: dict[str, pyarrow.Table]
) -> None:
    files = spark.read.format("binaryFile").load(str(folder))
    tables = abide_spark.survey(abide_spark.unpack(files), TABLES, **ASKED)
    for name, table in tables.items():
        if "source" in table.columns:
            # Spark names files by their URLs.
            table = table.withColumn("source", F.regexp_replace("source", "^file:(//)?", ""))
        assert collected(table) == archives.rows(expected[name]), name


def test_other_rows(spark: SparkSession, tmp_path: Path) -> None:
    table = pyarrow.table(
        {
            "capture": list(range(6)),
            "url": [f"https://{host}.example/robots.txt" for host in "abcde"] + ["no url"],
            "status": pyarrow.array([200, 404, 301, 302, 99, 200], "int32"),
            "headers": [None, None, "Location: https://a.example/robots.txt", "Location: /x", None, None],
            "body": [archives.ROBOTS, None, b"", None, None, b""],
        }
    )
    path = tmp_path / "rows.parquet"
    pyarrow.parquet.write_table(table, path)
    expected = archives.surveyed([path], tmp_path / "tables")
    read = spark.read.parquet(str(path)).repartition(3)
    tables = abide_spark.survey(read, ["files", "robots", "errors"], **ASKED)
    assert collected(tables["robots"]) == archives.rows(expected["robots"])
    files = tables["files"].drop("source")
    assert collected(files) == archives.rows(archives.without_source(expected["files"]))
    errors = [(row[1], row[2]) for row in collected(tables["errors"])]
    assert errors == [("row 4", "http-status"), ("row 5", "url")]
    # Without numbers, a capture has the same one in each partitioning.
    unnumbered = read.drop("capture")
    once = collected(abide_spark.survey(unnumbered, "files"))
    assert once == collected(abide_spark.survey(unnumbered.repartition(1), "files"))


def test_mistakes(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = spark.createDataFrame([("https://a.example/robots.txt",)], "url string")
    with pytest.raises(InvalidOptionError, match="rows: expected the column url, and body or status"):
        abide_spark.survey(frame)
    rows = frame.withColumn("body", F.lit(""))
    with pytest.raises(InvalidOptionError, match="tables: expected some of files"):
        abide_spark.survey(rows, "x")
    with pytest.raises(InvalidOptionError, match="paths"):
        abide_spark.survey(rows, paths="x")
    with pytest.raises(InvalidOptionError, match="profile"):
        abide_spark.decide(rows, agent="A", profile="x")
    with pytest.raises(InvalidOptionError, match="columns: expected some of allowed"):
        abide_spark.decide(rows, agent="A", columns="x")
    with pytest.raises(InvalidOptionError, match="broadcast: needs"), monkeypatch.context() as patch:
        patch.setattr(abide_spark, "_ARROW_UDF", None)
        abide_spark.decide(rows, rows, agent="A", broadcast=True)
    with pytest.raises(InvalidOptionError, match="urls_per_task"):
        abide_spark.decide(rows, rows, agent="A", urls_per_task=0)
    with pytest.raises(InvalidOptionError, match="urls: expected the columns url, body"):
        abide_spark.decide(frame, agent="A")
    for name in [str(tmp_path), str(tmp_path / "none.warc")]:
        with pytest.raises(Exception, match=r"no archive|No such file"):
            spark.read.format("abide-warc").load(name).count()


def urls(spark: SparkSession) -> DataFrame:
    """Many URLs of one site, few of others, and mistakes."""
    hot = [f"https://hot.example/{'private' if n % 3 else 'open'}/{n}" for n in range(5_000)]
    others = ["https://closed.example/x", "https://gone.example/x", "https://unknown.example/x", "no url", None]
    return spark.createDataFrame([(url, at) for at, url in enumerate(hot + others)], "url string, at int")


OLD, NEW = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC)


def robots(spark: SparkSession) -> DataFrame:
    """The files of some sites, of which the newest counts."""
    files = [
        ("https://hot.example/robots.txt", 200, bytearray(b"User-agent: *\nDisallow: /"), OLD),
        ("https://hot.example:443/robots.txt", 200, bytearray(archives.ROBOTS), NEW),
        ("https://hot.example/robots.txt", 404, None, None),
        ("https://closed.example/robots.txt", 503, None, NEW),
        ("https://gone.example/robots.txt", 404, bytearray(b"User-agent: *\nDisallow: /"), NEW),
        ("no url", 200, bytearray(b""), NEW),
    ]
    return spark.createDataFrame(files, "url string, status int, body binary, date timestamp")


@pytest.mark.parametrize("broadcast", [True, False, None])
def test_decisions_beside_the_files(spark: SparkSession, broadcast: bool | None) -> None:
    asked = urls(spark)
    decided = abide_spark.decide(
        asked, robots(spark), agent="ExampleBot", broadcast=broadcast, urls_per_task=700
    )
    assert decided.columns == ["url", "at", "decision"]
    found = {row.at: row.decision for row in decided.collect()}
    assert len(found) == asked.count()
    policy = Policy(archives.ROBOTS, "ExampleBot")
    for row in asked.where("at < 5000").collect():
        decision, answer = policy.decide(row.url), found[row.at]
        assert (answer.allowed, answer.line, answer.statement) == (
            decision.allowed,
            decision.line,
            decision.statement,
        )
        assert (answer.crawl_delay, answer.error) == (2.0, None)
    assert [found[5_000 + n].outcome for n in range(3)] == ["prohibited", "permitted", "unknown"]
    assert all(found[5_003 + n].error.startswith("url: ") for n in range(2))


@pytest.mark.parametrize("broadcast", [True, False])
def test_columns_and_robots_of_rows(spark: SparkSession, broadcast: bool) -> None:
    asked = urls(spark).where("at >= 4998").withColumn("robot", F.lit("ExampleBot"))
    decided = abide_spark.decide(
        asked, robots(spark), agent=F.col("robot"), columns=["line", "allowed"], broadcast=broadcast
    )
    assert [field.simpleString() for field in decided.schema["decision"].dataType.fields] == [
        "line:bigint",
        "allowed:boolean",
    ]
    rows = {row.at: tuple(row.decision) for row in decided.collect()}
    assert rows == {
        4_998: (4, True),
        4_999: (6, False),
        5_000: (None, False),
        5_001: (None, True),
        5_002: (None, False),
        5_003: (None, None),
        5_004: (None, None),
    }


@pytest.mark.parametrize("broadcast", [True, False])
def test_no_files_at_all(spark: SparkSession, broadcast: bool) -> None:
    asked, none = urls(spark).where("at >= 5000"), robots(spark).where("status = 999")
    decided = abide_spark.decide(asked, none, agent="ExampleBot", broadcast=broadcast)
    outcomes = {row.at: row.decision.outcome for row in decided.collect()}
    assert outcomes == {5_000: "unknown", 5_001: "unknown", 5_002: "unknown", 5_003: None, 5_004: None}


def test_few_files_are_with_every_task(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    def shuffles() -> bool:
        decided = abide_spark.decide(urls(spark), robots(spark), agent="ExampleBot")
        return "Exchange" in decided._jdf.queryExecution().executedPlan().toString()

    assert not shuffles()
    monkeypatch.setattr(abide_spark, "_MAX_BROADCAST_BYTES", len(archives.ROBOTS))
    assert shuffles()
    monkeypatch.undo()
    monkeypatch.setattr(abide_spark, "_MAX_BROADCAST_FILES", robots(spark).count() - 1)
    assert shuffles()


def test_functions_of_sql(spark: SparkSession) -> None:
    frame = spark.createDataFrame(
        [
            ("https://a.example/private/x", bytearray(archives.ROBOTS), "ExampleBot"),
            ("https://a.example/open", bytearray(archives.ROBOTS), "ExampleBot"),
            ("https://a.example/open", None, "ExampleBot"),
            ("x", bytearray(archives.ROBOTS), "ExampleBot"),
            (None, None, None),
        ],
        "url string, body binary, robot string",
    )
    frame.createOrReplaceTempView("visits")
    query = "SELECT abide_allowed(body, url, robot) a, abide_decide(body, url, robot) d FROM visits"
    rows = spark.sql(query).collect()
    assert [row.a for row in rows] == [row.d.allowed for row in rows] == [False, True, False, None, None]
    assert (rows[0].d.line, rows[0].d.crawl_delay, rows[2].d.outcome) == (6, 2.0, "unknown")
    assert rows[3].d.error.startswith("url: ")
    text = "abide_allowed('User-agent: *\\nDisallow: /x', 'https://a.example/x', 'ExampleBot')"
    assert spark.sql(f"SELECT {text} a").collect()[0].a is False


def test_a_large_site_is_shared_among_tasks(spark: SparkSession) -> None:
    decided = abide_spark.decide(
        urls(spark), robots(spark), agent="ExampleBot", broadcast=False, urls_per_task=700
    )
    # The largest task has a fraction of the site. Adaptive execution would join small ones.
    spark.conf.set("spark.sql.adaptive.enabled", "false")
    spark.conf.set("spark.sql.shuffle.partitions", "16")
    try:
        counts = decided.groupBy(F.spark_partition_id()).count().collect()
        largest = max(row["count"] for row in counts)
        decided = decided.withColumn("task", F.spark_partition_id())
        tasks = decided.where("url like 'https://hot%'").groupBy("task").count().collect()
    finally:
        spark.conf.set("spark.sql.adaptive.enabled", "true")
        spark.conf.set("spark.sql.shuffle.partitions", "3")
    assert len(tasks) >= 4 and largest < 3_000, (tasks, largest)


def test_decisions_about_rows_with_the_file(spark: SparkSession) -> None:
    frame = spark.createDataFrame(
        [
            ("https://a.example/private/x", bytearray(archives.ROBOTS), 200, "ExampleBot"),
            ("https://a.example/private/x", bytearray(archives.ROBOTS), 404, "ExampleBot"),
            ("https://a.example/", bytearray(archives.ROBOTS), None, "GPTBot"),
            ("x", bytearray(b""), None, "A"),
        ],
        "url string, body binary, status int, robot string",
    )
    decided = abide_spark.decide(frame, agent=F.col("robot")).collect()
    nameless = abide_spark.decide(frame, agent="").collect()
    assert all(row.decision.error for row in nameless)
    answers = [row.decision for row in decided]
    assert [answer.allowed for answer in answers] == [False, True, False, None]
    assert answers[3].error.startswith("url: ")


def test_decisions_where_redirects_lead(spark: SparkSession, folder: Path) -> None:
    read = spark.read.format("abide-warc").load(str(folder))
    asked = spark.createDataFrame([("https://site4.example/private/x",), ("https://site14.example/x",)], "url string")
    # site14 redirects to site15, which redirects to a page without rules.
    decided = abide_spark.decide(asked, abide_spark.captures(read), agent="ExampleBot")
    answers = {row.url: row.decision.outcome for row in decided.collect()}
    assert answers == {"https://site4.example/private/x": "prohibited", "https://site14.example/x": "permitted"}


def test_the_job(spark: SparkSession, folder: Path, expected: dict[str, pyarrow.Table], tmp_path: Path) -> None:
    from abide_robots import spark_job

    names = tmp_path / "names"
    names.write_text("".join(f"{path.name}\n" for path in sorted(folder.iterdir())))
    words = [str(names), str(tmp_path / "out"), "--output_path", "--input_base_url", f"{folder.as_uri()}/"]
    words += ["--agents", archives.AGENTS, "--path", archives.PATHS, "--log_level", "ERROR"]
    spark_job.run(spark, spark_job.arguments(words))
    written = spark.read.parquet(str(tmp_path / "out" / "robots"))
    assert collected(written) == archives.rows(expected["robots"])
    errors = spark.read.parquet(str(tmp_path / "out" / "errors"))
    assert {row.code for row in errors.collect()} >= {"gzip-cut", "revisit"}


def test_a_cluster_that_loses_an_executor(tmp_path: Path) -> None:
    """Executors are processes of their own. One of them is killed while it works."""
    home = Path(pyspark.__file__).parent
    archives.write(tmp_path / "archives", archives=10, sites=12)
    expected = archives.surveyed([tmp_path / "archives"], tmp_path / "tables", "--tables", "robots")
    program = Path(__file__).parent / "spark_cluster.py"
    environment = {**os.environ, **LOCAL, "SPARK_HOME": str(home)}
    words = [sys.executable, str(program), str(tmp_path / "archives"), str(tmp_path / "robots.parquet")]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-4000:]
    assert "killed 1 of 2 executors" in done.stdout
    table = pyarrow.parquet.read_table(tmp_path / "robots.parquet")
    assert archives.rows(table) == archives.rows(expected["robots"])
