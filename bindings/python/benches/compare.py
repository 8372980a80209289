"""Compares a release build of abide_robots with Protego, in one run. Prints ratios.

    maturin develop --release
    python benches/compare.py [FOLDER]

FOLDER has robots.txt files [default: three that this program makes, small, usual and large]. Times
are the best of several rounds; memory is what the process grows by, in a process of its own.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

AGENT = "ExampleBot"
URLS = [f"https://example.com/{folder}/{n}/page.html?q={n}" for n in range(250) for folder in ("a", "private", "shop", "x")]
ROUNDS = 7


def made(rules: int) -> str:
    lines = ["User-agent: OtherBot", "Disallow: /", "", "User-agent: *"]
    for n in range(rules):
        lines.append(f"Disallow: /private/{n}/" if n % 4 else f"Disallow: /*/shop/{n}*.pdf$")
    return "\n".join([*lines, "Allow: /private/press/", "Sitemap: https://example.com/sitemap.xml", ""])


def files() -> list[str]:
    if len(sys.argv) > 2:
        found = sorted(Path(sys.argv[2]).rglob("*"))
        bodies = [one.read_bytes().decode("utf-8", "replace") for one in found if one.is_file()]
        # Every tenth: Protego needs its time.
        return bodies[::10]
    return [made(5), made(30), made(300)]


def best(call: Callable[[], Any], repeat: int = ROUNDS) -> float:
    times = []
    for _ in range(repeat):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return min(times)


def compare(name: str, ours: Callable[[], Any], theirs: Callable[[], Any], goal: float) -> None:
    mine, other = best(ours), best(theirs, 3)
    ratio = other / mine
    mark = "" if ratio >= goal else f"   BELOW {goal:g}"
    print(f"{name:<44} {mine * 1e3:10.3f} ms {other * 1e3:12.3f} ms {ratio:8.1f} x{mark}")


def times() -> None:
    import protego

    import abide_robots

    bodies = files()
    sizes = [len(body) for body in bodies]
    print(f"{len(bodies)} files, median {statistics.median(sizes):.0f} characters, {len(URLS)} URLs")
    print(f"{'':<44} {'abide':>13} {'Protego':>15} {'ratio':>10}")
    url = URLS[1]

    def cold() -> None:
        for body in bodies:
            abide_robots.Policy(body, AGENT).allows(url)

    def cold_protego() -> None:
        for body in bodies:
            protego.Protego.parse(body).can_fetch(url, AGENT)

    compare("Policy(...) and one question", cold, cold_protego, 40)
    policies = [abide_robots.Policy(body, AGENT) for body in bodies]
    robots = [protego.Protego.parse(body) for body in bodies]
    asked = URLS if len(bodies) < 10 else URLS[:40]

    def warm() -> None:
        for policy in policies:
            for one in asked:
                policy.allows(one)

    def warm_protego() -> None:
        for one_file in robots:
            for one in asked:
                one_file.can_fetch(one, AGENT)

    compare("single questions, warm", warm, warm_protego, 10)
    many = [one.replace("example.com", f"{n}.example.com") for n in range(10) for one in asked]

    def column() -> None:
        for policy in policies:
            policy.allows_many(many)

    def loop_protego() -> None:
        for one_file in robots:
            for one in many:
                one_file.can_fetch(one, AGENT)

    compare("allows_many, a list", column, loop_protego, 100)
    try:
        import pyarrow
    except ImportError:
        return
    array = pyarrow.array(many)
    compare(
        "allows_many, a pyarrow column",
        lambda: [policy.allows_many(array) for policy in policies],
        loop_protego,
        100,
    )


def importing() -> None:
    """What importing adds to an interpreter that starts."""

    def start(code: str) -> float:
        return best(lambda: subprocess.run([sys.executable, "-c", code], check=True), 15)

    bare, ours, theirs = start("pass"), start("import abide_robots"), start("import protego")
    mine = (ours - bare) * 1e3
    mark = "" if mine < 20 else "   ABOVE 20"
    print(f"import abide_robots: {mine:.1f} ms, import protego: {(theirs - bare) * 1e3:.1f} ms{mark}")


def grown(kind: str) -> float:
    """How much the resident memory grows by 10,000 files, in MiB."""
    bodies = [f"# site {n}\n{made(n % 40)}" for n in range(10_000)]
    if kind == "abide":
        import abide_robots

        make: Callable[[str], Any] = lambda body: abide_robots.Policy(body, AGENT)
    else:
        import protego

        make = protego.Protego.parse
    make(bodies[0])
    before = resident()
    kept = [make(body) for body in bodies]
    grown_by = resident() - before
    assert len(kept) == 10_000
    return grown_by


def resident() -> float:
    """The resident memory of this process, in MiB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / (1 << 20)


def memory() -> None:
    sizes = {}
    for kind in ("abide", "protego"):
        words = [sys.executable, __file__, "--grown", kind]
        sizes[kind] = float(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    mine, other = sizes["abide"], sizes["protego"]
    print(f"10,000 policies: {mine:.0f} MiB, Protego: {other:.0f} MiB, {other / mine:.1f} x")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--grown"]:
        print(grown(sys.argv[2]))
    else:
        sys.argv.insert(1, "")
        times()
        importing()
        memory()
