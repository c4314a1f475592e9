# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""The program under the filter of system calls that packaging's pomona.service has, as systemd starts it.

Environment
    POMONA_BINARY  the built executable; .build/debug/pomona if left out
"""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
UNIT = ROOT / "packaging/root/usr/lib/systemd/system/pomona.service"
CONFINED = ROOT / "packaging/confined.py"
sys.path.insert(0, str(ROOT / "packaging"))

import confined  # noqa: E402

PROGRAM = pathlib.Path(os.environ.get("POMONA_BINARY") or ROOT / ".build/debug/pomona").resolve()


def without(text, setting):
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(f"{setting}="))


class ServiceTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def run_confined(self, unit, *command):
        return subprocess.run([sys.executable, CONFINED, unit, *command], capture_output=True, text=True, check=False, timeout=60)

    def serve(self, unit):
        """A gateway under the unit's filter, which has notified whoever started it that it is ready, or has ended; and its port."""
        # Somebody else may take a port between its choice and its use.
        for _ in range(3):
            gateway, port = self.serve_once(unit)
            if port is not None or "address_in_use" not in (self.folder / "log").read_text(errors="replace"):
                break
        return gateway, port

    def serve_once(self, unit):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        configuration = self.folder / "pomona.json"
        http = {"host": "127.0.0.1", "port": port}
        configuration.write_text(json.dumps({"data": {"directory": str(self.folder / "data")}, "http": http}))
        manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(manager.close)
        (self.folder / "notify").unlink(missing_ok=True)
        manager.bind(str(self.folder / "notify"))
        manager.settimeout(0.2)
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "NOTIFY_SOCKET": str(self.folder / "notify")}
        log = open(self.folder / "log", "wb")
        self.addCleanup(log.close)
        gateway = subprocess.Popen(
            [sys.executable, CONFINED, unit, PROGRAM, "serve", "--config", configuration], env=environment, stdout=log, stderr=log
        )
        self.addCleanup(gateway.wait)
        self.addCleanup(gateway.kill)
        end = time.monotonic() + 120
        while gateway.poll() is None and time.monotonic() < end:
            with contextlib.suppress(TimeoutError):
                if b"READY=1" in manager.recv(4096):
                    return gateway, port
        return gateway, None

    def test_the_gateway_starts_answers_and_ends(self):
        version = self.run_confined(UNIT, PROGRAM, "--version")
        self.assertEqual((version.returncode, version.stderr), (0, ""))
        gateway, port = self.serve(UNIT)
        self.assertIsNotNone(port, (self.folder / "log").read_text(errors="replace"))
        for page in ["healthz", "readyz"]:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/{page}", timeout=30) as answer:
                self.assertEqual(answer.status, 200, page)
        gateway.send_signal(signal.SIGTERM)
        self.assertEqual(gateway.wait(60), 0, (self.folder / "log").read_text(errors="replace"))

    def test_what_is_not_allowed_fails_and_kills_nothing(self):
        for call in ["os.setpriority(os.PRIO_PROCESS, 0, 5)", "os.sched_setaffinity(0, {0})", "os.chroot('/')"]:
            done = self.run_confined(UNIT, sys.executable, "-c", f"import os; {call}")
            self.assertEqual((done.returncode, "PermissionError" in done.stderr), (1, True), f"{call}: {done.stderr}")

    def test_without_an_error_number_the_gateway_is_killed(self):
        """That this would find it: the service as it was shipped once."""
        unit = self.folder / "killing.service"
        unit.write_text(without(UNIT.read_text(), "SystemCallErrorNumber"))
        gateway, _ = self.serve(unit)
        self.assertEqual(gateway.poll(), -signal.SIGSYS)

    def test_the_filter_is_that_of_the_unit(self):
        calls = confined.allowed(UNIT)
        self.assertLessEqual({"execve", "read", "accept4", "epoll_wait", "futex"}, calls)
        self.assertFalse({"setpriority", "mount", "ptrace", "setuid", "bpf", "reboot"} & calls)

    def test_a_migration_has_the_time_that_kubernetes_gives(self):
        deployment = (ROOT / "ops/kubernetes/base/deployment.yaml").read_text()
        probe = deployment.partition("startupProbe:")[2].partition("Probe:")[0]
        number = lambda name: int(re.search(rf"{name}: (\d+)", probe).group(1))
        (limit,) = confined.settings(UNIT, "TimeoutStartSec")
        self.assertEqual(limit, f"{number('periodSeconds') * number('failureThreshold') // 60}min")


if __name__ == "__main__":
    unittest.main()
