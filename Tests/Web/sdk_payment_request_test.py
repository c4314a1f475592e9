# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""getPrime through the Payment Request API with Apple Pay's method, where a browser has no ApplePaySession."""

import unittest

from edge import (
    ADDRESS, CARD_INFO, CONTACT, PAYMENT_DATA, PAYMENT_METHOD, PAYMENT_REQUEST, PRIME, PRIMED, SESSION, Held, SDKTestCase, changed)

RESPONSE = {
    "details": {"token": {"paymentData": PAYMENT_DATA, "paymentMethod": PAYMENT_METHOD}, "billingContact": CONTACT, "shippingContact": CONTACT},
    "payerName": "王小明", "payerPhone": "+886 900 000 000", "payerEmail": "ming@example.com",
}


def money(value):
    return {"currency": "TWD", "value": value}


class PaymentRequestTestCase(SDKTestCase):
    wallet_scripts = PAYMENT_REQUEST

    def authorize(self, page, response=RESPONSE):
        page.evaluate("(response) => wallet.authorize(response)", response)


class SheetTest(PaymentRequestTestCase):
    def test_pays_the_sample_of_the_specification(self):
        page = self.shop()
        self.open_sheet(page)
        self.assertEqual(self.calls(page, "merchantSession"), [[SESSION]])
        self.authorize(page)
        self.assertEqual(self.result(page), {
            "status": 0,
            "msg": "Success",
            "prime": PRIME,
            "total_amount": "6",
            "client_ip": "192.0.2.7",
            "payer": {"name": "王小明", "phone": "+886 900 000 000", "email": "ming@example.com"},
            "shippingAddress": ADDRESS,
            "billingAddress": ADDRESS,
            "shippingOption": "standard",
            "methodName": "apple_pay",
            "requestId": "request-of-the-browser",
            "card": {"lastfour": "1881", "funding": 0, "type": 2},
            "card_info": CARD_INFO,
            "merchant_reference_info": {"affiliate_codes": ["GOLD1"]},
            "prime_expiry_millis": 1_700_000_090_000,
        })
        self.assertEqual(self.calls(page, "complete"), [["success"]])

    def test_what_the_browser_is_asked_to_show(self):
        page = self.shop()
        self.open_sheet(page)
        self.assertEqual(page.evaluate("wallet.current.methods"), [{
            "supportedMethods": "https://apple.com/apple-pay",
            "data": {
                "version": 3, "merchantIdentifier": "merchant.tech.cherri", "countryCode": "TW",
                "merchantCapabilities": ["supports3DS"], "supportedNetworks": ["amex", "jcb", "masterCard", "visa"],
                "requiredBillingContactFields": ["postalAddress", "name"],
            },
        }])
        self.assertEqual(page.evaluate("wallet.current.details"), {
            "total": {"label": "總金額", "amount": money("6"), "pending": False},
            "displayItems": [
                {"label": "TapPay - iPhone8", "amount": money("1"), "pending": False},
                {"label": "🚛  Ground Shipping (2 days)", "amount": money("5"), "pending": False},
            ],
            "shippingOptions": [
                {"id": "standard", "label": "🚛  Ground Shipping (2 days)", "amount": money("5"), "selected": True},
                {"id": "drone", "label": "🚀  Drone Express (2 hours)", "amount": money("25"), "selected": False},
            ],
        })
        self.assertEqual(page.evaluate("wallet.current.options"), {
            "requestPayerEmail": True, "requestPayerName": True, "requestPayerPhone": True, "requestShipping": True,
            "shippingType": "shipping"})

    def test_a_changed_shipping_option_changes_the_total_and_the_result(self):
        page = self.shop()
        self.open_sheet(page)
        page.evaluate("wallet.selectShippingMethod('drone'), wallet.selectShippingContact()")
        for [details] in self.calls(page, "updateWith"):
            self.assertEqual(details["total"]["amount"], money("26"))
            self.assertEqual([each["selected"] for each in details["shippingOptions"]], [False, True])
        self.assertEqual(len(self.calls(page, "updateWith")), 2)
        self.authorize(page)
        result = self.result(page)
        self.assertEqual((result["total_amount"], result["shippingOption"]), ("26", "drone"))

    def test_shipping_without_options_still_takes_an_address(self):
        settings = {"paymentRequest": {
            "supportedNetworks": ["VISA"], "supportedMethods": ["apple_pay"], "options": {"requestShipping": True},
            "total": {"label": "Shop", "amount": money("12")}}}
        page = self.shop(settings=settings)
        self.open_sheet(page)
        [option] = page.evaluate("wallet.current.details.shippingOptions")
        self.assertEqual((option["amount"], option["selected"]), (money("0"), True))
        self.authorize(page)
        result = self.result(page)
        self.assertEqual((result["shippingOption"], result["total_amount"]), ("", "12"))

    def test_amount_pending(self):
        settings = {"paymentRequest": {
            "supportedNetworks": ["VISA"], "supportedMethods": ["apple_pay"],
            "displayItems": [{"label": "Ride", "isAmountPending": True}],
            "total": {"label": "Taxi", "amount": {"currency": "TWD"}, "isAmountPending": True, "isShowTotalAmount": False}}}
        page = self.shop(settings=settings)
        self.open_sheet(page)
        details = page.evaluate("wallet.current.details")
        self.assertEqual(details["total"], {"label": "Taxi", "amount": money("1"), "pending": True})
        self.assertEqual(details["displayItems"], [{"label": "Ride", "amount": money("0"), "pending": True}])
        self.authorize(page)
        self.assertEqual(self.result(page)["total_amount"], "")
        self.assertEqual(self.edge.asked("prime")[0]["is_amount_pending"], True)

    def test_addresses_of_browsers_without_apples_contacts(self):
        page = self.shop()
        self.open_sheet(page)
        address = {**ADDRESS, "organization": "Pomona", "languageCode": "zh-TW", "sortingCode": "1"}
        self.authorize(page, {"details": {"token": {"paymentData": PAYMENT_DATA}}, "shippingAddress": address})
        result = self.result(page)
        self.assertEqual(result["shippingAddress"], address)
        self.assertEqual(result["billingAddress"]["country"], "")
        self.assertEqual(result["payer"], {"name": "", "phone": "", "email": ""})


