# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""A platform integrator registers a merchant at the simulated Apple, from the portal, and takes its domains off again."""

import json
import os
import subprocess
import tempfile
import unittest

from harness import _Sandbox
from portal_operator import REFUSED, OperatorTestCase, WebKitCase


class RegistrationTest(OperatorTestCase):
    def set_up(self, name, *identifiers, domains=()):
        """A merchant with keys and the certificates of the test authority."""
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({
                "merchant": {"name": name, "displayName": f"The {name}", "mode": "sandbox", "countryCode": "AU"},
                "applePay": [{"merchantIdentifier": identifier, "custody": "gateway"} for identifier in identifiers],
            }, file)
            file.flush()
            subprocess.run(
                [_Sandbox._binary(), "setup", "--data", self.portal.data, "--file", file.name, "--json"], check=True, capture_output=True, timeout=60)
        for host in domains:
            self.made(f"/merchants/{name}/domains", {"host": host})

    def test_a_merchant_is_registered_and_taken_off_again(self):
        name = "registered-" + os.urandom(3).hex()
        path = "/portal/apple-pay/registration?merchant=" + name
        self.set_up(name, f"merchant.com.example.{name}")
        page = self.signed_in("operator", path=path, expected=REFUSED)
        page.get_by_text("No platform integrator").wait_for()
        self.looks(page, "registration-none")
        self.set_up("platform", "platformintegrator.com.example")
        page.reload()
        page.get_by_text("First the merchant needs a domain").wait_for()
        for host in ("a.example", "b.example"):
            self.made(f"/merchants/{name}/domains", {"host": host})
        page.reload()
        page.get_by_text("Nothing is registered yet").wait_for()
        self.looks(page, "registration")
        page.get_by_role("checkbox", name="b.example").uncheck()
        self.button(page, "Register the merchant").click()
        self.button(page, "Unregister a.example").wait_for()
        page.get_by_text(f"merchant.com.example.{name}").first.wait_for()
        standing = self.portal.get(f"/merchants/{name}/apple-registration")
        self.assertEqual(standing["registered"]["domainNames"], ["a.example"])
        self.button(page, "Register the merchant").click()
        page.get_by_text("Every domain of the merchant's is registered").wait_for()
        self.looks(page, "registration-whole")
        for host, words in (("a.example", "from now on"), ("b.example", "registered at Apple no more")):
            self.button(page, "Unregister " + host).click()
            dialog = self.dialog(page)
            self.assertIn(words, dialog.locator(".sentence").inner_text())
            dialog.get_by_label("Reason").fill("It has moved.")
            self.looked_at(page)
            dialog.get_by_role("button", name="Unregister the domain").click()
            self.closed(page)
            self.button(page, "Unregister " + host).wait_for(state="detached")
        page.get_by_text("Nothing is registered yet").wait_for()
        self.assertIsNone(self.portal.get(f"/merchants/{name}/apple-registration")["registered"])

    def test_further_domains_change_nothing_else_of_the_registration(self):
        name = "further-" + os.urandom(3).hex()
        self.set_up("platform", "platformintegrator.com.example")
        self.set_up(name, *(f"merchant.com.example.{which}.{name}" for which in ("a", "b")), domains=("c.example", "d.example"))
        path = f"/merchants/{name}/apple-registration"
        # Not the one that the list begins with.
        own = {"merchantName": "As it is", "encryptTo": self.portal.get(path)["recipients"][-1], "merchantURL": "https://shop.example/pay"}
        self.assertEqual(len(self.portal.get(path)["recipients"]), 2)
        self.made(path, {**own, "domainNames": ["c.example"]}, headers={"Idempotency-Key": os.urandom(8).hex()})
        page = self.signed_in("operator", path="/portal/apple-pay/registration?merchant=" + name)
        self.button(page, "Register the merchant").click()
        page.get_by_text("Every domain of the merchant's is registered").wait_for()
        registered = self.portal.get(path)["registered"]
        self.assertEqual(sorted(registered.pop("domainNames")), ["c.example", "d.example"])
        self.assertEqual(registered, own)

    def test_a_viewer_sees_the_state_and_no_act(self):
        page = self.signed_in("viewer", path="/portal/apple-pay/registration?merchant=" + self.portal.merchant, expected=REFUSED)
        page.locator("main h1").wait_for()
        self.assertEqual(self.button(page, "Register the merchant").count(), 0)


class RegistrationInWebKit(WebKitCase):
    def test_the_page_comes(self):
        self.comes([("/apple-pay/registration?merchant=" + self.portal.merchant, "Apple Pay")])


if __name__ == "__main__":
    unittest.main()
