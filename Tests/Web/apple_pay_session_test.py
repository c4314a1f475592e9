# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""What the SDK does with a page's own ApplePaySession, in every engine, over a double that keeps WebKit's rules.

The rules are tried first: a double that is too kind would hide what Safari refuses. What the SDK does in detail is in
sdk_apple_pay_test.py, over the same double in Chromium.
"""

import unittest

import engines
from edge import APPLE_PAY_SESSION, CONTACT, GRANTED, PAYMENT_DATA, PAYMENT_METHOD, PRIME, PRIMED, SettingsEdge

PAYMENT = {"token": {"paymentData": PAYMENT_DATA, "paymentMethod": PAYMENT_METHOD, "transactionIdentifier": "C0FFEE"},
           "shippingContact": CONTACT, "billingContact": CONTACT}
SDK_PATH = "/sdk/tpdirect/v5.19.2"


class RulesBody:
    """The double keeps WebKit's rules."""

    GROUPS = {
        "modern": {}, "old": {"newestVersion": 2}, "insecure": {"isSecure": False}, "busy": {"isBusyElsewhere": True},
        "refusing": {"refusesSession": True}, "staying": {"staysOnFailure": True},
    }

    def test_rules_of_webkit(self):
        for group, wallet in self.GROUPS.items():
            edge = SettingsEdge()
            self.addCleanup(edge.stop)
            edge.settings, edge.wallet = {"group": group}, wallet
            tab = self.tab(edge.shop, edge.page_path(
                ["/settings.js", *APPLE_PAY_SESSION, "/fixtures/apple-pay-request-rules.js", "/fixtures/apple-pay-session-rules.js"]))
            tab.click("document.querySelector('#pay')")
            tab.until("rules.outcomes !== null")
            outcomes = tab.run("return rules.outcomes;")
            self.assertGreater(len(outcomes), 0)
            for rule, expected, actual in outcomes:
                with self.subTest(group=group, rule=rule):
                    self.assertEqual(actual, expected)
            self.check(tab)


