# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""What documents have a reader do until a sandbox listens: it ends with the sandbox, too, whose own words are the last that he reads. A port that is
taken had him wait for ever."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHELLS = [shell for shell in ("bash", "dash", "zsh") if shutil.which(shell)]
START = re.compile(r"pomona sandbox .*> sandbox\.json &.*\n")
STUB = """#!/bin/sh
case "$MOOD" in
dies) sleep 0.3; echo "Port 8080 is taken." >&2; exit 1 ;;
*) sleep 0.3; echo '{}'; exec sleep 60 ;;
esac
"""


def beginnings():
    """By document: the lines that start a sandbox and wait for it."""
    found = {}
    for path in subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "*.md", "*.py"], capture_output=True, text=True, check=True).stdout.split("\0"):
        if not path or path.startswith("Tests/"):
            continue
        text = (ROOT / path).read_text(encoding="utf-8")
        for start in START.finditer(text):
            found[path] = start.group() + text[start.end():].partition("\n")[0] + "\n"
    return found


class WaitingTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        stub = self.folder / "pomona"
        stub.write_text(STUB)
        stub.chmod(0o755)

    def run_lines(self, shell, lines, mood):
        environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}", "MOOD": mood}
        script = lines + 'echo went on\nkill $! 2> /dev/null || true\n'
        return subprocess.run([shell, "-c", script], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=30)

    def test_documents_begin_with_a_sandbox(self):
        self.assertLessEqual({"README.md", "site/pages/tutorial.md", "docs/dialects/tappay.md", "examples/http/README.md"}, set(beginnings()))
        for path, lines in beginnings().items():
            self.assertIn("\nuntil [ -s sandbox.json ]", lines, path)

    def test_waiting_ends_with_the_sandbox(self):
        for lines in set(beginnings().values()):
            for shell in SHELLS:
                with self.subTest(shell=shell, lines=lines):
                    done = self.run_lines(shell, lines, "dies")
                    self.assertIn("Port 8080 is taken.", done.stderr)
                    self.assertIn("went on", done.stdout)

    def test_waiting_goes_on_until_the_sandbox_listens(self):
        for lines in set(beginnings().values()):
            for shell in SHELLS:
                with self.subTest(shell=shell, lines=lines):
                    done = self.run_lines(shell, lines, "listens")
                    self.assertEqual((self.folder / "sandbox.json").read_text(), "{}\n")
                    self.assertEqual((done.stdout, done.stderr), ("went on\n", ""))
                    (self.folder / "sandbox.json").unlink()


if __name__ == "__main__":
    unittest.main()
