# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
"""Packages a program that has been built: a tarball, Debian packages, an OCI image layout, checksums. script/package builds it first.

package.py PROGRAM EPOCH OUTPUT     PROGRAM: the built `pomona`, with its web files and the token library for C beside it; EPOCH: the time of all
                                    files; OUTPUT: a folder that is not there yet.

The same program, time and Debian release give the same bytes.
"""

import datetime
import hashlib
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

import archives
import image
import manual
import release
import sbom

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
WEB_FILES = "pomona_WebFiles.resources"
C_LIBRARY = "libapplepaytoken-c"
C_LIBRARY_DESCRIPTION = """Apple Pay payment tokens, verified and opened
 A library with six functions in C: it verifies an Apple Pay token (signature,
 certificates, age) and opens it with a merchant's key, and does nothing else.
 With its header, and an example in Python."""
DESCRIPTION = """Self-hosted Apple Pay gateway
 Pomona takes Apple Pay through the APIs of five payment service providers
 (TapPay, AlphaPay, CommWeb, PAYONE, Radial) over one core: it verifies and
 decrypts tokens, authorizes, captures, voids and refunds, keeps a
 double-entry ledger and sends signed webhooks.
 .
 pomona demo shows a payment; nothing is started by installing it."""


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, **options)


def output_of(*command):
    return run(*command, capture_output=True, text=True).stdout


