"""Surveys archives in `local-cluster[2,1,1024]`, and kills an executor midway: FOLDER OUTPUT."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path

import archives
import pyarrow.parquet
from pyspark import SparkContext
from pyspark.sql import SparkSession

from abide_robots import spark as abide_spark


def executors(context: SparkContext) -> list[int]:
    """The processes of the executors of this application."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().decode().split("\0")
        except OSError:
            continue
        is_executor = "org.apache.spark.executor.CoarseGrainedExecutorBackend" in words
        if is_executor and context.applicationId in words:
            found.append(int(entry.name))
    return found


def kill_one(context: SparkContext) -> None:
    """Kills an executor once some tasks of the last stage are done, and others are not."""
    tracker = context.statusTracker()
    while True:
        for stage in tracker.getActiveStageIds():
            about = tracker.getStageInfo(stage)
            if about is not None and about.numCompletedTasks > 1 and about.numActiveTasks > 0:
                running = executors(context)
                os.kill(running[0], signal.SIGKILL)
                print(f"killed 1 of {len(running)} executors", flush=True)
                return
        time.sleep(0.01)


def main(folder: str, output: str) -> None:
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "localhost").config("spark.driver.bindAddress", "127.0.0.1")
    builder = builder.config("spark.executor.memory", "512m").config("spark.sql.shuffle.partitions", "4")
    builder = builder.config("spark.python.unix.domain.socket.enabled", "true")
    spark = builder.config("spark.sql.session.timeZone", "UTC").getOrCreate()
    abide_spark.register(spark)
    read = spark.read.format("abide-warc").load(folder)
    table = abide_spark.survey(read, agents=archives.AGENTS, paths=archives.PATHS.split(","))
    killer = threading.Thread(target=kill_one, args=(spark.sparkContext,), daemon=True)
    killer.start()
    pyarrow.parquet.write_table(table.toArrow(), output)
    killer.join(1)
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
