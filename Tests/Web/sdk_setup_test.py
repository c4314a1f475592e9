# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""Setting up: the global, availability, what the callbacks get, and what happens out of order."""

import unittest

from edge import APPLE_PAY_SESSION, PAYMENT_DATA, PAYMENT_REQUEST, PRIME, SDKTestCase


class AvailabilityTest(SDKTestCase):
    wallet_scripts = APPLE_PAY_SESSION

    def setup_of(self, **wallet):
        page = self.shop(wallet=wallet)
        self.until(page, "shop.setup !== null")
        return page

    def test_a_device_with_a_card(self):
        page = self.setup_of()
        self.assertEqual(page.evaluate("shop.isAvailable"), True)
        self.assertEqual(
            page.evaluate("shop.setup"), {"browserSupportPaymentRequest": True, "canMakePaymentWithActiveCard": True})
        self.assertEqual(page.evaluate("wallet.activeCardAskedFor"), ["merchant.tech.cherri"])

    def test_a_device_without_a_card(self):
        page = self.setup_of(hasActiveCard=False)
        self.assertEqual(
            page.evaluate("shop.setup"), {"browserSupportPaymentRequest": True, "canMakePaymentWithActiveCard": False})

    def test_a_device_that_does_not_say(self):
        page = self.setup_of(hasActiveCard="rejects")
        self.assertEqual(page.evaluate("shop.setup.canMakePaymentWithActiveCard"), False)

    def test_a_device_that_cannot_pay(self):
        for wallet in [{"canMakePayments": False}, {"isSecure": False}, {"newestVersion": 0}]:
            with self.subTest(wallet=wallet):
                page = self.setup_of(**wallet)
                self.assertEqual(page.evaluate("shop.isAvailable"), False)
                self.assertEqual(
                    page.evaluate("shop.setup"), {"browserSupportPaymentRequest": False, "canMakePaymentWithActiveCard": False})
                page.click("#pay")
                result = self.result(page)
                self.assertEqual((result["status"], result["originalError"]["code"]), (404, "not_supported"))

    def test_a_wallet_that_comes_after_the_sdk_is_found(self):
        self.wallet_scripts = ()
        page = self.shop()
        for script in APPLE_PAY_SESSION:
            page.add_script_tag(url=self.edge.shop + script)
        self.open_sheet(page)

    def test_the_setup_callback_is_optional(self):
        page = self.setup_of()
        page.evaluate(
            "TPDirect.paymentRequestApi.setupPaymentRequest({ supportedNetworks: ['VISA'], supportedMethods: ['apple_pay'],"
            " total: { label: 'Shop', amount: { currency: 'TWD', value: '12' } } })")
        self.open_sheet(page)
        self.assertEqual(page.evaluate("wallet.current.request.total.amount"), "12")


class PaymentRequestAvailabilityTest(SDKTestCase):
    wallet_scripts = PAYMENT_REQUEST

    def test_what_the_browser_says(self):
        for says, has in [(True, True), (False, False), ("rejects", False)]:
            with self.subTest(says=says):
                page = self.shop(wallet={"canMakePayment": says})
                self.until(page, "shop.setup !== null")
                self.assertEqual(page.evaluate("shop.isAvailable"), True)
                self.assertEqual(
                    page.evaluate("shop.setup"), {"browserSupportPaymentRequest": True, "canMakePaymentWithActiveCard": has})

    def test_apples_own_session_is_preferred_even_when_it_cannot_pay(self):
        page = self.shop()
        page.evaluate("() => { globalThis.ApplePaySession = class { static supportsVersion() { return false; } }; }")
        self.assertEqual(page.evaluate("TPDirect.paymentRequestApi.checkAvailability()"), False)


