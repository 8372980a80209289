"""The ``abide`` command: ``abide``, or ``python -m abide_robots``."""

from __future__ import annotations

import signal
import sys

from abide_robots._native import command


def main() -> int:
    """Runs the command with the arguments of this process. Returns the exit status."""
    # The command runs without Python, whose handler would only take note of Ctrl-C.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return command(["abide", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
