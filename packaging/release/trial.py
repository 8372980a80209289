"""Installs each artefact where nothing else is installed, and asks it the README's first question."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
import zipfile
from pathlib import Path

from browser import chromium, shows

# A person waits no longer for a first answer.
MAX_SECONDS = 10
DEBIAN = "bookworm"


def question(root: Path) -> tuple[list[str], str, str]:
    """The first question of the README, its answer, and the file that it is about."""
    block = re.search(r"```console\n\$ [^\n]*?(check [^\n]*)\n(.*?)```", (root / "README.md").read_text(), re.S)
    words = shlex.split(block[1])
    return words, block[2], words[words.index("--robots") + 1]


class Trial:
    def __init__(self, root: Path, dist: Path, version: str):
        self.root, self.dist, self.version = root, dist, version
        self.words, self.answer, self.robots = question(root)
        self.faults: list[str] = []
        self.left_out: list[str] = []

    def ask(self, what: str, began: float, *program: str | Path, folder: Path | None = None) -> None:
        """Asks a command, which has been installed since `began`."""
        try:
            done = subprocess.run(
                [*program, *self.words],
                cwd=folder or self.root,
                env={"PATH": "/usr/bin:/bin:/usr/sbin:/sbin"},
                capture_output=True,
                text=True,
                timeout=MAX_SECONDS,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            self.faults.append(f"{what}: {error}")
            return
        took = time.monotonic() - began
        if done.stdout != self.answer or took > MAX_SECONDS:
            self.faults.append(f"{what}: {took:.1f} s, status {done.returncode}\n{done.stdout}{done.stderr}")
        else:
            print(f"{took:5.2f} s  {what}")

    def copy_question(self, folder: Path) -> None:
        """The file that the question is about, where the question says that it is."""
        place = folder / self.robots
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(self.root / self.robots, place)

    def find(self, pattern: str) -> Path | None:
        found = sorted(self.dist.glob(pattern))
        if not found:
            self.left_out.append(f"not tried, because dist/ has none: {pattern}")
        return found[0] if found else None

    def unpack(self, archive: Path, folder: Path) -> Path:
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="fully_trusted")
        return folder

    def in_root(self, what: str, new_root: Path, *program: str, began: float | None = None) -> None:
        """Asks in a root of its own."""
        self.copy_question(new_root)
        if os.geteuid():
            inside = ["unshare", "--user", "--map-root-user", "chroot", str(new_root)]
        else:
            inside = ["chroot", str(new_root)]
        self.ask(what, began or time.monotonic(), *inside, *program)


def bare_debian(trial: Trial, folder: Path) -> Path | None:
    """The smallest Debian, as debootstrap makes it; kept for the next trial."""
    kept = Path(os.environ.get("CARGO_TARGET_DIR", trial.root / "target")) / f"bare-{DEBIAN}.tar"
    if not kept.exists():
        if os.geteuid() or not shutil.which("debootstrap"):
            trial.left_out.append("not tried on a bare Debian: that needs root and debootstrap")
            return None
        fresh = folder / "fresh"
        subprocess.run(
            ["debootstrap", "--variant=minbase", DEBIAN, fresh], check=True, stdout=subprocess.DEVNULL
        )
        subprocess.run(["tar", "-cf", kept, "-C", fresh, "."], check=True)
    bare = folder / "debian"
    bare.mkdir()
    subprocess.run(["tar", "-xf", kept, "-C", bare], check=True)
    return bare


def on_debian(trial: Trial, folder: Path, machine: str) -> None:
    archive = trial.find(f"abide-{trial.version}-{machine}-unknown-linux-gnu.tar.gz")
    package = trial.find(f"abide_{trial.version}-1_*.deb")
    bare = bare_debian(trial, folder)
    if bare and archive:
        began = time.monotonic()
        place = trial.unpack(archive, bare / "opt")
        program = next(place.glob("abide-*/abide")).relative_to(bare)
        trial.in_root("the archive, on a bare Debian", bare, f"/{program}", began=began)
    if bare and package:
        began = time.monotonic()
        shutil.copy(package, bare / "abide.deb")
        inside = ["chroot", str(bare)]
        installed = subprocess.run([*inside, "dpkg", "-i", "/abide.deb"], capture_output=True, text=True)
        if installed.returncode:
            trial.faults.append(f"the .deb does not install: {installed.stderr}")
        trial.in_root("the .deb, on a bare Debian", bare, "abide", began=began)
        changed = subprocess.run([*inside, "dpkg", "--verify", "abide"], capture_output=True, text=True).stdout
        # A minimal Debian leaves out documentation.
        if [line for line in changed.splitlines() if "/usr/share/" not in line]:
            trial.faults.append(f"the .deb's sums are wrong: {changed}")


def in_empty_roots(trial: Trial, folder: Path, machine: str) -> None:
    if archive := trial.find(f"abide-{trial.version}-{machine}-unknown-linux-musl.tar.gz"):
        began = time.monotonic()
        place = trial.unpack(archive, folder / "unpacked")
        empty = folder / "empty"
        empty.mkdir()
        shutil.copy(next(place.glob("abide-*/abide")), empty / "abide")
        trial.in_root("the static command, in an empty root", empty, "/abide", began=began)
        surveys(trial, empty / "abide", folder)
    if tar := trial.find(f"abide-{trial.version}-image-*.tar"):
        began = time.monotonic()
        layout = trial.unpack(tar, folder / "layout")

        def blob(described: dict) -> Path:
            return layout / "blobs" / described["digest"].replace(":", "/")

        index = json.loads((layout / "index.json").read_text())
        manifest = json.loads(blob(index["manifests"][0]).read_text())
        config = json.loads(blob(manifest["config"]).read_text())["config"]
        rootfs = trial.unpack(blob(manifest["layers"][0]), folder / "rootfs")
        trial.in_root("the image, without a daemon", rootfs, config["Entrypoint"][0], began=began)


def surveys(trial: Trial, program: Path, folder: Path) -> None:
    """What is left out by default, and in a release: surveys and the service."""
    sites, tables = folder / "sites", folder / "tables"
    sites.mkdir()
    (sites / "example.org").write_text("User-agent: *\nDisallow: /\n")
    done = subprocess.run([program, "survey", sites, "-o", tables], capture_output=True, text=True)
    if done.returncode or not (tables / "robots/part-00000.parquet").stat().st_size:
        trial.faults.append(f"abide survey: {done.stderr}")
    if subprocess.run([program, "serve", "--help"], capture_output=True).returncode:
        trial.faults.append("abide serve --help fails")


def in_empty_venv(trial: Trial, folder: Path, machine: str) -> None:
    if wheel := trial.find(f"abide_robots-{trial.version}-*manylinux*_{machine}*.whl"):
        venv.create(folder / "venv", with_pip=True)
        began = time.monotonic()
        programs = folder / "venv/bin"
        subprocess.run([programs / "pip", "install", "-q", "--no-index", wheel], check=True)
        trial.ask("the wheel, in an empty environment", began, programs / "abide")


def in_empty_project(trial: Trial, folder: Path) -> None:
    """The npm package has no command, so its module is asked for the outcome of the question."""
    package = trial.find(f"abide-robots-{trial.version}.tgz")
    if package is None:
        return
    if not shutil.which("npm"):
        trial.left_out.append("not tried in Node.js, which is not here")
        return
    project = folder / "project"
    project.mkdir()
    began = time.monotonic()
    subprocess.run(["npm", "install", "--silent", "--offline", "--prefix", project, package], check=True)
    url, agent = trial.words[1], trial.words[trial.words.index("--agent") + 1]
    program = (
        'import { readFileSync } from "node:fs"; import { Policy } from "abide-robots";'
        "const [file, agent, url] = process.argv.slice(1);"
        "const { outcome, evidence } = new Policy(readFileSync(file), agent).decide(url).usages.crawl;"
        "console.log(outcome, evidence[0].line);"
    )
    words = ["node", "--input-type=module", "-e", program, trial.root / trial.robots, agent, url]
    done = subprocess.run(words, cwd=project, capture_output=True, text=True, timeout=MAX_SECONDS)
    took, line = time.monotonic() - began, re.search(r"decided by  line (\d+)", trial.answer)[1]
    if done.stdout != f"permitted {line}\n" or took > MAX_SECONDS:
        trial.faults.append(f"the npm package: {took:.1f} s\n{done.stdout}{done.stderr}")
    else:
        print(f"{took:5.2f} s  the npm package, in an empty project")


def in_browser(trial: Trial, folder: Path) -> None:
    """The page is opened from its folder, with the question in its address."""
    archive = trial.find(f"abide-page-{trial.version}.zip")
    program = chromium()
    if archive and not program:
        trial.left_out.append("not tried in a browser: that needs Chromium")
    if not archive or not program:
        return
    began = time.monotonic()
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(folder / "page")
    page = next((folder / "page").glob("*/index.html"))
    url, agent = trial.words[1], trial.words[trial.words.index("--agent") + 1]
    entered = {"robots": (trial.root / trial.robots).read_text(), "site": url, "urls": url, "agents": [agent]}
    why = re.search(r"decided by .*\n +(.*)", trial.answer)[1]
    if shows(program, page, entered, why, MAX_SECONDS):
        print(f"{time.monotonic() - began:5.2f} s  the page, as files in a browser")
    else:
        trial.faults.append(f"the page does not show {why!r}")


def run(root: Path, dist: Path, version: str) -> int:
    trial = Trial(root, dist, version)
    machine = os.uname().machine
    with tempfile.TemporaryDirectory() as folder:
        # A root of its own needs a folder that everybody may enter.
        Path(folder).chmod(0o755)
        on_debian(trial, Path(folder), machine)
        in_empty_roots(trial, Path(folder), machine)
        in_empty_venv(trial, Path(folder), machine)
        in_empty_project(trial, Path(folder))
        in_browser(trial, Path(folder))
    for line in trial.left_out:
        print(line)
    for fault in trial.faults:
        print(f"failed: {fault}", file=sys.stderr)
    return int(bool(trial.faults))