def put(path, data, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    path.chmod(mode)


class Build:
    def __init__(self, program, epoch, work):
        self.program = pathlib.Path(program).resolve()
        self.epoch = epoch
        self.work = pathlib.Path(work)
        self.version = output_of(self.program, "--version").strip()
        self.machine = platform.machine()
        self.architecture = output_of("dpkg", "--print-architecture").strip()
        swift = re.search(r"Swift version (\S+)", output_of("swiftc", "--version")).group(1)
        self.list = sbom.completed(json.loads((ROOT / "docs/sbom.cdx.json").read_text()), self.version, swift)

    def stage(self):
        """The files as they are installed, in a folder, and the program's debug symbols in another."""
        root, symbols = self.work / "root", self.work / "symbols"
        shutil.copytree(HERE / "root", root)
        library = root / "usr/lib/pomona"
        library.mkdir(parents=True)
        run("objcopy", "--strip-all", self.program, library / "pomona")
        self.clear_hashes(library / "pomona")
        shutil.copytree(self.program.parent / WEB_FILES, library / WEB_FILES)
        (root / "usr/bin").mkdir(parents=True, exist_ok=True)
        os.symlink("../lib/pomona/pomona", root / "usr/bin/pomona")
        self.add_symbols(self.program, symbols)
        self.add_completions(root)
        self.add_documents(root)
        # Folders and files as the umask of whoever builds does not change them.
        for tree in (root, symbols):
            for path in [tree, *tree.rglob("*")]:
                if not path.is_symlink():
                    path.chmod(0o755 if path.is_dir() or path.name == "pomona" and path.parent == library else 0o644)
        return root, symbols

    def stage_c_library(self):
        """The token library for C as it is installed: the library, its header and examples; and its debug symbols in another folder."""
        root, symbols = self.work / "c-library", self.work / "c-library-symbols"
        triplet = output_of("dpkg-architecture", "--query", "DEB_HOST_MULTIARCH").strip()
        library = root / f"usr/lib/{triplet}/{C_LIBRARY}.so"
        library.parent.mkdir(parents=True)
        run("objcopy", "--strip-unneeded", self.program.parent / library.name, library)
        self.clear_hashes(library)
        put(library, library.read_bytes())
        self.add_symbols(self.program.parent / library.name, symbols)
        put(root / "usr/include/applepaytoken.h", (ROOT / "Sources/CApplePayToken/include/applepaytoken.h").read_bytes())
        documents = root / "usr/share/doc" / C_LIBRARY
        for path in [ROOT / "examples/c/applepaytoken.py", ROOT / "examples/c/open_token.c"]:
            put(documents / "examples" / path.name, path.read_bytes())
        put(documents / "README.md", (ROOT / "docs/c-library.md").read_bytes())
        put(documents / "copyright", (HERE / "debian/copyright").read_bytes())
        put(documents / "changelog.gz", archives.compressed((ROOT / "CHANGELOG.md").read_bytes()))
        for tree in (root, symbols):
            for path in [tree, *tree.rglob("*")]:
                path.chmod(0o755 if path.is_dir() else 0o644)
        return root, library, symbols

    def clear_hashes(self, program):
        """Swift keeps a hash of what each module was compiled from for its next compilation: it is another one each time, and nothing here
        reads it."""
        hashes = self.work / "hashes"
        dump = subprocess.run(
            ["objcopy", "--dump-section", f".swift_modhash={hashes}", program, self.work / "unused"], capture_output=True, check=False
        )
        if dump.returncode == 0 and hashes.exists():
            hashes.write_bytes(bytes(hashes.stat().st_size))
            run("objcopy", "--update-section", f".swift_modhash={hashes}", program)

    def add_symbols(self, binary, symbols):
        """Where gdb and perf look for them by the binary's build id (sourceware.org/gdb, "Debugging Information in Separate Files")."""
        notes = output_of("readelf", "--notes", binary)
        match = re.search(r"Build ID: ([0-9a-f]+)", notes)
        if match is None:
            raise SystemExit(f"script/package: {binary.name} has no build id; link it with --build-id")
        build_id = match.group(1)
        path = symbols / f"usr/lib/debug/.build-id/{build_id[:2]}/{build_id[2:]}.debug"
        path.parent.mkdir(parents=True)
        run("objcopy", "--only-keep-debug", "--compress-debug-sections", binary, path)

    def add_completions(self, root):
        for shell, path in [
            ("bash", "bash-completion/completions/pomona"),
            ("zsh", "zsh/vendor-completions/_pomona"),
            ("fish", "fish/vendor_completions.d/pomona.fish"),
        ]:
            put(root / "usr/share" / path, output_of(self.program, "--generate-completion-script", shell))

    def add_documents(self, root):
        date = datetime.datetime.fromtimestamp(self.epoch, datetime.timezone.utc).strftime("%Y-%m-%d")
        help_of = json.loads(output_of(self.program, "--experimental-dump-help"))
        for name, text in manual.pages(help_of, self.version, date):
            put(root / "usr/share/man/man1" / f"{name}.gz", archives.compressed(text.encode()))
        documents = root / "usr/share/doc/pomona"
        put(documents / "copyright", (HERE / "debian/copyright").read_bytes())
        put(documents / "changelog.gz", archives.compressed((ROOT / "CHANGELOG.md").read_bytes()))
        put(documents / "sbom.cdx.json.gz", archives.compressed(sbom.text(self.list).encode()))
        for folder in ("prometheus", "grafana"):
            shutil.copytree(ROOT / "ops" / folder, documents / "examples" / folder)

    def tarball(self, what, root, output):
        name = f"{what}-{self.version}-linux-{self.machine}"
        put(output / f"{name}.tar.gz", archives.compressed(archives.tar(root, self.epoch, prefix=name)))

    def debian(self, name, root, output, fields, description, scripts=()):
        """A binary package (deb(5)), by dpkg-deb."""
        package = self.work / name
        shutil.copytree(root, package, symlinks=True)
        control = package / "DEBIAN"
        control.mkdir()
        size = sum(path.lstat().st_size for path in root.rglob("*") if path.is_file()) // 1024 + 1
        fields = {
            "Package": name,
            "Version": release.debian(self.version),
            "Architecture": self.architecture,
            "Maintainer": "The Pomona authors <pomona@localhost>",
            "Installed-Size": size,
            **fields,
            "Description": description,
        }
        put(control / "control", "".join(f"{key}: {value}\n" for key, value in fields.items()))
        for script in scripts:
            put(control / script, (HERE / "debian" / script).read_bytes(), 0o755)
        configuration = sorted(path for path in root.glob("etc/**/*") if path.is_file())
        if configuration:
            put(control / "conffiles", "".join(f"/{path.relative_to(root)}\n" for path in configuration))
        sums = [
            f"{hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()}  {path.relative_to(root)}\n"
            for path in sorted(root.rglob("*"))
            if path.is_file() and not path.is_symlink() and path not in configuration
        ]
        put(control / "md5sums", "".join(sums))
        for path in package.rglob("*"):
            os.utime(path, (self.epoch, self.epoch), follow_symlinks=False)
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(self.epoch)}
        file = output / f"{name}_{release.debian(self.version)}_{self.architecture}.deb"
        run("dpkg-deb", "--root-owner-group", "--build", package, file, env=environment, stdout=subprocess.DEVNULL)

    def libraries_needed(self, binary):
        """What Debian's packages a program or a library needs, by its shared libraries."""
        folder = self.work / "shlibs"
        (folder / "debian").mkdir(parents=True, exist_ok=True)
        put(folder / "debian/control", "Source: pomona\n\nPackage: pomona\nArchitecture: any\n")
        text = run(
            "dpkg-shlibdeps", "-O", binary, cwd=folder, capture_output=True, text=True
        ).stdout
        return text.split("=", 1)[1].strip()

    def debian_packages(self, c_library):
        """What of Debian's is in the image or linked with: its packages' versions."""
        files = {*image.libraries(self.program), *image.libraries(c_library)}
        return sbom.installed({"ca-certificates", "tzdata", *(sbom.owner(path) for path in files)})

    def image(self, root, output):
        base = self.work / "base"
        base.mkdir()
        image.base(base, self.program)
        program = self.work / "program"
        shutil.copytree(root / "usr/lib/pomona", program / "usr/lib/pomona")
        (program / "usr/bin").mkdir()
        os.symlink("../lib/pomona/pomona", program / "usr/bin/pomona")
        layers = [
            archives.tar(base, self.epoch, owners={image.DATA: (image.USER, image.USER)}),
            archives.tar(program, self.epoch),
        ]
        layout = self.work / "layout"
        image.write(layout, layers, self.version, self.epoch, self.machine)
        put(output / f"pomona-{self.version}-{self.machine}.oci.tar", archives.tar(layout, self.epoch))