class FailureTest(PaymentRequestTestCase):
    def test_cancel(self):
        page = self.shop()
        self.open_sheet(page)
        page.evaluate("wallet.cancel()")
        self.assertEqual(self.result(page)["status"], 401)

    def test_closed_while_authorizing(self):
        held = Held(PRIMED)
        self.edge.answers["prime"] = held
        page = self.shop()
        self.open_sheet(page)
        self.authorize(page)
        held.asked.wait(10)
        page.evaluate("wallet.close()")
        held.release()
        self.assertEqual(self.result(page)["status"], 401)

    def test_a_refused_session(self):
        self.edge.answers["session"] = {"status": 403, "msg": "[Apple Pay] Get Session error: no"}
        page = self.shop()
        page.click("#pay")
        self.assertEqual(self.result(page), {"status": 403, "msg": "[Apple Pay] Get Session error: no"})

    def test_a_code_of_the_gateway(self):
        self.edge.answers["prime"] = {"status": 422, "msg": "Authorization Timeout"}
        page = self.shop()
        self.open_sheet(page)
        self.authorize(page)
        self.assertEqual(self.result(page), {"status": 422, "msg": "Authorization Timeout"})
        self.assertEqual(self.calls(page, "complete"), [["fail"]])

    def test_a_success_without_a_prime(self):
        self.edge.answers["prime"] = changed(PRIMED, prime=None)
        page = self.shop()
        self.open_sheet(page)
        self.authorize(page)
        result = self.result(page)
        self.assertEqual(
            (result["status"], result["msg"]), (-3, "failed to get prime: the gateway answered without a prime"))
        self.assertEqual(self.calls(page, "complete"), [["fail"]])

    def test_no_payment_data(self):
        page = self.shop()
        self.open_sheet(page)
        self.authorize(page, {"details": None})
        self.assertEqual(self.result(page)["status"], 402)
        self.assertEqual(self.edge.asked("prime"), [])

    def test_what_the_browser_throws_is_the_original_error(self):
        page = self.shop()
        self.open_sheet(page)
        page.evaluate("wallet.fail('SecurityError')")
        result = self.result(page)
        self.assertEqual((result["status"], result["originalError"]["name"]), (404, "SecurityError"))


class RealBrowserTest(SDKTestCase):
    """Chromium as it is: it has the Payment Request API, and no Apple Pay in it."""

    def test_a_payment_request_api_without_apple_pay_is_not_asked(self):
        # Asked for Apple Pay's method, Chromium would fetch it from Apple's site.
        page = self.shop()
        self.until(page, "shop.setup !== null")
        self.assertEqual(page.evaluate("shop.isAvailable"), False)
        self.assertEqual(
            page.evaluate("shop.setup"), {"browserSupportPaymentRequest": False, "canMakePaymentWithActiveCard": False})
        page.click("#pay")
        result = self.result(page)
        self.assertEqual((result["status"], result["originalError"]["code"]), (404, "not_supported"))
        self.assertEqual(self.edge.requests, [])


if __name__ == "__main__":
    unittest.main()
