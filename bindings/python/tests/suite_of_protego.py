"""Runs Protego's own tests, in the folder that is named, against the drop-in.

A program of its own, because it replaces names in the package ``protego``.
"""

from __future__ import annotations

import sys

import protego
import pytest

from abide_robots.compat import protego as ours


class Failures:
    """Collects the tests that fail."""

    def __init__(self) -> None:
        self.passed = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self.passed += 1
        elif report.failed:
            print("\nfailed:", report.nodeid.partition("tests/")[2] or report.nodeid)


def main(folder: str) -> None:
    for name in ours.__all__:
        setattr(protego, name, getattr(ours, name))
    failures = Failures()
    flags = ["-p", "no:cacheprovider", "-W", "ignore", "--rootdir", folder, "--no-summary"]
    pytest.main([*flags, f"{folder}/tests"], plugins=[failures])
    print("\npassed:", failures.passed)


if __name__ == "__main__":
    main(sys.argv[1])
