# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""That everything in git is text: what a compiler or a packager has made stays in the history of all clones if it is committed once."""

import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def committed(root):
    # Another user's clone is read as well: nothing of it is run.
    command = ["git", "-c", "safe.directory=*", "-C", root, "ls-files", "-z"]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [pathlib.Path(root, name) for name in names.split("\0") if name]


def is_text(path):
    content = path.read_bytes()
    try:
        return "\0" not in content.decode()
    except UnicodeDecodeError:
        return False


def binaries(root):
    # A file may have been deleted and not yet committed so.
    return [path.relative_to(root).as_posix() for path in committed(root) if path.is_file() and not is_text(path)]


class RepositoryTest(unittest.TestCase):
    @unittest.skipUnless((ROOT / ".git").exists(), "SKIPPED: this is no clone: git can't say what is committed")
    def test_no_binary_is_committed(self):
        self.assertGreater(len(committed(ROOT)), 1000)
        self.assertEqual(binaries(ROOT), [])

    def test_binaries_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "words.txt").write_text("Grüße\n")
            (root / "object.o").write_bytes(b"\x7fELF\x02\x01\x01\0")
            (root / "photo.bin").write_bytes(b"\xff\xd8\xff\xe0")
            (root / "ignored.o").write_bytes(b"\0")
            (root / ".gitignore").write_text("ignored.o\n")
            subprocess.run(["git", "-C", root, "init", "--quiet"], check=True)
            subprocess.run(["git", "-C", root, "add", "."], check=True)
            self.assertEqual(binaries(root), ["object.o", "photo.bin"])


if __name__ == "__main__":
    unittest.main()
