"""Runs CPython's own tests of ``urllib.robotparser`` against the drop-in.

A program of its own, because it replaces names in the standard library.
"""

from __future__ import annotations

import unittest
import urllib.robotparser

from abide_robots.compat import robotparser as ours


def main() -> None:
    for name in ours.__all__:
        setattr(urllib.robotparser, name, getattr(ours, name))
    from test import test_robotparser

    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromModule(test_robotparser).run(result)
    failed = set()
    for case, _ in [*result.failures, *result.errors]:
        # A subtest names the test that it is part of.
        case = getattr(case, "test_case", case)
        failed.add(case.id().removeprefix("test.test_robotparser."))
    for name in sorted(failed):
        print("failed:", name)
    print("passed:", result.testsRun - len(failed) - len(result.skipped))


if __name__ == "__main__":
    main()
