"""The Debian package, from the archive of the command: an `ar` of two tars."""

import hashlib

from archive import Entry, gz, tar, with_folders, xz

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
# The glibc that the command is linked against.
LIBC = "libc6 (>= 2.17)"


def ar(members: list[tuple[str, bytes]], epoch: int) -> bytes:
    parts = [b"!<arch>\n"]
    for name, data in members:
        parts.append(f"{name:<16}{epoch:<12}{0:<6}{0:<6}{'100644':<8}{len(data):<10}`\n".encode())
        parts.append(data + b"\n" * (len(data) % 2))
    return b"".join(parts)


def deb(files: dict[str, bytes], unit: bytes, version: str, machine: str, epoch: int) -> bytes:
    """A package of what is in an archive, and the unit of the service."""
    entries = [
        Entry("usr/bin/abide", files["abide"], 0o755),
        Entry("usr/lib/systemd/system/abide-serve.service", unit),
        Entry("usr/share/bash-completion/completions/abide", files["completions/abide.bash"]),
        Entry("usr/share/fish/vendor_completions.d/abide.fish", files["completions/abide.fish"]),
        Entry("usr/share/zsh/vendor-completions/_abide", files["completions/abide.zsh"]),
    ]
    for name, data in files.items():
        if name.startswith("man/"):
            entries.append(Entry(f"usr/share/man/man1/{name.removeprefix('man/')}.gz", gz(data, epoch)))
    copyright_text = b"".join(
        b"\n" + files[name] for name in ["LICENSE-MIT", "LICENSE-APACHE", "LICENSES-OF-DEPENDENCIES.txt"]
    )
    entries.append(Entry("usr/share/doc/abide/copyright", b"abide: MIT OR Apache-2.0\n" + copyright_text))
    entries.append(Entry("usr/share/doc/abide/changelog.gz", gz(files["CHANGELOG.md"], epoch)))
    size = sum(len(entry.data or b"") for entry in entries) // 1024 + 1
    control = (
        f"Package: abide\nVersion: {version}-1\nArchitecture: {ARCHITECTURES[machine]}\n"
        "Maintainer: the authors of abide <abide@localhost>\n"
        f"Installed-Size: {size}\nDepends: {LIBC}\nSection: web\nPriority: optional\n"
        "Description: what a robot may do with a URL, and why\n"
        " abide reads a robots.txt and what belongs to it, and answers with the line\n"
        " that decides. It also lints, formats, compares and tests such files, makes\n"
        " tables of many, and answers over HTTP.\n"
    ).encode()
    sums = "".join(
        f"{hashlib.md5(entry.data, usedforsecurity=False).hexdigest()}  {entry.path}\n"
        for entry in with_folders(entries)
        if entry.data is not None
    ).encode()
    return ar(
        [
            ("debian-binary", b"2.0\n"),
            ("control.tar.xz", xz(tar([Entry("control", control), Entry("md5sums", sums)], epoch, "./"))),
            ("data.tar.xz", xz(tar(entries, epoch, "./"))),
        ],
        epoch,
    )
