# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""Apple Pay in the portal: an operator renews a certificate without losing a payment, from the signing request to the retirement of
the old key, with the test authority as Apple; domains with their live state; what is to be done in the next 30 days.
"""

import os
import re
import subprocess
import unittest

from portal_operator import REFUSED, Actions, OperatorTestCase, WebKitCase, certified, token_for


class ApplePayTest(OperatorTestCase):
    def keys(self, page):
        """How many keys work, as the page says."""
        return int(page.locator(".working-count strong").inner_text())

    def test_renews_a_certificate_with_never_fewer_than_one_working_key(self):
        merchant = self.portal.merchant
        (old,) = [one for one in self.portal.get(f"/merchants/{merchant}/certificates")["data"]
                  if one["purpose"] == "payment-processing" and one["state"] == "active"]
        identifier = old["merchantIdentifier"]
        self.portal.pay("2.00")
        page = self.signed_in("operator", path="/portal/apple-pay?merchant=" + merchant)
        actions = Actions(page)
        actions.click(page.locator(".key-card", has_text="Payment Processing").get_by_role("link", name=re.compile("See the steps|Go on")))
        self.settled(page)
        actions.click(self.button(page, "Begin the renewal"))
        self.settled(page)
        self.looks(page, "apple-request")
        self.assertEqual(self.keys(page), 1)
        actions.click(self.button(page, "Make the signing request"))
        page.get_by_text("Download the signing request below.").wait_for()
        self.assertEqual(self.keys(page), 1)
        self.looks(page, "apple-hand-in")
        with page.expect_download() as download:
            actions.click(self.button(page, "Download the signing request"))
        with open(download.value.path(), encoding="ascii") as file:
            certificate, path = certified(self.portal, file.read(), identifier)
        page.get_by_label("Or its text").fill(certificate)
        actions.click(self.button(page, "Import the certificate"))
        actions.click(page.locator("main").get_by_role("button", name="Use the new certificate"))
        self.assertIn("2 keys work", self.confirm(page, "Use the new certificate", actions=actions))
        page.get_by_text("None has come yet.").wait_for()
        self.assertEqual(self.keys(page), 2)
        self.looks(page, "apple-observe")

        self.portal.pay("3.00", token=token_for(self.portal, path, "3.00"))
        page.reload()
        self.settled(page)
        # Tokens have just come for the old one: it is too early, and whoever wants it has to type it.
        page.get_by_text("Tokens came for the old key within the last 7 days").wait_for()
        actions.click(self.button(page, "Retire the old key…"))
        self.assertIn("1 key goes on opening tokens", self.confirm(page, "Retire the old key", typed=identifier, actions=actions))
        page.locator(".working-count strong", has_text="1").wait_for()
        self.assertEqual(self.keys(page), 1)
        self.assertLessEqual(actions.count, 9)

        # The old key is there and can be used again: no payment with it is lost.
        self.go(page, "/apple-pay")
        self.looks(page, "apple")
        self.button(page, "Use it again").first.click()
        self.confirm(page, "Use it again")
        self.portal.pay("4.00")
        self.shows_no_secret(page)

    def test_the_only_key_cannot_be_retired_from_the_page(self):
        page = self.signed_in("operator", path="/portal/apple-pay/certificate/payment-processing?merchant=payone")
        self.assertEqual(self.button(page, "Retire the old key…").count(), 0)
        self.assertEqual(self.keys(page), 1)

    def test_an_empty_page_says_what_to_do_first(self):
        merchant = self.merchant()
        page = self.signed_in("operator", path="/portal/apple-pay?merchant=" + merchant["name"])
        page.get_by_text("No Apple Pay certificate yet").wait_for()
        self.looks(page, "apple-empty")
        page.get_by_role("link", name="Begin with a key").click()
        self.settled(page)
        self.assertEqual(self.keys(page), 0)

    def test_a_certificate_of_another_key_is_refused_and_nothing_changes(self):
        merchant = self.merchant()
        self.made(f"/merchants/{merchant['name']}/certificates/requests", {"purpose": "payment-processing", "merchantIdentifier": "merchant.com.example.other"})
        page = self.signed_in("operator", path=f"/portal/apple-pay/certificate/payment-processing?merchant={merchant['name']}", expected=REFUSED)
        with open(os.path.join(self.portal.data, "merchants/commweb/applepay-processing.pem"), encoding="ascii") as file:
            page.get_by_label("Or its text").fill(file.read())
        self.button(page, "Import the certificate").click()
        page.locator(".problem, .field-error:not(:empty)").first.wait_for()
        self.axe(page)
        self.assertEqual(self.keys(page), 0)

    def test_a_signing_request_that_was_lost_is_downloaded_again(self):
        """Somebody else has made it, elsewhere: whoever comes to the page goes on with it."""
        merchant, identifier = self.merchant(), "merchant.com.example.again"
        path = f"/merchants/{merchant['name']}/certificates/requests"
        made = self.made(path, {"purpose": "payment-processing", "merchantIdentifier": identifier})["signingRequest"]
        page = self.signed_in("operator", path=f"/portal/apple-pay/certificate/payment-processing?merchant={merchant['name']}")
        page.get_by_text("Whoever has lost it downloads it again").wait_for()
        with page.expect_download() as download:
            self.button(page, "Download the signing request").click()
        self.assertEqual(download.value.suggested_filename, f"{identifier}-payment-processing.certSigningRequest")
        with open(download.value.path(), encoding="ascii") as file:
            again = file.read()
        self.assertEqual(self.public_key(again), self.public_key(made))
        page.locator("summary", has_text="See it as text").click()
        page.locator("pre", has_text="BEGIN CERTIFICATE REQUEST").wait_for()
        self.looks(page, "apple-hand-in-again")
        page.get_by_label("Or its text").fill(certified(self.portal, again, identifier)[0])
        self.button(page, "Import the certificate").click()
        page.locator("main").get_by_role("button", name="Use the new certificate").wait_for()
        self.shows_no_secret(page)

    def test_a_mistyped_request_is_withdrawn(self):
        merchant = self.merchant()
        path = f"/merchants/{merchant['name']}/certificates"
        self.made(path + "/requests", {"purpose": "payment-processing", "merchantIdentifier": "merchant.com.example.typo"})
        page = self.signed_in("operator", path=f"/portal/apple-pay/certificate/payment-processing?merchant={merchant['name']}")
        self.button(page, "Withdraw the request…").click()
        self.assertIn("merchant.com.example.typo", self.confirm(page, "Withdraw the request"))
        self.button(page, "Make the signing request").wait_for()
        self.assertEqual([one["state"] for one in self.portal.get(path)["data"]], ["retired"])
        self.assertEqual(self.portal.get(path + "/requests")["data"], [])
        self.go(page, "/apple-pay?merchant=" + merchant["name"])
        page.get_by_text("No Apple Pay certificate yet").wait_for()

    def test_another_request_has_a_key_of_the_same_kind(self):
        merchant, identifier = self.merchant(), "merchant.com.example.mainland"
        path = f"/merchants/{merchant['name']}/certificates/requests"
        for algorithm, words in (("RSA-2048", "rsaEncryption"), ("P-256", "id-ecPublicKey")):
            with self.subTest(algorithm):
                self.made(path, {"purpose": "payment-processing", "merchantIdentifier": identifier, "algorithm": algorithm})
                known = [one["id"] for one in self.portal.get(path)["data"]]
                page = self.signed_in(
                    "operator", path=f"/portal/apple-pay/certificate/payment-processing?merchant={merchant['name']}&identifier={identifier}")
                self.button(page, "Make another request").click()
                page.get_by_role("region", name="Notes").get_by_text("The signing request is there.").wait_for()
                (newest,) = [one["id"] for one in self.portal.get(path)["data"] if one["id"] not in known]
                request = self.portal.get(f"/merchants/{merchant['name']}/certificates/{newest}/request")["signingRequest"]
                text = subprocess.run(["openssl", "req", "-noout", "-text"], input=request, check=True, capture_output=True, text=True).stdout
                self.assertIn(words, text)

    def public_key(self, request):
        """Of a signing request that its own key has signed."""
        return subprocess.run(["openssl", "req", "-verify", "-noout", "-pubkey"], input=request, check=True, capture_output=True, text=True).stdout

    def test_domains_are_added_checked_and_removed(self):
        merchant = self.merchant()
        page = self.signed_in("operator", path="/portal/apple-pay/domains?merchant=" + merchant["name"])
        page.get_by_text("No domain yet").wait_for()
        self.looks(page, "domains-empty")
        self.button(page, "Add a domain").click()
        self.looked_at(page)
        dialog = self.dialog(page)
        dialog.get_by_label("Host name").fill("shop.example.com")
        dialog.get_by_role("button", name="Add a domain").click()
        self.closed(page)
        page.get_by_role("heading", name="shop.example.com").wait_for()
        self.looks(page, "domains")
        page.get_by_role("button", name="Remove shop.example.com").click()
        self.assertIn("end with an error from now on", self.confirm(page, "Remove the domain", typed="shop.example.com"))
        page.get_by_text("No domain yet").wait_for()

    def test_a_viewer_sees_the_state_and_no_act(self):
        page = self.signed_in("viewer", path="/portal/apple-pay?merchant=" + self.portal.merchant)
        self.assertEqual(self.button(page, "Use it again").count(), 0)
        page.locator(".days").first.wait_for()


class ApplePayInWebKit(WebKitCase):
    def test_the_pages_come(self):
        own = "?merchant=" + self.portal.merchant
        self.comes([("/apple-pay" + own, "Apple Pay"), ("/apple-pay/certificate/payment-processing" + own, "Key that opens tokens"), ("/apple-pay/domains" + own, "Apple Pay")])


if __name__ == "__main__":
    unittest.main()
