# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
"""Takes the data of other languages than English out of the ICU that Swift's Foundation brings: a third of the program otherwise.

icu.py LIBRARY OBJECT       LIBRARY: lib_FoundationICU.a of Swift's static runtime; OBJECT: the object file that is made. A program that is linked
                            with it takes its data from there, since an archive gives only what is still missing.

Foundation asks ICU for time zones (reports in a merchant's zone), for host names of other scripts, and for nothing else that Pomona uses. Both
stay, with all that is of no language. The form of the data is that of ICU's udata.h and ucmndata.h: a header, the count of the items, for each
the offsets of its name and of its bytes, counted from the count on; sorted by name.
"""

import pathlib
import re
import struct
import subprocess
import sys
import tempfile

SYMBOL = re.compile(r"\b(icudt\d+)_dat\b")
# Names of locales begin with two or three letters (BCP 47); what is of no language has longer names (root, pool, zoneinfo64).
LOCALE = re.compile(r"[a-z]{2,3}(_\w+)*\.res")
KEPT_LOCALES = {"en.res", "en_001.res", "en_US.res", "en_US_POSIX.res"}
# Converters of old encodings, look-alikes, the names of the characters; how to sort, to spell out numbers, to write in another script, and to find
# words and lines.
LEFT_OUT = re.compile(r"(.*/)?(\w[^/]*\.(cnv|cfu)|unames\.icu|(coll|rbnf|translit|brkitr)/[^/]*)")


class NotICU(Exception):
    pass


def is_kept(path):
    if LEFT_OUT.fullmatch(path):
        return False
    name = path.rsplit("/", 1)[-1]
    return name in KEPT_LOCALES or not LOCALE.fullmatch(name)


def items(data):
    """The header, and each item's name and bytes."""
    if len(data) < 24 or data[2:4] != b"\xda\x27" or data[12:16] != b"CmnD":
        raise NotICU("these are no common data of ICU")
    start = struct.unpack_from("<H", data)[0]
    count = struct.unpack_from("<I", data, start)[0]
    table = [struct.unpack_from("<II", data, start + 4 + 8 * index) for index in range(count)]
    ends = [offset for _, offset in table[1:]] + [len(data) - start]
    found = []
    for (name, offset), end in zip(table, ends):
        text = data[start + name : data.index(b"\0", start + name)].decode("ascii")
        found.append((text, data[start + offset : start + end]))
    return data[:start], found


def joined(header, found):
    """The same form from a header and items."""
    names, offsets = b"", []
    for name, _ in found:
        offsets.append(4 + 8 * len(found) + len(names))
        names += name.encode("ascii") + b"\0"
    position = 4 + 8 * len(found) + len(names)
    table, body = struct.pack("<I", len(found)), b""
    for (_, content), name_offset in zip(found, offsets):
        # Items are read where they lie: on sixteen bytes, counted from the header.
        gap = -(len(header) + position + len(body)) % 16
        body += bytes(gap)
        table += struct.pack("<II", name_offset, position + len(body))
        body += content
    return header + table + names + body


def reduced(data):
    header, found = items(data)
    return joined(header, [item for item in found if is_kept(item[0])])


def run(*command, folder):
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def make(library, target):
    library, target = pathlib.Path(library).resolve(), pathlib.Path(target).resolve()
    with tempfile.TemporaryDirectory() as folder:
        member = next((name for name in run("ar", "t", library, folder=folder).split() if "packaged_data" in name), None)
        if member is None:
            raise NotICU(f"{library} holds no packaged data")
        run("ar", "x", library, member, folder=folder)
        symbol = SYMBOL.search(run("nm", member, folder=folder))
        if symbol is None:
            raise NotICU(f"{member} in {library} defines no icudt…_dat")
        run("objcopy", "--output-target", "binary", "--only-section=.rodata", member, "whole", folder=folder)
        data = reduced((pathlib.Path(folder) / "whole").read_bytes())
        (pathlib.Path(folder) / "data").write_bytes(data)
        source = f'.section .rodata\n.global {symbol[0]}\n.type {symbol[0]}, %object\n.balign 16\n{symbol[0]}:\n.incbin "data"\n'
        source += f'.size {symbol[0]}, . - {symbol[0]}\n.section .note.GNU-stack,"",%progbits\n'
        (pathlib.Path(folder) / "data.s").write_text(source)
        run("as", "-o", target, "data.s", folder=folder)
    return len(data)


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        size = make(*arguments)
    except (NotICU, subprocess.CalledProcessError) as error:
        print(f"packaging/icu.py: {error}", file=sys.stderr)
        return 1
    print(f"ICU's data without other languages than English: {size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
