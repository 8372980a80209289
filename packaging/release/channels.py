"""Manifests of other package managers: packaging/manifests filled with the version, addresses and digests."""

import re
import tomllib
from pathlib import Path

# Until Cargo.toml has the address of the repository.
UNKNOWN_REPOSITORY = "https://github.com/OWNER/abide"
# Each target, as the package managers call it. Linux gets the static command, which needs no glibc.
TARGETS = {
    "aarch64-apple-darwin": {"brew": ("macos", "arm"), "nix": "aarch64-darwin", "conda": "osx-arm64"},
    "x86_64-apple-darwin": {"brew": ("macos", "intel"), "nix": "x86_64-darwin", "conda": "osx-64"},
    "aarch64-unknown-linux-musl": {"brew": ("linux", "arm"), "nix": "aarch64-linux", "conda": "linux-aarch64"},
    "x86_64-unknown-linux-musl": {"brew": ("linux", "intel"), "nix": "x86_64-linux", "conda": "linux-64"},
    "x86_64-pc-windows-msvc": {"scoop": "64bit", "conda": "win-64"},
}


def repository(root: Path) -> str:
    """The address of the repository, which Cargo.toml has once it is public."""
    with open(root / "Cargo.toml", "rb") as manifest:
        found = tomllib.load(manifest)["workspace"]["package"].get("repository")
    if not found:
        print(f"Cargo.toml has no repository: the manifests name {UNKNOWN_REPOSITORY}")
    return (found or UNKNOWN_REPOSITORY).removesuffix(".git")


def filled(template: str, values: dict[str, str], archives: list[dict[str, str]]) -> str:
    """A template with its `@NAME@`. The lines from `@for KEY` to `@end` stand once for each archive with this key."""

    def replaced(text: str, more: dict[str, str]) -> str:
        return re.sub(r"@([A-Z_]+)@", lambda found: more[found[1]], text)

    def each(block: re.Match) -> str:
        return "".join(replaced(block[2], values | one) for one in archives if block[1] in one)

    text = re.sub(r"^[^\n]*@for ([A-Z_]+)\n(.*?)^[^\n]*@end\n", each, template, flags=re.M | re.S)
    return replaced(text, values)


def write_manifests(root: Path, folder: Path, version: str, digests: dict[str, str]) -> list[Path]:
    """Writes what package managers need for the archives that there are."""
    address_of_repository = repository(root)
    address = f"{address_of_repository}/releases/download/v{version}"
    archives = []
    for target, names in TARGETS.items():
        for suffix in ("tar.gz", "zip"):
            archive = f"abide-{version}-{target}.{suffix}"
            if archive in digests:
                one = {"URL": f"{address}/{archive}", "DIGEST": digests[archive], "FOLDER": f"abide-{version}-{target}"}
                if "brew" in names:
                    one["OS"], one["CPU"] = names["brew"]
                one |= {key.upper(): value for key, value in names.items() if key != "brew"}
                archives.append(one)
    values = {"VERSION": version, "REPOSITORY": address_of_repository}
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for template in sorted((root / "packaging/manifests").iterdir()):
        path = folder / template.name
        path.write_text(filled(template.read_text(), values, archives), newline="\n")
        written.append(path)
    return written
