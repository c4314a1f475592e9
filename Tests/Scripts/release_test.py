# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""That the version is the same wherever it stands, and that a release writes another one to all of these places."""

import pathlib
import shutil
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))

import release  # noqa: E402


class ReleaseTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        for path in {path for path, _ in release.PLACES} | {release.CHANGELOG}:
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, self.root / path)
        self.changelog = self.root / release.CHANGELOG
        self.changelog.write_text("# Changelog\n\n## Unreleased\n\n### Added\n\n- Much.\n")
        self.before = release.current(self.root)

    def tearDown(self):
        self.folder.cleanup()

    def refused(self, version, words):
        files = {path: path.read_bytes() for path in self.root.rglob("*") if path.is_file()}
        with self.assertRaises(release.ReleaseError) as raised:
            release.write(self.root, version, "2026-11-26")
        self.assertIn(words, str(raised.exception))
        self.assertEqual(files, {path: path.read_bytes() for path in self.root.rglob("*") if path.is_file()})

    def test_every_place_says_the_same(self):
        self.assertTrue(release.VERSION.fullmatch(self.before))

    def test_a_place_that_differs_is_named(self):
        source = self.root / release.SOURCE
        source.write_text(source.read_text().replace(self.before, "9.9.9"))
        with self.assertRaises(release.ReleaseError) as raised:
            release.current(self.root)
        self.assertIn(f"9.9.9 in {release.SOURCE}", str(raised.exception))

    def test_a_place_without_a_version_is_named(self):
        (self.root / release.SOURCE).write_text("enum Version {}\n")
        with self.assertRaises(release.ReleaseError) as raised:
            release.current(self.root)
        self.assertIn(release.SOURCE, str(raised.exception))

    def test_a_release_writes_its_version_everywhere(self):
        release.write(self.root, "7.8.9-rc.1", "2026-11-26")
        self.assertEqual(release.current(self.root), "7.8.9-rc.1")
        self.assertEqual(
            self.changelog.read_text(), "# Changelog\n\n## Unreleased\n\n## 7.8.9-rc.1 - 2026-11-26\n\n### Added\n\n- Much.\n"
        )
        self.changelog.write_text(self.changelog.read_text().replace("## Unreleased\n", "## Unreleased\n\n- More.\n"))
        release.write(self.root, "7.8.9", "2026-11-27")
        self.assertEqual(release.current(self.root), "7.8.9")
        self.assertIn("## Unreleased\n\n## 7.8.9 - 2026-11-27\n\n- More.\n\n## 7.8.9-rc.1 - 2026-11-26\n", self.changelog.read_text())

    def test_the_first_release_has_the_version_that_is_there(self):
        release.write(self.root, self.before, "2026-11-26")
        self.assertIn(f"## {self.before} - 2026-11-26\n", self.changelog.read_text())
        self.refused(self.before, "does not come after")

    def test_what_is_no_later_version_is_refused(self):
        for version in ["1", "1.2", "v1.2.3", "1.2.3+4", "01.2.3", ""]:
            self.refused(version, "Semantic Versioning")
        release.write(self.root, "7.8.9", "2026-11-26")
        self.changelog.write_text(self.changelog.read_text().replace("## Unreleased\n", "## Unreleased\n\n- More.\n"))
        for version in ["7.8.8", "7.8.9-rc.2", "7.8.9", "0.9.10"]:
            self.refused(version, "does not come after")

    def test_a_release_without_changes_is_refused(self):
        release.write(self.root, "7.8.9", "2026-11-26")
        self.refused("7.9.0", "no changes")

    def test_versions_are_ordered_as_semantic_versioning_has_it(self):
        ordered = ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.10.0"]
        self.assertEqual(sorted(reversed(ordered), key=release.order), ordered)


if __name__ == "__main__":
    unittest.main()
