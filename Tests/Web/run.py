# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""Runs the browser tests: python run.py [PATTERN …].

Files run in lanes, POMONA_WEB_LANES at a time (2), each in a process of its own: browsers wait for pages more than they work. What a
file has printed comes when it has ended. One that takes longer than POMONA_WEB_SECONDS (900) hangs: it is ended, and has failed.

A test that fails runs a second time, alone, after all others; so does one that was skipped, which has not passed, and all of a class
or a module that could not be set up. What fails twice fails the run. What passes then has not the page to blame but the hurry: it is
named at the end as unsteady, with what it failed on, and is to be mended. What failed comes once more at the very end, after a
thousand lines of what passed.
"""

import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

FOLDER = pathlib.Path(__file__).parent
LIMIT_SECONDS = int(os.environ.get("POMONA_WEB_SECONDS", "900"))
# Files that take longer than others of their length: about how many times as long, as it was measured.
WEIGHTS = {"admin_api_test.py": 4, "portal_states_test.py": 3, "portal_webkit_test.py": 3, "portal_roles_test.py": 2}

running = set()


def failed(result):
    """The tests that did not pass, each with its traceback."""
    return [
        *result.failures, *result.errors, *((test, f"It was skipped: {why}\n") for test, why in result.skipped),
        *((test, "It passed, and was expected to fail.\n") for test in result.unexpectedSuccesses)]


def name_of(test):
    """What is run to run it again. A subtest is named by its test, and what is no test by its class, its module or its file."""
    name = getattr(test, "test_case", test).id()
    if whole := re.fullmatch(r"(?:setUp|tearDown)(?:Class|Module) \((.+)\)", name):
        return whole[1]
    if unread := re.fullmatch(r"unittest\.loader\.\w+\.(\w+)", name):
        return f"{unread[1]}.py"
    return name


def said(heading, found):
    print(f"\nscript/test-web: {heading}:", file=sys.stderr)
    for name, trace in found:
        print(f"\n{name}\n{trace}", file=sys.stderr)


def run_here(report, *names):
    """Runs files and tests in this process, and writes what became of them."""
    loader = unittest.TestLoader()
    tests = [loader.discover(str(FOLDER), pattern=name) if name.endswith(".py") else loader.loadTestsFromName(name) for name in names]
    result = unittest.TextTestRunner(verbosity=2).run(unittest.TestSuite(tests))
    lost = [[name_of(test), trace] for test, trace in failed(result)]
    pathlib.Path(report).write_text(json.dumps({"count": result.testsRun, "failed": lost}), encoding="utf-8")


def end(process):
    """Ends a process and what it has started."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@contextlib.contextmanager
def ended_with_this():
    """Whoever ends this ends the lanes as well, which are in sessions of their own."""
    try:
        yield
    finally:
        for process in list(running):
            end(process)


def run_apart(title, seconds, *names):
    """Runs files and tests in a process of its own. One that ends in no order is lost: it has failed, and is not run again."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, open(pathlib.Path(folder, "printed"), "w+b") as printed:
        report = pathlib.Path(folder, "report.json")
        process = subprocess.Popen(
            [sys.executable, __file__, "--report", str(report), *names], stdout=printed, stderr=subprocess.STDOUT, start_new_session=True)
        running.add(process)
        try:
            status = process.wait(seconds)
            why = f"The process ended with status {status}.\n" if status or not report.exists() else ""
        except subprocess.TimeoutExpired:
            why = f"It did not end within {seconds} s.\n"
        finally:
            end(process)
            running.discard(process)
        printed.seek(0)
        sys.stderr.buffer.write(printed.read())
        print(f"script/test-web: {title} took {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
        written = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {"count": 0, "failed": []}
        return {"lost": [[title, why]] if why else [], **written}


def main(*patterns):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    patterns = patterns or ("*_test.py",)
    # The longest first, as far as a file's length says so: a lane that ends early leaves the other alone.
    found = {pattern: set(FOLDER.glob(pattern)) for pattern in patterns}
    if nothing := [pattern for pattern in patterns if not found[pattern]]:
        sys.exit(f"script/test-web: no file is named {', '.join(nothing)}.")
    files = sorted(set().union(*found.values()), key=lambda file: file.stat().st_size * WEIGHTS.get(file.name, 1), reverse=True)
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("POMONA_WEB_LANES", "2"))) as lanes, ended_with_this():
        reports = list(lanes.map(lambda file: run_apart(file.name, LIMIT_SECONDS, file.name), files))
    if empty := [file.name for file, report in zip(files, reports) if not (report["count"] or report["failed"] or report["lost"])]:
        sys.exit(f"script/test-web: no test is in {', '.join(empty)}.")
    print(f"\nscript/test-web: {sum(report['count'] for report in reports)} tests ran.", file=sys.stderr)
    once = [entry for report in reports for entry in report["failed"]]
    lost = [entry for report in reports for entry in report["lost"]]
    twice = []
    if once:
        names = list(dict.fromkeys(name for name, _ in once))
        print(f"\nscript/test-web: once more: {', '.join(names)}", file=sys.stderr, flush=True)
        second = run_apart("what ran once more", LIMIT_SECONDS * len({name.split(".")[0] for name in names}), *names)
        # Without a report nobody knows which of them would have passed.
        twice = second["failed"] + ([*once, *second["lost"]] if second["lost"] else [])
        said("what failed, twice" if twice else "unsteady (failed once, then passed)", twice or once)
    if lost:
        said("what did not come to its end", lost)
    if lost or twice:
        sys.exit(1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--report"]:
        run_here(*sys.argv[2:])
    else:
        main(*sys.argv[1:])
