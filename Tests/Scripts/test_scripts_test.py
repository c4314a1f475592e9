# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""script/test-scripts: what fails and what is skipped fails the run."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = {
    "pass": "def test(self): pass",
    "fail": "def test(self): self.fail('no')",
    "skip": "@unittest.skip('no server')\n    def test(self): pass",
    "skip_in_test": "def test(self): self.skipTest('no server')",
    "skip_whole_class": "@classmethod\n    def setUpClass(cls): raise unittest.SkipTest('no server')\n    def test(self): pass",
}


class TestScriptsTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for name in ["script", "Tests/Scripts"]:
            (self.folder / name).mkdir(parents=True)
        shutil.copy(ROOT / "script/test-scripts", self.folder / "script")
        for name, text in TESTS.items():
            (self.folder / f"Tests/Scripts/{name}_test.py").write_text(f"import unittest\n\n\nclass A(unittest.TestCase):\n    {text}\n")

    def run_tests(self, *pattern):
        return subprocess.run([self.folder / "script/test-scripts", *pattern], capture_output=True, text=True, check=False)

    def test_what_passes_passes(self):
        self.assertEqual(self.run_tests("pass_test.py").returncode, 0)

    def test_what_fails_fails(self):
        for pattern in [["fail_test.py"], []]:
            self.assertEqual(self.run_tests(*pattern).returncode, 1, pattern)

    def test_what_is_skipped_fails_and_is_named(self):
        for name in TESTS:
            if name.startswith("skip"):
                done = self.run_tests(f"{name}_test.py")
                self.assertNotEqual(done.returncode, 0, name)
                self.assertIn("no server", done.stdout + done.stderr, name)

    def test_all_tests_are_run_so(self):
        text = (ROOT / "script/test").read_text()
        self.assertIn("script/test-scripts\n", text)
        self.assertNotIn("unittest", text)


if __name__ == "__main__":
    unittest.main()
