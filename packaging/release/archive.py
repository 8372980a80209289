"""Archives whose bytes depend on their files alone: sorted, with one time and no owner."""

import gzip
import hashlib
import io
import lzma
import tarfile
import time
import zipfile
from pathlib import Path
from typing import NamedTuple


class Entry(NamedTuple):
    """A file, or a folder if there is no `data`."""

    path: str
    data: bytes | None
    mode: int = 0o644
    owner: int = 0


def with_folders(entries: list[Entry]) -> list[Entry]:
    """The entries and every folder above them, sorted."""
    known = {entry.path: entry for entry in entries}
    for entry in entries:
        parts = entry.path.split("/")[:-1]
        for end in range(1, len(parts) + 1):
            folder = "/".join(parts[:end])
            known.setdefault(folder, Entry(folder, None, 0o755))
    return [known[path] for path in sorted(known)]


def tar(entries: list[Entry], epoch: int, prefix: str = "") -> bytes:
    """An uncompressed tar."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as packed:
        for entry in with_folders(entries):
            member = tarfile.TarInfo(prefix + entry.path)
            member.mtime, member.mode = epoch, entry.mode
            member.uid = member.gid = entry.owner
            if entry.data is None:
                member.type = tarfile.DIRTYPE
                packed.addfile(member)
            else:
                member.size = len(entry.data)
                packed.addfile(member, io.BytesIO(entry.data))
    return buffer.getvalue()


def gz(data: bytes, epoch: int) -> bytes:
    """Compressed, without the name of a file."""
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", filename="", mtime=epoch, compresslevel=6) as packed:
        packed.write(data)
    return buffer.getvalue()


def xz(data: bytes) -> bytes:
    return lzma.compress(data, preset=6)


def zipped(entries: list[Entry], epoch: int) -> bytes:
    """A zip, which Windows unpacks too."""
    buffer = io.BytesIO()
    moment = time.gmtime(epoch)[:6]
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for entry in sorted(entries):
            if entry.data is not None:
                member = zipfile.ZipInfo(entry.path, moment)
                member.external_attr = entry.mode << 16
                member.create_system = 3
                member.compress_type = zipfile.ZIP_DEFLATED
                packed.writestr(member, entry.data)
    return buffer.getvalue()


def unpacked(archive: Path) -> dict[str, bytes]:
    """The files of a `.tar.gz` or a `.zip`, without their first folder."""
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as packed:
            found = {name: packed.read(name) for name in packed.namelist()}
    else:
        with tarfile.open(archive) as packed:
            found = {
                member.name: packed.extractfile(member).read() for member in packed if member.isfile()
            }
    return {name.split("/", 1)[1]: data for name, data in found.items()}


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
