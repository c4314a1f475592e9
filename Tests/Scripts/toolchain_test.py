# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""script/toolchain: the compiler says where the toolchain is, whatever leads to it from the PATH."""

import json
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class ToolchainTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_with(self, answer):
        """With a compiler on the PATH that prints an answer, as a proxy of swiftly's prints that of the compiler it leads to."""
        if answer is not None:
            compiler = self.folder / "swiftc"
            compiler.write_text(f"#!/bin/sh\n[ \"$*\" = -print-target-info ] && cat <<'EOF'\n{answer}\nEOF\n")
            compiler.chmod(0o755)
        environment = {"PATH": f"{self.folder}:/usr/bin:/bin"}
        return subprocess.run([ROOT / "script/toolchain"], capture_output=True, text=True, check=False, env=environment)

    def test_a_proxy_is_not_taken_for_the_toolchain(self):
        info = {"compilerVersion": "6.3", "paths": {"runtimeLibraryPaths": ["/a b/usr/lib/swift/linux"], "runtimeResourcePath": "/a b/usr/lib/swift"}}
        done = self.run_with(json.dumps(info, indent=2))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "/a b/usr\n", ""))

    def test_libraries_that_lie_elsewhere_are_reported(self):
        done = self.run_with(json.dumps({"paths": {"runtimeResourcePath": "/opt/strange"}}, indent=2))
        self.assertEqual((done.returncode, done.stdout), (69, ""))
        self.assertIn("'/opt/strange', not in FOLDER/lib/swift", done.stderr)

    def test_no_swift_is_reported(self):
        done = self.run_with(None)
        self.assertEqual((done.returncode, done.stdout), (69, ""))
        self.assertIn("Swift is not on the PATH", done.stderr)


if __name__ == "__main__":
    unittest.main()
