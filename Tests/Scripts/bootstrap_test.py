# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""script/bootstrap, on a PATH that has next to nothing, with an apt-get that only writes down what it is asked for."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
THERE = ["bash", "env", "head", "ls", "sed", "sh", "test"]


class BootstrapTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for name in THERE:
            (self.folder / name).symlink_to(shutil.which(name))
        self.program("id", "echo 0")
        self.program("apt-get", f'echo "$@" >>{self.folder}/asked')
        self.program("swift", "echo 'Swift version 6.3.1 (swift-6.3.1-RELEASE)'")

    def program(self, name, line):
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{line}\n")
        path.chmod(0o755)

    def bootstrap(self, *arguments):
        return subprocess.run(
            [ROOT / "script/bootstrap", *arguments],
            env={"PATH": str(self.folder)},
            capture_output=True,
            text=True,
            check=False,
        )

    def installed(self, purpose):
        done = self.bootstrap(purpose)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = (self.folder / "asked").read_text().splitlines()
        words = [word for line in lines if " install " in line for word in line.partition(" install ")[2].split()]
        return {word for word in words if not word.startswith("-")}

    def test_installs_the_languages_of_every_snippet_for_the_tests(self):
        asked = self.installed("test")
        languages = {"nodejs", "php-cli", "default-jdk-headless", "python3"}
        self.assertLessEqual(languages | {"chromium-headless-shell", "webkit2gtk-driver", "firefox-esr"}, asked)

    def test_installs_once_more_where_the_index_has_changed_meanwhile(self):
        count = f"""$(grep -c install {self.folder}/asked)"""
        (self.folder / "grep").symlink_to(shutil.which("grep"))
        self.program("apt-get", f'echo "$@" >>{self.folder}/asked; [ "$3" != install ] || [ {count} -ge 2 ]')
        self.assertIn("chromium-headless-shell", self.installed("test"))
        lines = (self.folder / "asked").read_text().splitlines()
        self.assertEqual(["install" in line for line in lines], [False, True, False, True])

    def test_what_cannot_be_installed_fails(self):
        self.program("apt-get", f'echo "$@" >>{self.folder}/asked; exit 100')
        self.assertNotEqual(self.bootstrap("test").returncode, 0)
        self.assertEqual(len((self.folder / "asked").read_text().splitlines()), 3)

    def test_installs_no_browser_server_or_language_for_the_demo(self):
        asked = self.installed("build")
        self.assertLessEqual({"pkg-config", "python3"}, asked)
        for name in ["chromium-headless-shell", "postgresql", "default-jdk-headless", "nodejs", "php-cli", "gcc"]:
            self.assertNotIn(name, asked)

    def test_installs_what_tries_the_packages(self):
        self.assertLessEqual({"debootstrap", "iproute2", "skopeo", "umoci"}, self.installed("package-check"))

    def test_the_demo_asks_for_the_build_alone(self):
        self.assertIn("script/bootstrap build\n", (ROOT / "script/demo").read_text())
        for name in ["test", "test-web"]:
            self.assertIn("script/bootstrap test\n", (ROOT / "script" / name).read_text())

    def test_whatever_a_test_is_skipped_without_is_installed(self):
        skips = set()
        for path in [*ROOT.glob("Tests/**/*.swift"), *ROOT.glob("Testing/**/*.swift")]:
            skips |= set(re.findall(r"\"([\w.-]+) is not installed", path.read_text(encoding="utf-8")))
        self.assertIn("php", skips)
        text = (ROOT / "script/bootstrap").read_text()
        for name in sorted(skips):
            self.assertRegex(text, rf"\b{re.escape(name)}\b", f"nothing installs {name}")

    def test_modules_are_looked_for_in_the_python_that_has_them(self):
        # Patroni runs with Debian's python3. One found first on the PATH may have the module that Debian's lacks, or the other way.
        for package, probe in re.findall(r"wants (python3-(?!venv)\w+) (\S+)", (ROOT / "script/bootstrap").read_text()):
            self.assertEqual(probe, "/usr/bin/python3", package)

    def test_refuses_another_purpose_and_an_old_swift(self):
        done = self.bootstrap("everything")
        self.assertEqual(done.returncode, 2)
        self.assertIn("script/bootstrap [build|package|package-check|failover|test]", done.stderr)
        self.program("swift", "echo 'Swift version 6.2.1'")
        done = self.bootstrap("build")
        self.assertEqual(done.returncode, 1)
        self.assertIn("needs Swift 6.3 or later; this is 6.2", done.stderr)


if __name__ == "__main__":
    unittest.main()
