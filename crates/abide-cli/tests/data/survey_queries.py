"""Runs the queries of docs/survey.md on the tables in the folder `tables`, and compares what they give
with the numbers of a report.

    survey_queries.py docs/survey.md report.json
"""

import hashlib
import json
import re
import sys
from collections import Counter

import duckdb
import pyarrow.parquet

docs, report = (open(name, encoding="utf-8").read() for name in sys.argv[1:])
report = json.loads(report)
section = docs[docs.index("\n## Questions\n") : docs.index("\n## Tables\n")]
blocks = re.findall(r"([^\n]+)\n\n```(sql|python)\n(.*?)```", section, re.S)
names = {}
found = {}
for question, kind, code in blocks:
    if kind == "sql":
        given = duckdb.sql(code)
        found[question] = given and given.fetchall()
    else:
        exec(code, names)

robots = {robot["robot"]: robot for robot in report["robots"]["robots"]}
states = {state["state"]: state["sites"] for state in report["states"]}
compared = 0


def agrees(question, expected, what=None):
    """Compares the answer to a question, which is `what` or the rows of its query."""
    global compared
    given = [of for of in found if of.startswith(question)]
    in_python = [of for of, kind, _ in blocks if kind == "python" and of.startswith(question)]
    assert len(given) + len(in_python) == 1, (question, list(found))
    what = what if what is not None else found[given[0]]
    assert what == expected and expected, (question, what, expected)
    compared += 1


def one(query):
    return duckdb.sql(query).fetchall()[0][0]


coverage = report["coverage"]
agrees(
    "give the numbers of",
    [coverage["sites"], coverage["answered"]],
    [one("SELECT count(*) FROM sites"), one("SELECT count(DISTINCT host) FROM last_answers")],
)
closed = [(name, robot["classes"]["closed"], robot["classes"]["sites"]) for name, robot in robots.items()]
agrees("To which robots", sorted(closed, key=lambda row: (-row[1], row[0])))
months = [
    (period["label"], robot["robot"], robot["classes"]["closed"], robot["classes"]["sites"])
    for period in report["over_time"]["periods"]
    for robot in period["robots"]
]
agrees("The same for each month", sorted(months))
by = {(name, "rules"): robot["classes"]["closed"] for name, robot in robots.items()}
by |= {(name, "unreachable"): states["unreachable"] for name in robots}
of = Counter()
for robot, state, sites in found["Which sites are closed by a rule, and which only because their file was unreachable:"]:
    of[robot, state] += sites
agrees("Which sites are closed by a rule", Counter(by), of)
named = Counter()
for robot, _, sites in found["How many sites name a robot, and what they then let it do:"]:
    named[robot] += sites
agrees("How many sites name", {name: robot["named"] for name, robot in robots.items() if robot["named"]}, dict(named))
longest = found["The longest robots.txt files:"]
sizes = [report["sizes"]["largest"], min(report["sizes"]["sites"], 10)]
agrees("The longest", sizes, [longest[0][1], len({row[0] for row in longest})])
agrees("What was served instead", {state: sites for state, sites in states.items() if sites}, dict(names["states"].rows()))
hosts = duckdb.sql(
    "SELECT host FROM last_answers WHERE robot = 'GPTBot' AND class = 'closed' AND host NOT IN "
    "(SELECT host FROM last_answers WHERE robot = 'Googlebot' AND class = 'closed') ORDER BY host"
)
agrees("Which sites are closed to GPTBot", hosts.fetchall(), names["closed"].rows())
directories = duckdb.sql(
    "SELECT pattern, count(DISTINCT host) AS sites FROM 'tables/rules/*.parquet' SEMI JOIN sites USING (capture) "
    "WHERE field = 'disallow' GROUP BY pattern ORDER BY sites DESC, pattern LIMIT 10"
)
agrees("Which directories", directories.fetchall(), names["directories"].rows())
known = duckdb.sql("SELECT token, host FROM 'tables/agents/*.parquet' SEMI JOIN sites USING (capture) WHERE kind IS NULL")
unknown = Counter(token for token, _ in set(known.fetchall()) if token != "*")
agrees("Which robots are named most often", sorted(unknown.items(), key=lambda row: (-row[1], row[0])))
classes = [(name, robots["CCBot"]["classes"][name]) for name in ("closed", "open", "partly")]
agrees("What a robot may crawl", [row for row in classes if row[1]])
words = {"full": "closed", "partial": "partly", "none": "open"}
restricted = Counter()
for robot, restriction, addressed, rest_prohibited, sites in found[
    "Full, partial or no restriction of each robot, by its name, by `*`, or by no group:"
]:
    restricted[robot, words[restriction]] += sites
    restricted[robot, "named"] += sites * (addressed == "named")
    assert rest_prohibited <= sites and (restriction != "full" or rest_prohibited == sites)
