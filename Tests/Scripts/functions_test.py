# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""What packaging/functions.py writes down of a small program, and in which order it has the linker put its functions. valgrind is played by a
script: CI's machine has none, and what is to be seen is what becomes of its report."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))

import functions  # noqa: E402

PROGRAM = """\
#include <stdio.h>
#include <string.h>
#include <unistd.h>
__attribute__((noinline)) int paying(int count) { return count * 3; }
__attribute__((noinline)) int unused(int count) { return count * 5; }
__attribute__((noinline)) int starting(int count) { return count * 7; }
int main(int argc, char **argv) {
    if (!strcmp(argv[1], "demo")) return paying(argc) == 0;
    if (!strcmp(argv[1], "broken")) return 3;
    puts(strcmp(argv[1], "serve") ? "Stop with Ctrl-C" : "Listening on");
    fflush(stdout);
    while (starting(argc)) pause();
}
"""
# The form of callgrind's file; SIGTERM ends a traced program in order.
VALGRIND = """\
#!/bin/sh
for part; do case "$part" in --callgrind-out-file=*) report=${part#*=} ;; esac; done
while case "$1" in -*) true ;; *) false ;; esac; do shift; done
case "$2" in
demo) printf "fn=(1) main\\nfn=(2) paying'2\\ncfn=(3) elsewhere\\nfn=(2)\\n" >"$report" ;;
*) printf "fn=(4) main\\ncfn=(5) starting\\n1 2\\nfn=(5)\\n" >"$report" ;;
esac
"$@" &
trap 'kill $!; exit 0' TERM
wait $!
"""


class FunctionsTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "program.c").write_text(PROGRAM)
        self.program = self.folder / "pomona"
        self.link()
        self.list = self.folder / "functions.txt"

    def link(self, *flags):
        subprocess.run(
            ["clang", "-fuse-ld=lld", "-ffunction-sections", "-O1", *flags, "-o", self.program, self.folder / "program.c"], check=True, cwd=self.folder)

    def run_script(self, *arguments):
        valgrind = self.folder / "bin/valgrind"
        valgrind.parent.mkdir(exist_ok=True)
        valgrind.write_text(VALGRIND)
        valgrind.chmod(0o755)
        environment = {**os.environ, "PATH": f"{valgrind.parent}:{os.environ['PATH']}"}
        return subprocess.run(
            [sys.executable, ROOT / "packaging/functions.py", *arguments], env=environment, capture_output=True, text=True, check=False)

    def test_what_is_called_is_put_first_in_the_program(self):
        done = self.run_script("trace", self.program, self.list)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("2 functions until it is ready, 1 more to pay", done.stdout)
        started, paid = (part.split() for part in self.list.read_text().split("\n\n"))
        self.assertEqual(started, sorted(functions.digest(name) for name in ["main", "starting"]))
        self.assertEqual(paid, [functions.digest("paying")])

        ordering = self.folder / "order"
        done = self.run_script("order", self.program, self.list, ordering)
        self.assertEqual(done.returncode, 0, done.stderr)
        # In the order of the program, but by parts: "starting" stands behind "paying" in it.
        self.assertEqual(ordering.read_text().split(), ["starting", "main", "paying"])
        self.link(f"-Wl,--symbol-ordering-file={ordering}", "-Wl,--no-warn-symbol-ordering")
        places = functions.symbols(self.program)
        self.assertLess(places.index("starting"), places.index("main"))
        self.assertLess(places.index("main"), places.index("paying"))
        self.assertLess(places.index("paying"), places.index("unused"))

    def test_a_list_of_another_program_is_refused(self):
        self.list.write_text("\n".join([functions.digest("main"), "00000000", "11111111"]) + "\n\n22222222\n")
        done = self.run_script("order", self.program, self.list, self.folder / "order")
        self.assertEqual(done.returncode, 1)
        self.assertIn("of the 4 functions", done.stderr)
        self.assertIn("script/package --functions", done.stderr)
        self.assertFalse((self.folder / "order").exists())

    def test_a_program_that_does_not_run_makes_no_list(self):
        (self.folder / "program.c").write_text(PROGRAM.replace('"broken"', '"sandbox"'))
        self.link()
        done = self.run_script("trace", self.program, self.list)
        self.assertEqual(done.returncode, 1)
        self.assertIn("sandbox", done.stderr)
        self.assertIn("did not become ready", done.stderr)
        self.assertFalse(self.list.exists())

    def test_the_list_in_the_repository_is_one(self):
        parts = [part.split() for part in (ROOT / "packaging/functions.txt").read_text(encoding="ascii").split("\n\n")]
        self.assertEqual(len(parts), 2)
        for part in parts:
            self.assertGreater(len(part), 1000)
            self.assertEqual(part, sorted(set(part)))
            self.assertTrue(all(len(digest) == 8 and int(digest, 16) >= 0 for digest in part))


if __name__ == "__main__":
    unittest.main()
