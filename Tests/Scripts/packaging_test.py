# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""What script/package makes of a program, with a small program in its place: the same bytes each time, and what Debian's and OCI's tools expect."""

import hashlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))

import archives  # noqa: E402
import image  # noqa: E402
import manual  # noqa: E402
import package  # noqa: E402

EPOCH = 1_700_000_000
HELP = {
    "command": {
        "commandName": "pomona",
        "abstract": "A gateway.",
        "arguments": [],
        "subcommands": [
            {"commandName": "help", "abstract": "Show help."},
            {
                "commandName": "token",
                "abstract": "Open a token.",
                "discussion": "A first paragraph\nof two lines.\n\n.dots and 'quotes' and \\ are texts.",
                "arguments": [
                    {"kind": "positional", "valueName": "file", "abstract": "The token; - is standard input.", "isOptional": False},
                    {
                        "kind": "option",
                        "valueName": "mode",
                        "names": [{"kind": "short", "name": "m"}, {"kind": "long", "name": "mode"}],
                        "preferredName": {"kind": "long", "name": "mode"},
                        "abstract": "Whose.",
                        "isOptional": True,
                        "isRepeating": True,
                        "allValues": ["sandbox", "live"],
                        "defaultValue": "sandbox",
                    },
                    {
                        "kind": "flag",
                        "names": [{"kind": "long", "name": "hidden"}],
                        "preferredName": {"kind": "long", "name": "hidden"},
                        "shouldDisplay": False,
                    },
                ],
            },
        ],
    }
}


class PackagingTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def tree(self, name, times):
        """The same files, made in another order and at another time."""
        root = self.folder / name
        files = {"usr/bin/program": b"\x7fELF", "etc/pomona/pomona.json": b"{}", "usr/share/doc/text": b"text"}
        for path, data in sorted(files.items(), reverse=times > 1):
            package.put(root / path, data)
            os.utime(root / path, (times, times))
        os.symlink("program", root / "usr/bin/link")
        return root

    def test_archives_have_the_same_bytes_whenever_they_are_made(self):
        one, other = (archives.tar(self.tree(f"tree{times}", times), EPOCH) for times in (1, 2_000_000_000))
        self.assertEqual(one, other)
        self.assertEqual(archives.compressed(one), archives.compressed(other))
        with tarfile.open(fileobj=io.BytesIO(one)) as archive:
            names = archive.getnames()
            self.assertIn("usr/bin/link", names)
            self.assertEqual(archive.extractfile("usr/share/doc/text").read(), b"text")
            self.assertTrue(all((m.uid, m.uname, m.mtime) == (0, "", EPOCH) for m in archive))
        self.assertNotEqual(one, archives.tar(self.folder / "tree1", EPOCH + 1))

    def test_debian_packages_have_the_same_bytes_and_name_their_configuration(self):
        sums = set()
        for times in (1, 2_000_000_000):
            build = package.Build.__new__(package.Build)
            build.work, build.epoch = self.folder / f"work{times}", EPOCH
            build.version, build.architecture = "1.2.3", "all"
            build.work.mkdir()
            output = self.folder / f"out{times}"
            output.mkdir()
            build.debian("pomona", self.tree(f"root{times}", times), output, {"Depends": "libc6"}, "A gateway\n More.", ["postinst"])
            file = output / "pomona_1.2.3_all.deb"
            sums.add(hashlib.sha256(file.read_bytes()).hexdigest())
        self.assertEqual(len(sums), 1)
        show = lambda *arguments: subprocess.run(["dpkg-deb", *arguments, file], check=True, capture_output=True, text=True).stdout
        self.assertIn("Depends: libc6\n", show("--field"))
        self.assertIn("root/root", show("--contents"))
        control = self.folder / "control"
        subprocess.run(["dpkg-deb", "--control", file, control], check=True)
        self.assertEqual((control / "conffiles").read_text(), "/etc/pomona/pomona.json\n")
        self.assertNotIn("pomona.json", (control / "md5sums").read_text())
        self.assertTrue(os.access(control / "postinst", os.X_OK))

    def test_image_layout_names_what_is_in_it_by_its_digest(self):
        layers = [archives.tar(self.tree("layer", 1), EPOCH)]
        layout = self.folder / "layout"
        image.write(layout, layers, "1.2.3", EPOCH, "x86_64")
        blob = lambda descriptor: (layout / "blobs/sha256" / descriptor["digest"].removeprefix("sha256:")).read_bytes()
        descriptors = json.loads((layout / "index.json").read_text())["manifests"]
        manifest = json.loads(blob(descriptors[0]))
        config = json.loads(blob(manifest["config"]))
        for descriptor in [*descriptors, manifest["config"], *manifest["layers"]]:
            self.assertEqual(hashlib.sha256(blob(descriptor)).hexdigest(), descriptor["digest"].removeprefix("sha256:"))
            self.assertEqual(len(blob(descriptor)), descriptor["size"])
        self.assertEqual(config["rootfs"]["diff_ids"], ["sha256:" + hashlib.sha256(layers[0]).hexdigest()])
        self.assertEqual((config["architecture"], config["config"]["User"]), ("amd64", "65532:65532"))

    def test_an_image_has_every_library_of_its_program(self):
        root = self.folder / "base"
        root.mkdir()
        image.base(root, "/bin/ls")
        libraries = [path for path in root.rglob("*.so*") if path.is_file()]
        self.assertTrue(any(path.name.startswith("libc.so") for path in libraries))
        self.assertTrue(any(path.name.startswith("ld-linux") for path in libraries))
        self.assertTrue((root / "etc/ssl/certs/ca-certificates.crt").stat().st_size > 100_000)
        self.assertFalse((root / "bin/sh").exists())

    def test_manual_pages_say_what_the_commands_say(self):
        pages = dict(manual.pages(HELP, "1.2.3", "2026-11-26"))
        self.assertEqual(sorted(pages), ["pomona-token.1", "pomona.1"])
        self.assertIn("\\fBpomona\\-token\\fR(1)", pages["pomona.1"])
        folder = self.folder / "man"
        folder.mkdir()
        for name, text in pages.items():
            (folder / name).write_text(text)
        lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", *sorted(folder.iterdir())], capture_output=True, text=True)
        self.assertEqual((lint.stdout, lint.returncode), ("", 0))
        shown = subprocess.run(["mandoc", "-T", "ascii", folder / "pomona-token.1"], check=True, capture_output=True, text=True).stdout
        shown = " ".join(shown.replace("\b", "").split())
        plain = subprocess.run(["col", "-b"], input=shown, capture_output=True, text=True).stdout
        for text in [".dots and 'quotes' and \\ are texts.", "One of: sandbox, live.", "If left out: sandbox."]:
            self.assertIn(text, plain)
        self.assertNotIn("hidden", plain)

    def test_service_is_kept_to_what_it_needs(self):
        unit = ROOT / "packaging/root/usr/lib/systemd/system/pomona.service"
        security = subprocess.run(
            ["systemd-analyze", "security", "--offline=true", "--threshold=20", unit], capture_output=True, text=True
        )
        self.assertEqual(security.returncode, 0, security.stdout + security.stderr)

    def test_scripts_of_the_package_are_shell_and_start_nothing(self):
        for script in sorted((ROOT / "packaging/debian").iterdir()):
            if script.name == "copyright":
                continue
            subprocess.run(["sh", "-n", script], check=True)
            text = "\n".join(line for line in script.read_text().splitlines() if not line.startswith("#"))
            self.assertNotRegex(text, r"systemctl (--now )?(enable|start|restart)\b", script.name)


if __name__ == "__main__":
    unittest.main()