by = {(name, of): robot["classes"][of] for name, robot in robots.items() for of in words.values()}
by |= {(name, "named"): robot["named"] for name, robot in robots.items()}
agrees("Full, partial or no", Counter(by), restricted)


def blocked(text):
    """What each agent of a file is blocked from, as the paper counts: all, some or none."""
    agents, current, has_rules = {}, [], False
    for line in text.splitlines():
        key, colon, value = line.split("#")[0].strip().partition(":")
        key, value = key.strip().lower(), value.strip()
        # The paper's program does not know this spelling, which robots read.
        key = "disallow" if key == "disalow" else key
        if key == "user-agent" and colon:
            current = [] if has_rules else current
            current.append(agents.setdefault(value.lower(), {"allow": [], "disallow": []}))
            has_rules = False
        elif key in ("allow", "disallow"):
            has_rules = True
            for rules in current:
                if "?" not in value and value:
                    rules[key].append(value)
    for agent, rules in agents.items():
        if not rules["disallow"] or rules["disallow"] == rules["allow"]:
            yield agent, "none"
        elif "/" in rules["disallow"] and not rules["allow"]:
            yield agent, "all"
        else:
            yield agent, "some"


bodies = (json.loads(line).get("body", "") for line in open("crawl.jsonl", encoding="utf-8"))
bodies = {hashlib.sha256(body.encode()).hexdigest(): body for body in bodies}
agents = {}
for (digest,) in duckdb.sql("SELECT digest FROM sites WHERE state IN ('rules', 'empty', 'cut')").fetchall():
    for agent, status in blocked(bodies[digest].removeprefix("\ufeff")):
        agents.setdefault(agent, Counter())[status] += 1
table = [
    (agent, of.total(), *(of[status] for status in ("none", "all", "some"))) for agent, of in agents.items()
]
agrees("Its table of agents", sorted(table, key=lambda row: (-row[1], row[0])))
signals = one("SELECT count(*) FROM sites WHERE content_signal > 0")
stated = [("content-signal", word, value, signals) for word, value in (("ai-train", "no"), ("search", "yes"))]
agrees("How many sites state", stated)
crawl = dict(
    ((host, robot), outcome)
    for host, robot, outcome in duckdb.sql("SELECT host, robot, outcome FROM last_answers").fetchall()
)
indexed = Counter(
    (row["robot"], crawl.get((row["host"], row["robot"]), "not known"), row["outcome"])
    for row in pyarrow.parquet.read_table("tables/page_answers").to_pylist()
    if row["usage"] == "index"
)
agrees("What robots may index", sorted((*by, pages) for by, pages in indexed.items()))
assert compared == len(blocks), (compared, [question for question, _, _ in blocks])

version = pyarrow.parquet.read_metadata("tables/files/part-00000.parquet").metadata[b"abide.survey.schema"]
assert version == b"1", version
(asked,) = re.findall(r'duckdb -c "(.*?)"', docs)
method = json.loads(one(asked))
assert (method["profile"], method["inputs"]["files"]) == ("careful", 2), method
assert set(method["robots"]) == set(robots), method
print(f"{compared} questions agree with the report")
