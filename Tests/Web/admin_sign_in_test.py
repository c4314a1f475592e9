# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""People sign in to the running server, with TLS and without: cookies, the rule against other origins' pages, the portal's
files, and what the sandbox announces of its owner.

Environment
    POMONA_BINARY        the built executable; by default the one of `script/build --show-bin-path`
"""

import http.client
import json
import pathlib
import ssl
import tempfile
import unittest
import urllib.parse

from harness import start_sandbox

PORTAL = {"Pomona-Portal": "1"}


class SignInTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="pomona-sign-in-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.line, stop = start_sandbox(cls.folder.name, *cls.arguments())
        cls.addClassCleanup(stop)
        cls.admin = cls.line["admin"]

    @classmethod
    def arguments(cls):
        return ["--admin-port", "0", "--no-shop"]

    cookie_name = "pomona_session"

    def ask(self, method, path, body=None, cookie=None, headers=PORTAL):
        url = urllib.parse.urlsplit(self.admin["url"])
        if url.scheme == "https":
            context = ssl.create_default_context(cafile=self.line["ca"])
            connection = http.client.HTTPSConnection("localhost", url.port, timeout=20, context=context)
        else:
            connection = http.client.HTTPConnection(url.hostname, url.port, timeout=20)
        sent = dict(headers)
        if body is not None:
            sent["Content-Type"] = "application/json"
        if cookie is not None:
            sent["Cookie"] = f"{self.cookie_name}={cookie}"
        try:
            connection.request(method, path, None if body is None else json.dumps(body), sent)
            response = connection.getresponse()
            return response, response.read()
        finally:
            connection.close()

    def sign_in(self):
        body = {"userName": self.admin["user"], "password": self.admin["password"]}
        response, content = self.ask("POST", "/admin/v1/session", body)
        self.assertEqual(response.status, 201, content)
        name, _, rest = response.headers["Set-Cookie"].partition("=")
        secret, _, attributes = rest.partition("; ")
        self.assertEqual(name, self.cookie_name)
        return secret, set(attributes.split("; "))

    def test_owner_signs_in_and_out(self):
        secret, attributes = self.sign_in()
        self.assertLessEqual({"Path=/", "HttpOnly", "SameSite=Strict"}, attributes)
        self.assertEqual("Secure" in attributes, self.admin["url"].startswith("https:"))
        response, content = self.ask("GET", "/admin/v1/session", cookie=secret)
        self.assertEqual(response.status, 200)
        self.assertEqual(json.loads(content)["person"]["role"], "owner")
        self.assertEqual(self.ask("GET", "/admin/v1/merchants", cookie=secret)[0].status, 200)
        self.assertEqual(self.ask("DELETE", "/admin/v1/session", cookie=secret)[0].status, 200)
        self.assertEqual(self.ask("GET", "/admin/v1/merchants", cookie=secret)[0].status, 401)

    def test_session_counts_for_the_portal_alone(self):
        secret, _ = self.sign_in()
        for headers, status in [
            ({}, 403), ({**PORTAL, "Origin": "https://evil.example"}, 403),
            ({**PORTAL, "Sec-Fetch-Site": "cross-site"}, 403), ({**PORTAL, "Sec-Fetch-Site": "same-site"}, 403),
            ({**PORTAL, "Authorization": "Bearer " + self.admin["token"]}, 403),
        ]:
            response, _ = self.ask("GET", "/admin/v1/merchants", cookie=secret, headers=headers)
            self.assertEqual(response.status, status, headers)
            self.assertIsNone(response.headers["Access-Control-Allow-Origin"])

    def test_portal_is_served_under_a_strict_policy(self):
        response, _ = self.ask("GET", "/", headers={})
        self.assertEqual((response.status, response.headers["Location"]), (302, "/portal/"))
        for path in ["/portal/", "/portal/payments/pay_1", "/portal/index.html"]:
            response, content = self.ask("GET", path, headers={})
            self.assertEqual(response.status, 200, path)
            self.assertIn(b"<!doctype html>", content[:200].lower())
            self.assertIn("default-src 'none'; script-src 'self'", response.headers["Content-Security-Policy"])
            self.assertIn("frame-ancestors 'none'", response.headers["Content-Security-Policy"])
            tag = response.headers["ETag"]
            again, nothing = self.ask("GET", path, headers={"If-None-Match": tag})
            self.assertEqual((again.status, nothing), (304, b""))
        for path in ["/portal/none.js", "/portal/../shop/index.html", "/shop/index.html", "/nothing"]:
            response, _ = self.ask("GET", path, headers={})
            self.assertEqual(response.status, 404, path)
            self.assertIn("frame-ancestors 'none'", response.headers["Content-Security-Policy"])

    def test_password_is_kept_for_its_owner_alone(self):
        kept = pathlib.Path(self.line["ca"]).with_name("admin.password")
        self.assertEqual(kept.read_text(encoding="utf-8").strip(), self.admin["password"])
        self.assertEqual(kept.stat().st_mode & 0o777, 0o600)


class SignInWithoutTLSTest(SignInTest):
    def test_names_of_others_are_not_this_machine(self):
        response, content = self.ask(
            "POST", "/admin/v1/session", {"userName": "owner", "password": "x"},
            headers={**PORTAL, "Host": "evil.example"})
        self.assertEqual(response.status, 421, content)


class SignInWithTLSTest(SignInTest):
    cookie_name = "__Host-pomona"

    @classmethod
    def arguments(cls):
        return [*super().arguments(), "--host", "0.0.0.0"]


del SignInTest


if __name__ == "__main__":
    unittest.main()