class OrderTest(SDKTestCase):
    wallet_scripts = APPLE_PAY_SESSION

    def test_getprime_before_setupsdk(self):
        page = self.shop(settings={"appID": None})
        page.click("#pay")
        self.assertEqual(self.result(page), {"status": -1, "msg": "SDK Loading Error: call TPDirect.setupSDK first"})

    def test_getprime_without_a_payment_request(self):
        page = self.shop(settings={"paymentRequest": {}})
        self.assertEqual(page.evaluate("shop.error.code"), "field_missing")
        page.click("#pay")
        result = self.result(page)
        self.assertEqual((result["status"], result["originalError"]["code"]), (404, "not_set_up"))

    def test_setuppaymentrequest_before_setupapplepay(self):
        page = self.shop(settings={"applePay": {}})
        self.assertEqual(page.evaluate("shop.error.field"), "setupApplePay.merchantIdentifier")
        message = page.evaluate(
            "(() => { try { TPDirect.paymentRequestApi.setupPaymentRequest({}); } catch (error) { return error.message; } })()")
        self.assertEqual(message, "TPDirect: setupPaymentRequest must come after setupApplePay.")

    def test_the_united_kingdom_by_its_wrong_code_is_refused_before_a_sheet(self):
        page = self.shop(settings={"applePay": {"merchantIdentifier": "merchant.tech.cherri", "countryCode": "UK"}})
        self.assertEqual(
            page.evaluate("shop.error.message"),
            "TPDirect: setupApplePay.countryCode is not a country code (ISO 3166-1, two letters): the United Kingdom is GB.")
        page.click("#pay")
        result = self.result(page)
        self.assertEqual((result["status"], result["originalError"]["code"]), (404, "not_set_up"))

    def test_callbacks_must_be_functions(self):
        page = self.shop()
        for call, field in [
            ("getPrime()", "getPrime.callback"), ("getPrime('x')", "getPrime.callback"),
            ("setupPaymentRequest({}, 'x')", "setupPaymentRequest.callback"),
            ("setupTappayPaymentButton('#pay')", "setupTappayPaymentButton.callback"),
        ]:
            with self.subTest(call):
                self.assertEqual(
                    page.evaluate(f"(() => {{ try {{ TPDirect.paymentRequestApi.{call}; }} catch (error) {{ return error.field; }} }})()"),
                    field)

    def test_a_setup_that_is_refused_leaves_nothing_to_pay(self):
        cases = [
            ("TPDirect.setupSDK(12345, '', 'sandbox')", "field_malformed", (-1, None)),
            ("TPDirect.paymentRequestApi.setupApplePay({})", "field_missing", (404, "not_set_up")),
            ("TPDirect.paymentRequestApi.setupPaymentRequest({})", "field_missing", (404, "not_set_up")),
            ("TPDirect.paymentRequestApi.setupPaymentRequest(undefined, 'x')", "field_malformed", (404, "not_set_up")),
        ]
        for call, code, (status, original) in cases:
            with self.subTest(call):
                page = self.shop()
                self.assertEqual(page.evaluate(f"(() => {{ try {{ {call}; }} catch (error) {{ return error.code; }} }})()"), code)
                page.click("#pay")
                result = self.result(page)
                self.assertEqual((result["status"], result.get("originalError", {}).get("code")), (status, original))
                self.assertIsNone(page.evaluate("wallet.current"))

    def test_a_setup_that_is_refused_leaves_an_open_sheet_alone(self):
        page = self.shop()
        self.open_sheet(page)
        page.evaluate("""() => {
            for (const call of [() => TPDirect.setupSDK(), () => TPDirect.paymentRequestApi.setupApplePay(),
                () => TPDirect.paymentRequestApi.setupPaymentRequest()]) {
                try { call(); } catch (error) { /* as wanted */ }
            }
        }""")
        page.evaluate("(paymentData) => wallet.authorize({ token: { paymentData } })", PAYMENT_DATA)
        self.assertEqual(self.result(page)["prime"], PRIME)
        self.assertEqual(self.calls(page, "completePayment"), [[{"status": 0}]])

    def test_callbacks_come_after_the_call_returned(self):
        page = self.shop(settings={"appID": None})
        order = page.evaluate(
            """new Promise((resolve) => {
                const order = [];
                TPDirect.paymentRequestApi.getPrime(() => { order.push('callback'); resolve(order); });
                order.push('returned');
            })""")
        self.assertEqual(order, ["returned", "callback"])

    def test_an_exception_in_a_callback_is_the_pages_own(self):
        page = self.shop(expected=["uncaught: .*of the page"])
        page.evaluate(
            """() => {
                const loud = () => TPDirect.paymentRequestApi.getPrime(() => { throw new Error('of the page'); });
                document.querySelector('#pay').addEventListener('click', loud);
            }""")
        page.click("#pay")  # The usual handler opens the sheet; the second getPrime is refused, and its callback throws.
        self.until(page, "wallet.calls.length > 0")
        page.evaluate("wallet.cancel()")
        self.assertEqual(self.result(page)["status"], 401)


class HostTest(SDKTestCase):
    wallet_scripts = APPLE_PAY_SESSION

    def test_the_gateway_is_where_the_page_says(self):
        page = self.page(expected=["Content Security Policy", "policy: connect-src", "Failed to load resource"])
        page.add_init_script(
            "globalThis.walletConfig = {}; globalThis.shopSettings = { serverType: { type: 'sandbox', host: 'http://localhost:9' } };")
        scripts = [*self.wallet_scripts, self.edge.gateway + "/sdk/tpdirect/v5.14.0", "/fixtures/usual-shop.js"]
        page.goto(self.edge.shop + self.edge.page_path(scripts))
        page.click("#pay")
        # Nothing listens there, and the page's policy would not let it through.
        self.assertEqual(self.result(page)["status"], 403)
        self.assertEqual(self.edge.requests, [])


