"""Runs the queries of docs/survey.md on the tables in the folder `tables`.

    survey_queries.py docs/survey.md
"""

import re
import sys

import duckdb
import pyarrow.parquet

text = open(sys.argv[1], encoding="utf-8").read()
blocks = re.findall(r"```(sql|python)\n(.*?)```", text, re.S)
names = {}
for kind, code in blocks:
    if kind == "sql":
        rows = duckdb.sql(code.strip().rstrip(";")).fetchall()
        assert rows, code
        print(rows)
    else:
        exec(code, names)
version = pyarrow.parquet.read_metadata("tables/files.parquet").metadata[b"abide.survey.schema"]
assert version == b"1", version
kinds = [kind for kind, _ in blocks]
print(f"{kinds.count('sql')} queries of DuckDB, {kinds.count('python')} of Polars")
