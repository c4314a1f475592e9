# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""The configuration of several databases' machines: docs/operations.md holds the very files that script/chaos runs, and haproxy takes its own."""

import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "ops" / "failover").iterdir())


class FailoverFiles(unittest.TestCase):
    def test_the_document_holds_every_file(self):
        document = (ROOT / "docs" / "operations.md").read_text()
        self.assertEqual([file.name for file in FILES], ["etcd.yml", "haproxy-database.cfg", "haproxy-gateways.cfg", "patroni.yml"])
        for file in FILES:
            self.assertIn(f"\n{file.read_text()}```\n", document, file.name)

    def test_haproxy_takes_its_files(self):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=Test"]
                + ["-keyout", place / "key.pem", "-out", place / "authority.pem"],
                check=True,
                capture_output=True,
            )
            for file in FILES:
                if file.suffix != ".cfg":
                    continue
                copy = place / file.name
                copy.write_text(file.read_text().replace("/etc/pomona-db", folder))
                run = subprocess.run(["/usr/sbin/haproxy", "-c", "-f", copy], capture_output=True, text=True)
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertNotIn("WARNING", run.stderr)


if __name__ == "__main__":
    unittest.main()