class ModuleTest(SDKTestCase):
    wallet_scripts = APPLE_PAY_SESSION

    def test_the_modules_do_what_the_classic_script_does(self):
        page = self.page()
        page.add_init_script("globalThis.walletConfig = {}; globalThis.shopSettings = {};")
        page.goto(self.edge.shop + self.edge.page_path(self.wallet_scripts))
        self.assertEqual(page.evaluate("typeof TPDirect"), "undefined")
        names = page.evaluate(
            """async (gateway) => {
                const module = await import(`${gateway}/sdk/tpdirect/modules/index.js`);
                globalThis.TPDirect = module.default;
                return Object.keys(module);
            }""", self.edge.gateway)
        self.assertEqual(sorted(names), ["SetupError", "TPDirect", "default", "paymentRequestApi", "setupSDK"])
        page.add_script_tag(url=self.edge.shop + "/fixtures/usual-shop.js")
        self.open_sheet(page)
        page.evaluate(
            "wallet.authorize({ token: { paymentData: { version: 'EC_v1', data: 'd', signature: 's',"
            " header: { publicKeyHash: 'h', ephemeralPublicKey: 'k', transactionId: 't' } } } })")
        self.assertEqual(self.result(page)["prime"], PRIME)

    def test_the_classic_script_leaves_one_global(self):
        page = self.page()
        page.goto(self.edge.shop + "/")
        before = set(page.evaluate("Object.getOwnPropertyNames(globalThis)"))
        page.add_script_tag(url=self.edge.gateway + "/sdk/tpdirect/v5.19.2")
        self.assertEqual(set(page.evaluate("Object.getOwnPropertyNames(globalThis)")) - before, {"TPDirect"})
        self.assertEqual(
            page.evaluate("Object.keys(TPDirect)"),
            ["setupSDK", "paymentRequestApi", "card", "googlePay", "samsungPay", "linePay", "jkoPay", "easyWallet", "piWallet", "atome",
             "getFraudId", "getDeviceId"])
        self.assertEqual(
            page.evaluate("Object.keys(TPDirect.paymentRequestApi)"),
            ["checkAvailability", "setupApplePay", "setupPayWithGoogle", "setupPaymentRequest", "setupTappayPaymentButton",
             "getPrime"])


class PaymentButtonTest(SDKTestCase):
    """setupTappayPaymentButton, as the vendor's example uses it."""

    wallet_scripts = APPLE_PAY_SESSION
    PLACE = """(mark) => {
        if (!document.querySelector('#pr-button')) {
            document.body.append(Object.assign(document.createElement('div'), { id: 'pr-button', textContent: 'or ' }));
        }
        TPDirect.paymentRequestApi.setupTappayPaymentButton('#pr-button', (result) => shop.results.push({ mark, ...result }));
    }"""

    def test_the_payment_button_pays_within_its_click(self):
        page = self.shop()
        page.evaluate(self.PLACE, "first")
        button = page.get_by_role("button", name="Apple Pay", exact=True)
        # Its look passes a policy without any style, and the page's own rules go before it.
        look = "(button) => [button.className, button.getAttribute('style'), getComputedStyle(button).backgroundColor]"
        self.assertEqual(button.evaluate(look), ["tpdirect-apple-pay-button", None, "rgb(0, 0, 0)"])
        page.evaluate("""() => {
            const own = new CSSStyleSheet();
            own.replaceSync('button { background: navy; }');
            document.adoptedStyleSheets = [own, ...document.adoptedStyleSheets];
        }""")
        self.assertEqual(button.evaluate(look)[2], "rgb(0, 0, 128)")
        button.click()
        self.until(page, "wallet.current?.merchantValidation === 'complete'")
        page.evaluate("(paymentData) => wallet.authorize({ token: { paymentData } })", PAYMENT_DATA)
        result = self.result(page)
        self.assertEqual((result["mark"], result["prime"]), ("first", PRIME))

    def test_a_second_payment_button_replaces_the_first(self):
        page = self.shop(wallet={"isBusyElsewhere": True})
        for mark in ("first", "second"):
            page.evaluate(self.PLACE, mark)
        page.get_by_role("button", name="Apple Pay", exact=True).click()  # There is one.
        self.assertEqual(self.result(page)["mark"], "second")
        self.assertEqual(page.evaluate("document.querySelector('#pr-button').textContent"), "or Apple Pay")

    def test_a_payment_button_needs_an_element(self):
        page = self.shop()
        for selector, code in [("'#none'", "element_missing"), ("'#'", "field_malformed"), ("undefined", "field_missing"),
                               ("7", "field_malformed")]:
            with self.subTest(selector):
                self.assertEqual(
                    page.evaluate(f"""(() => {{
                        try {{
                            TPDirect.paymentRequestApi.setupTappayPaymentButton({selector}, () => {{}});
                        }} catch (error) {{
                            return [error.name, error.code, error.field];
                        }}
                    }})()"""),
                    ["TPDirectSetupError", code, "setupTappayPaymentButton.selector"])
        self.assertEqual(page.get_by_role("button").count(), 1)


