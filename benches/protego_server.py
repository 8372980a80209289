"""Protego for the report: reads requests as JSON Lines, times parsing and matching alone.

Files and URLs come once ("load"); "cold", "compile" and "warm" go over every nth case and URL of
them, and answer with the number of items and the CPU time of the process in nanoseconds.
"""

import json
import sys
import time

from protego import Protego

AGENT = "Googlebot"


def octets(case):
    # Characters stand for the octets of the same numbers.
    return case["robots"].encode("latin-1")


def parse(robots):
    return Protego.parse(robots.decode("utf-8", "replace"))


def answers(case):
    try:
        parsed = parse(octets(case))
        return [parsed.can_fetch(url, AGENT) for url in case["urls"]]
    except Exception:  # what cannot be parsed is told, not fatal
        return None


def cold(cases, _parsed, _url_step):
    for robots, urls in cases:
        parse(robots).can_fetch(urls[0], AGENT)
    return len(cases)


def compile_all(cases, _parsed, _url_step):
    for robots, _urls in cases:
        parse(robots)
    return len(cases)


def warm(cases, parsed, url_step):
    items = 0
    for (_robots, urls), rules in zip(cases, parsed):
        for url in urls[::url_step]:
            rules.can_fetch(url, AGENT)
            items += 1
    return items


def main():
    works = {"cold": cold, "compile": compile_all, "warm": warm}
    cases, parsed = [], None
    for line in sys.stdin:
        request = json.loads(line)
        work = request["do"]
        if work == "end":
            return
        if work == "load":
            cases = [(octets(case), case["urls"]) for case in request["cases"]]
            parsed = None
            answer = {"loaded": len(cases)}
        elif work == "answers":
            answer = {"answers": answers(request["case"])}
        else:
            step = request["cases"]
            if work == "warm" and parsed is None:
                parsed = [parse(robots) for robots, _urls in cases]
            kept = parsed[::step] if work == "warm" else None
            start = time.process_time_ns()
            items = works[work](cases[::step], kept, request["urls"])
            answer = {"items": items, "nanoseconds": time.process_time_ns() - start}
        print(json.dumps(answer), flush=True)


main()
