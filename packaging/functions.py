# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
"""Puts the functions that a gateway calls beside each other in the program. The system reads a program's file in pages, and the pages around them:
where what is called is spread over all of it, all of it is in memory.

functions.py trace PROGRAM LIST            Writes down what is called: by pomona serve and by pomona sandbox until they are ready, then by pomona demo.
                                           PROGRAM has its table of symbols; valgrind counts (apt install valgrind).
functions.py order PROGRAM LIST OUTPUT     Writes the order for the linker (lld's --symbol-ordering-file): of the program as it is without one.

The list has eight hexadecimal digits for each function, the first of the SHA-256 of its symbol: the symbols would be ten times as much. What was
renamed since falls out, and takes a place of its own until the list is made anew. Few enough for that to be worth it are refused.
valgrind's processor has no ADX: what takes it (CP256Table) is never on the list.
"""

import hashlib
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# What of the list has to be in the program.
FOUND_MIN = 0.7
# Of callgrind's file: the first mention of a function has its name, later ones its number. Recursion has a number behind the name.
MENTION = re.compile(r"c?fn=\((\d+)\)(?: (.+))?$")
RECURSION = re.compile(r"'\d+$")
READY = {"serve": "Listening on", "sandbox": "Stop with Ctrl-C"}


def digest(symbol):
    return hashlib.sha256(symbol.encode()).hexdigest()[:8]


def symbols(program):
    """The program's functions, in the order of their places."""
    listed = subprocess.run(["nm", "--defined-only", "--numeric-sort", program], check=True, capture_output=True, text=True).stdout
    return [name for _, kind, name in (line.split(maxsplit=2) for line in listed.splitlines()) if kind in "tTwW"]


def called(report):
    """The functions of a file of callgrind's."""
    names, found = {}, set()
    for line in report.splitlines():
        if mention := MENTION.match(line):
            number, name = mention.groups()
            names[number] = name or names[number]
            found.add(RECURSION.sub("", names[number]))
    return found


def counted(program, arguments, folder):
    """Runs the program until it is ready, or ends by itself, and gives what it has called."""
    report, log = folder / "report", folder / "log"
    command = ["valgrind", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={report}", program, *arguments]
    with log.open("wb") as output:
        run = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, cwd=folder)
        ready = READY.get(arguments[0])
        deadline = time.monotonic() + 600
        while ready and ready not in log.read_text(errors="replace"):
            if run.poll() is not None or time.monotonic() > deadline:
                run.kill()
                sys.exit(f"functions.py: {' '.join(arguments)} did not become ready:\n{log.read_text(errors='replace')[-2000:]}")
            time.sleep(0.5)
        if ready:
            run.send_signal(signal.SIGTERM)
        if run.wait(timeout=600) != 0:
            sys.exit(f"functions.py: {' '.join(arguments)} failed:\n{log.read_text(errors='replace')[-2000:]}")
    return called(report.read_text(errors="replace"))


def trace(program, listed):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # valgrind can't read all of today's debug information.
        traced = folder / "pomona"
        subprocess.run(["objcopy", "--strip-debug", program, traced], check=True)
        for resources in pathlib.Path(program).parent.glob("*.resources"):
            shutil.copytree(resources, folder / resources.name)
        known = set(symbols(traced))
        ports = ["--port", "0"]
        started = counted(traced, ["serve", "--data", "serve", *ports], folder)
        started |= counted(traced, ["sandbox", "--data", "sandbox", "--no-shop", "--tls-port", "0", *ports], folder)
        paid = counted(traced, ["demo"], folder) - started
    parts = [sorted({digest(symbol) for symbol in part & known}) for part in (started, paid)]
    pathlib.Path(listed).write_text("\n\n".join("\n".join(part) for part in parts) + "\n", encoding="ascii")
    print(f"functions.py: {len(parts[0])} functions until it is ready, {len(parts[1])} more to pay")


def order(program, listed):
    """The symbols, first those of the list's first part."""
    places = {}
    for part, text in enumerate(pathlib.Path(listed).read_text(encoding="ascii").split("\n\n")):
        places.update(dict.fromkeys(text.split(), part))
    found = [(places[digest(symbol)], symbol) for symbol in dict.fromkeys(symbols(program)) if digest(symbol) in places]
    known = len({digest(symbol) for _, symbol in found})
    if known < FOUND_MIN * len(places):
        sys.exit(f"functions.py: of the {len(places)} functions of {listed} the program has {known}. Make the list anew: script/package --functions")
    return [symbol for _, symbol in sorted(found, key=lambda place: place[0])]


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["trace", program, listed]:
            trace(program, listed)
        case ["order", program, listed, output]:
            pathlib.Path(output).write_text("\n".join(order(program, listed)) + "\n", encoding="utf-8")
        case _:
            sys.exit(__doc__)
