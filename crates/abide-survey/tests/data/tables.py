"""Writes one table of responses with each writer that people use, and with the types that each of them has.

    tables.py FOLDER
"""

import datetime
import pathlib
import sys

import duckdb
import polars
import pyarrow as pa
import pyarrow.parquet as pq

folder = pathlib.Path(sys.argv[1])
day = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
BODY = "User-agent: *\nDisallow: /x\n"
URL = "https://{}.example/robots.txt"
# A file, a status without a body, a redirect, and a row with nothing but its URL.
urls = [URL.format(site) for site in "abcd"]
statuses = [200, 404, 301, None]
bodies = [BODY, None, "", None]
headers = [[("Content-Type", "text/plain")], None, [("Location", URL.format("a"))], []]
dates = [day, day, None, None]


def write(name: str, columns: dict, **options) -> None:
    pq.write_table(pa.table(columns), folder / f"{name}.parquet", **options)


pairs = pa.list_(pa.struct([("name", pa.string()), ("value", pa.string())]))
as_pairs = [None if row is None else [{"name": n, "value": v} for n, v in row] for row in headers]
write(
    "pyarrow-plain",
    {
        "url": urls,
        "status": pa.array(statuses, pa.int16()),
        "body": pa.array([None if body is None else body.encode() for body in bodies], pa.binary()),
        "headers": pa.array(headers, pa.map_(pa.string(), pa.string())),
        "date": pa.array(dates, pa.timestamp("us", "UTC")),
    },
    use_dictionary=False,
    compression="none",
)
write(
    "pyarrow-large-dictionary",
    {
        "url": pa.array(urls, pa.large_string()).dictionary_encode(),
        "status": pa.array(statuses, pa.uint16()),
        "body": pa.array(bodies, pa.large_string()),
        "headers": pa.array(as_pairs, pairs),
        "date": pa.array(dates, pa.timestamp("ns")),
        "other": pa.array([1.5] * 4),
    },
    compression="zstd",
    write_page_index=True,
    data_page_version="2.0",
)
write(
    "pyarrow-views",
    {
        "url": pa.array(urls, pa.string_view()),
        "status": pa.array(statuses, pa.int64()),
        "body": pa.array([None if body is None else body.encode() for body in bodies], pa.binary_view()),
        "headers": pa.array([None if row is None else "".join(f"{n}: {v}\r\n" for n, v in row) for row in headers]),
        "date": pa.array([None if date is None else date.isoformat() for date in dates]),
    },
    use_byte_stream_split=False,
    column_encoding={"url": "DELTA_BYTE_ARRAY", "body": "DELTA_LENGTH_BYTE_ARRAY"},
    use_dictionary=False,
    row_group_size=3,
    compression="snappy",
)
polars.DataFrame(
    {
        "url": urls,
        "status": polars.Series(statuses, dtype=polars.Int32),
        "body": polars.Series(bodies, dtype=polars.Utf8),
        "headers": as_pairs,
        "date": polars.Series(dates, dtype=polars.Datetime("ms", "UTC")),
    }
).with_columns(polars.col("url").cast(polars.Categorical)).write_parquet(folder / "polars.parquet")
duck = duckdb.connect()
duck.execute("SET TimeZone = 'UTC'")
duck.execute("CREATE TABLE t(url VARCHAR, status INTEGER, body VARCHAR, headers MAP(VARCHAR, VARCHAR), date TIMESTAMPTZ)")
for row in zip(urls, statuses, bodies, headers, dates):
    fields = None if row[3] is None else {"key": [n for n, _ in row[3]], "value": [v for _, v in row[3]]}
    duck.execute("INSERT INTO t VALUES (?, ?, ?, MAP(?, ?), ?)", [*row[:3], *(fields or {"key": [], "value": []}).values(), row[4]])
duck.execute(f"COPY t TO '{folder}/duckdb.parquet' (FORMAT parquet)")
# Pages that are too large for several threads, and for any.
filler = "# " + "x" * 400_000 + "\n"
duck.execute(
    f"COPY (SELECT 'https://s' || i || '.example/robots.txt' AS url, '{BODY}' || repeat('# ' || md5(i::VARCHAR) || chr(10), 12000) AS body"
    f" FROM range(60) r(i)) TO '{folder}/large-duckdb.parquet' (FORMAT parquet, COMPRESSION uncompressed)"
)
write(
    "large-pyarrow",
    {"url": [URL.format(f"s{n}") for n in range(500)], "body": [BODY + filler + str(n) for n in range(500)]},
    use_dictionary=False,
    data_page_size=1 << 30,
)
