"""The wheel: what is in it, and that it works where nothing else is installed."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel in `ABIDE_WHEEL`, or a new one."""
    given = os.environ.get("ABIDE_WHEEL")
    if given:
        return Path(given)
    folder = tmp_path_factory.mktemp("wheel")
    words = ["-m", "maturin", "build", "-q", "--profile", "dev", "--out", str(folder)]
    # The same Python as the build before, or everything that links to it is compiled again.
    words += ["--interpreter", sys.executable]
    subprocess.run([sys.executable, *words], cwd=PROJECT, check=True)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="session")
def empty(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that has nothing but the wheel."""
    folder = tmp_path_factory.mktemp("empty")
    venv.create(folder, with_pip=True)
    words = ["-m", "pip", "install", "-q", "--no-index", str(wheel)]
    subprocess.run([folder / "bin" / "python", *words], check=True)
    return folder / "bin"


def run(program: Path, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    # Without the paths of this environment.
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}
    return subprocess.run(
        [program, *words], input=stdin, env=environment, cwd="/", capture_output=True, text=True
    )


def test_what_is_in_the_wheel(wheel: Path) -> None:
    machine = platform.machine()
    name = re.fullmatch(rf"abide_robots-[0-9.]+-cp311-abi3-(manylinux[\w.]+|linux)_{machine}\.whl", wheel.name)
    assert name, wheel.name
    with zipfile.ZipFile(wheel) as files:
        names = set(files.namelist())
        metadata = next(one for one in names if one.endswith(".dist-info/METADATA"))
        told = files.read(metadata).decode()
        scripts = files.read(metadata.replace("METADATA", "entry_points.txt")).decode()
    for one in ["py.typed", "_native.pyi", "_native.abi3.so", "compat/protego.py", "scrapy.py"]:
        assert f"abide_robots/{one}" in names
    assert {Path(one).name for one in names} >= {"LICENSE-MIT", "LICENSE-APACHE"}
    assert "Requires-Python: >=3.11" in told
    # PyPI shows the README without the files beside it.
    assert re.findall(r"\]\((?!https?://)[^)]*\)", told) == []
    # Nothing is required: what other libraries need is in extras.
    required = re.findall(r"^Requires-Dist: (.*)$", told, re.MULTILINE)
    assert all("extra ==" in one for one in required)
    assert "abide=abide_robots.__main__:main" in scripts.replace(" ", "")


def test_the_lines_of_the_readme(empty: Path) -> None:
    readme = (PROJECT / "README.md").read_text()
    program, printed = re.findall(r"```(?:python|text)\n(.*?)```", readme, re.DOTALL)[:2]
    assert 5 <= program.strip().count("\n") <= 11
    done = run(empty / "python", "-c", program)
    assert (done.stdout, done.stderr) == (printed, "")


def test_the_command_of_the_wheel(empty: Path, tmp_path: Path) -> None:
    assert run(empty / "abide", "--version").stdout.startswith("abide 0.")
    robots = "User-agent: *\nDisallow: /x\n"
    done = run(empty / "abide", "check", "/x", "-a", "ExampleBot", "--robots", "-", stdin=robots)
    assert (done.returncode, "line 2: Disallow: /x" in done.stdout) == (1, True)
    assert run(empty / "abide", "lint", "-", stdin=robots).returncode == 0
    # With surveys and reports.
    (tmp_path / "site.example.txt").write_text(robots)
    tables = str(tmp_path / "tables")
    assert run(empty / "abide", "survey", str(tmp_path / "site.example.txt"), "-o", tables).returncode == 0
    page = run(empty / "abide", "report", tables, "-o", str(tmp_path / "page.html"))
    assert page.returncode == 0, page.stderr
    # A pipe that ends early, as in `abide … | head -1`.
    shell = f"'{empty / 'abide'}' lint --explain all | head -1"
    assert run(Path("/bin/sh"), "-c", shell).stderr == ""


def runs(program: str) -> bool:
    """Whether a program is there, and is what its name says."""
    if shutil.which(program) is None:
        return False
    return subprocess.run([program, "-c", ""], capture_output=True).returncode == 0


def test_other_pythons(wheel: Path, tmp_path: Path) -> None:
    """One wheel serves all versions from 3.11: it is tried with each that this machine has."""
    for version in filter(runs, ["python3.11", "python3.12", "python3.13", "python3.14"]):
        folder = tmp_path / version
        subprocess.run([version, "-m", "venv", folder], check=True)
        python = folder / "bin" / "python"
        subprocess.run([python, "-m", "pip", "install", "-q", "--no-index", str(wheel)], check=True)
        program = "import abide_robots as a; print(a.allows('User-agent: *\\nDisallow: /x', 'A', '/x'))"
        assert run(python, "-W", "error", "-c", program).stdout == "False\n", version
