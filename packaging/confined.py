# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
"""Runs a program under a unit's filter of system calls, where no systemd runs that would do it.

confined.py UNIT COMMAND…

The filter is what systemd makes of SystemCallFilter= and SystemCallErrorNumber= (systemd.exec(5)): the groups are those of this machine's
systemd-analyze, the library is the one that systemd uses. What else a unit forbids is not looked at.
"""

import ctypes
import errno
import os
import pathlib
import subprocess
import sys

# linux/seccomp.h
KILL_PROCESS, ERRNO, ALLOW = 0x80000000, 0x00050000, 0x7FFF0000


def settings(unit, name):
    """All values of a setting, in the unit's order."""
    lines = pathlib.Path(unit).read_text().splitlines()
    return [line.partition("=")[2].strip() for line in lines if line.startswith(f"{name}=")]


def calls(name):
    """The system calls of a name, which is one itself or a group that may have groups in it."""
    if not name.startswith("@"):
        return {name}
    listed = subprocess.run(["systemd-analyze", "syscall-filter", name], check=True, capture_output=True, text=True).stdout
    members = [line.strip() for line in listed.splitlines() if line.startswith(" ") and line.strip()]
    return set().union(*(calls(member) for member in members if not member.startswith("#")))


def allowed(unit):
    """The system calls that the unit's filter lets through. It begins with those that are allowed."""
    # What the kernel and systemd itself need to start a program is in every such filter.
    found = calls("@default")
    for filter in settings(unit, "SystemCallFilter"):
        named = set().union(*(calls(name) for name in filter.removeprefix("~").split()))
        found = found - named if filter.startswith("~") else found | named
    return found


def confine(unit):
    """Puts this process, and whatever it starts, under the filter."""
    library = ctypes.CDLL("libseccomp.so.2")
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_init.argtypes = [ctypes.c_uint32]
    library.seccomp_rule_add_array.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint, ctypes.c_void_p]
    library.seccomp_load.argtypes = [ctypes.c_void_p]
    numbers = settings(unit, "SystemCallErrorNumber")
    context = library.seccomp_init(ERRNO | getattr(errno, numbers[-1]) if numbers else KILL_PROCESS)
    for name in sorted(allowed(unit)):
        number = library.seccomp_syscall_resolve_name(name.encode())
        # Negative are those of other architectures and of later kernels.
        if number >= 0 and library.seccomp_rule_add_array(context, ALLOW, number, 0, None) != 0:
            raise SystemExit(f"confined.py: no rule for {name}")
    # It sets no_new_privs, too.
    if library.seccomp_load(context) != 0:
        raise SystemExit("confined.py: the kernel takes no filter")


if __name__ == "__main__":
    confine(sys.argv[1])
    os.execvp(sys.argv[2], sys.argv[2:])
