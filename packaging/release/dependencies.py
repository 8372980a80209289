"""What a release is made of: licences, and a bill of materials (CycloneDX)."""

import base64
import hashlib
import json
import re
import subprocess
import time
import tomllib
import uuid
from pathlib import Path

# What a licence file is called.
LICENCE_NAMES = ("licen", "copying", "notice", "unlicense", "copyright")
# For crates that name a licence and have no file of it: the text is that of abide's own copy.
OWN_COPIES = {"MIT": "LICENSE-MIT", "Apache-2.0": "LICENSE-APACHE"}

# What the build of the page writes: the packages in it, with their licences.
PAGE_LICENCES = "licences.md"


def command(*words: str, root: Path) -> str:
    return subprocess.run(words, cwd=root, check=True, capture_output=True, text=True).stdout


def packages(folder: Path, target: str, *package: str) -> list[dict]:
    """The crates that a package is linked from, in the order of their names. Cargo's arguments choose it and its features."""
    tree = command(
        *("cargo", "tree", "-q", "--locked", *package),
        *("-e", "normal", "--target", target, "--prefix", "none", "--format", "{p}"),
        root=folder,
    )
    # `name v1.2.3`, `name v1.2.3 (proc-macro)`, `name v1.2.3 (/folder)`
    linked = {tuple(line.split()[:2]) for line in tree.splitlines() if line.strip()}
    words = ["cargo", "metadata", "--locked", "--all-features", "--format-version", "1"]
    known = json.loads(command(*words, root=folder))
    found = [one for one in known["packages"] if (one["name"], "v" + one["version"]) in linked]
    if len(found) != len(linked):
        raise SystemExit(f"cargo metadata knows {len(found)} of the {len(linked)} crates of cargo tree")
    kept = {one["id"] for one in found}
    needs = {node["id"]: sorted(set(node["dependencies"]) & kept) for node in known["resolve"]["nodes"]}
    for one in found:
        one["needs"] = needs[one["id"]]
    return sorted(found, key=lambda one: (one["name"], one["version"]))


def joined(*lists: list[dict]) -> list[dict]:
    """The crates of several workspaces, each once."""
    known: dict[str, dict] = {}
    for one in (one for found in lists for one in found):
        needs = known[one["id"]]["needs"] if one["id"] in known else []
        known[one["id"]] = one | {"needs": sorted({*needs, *one["needs"]})}
    return sorted(known.values(), key=lambda one: (one["name"], one["version"]))


def licences(found: list[dict], root: Path, page: Path | None = None) -> str:
    """The licences of the crates: each text once, with the crates that it is of. Then those of a built page, if any."""
    texts: dict[str, list[str]] = {}
    for one in found:
        if one["source"] is None:
            continue
        name = f"{one['name']} {one['version']} ({one['license'] or 'see the text'})"
        folder = Path(one["manifest_path"]).parent
        files = [path for path in sorted(folder.iterdir()) if path.name.lower().startswith(LICENCE_NAMES)]
        bodies = [path.read_text("utf-8", "replace").replace("\r\n", "\n").strip() for path in files if path.is_file()]
        if not bodies:
            own = next((file for spdx, file in OWN_COPIES.items() if spdx in (one["license"] or "")), None)
            if own is None:
                raise SystemExit(f"{name} has no file with its licence, and abide has no copy of it")
            authors = ", ".join(one["authors"]) or "its authors"
            bodies = [f"Copyright: {authors}\n\n" + (root / own).read_text().split("\n", 1)[1].strip()]
        for body in bodies:
            texts.setdefault(body, []).append(name)
    parts = [
        "abide contains the standard library of Rust (MIT OR Apache-2.0) and the crates below.\n"
        "Each licence stands below the crates that it is of."
        + (" The packages of the web page are at the end.\n" if page else "\n")
    ]
    for body, names in sorted(texts.items(), key=lambda pair: pair[1]):
        parts.append("\n" + "=" * 80 + "\n" + "\n".join(names) + "\n" + "-" * 80 + "\n" + body + "\n")
    if page:
        parts.append("\n" + "=" * 80 + "\n" + (page / PAGE_LICENCES).read_text())
    return "".join(parts)


def page_packages(root: Path) -> list[dict]:
    """The packages from npm in the web page, as parts of a bill of materials."""
    locked = json.loads((root / "page/package-lock.json").read_text())["packages"]
    listed = (root / "crates/abide-serve/page" / PAGE_LICENCES).read_text()
    parts = []
    for name, version, licence in re.findall(r"^## (\S+) - (\S+) \((.*)\)$", listed, re.M):
        algorithm, digest = locked[f"node_modules/{name}"]["integrity"].split("-", 1)
        purl = f"pkg:npm/{name.replace('@', '%40')}@{version}"
        hashes = [{"alg": algorithm.replace("sha", "SHA-"), "content": base64.b64decode(digest).hex()}]
        part = {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}
        parts.append(part | {"licenses": [{"expression": licence}], "hashes": hashes})
    return parts


def bill(found: list[dict], root: Path, version: str, commit: str, epoch: int) -> bytes:
    """The bill of materials as CycloneDX 1.5 in JSON."""
    sums = {}
    for path in [root / "Cargo.lock", *sorted(root.glob("bindings/*/Cargo.lock"))]:
        with open(path, "rb") as lock:
            sums |= {(one["name"], one["version"]): one.get("checksum") for one in tomllib.load(lock)["package"]}
    name_of = {one["id"]: f"pkg:cargo/{one['name']}@{one['version']}" for one in found}
    main = f"pkg:cargo/abide-cli@{version}"
    components = []
    for one in found:
        if name_of[one["id"]] == main:
            continue
        part = {
            "type": "library",
            "bom-ref": name_of[one["id"]],
            "name": one["name"],
            "version": one["version"],
            "purl": name_of[one["id"]],
        }
        if one["license"]:
            # Older crates separate their licences with a slash.
            part["licenses"] = [{"expression": one["license"].replace("/", " OR ")}]
        if checksum := sums.get((one["name"], one["version"])):
            part["hashes"] = [{"alg": "SHA-256", "content": checksum}]
        components.append(part)
    components += page_packages(root)
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": uuid.UUID(hashlib.sha256(f"abide {version} {commit}".encode()).hexdigest()[:32]).urn,
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch)),
            "component": {
                "type": "application",
                "bom-ref": main,
                "name": "abide-cli",
                "version": version,
                "purl": main,
                "licenses": [{"expression": "MIT OR Apache-2.0"}],
            },
            "properties": [{"name": "commit", "value": commit}],
        },
        "components": components,
        "dependencies": [
            {"ref": name_of[one["id"]], "dependsOn": [name_of[need] for need in one["needs"]]} for one in found
        ],
    }
    return (json.dumps(document, indent=1) + "\n").encode()