def main():
    program, epoch, output = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3])
    output.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as work:
        build = Build(program, epoch, work)
        root, symbols = build.stage()
        build.tarball("pomona", root, output)
        needs = "systemd | systemd-standalone-sysusers, systemd | systemd-standalone-tmpfiles, ca-certificates, tzdata"
        build.debian(
            "pomona",
            root,
            output,
            {"Section": "web", "Priority": "optional", "Depends": f"{build.libraries_needed(root / 'usr/lib/pomona/pomona')}, {needs}"},
            DESCRIPTION,
            ["postinst", "prerm", "postrm"],
        )
        build.debian(
            "pomona-dbgsym",
            symbols,
            output,
            {"Section": "debug", "Priority": "optional", "Depends": f"pomona (= {release.debian(build.version)})"},
            "Debug symbols of pomona",
        )
        c_root, c_library, c_symbols = build.stage_c_library()
        build.tarball(C_LIBRARY, c_root, output)
        build.debian(
            C_LIBRARY,
            c_root,
            output,
            {"Section": "libdevel", "Priority": "optional", "Depends": build.libraries_needed(c_library)},
            C_LIBRARY_DESCRIPTION,
        )
        build.debian(
            f"{C_LIBRARY}-dbgsym",
            c_symbols,
            output,
            {"Section": "debug", "Priority": "optional", "Depends": f"{C_LIBRARY} (= {release.debian(build.version)})"},
            f"Debug symbols of {C_LIBRARY}",
        )
        build.image(root, output)
        put(output / f"pomona-{build.version}.sbom.cdx.json", sbom.text(sbom.with_debian(build.list, build.debian_packages(c_library))))
    files = sorted(output.iterdir())
    sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    put(output / "SHA256SUMS", sums)
    print(sums, end="")


if __name__ == "__main__":
    main()
