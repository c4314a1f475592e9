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
import re
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
import sbom  # noqa: E402

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

    def test_a_pre_release_is_a_package_that_comes_before_its_release(self):
        build = package.Build.__new__(package.Build)
        build.work, build.epoch = self.folder / "work", EPOCH
        build.version, build.architecture = "1.2.3-rc.1", "all"
        build.work.mkdir()
        build.debian("pomona", self.tree("root", 1), self.folder, {}, "A gateway", [])
        field = ["dpkg-deb", "--field", self.folder / "pomona_1.2.3~rc.1_all.deb", "Version"]
        version = subprocess.run(field, check=True, capture_output=True, text=True).stdout.strip()
        subprocess.run(["dpkg", "--compare-versions", version, "lt", "1.2.3"], check=True)

    def test_the_library_for_c_has_its_debug_symbols_by_its_id(self):
        library_id = "0123456789abcdef0123456789abcdef01234567"
        (self.folder / "built").mkdir()
        source, built = self.folder / "a.c", self.folder / f"built/{package.C_LIBRARY}.so"
        source.write_text("int one(void) { return 1; }\n")
        subprocess.run(["gcc", "-g", "-shared", "-fPIC", f"-Wl,--build-id=0x{library_id}", "-o", built, source], check=True)
        build = package.Build.__new__(package.Build)
        build.work, build.program = self.folder, self.folder / "built/pomona"
        _, library, symbols = build.stage_c_library()
        sections = lambda path: subprocess.run(["readelf", "--sections", path], check=True, capture_output=True, text=True).stdout
        self.assertIn(".debug_info", sections(symbols / f"usr/lib/debug/.build-id/01/{library_id[2:]}.debug"))
        self.assertNotIn(".debug_info", sections(library))

    def test_the_list_says_what_the_program_and_the_image_are_made_of(self):
        listed = json.loads((ROOT / "docs/sbom.cdx.json").read_text())
        program = sbom.completed(listed, "1.2.3", "6.3.1")
        files = image.libraries("/bin/ls")
        packages = sbom.installed({"tzdata", *map(sbom.owner, files)})
        document = json.loads(sbom.text(sbom.with_debian(program, packages)))
        components = {each["bom-ref"]: each for each in document["components"]}
        self.assertEqual(document["metadata"]["component"]["version"], "1.2.3")
        self.assertEqual(components["pkg:generic/swift@6.3.1"]["version"], "6.3.1")
        for name in ["libc6", "tzdata"]:
            show = ["dpkg-query", "--show", "--showformat", "${Version}", name]
            version = subprocess.run(show, check=True, capture_output=True, text=True).stdout
            self.assertEqual(components[f"pkg:deb/debian/{name}?distro=debian-12"]["version"], version)
        # What docs/sbom.cdx.json has of Debian's is in the image, and gets its version there.
        named = {each["purl"].partition("?")[0].rpartition("/")[2]: "1" for each in listed["components"] if "pkg:deb/" in each["purl"]}
        completed = sbom.with_debian(program, named)["components"]
        self.assertEqual(len(completed), len(program["components"]))
        self.assertEqual([each["name"] for each in completed if "version" not in each], [])
        edges = {each["ref"]: each["dependsOn"] for each in document["dependencies"]}
        self.assertEqual(set(edges["pomona"]) - set(components), set())
        # What is in a package of Debian's depends on no version of another one.
        self.assertNotEqual(document["serialNumber"], json.loads(sbom.text(program))["serialNumber"])
        self.assertEqual(sbom.text(program), sbom.text(sbom.completed(listed, "1.2.3", "6.3.1")))

    def test_a_file_of_no_package_is_reported(self):
        (self.folder / "stranger.so").write_text("")
        with self.assertRaises(SystemExit):
            sbom.owner(self.folder / "stranger.so")

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
        health = config["config"]["Healthcheck"]
        self.assertEqual(health["Test"], ["CMD", "/usr/bin/pomona", "health"])
        # Nanoseconds: nobody asks more often than each second, and what is asked is answered before it is asked again.
        self.assertLess(10**9, health["Timeout"])
        self.assertLess(health["Timeout"], health["Interval"])

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

    def test_a_package_is_installed_though_its_gateway_does_not_start(self):
        for name in ["systemd-sysusers", "systemd-tmpfiles"]:
            package.put(self.folder / name, "#!/bin/sh\n", 0o755)
        package.put(self.folder / "systemctl", f'#!/bin/sh\necho "$@" >>{self.folder}/asked\nexit 1\n', 0o755)
        (self.folder / "asked").write_text("")

        def run(script, *arguments):
            text = (ROOT / "packaging/debian" / script).read_text().replace("/run/systemd/system", str(self.folder))
            environment = {"PATH": f"{self.folder}:/usr/bin:/bin"}
            return subprocess.run(["sh", "-c", text, script, *arguments], env=environment, capture_output=True, text=True, check=False)

        first = run("postinst", "configure", "")
        self.assertEqual((first.returncode, first.stderr), (0, ""))
        self.assertNotIn("restart", (self.folder / "asked").read_text())
        upgraded = run("postinst", "configure", "0.1.0")
        self.assertIn("try-restart pomona.service\n", (self.folder / "asked").read_text())
        self.assertEqual((upgraded.returncode, "journalctl -u pomona" in upgraded.stderr), (0, True))
        self.assertEqual([run("prerm", "remove").returncode, run("postrm", "remove").returncode], [0, 0])
        # Without its user and its folders it is not installed.
        package.put(self.folder / "systemd-sysusers", "#!/bin/sh\nexit 1\n", 0o755)
        self.assertEqual(run("postinst", "configure", "").returncode, 1)


