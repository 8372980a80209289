"""Sub-interpreters are refused with a remedy; threads are not."""

import subprocess
import sys

import pytest

IN_A_SUB_INTERPRETER = """
import sys
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
if "first" in sys.argv:
    import abide_robots
tried = '''
try:
    import abide_robots
except ImportError as error:
    print(error)
'''
for _ in range(2):
    interpreters.run_string(interpreters.create(), tried)
import abide_robots
print(abide_robots.allows("", "ExampleBot", "https://example.com/"))
"""


@pytest.mark.parametrize("order", ["first", "last"])
def test_sub_interpreters_are_refused(order: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", IN_A_SUB_INTERPRETER, order], capture_output=True, text=True, check=True, timeout=60
    )
    *refusals, answer = done.stdout.splitlines()
    assert len(refusals) == 2, done
    assert all("sub-interpreter" in text and "WSGIApplicationGroup" in text for text in refusals)
    assert answer == "True"
