# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
"""The list of what a package is made of (CycloneDX): docs/sbom.cdx.json, and what is known only where it is packaged: the versions of pomona, of
Swift and of Debian's packages. Those are in the image as they are on this machine; their licences are in /usr/share/doc/PACKAGE/copyright there."""

import copy
import json
import os
import subprocess
import urllib.parse
import uuid


def completed(listed, version, swift):
    """The list for the program, which has Swift's runtime in it."""
    document = copy.deepcopy(listed)
    document["metadata"]["component"]["version"] = version
    reference = f"pkg:generic/swift@{swift}"
    runtime = {"type": "framework", "bom-ref": reference, "name": "Swift's runtime, with Foundation and data of ICU", "version": swift}
    runtime["licenses"] = [{"expression": "Apache-2.0 WITH Swift-exception AND Unicode-3.0"}]
    add(document, {**runtime, "purl": reference})
    return document


def with_debian(document, packages):
    """The same with Debian's packages, by name: their versions."""
    document = copy.deepcopy(document)
    listed = {each["bom-ref"]: each for each in document["components"]}
    for name, version in sorted(packages.items()):
        reference = f"pkg:deb/debian/{name}?distro=debian-12"
        if reference not in listed:
            listed[reference] = {"type": "library", "bom-ref": reference, "name": name}
            add(document, listed[reference])
        listed[reference] |= {"version": version, "purl": f"pkg:deb/debian/{urllib.parse.quote(name, safe='')}@{urllib.parse.quote(version, safe=':')}?distro=debian-12"}
    return document


def add(document, component):
    document["components"].append(component)
    edges = next(each for each in document["dependencies"] if each["ref"] == "pomona")
    edges["dependsOn"] = sorted([*edges["dependsOn"], component["bom-ref"]])


def text(document):
    """With a serial number that follows from the content."""
    body = {key: value for key, value in document.items() if key not in ["$schema", "serialNumber"]}
    serial = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(body, sort_keys=True))}"
    return json.dumps({**document, "serialNumber": serial}, indent=2, ensure_ascii=False) + "\n"


def owner(path):
    """The package that a file of this machine comes from. dpkg has its path as the package has it, which may be from before /lib led to /usr/lib."""
    real = os.path.realpath(path)
    search = ["dpkg-query", "--search", real, real.removeprefix("/usr")]
    lines = subprocess.run(search, capture_output=True, text=True, check=False).stdout.splitlines()
    owners = [line.partition(": ")[0].partition(":")[0] for line in lines if not line.startswith("diversion ")]
    if not owners:
        raise SystemExit(f"script/package: {path} is of no package of Debian's")
    return owners[0]


def installed(names):
    """The versions of packages, by name."""
    show = ["dpkg-query", "--show", "--showformat", "${binary:Package} ${Version}\n", *sorted(names)]
    lines = subprocess.run(show, capture_output=True, text=True, check=True).stdout.splitlines()
    return {name.partition(":")[0]: version for name, version in (line.split() for line in lines)}
