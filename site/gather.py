# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""What the program says of itself, as files for generate.py: gather.py PROGRAM MODULES FOLDER

PROGRAM is asked for its help; a sandbox of it, which ends with this script, for its OpenAPI document and its problems. MODULES is the folder of
compiled modules, from which the compiler writes the libraries' symbol graphs.
"""

import json
import pathlib
import select
import subprocess
import sys
import tempfile
import urllib.request

# Those that the program is linked with, so that a build of it has compiled them.
LIBRARIES = ("ApplePayToken", "WalletSimulator")
START_SECONDS = 60


def help_of(program, folder):
    said = subprocess.run([program, "--experimental-dump-help"], capture_output=True, text=True, check=True).stdout
    (folder / "help.json").write_text(said, encoding="utf-8")


def administration(program, folder):
    """The documents that the administration serves, from a sandbox on free ports."""
    with tempfile.TemporaryDirectory() as data:
        command = [program, "sandbox", "--json", "--no-shop", "--port", "0", "--tls-port", "0", "--admin-port", "0", "--data", data]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as sandbox:
            try:
                ready, _, _ = select.select([sandbox.stdout], [], [], START_SECONDS)
                line = sandbox.stdout.readline() if ready else b""
                if not line:
                    sys.exit(f"script/site: the sandbox of {program} did not start within {START_SECONDS} s.")
                base = json.loads(line)["admin"]["url"] + "/admin/v1/"
                for name in ("openapi.json", "problems"):
                    with urllib.request.urlopen(base + name, timeout=30) as answer:
                        (folder / f"{name.removesuffix('.json')}.json").write_bytes(answer.read())
            finally:
                sandbox.terminate()
                sandbox.wait(timeout=30)


def symbols(modules, folder):
    """The symbol graphs of the libraries; a second each, without a build."""
    info = json.loads(subprocess.run(["swiftc", "-print-target-info"], capture_output=True, text=True, check=True).stdout)
    # What they import of C: Swift's modules name it, and the package manager writes where it is.
    found = sorted(pathlib.Path(modules).parent.glob("*.build/module.modulemap"))
    maps = [argument for path in found for argument in ("-Xcc", f"-fmodule-map-file={path}")]
    for name in LIBRARIES:
        if not pathlib.Path(modules, f"{name}.swiftmodule").exists():
            sys.exit(f"script/site: {modules} has no {name}.swiftmodule; script/build --product pomona makes it.")
        subprocess.run(
            ["swift-symbolgraph-extract", "-module-name", name, "-I", modules, *maps, "-target", info["target"]["triple"],
             "-minimum-access-level", "public", "-output-dir", folder], check=True, capture_output=True)


if __name__ == "__main__":
    program_path, modules_path, target = sys.argv[1:]
    output = pathlib.Path(target)
    output.mkdir(parents=True, exist_ok=True)
    help_of(program_path, output)
    administration(program_path, output)
    symbols(modules_path, output)
