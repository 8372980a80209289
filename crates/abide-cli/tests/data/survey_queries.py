"""Runs the queries of docs/survey.md on the tables in the folder `tables`, and compares what they give
with the numbers of a report, and with what this script reads in the robots.txt files of the crawl.

    survey_queries.py docs/survey.md report.json
"""

import hashlib
import json
import re
import statistics
import sys
from collections import Counter, namedtuple

import duckdb
import pyarrow.parquet

docs, report = (open(name, encoding="utf-8").read() for name in sys.argv[1:])
report = json.loads(report)
section = docs[docs.index("\n## Questions\n") : docs.index("\n## Tables\n")]
views, *questions = section.split("\n### ")
duckdb.sql(re.search(r"```sql\n(.*?)```", views, re.S)[1])
names = {}
found = {}
for part in questions:
    question = part.partition("\n")[0]
    ((kind, code),) = re.findall(r"```(sql|python)\n(.*?)```", part, re.S)
    if kind == "sql":
        found[question] = duckdb.sql(code).fetchall()
    else:
        exec(code, names)
        found[question] = None

robots = {robot["robot"]: robot for robot in report["robots"]["robots"]}
states = {state["state"]: state["sites"] for state in report["states"]}
compared = set()


def answer(question):
    """The whole question that begins so, and the rows of its query."""
    (whole,) = [of for of in found if of.startswith(question)]
    return whole, found[whole]


def agrees(question, expected, what=None):
    """Compares the answer to a question, which is `what` or the rows of its query."""
    whole, rows = answer(question)
    what = rows if what is None else what
    assert what == expected and expected, (whole, what, expected)
    compared.add(whole)


def one(query):
    return duckdb.sql(query).fetchall()[0][0]


def most_first(counts):
    return sorted(counts.items(), key=lambda row: (-row[1], row[0]))


Capture = namedtuple("Capture", "number host date status body")


def captures():
    """The crawl, in which each redirect has the answer that is nearest in the input."""
    lines = [json.loads(line) for line in open("crawl.jsonl", encoding="utf-8")]
    for number, line in enumerate(lines):
        date = line["date"] if line["date"] and "1994" <= line["date"][:4] <= "2100" else ""
        if line["status"] == 301:
            target = line["headers"]["Location"]
            at = [at for at, other in enumerate(lines) if other["url"] == target]
            line = lines[min(at, key=lambda at: (abs(at - number), -at))]
        yield Capture(number, line["url"].split("/")[2], date, line["status"], line["body"].removeprefix("\ufeff"))


def groups(text):
    """The groups of a file: the agents that they name, and their fields."""
    agents, fields = [], []
    for line in text.splitlines():
        key, colon, value = line.split("#")[0].strip().partition(":")
        key, value = key.strip().lower(), value.strip()
        if key == "user-agent" and colon:
            if any(key in ("allow", "disallow") for key, _ in fields):
                yield agents, fields
                agents, fields = [], []
            agents.append(value)
        elif colon:
            # A spelling that robots read.
            fields.append(("disallow" if key == "disalow" else key, value))
    yield agents, fields


crawl = list(captures())
by_age = sorted(crawl, key=lambda capture: (capture.status != 304, capture.date, capture.number))
last = {capture.host: capture for capture in by_age}
chosen = duckdb.sql("SELECT host, capture FROM sites WHERE host IN (SELECT host FROM 'tables/files/*.parquet')").fetchall()
assert sorted(chosen) == sorted((of.host, of.number) for of in last.values()), chosen
is_text = {capture: capture.status == 200 and not capture.body.startswith("<") for capture in crawl}
files = {host: list(groups(capture.body)) for host, capture in last.items() if is_text[capture]}

coverage = report["coverage"]
sites = [one("SELECT count(*) FROM sites"), one("SELECT count(DISTINCT host) FROM last_answers")]
assert sites == [coverage["sites"], coverage["answered"]], sites

