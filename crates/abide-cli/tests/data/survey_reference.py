"""Compares what a survey says about each file, robot and `/` with the answers of `abide batch`.

    survey_reference.py ABIDE FOLDER ROBOTS ROWS.jsonl
"""

import base64
import json
import pathlib
import subprocess
import sys

abide, folder, robots, rows = sys.argv[1:]
requests = []
for path in sorted(pathlib.Path(folder).iterdir(), key=lambda path: path.name.encode()):
    text = base64.b64encode(path.read_bytes()).decode()
    for robot in robots.split(","):
        request = {"id": [path.name, robot], "url": "https://e.example/", "agent": robot, "robots_base64": text}
        request["id"] = json.dumps(request["id"])
        requests.append(json.dumps(request))
ran = subprocess.run([abide, "batch"], input="\n".join(requests).encode(), stdout=subprocess.PIPE, check=True)
answers = [json.loads(line) for line in ran.stdout.splitlines()]
surveyed = [json.loads(line) for line in open(rows, encoding="utf-8")]
assert len(answers) == len(surveyed), (len(answers), len(surveyed))
for answer, row in zip(answers, surveyed):
    crawl = answer["usages"]["crawl"]
    first = crawl["evidence"][0]
    decides = first.get("line") is not None
    expected = {
        "outcome": crawl["outcome"],
        "line": first.get("line"),
        "rule": first["statement"] if decides else None,
        "delay": answer.get("crawl_delay"),
    }
    found = {name: row[name] for name in expected}
    assert found == expected and json.loads(answer["id"]) == [row["host"], row["robot"]], (answer["id"], found, expected)
print(f"{len(answers)} rows agree")
