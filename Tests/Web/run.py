# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""Runs the browser tests: python run.py [PATTERN].

A test that fails runs a second time, alone, after all others. What fails twice fails the run. What passes then has not the
page to blame but the hurry: it is named at the end as unsteady, with what it failed on, and is to be mended. What failed comes once
more at the very end, after a thousand lines of what passed.
"""

import pathlib
import sys
import unittest


def failed(result):
    """The tests that did not pass, each with its traceback."""
    return [*result.failures, *result.errors, *((test, "It passed, and was expected to fail.") for test in result.unexpectedSuccesses)]


def said(heading, found):
    print(f"\nscript/test-web: {heading}:", file=sys.stderr)
    for test, trace in found:
        print(f"\n{test.id()}\n{trace}", file=sys.stderr)


def main(pattern="*_test.py"):
    folder = str(pathlib.Path(__file__).parent)
    runner = unittest.TextTestRunner(verbosity=2)
    first = runner.run(unittest.TestLoader().discover(folder, pattern=pattern))
    if first.testsRun == 0:
        sys.exit(f"script/test-web: no test is in a file named {pattern}.")
    if first.wasSuccessful():
        return
    # A subtest runs again with its test. A class that could not be set up has no test to run again.
    tests = [getattr(test, "test_case", test) for test, _ in failed(first)]
    names = list(dict.fromkeys(test.id() for test in tests))
    if not all(isinstance(test, unittest.TestCase) for test in tests):
        said("what failed", failed(first))
        sys.exit(1)
    print(f"\nscript/test-web: once more: {', '.join(names)}", file=sys.stderr)
    second = runner.run(unittest.TestLoader().loadTestsFromNames(names))
    if second.wasSuccessful():
        said("unsteady (failed once, then passed)", failed(first))
        return
    said("what failed, twice", failed(second))
    sys.exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
