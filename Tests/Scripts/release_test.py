# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""That the version is the same wherever it stands, that a release writes another one to all of these places, and what script/release runs."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))

import release  # noqa: E402

# Whatever this machine's git is configured to.
AUTHOR = {f"GIT_{who}_{what}": "a@b" for who in ["AUTHOR", "COMMITTER"] for what in ["NAME", "EMAIL"]}


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
        # Helm knows a chart by its own version, not by the program's.
        self.assertIn("\nversion: 7.8.9-rc.1\n", (self.root / "ops/helm/pomona/Chart.yaml").read_text())
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
        for before, after in zip(map(release.debian, ordered), map(release.debian, ordered[1:])):
            subprocess.run(["dpkg", "--compare-versions", before, "lt", after], check=True)

    def test_packages_are_named_as_debian_has_it(self):
        release.write(self.root, "7.8.9-rc.1", "2026-11-26")
        text = (self.root / "docs/install.md").read_text()
        self.assertIn("./pomona_7.8.9~rc.1_amd64.deb", text)
        self.assertIn("pomona-7.8.9-rc.1-linux-x86_64.tar.gz", text)
        self.assertEqual(release.current(self.root), "7.8.9-rc.1")


class ReleaseScriptTest(unittest.TestCase):
    """script/release and script/api-breakage in a small clone, with scripts in the others' places that write down how they are called."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.clone, self.called = pathlib.Path(folder.name) / "clone", pathlib.Path(folder.name) / "called"
        for path in {path for path, _ in release.PLACES} | {"packaging/release.py", "script/release", "script/api-breakage"}:
            (self.clone / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, self.clone / path)
        (self.clone / release.CHANGELOG).write_text("# Changelog\n\n## Unreleased\n\n- Much.\n")
        (self.clone / "bin").mkdir()
        for name in ["script/test", "script/fuzz", "script/package", "script/package-check", "bin/swift"]:
            (self.clone / name).write_text(f'#!/bin/sh\necho "{pathlib.Path(name).name} $*" >>{self.called}\n')
            (self.clone / name).chmod(0o755)
        self.git("init", "--quiet")
        self.git("add", ".")
        self.git("commit", "--quiet", "--message", "All")
        self.environment = {**os.environ, **AUTHOR, "PATH": f"{self.clone / 'bin'}:{os.environ['PATH']}"}

    def git(self, *arguments):
        command = ["git", "-C", self.clone, *arguments]
        return subprocess.run(command, env={**os.environ, **AUTHOR}, check=True, capture_output=True, text=True).stdout

    def run_script(self, *command):
        self.called.write_text("")
        return subprocess.run(command, cwd=self.clone, env=self.environment, capture_output=True, text=True, check=False)

    def release(self, version):
        done = self.run_script("script/release", version)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.git("describe", "HEAD").strip(), f"v{version}")
        return self.called.read_text().splitlines()

    def test_a_release_is_compared_with_and_upgraded_from_the_one_before(self):
        # Tests, fuzzing, packages: nothing is there to upgrade from.
        self.assertEqual(self.release("7.8.9"), ["test ", "fuzz all --runs 100000", "package --twice", "package-check "])
        changelog = self.clone / release.CHANGELOG
        changelog.write_text(changelog.read_text().replace("## Unreleased\n", "## Unreleased\n\n- More.\n"))
        self.git("commit", "--quiet", "--all", "--message", "More")
        called = self.release("7.9.0")
        self.assertRegex(called[0], r"^swift package diagnose-api-breaking-changes v7\.8\.9 --products ApplePayToken ")
        self.assertEqual(called[-1], "package-check --upgrade-from v7.8.9")

    def test_a_release_that_breaks_programs_leaves_nothing(self):
        self.git("tag", "v0.0.1")
        swift = self.clone / "bin/swift"
        swift.write_text("#!/bin/sh\nexit 1\n")
        self.git("commit", "--quiet", "--all", "--message", "Break")
        before = self.git("rev-parse", "HEAD")
        self.assertEqual(self.run_script("script/release", "7.8.9").returncode, 1)
        self.assertEqual((self.git("rev-parse", "HEAD"), self.git("status", "--porcelain"), self.called.read_text()), (before, "", ""))

    def test_a_clone_without_its_tags_compares_nothing_and_says_so(self):
        self.assertEqual(self.run_script("script/api-breakage").returncode, 0)
        self.release("7.8.9")
        self.git("commit", "--quiet", "--allow-empty", "--message", "More")
        self.git("tag", "--delete", "v7.8.9")
        done = self.run_script("script/api-breakage")
        self.assertEqual((done.returncode, self.called.read_text()), (1, ""))
        self.assertIn("git fetch --tags", done.stderr)


if __name__ == "__main__":
    unittest.main()