closed = {name: robot["classes"]["closed"] for name, robot in robots.items()}
agrees("To which robots", [(*row, robots[row[0]]["classes"]["sites"]) for row in most_first(closed)])
months = [
    (period["label"], robot["robot"], robot["classes"]["closed"], robot["classes"]["sites"])
    for period in report["over_time"]["periods"]
    for robot in period["robots"]
]
agrees("How many sites are closed to each robot, month by month", sorted(months))
by = {(name, "rules"): robot["classes"]["closed"] for name, robot in robots.items()}
by |= {(name, "unreachable"): states["unreachable"] for name in robots}
question = "Which sites are closed by a rule"
agrees(question, by, {(robot, state): sites for robot, state, sites in answer(question)[1]})
question = "How many sites name a robot"
named = Counter()
for robot, _, sites in answer(question)[1]:
    named[robot] += sites
agrees(question, {name: robot["named"] for name, robot in robots.items() if robot["named"]}, dict(named))
question = "Which robots.txt files are the longest"
sizes = [report["sizes"]["largest"], min(report["sizes"]["sites"], 10)]
longest = answer(question)[1]
agrees(question, sizes, [longest[0][1], len({row[0] for row in longest})])
agrees("What is served instead", {state: sites for state, sites in states.items() if sites}, dict(names["states"].rows()))
hosts = duckdb.sql(
    "SELECT host FROM last_answers WHERE robot = 'GPTBot' AND class = 'closed' AND host NOT IN "
    "(SELECT host FROM last_answers WHERE robot = 'Googlebot' AND class = 'closed') ORDER BY host"
)
agrees("Which sites are closed to GPTBot", hosts.fetchall(), names["closed"].rows())
disallowed = [
    {value for _, fields in of for key, value in fields if key == "disallow" and value} for of in files.values()
]
directories = Counter(pattern for patterns in disallowed for pattern in patterns)
agrees("Which directories", most_first(directories)[:10], names["directories"].rows())
known = duckdb.sql("SELECT token, host FROM 'tables/agents/*.parquet' SEMI JOIN sites USING (capture) WHERE kind IS NULL")
unknown = Counter(token for token, _ in set(known.fetchall()) if token != "*")
agrees("Which robots are named that nobody knows", most_first(unknown))
classes = [(name, robots["CCBot"]["classes"][name]) for name in ("closed", "open", "partly")]
agrees("What may a robot crawl", [row for row in classes if row[1]])

question = "Is the restriction full, partial or none"
words = {"full": "closed", "partial": "partly", "none": "open"}
restricted = Counter()
for robot, restriction, addressed, rest_prohibited, sites in answer(question)[1]:
    restricted[robot, words[restriction]] += sites
    restricted[robot, "named"] += sites * (addressed == "named")
    assert rest_prohibited <= sites and (restriction != "full" or rest_prohibited == sites)
by = {(name, of): robot["classes"][of] for name, robot in robots.items() for of in words.values()}
by |= {(name, "named"): robot["named"] for name, robot in robots.items()}
agrees(question, Counter(by), restricted)


def blocked(of):
    """What each agent of a file is blocked from, as the paper counts: all, some or none."""
    agents = {}
    for named, fields in of:
        for agent in named:
            rules = agents.setdefault(agent.lower(), {"allow": [], "disallow": []})
            for key, value in fields:
                if key in rules and value and "?" not in value:
                    rules[key].append(value)
    for agent, rules in agents.items():
        if not rules["disallow"] or rules["disallow"] == rules["allow"]:
            yield agent, "none"
        elif "/" in rules["disallow"] and not rules["allow"]:
            yield agent, "all"
        else:
            yield agent, "some"


agents = {}
for of in files.values():
    for agent, status in blocked(of):
        agents.setdefault(agent, Counter())[status] += 1
table = [(agent, of.total(), *(of[status] for status in ("none", "all", "some"))) for agent, of in agents.items()]
agrees("How many agents are blocked", sorted(table, key=lambda row: (-row[1], row[0])))


def preferences(of):
    """Each word about AI of a file: vocabulary, word, value, path, and the robots that its group names."""
    for named, fields in of:
        for vocabulary, value in fields:
            is_readable = "(" not in value
            if vocabulary in ("content-signal", "content-usage") and is_readable:
                path = value.split()[0] if value.startswith("/") else "every path"
                for word in value.removeprefix(path).split(","):
                    yield (vocabulary, *word.strip().split("="), path, " ".join(named))


