# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""script/build in a small package: each module is compiled as a whole, changes are seen, tests are found, and what does not compile is reported."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = {
    "Package.swift": """\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "small",
    targets: [
        .target(name: "Sums"), .testTarget(name: "Helpers"),
        .testTarget(name: "SumsTests", dependencies: ["Helpers", "Sums"]),
    ])
""",
    # Compiled with the tests, without being of them by its name.
    "Tests/Helpers/First.swift": "let one = 1\n",
    "Tests/Helpers/Second.swift": "let two = 2\n",
    "Sources/Sums/First.swift": "public func first() -> Int { second() + 1 }\n",
    "Sources/Sums/Second.swift": "func second() -> Int { 2 }\n",
    "Tests/SumsTests/FirstTests.swift": "import Sums\nimport Testing\n\n@Test func sum() { #expect(first() == expected) }\n",
    "Tests/SumsTests/Expected.swift": "let expected = 3\n",
}


class BuildTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        (cls.folder / "script").mkdir()
        for name in ["build", "swiftc", "toolchain"]:
            shutil.copy(ROOT / "script" / name, cls.folder / "script")

    def setUp(self):
        for name, text in FILES.items():
            self.write(name, text)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def build(self):
        return subprocess.run(
            ["script/build", "--build-tests"], cwd=self.folder, capture_output=True, text=True, check=False
        )

    def built(self):
        done = self.build()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def run_tests(self):
        done = subprocess.run(
            ["swift", "test", "--skip-build"], cwd=self.folder, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout + done.stderr

    def functions(self, module, file):
        path = self.folder / f".build/debug/{module}.build/{file}.o"
        listed = subprocess.run(["nm", "--defined-only", path], capture_output=True, text=True, check=True).stdout
        return [line.split()[-1] for line in listed.splitlines()]

    def test_object_of_the_first_file_is_that_of_the_module(self):
        self.built()
        for function in ["$s4Sums5firstSiyF", "$s4Sums6secondSiyF"]:
            self.assertIn(function, self.functions("Sums", "First.swift"))
        self.assertEqual(self.functions("Sums", "Second.swift"), [])

    def test_tests_are_found_and_changes_are_compiled(self):
        self.built()
        status, said = self.run_tests()
        self.assertEqual(status, 0, said)
        self.assertIn("Test run with 1 test", said)
        self.write("Sources/Sums/Second.swift", "func second() -> Int { 7 }\n")
        self.built()
        status, said = self.run_tests()
        self.assertNotEqual(status, 0)
        self.assertIn("first() → 8", said)

    def test_what_does_not_compile_is_reported_with_its_place(self):
        self.write("Sources/Sums/Second.swift", "func second() -> Int { nobody }\n")
        done = self.build()
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("Sources/Sums/Second.swift:1:24: error: cannot find 'nobody' in scope", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
