# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""The version of a clone: where it is written, and how a release writes another.

python3 packaging/release.py            prints it, if all places say the same
python3 packaging/release.py 1.2.3 DATE writes it, and gives the changelog's unreleased changes its name and date
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Semantic Versioning 2.0.0, without build metadata: Debian's version has no plus sign of its own.
VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?")
SOURCE = "Sources/pomona/Version.swift"
# Each with what stands around the version, @, or around Debian's form of it, %. Whatever matches says the version, and is written anew.
PLACES = [
    (SOURCE, r'(static let text = ")@(")'),
    ("Sources/CApplePayToken/include/applepaytoken.h", r'(APPLE_PAY_TOKEN_VERSION ")@(")'),
    ("README.md", r"(pomona_)%(_amd64\.deb)"),
    ("README.md", r'(from: ")@("\))'),
    ("docs/install.md", r"(pomona_)%(_amd64\.deb)"),
    ("docs/install.md", r"(libapplepaytoken-c_)%(_amd64\.deb)"),
    ("docs/install.md", r"(pomona-)@(-linux-x86_64)"),
    ("docs/install.md", r"(pomona-)@(-x86_64\.oci)"),
    ("docs/install.md", r"(oci:layout:)@()(?= )"),
    ("docs/install.md", r"(registry\.example/pomona:)@()"),
    ("docs/kubernetes.md", r"(registry\.example/pomona:)@()"),
    ("ops/helm/pomona/Chart.yaml", r"(\nversion: )@()"),
    ("ops/helm/pomona/Chart.yaml", r'(appVersion: "?)@("?)'),
    ("ops/kubernetes/overlays/postgresql/kustomization.yaml", r'(newTag: "?)@("?)'),
    ("ops/kubernetes/overlays/sqlite/kustomization.yaml", r'(newTag: "?)@("?)'),
    ("ops/kubernetes/base/deployment.yaml", r"(registry\.example/pomona:)@()"),
    ("packaging/Dockerfile", r"(ARG VERSION=)@()"),
    ("packaging/Dockerfile", r"(registry\.example/pomona:)@()"),
    ("site/pages/tutorial.md", r"(pomona_)%(_amd64\.deb)"),
]
CHANGELOG = "CHANGELOG.md"


class ReleaseError(Exception):
    """Why there is no release; a sentence."""


def debian(version):
    """As Debian writes it: with the hyphen a pre-release would come after its release (deb-version(7))."""
    return version.replace("-", "~", 1)


def pattern(place):
    forms = {"@": VERSION.pattern, "%": VERSION.pattern.replace("(-", "(~")}
    return re.compile(re.sub("[@%]", lambda mark: f"(?P<version>{forms[mark[0]]})", place))


def current(root):
    """The version that all places say."""
    found = {}
    for path, place in PLACES:
        versions = {match["version"].replace("~", "-") for match in pattern(place).finditer((root / path).read_text())}
        if not versions:
            raise ReleaseError(f"{path} says no version where one is expected: {place}")
        for version in versions:
            found.setdefault(version, []).append(path)
    if len(found) > 1:
        raise ReleaseError("The version differs: " + "; ".join(f"{version} in {', '.join(paths)}" for version, paths in sorted(found.items())))
    return next(iter(found))


def order(version):
    """By which versions are sorted: a pre-release comes before its release."""
    match = VERSION.fullmatch(version)
    numbers = tuple(int(match[index]) for index in (1, 2, 3))
    parts = [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in (match[4] or "")[1:].split(".") if part]
    return numbers, match[4] is None, parts


def named_changes(text, version, date):
    """The changelog, with its unreleased changes under the version."""
    head, separator, rest = text.partition("## Unreleased\n")
    changes = rest.partition("\n## ")[0].strip()
    if not separator or not changes:
        raise ReleaseError(f"{CHANGELOG} has no changes under Unreleased.")
    return f"{head}## Unreleased\n\n## {version} - {date}\n{rest}"


def write(root, version, date):
    if not VERSION.fullmatch(version):
        raise ReleaseError(f"{version} is no version as Semantic Versioning has it: 1.2.3, 1.2.3-rc.1.")
    before = current(root)
    changelog = (root / CHANGELOG).read_text()
    # The first release has the version that the clone says already.
    is_first = not re.search(r"^## \d", changelog, re.MULTILINE)
    if order(version) < order(before) or (version == before and not is_first):
        raise ReleaseError(f"{version} does not come after {before}.")
    changelog = named_changes(changelog, version, date)
    for path, place in PLACES:
        file = root / path
        written = debian(version) if "%" in place else version
        file.write_text(pattern(place).sub(lambda match: match[0].replace(match["version"], written), file.read_text()))
    (root / CHANGELOG).write_text(changelog)


def main(arguments):
    try:
        if len(arguments) == 2:
            write(ROOT, *arguments)
        elif arguments:
            raise ReleaseError("usage: packaging/release.py [VERSION DATE]")
        print(current(ROOT))
    except ReleaseError as error:
        sys.exit(f"packaging/release.py: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