class PackageCheckTest(unittest.TestCase):
    """The functions that script/package-check gives to shells in other roots, in a shell here."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def shell(self, name, lines):
        text = (ROOT / "script/package-check").read_text()
        function = re.search(rf"^ *{name}='(.*?)'$", text, re.MULTILINE | re.DOTALL).group(1).replace("/root/", f"{self.folder}/")
        return subprocess.run(["sh", "-euc", f"{function}\n{lines}"], capture_output=True, text=True, check=False)

    def test_a_version_that_takes_a_later_store_is_found(self):
        says = lambda words, status: f"refused sh -c 'printf \"{words}\" >&2; exit {status}'; echo went on"
        words = "error: the store is not available: a later\\n       version of this program has written it; use that"
        self.assertIn("went on", self.shell("refused", says(words, 1)).stdout)
        for done in [self.shell("refused", says(words, 0)), self.shell("refused", says("error: no such file", 1))]:
            self.assertNotEqual(done.returncode, 0)
            self.assertNotIn("went on", done.stdout)

    def test_a_gateway_that_does_not_get_ready_or_does_not_end_well_is_found(self):
        ready = self.folder / "ready"
        start = f"sh -c 'trap \"exit %d\" TERM; touch {ready}; while :; do sleep 0.1; done' &\nhealthy $! /dev/null test -e {ready}"
        for status in [0, 3]:
            ready.unlink(missing_ok=True)
            self.assertEqual(self.shell("healthy", start % status).returncode, status)
        self.assertNotEqual(self.shell("healthy", "true &\nsleep 0.2; healthy $! /dev/null false").returncode, 0)

    def test_no_script_relies_on_a_negation_to_end_it(self):
        # set -e overlooks a command with ! before it.
        for script in [*sorted((ROOT / "script").iterdir()), *sorted((ROOT / "packaging/debian").iterdir())]:
            for line in script.read_text().splitlines():
                self.assertNotRegex(line.partition("#")[0], r"""(^\s*|[;{'"]\s*|(then|else|do)\s+)! \w""", script.name)


if __name__ == "__main__":
    unittest.main()
