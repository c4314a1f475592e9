# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""Runs the browser tests: python run.py [PATTERN …].

Files run in lanes, POMONA_WEB_LANES at a time (2), each in a process of its own: browsers wait for pages more than they work. What a
file has printed comes when it has ended.

A test that fails runs a second time, alone, after all others. What fails twice fails the run. What passes then has not the
page to blame but the hurry: it is named at the end as unsteady, with what it failed on, and is to be mended. What failed comes once
more at the very end, after a thousand lines of what passed.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

FOLDER = pathlib.Path(__file__).parent


def failed(result):
    """The tests that did not pass, each with its traceback."""
    return [*result.failures, *result.errors, *((test, "It passed, and was expected to fail.") for test in result.unexpectedSuccesses)]


def said(heading, found):
    print(f"\nscript/test-web: {heading}:", file=sys.stderr)
    for name, trace in found:
        print(f"\n{name}\n{trace}", file=sys.stderr)


def run_file(name, report):
    """Runs one file in this process and writes what became of it. A subtest is named by its test; what is no test can't run again."""
    result = unittest.TextTestRunner(verbosity=2).run(unittest.TestLoader().discover(str(FOLDER), pattern=name))
    found = [(getattr(test, "test_case", test), trace) for test, trace in failed(result)]
    lost = [[test.id(), isinstance(test, unittest.TestCase), trace] for test, trace in found]
    pathlib.Path(report).write_text(json.dumps({"count": result.testsRun, "failed": lost}), encoding="utf-8")


def run_in_lane(name):
    """Runs one file in a process of its own. One that ends without a report counts as failed, and can't run again."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.json")
        ended = subprocess.run(
            [sys.executable, __file__, "--file", name, str(report)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        sys.stderr.buffer.write(ended.stdout)
        print(f"script/test-web: {name} took {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
        if not report.exists():
            return {"count": 0, "failed": [[name, False, f"The process ended with status {ended.returncode}."]]}
        return json.loads(report.read_text(encoding="utf-8"))


def main(*patterns):
    patterns = patterns or ("*_test.py",)
    # The longest first, as far as a file's length says so: a lane that ends early leaves the other alone.
    found = {pattern: set(FOLDER.glob(pattern)) for pattern in patterns}
    if nothing := [pattern for pattern in patterns if not found[pattern]]:
        sys.exit(f"script/test-web: no file is named {', '.join(nothing)}.")
    files = sorted(set().union(*found.values()), key=lambda file: file.stat().st_size, reverse=True)
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("POMONA_WEB_LANES", "2"))) as lanes:
        reports = list(lanes.map(run_in_lane, [file.name for file in files]))
    if empty := [file.name for file, report in zip(files, reports) if report["count"] == 0 and not report["failed"]]:
        sys.exit(f"script/test-web: no test is in {', '.join(empty)}.")
    print(f"\nscript/test-web: {sum(report['count'] for report in reports)} tests ran.", file=sys.stderr)
    lost = [entry for report in reports for entry in report["failed"]]
    if not lost:
        return
    found = [(name, trace) for name, _, trace in lost]
    if not all(runs_again for _, runs_again, _ in lost):
        said("what failed", found)
        sys.exit(1)
    names = list(dict.fromkeys(name for name, _ in found))
    print(f"\nscript/test-web: once more: {', '.join(names)}", file=sys.stderr)
    sys.path.insert(0, str(FOLDER))
    second = unittest.TextTestRunner(verbosity=2).run(unittest.TestLoader().loadTestsFromNames(names))
    if second.wasSuccessful():
        said("unsteady (failed once, then passed)", found)
        return
    said("what failed, twice", [(test.id(), trace) for test, trace in failed(second)])
    sys.exit(1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--file"]:
        run_file(*sys.argv[2:])
    else:
        main(*sys.argv[1:])
