# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""script/dependencies, in a copy of what it reads, with one thing wrong at a time."""

import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = ["Package.swift", "Benchmarks/Package.swift", "Fuzz/Package.swift", "docs/sbom.cdx.json", "script/dependencies"]


class DependenciesTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for name in FILES:
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.folder / name)
        # What SwiftPM would have resolved: just what is listed.
        components = json.loads((ROOT / "docs/sbom.cdx.json").read_text())["components"]
        self.pins = [
            {
                "identity": each["name"],
                "location": each["externalReferences"][0]["url"],
                "state": {"revision": "0" * 40, "version": each["version"]},
            }
            for each in components
            if each["purl"].startswith("pkg:swift/")
        ]
        self.resolve(self.pins)

    def resolve(self, pins):
        (self.folder / "Package.resolved").write_text(json.dumps({"version": 3, "pins": pins}))

    def check(self):
        return subprocess.run(
            [self.folder / "script/dependencies", "check"], capture_output=True, text=True, check=False
        )

    def expect_refusal(self, *words):
        done = self.check()
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def replace(self, name, old, new):
        text = (self.folder / name).read_text()
        self.assertIn(old, text)
        (self.folder / name).write_text(text.replace(old, new, 1))

    def test_takes_what_is_pinned_and_listed(self):
        done = self.check()
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_refuses_a_range_of_versions(self):
        self.replace("Package.swift", 'swift-nio", exact:', 'swift-nio", from:')
        self.expect_refusal("Package.swift", "swift-nio is not pinned")

    def test_refuses_a_branch(self):
        self.replace("Fuzz/Package.swift", 'swift-nio", exact: "2.101.2"', 'swift-nio", branch: "main"')
        self.expect_refusal("Fuzz/Package.swift", "not pinned")

    def test_refuses_a_form_that_it_cannot_read(self):
        self.replace("Package.swift", 'swift-log", exact: "', 'swift-log", "1.0.0"..<"')
        self.expect_refusal("Package.swift", "write exact:")

    def test_refuses_two_versions_of_one_package(self):
        self.replace("Benchmarks/Package.swift", 'GRDB.swift", exact: "7', 'GRDB.swift", exact: "6')
        self.expect_refusal("Benchmarks/Package.swift", "another version")

    def test_refuses_a_package_that_came_in_another_version_with_another(self):
        pins = json.loads(json.dumps(self.pins))
        next(pin for pin in pins if pin["identity"] == "swift-collections")["state"]["version"] = "9.9.9"
        self.resolve(pins)
        self.expect_refusal("swift-collections: listed", "resolved 9.9.9")

    def test_refuses_a_package_that_is_not_listed(self):
        self.resolve([*self.pins, {"identity": "stranger", "location": "https://x/stranger", "state": {"version": "1.0.0"}}])
        self.expect_refusal("stranger: listed not at all, resolved 1.0.0")

    def test_refuses_a_package_that_is_pinned_to_a_branch_by_another(self):
        pins = json.loads(json.dumps(self.pins))
        del pins[0]["state"]["version"]
        self.resolve(pins)
        self.expect_refusal("resolved to no version")


if __name__ == "__main__":
    unittest.main()
