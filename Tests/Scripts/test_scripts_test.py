# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""script/test-scripts and script/test-swift: what fails fails the run, also what is skipped, and what hangs."""

import json
import os
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


# A stand-in for `swift test`: it writes down how it was called, and fails as $FAILS says, call by call.
SWIFT = r"""#!/usr/bin/env python3
import json, os, sys, time
folder = os.environ["FOLDER"]
with open(folder + "/calls", "a") as calls:
    calls.write(json.dumps([sys.argv[1:], os.environ.get("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH")]) + "\n")
count = len(open(folder + "/calls").readlines())
rounds = json.loads(os.environ["FAILS"])
fails = rounds[count - 1] if count <= len(rounds) else []
if fails == "hang":
    print("◇ Test hangs() started.", flush=True)
    time.sleep(60)
if "--event-stream-output-path" in sys.argv:
    with open(sys.argv[sys.argv.index("--event-stream-output-path") + 1], "w") as events:
        for name in fails:
            issue = {"isKnown": False}
            events.write(json.dumps({"kind": "event", "payload": {
                "kind": "issueRecorded", "testID": f"pomonaTests.{name}/File.swift:1:2", "issue": issue}}) + "\n")
        for name in ["A/b()", "C/d(e:)"] if os.environ.get("RUNS") != "nothing" else []:
            events.write(json.dumps({"kind": "event", "payload": {
                "kind": "testEnded", "testID": f"pomonaTests.{name}/File.swift:1:2"}}) + "\n")
        if os.environ.get("CRASHES") != "1":
            events.write(json.dumps({"kind": "event", "payload": {"kind": "runEnded"}}) + "\n")
for name in fails:
    print(f"✘ Test {name} recorded an issue at File.swift:1:2: no")
sys.exit(1 if fails else 0)
"""


class TestSwiftTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "swift").write_text(SWIFT)
        (self.folder / "swift").chmod(0o755)

    def run_tests(self, fails, *arguments, seconds="20", **environment):
        environment = os.environ | {
            "PATH": f"{self.folder}:{os.environ['PATH']}", "FOLDER": str(self.folder), "FAILS": json.dumps(fails), **environment}
        done = subprocess.run(
            [ROOT / "script/test-swift", seconds, *arguments], env=environment, capture_output=True, text=True, check=False)
        calls = [json.loads(line) for line in (self.folder / "calls").read_text().splitlines()]
        return done, calls

    def test_what_passes_is_run_once(self):
        done, calls = self.run_tests([[]], "--once-more", "--filter", "^A")
        self.assertEqual((done.returncode, len(calls)), (0, 1))
        self.assertEqual(calls[0][0][-2:], ["--filter", "^A"])

    def test_what_fails_fails_and_is_not_run_again_unless_asked(self):
        done, calls = self.run_tests([["A/b()"], []])
        self.assertEqual((done.returncode, len(calls)), (1, 1))

    def test_what_fails_once_is_run_alone_and_named(self):
        done, calls = self.run_tests([["A/b()", "C/d(e:)"], []], "--once-more")
        self.assertEqual((done.returncode, len(calls)), (0, 2), done.stdout)
        self.assertEqual(calls[1][0][-2:], ["--filter", r"^pomonaTests\.A/b\(\)|^pomonaTests\.C/d\(e:\)"])
        self.assertEqual(calls[1][1], "1")
        self.assertIn("unsteady: Test A/b() recorded an issue at File.swift:1:2: no", done.stdout)

    def test_where_nothing_has_run_nothing_has_passed(self):
        done, _ = self.run_tests([[]], RUNS="nothing")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no test has run", done.stderr)
        # A test that fits no filter: its id is not among what has ended.
        (self.folder / "calls").unlink()
        done, calls = self.run_tests([["X/y()"], []], "--once-more")
        self.assertEqual((done.returncode, len(calls)), (1, 2))

    def test_what_fails_twice_fails(self):
        done, calls = self.run_tests([["A/b()"], ["A/b()"]], "--once-more")
        self.assertEqual((done.returncode, len(calls)), (1, 2))
        self.assertNotIn("unsteady: ", done.stdout)

    def test_where_much_fails_or_the_run_ends_early_nothing_is_run_again(self):
        done, calls = self.run_tests([[f"A/b{number}()" for number in range(4)], []], "--once-more")
        self.assertEqual((done.returncode, len(calls)), (1, 1))
        (self.folder / "calls").unlink()
        done, calls = self.run_tests([["A/b()"], []], "--once-more", CRASHES="1")
        self.assertEqual((done.returncode, len(calls)), (1, 1))

    def test_what_hangs_is_stopped_and_named(self):
        done, calls = self.run_tests(["hang"], "--once-more", seconds="1")
        self.assertEqual((done.returncode, len(calls)), (124, 1))
        self.assertIn("begun and not ended:\n  Test hangs()", done.stderr)

    def test_neither_the_rooms_nor_what_kills_is_run_again(self):
        for line in (ROOT / "script/test").read_text().splitlines():
            if line.startswith("tests ") and "--once-more" in line:
                self.assertIn("--filter '^pomonaTests\\.", line)
                self.assertNotRegex(line.split("--skip")[0], "Chaos|Nodes")


if __name__ == "__main__":
    unittest.main()
