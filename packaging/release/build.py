"""Builds what a release has, with what this machine has."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import venv
from pathlib import Path

from archive import Entry, gz, tar, zipped
from dependencies import PAGE_LICENCES, licences, packages

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"
FEATURES = "survey,serve"
WASM = "wasm32-unknown-unknown"
# What Cargo links into each artefact: its workspace, the target, and the package with its features.
COMMAND = (ROOT, "all", "-p", "abide-cli", "--features", FEATURES)
PYTHON = (ROOT / "bindings/python", "all", "-p", "abide-python")
NPM = (ROOT / "bindings/javascript", WASM, "-p", "abide-javascript")
PAGE = (*NPM, "--no-default-features", "--features", "page")
# For trying the script without the minutes that a release costs: ABIDE_PROFILE=dev.
PROFILE = os.environ.get("ABIDE_PROFILE", "dist")
# Linux of 2014 and later.
GLIBC = "2.17"
SHELLS = {"bash": "bash", "zsh": "zsh", "fish": "fish", "powershell": "ps1"}
# With glibc it has 24.4 MB; before the profile `dist` it was 35.
MAX_COMMAND_BYTES = 25_000_000
MAX_WHEEL_BYTES = 12_000_000
# Zig links against an old glibc, and against musl, on any machine.
TOOLS = ["ziglang==0.17.1", "cargo-zigbuild==0.24.1", "maturin==1.16.0"]


class CannotBuild(Exception):
    """Why this machine cannot build something, and what would change that."""


def output(*words: str, **options) -> str:
    return subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True, **options).stdout.strip()


def host() -> str:
    return re.search(r"^host: (.*)$", output("rustc", "-vV"), re.M)[1]


def target_folder() -> Path:
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))


def tools() -> dict[str, str]:
    """The environment in which the tools from PyPI are found; installs them once."""
    folder = target_folder() / "release-tools"
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    mark = folder / "installed"
    if not mark.exists() or mark.read_text() != " ".join(TOOLS):
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([programs / "python", "-m", "pip", "install", "-q", *TOOLS], check=True)
        mark.write_text(" ".join(TOOLS))
    return os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}


def compiler(target: str) -> tuple[dict[str, str], list[str]]:
    """The variables and the arguments of Cargo with which there is a standard library for a target.

    Without a compiled one, it is compiled from its sources: those of `rust-src`, or of the compiler that
    ABIDE_BUILD_STD_RUSTC names, such as that of Debian's `rustc-web` and `rust-web-src`.
    """
    folder = Path(output("rustc", "--print", "target-libdir", "--target", target))
    if any(folder.glob("libstd-*.rlib")):
        return {}, []
    for rustc in filter(None, [os.environ.get("ABIDE_BUILD_STD_RUSTC"), "rustc", "/usr/bin/rustc"]):
        if shutil.which(rustc):
            sysroot = Path(output(rustc, "--print", "sysroot"))
            if (sysroot / "lib/rustlib/src/rust/library/std").exists():
                # `-Z` is for nightly compilers, or with this variable.
                variables = {"RUSTC": rustc, "RUSTC_BOOTSTRAP": "1"}
                return variables, ["-Zbuild-std=std,panic_unwind"]
    raise CannotBuild(
        f"no standard library for {target}: run `rustup target add {target}`, or name a compiler that has the "
        "library's sources in ABIDE_BUILD_STD_RUSTC"
    )


def flags(target: str, builds_std: bool, rustc: str) -> str:
    """Flags of the compiler: no path of this machine gets into the command."""
    cargo = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    sources = Path(output(rustc, "--print", "sysroot")) / "lib/rustlib/src/rust"
    folders = {ROOT: "/abide", target_folder(): "/target", cargo / "registry/src": "/crates", sources: "/rust"}
    if any(" " in str(folder) for folder in folders):
        raise CannotBuild("a folder of the build has a space in its path, which Cargo would cut the flag at")
    words = [f"--remap-path-prefix={folder}={name}" for folder, name in folders.items()]
    if builds_std and target.endswith("-musl"):
        # Zig has the objects that start a program; the compiler's own are only with its compiled libraries.
        words.append("-Clink-self-contained=no")
    return " ".join(words)


def environment(target: str, epoch: int) -> tuple[dict[str, str], list[str]]:
    variables, arguments = compiler(target)
    name = "CARGO_TARGET_" + target.upper().replace("-", "_") + "_RUSTFLAGS"
    variables[name] = flags(target, bool(arguments), variables.get("RUSTC", "rustc"))
    variables["SOURCE_DATE_EPOCH"] = str(epoch)
    return tools() | variables, arguments


def built_folder(target: str) -> Path:
    return target_folder() / target / ("debug" if PROFILE == "dev" else PROFILE)


def compile_command(target: str, commit: str, epoch: int) -> Path:
    """The command for a target, with every feature."""
    variables, arguments = environment(target, epoch)
    variables["ABIDE_REVISION"] = commit
    is_linux = "-linux-" in target
    # Cargo in the environment of the tools would be looked for in the old one on Windows.
    words = ["cargo", "zigbuild" if is_linux else "build", "--locked", "--profile", PROFILE]
    words += ["-p", "abide-cli", "--features", FEATURES.replace(",", " "), *arguments]
    words += ["--target", f"{target}.{GLIBC}" if target.endswith("-linux-gnu") else target]
    print("$", shlex.join(words), file=sys.stderr)
    if subprocess.run(words, cwd=ROOT, env=variables).returncode:
        raise CannotBuild(f"the command does not compile for {target}")
    return built_folder(target) / ("abide.exe" if "-windows-" in target else "abide")


def bounded(what: str, size: int, bound: int) -> None:
    print(f"{what}: {size / 1e6:.1f} MB")
    if PROFILE == "dist" and size > bound:
        raise SystemExit(f"{what} has {size} bytes, and {bound} are the limit")


def pack(command: Path, target: str, epoch: int, dist: Path = DIST) -> Path:
    """The archive of the command: with completions, manual pages, and the licences of all it contains."""
    data = command.read_bytes()
    try:
        version = output(str(command), "--version").split()[1]
    except OSError as error:
        raise CannotBuild(f"{command} does not run here, so it cannot write its manual pages: {error}") from error
    entries = [Entry(command.name, data, 0o755)]
    for name in ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"]:
        entries.append(Entry(name, (ROOT / name).read_bytes()))
    for shell, suffix in SHELLS.items():
        text = output(str(command), "completions", shell) + "\n"
        entries.append(Entry(f"completions/abide.{suffix}", text.encode()))
    commands = re.findall(r"^  ([a-z]+) +[A-Z]", output(str(command), "--help"), re.M)
    for name in commands:
        if name != "help":
            entries.append(Entry(f"man/abide-{name}.1", (output(str(command), "man", name) + "\n").encode()))
    entries.append(Entry("man/abide.1", (output(str(command), "man") + "\n").encode()))
    folder, _, *package = COMMAND
    text = licences(packages(folder, target, *package), ROOT, ROOT / "crates/abide-serve/page")
    entries.append(Entry("LICENSES-OF-DEPENDENCIES.txt", text.encode()))
    name = f"abide-{version}-{target}"
    entries = [entry._replace(path=f"{name}/{entry.path}") for entry in entries]
    dist.mkdir(parents=True, exist_ok=True)
    if "-windows-" in target:
        archive = dist / f"{name}.zip"
        archive.write_bytes(zipped(entries, epoch))
    else:
        archive = dist / f"{name}.tar.gz"
        archive.write_bytes(gz(tar(entries, epoch), epoch))
    return archive


def build_wheel(target: str, epoch: int) -> None:
    """The wheel of a target for every Python from 3.11, or the source distribution."""
    folder = ROOT / "bindings/python"
    words = ["maturin", "sdist" if target == "sdist" else "build", "--out", str(DIST)]
    if target == "sdist":
        variables = tools() | {"SOURCE_DATE_EPOCH": str(epoch)}
    else:
        variables, arguments = environment(target, epoch)
        words += ["--locked", "--target", target, *arguments]
        words += ["--profile", "release" if PROFILE == "dist" else PROFILE]
        if "-linux-" in target:
            words += ["--zig", "--compatibility", "musllinux_1_2" if target.endswith("-musl") else "manylinux2014"]
    print("$", shlex.join(words), file=sys.stderr)
    if subprocess.run([shutil.which(words[0], path=variables["PATH"]), *words[1:]], cwd=folder, env=variables).returncode:
        raise CannotBuild(f"the Python package does not build for {target}")


def javascript(what: str) -> None:
    """Has `.ci/javascript` build something in `target`."""
    if not shutil.which("npm"):
        raise CannotBuild("there is no npm, which comes with Node.js")
    if subprocess.run([ROOT / ".ci/javascript", what]).returncode:
        raise CannotBuild(f"`.ci/javascript {what}` fails")


def pack_npm(version: str) -> Path:
    """The npm package: one module of WebAssembly for every machine."""
    javascript("build")
    DIST.mkdir(parents=True, exist_ok=True)
    name = f"abide-robots-{version}.tgz"
    return Path(shutil.copy(ROOT / "target/javascript-dist" / name, DIST / name))


def static_page() -> Path:
    """The folder of the web page that needs no service. ABIDE_STATIC_PAGE names one that is built."""
    if "ABIDE_STATIC_PAGE" in os.environ:
        return Path(os.environ["ABIDE_STATIC_PAGE"]).resolve()
    javascript("page")
    return ROOT / "target/static-page"


def pack_page(version: str, epoch: int, dist: Path = DIST) -> Path:
    """The web page that needs no service, with the licences of all it contains. Every system unpacks a zip."""
    folder = static_page()
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != PAGE_LICENCES]
    entries = [Entry(path.relative_to(folder).as_posix(), path.read_bytes()) for path in files]
    entries += [Entry(name, (ROOT / name).read_bytes()) for name in ["LICENSE-APACHE", "LICENSE-MIT"]]
    entries.append(Entry("LICENSES-OF-DEPENDENCIES.txt", licences(packages(*PAGE), ROOT, folder).encode()))
    name = f"abide-page-{version}"
    dist.mkdir(parents=True, exist_ok=True)
    archive = dist / f"{name}.zip"
    archive.write_bytes(zipped([entry._replace(path=f"{name}/{entry.path}") for entry in entries], epoch))
    return archive
