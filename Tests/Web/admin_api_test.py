# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""The administration's OpenAPI document against the running server, by schemathesis: what the document allows is taken, what it
forbids is refused, and every answer is as it says.

Environment
    POMONA_BINARY        the built executable; by default the one of `script/build --show-bin-path`
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

from harness import start_sandbox

# What no schema can say: that a name is taken or unknown, that settings are not the connector's, that an amount has more decimals
# than its currency, that somebody else was quicker.
CONFIGURATION = """
[generation]
max-examples = 25

[checks]
negative_data_rejection.expected-statuses = [400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 422, 428]

[checks.positive_data_acceptance]
expected-statuses = ["2xx", 401, 403, 404, 409, 412, 422, 429, 503]

# A server that is guessed at lets the guesser wait, which it should.
[checks.ignored_auth]
enabled = false
"""

# Whose answers to what the schema allows must not be a complaint about it.
STRICT = ["listRefusals", "listEvents", "listAuditEntries", "listFindings"]


class AdminCase(unittest.TestCase):
    """A sandbox of the class's own."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="pomona-admin-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.line, stop = start_sandbox(cls.folder.name, "--admin-port", "0", "--no-shop")
        cls.addClassCleanup(stop)
        cls.admin = cls.line["admin"]

    def get(self, path, token=None):
        request = urllib.request.Request(self.admin["url"] + path)
        if token:
            request.add_header("Authorization", "Bearer " + token)
        with urllib.request.urlopen(request, timeout=20) as response:
            return json.load(response)


class FindingsTest(AdminCase):
    def test_the_doctor_is_the_whole_one(self):
        # What `pomona doctor` looks at, from within: also the disk and the directory, and outside where it may ask.
        here = {finding["area"] for finding in self.get("/admin/v1/findings", self.admin["token"])["data"]}
        asked = {finding["area"] for finding in self.get("/admin/v1/findings?offline=false", self.admin["token"])["data"]}
        self.assertLessEqual({"certificate", "route", "store", "disk", "directory", "audit", "webhooks"}, here)
        self.assertEqual({"apple", "acquirer"} & here, set())
        # The simulated Apple is asked here, with the merchants' identities.
        self.assertLessEqual(here | {"apple", "acquirer"}, asked)
        apple = [finding for finding in self.get("/admin/v1/findings?offline=false&merchant=commweb", self.admin["token"])["data"] if finding["area"] in ("apple", "disk")]
        self.assertEqual([finding["code"] for finding in apple], ["apple_takes_identity"])


class AdminAPITest(AdminCase):
    def run_schemathesis(self, configuration, *arguments):
        path = pathlib.Path(self.folder.name, "schemathesis.toml")
        path.write_text(configuration, encoding="utf-8")
        command = pathlib.Path(sys.executable).with_name("st")
        return subprocess.run(
            [
                str(command), "--config-file", str(path), "run", self.admin["url"] + "/admin/v1/openapi.json", "--url",
                self.admin["url"] + "/admin/v1", "-H", "Authorization: Bearer " + self.admin["token"], "--seed", "1",
                "--phases", "examples,coverage,fuzzing", "--suppress-health-check", "all",
                # Ten seconds would ask how fast the machine is.
                "--request-timeout", "60",
                # It would end the token that it calls with, which it finds in the list.
                "--exclude-operation-id", "revokeToken",
                # It has no end.
                "--exclude-operation-id", "streamEvents", *arguments,
            ], cwd=self.folder.name, capture_output=True, text=True, timeout=600)

    def test_document_is_kept(self):
        result = self.run_schemathesis(CONFIGURATION)
        self.assertEqual(result.returncode, 0, result.stdout[-20_000:] + result.stderr[-2_000:])
        tested = re.search(r"Tested: (\d+)", result.stdout)
        self.assertGreater(int(tested[1]), 40, result.stdout[-2_000:])

    def test_what_the_schema_allows_is_not_complained_about(self):
        # 403: where it shows a session beside the token.
        configuration = CONFIGURATION.replace('"2xx", 401, 403, 404, 409, 412, 422, 429, 503', '"2xx", 403, 404, 409')
        chosen = [part for name in STRICT for part in ("--include-operation-id", name)]
        result = self.run_schemathesis(configuration, *chosen)
        self.assertEqual(result.returncode, 0, result.stdout[-20_000:] + result.stderr[-2_000:])

    def test_nothing_is_answered_without_a_token(self):
        document = self.get("/admin/v1/openapi.json")
        asked = 0
        for path, item in document["paths"].items():
            for method, operation in item.items():
                # How people sign in, which everybody may ask for.
                if operation.get("security") == []:
                    continue
                url = self.admin["url"] + "/admin/v1" + path.replace("{", "").replace("}", "")
                request = urllib.request.Request(url, method=method.upper())
                with self.assertRaises(urllib.error.HTTPError) as refusal:
                    urllib.request.urlopen(request, timeout=20)
                # A session counts for the portal's page alone.
                expected = 403 if "security" in operation else 401
                self.assertEqual(refusal.exception.code, expected, f"{method} {path}")
                self.assertEqual(refusal.exception.headers["Content-Type"], "application/problem+json")
                refusal.exception.close()
                asked += 1
        self.assertGreater(asked, 40)

    def test_it_is_nowhere_but_on_its_own_listener(self):
        for url in (self.line["http"],):
            with self.assertRaises(urllib.error.HTTPError) as refusal:
                urllib.request.urlopen(url + "/admin/v1/openapi.json", timeout=20)
            self.assertEqual(refusal.exception.code, 404)
            refusal.exception.close()
        with self.assertRaises(urllib.error.HTTPError) as refusal:
            self.get("/metrics")
        self.assertEqual(refusal.exception.code, 404)
        refusal.exception.close()

    def test_token_outlives_the_sandbox(self):
        caller = self.get("/admin/v1/me", self.admin["token"])
        self.assertIn("payments:refund", caller["scopes"])
        kept = pathlib.Path(self.line["ca"]).with_name("admin.token")
        self.assertEqual(kept.read_text(encoding="utf-8").strip(), self.admin["token"])
        self.assertEqual(kept.stat().st_mode & 0o777, 0o600)


if __name__ == "__main__":
    unittest.main()
