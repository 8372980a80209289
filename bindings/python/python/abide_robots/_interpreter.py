"""Refuses interpreters that the native module does not work in."""

from __future__ import annotations

import sys


def require_main() -> None:
    """Raises ``ImportError`` in a sub-interpreter, which would share objects with the others.

    CPython refuses since 3.12 by itself, without saying what to do; 3.11 does not.
    """
    if sys.version_info >= (3, 13):
        import _interpreters as interpreters
    else:
        import _xxsubinterpreters as interpreters  # type: ignore[import-not-found]
    if interpreters.get_current() != interpreters.get_main():
        raise ImportError(
            "abide_robots works in the main interpreter only, and this is a sub-interpreter. "
            "Import it in a process of its own; for mod_wsgi, set WSGIApplicationGroup %{GLOBAL}"
        )
