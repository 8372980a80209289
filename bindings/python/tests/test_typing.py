"""The types, and the examples in docstrings."""

from __future__ import annotations

import doctest
import importlib
import inspect
import os
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import abide_robots

PROJECT = Path(__file__).parent.parent


def checker(*words: str) -> None:
    # Stubs and code as the checkers of users see them: as an installed package.
    environment = {**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=PROJECT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy_strict() -> None:
    checker("mypy", "--strict", "--cache-dir", os.devnull)
    checker("mypy", "--strict", "--cache-dir", os.devnull, "tests/typed_program.py")


def test_pyright() -> None:
    checker("pyright", "--pythonpath", sys.executable)
    checker("pyright", "--pythonpath", sys.executable, "tests/typed_program.py", "tests/typed_columns.py")


def test_the_stubs_match_the_module() -> None:
    checker("mypy.stubtest", "--mypy-config-file", "pyproject.toml", "abide_robots._native")


def public_objects() -> dict[str, object]:
    """All modules, classes and functions, and the members of classes."""
    found: dict[str, object] = {}
    names = [abide_robots.__name__]
    for module in pkgutil.walk_packages(abide_robots.__path__, "abide_robots."):
        if module.name.rsplit(".")[-1] not in ("__main__", "_contract", "_types"):
            names.append(module.name)
    for name in names:
        module = importlib.import_module(name)
        found[name] = module
        for member, value in vars(module).items():
            own = getattr(value, "__module__", "").startswith("abide_robots")
            if member.startswith("_") or not own or not callable(value):
                continue
            found[f"{value.__module__}.{member}"] = value
            for attribute, part in vars(value).items() if inspect.isclass(value) else ():
                if not attribute.startswith("_"):
                    found[f"{value.__module__}.{member}.{attribute}"] = part
    return found


OBJECTS = public_objects()


@pytest.mark.parametrize("name", [name for name, one in OBJECTS.items() if ">>>" in (inspect.getdoc(one) or "")])
def test_examples(name: str) -> None:
    text = inspect.getdoc(OBJECTS[name]) or ""
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    test = doctest.DocTestParser().get_doctest(text, {"abide_robots": abide_robots}, name, None, 0)
    result = doctest.DocTestRunner(optionflags=flags).run(test)
    assert result.attempted > 0 and result.failed == 0


def test_everything_public_is_documented() -> None:
    undocumented = [
        name
        for name, one in OBJECTS.items()
        if not inspect.getdoc(one) and "NativeCache" not in name and not inspect.ismemberdescriptor(one)
    ]
    assert undocumented == []