class SDKBody:
    """The SDK over the double, with a scripted gateway."""

    def shop(self, wallet=None, expected=(), answers=None, **settings):
        edge = SettingsEdge()
        self.addCleanup(edge.stop)
        edge.answers.update(answers or {})
        edge.settings, edge.wallet = settings, wallet or {}
        tab = self.tab(edge.shop, edge.page_path(
            ["/settings.js", *APPLE_PAY_SESSION, edge.gateway + SDK_PATH, "/fixtures/usual-shop.js"]), expected)
        tab.until("globalThis.shop && shop.setup !== null")
        return tab

    def open_sheet(self, tab):
        tab.click("document.querySelector('#pay')")
        tab.until("wallet.current?.merchantValidation === 'complete'")

    def authorize(self, tab):
        tab.run("wallet.authorize(arguments[0]);", PAYMENT)

    def result(self, tab):
        """The one result; afterwards there is none."""
        tab.until("shop.results.length > 0")
        results = tab.run("const results = shop.results.splice(0); return JSON.parse(JSON.stringify(results));")
        self.assertEqual(len(results), 1, results)
        return results[0]

    def states(self, tab):
        return tab.run("return [wallet.current.state, wallet.calls.map((call) => call.name)];")

    def test_sdk_pays_with_every_version(self):
        for version, status in [(14, {"status": 0}), (3, {"status": 0}), (2, 0), (1, 0)]:
            with self.subTest(version=version):
                tab = self.shop({"newestVersion": version})
                self.open_sheet(tab)
                tab.run("wallet.selectPaymentMethod(); wallet.selectShippingMethod('drone'); wallet.selectShippingContact();")
                self.assertEqual(self.states(tab)[0], "active")
                self.authorize(tab)
                result = self.result(tab)
                self.assertEqual((result["prime"], result["total_amount"], result["shippingOption"]), (PRIME, "26", "drone"))
                tab.until("wallet.current.state === 'completed'")
                self.assertEqual(tab.run("return wallet.calls.at(-1);"), {"name": "completePayment", "args": [status]})
                self.check(tab)

    def test_sdk_pays_without_a_contact_with_every_version(self):
        plain = {"supportedNetworks": ["VISA"], "supportedMethods": ["apple_pay"],
                 "total": {"label": "Shop", "amount": {"currency": "TWD", "value": "12"}}}
        for version in (14, 2, 1):
            with self.subTest(version=version):
                tab = self.shop({"newestVersion": version}, paymentRequest=plain)
                self.open_sheet(tab)
                self.authorize(tab)
                self.assertEqual(self.result(tab)["prime"], PRIME)
                self.check(tab)

    def test_sdk_pays_by_the_payment_button(self):
        tab = self.shop()
        tab.run("""
            document.body.append(Object.assign(document.createElement('div'), { id: 'place' }));
            TPDirect.paymentRequestApi.setupTappayPaymentButton('#place', (result) => shop.results.push(result));""")
        self.assertEqual(tab.run("return getComputedStyle(document.querySelector('#place button')).backgroundColor;"), "rgb(0, 0, 0)")
        tab.click("document.querySelector('#place button')")
        tab.until("wallet.current?.merchantValidation === 'complete'")
        self.authorize(tab)
        self.assertEqual(self.result(tab)["prime"], PRIME)
        self.check(tab)

    def test_sdk_ends_the_session_with_a_failure(self):
        tab = self.shop(answers={"prime": {"status": 915, "msg": "away"}})
        self.open_sheet(tab)
        self.authorize(tab)
        self.assertEqual(self.result(tab)["status"], 915)
        tab.until("wallet.current.state === 'completed'")
        # And the next payment can follow.
        self.open_sheet(tab)
        self.check(tab)

    def test_sdk_reports_once_however_the_sheet_goes(self):
        for ending, calls in [("wallet.cancel();", ["completeMerchantValidation"]),
                              ("wallet.suspend(); wallet.restore();", ["completeMerchantValidation"])]:
            with self.subTest(ending):
                tab = self.shop()
                self.open_sheet(tab)
                tab.run(ending)
                self.assertEqual(self.result(tab)["status"], 401)
                self.assertEqual(self.states(tab), ["canceled", calls])
                self.open_sheet(tab)
                self.authorize(tab)
                self.assertEqual(self.result(tab)["prime"], PRIME)
                self.check(tab)

    def test_sdk_aborts_where_the_merchant_is_refused(self):
        for wallet, answers in [({}, {"session": {"status": 16, "msg": "App key mismatch"}}),
                                ({"refusesSession": True}, {"session": GRANTED})]:
            with self.subTest(wallet):
                tab = self.shop(wallet, answers=answers)
                tab.click("document.querySelector('#pay')")
                self.assertEqual(self.result(tab)["status"], 403)
                self.assertEqual(self.states(tab)[0], "aborted")
                self.check(tab)

    def test_sdk_passes_on_what_the_browser_refuses(self):
        tab = self.shop(answers={"prime": PRIMED})
        tab.run("shop.pay();")
        result = self.result(tab)
        self.assertEqual((result["status"], result["originalError"]["message"]),
                         (404, "Must create a new ApplePaySession from a user gesture handler."))
        self.open_sheet(tab)
        tab.click("document.querySelector('#pay')")
        self.assertEqual(self.result(tab)["originalError"]["code"], "payment_in_progress")
        self.assertEqual(self.states(tab)[0], "active")
        self.check(tab)
        busy = self.shop({"isBusyElsewhere": True})
        busy.click("document.querySelector('#pay')")
        self.assertEqual(self.result(busy)["originalError"]["name"], "InvalidAccessError")
        self.check(busy)

    def test_sdk_does_not_use_apple_pay_in_documents_that_are_not_secure(self):
        tab = self.shop({"isSecure": False})
        self.assertEqual(tab.run("return [shop.isAvailable, shop.setup];"),
                         [False, {"browserSupportPaymentRequest": False, "canMakePaymentWithActiveCard": False}])
        tab.click("document.querySelector('#pay')")
        self.assertEqual(self.result(tab)["originalError"]["code"], "not_supported")
        self.check(tab)


# A class for each engine and body, so that a failure names its engine: RulesInWebkitTest. Chromium too: its other files take the
# double for granted.
for _engine in dict.fromkeys(["chromium", *engines.wanted()]):
    for _body in (RulesBody, SDKBody):
        _title = f"{_body.__name__.removesuffix('Body')}In{_engine.capitalize()}Test"
        globals()[_title] = type(
            _title, (_body, engines.EngineTestCase), {"engine": _engine, "__module__": __name__})


if __name__ == "__main__":
    unittest.main()