stated = Counter(word[:4] for of in files.values() for word in set(preferences(of)))
agrees("How many sites state", sorted((*word, sites) for word, sites in stated.items()))
usages = {"ai-train": "train", "train-ai": "train", "search": "search"}
contradictions = []
for host, of in files.items():
    said = {}
    for _, word, value, path, named in preferences(of):
        said.setdefault((usages[word], path, named), set()).add((word, value))
    for about, words in said.items():
        if len({value[0] for _, value in words}) > 1:
            contradictions.append((host, *about, sorted("=".join(word) for word in words)))
agrees("Which sites contradict themselves", sorted(contradictions))

history = []
for host in sorted(last):
    before = None
    for of in sorted((of for of in crawl if of.host == host and of.date), key=lambda of: (of.date, of.number)):
        # The digest is of the body as it was served, with a byte order mark.
        text = ("\ufeff" * (host == "odd.example") + of.body).encode()
        version = hashlib.sha256(text).hexdigest() if is_text[of] else "none" if of.status == 404 else before
        if version != before:
            history.append((host, of.date[:10], version))
        before = version
agrees("How did the robots.txt of a site change", history)

sitemaps = {host: [value for _, fields in of for key, value in fields if key == "sitemap"] for host, of in files.items()}
with_mistakes = sum(any(not url.startswith("https://") for url in urls) for urls in sitemaps.values())
with_any, number = sum(map(bool, sitemaps.values())), sum(map(len, sitemaps.values()))
agrees("How many sites name sitemaps", [(len(files), with_any, number, with_mistakes)])


def delay(of, robot):
    """The Crawl-delay of a file for a robot: of the groups that name it, or else of those for all robots."""
    for name in dict.fromkeys([robot, robot.removesuffix("-News"), "*"]):
        own = [fields for named, fields in of if name in named]
        if own:
            delays = [float(value) for fields in own for key, value in fields if key == "crawl-delay"]
            return max(delays, default=None)
    return None


delays = {}
for robot in sorted(robots):
    of_sites = [delay(of, robot) for of in files.values()]
    delays[robot] = [min(seconds, 86_400.0) for seconds in of_sites if seconds is not None]
rows = [(robot, len(of), min(of), statistics.median(of), max(of)) for robot, of in delays.items() if of]
agrees("Which Crawl-delay", rows)

# What the last captures of the pages of the crawl say.
said = [
    ("field", "tdm-reservation", "1", 1),
    ("field", "train-ai", "n", 1),
    ("meta", "max-snippet", "20", 1),
    ("meta", "noai", None, 1),
    ("meta", "noindex", None, 2),
    ("robots-tag", "nosnippet", None, 1),
    ("x-robots-tag", "noindex", None, 1),
]
agrees("What do pages say", said)
outcomes = dict(
    ((host, robot), outcome)
    for host, robot, outcome in duckdb.sql("SELECT host, robot, outcome FROM last_answers").fetchall()
)
pages = pyarrow.parquet.read_table("tables/page_answers").to_pylist()
pages = {(page["url"], page["robot"]): page for page in sorted(pages, key=lambda page: page["date"]) if page["usage"] == "index"}
indexed = Counter(
    (robot, outcomes.get((page["host"], robot), "not known"), page["outcome"]) for (_, robot), page in pages.items()
)
agrees("What may robots index", sorted((*by, pages) for by, pages in indexed.items()))
assert compared == set(found), set(found) - compared

version = pyarrow.parquet.read_metadata("tables/files/part-00000.parquet").metadata[b"abide.survey.schema"]
assert version == b"1", version
(asked,) = re.findall(r'duckdb -c "(.*?)"', docs)
method = json.loads(one(asked))
assert (method["profile"], method["inputs"]["files"]) == ("careful", 2), method
assert set(method["robots"]) == set(robots), method
print(f"{len(compared)} questions are answered right")
