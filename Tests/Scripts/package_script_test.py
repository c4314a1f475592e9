# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""script/package in a small clone, with a swift that writes down what it is asked for and resolves what the test wants."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SWIFT = """\
#!/bin/sh
case "$*" in
*--show-bin-path*) echo {folder}/built ;;
*) echo "$*" >>{folder}/asked; cp {folder}/resolved {folder}/source/Package.resolved ;;
esac
"""
# The real ones are tried by their own tests.
STANDINS = {
    "script/bootstrap": "#!/bin/sh\n",
    "script/toolchain": "#!/bin/sh\necho /toolchain\n",
    "packaging/functions.py": "",
    "packaging/icu.py": "",
    "packaging/package.py": "import pathlib, sys\npathlib.Path(sys.argv[3]).mkdir()\n",
}
PACKAGE = 'let dependencies = [.package(url: "https://example.com/swift-log", exact: "1.2.3")]\n'


class PackageScriptTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.clone = self.folder / "clone"
        component = {"name": "swift-log", "version": "1.2.3", "purl": "pkg:swift/example.com/swift-log@1.2.3"}
        files = {
            **STANDINS,
            # Another one may be packaging.
            "script/package": (ROOT / "script/package").read_text().replace("/tmp/pomona-package", str(self.folder / "source")),
            "script/dependencies": (ROOT / "script/dependencies").read_text(),
            "docs/sbom.cdx.json": json.dumps({"components": [component]}),
            **{name: PACKAGE for name in ["Package.swift", "Benchmarks/Package.swift", "Fuzz/Package.swift"]},
        }
        for name, text in files.items():
            path = self.clone / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            path.chmod(0o755)
        for command in [["init", "--quiet"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "a"]]:
            subprocess.run(["git", "-C", self.clone, *command], check=True)
        swift = self.folder / "bin/swift"
        swift.parent.mkdir()
        swift.write_text(SWIFT.format(folder=self.folder))
        swift.chmod(0o755)

    def package(self, version):
        pin = {"identity": "swift-log", "location": "https://example.com/swift-log", "state": {"version": version}}
        (self.folder / "resolved").write_text(json.dumps({"pins": [pin]}))
        environment = {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"}
        return subprocess.run([self.clone / "script/package"], env=environment, capture_output=True, text=True, check=False)

    def test_what_was_resolved_is_what_is_listed(self):
        done = self.package("1.2.3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.clone / "dist").exists())

    def test_a_package_of_other_libraries_is_refused(self):
        done = self.package("1.2.4")
        self.assertEqual(done.returncode, 1)
        self.assertIn("resolved to 1.2.4", done.stderr)
        self.assertFalse((self.clone / "dist").exists())
        self.assertFalse((self.folder / "source").exists())

    def test_program_is_linked_again_in_the_order_of_what_is_called(self):
        self.assertEqual(self.package("1.2.3").returncode, 0)
        first, second, library = (self.folder / "asked").read_text().splitlines()
        order = f"--symbol-ordering-file={self.folder / 'source'}/functions"
        self.assertNotIn(order, first)
        self.assertIn(order, second)
        self.assertIn("--product pomona", second)
        self.assertNotIn(order, library)

    def test_program_and_library_have_ids_of_their_own(self):
        asked = []
        for _ in range(2):
            (self.folder / "asked").unlink(missing_ok=True)
            self.assertEqual(self.package("1.2.3").returncode, 0)
            asked.append(dict(re.findall(r"--build-id=0x([0-9a-f]{40}) .*--product (\S+)", (self.folder / "asked").read_text())))
        self.assertEqual(sorted(asked[0].values()), ["applepaytoken-c", "pomona"])
        self.assertEqual(asked[0], asked[1])


if __name__ == "__main__":
    unittest.main()
