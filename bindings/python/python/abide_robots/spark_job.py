"""A survey as a job, with the arguments of Common Crawl's cc-pyspark:

    spark-submit spark_job.py robotstxt.paths survey --input_base_url https://data.commoncrawl.org/

``input`` lists archives, one name per line, as Common Crawl's ``robotstxt.paths`` does.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from pyspark.sql import SparkSession

from abide_robots import spark as abide_spark

if TYPE_CHECKING:
    from collections.abc import Sequence


def arguments(words: Sequence[str] | None) -> argparse.Namespace:
    """Reads the arguments."""
    parser = argparse.ArgumentParser(description="Survey the robots.txt files in web archives.")
    add = parser.add_argument
    add("input", help="file that lists archives, one per line; - for the standard input")
    add("output", help="name of the tables, which get _files, _robots and so on after it; a folder with --output_path")
    add("--input_base_url", default="", help="what is before each name, such as s3://commoncrawl/")
    add("--output_path", action="store_true", help="write into the folder OUTPUT, not into the catalog")
    add("--output_format", default="parquet", help="[default: parquet]")
    add("--output_compression", default="zstd", help="[default: zstd]")
    add("--output_option", action="append", default=[], metavar="NAME=VALUE", help="option of the writer")
    add("--num_input_partitions", type=int, default=400, help="tasks that read archives, about [default: 400]")
    add("--num_output_partitions", type=int, default=10, help="files of each table [default: 10]")
    add("--log_level", default="WARN", choices=["ALL", "TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL", "OFF"])
    add("--tables", default="files,robots,errors", help="[default: files,robots,errors]")
    add("--agents", default="*", help="robots of the table robots [default: *]")
    add("--path", default="/", help="paths of the table robots, separated by commas [default: /]")
    add("--profile", default="careful", choices=["careful", "google"])
    add("--literal", action="store_true", help="ignore what operators document about their robots")
    return parser.parse_args(words)


def run(spark: SparkSession, asked: argparse.Namespace) -> None:
    """Reads the archives and writes the tables."""
    spark.sparkContext.setLogLevel(asked.log_level)
    lines = sys.stdin if asked.input == "-" else open(asked.input)
    with lines:
        names = [asked.input_base_url + line.strip() for line in lines if line.strip()]
    abide_spark.register(spark)
    reader = spark.read.format("abide-warc").option("tasks", asked.num_input_partitions)
    rows = reader.load(names)
    tables = abide_spark.survey(
        rows,
        asked.tables.split(","),
        agents=asked.agents,
        paths=asked.path.split(","),
        profile=asked.profile,
        literal=asked.literal,
    )
    for name, table in tables.items():
        writer = table.coalesce(asked.num_output_partitions).write.mode("errorifexists")
        writer = writer.format(asked.output_format).option("compression", asked.output_compression)
        for option in asked.output_option:
            key, _, value = option.partition("=")
            writer = writer.option(key, value)
        if asked.output_path:
            writer.save(f"{asked.output}/{name}")
        else:
            writer.saveAsTable(f"{asked.output}_{name}")


def main(words: Sequence[str] | None = None) -> None:
    """Runs the job."""
    asked = arguments(words)
    spark = SparkSession.builder.appName("abide survey").getOrCreate()
    run(spark, asked)
    spark.stop()


if __name__ == "__main__":
    main()
