# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""The portal over TLS: what the browser keeps of a session, and what scripts see of it."""

import tempfile
import unittest
import urllib.parse

from harness import BrowserTestCase, start_sandbox


class PortalOverTLSTest(BrowserTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory(prefix="pomona-portal-tls-")
        cls.addClassCleanup(folder.cleanup)
        line, stop = start_sandbox(folder.name, "--admin-port", "0", "--no-shop", "--host", "0.0.0.0")
        cls.addClassCleanup(stop)
        cls.admin = line["admin"]
        cls.url = f"https://localhost:{urllib.parse.urlsplit(cls.admin['url']).port}"

    def test_the_session_is_a_cookie_of_this_host_that_no_script_sees(self):
        # Who is signed in is asked before anybody is.
        page = self.page(expected=[r"status of 401", r"ERR_ABORTED|ERR_INCOMPLETE"])
        page.goto(self.url + "/portal/payments")
        page.get_by_label("User name").fill(self.admin["user"])
        page.get_by_label("Password").fill(self.admin["password"])
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.locator("nav.menu").wait_for(state="attached")
        (cookie,) = page.context.cookies()
        self.assertEqual(cookie["name"], "__Host-pomona")
        self.assertEqual((cookie["secure"], cookie["httpOnly"], cookie["sameSite"], cookie["path"]), (True, True, "Strict", "/"))
        self.assertEqual(page.evaluate("document.cookie"), "")
        self.assertEqual(page.evaluate("JSON.stringify({ ...localStorage, ...sessionStorage })").count(cookie["value"]), 0)
        page.reload()
        page.get_by_role("heading", name="Payments").wait_for()
        # Another window of the browser is signed in as well, and out with it.
        other = page.context.new_page()
        other.goto(self.url + "/portal/")
        other.locator("nav.menu").wait_for(state="attached")
        page.locator("details.person summary").click()
        page.get_by_role("button", name="Sign out").click()
        page.get_by_label("User name").wait_for()
        self.assertEqual(page.context.cookies(), [])
        other.reload()
        other.get_by_label("User name").wait_for()


if __name__ == "__main__":
    unittest.main()
