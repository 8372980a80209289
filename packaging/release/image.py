"""The image of the service as a tar (OCI layout), made without a daemon from the static command.

`docker load`, `podman load` and `skopeo copy oci-archive:…` read it.
"""

import json
import time

from archive import Entry, gz, sha256, tar

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
# Nobody: `nonroot` of other images.
OWNER = 65532
def settings(dockerfile: str) -> dict:
    """How the service runs in an image: what packaging/Dockerfile says of its last stage."""
    last = dockerfile.replace("\\\n", " ").rsplit("\nFROM ", 1)[1]
    words = dict(line.split(" ", 1) for line in last.splitlines() if line[:1].isupper())
    return {
        "User": f"{OWNER}:{OWNER}",
        "ExposedPorts": {words["EXPOSE"] + "/tcp": {}},
        "Env": ["PATH=/usr/bin", *words["ENV"].split()],
        "Entrypoint": json.loads(words["ENTRYPOINT"]),
        "StopSignal": words["STOPSIGNAL"],
    }


def layer(files: dict[str, bytes], epoch: int) -> bytes:
    """The only layer. The certificates of authorities are in the command."""
    names = ["LICENSE-APACHE", "LICENSE-MIT", "LICENSES-OF-DEPENDENCIES.txt"]
    entries = [Entry(f"usr/share/doc/abide/{name}", files[name]) for name in names]
    return tar(
        [
            *entries,
            Entry("usr/bin/abide", files["abide"], 0o755),
            Entry("etc/abide", None, 0o755),
            Entry("etc/passwd", f"nonroot:x:{OWNER}:{OWNER}:nonroot:/:/sbin/nologin\n".encode()),
            Entry("etc/group", f"nonroot:x:{OWNER}:\n".encode()),
            Entry("tmp", None, 0o1777),
            # A new volume gets the owner of the folder that it is mounted over.
            Entry("var/cache/abide", None, 0o700, OWNER),
        ],
        epoch,
    )


def image(files: dict[str, bytes], dockerfile: str, version: str, machine: str, commit: str, epoch: int) -> bytes:
    plain = layer(files, epoch)
    packed = gz(plain, epoch)
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch))
    labels = {
        "org.opencontainers.image.title": "abide",
        "org.opencontainers.image.version": version,
        "org.opencontainers.image.revision": commit,
        "org.opencontainers.image.licenses": "MIT OR Apache-2.0",
    }
    config = {
        "created": created,
        "architecture": ARCHITECTURES[machine],
        "os": "linux",
        "config": settings(dockerfile) | {"Labels": labels},
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + sha256(plain)]},
        "history": [{"created": created, "created_by": ".ci/release"}],
    }
    blobs: dict[str, bytes] = {}

    def blob(kind: str, data: bytes) -> dict:
        digest = sha256(data)
        blobs[f"blobs/sha256/{digest}"] = data
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": "sha256:" + digest, "size": len(data)}

    def text(value: object) -> bytes:
        return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()

    described = blob("config.v1+json", text(config))
    layers = [blob("layer.v1.tar+gzip", packed)]
    manifest = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": described,
        "layers": layers,
        "annotations": labels,
    }
    reference = blob("manifest.v1+json", text(manifest)) | {
        "platform": {"architecture": ARCHITECTURES[machine], "os": "linux"},
        "annotations": {"org.opencontainers.image.ref.name": version},
    }
    # What `docker load` of versions before 25 reads.
    legacy = [
        {
            "Config": "blobs/" + described["digest"].replace(":", "/"),
            "RepoTags": [f"abide:{version}"],
            "Layers": ["blobs/" + one["digest"].replace(":", "/") for one in layers],
        }
    ]
    index = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.index.v1+json",
        "manifests": [reference],
    }
    entries = [Entry(path, data) for path, data in blobs.items()]
    entries += [
        Entry("oci-layout", text({"imageLayoutVersion": "1.0.0"})),
        Entry("index.json", text(index)),
        Entry("manifest.json", text(legacy)),
    ]
    return tar(entries, epoch)
