"""Surveys and decisions in Spark, for archives and tables that are too large for one machine.

- :class:`WarcDataSource`: archives as a data source, ``spark.read.format("abide-warc")``.
- :func:`survey`: what ``abide survey`` says about them, as DataFrames.
- :func:`decide`: whether a robot may fetch each URL of a DataFrame.

Needs PySpark 4 and pyarrow: ``pip install 'abide-robots[spark]'``, also on the executors.
``docs/spark.md`` shows how to run it on a cluster.
"""

from __future__ import annotations

import contextlib
import functools
import glob
import importlib
import itertools
import json
import os
import shutil
import stat
import tempfile
import urllib.parse
import urllib.request
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, overload

import pyarrow
import pyarrow.compute
from pyspark.sql import Window
from pyspark.sql import functions as F
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import ArrayType, DataType, StringType, StructType

from abide_robots import InvalidOptionError, _native

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from pyspark.sql import Column, DataFrame, SparkSession

    from abide_robots._types import AnswerColumn

    _Each = Callable[[pyarrow.RecordBatch], Iterator[pyarrow.RecordBatch]]

__all__ = ["WarcDataSource", "captures", "decide", "register", "survey", "unpack"]


def _columns(names: str, **others: DataType) -> StructType:
    """Columns, written as `name:type`."""
    schema = StructType()
    for one in names.split():
        name, _, kind = one.partition(":")
        schema = schema.add(name, others.get(name, kind))
    return schema


_FIELDS = ArrayType(_columns("name:string value:binary"))
_ROW = _columns(
    "source_number:integer source:string place:long length:long number:long kind:string url:string status:integer "
    "headers: date:timestamp body:binary bytes:long digest:string cut:boolean record_digest:string "
    "original:string at:string code:string message:string",
    headers=_FIELDS,
)
_LINK = _columns(
    "source_number:integer source:string place:long number:long is_page:boolean keys: link:string "
    "way:string wants:string",
    keys=ArrayType(StringType()),
)
_STEP = _columns(
    "number:long way:string wants:string end:string source_number:integer source:string place:long "
    "target:long"
)
_DECISION = _columns(
    "allowed:boolean outcome:string line:long statement:string reason:string crawl_delay:double "
    "error:string"
)
# From PySpark 4.1 on.
_ARROW_UDF: Any = getattr(F, "arrow_udf", None)
_TYPES = {"int64": "long", "string": "string", "double": "double", "bool": "boolean"}
# A chain has at most five redirects, and may end with a revisit record.
_MOST_STEPS = 7
_TASK_BYTES = 32 << 20
# About as many rows of a table are made at a time.
_TABLE_ROWS = 8_192
_TASKS = 200
# Files that are few and short enough for every task to have all.
_MAX_BROADCAST_FILES = 100_000
_MAX_BROADCAST_BYTES = 64 << 20
# What an archive of Common Crawl's robots.txt files has.
_USUAL_BYTES = 2 << 20


@dataclass
class _Archives(InputPartition):
    """The archives of one task: their numbers and names."""

    archives: list[tuple[int, str]]


class WarcDataSource(DataSource):
    """Web archives (``.warc``, ``.warc.gz``, ``.warc.zst``) as a data source: one row per robots.txt, per response to
    which a redirect may lead, and per error.

        spark.dataSource.register(abide_robots.spark.WarcDataSource)
        rows = spark.read.format("abide-warc").load("archives/")

    ``load`` takes a file, a folder, a pattern such as ``CC-MAIN-*.warc.gz``, or a list of them. Names
    may be URLs: ``https://``, and what pyarrow or fsspec opens, such as ``s3://``. With the option
    ``list``, the file of that name has the names, one per line. Each archive is read by one task. Small
    ones share a task, up to 32 MiB, but so that there are ``tasks`` tasks if there are as many archives
    [default: 200].

    A damaged or truncated archive is read as far as possible. What is wrong is a row with ``code`` and
    ``message``.
    """

    @classmethod
    def name(cls) -> str:
        """The name of the format."""
        return "abide-warc"

    def schema(self) -> StructType:
        """The columns."""
        return _ROW

    def reader(self, schema: StructType) -> DataSourceReader:
        """Reads the archives that the options name."""
        return _WarcReader(dict(self.options))