class OtherMethodsTest(SDKTestCase):
    """A page that also sets up the vendor's other ways keeps its Apple Pay."""

    wallet_scripts = APPLE_PAY_SESSION

    def watched(self):
        page = self.shop(settings={"serverType": "Sandbox"})
        said = []
        page.on("console", lambda message: said.append((message.type, message.text)))
        return page, said

    def pays(self, page):
        self.open_sheet(page)
        page.evaluate("(paymentData) => wallet.authorize({ token: { paymentData } })", PAYMENT_DATA)
        self.assertEqual(self.result(page)["prime"], PRIME)

    def test_a_page_that_also_sets_up_google_pay_lives_on(self):
        page, said = self.watched()
        returned = page.evaluate(
            """() => [
                TPDirect.paymentRequestApi.setupPayWithGoogle({ allowedNetworks: ['VISA'], price: '1', currency: 'TWD' }),
                TPDirect.googlePay.setupGooglePay({ allowedCardAuthMethods: ['PAN_ONLY'] }),
                TPDirect.googlePay.setupPaymentRequest({ price: '1' }, () => shop.results.push('called')),
                TPDirect.googlePay.setupTransactionPrice({ price: '1', currency: 'TWD' }),
                TPDirect.googlePay.setupGooglePayButton({ el: '#pay' }),
                TPDirect.googlePay.getPrime(() => shop.results.push('called')),
            ]""")
        self.assertEqual(returned, [None] * 6)
        names = ["setupPayWithGoogle", *(f"googlePay.{name}" for name in (
            "setupGooglePay", "setupPaymentRequest", "setupTransactionPrice", "setupGooglePayButton", "getPrime"))]
        self.assertEqual(
            said, [("warning", f"TPDirect: {name} does nothing: this gateway takes Apple Pay alone.") for name in names])
        self.pays(page)

    def test_a_page_that_also_sets_up_the_vendors_other_ways_lives_on(self):
        page, said = self.watched()
        # In one `try`, as shops do: what throws there takes Apple Pay with it.
        self.assertEqual(
            page.evaluate(
                """() => {
                    const button = document.querySelector('#pay');
                    return [
                        TPDirect.samsungPay.setup({ country_code: 'tw' }),
                        TPDirect.samsungPay.setupPaymentRequest({ supportedNetworks: ['VISA'], total: { label: 'Shop', amount: { currency: 'TWD', value: '50' } } }),
                        TPDirect.samsungPay.setupSamsungPayButton('#pay', { color: 'black', type: 'pay', shape: 'rectangular' }),
                        TPDirect.samsungPay.getPrime(() => shop.results.push('called')),
                        ...['linePay', 'jkoPay', 'easyWallet', 'piWallet', 'atome'].map((way) => TPDirect[way].getPrime(() => shop.results.push('called'))),
                        TPDirect.getFraudId(), TPDirect.getDeviceId(), button === document.querySelector('#pay'),
                    ];
                }"""),
            [*[None] * 9, "", "", True])
        names = [*(f"samsungPay.{name}" for name in ("setup", "setupPaymentRequest", "setupSamsungPayButton", "getPrime")),
                 *(f"{way}.getPrime" for way in ("linePay", "jkoPay", "easyWallet", "piWallet", "atome"))]
        self.assertEqual(
            said, [*(("warning", f"TPDirect: {name} does nothing: this gateway takes Apple Pay alone.") for name in names),
                   *(("warning", f"TPDirect: {name} is empty: nothing about the device is collected.") for name in ("getFraudId", "getDeviceId"))])
        self.pays(page)

    def test_a_page_that_also_sets_up_a_card_form_lives_on(self):
        page, said = self.watched()
        self.assertEqual(
            page.evaluate(
                """() => [
                    TPDirect.card.setup({ fields: { number: { element: '#pay', placeholder: '****' } } }),
                    TPDirect.card.onUpdate(() => shop.results.push('called')),
                    TPDirect.card.getTappayFieldsStatus().canGetPrime,
                    TPDirect.card.getPrime(() => shop.results.push('called')),
                ]"""),
            [None, None, False, None])
        self.assertEqual(said, [("warning", f"TPDirect: card.{name} does nothing: this gateway takes Apple Pay alone.")
                                for name in ("setup", "onUpdate", "getPrime")])
        self.pays(page)


if __name__ == "__main__":
    unittest.main()
