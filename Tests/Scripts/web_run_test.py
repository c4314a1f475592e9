# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""Tests/Web/run.py: what fails runs once more, what is skipped has failed, and what hangs is ended."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# True at the second run.
AGAIN = "pathlib.Path(__file__).with_suffix('.again').exists() or bool(pathlib.Path(__file__).with_suffix('.again').touch())"
PASSES = "def test(self): pass"
TESTS = {
    "passes": PASSES,
    "fails": "def test(self): self.fail('no')",
    "fails_once": f"def test(self): self.assertTrue({AGAIN}, 'not yet')",
    "fails_once_in_part": f"def test(self):\n        with self.subTest('a part'): self.assertTrue({AGAIN}, 'not yet')",
    "skips": "def test(self): self.skipTest('too slow')",
    "skips_once": f"def test(self):\n        if not ({AGAIN}): self.skipTest('too slow')",
    "starts_late": f"@classmethod\n    def setUpClass(cls): assert {AGAIN}, 'not yet'\n    {PASSES}",
    "starts_never": f"@classmethod\n    def setUpClass(cls): raise RuntimeError('no server')\n    {PASSES}",
    "is_empty": "pass",
    "dies": "def test(self): print('dying', flush=True); os._exit(3)",
    "dies_late": "def test(self): atexit.register(os._exit, 3)",
    "hangs_late": "def test(self): threading.Thread(target=time.sleep, args=(600,)).start()",
    "hangs": "def test(self): print('hanging', os.getpid(), subprocess.Popen(['sleep', '600']).pid, flush=True); time.sleep(600)",
}
FILE = "import atexit\nimport os\nimport pathlib\nimport subprocess\nimport threading\nimport time\nimport unittest\n\n\nclass A(unittest.TestCase):\n    {}\n"


class WebRunTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        shutil.copy(ROOT / "Tests/Web/run.py", self.folder)
        for name, text in TESTS.items():
            (self.folder / f"{name}_test.py").write_text(FILE.format(text))
        (self.folder / "module_test.py").write_text(
            f"import pathlib\n{FILE.format(PASSES)}\n\ndef setUpModule(): assert {AGAIN}, 'not yet'\n")
        (self.folder / "unread_test.py").write_text("import nothing_of_this_name\n")

    def command(self, *names):
        return [sys.executable, "-B", self.folder / "run.py", *(f"{name}_test.py" for name in names)]

    def run_files(self, *names, seconds=60):
        done = subprocess.run(
            self.command(*names), capture_output=True, text=True, check=False, timeout=120,
            env={**os.environ, "POMONA_WEB_SECONDS": str(seconds)})
        return done.returncode, done.stderr

    def test_what_passes_passes(self):
        code, text = self.run_files("passes")
        self.assertEqual(code, 0, text)
        self.assertIn("1 tests ran", text)
        self.assertNotIn("once more", text)

    def test_what_fails_twice_fails(self):
        for name, why in (("fails", "no"), ("skips", "too slow"), ("starts_never", "no server"), ("unread", "nothing_of_this_name")):
            with self.subTest(name):
                code, text = self.run_files(name)
                self.assertEqual(code, 1, text)
                self.assertIn(why, text.partition("what failed, twice:")[2])

    def test_what_passes_at_the_second_run_is_unsteady(self):
        names = ["fails_once", "fails_once_in_part", "skips_once", "starts_late", "module"]
        code, text = self.run_files(*names)
        self.assertEqual(code, 0, text)
        said = text.partition("unsteady")[2]
        for name in names:
            self.assertIn(f"\n{name}_test", said)

    def test_what_could_not_start_keeps_nobody_from_a_second_run(self):
        code, text = self.run_files("fails_once", "starts_never")
        self.assertEqual(code, 1, text)
        said = text.partition("what failed, twice:")[2]
        self.assertIn("starts_never_test.A", said)
        self.assertNotIn("fails_once", said)

    def test_what_has_no_tests_fails(self):
        code, text = self.run_files("is_empty")
        self.assertEqual(code, 1, text)
        self.assertIn("no test is in is_empty_test.py", text)

    def test_what_dies_has_failed_and_is_named(self):
        code, text = self.run_files("dies", "fails_once")
        self.assertEqual(code, 1, text)
        self.assertIn("dying", text)
        self.assertIn("dies_test.py\nThe process ended with status 3.", text)
        self.assertIn("unsteady", text)

    def test_what_comes_to_no_end_after_its_tests_has_failed(self):
        for name, why in (("dies_late", "The process ended with status 3."), ("hangs_late", "It did not end within 10 s.")):
            code, text = self.run_files(name, seconds=10)
            self.assertEqual(code, 1, text)
            self.assertIn(f"{name}_test.py\n{why}", text)

    def assertEnded(self, *numbers):
        until = time.monotonic() + 20
        for number in numbers:
            state = pathlib.Path(f"/proc/{number}/stat")
            # Who has ended and was not asked for yet is there as a zombie.
            while state.exists() and state.read_text().rpartition(")")[2].split()[0] != "Z":
                self.assertLess(time.monotonic(), until, "It goes on.")
                time.sleep(0.05)

    def test_what_hangs_is_ended_with_all_that_it_has_started(self):
        code, text = self.run_files("hangs", "passes", seconds=15)
        self.assertEqual(code, 1, text)
        self.assertIn("hangs_test.py\nIt did not end within 15 s.", text)
        self.assertEnded(*text.partition("hanging ")[2].split("\n")[0].split())

    def test_whoever_ends_the_run_ends_its_tests(self):
        begun = self.folder / "begun"
        (self.folder / "hangs_test.py").write_text(FILE.format(
            f"def test(self):\n        pathlib.Path({str(begun)!r}).write_text(str(os.getpid()))\n        time.sleep(600)"))
        with subprocess.Popen(self.command("hangs", "passes"), stderr=subprocess.DEVNULL) as run:
            self.addCleanup(run.kill)
            until = time.monotonic() + 60
            while not (begun.exists() and begun.read_text()):
                self.assertLess(time.monotonic(), until)
                time.sleep(0.05)
            run.terminate()
            self.assertEqual(run.wait(60), 128 + signal.SIGTERM)
        self.assertEnded(begun.read_text())


if __name__ == "__main__":
    unittest.main()