class _WarcReader(DataSourceReader):
    def __init__(self, options: Mapping[str, str]) -> None:
        options = {name.lower(): value for name, value in options.items()}
        names = json.loads(options["paths"]) if "paths" in options else []
        if "path" in options:
            names.append(options["path"])
        if "list" in options:
            with _open(options["list"]) as lines:
                text = lines.read().decode()
            names += [line.strip() for line in text.splitlines() if line.strip()]
        if not names:
            raise InvalidOptionError("path: expected a file, a folder or a pattern", "path")
        self._names = names
        self._tasks = max(1, int(options.get("tasks", _TASKS)))

    def partitions(self) -> Sequence[InputPartition]:
        return [_Archives(task) for task in self.tasks()]

    def tasks(self) -> list[list[tuple[int, str]]]:
        """The archives of each task."""
        found = list(itertools.chain.from_iterable(map(_archives, self._names)))
        if not found:
            names = ", ".join(self._names)
            raise FileNotFoundError(f"no archive (.warc, .warc.gz, .warc.zst) in {names}")
        total = sum(size for _, size in found)
        most = max(1, min(_TASK_BYTES, total // self._tasks))
        tasks: list[list[tuple[int, str]]] = []
        filled = most
        for number, (name, size) in enumerate(found):
            if filled >= most:
                tasks.append([])
                filled = 0
            tasks[-1].append((number, name))
            filled += size
        return tasks

    def read(self, partition: InputPartition) -> Iterator[pyarrow.RecordBatch]:
        assert isinstance(partition, _Archives)
        for number, name in partition.archives:
            yield from _records(name, number)


def _records(name: str, number: int, first: int = 0) -> Iterator[pyarrow.RecordBatch]:
    """The records of an archive. Its captures are counted from ``first``."""
    with _local(name) as path:
        for batches in _native.ArchiveBatches(path, name, number, first):
            yield from pyarrow.table(batches).to_batches()


def _path(name: str) -> str | None:
    """The path of a name; ``None`` for the URL of something that is not a local file."""
    scheme, colon, rest = name.partition(":")
    if not colon or not rest.startswith("/") or len(scheme) < 2:
        return name
    if scheme.lower() != "file":
        return None
    return urllib.request.url2pathname(urllib.parse.urlsplit(name).path)


def _archives(name: str) -> Iterator[tuple[str, int]]:
    """The archives that a name stands for, with their sizes, in order."""
    path = _path(name)
    if path is None:
        yield from _remote_archives(name)
        return
    found = sorted(glob.glob(path, recursive=True), key=os.fsencode) if glob.has_magic(path) else [path]
    for one in found:
        about = os.stat(one)
        if stat.S_ISDIR(about.st_mode):
            yield from _archives_in(one)
        else:
            yield one, about.st_size


def _archives_in(folder: str) -> Iterator[tuple[str, int]]:
    """The archives in a folder and its folders, by name."""
    for entry in sorted(os.scandir(folder), key=lambda entry: os.fsencode(entry.name)):
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _archives_in(entry.path)
        elif _is_archive(entry.name) and entry.is_file():
            yield entry.path, entry.stat().st_size


def _is_archive(name: str) -> bool:
    return name.lower().endswith((".warc", ".warc.gz", ".warc.zst"))


def _remote_archives(name: str) -> Iterator[tuple[str, int]]:
    opened = None if _is_archive(name) else _filesystem(name)
    if opened is None:
        # Asking for the size of each of 100,000 files would take longer than reading them.
        yield name, _USUAL_BYTES
        return
    import pyarrow.fs

    filesystem, path = opened
    start = name[: len(name) - len(path)]
    within = filesystem.get_file_info(pyarrow.fs.FileSelector(path, recursive=True))
    for one in sorted(within, key=lambda one: one.path.encode()):
        if one.is_file and _is_archive(one.base_name):
            yield start + one.path, one.size


def _filesystem(name: str) -> tuple[Any, str] | None:
    """The file system of a URL and the path there, if pyarrow knows it."""
    import pyarrow.fs

    try:
        filesystem, path = pyarrow.fs.FileSystem.from_uri(name)
    except (ValueError, NotImplementedError):
        return None
    return filesystem, path


def _open(name: str) -> IO[bytes]:
    path = _path(name)
    if path is not None:
        return open(path, "rb")
    if name.startswith(("http:", "https:")):
        response: IO[bytes] = urllib.request.urlopen(name)
        return response
    opened = _filesystem(name)
    if opened is None:
        # Only needed for file systems that pyarrow does not know.
        fsspec = importlib.import_module("fsspec")
        stream: IO[bytes] = fsspec.open(name, "rb").open()
        return stream
    filesystem, path = opened
    stream = filesystem.open_input_stream(path, compression=None)
    return stream


@contextlib.contextmanager
def _local(name: str) -> Iterator[str]:
    """An archive as a local file: itself, or a copy that is deleted afterwards."""
    path = _path(name)
    if path is not None:
        if not os.path.exists(path):
            raise FileNotFoundError(f"{path} is not on this machine; use a path that all executors have")
        yield path
        return
    with tempfile.NamedTemporaryFile(prefix="abide-") as copy:
        with _open(name) as stream:
            shutil.copyfileobj(stream, copy, 1 << 20)
        copy.flush()
        yield copy.name


def register(spark: SparkSession) -> None:
    """Makes the format ``abide-warc`` known to a session, and with PySpark 4.1 two functions of SQL.

    - ``abide_allowed(body, url, agent)``: whether the robot may fetch the URL under this robots.txt; null
      if the row cannot be read.
    - ``abide_decide(body, url, agent)``: the struct of :func:`decide`.
    """
    spark.dataSource.register(WarcDataSource)
    if _ARROW_UDF is not None:
        spark.udf.register("abide_allowed", _ARROW_UDF(_allowed_function, "boolean"))
        spark.udf.register("abide_decide", _ARROW_UDF(_decide_function, _DECISION))


def unpack(files: DataFrame) -> DataFrame:
    """Returns the rows of ``abide-warc`` for archives that Spark itself reads.

    The session then opens the files, with its own credentials, on any file system that it knows:

        files = spark.read.format("binaryFile").load("abfss://…/*.warc.gz")
        rows = abide_robots.spark.unpack(files)

    A file must fit into memory. The archives are numbered by their names. Pages have their bodies here,
    because redirects may lead to them and they cannot be read again.
    """
    names = sorted(row.path for row in files.select("path").collect())
    numbers = {name: number for number, name in enumerate(names)}

    def rows(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            for name, content in zip(batch["path"].to_pylist(), batch["content"], strict=True):
                with tempfile.NamedTemporaryFile(prefix="abide-") as copy:
                    copy.write(content.as_buffer())
                    copy.flush()
                    for found in _native.ArchiveBatches(copy.name, name, numbers[name], page_bodies=True):
                        yield from pyarrow.table(found).to_batches()

    unpacked = files.select("path", "content").mapInArrow(rows, _ROW)
    # The content is not where `source` says: records cannot be read again from there.
    return unpacked.withColumnRenamed("place", "record")


@overload
def survey(
    rows: DataFrame,
    tables: str = "robots",
    *,
    agents: str | Iterable[str] = "*",
    paths: str | Iterable[str] = "/",
    profile: str = "careful",
    literal: bool = False,
) -> DataFrame: ...
@overload
def survey(
    rows: DataFrame,
    tables: list[str] | tuple[str, ...],
    *,
    agents: str | Iterable[str] = "*",
    paths: str | Iterable[str] = "/",
    profile: str = "careful",
    literal: bool = False,
) -> dict[str, DataFrame]: ...
def survey(
    rows: DataFrame,
    tables: str | list[str] | tuple[str, ...] = "robots",
    *,
    agents: str | Iterable[str] = "*",
    paths: str | Iterable[str] = "/",
    profile: str = "careful",
    literal: bool = False,
) -> DataFrame | dict[str, DataFrame]:
    """Surveys robots.txt files: the rows that ``abide survey`` writes, whatever the partitions.

    ``rows`` is what ``abide-warc`` or :func:`unpack` reads, or any DataFrame with the columns ``url``,
    and ``body`` or ``status``; ``headers`` and ``date`` if they are there. Their captures are counted in
    the order of the archives, or are in the column ``capture`` [default: a hash of the row].

    ``tables`` is the name of a table, or a list of names, which gives a dict. The other arguments are
    those of :func:`abide_robots.arrow.survey`. A row that cannot be read is a row of the table
    ``errors``.

    Redirects are followed before the function returns: it reads the rows once, and keeps a short text
    for each in the cache of the session. Bodies are not shuffled.
    """
    names = [tables] if isinstance(tables, str) else list(tables)
    asked: dict[str, Any] = {
        "agents": agents if isinstance(agents, str) else list(agents),
        "paths": paths if isinstance(paths, str) else list(paths),
        "profile": profile,
        "literal": literal,
        "lints": "findings" in names,
    }
    for name in names:
        # Mistakes show here, not in a task.
        _native.TableRows(name, **asked)
    followed = _Followed(rows)
    found = {name: followed.table(name, asked) for name in names}
    return found[tables] if isinstance(tables, str) else found


def captures(rows: DataFrame) -> DataFrame:
    """Returns the captures of ``rows``, each with the status and body of the one that its redirects
    lead to. :func:`decide` takes them as ``robots``.
    """
    asked = {"agents": "*", "paths": "/", "profile": "careful", "literal": False, "lints": False}
    return _Followed(rows).table("captures", asked)


class _Followed:
    """Rows whose redirects were followed."""

    def __init__(self, rows: DataFrame) -> None:
        self._spark = rows.sparkSession
        self._rereads = "place" in rows.columns
        self._tasks = _tasks_of(rows)
        # Where the captures of each archive begin to count.
        self._firsts: dict[int, int] = {}
        rows = _with_columns(rows)
        is_archive = "source_number" in rows.columns
        self._rows = rows if is_archive else rows.withColumn("number", _numbers(rows))
        links = self._links().persist()
        if is_archive:
            self._count(links)
            self._rows = self._counted(rows)
            links = self._counted(links)
        self._follow(links)

    def _map(self, rows: DataFrame, each: _Each, schema: StructType) -> DataFrame:
        """What a function makes of the rows, batch by batch; of the archives, if it is all of them."""
        tasks, firsts = self._tasks, dict(self._firsts)
        if tasks is None:
            return rows.mapInArrow(_mapped(each), schema)

        def read(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
            for batch in batches:
                for task in batch["id"].to_pylist():
                    for number, name in tasks[task]:
                        for records in _records(name, number, firsts.get(number, 0)):
                            yield from each(records)

        return self._spark.range(0, len(tasks), 1, len(tasks)).mapInArrow(read, schema)

    def _links(self) -> DataFrame:
        """What redirects and revisit records need to know about each row."""
        rows = self._rows
        if "bytes" in rows.columns and "body" in rows.columns:
            # The length and the digest are known.
            rows = rows.withColumn("body", F.when(F.col("body").isNotNull(), F.lit(b"")))
        return self._map(rows, _capture_links, _LINK)

    def _count(self, links: DataFrame) -> None:
        """Counts captures in the order of the archives."""
        is_capture = F.when(F.col("is_page"), 0).otherwise(1)
        counts = links.groupBy("source_number").agg(F.sum(is_capture).alias("count")).collect()
        total = 0
        for source, count in sorted((row.source_number, row["count"]) for row in counts):
            self._firsts[source] = total
            total += count

    def _counted(self, rows: DataFrame) -> DataFrame:
        """Rows with numbers that count on from one archive to the next."""
        firsts = list(self._firsts.items())
        offsets = self._spark.createDataFrame(firsts, "source_number int, before bigint")
        counted = rows.join(F.broadcast(offsets), "source_number", "left")
        # An archive without captures and pages has errors at most, which nobody counts.
        number = F.col("number") + F.coalesce(F.col("before"), F.lit(0))
        return counted.withColumn("number", number).drop("before")

    def _follow(self, links: DataFrame) -> None:
        known = links.select(
            F.explode("keys").alias("key"),
            "number",
            "source_number",
            "source",
            "place",
            "is_page",
            "link",
        )
        start = links.where("way is not null")
        nowhere = "cast(null as int) source_number", "cast(null as string) source"
        ended = start.where("wants is null").selectExpr(
            "number", "way", "wants", "'failed' end", *nowhere, "cast(null as bigint) place", "cast(null as bigint) target"
        )
        waiting = start.where("wants is not null").select("number", "way", "wants")
        for _ in range(_MOST_STEPS):
            if waiting.isEmpty():
                break
            stepped = _step(waiting, known).persist()
            ended = ended.unionByName(stepped.where("wants is null"))
            waiting = stepped.where("wants is not null").select("number", "way", "wants")
        self._reached = ended.where("end = 'reached'")
        rest = ended.where("end != 'reached'").select("number", "way")
        self._rest = rest.unionByName(waiting.select("number", "way"))

    def table(self, name: str, asked: Mapping[str, Any]) -> DataFrame:
        """The rows of a table."""
        schema = _table_schema(name)
        direct = self._map(self._rows, _table(name, asked, "direct"), schema)
        rest = self._rest.mapInArrow(_mapped(_table(name, asked, "ended")), schema)
        table = direct.unionByName(rest)
        if name == "errors":
            return table
        return table.unionByName(self._reached_rows(name, asked, schema))

    def _reached_rows(self, name: str, asked: Mapping[str, Any], schema: StructType) -> DataFrame:
        """The rows of captures whose rules are in another record."""
        reached = self._reached
        if self._rereads:
            sorted_rows = reached.repartition("source").sortWithinPartitions("source", "place")
            return sorted_rows.mapInArrow(_mapped_again(name, asked), schema)
        ways = reached.select(F.col("number").alias("waiting"), "way", "source_number", "place", "target")
        if "record" in self._rows.columns:
            ways = ways.withColumnRenamed("place", "record").drop("target")
            joined = self._rows.join(ways, ["source_number", "record"])
        else:
            ways = ways.drop("source_number", "place").withColumnRenamed("target", "number")
            joined = self._rows.join(ways, "number")
        return joined.mapInArrow(_mapped(_table(name, asked, "reached")), schema)


def _with_columns(rows: DataFrame) -> DataFrame:
    """The rows, with the columns that matter."""
    wanted = set(_ROW.names) | {"capture", "record"}
    missing = {"url"}.difference(rows.columns)
    if missing or not {"body", "status"}.intersection(rows.columns):
        names = ", ".join(rows.columns)
        message = f"rows: expected the column url, and body or status, but found {names}"
        raise InvalidOptionError(message, "rows")
    return rows.select(*[name for name in rows.columns if name in wanted])


def _numbers(rows: DataFrame) -> Column:
    """What captures are counted by."""
    if "capture" in rows.columns:
        return F.col("capture").cast("bigint")
    names = [name for name in ("url", "date", "status", "body") if name in rows.columns]
    return F.xxhash64(*names).bitwiseAND(F.lit((1 << 63) - 1))


def _tasks_of(rows: DataFrame) -> list[list[tuple[int, str]]] | None:
    """The archives of each task, if these rows are all that ``abide-warc`` reads; ``None`` for other
    rows, and for a session that does not show its plans (Spark Connect).

    Tasks then read the archives themselves: no body goes to the JVM and back. Surveys of real files
    have 11 % more captures per second (``benches/spark_survey.py``). Replaces ``rows.mapInArrow``.
    """
    frame = getattr(rows, "_jdf", None)
    if frame is None or rows.columns != _ROW.names:
        return None
    level = rows.storageLevel
    plan = frame.queryExecution().analyzed()
    is_kept = level.useMemory or level.useDisk
    if is_kept or plan.nodeName() != "DataSourceV2Relation" or plan.table().name() != WarcDataSource.name():
        return None
    return _WarcReader(dict(plan.options().asCaseSensitiveMap())).tasks()


def _capture_links(batch: pyarrow.RecordBatch) -> Iterator[pyarrow.RecordBatch]:
    yield from pyarrow.table(_native.capture_links(batch)).to_batches()


def _step(waiting: DataFrame, known: DataFrame) -> DataFrame:
    """Takes one step on each way: to the nearest record in the order of the input."""
    wanted = waiting.select(F.col("wants").alias("key")).distinct()
    there = known.join(wanted, "key", "left_semi")
    record = F.struct("number", "source_number", "source", "place", "link")
    there = there.select(
        "key", "number", "source_number", "place", "is_page", record.alias("record"), F.lit(None).cast("string").alias("way")
    )
    here = waiting.select(
        F.col("wants").alias("key"),
        "number",
        F.lit(-1).alias("source_number"),
        F.lit(-1).cast("bigint").alias("place"),
        F.lit(True).alias("is_page"),
        F.lit(None).cast(there.schema["record"].dataType).alias("record"),
        "way",
    )
    # A page is before the capture with its number, and what waits is before both.
    order = [F.col("number"), F.col("source_number"), F.col("place"), F.col("is_page").desc()]
    back = [F.col("number").desc(), F.col("source_number").desc(), F.col("place").desc(), F.col("is_page")]
    by_key = Window.partitionBy("key").rowsBetween(Window.unboundedPreceding, Window.currentRow)
    both = there.unionByName(here)
    both = both.withColumn("before", F.last("record", ignorenulls=True).over(by_key.orderBy(*order)))
    both = both.withColumn("after", F.last("record", ignorenulls=True).over(by_key.orderBy(*back)))
    is_nearer = F.col("number") - F.col("before.number") < F.col("after.number") - F.col("number")
    nearest = F.when(is_nearer, F.col("before")).otherwise(F.coalesce("after", "before"))
    chosen = both.where("way is not null").select("number", "way", nearest.alias("to"))
    chosen = chosen.selectExpr(
        "number",
        "way",
        "to.link link",
        "to.source_number source_number",
        "to.source source",
        "to.place place",
        "to.number target",
    )

    def follow(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        schema = ["number", "way", "wants", "end", "source_number", "source", "place", "target"]
        for batch in batches:
            table = pyarrow.table(_native.follow_ways(batch.select(["way", "link"])))
            for name in ["number", "source_number", "source", "place", "target"]:
                table = table.append_column(name, batch[name])
            yield from table.select(schema).combine_chunks().to_batches()

    return chosen.mapInArrow(follow, _STEP)


@functools.lru_cache(maxsize=32)
def _table_rows(name: str, asked: str) -> _native.TableRows:
    """The survey of this process: it remembers what it computed for equal bodies."""
    return _native.TableRows(name, **json.loads(asked))


def _table_schema(name: str) -> StructType:
    """The columns of a table, as Spark names types."""
    if name == "captures":
        return _ROW
    empty = pyarrow.table({"url": pyarrow.array([], "string"), "status": pyarrow.array([], "int64")})
    rows = _native.survey_batches(
        empty, tables=name, agents="*", paths="/", profile="careful", literal=False
    )[name]
    columns = StructType()
    for field in pyarrow.schema(rows):
        columns = columns.add(field.name, _TYPES.get(str(field.type), "timestamp"))
    return columns


def _for_spark(rows: _native.RecordBatches) -> Iterator[pyarrow.RecordBatch]:
    """Batches with the types of Spark, whose instants are in microseconds."""
    table = pyarrow.table(rows)
    instant = pyarrow.timestamp("us", "UTC")
    fields = [
        field.with_type(instant) if pyarrow.types.is_timestamp(field.type) else field
        for field in table.schema
    ]
    yield from table.cast(pyarrow.schema(fields)).to_batches()


def _mapped(each: _Each) -> Any:
    """The function for ``mapInArrow`` that applies ``each`` to each batch."""

    def rows(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield from each(batch)

    return rows


def _table(name: str, asked: Mapping[str, Any], method: str) -> _Each:
    """Rows in, rows of a table out, by a method of ``TableRows``."""
    text = json.dumps(asked)

    def rows(batch: pyarrow.RecordBatch) -> Iterator[pyarrow.RecordBatch]:
        of_table = getattr(_table_rows(name, text), method)
        start, count = 0, 256
        while start < batch.num_rows:
            found = of_table(batch.slice(start, count))
            yield from _for_spark(found)
            start += count
            # A survey of all known robots has hundreds of rows for each capture.
            count = max(16, min(2048, _TABLE_ROWS * count // max(1, len(found))))

    return rows


def _mapped_again(name: str, asked: Mapping[str, Any]) -> Any:
    """Ways in, rows of a table out: reads the last record of each way again."""
    text = json.dumps(asked)

    def rows(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        of_table = _table_rows(name, text)
        for batch in batches:
            sources = batch["source"].to_pylist()
            start = 0
            for source, group in itertools.groupby(sources):
                count = len(list(group))
                with _local(source) as path:
                    for at in range(start, start + count, 256):
                        some = batch.slice(at, min(256, start + count - at))
                        yield from _for_spark(of_table.reached_again(path, some))
                start += count

    return rows


def decide(
    urls: DataFrame,
    robots: DataFrame | None = None,
    *,
    agent: str | Column,
    columns: AnswerColumn | Iterable[AnswerColumn] | None = None,
    broadcast: bool | None = None,
    urls_per_task: int = 100_000,
    purposes: Iterable[str] | None = None,
    acap: Mapping[str, Any] | None = None,
    profile: str | None = None,
    nonstandard_token: bool | None = None,
    known_robots: bool | None = None,
) -> DataFrame:
    """Decides about each URL: ``urls`` with a column ``decision``, a struct as in
    :func:`abide_robots.arrow.decide`, with the fields that ``columns`` names [default: all]. A row that
    cannot be read has ``decision.error``. Fewer fields are faster.

    ``urls`` has the column ``url``. The robots.txt files are in ``robots``, a DataFrame with the columns
    ``url`` (of the file, or of any page of its site), ``body``, and ``status`` if it is there, such as
    :func:`captures` returns it; or, without ``robots``, in the column ``body`` of ``urls`` itself. Of
    several files of a site, the one with the latest ``date`` counts. A site without a file has the
    outcome ``unknown``.

    ``agent`` is a name for all rows, or a column of ``urls``. The options after ``urls_per_task`` are
    those of :class:`abide_robots.Policy`.

    With ``broadcast``, every task gets all files, and no URL is shuffled. That needs PySpark 4.1, and a
    session that is not of Spark Connect. By default it is done for at most 100,000 files with at most
    64 MiB altogether: to know, the function reads up to 100,001 rows of ``robots`` before it returns.

    Without it, URLs and files meet by their site. A site with more URLs than ``urls_per_task`` is
    shared among several tasks, and a file is in each of these once, not in every row.
    """
    options: dict[str, Any] = {
        "purposes": None if purposes is None else list(purposes),
        "acap": acap,
        "profile": profile,
        "nonstandard_token": nonstandard_token,
        "known_robots": known_robots,
    }
    # Mistakes show here, not in a task.
    decides = _Decides(columns, options)
    if urls_per_task < 1:
        message = f"urls_per_task: expected a number from 1, but found {urls_per_task}"
        raise InvalidOptionError(message, "urls_per_task")
    for argument, frame, names in [
        ("urls", urls, ["url"] if robots is not None else ["url", "body"]),
        ("robots", robots, ["url"]),
    ]:
        if frame is not None and not set(names).issubset(frame.columns):
            message = f"{argument}: expected the columns {', '.join(names)}, but found {', '.join(frame.columns)}"
            raise InvalidOptionError(message, argument)
    if robots is None:
        return _decide_rows(urls, agent, decides)
    files = _files(robots)
    can = _can_broadcast(urls)
    if broadcast and not can:
        message = "broadcast: needs PySpark 4.1, and a session that is not of Spark Connect"
        raise InvalidOptionError(message, "broadcast")
    if broadcast or (broadcast is None and can and _are_few(files)):
        return _decide_beside(urls, files, agent, decides)
    return _decide_sites(urls, files, agent, decides, urls_per_task)


class _Decides:
    """Which columns of a decision are asked for, and under which options."""

    def __init__(
        self, columns: AnswerColumn | Iterable[AnswerColumn] | None, options: Mapping[str, Any]
    ) -> None:
        named: Iterable[AnswerColumn] | None = [columns] if isinstance(columns, str) else columns
        self._columns: list[AnswerColumn] | None = None if named is None else list(named)
        self._options = json.dumps(options)
        answered = pyarrow.array(self.of_rows().decide([], [], "*"))
        self.schema = StructType([_DECISION[field.name] for field in answered.type])

    def of_rows(self) -> _native.RowDecider:
        """Decides about rows in this process: files that are in many batches are compiled once."""
        return _row_decider(json.dumps(self._columns), self._options)

    def sorted(self) -> _native.SortedDecider:
        """Decides about rows that are sorted by site."""
        return _native.SortedDecider(self._columns, **json.loads(self._options))


@functools.lru_cache(maxsize=32)
def _row_decider(columns: str = "null", options: str = "{}") -> _native.RowDecider:
    return _native.RowDecider(json.loads(columns), **json.loads(options))


def _decide_rows(urls: DataFrame, agent: str | Column, decides: _Decides) -> DataFrame:
    """Decides about rows that have the file."""
    names = urls.columns
    name = _name_for_all(agent)
    has_status = "status" in names

    def rows(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        decider = decides.of_rows()
        for batch in batches:
            status = batch["status"].cast("int64", safe=False) if has_status else None
            column = decider.decide(batch["body"], batch["url"], _agents(batch, name), status)
            yield _with_decision(batch.select(names), column)

    schema = StructType.fromJson(urls.schema.jsonValue())
    return _with_agent(urls, agent).mapInArrow(rows, schema.add("decision", decides.schema))


def _name_for_all(agent: str | Column) -> str | None:
    # Functions that go to tasks cannot hold a Column.
    return agent if isinstance(agent, str) else None


def _agents(batch: pyarrow.RecordBatch, name: str | None) -> Any:
    return batch["_agent"] if name is None else name


def _with_agent(urls: DataFrame, agent: str | Column) -> DataFrame:
    """The rows with the robot of each; one for all is in no column."""
    return urls if isinstance(agent, str) else urls.withColumn("_agent", agent)


def _files(robots: DataFrame) -> DataFrame:
    """The files, with the columns that decisions need."""
    if "kind" in robots.columns:
        robots = robots.where("kind = 'capture'")

    def column(name: str, kind: str) -> Column:
        return (F.col(name) if name in robots.columns else F.lit(None)).cast(kind).alias(f"_{name}")

    return robots.select("url", column("body", "binary"), column("status", "int"), column("date", "timestamp"))


def _newest_first() -> list[Column]:
    """Of several files of a site, the first in this order counts, whatever the partitions."""
    return [F.col("_date").desc(), F.xxhash64("_body")]


def _can_broadcast(urls: DataFrame) -> bool:
    # Spark Connect has no `sparkContext`.
    return _ARROW_UDF is not None and not type(urls).__module__.startswith("pyspark.sql.connect")


def _are_few(files: DataFrame) -> bool:
    # `take` reads partitions until it has enough rows, as `limit` in a query would not.
    lengths = files.select(F.coalesce(F.octet_length("_body"), F.lit(0))).take(_MAX_BROADCAST_FILES + 1)
    return len(lengths) <= _MAX_BROADCAST_FILES and sum(row[0] for row in lengths) <= _MAX_BROADCAST_BYTES


def _decide_beside(urls: DataFrame, files: DataFrame, agent: str | Column, decides: _Decides) -> DataFrame:
    """Decides about rows where every task has all files."""
    found = _with_site(files).where("_site is not null").orderBy("_site", *_newest_first())
    table = found.select("_site", "_body", "_status").toArrow()
    sites = table["_site"].to_pylist()
    newest = [at for at, site in enumerate(sites) if at == 0 or sites[at - 1] != site]
    first = table.take(pyarrow.array(newest, "int64"))
    # In one piece: a task would join the pieces again, which copies all files, for each batch of URLs.
    columns = [column.combine_chunks() for column in first.columns]
    name = _name_for_all(agent)
    shared = urls.sparkSession.sparkContext.broadcast(pyarrow.record_batch(columns, first.column_names))

    def decided(url: pyarrow.Array, *agents: pyarrow.Array) -> pyarrow.Array:
        files = shared.value
        site = pyarrow.table(_native.robots_urls(pyarrow.record_batch([url], ["url"])))["site"]
        where = pyarrow.compute.SetLookupOptions(files["_site"])
        number = pyarrow.compute.call_function("index_in", [site.combine_chunks()], where)
        # Each file is there once, however many rows have it.
        bodies = pyarrow.DictionaryArray.from_arrays(number, files["_body"])
        status = files["_status"].take(number).cast("int64")
        named = agents[0] if agents else name
        return _structs(decides.of_rows().decide(bodies, url, named, status))

    asked = [F.col("url")] if isinstance(agent, str) else [F.col("url"), agent]
    return urls.withColumn("decision", _ARROW_UDF(decided, decides.schema)(*asked))


def _decide_sites(
    urls: DataFrame,
    files: DataFrame,
    agent: str | Column,
    decides: _Decides,
    urls_per_task: int,
) -> DataFrame:
    """Decides about rows that meet their file by site."""
    names, name = urls.columns, _name_for_all(agent)
    shares = F.broadcast(_shares(urls, urls_per_task))
    count = F.coalesce("_shares", F.lit(1))
    asked = _with_site(_with_agent(urls, agent))
    agents = [name for name in asked.columns if name == "_agent"]
    asked = asked.join(shares, "_site", "left")
    # A URL that is no URL has no site: these rows are spread as they come.
    is_lost = F.col("_site").isNull()
    share = F.when(is_lost, F.xxhash64("url") % 199).otherwise(F.pmod(F.xxhash64("url"), count))
    asked = asked.select("_site", share.cast("int").alias("_share"), F.lit(1).alias("_rank"), *agents, *names)

    files = _with_site(files).where("_site is not null").join(shares, "_site", "left").select(
        "_site",
        F.explode(F.sequence(F.lit(0), count - 1)).alias("_share"),
        F.lit(0).alias("_rank"),
        "_body",
        "_status",
        "_date",
    )
    both = files.unionByName(asked, allowMissingColumns=True)
    both = both.repartition("_site", "_share").sortWithinPartitions(
        "_site", "_share", "_rank", *_newest_first()
    )
    schema = StructType.fromJson(urls.select(*names).schema.jsonValue())

    def rows(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        decider = decides.sorted()
        for batch in batches:
            column = decider.decide(
                batch["_site"],
                batch["_share"],
                batch["_rank"],
                batch["_body"],
                batch["_status"],
                batch["url"],
                _agents(batch, name),
            )
            is_url = pyarrow.compute.call_function("equal", [batch["_rank"], 1])
            yield _with_decision(batch.filter(is_url).select(names), column)

    return both.mapInArrow(rows, schema.add("decision", decides.schema))


def _shares(urls: DataFrame, urls_per_task: int) -> DataFrame:
    """How many tasks share a site. Most sites are with one, and not in this table."""
    # Counted by the beginning of the URL, which needs no Python. A site with many spellings has fewer
    # shares than it might have.
    counts = urls.groupBy(F.substring_index("url", "/", 3)).agg(F.min("url").alias("url"), F.count("url").alias("count"))
    counts = _with_site(counts.where(F.col("count") > urls_per_task).select("url", "count"))
    counts = counts.where("_site is not null").groupBy("_site").agg(F.sum("count").alias("count"))
    return counts.select("_site", F.ceil(F.col("count") / urls_per_task).cast("int").alias("_shares"))


def _with_site(rows: DataFrame) -> DataFrame:
    """The rows, with the URL of the robots.txt of each."""

    def sites(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            table = pyarrow.table(_native.robots_urls(batch.select(["url"])))
            yield batch.append_column("_site", table.column("site").combine_chunks())

    schema = StructType.fromJson(rows.schema.jsonValue())
    return rows.mapInArrow(sites, schema.add("_site", "string"))


def _with_decision(batch: pyarrow.RecordBatch, column: _native.DecisionColumn) -> pyarrow.RecordBatch:
    return batch.append_column("decision", _structs(column))


def _structs(column: _native.DecisionColumn) -> pyarrow.StructArray:
    """Decisions as Spark has them, which knows no unsigned numbers."""
    decisions = pyarrow.array(column)
    lines = pyarrow.uint32()
    columns = [one.cast("int64") if one.type == lines else one for one in decisions.flatten()]
    return pyarrow.StructArray.from_arrays(columns, [field.name for field in decisions.type])


def _allowed_function(body: pyarrow.Array, url: pyarrow.Array, agent: pyarrow.Array) -> pyarrow.Array:
    return pyarrow.array(_row_decider().allows(body, url, agent))


def _decide_function(body: pyarrow.Array, url: pyarrow.Array, agent: pyarrow.Array) -> pyarrow.Array:
    return _structs(_row_decider().decide(body, url, agent))
