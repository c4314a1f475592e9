# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
"""An OCI image layout (github.com/opencontainers/image-spec) made without a daemon: what the program is linked with, certificates and time
zones in one layer, the program in another. There is no shell in it, and it runs as a user who owns nothing but /var/lib/pomona."""

import datetime
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess

import archives

USER = 65532
DATA = "var/lib/pomona"
SECOND = 10**9
# Docker asks so; Kubernetes has probes of its own. The specification keeps the word for it (config.md, "Healthcheck"). As long for the start as
# migrations may take (docs/kubernetes.md): what fails meanwhile does not count.
HEALTHCHECK = {
    "Test": ["CMD", "/usr/bin/pomona", "health"],
    "Interval": 30 * SECOND,
    "Timeout": 10 * SECOND,
    "StartPeriod": 300 * SECOND,
    "Retries": 3,
}
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


def libraries(program):
    """The paths of all shared libraries that a program is linked with, and of its interpreter."""
    text = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
    missing = re.findall(r"(\S+) => not found", text)
    if missing:
        raise SystemExit(f"script/package: not on this machine: {', '.join(missing)}")
    return sorted(set(re.findall(r"(?:=> )?(/\S+) \(0x", text)))


def base(folder, program):
    """Everything but the program."""
    root = pathlib.Path(folder)
    for name in ["etc/ssl/certs", "usr/lib", "usr/bin", "usr/share", "tmp", "run", DATA]:
        (root / name).mkdir(parents=True, exist_ok=True)
    # As on Debian 12.
    for name in ["lib", "lib64", "bin"]:
        if os.path.islink(f"/{name}"):
            os.symlink(os.readlink(f"/{name}"), root / name)
    (root / "usr/lib64").mkdir(exist_ok=True)
    for path in libraries(program):
        target = root / path[1:]
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
        target.chmod(0o755)
    shutil.copyfile("/etc/ssl/certs/ca-certificates.crt", root / "etc/ssl/certs/ca-certificates.crt")
    shutil.copytree("/usr/share/zoneinfo", root / "usr/share/zoneinfo", symlinks=True)
    (root / "etc/passwd").write_text(f"root:x:0:0:root:/:/sbin/nologin\npomona:x:{USER}:{USER}:Pomona:/{DATA}:/sbin/nologin\n")
    (root / "etc/group").write_text(f"root:x:0:\npomona:x:{USER}:\n")
    (root / "etc/nsswitch.conf").write_text("passwd: files\ngroup: files\nhosts: files dns\n")
    (root / "tmp").chmod(0o1777)
    (root / DATA).chmod(0o700)


def write(layout, layers, version, epoch, machine):
    """layers: uncompressed tar archives, from the lowest up."""
    blobs = pathlib.Path(layout) / "blobs/sha256"
    blobs.mkdir(parents=True)

    def blob(data, media_type, **more):
        digest = hashlib.sha256(data).hexdigest()
        (blobs / digest).write_bytes(data)
        return {"mediaType": f"application/vnd.oci.image.{media_type}", "digest": f"sha256:{digest}", "size": len(data), **more}

    def text(value):
        return json.dumps(value, indent=2, sort_keys=True).encode()

    created = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    config = {
        "created": created,
        "architecture": ARCHITECTURES[machine],
        "os": "linux",
        "config": {
            "User": f"{USER}:{USER}",
            "Entrypoint": ["/usr/bin/pomona"],
            "Cmd": ["serve"],
            "WorkingDir": f"/{DATA}",
            "Env": [
                "PATH=/usr/bin",
                f"POMONA_DATA_DIRECTORY=/{DATA}",
                "POMONA_HTTP_HOST=0.0.0.0",
                "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt",
            ],
            "ExposedPorts": {"8080/tcp": {}},
            "Volumes": {f"/{DATA}": {}},
            "Labels": {"org.opencontainers.image.title": "Pomona", "org.opencontainers.image.version": version},
            "StopSignal": "SIGTERM",
            "Healthcheck": HEALTHCHECK,
        },
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer).hexdigest() for layer in layers]},
        "history": [{"created": created, "created_by": "script/package"} for _ in layers],
    }
    manifest = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": blob(text(config), "config.v1+json"),
        "layers": [blob(archives.compressed(layer), "layer.v1.tar+gzip") for layer in layers],
    }
    entry = blob(
        text(manifest),
        "manifest.v1+json",
        platform={"architecture": ARCHITECTURES[machine], "os": "linux"},
        annotations={"org.opencontainers.image.ref.name": version},
    )
    index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [entry]}
    (pathlib.Path(layout) / "index.json").write_bytes(text(index))
    (pathlib.Path(layout) / "oci-layout").write_text('{"imageLayoutVersion": "1.0.0"}')
