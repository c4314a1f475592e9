# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""The whole road: a shop's page with TPDirect, the sandbox's wallet, the sandbox's gateway, and the shop's server paying."""

import json
import re
import time
import unittest
import urllib.parse

from edge import UsualShop
from harness import SandboxTestCase, post_json

PAY = "Confirm with side button"
SCRIPTS = ["/wallet/apple-pay-simulator.js", "/sdk/tpdirect/v5.19.2"]


class EndToEndTest(UsualShop, SandboxTestCase):
    """A shop of an origin of its own, under the policy of docs/tpdirect-web.md."""

    def setUp(self):
        self.gateway = self.sandbox["http"].rstrip("/")
        self.account = self.sandbox["merchants"]["tappay"]
        self.start_edge(gateway=self.gateway)

    def shop(self, scripts=SCRIPTS, expected=(), **settings):
        page = self.page(expected=expected)
        known = {
            "appID": self.account["appId"], "appKey": self.account["appKey"], "serverType": "sandbox",
            "applePay": {"merchantIdentifier": self.account["merchantIdentifier"], "countryCode": "TW"},
        }
        self.visit(page, [self.gateway + path for path in scripts], {**known, **settings})
        self.until(page, "shop.setup !== null")
        return page

    def confirm(self, page):
        page.get_by_role("button", name=PAY).click()

    def pay_by_prime(self, prime, amount):
        _, answer = post_json(
            self.gateway + "/tpc/payment/pay-by-prime",
            {
                "prime": prime, "partner_key": self.account["partnerKey"], "merchant_id": self.account["merchantId"],
                "amount": amount, "currency": "TWD", "details": "A telephone",
                "cardholder": {"phone_number": "+886900000000", "name": "Wang", "email": "wang@example.com"},
            },
            {"x-api-key": self.account["partnerKey"]})
        return answer

    def test_pays_the_sample_of_the_specification(self):
        page = self.shop()
        self.assertEqual(
            page.evaluate("shop.setup"), {"browserSupportPaymentRequest": True, "canMakePaymentWithActiveCard": True})
        page.click("#pay")
        page.get_by_role("button", name=PAY).wait_for()
        page.get_by_role("radio", name=re.compile("Drone Express")).check()
        self.confirm(page)
        result = self.result(page)
        self.assertEqual((result["status"], result["msg"]), (0, "Success"), result)
        self.assertRegex(result["prime"], "^test_[0-9a-f]{56}$")
        self.assertEqual((result["total_amount"], result["shippingOption"]), ("26", "drone"))
        self.assertRegex(result["card"]["lastfour"], "^[0-9]{4}$")
        self.assertRegex(result["card_info"]["lastfour"], "^[0-9]{4}$")
        self.assertNotEqual(result["payer"]["email"], "")
        self.assertNotEqual(result["shippingAddress"]["addressLine"], [])
        self.assertNotEqual(result["billingAddress"]["country"], "")
        left = result["prime_expiry_millis"] - time.time() * 1000
        self.assertTrue(60_000 < left <= 91_000, left)
        # Shops pass total_amount on as the string that it is.
        paid = self.pay_by_prime(result["prime"], result["total_amount"])
        self.assertEqual((paid["status"], paid["amount"], paid["currency"]), (0, 26, "TWD"), paid)
        self.assertEqual(paid["card_info"]["last_four"], result["card_info"]["lastfour"])

    def test_the_wallet_may_come_after_the_sdk(self):
        page = self.shop(scripts=["/tpdirect/v5.13.1", "/wallet/apple-pay-simulator.js"])
        page.click("#pay")
        self.confirm(page)
        self.assertEqual(self.result(page)["status"], 0)

    def test_a_deferred_payment_gets_its_amount_later(self):
        page = self.shop(paymentRequest={
            "supportedNetworks": ["VISA", "MASTERCARD"], "supportedMethods": ["apple_pay"],
            "displayItems": [{"label": "Ride", "amount": {"currency": "TWD"}, "isAmountPending": True}],
            "total": {"label": "Taxi", "amount": {"currency": "TWD"}, "isAmountPending": True, "isShowTotalAmount": False}})
        page.click("#pay")
        self.confirm(page)
        result = self.result(page)
        self.assertEqual((result["status"], result["total_amount"]), (0, ""), result)
        left = result["prime_expiry_millis"] - time.time() * 1000
        self.assertTrue(29 * 86_400_000 < left <= 30 * 86_400_000 + 1000, left)
        paid = self.pay_by_prime(result["prime"], 345)
        self.assertEqual((paid["status"], paid["amount"]), (0, 345), paid)

    def test_the_amount_is_the_one_that_the_buyer_saw(self):
        page = self.shop()
        page.click("#pay")
        self.confirm(page)
        result = self.result(page)
        self.assertEqual(result["total_amount"], "6")
        self.assertNotEqual(self.pay_by_prime(result["prime"], 7)["status"], 0)

    def test_cancel(self):
        page = self.shop()
        page.click("#pay")
        page.get_by_role("button", name=PAY).wait_for()
        page.get_by_role("button", name="Cancel").click()
        self.assertEqual(self.result(page)["status"], 401)

    def test_a_wrong_app_key_stops_before_the_sheet(self):
        page = self.shop(appKey="app_wrong", expected=["status of 4"])
        page.click("#pay")
        result = self.result(page)
        self.assertEqual(result["status"], 403)
        self.assertIn("App key mismatch", result["msg"])

    def test_another_merchant_identifier_stops_before_the_sheet(self):
        page = self.shop(applePay={"merchantIdentifier": "merchant.example.nobody"}, expected=["status of 4"])
        page.click("#pay")
        self.assertEqual(self.result(page)["status"], 403)

    def test_a_currency_that_cannot_be_paid_closes_the_sheet_and_the_buyer_may_try_again(self):
        page = self.shop(paymentRequest={
            "supportedNetworks": ["VISA"], "supportedMethods": ["apple_pay"],
            "total": {"label": "Shop", "amount": {"currency": "EUR", "value": "12.50"}}})
        page.click("#pay")
        self.confirm(page)
        result = self.result(page)
        self.assertEqual((result["status"], result["msg"]), (652, "Invalid arguments : currency"), result)
        page.get_by_text("Payment not completed", exact=True).wait_for()
        page.get_by_role("button", name=PAY).wait_for(state="hidden")
        page.locator("pomona-wallet-simulator dialog").wait_for(state="detached")
        page.evaluate(
            "shop.results.length = 0, TPDirect.paymentRequestApi.setupPaymentRequest({ supportedNetworks: ['VISA'],"
            " supportedMethods: ['apple_pay'], total: { label: 'Shop', amount: { currency: 'TWD', value: '12' } } })")
        page.click("#pay")
        self.confirm(page)
        self.assertEqual(self.result(page)["status"], 0)

    def test_an_app_of_the_other_kind(self):
        page = self.shop(serverType="production")
        page.click("#pay")
        self.confirm(page)
        result = self.result(page)
        self.assertEqual(result["status"], -6)
        self.assertIn("setupSDK says 'production'", result["msg"])


if __name__ == "__main__":
    unittest.main()
