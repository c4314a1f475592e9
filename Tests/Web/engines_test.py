# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""The web SDK, the wallet and the demo shop in every engine: the same tests in WebKit (Safari's engine), Firefox and Chromium.

What one engine alone can show (recorded networks, clocks that stand still) is in the other files, in Chromium.
"""

import json
import unittest

import engines
from edge import SettingsEdge
from harness import SandboxTestCase, post_json
from wallet_test import CONTACT_FIELDS, FIXTURE, WalletTestCase

DIALECTS = ["tappay", "alphapay", "commweb", "payone", "radial"]
# The way through the SDK and the way through ApplePaySession: a short set, for Firefox is in no Apple device by itself.
SHORT = ["tappay", "commweb"]
DECLINING = "Visa 0051"
ROOT = "document.querySelector('pomona-wallet-simulator')?.shadowRoot"


def in_sheet(selector, text=None):
    """JavaScript for an element of the sheet that is seen, by selector and by its own text."""
    condition = "element.getClientRects().length > 0 && element.getAttribute('aria-disabled') !== 'true'"
    if text is not None:
        condition += f" && element.textContent.trim().startsWith({json.dumps(text)})"
    return f"[...({ROOT}?.querySelectorAll({json.dumps(selector)}) ?? [])].find((element) => {condition})"


PAY = in_sheet("button", "Confirm with side button")
CANCEL = in_sheet("button", "Cancel")


class SandboxEngineTestCase(engines.EngineTestCase, SandboxTestCase):
    def choose_card(self, tab, name):
        tab.click(in_sheet("button", "Change"))
        tab.click(in_sheet("label.option", name))
        tab.until(f"{in_sheet('.name', name)}")


class SDKBody:
    """A shop of an origin of its own with TPDirect, under the policy of docs/tpdirect-web.md."""

    def shop(self, expected=(), **settings):
        gateway = self.sandbox["http"].rstrip("/")
        account = self.sandbox["merchants"]["tappay"]
        edge = SettingsEdge(gateway=gateway)
        self.addCleanup(edge.stop)
        edge.settings = {
            "appID": account["appId"], "appKey": account["appKey"], "serverType": "sandbox",
            "applePay": {"merchantIdentifier": account["merchantIdentifier"], "countryCode": "TW"}, **settings,
        }
        scripts = ["/settings.js", gateway + "/wallet/apple-pay-simulator.js", gateway + "/sdk/tpdirect/v5.19.2",
                   "/fixtures/usual-shop.js"]
        tab = self.tab(edge.shop, edge.page_path(scripts), expected)
        tab.until("globalThis.shop && (shop.setup !== null || shop.error !== null)")
        return tab

    def result(self, tab):
        tab.until("shop.results.length > 0")
        return tab.run("return shop.results[0];")

    def test_sdk_sets_up_and_gets_a_prime_that_pays(self):
        tab = self.shop()
        self.assertEqual(tab.run("return [shop.error, shop.isAvailable, shop.setup];"),
                         [None, True, {"browserSupportPaymentRequest": True, "canMakePaymentWithActiveCard": True}])
        tab.click("document.querySelector('#pay')")
        tab.click(in_sheet("label.option", "🚀"))
        tab.click(PAY)
        result = self.result(tab)
        self.assertEqual((result["status"], result["total_amount"], result["shippingOption"]), (0, "26", "drone"), result)
        account = self.sandbox["merchants"]["tappay"]
        _, paid = post_json(
            self.sandbox["http"].rstrip("/") + "/tpc/payment/pay-by-prime",
            {
                "prime": result["prime"], "partner_key": account["partnerKey"], "merchant_id": account["merchantId"],
                "amount": int(result["total_amount"]), "currency": "TWD", "details": "A telephone",
                "cardholder": {"phone_number": "+886900000000", "name": "Wang", "email": "wang@example.com"},
            }, {"x-api-key": account["partnerKey"]})
        self.assertEqual(paid["status"], 0, paid)
        self.check(tab)

    def test_sdk_reports_a_sheet_that_was_closed(self):
        tab = self.shop()
        tab.click("document.querySelector('#pay')")
        tab.until(PAY)
        tab.press("Escape")
        self.assertEqual(self.result(tab)["status"], 401)
        # The shopper changes their mind.
        tab.run("shop.results.length = 0;")
        tab.click("document.querySelector('#pay')")
        tab.click(PAY)
        self.assertEqual(self.result(tab)["status"], 0)
        self.check(tab)

    def test_sdk_refuses_a_wrong_app_key_before_the_sheet(self):
        tab = self.shop(appKey="app_wrong", expected=["Failed to load resource", "status of 4"])
        tab.click("document.querySelector('#pay')")
        self.assertEqual(self.result(tab)["status"], 403)
        self.check(tab)


class WalletBody:
    """The wallet in a shop of another origin, under a strict policy with Trusted Types."""

    def wallet_shop(self, request=None, listens=()):
        tab = self.tab(WalletTestCase.origin)
        tab.run("Object.assign(shop.request, arguments[0]); shop.listens.push(...arguments[1]);", request or {}, list(listens))
        return tab

    def log(self, tab, name):
        return [entry[1] for entry in tab.run("return JSON.parse(JSON.stringify(shop.log));") if entry[0] == name]

    def test_wallet_pays_with_a_card_and_an_address(self):
        tab = self.wallet_shop({"requiredShippingContactFields": CONTACT_FIELDS})
        tab.click("document.querySelector('#pay')")
        tab.until(PAY)
        self.choose_card(tab, "MasterCard")
        tab.click(PAY)
        tab.until("shop.log.some(([name]) => name === 'paymentauthorized')")
        payment = self.log(tab, "paymentauthorized")[0]
        self.assertEqual(payment["token"]["paymentMethod"]["network"].lower(), "mastercard")
        self.assertEqual(payment["token"]["paymentData"]["version"], "EC_v1")
        self.assertIn("@", payment["shippingContact"]["emailAddress"])
        tab.until(f"{ROOT} === undefined")
        self.check(tab)

    def test_wallet_pays_by_payment_request(self):
        tab = self.wallet_shop()
        tab.run((FIXTURE.parent / "wallet-payment-request.js").read_text(encoding="utf-8"))
        tab.run("payer.options.requestPayerEmail = true;")
        tab.click("document.querySelector('h1')")
        tab.click(PAY)
        tab.until("shop.log.some(([name]) => name === 'shown')")
        (response,) = self.log(tab, "shown")
        self.assertEqual(response["details"]["token"]["paymentData"]["version"], "EC_v1")
        self.assertIn("@", response["payerEmail"])
        tab.run("payer.note('completed', payer.response.complete('success'));")
        tab.until(f"{ROOT} === undefined")
        self.assertEqual(self.log(tab, "completed"), [None])
        self.check(tab)

    def test_wallet_closes_by_key_and_by_button(self):
        tab = self.wallet_shop()
        for close in (lambda: tab.press("Escape"), lambda: tab.click(CANCEL)):
            tab.run("shop.log.length = 0;")
            tab.click("document.querySelector('#pay')")
            tab.until(PAY)
            close()
            tab.until("shop.log.some(([name]) => name === 'cancel')")
            tab.until(f"{ROOT} === undefined")
        self.check(tab)

    def test_wallet_needs_a_gesture(self):
        early = self.tab(WalletTestCase.origin, "/?early")
        early.until("shop.log.length > 0")
        self.assertEqual(self.log(early, "early"), ["InvalidAccessError"])
        self.check(early)

    def test_wallet_is_asked_in_the_handler_itself(self):
        for before, thrown in [("", ""), ("await null;", ""), ("await fetch('/page.js');", "InvalidAccessError")]:
            with self.subTest(before):
                tab = self.wallet_shop()
                tab.run("document.querySelector('h1').addEventListener('click', async () => { "
                        f"{before} shop.note('made', shop.attempt(() => new ApplePaySession(shop.version, shop.request))); }});")
                tab.click("document.querySelector('h1')")
                tab.until("shop.log.length > 0")
                self.assertEqual(self.log(tab, "made"), [thrown])
                self.check(tab)

    def test_wallet_answers_changes_of_shipping(self):
        methods = [{"identifier": "slow", "label": "Slow", "detail": "Some days", "amount": "2.00"},
                   {"identifier": "fast", "label": "Fast", "detail": "One day", "amount": "9.00"}]
        tab = self.wallet_shop({"shippingMethods": methods, "requiredShippingContactFields": CONTACT_FIELDS},
                               listens=["shippingmethodselected"])
        tab.run("shop.handlers.shippingmethodselected = function (event) { this.completeShippingMethodSelection("
                "{ newTotal: { label: 'Test shop', amount: '21.50' } }); };")
        tab.click("document.querySelector('#pay')")
        tab.until(PAY)
        tab.click(in_sheet("label.option", "Fast"))
        tab.until(f"{ROOT}.querySelector('.total .amount').textContent.includes('21.50')")
        tab.click(PAY)
        tab.until("shop.log.some(([name]) => name === 'paymentauthorized')")
        self.check(tab)


class ShopBody:
    """The demo shop."""

    @property
    def dialects(self):
        return SHORT if self.engine == "firefox" else DIALECTS

    def demo(self, dialect):
        tab = self.tab(self.sandbox["http"].rstrip("/"), f"/?dialect={dialect}")
        tab.click("document.querySelector('#products [data-product=teapot]')")
        tab.until("!document.querySelector('#pay').disabled")
        return tab

    def pay(self, tab, card=None, state="authorized"):
        tab.click("document.querySelector('#pay')")
        tab.until(PAY)
        if card:
            self.choose_card(tab, card)
        tab.click(PAY)
        tab.until(f"['{state}', 'captured'].includes(document.querySelector('#order-view:not([hidden])')?.dataset.state)", 60)
        tab.until(f"{ROOT} === undefined")

    def follow(self, tab, name, state):
        tab.click(f"document.querySelector('#order-actions [data-operation={name}]:enabled')")
        tab.until(f"document.querySelector('#order-view').dataset.state === '{state}'")

    def test_shop_pays_and_refunds_through_every_service(self):
        for dialect in self.dialects:
            with self.subTest(dialect):
                tab = self.demo(dialect)
                total = tab.run("return document.querySelector('#sum-total').textContent;")
                self.pay(tab)
                self.assertEqual(tab.run("return document.querySelector('#order-amount').textContent;"), total)
                tab.until("document.querySelector('#verification').dataset.state === 'passed'")
                if dialect != "alphapay":
                    self.follow(tab, "capture", "captured")
                self.follow(tab, "refund", "refunded")
                self.assertTrue(tab.run("return document.documentElement.scrollWidth <= innerWidth;"))
                self.check(tab)

    def test_shop_shows_a_declined_payment_as_declined(self):
        for dialect in self.dialects:
            with self.subTest(dialect):
                tab = self.demo(dialect)
                self.pay(tab, DECLINING, "declined")
                self.assertEqual(tab.run("return document.querySelectorAll('.order-state.tone-done, .entry.good').length;"), 0)
                self.assertIn("declined", tab.run("return document.querySelector('#order-state').textContent;"))
                self.check(tab)

    def test_shop_keeps_cart_and_orders_over_a_reload(self):
        tab = self.demo("commweb")
        self.pay(tab)
        tab.click("document.querySelector('#products [data-product=lamp]')")
        self.check(tab)
        tab.open(tab.origin + "/")
        tab.until("document.querySelectorAll('#cart-lines li').length === 1")
        tab.click("document.querySelector('#orders-list .order-row')")
        tab.until("document.querySelector('#order-view:not([hidden])')?.dataset.state === 'authorized'")
        tab.until("document.querySelector('.exchange .entry.request pre .hl-name')")
        self.check(tab)


def _set_up_wallet(cls):
    super(SandboxEngineTestCase, cls).setUpClass()
    WalletTestCase.setUpClass()
    cls.addClassCleanup(WalletTestCase.doClassCleanups)


# A class for each engine and body, so that a failure names its engine: SDKInWebkitTest.
for _engine in engines.wanted():
    for _body in (SDKBody, WalletBody, ShopBody):
        _members = {"engine": _engine, "__module__": __name__}
        if _body is WalletBody:
            _members["setUpClass"] = classmethod(_set_up_wallet)
        _title = f"{_body.__name__.removesuffix('Body')}In{_engine.capitalize()}Test"
        globals()[_title] = type(_title, (_body, SandboxEngineTestCase), _members)


if __name__ == "__main__":
    unittest.main()
