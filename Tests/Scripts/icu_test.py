# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""What packaging/icu.py keeps of ICU's data, with data of the same form, and with the toolchain's own."""

import contextlib
import io
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))

import icu  # noqa: E402

HEADER = struct.pack("<HBB", 32, 0xDA, 0x27) + struct.pack("<HHBBBB", 20, 0, 0, 0, 2, 0) + b"CmnD" + bytes([1, 0, 0, 0, 3, 0, 0, 0]) + bytes(8)
ITEMS = [
    ("icudt76l/curr/de.res", b"d" * 21),
    ("icudt76l/curr/en.res", b"e" * 17),
    ("icudt76l/translit/root.res", b"t" * 5),
    ("icudt76l/unames.icu", b"n" * 3),
    ("icudt76l/zoneinfo64.res", b"z" * 40),
]


def toolchain_library():
    if shutil.which("swiftc") is None:
        return None
    toolchain = subprocess.run([ROOT / "script/toolchain"], check=True, capture_output=True, text=True).stdout.strip()
    library = pathlib.Path(toolchain) / "lib/swift_static/linux/lib_FoundationICU.a"
    return library if library.exists() else None


class ICU(unittest.TestCase):
    def test_form_is_read_and_written_alike(self):
        data = icu.joined(HEADER, ITEMS)
        header, found = icu.items(data)
        self.assertEqual(header, HEADER)
        # An item's bytes are followed by what aligns the next.
        self.assertEqual([(name, content.rstrip(b"\0")) for name, content in found], ITEMS)
        self.assertEqual(icu.joined(header, found), data)
        count = struct.unpack_from("<I", data, 32)[0]
        offsets = [struct.unpack_from("<I", data, 32 + 8 + 8 * index)[0] for index in range(count)]
        self.assertEqual([(32 + offset) % 16 for offset in offsets], [0] * 5)

    def test_keeps_what_is_of_no_language_and_english(self):
        _, found = icu.items(icu.reduced(icu.joined(HEADER, ITEMS)))
        self.assertEqual([name for name, _ in found], ["icudt76l/curr/en.res", "icudt76l/zoneinfo64.res"])
        kept = {name: content.rstrip(b"\0") for name, content in found}
        self.assertEqual(kept["icudt76l/zoneinfo64.res"], b"z" * 40)

    def test_names(self):
        for name in ["zoneinfo64.res", "root.res", "pool.res", "zone/tzdbNames.res", "zone/en_001.res", "uts46.nrm", "en_US_POSIX.res"]:
            self.assertTrue(icu.is_kept("icudt76l/" + name), name)
        for name in ["ja.res", "zh_Hant_TW.res", "zone/de.res", "ibm-943.cnv", "brkitr/thaidict.dict", "coll/root.res", "confusables.cfu"]:
            self.assertFalse(icu.is_kept("icudt76l/" + name), name)

    def test_refuses_what_is_no_icu_data(self):
        for data in [b"", b"\0" * 100, HEADER.replace(b"CmnD", b"ResB") + bytes(4)]:
            with self.assertRaises(icu.NotICU):
                icu.items(data)

    def test_says_what_is_wrong_with_a_library(self):
        with tempfile.TemporaryDirectory() as folder:
            library = pathlib.Path(folder) / "empty.a"
            subprocess.run(["ar", "rc", library], check=True)
            said = io.StringIO()
            with contextlib.redirect_stderr(said):
                self.assertEqual(icu.main([str(library), folder + "/out.o"]), 1)
            self.assertIn("holds no packaged data", said.getvalue())

    @unittest.skipUnless(toolchain_library(), "SKIPPED: this Swift has no static runtime")
    def test_the_toolchains_own(self):
        with tempfile.TemporaryDirectory() as folder:
            target = pathlib.Path(folder) / "icu.o"
            size = icu.make(toolchain_library(), target)
            self.assertLess(size, 4_000_000)
            symbols = subprocess.run(["nm", target], check=True, capture_output=True, text=True).stdout
            self.assertRegex(symbols, r"R icudt\d+_dat\n")
            subprocess.run(["objcopy", "-O", "binary", "--only-section=.rodata", target, f"{folder}/data"], check=True)
            _, found = icu.items(pathlib.Path(folder, "data").read_bytes())
            names = [name.split("/", 1)[1] for name, _ in found]
            for needed in ["zoneinfo64.res", "timezoneTypes.res", "uts46.nrm", "root.res", "supplementalData.res"]:
                self.assertIn(needed, names)
            # Readers look items up by halves, and check each by the mark behind its header's size.
            self.assertEqual(names, sorted(names))
            self.assertEqual([name for name, content in found if content[2:4] != b"\xda\x27"], [])


if __name__ == "__main__":
    unittest.main()
