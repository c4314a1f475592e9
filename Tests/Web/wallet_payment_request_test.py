# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""The wallet through the W3C's PaymentRequest with Apple Pay's method, dropped into a shop of another origin."""

import json
import unittest
import urllib.request

from harness import post_json
from wallet_test import FIXTURE, METHODS, PAY, WALLET, WalletTestCase

APPLE_PAY = "https://apple.com/apple-pay"
SCRIPT = f"() => {{\n{(FIXTURE.parent / 'wallet-payment-request.js').read_text(encoding='utf-8')}\n}}"
OPTIONS = [
    {"id": each["identifier"], "label": each["label"], "amount": {"currency": "USD", "value": each["amount"]}, "selected": index == 0}
    for index, each in enumerate(METHODS)]


def total(value, currency="USD"):
    return {"label": "Test shop", "amount": {"currency": currency, "value": value}}


class RequestTestCase(WalletTestCase):
    def payer(self, details=None, options=None, data=None, clock=False, **page_options):
        """The shop, which pays by PaymentRequest when its heading is clicked."""
        page = self.shop(clock=clock, **page_options)
        page.evaluate(SCRIPT)
        page.evaluate(
            """([details, options, data]) => {
                Object.assign(payer.details, details);
                Object.assign(payer.options, options);
                Object.assign(payer.methods[1].data, data);
            }""", [details or {}, options or {}, data or {}])
        return page

    def show(self, page):
        """Clicks and waits for the sheet to ask for the payment."""
        page.click("h1")
        page.get_by_role("button", name=PAY).wait_for()

    def pay(self, page):
        """Confirms; what the request's promise gives."""
        page.get_by_role("button", name=PAY).click()
        self.wait_for(page, "shown")
        (response,) = self.log(page, "shown")
        return response

    def on(self, page, name, body):
        """What the shop does at an event: JavaScript with `event` and the request as `this`."""
        page.evaluate(f"() => {{ payer.handlers.{name} = function (event) {{ {body} }}; }}")

    def ends(self, page, call):
        """How a promise ends: the name of the error, or nothing."""
        return page.evaluate(f"() => ({call}).then(() => '', (error) => error.name)")


class DefinitionTest(RequestTestCase):
    def test_knows_apple_pay_and_leaves_the_rest_to_the_browser(self):
        page = self.page()
        page.goto(self.origin)
        page.evaluate(SCRIPT)
        self.assertEqual(page.evaluate("""() => {
            const ours = new PaymentRequest(payer.methods, payer.details);
            const theirs = new PaymentRequest([payer.methods[0]], payer.details);
            return [ours, theirs].map((request) => [request instanceof PaymentRequest, request.constructor === PaymentRequest]);
        }"""), [[True, True], [True, False]])
        self.assertTrue(page.evaluate("'onmerchantvalidation' in PaymentRequest.prototype"))
        self.assertTrue(page.evaluate("new PaymentRequest(payer.methods, payer.details).canMakePayment()"))

    def test_leaves_the_browsers_own_alone_where_there_is_apple_pay(self):
        page = self.page()
        page.add_init_script("globalThis.ApplePaySession = class Native {}; globalThis.own = PaymentRequest;")
        page.goto(self.origin)
        self.assertTrue(page.evaluate("PaymentRequest === own"))

    def test_refuses_what_webkit_refuses(self):
        page = self.payer()
        cases = [
            ("no methods", "payer.methods = []", "TypeError"),
            ("no total", "delete payer.details.total", "TypeError"),
            ("no such currency", "payer.details.total.amount.currency = 'US'", "RangeError"),
            ("no amount", "payer.details.total.amount.value = 'much'", "TypeError"),
            ("a negative total", "payer.details.total.amount.value = '-1'", "TypeError"),
            ("no version", "delete payer.methods[1].data.version", "TypeError"),
            ("a version to come", "payer.methods[1].data.version = 99", "InvalidAccessError"),
            ("no merchant", "delete payer.methods[1].data.merchantIdentifier", "TypeError"),
            ("no networks", "payer.methods[1].data.supportedNetworks = []", "TypeError"),
            ("no data", "delete payer.methods[1].data", "TypeError"),
            ("a shipping type", "payer.options.shippingType = 'pigeon'", "TypeError"),
            ("two options of one id", """Object.assign(payer.options, { requestShipping: true });
                payer.details.shippingOptions = [1, 2].map(() => ({ id: 'a', label: 'A', amount: payer.details.total.amount }))""",
             "TypeError"),
        ]
        for title, change, error in cases:
            with self.subTest(title):
                thrown = page.evaluate(f"""() => {{
                    const before = structuredClone([payer.methods, payer.details, payer.options]);
                    {change};
                    const thrown = shop.attempt(() => new PaymentRequest(payer.methods, payer.details, payer.options));
                    [payer.methods, payer.details, payer.options] = before;
                    return thrown;
                }}""")
                self.assertEqual(thrown, error)

    def test_is_shown_in_a_gesture_once_and_alone(self):
        page = self.payer()
        self.assertEqual(self.ends(page, "new PaymentRequest(payer.methods, payer.details).show()"), "SecurityError")
        self.show(page)
        for call in ("show", "canMakePayment"):
            page.evaluate(f"(call) => addEventListener('click', () => payer.note('again', payer.request[call]()), {{ once: true }})", call)
            page.locator(f"{WALLET} h2").click()
        self.wait_for(page, "again", 2)
        self.assertEqual(self.log(page, "again"), ["InvalidStateError", "InvalidStateError"])
        self.assertEqual(self.ends(page, "payer.request.abort()"), "")
        self.wait_for(page, "shown")
        self.assertEqual(self.log(page, "shown"), ["AbortError"])
        page.locator(WALLET).wait_for(state="detached")

    def test_amounts_have_one_currency(self):
        page = self.payer(details={"displayItems": [total("12.50", "EUR")]})
        page.click("h1")
        self.wait_for(page, "shown")
        self.assertEqual(self.log(page, "shown"), ["TypeError"])

    def test_a_payment_keeps_its_currency(self):
        amount = total("11.00", "EUR")
        modifier = {"supportedMethods": APPLE_PAY, "data": {"paymentMethodType": "store"}}
        for title, update in {
            "the total": {"total": amount}, "an item": {"displayItems": [amount]},
            "an option": {"shippingOptions": [{**amount, "id": "far"}]}, "a modifier's total": {"modifiers": [{**modifier, "total": amount}]},
            "a modifier's item": {"modifiers": [{**modifier, "additionalDisplayItems": [amount]}]},
            "all of them": {"total": amount, "displayItems": [amount], "shippingOptions": [{**amount, "id": "far"}]},
        }.items():
            with self.subTest(title):
                page = self.payer(options={"requestShipping": True})
                self.on(page, "paymentmethodchange", f"event.updateWith({json.dumps(update)});")
                page.click("h1")
                self.wait_for(page, "shown")
                self.assertEqual(self.log(page, "shown"), ["TypeError"])
                self.assertIn('"EUR" does not match the expected currency of "USD"', self.sheet_text(page))

    def test_details_that_come_later_keep_the_currency(self):
        page = self.payer()
        page.evaluate("(total) => { payer.late = () => Promise.resolve({ total }); }", total("33", "JPY"))
        page.click("h1")
        self.wait_for(page, "shown")
        self.assertEqual(self.log(page, "shown"), ["TypeError"])
        self.assertEqual(self.log(page, "merchantvalidation"), [])

    def test_modifiers_of_other_methods_have_their_own_currency(self):
        page = self.payer(details={"modifiers": [{"supportedMethods": "basic-card", "total": total("11.00", "EUR")}]})
        self.show(page)
        self.assertIn("$12.50", self.sheet_text(page))


class PaymentTest(RequestTestCase):
    def order(self):
        """An order of the demo shop through CommWeb, and the service as the shop describes it."""
        with urllib.request.urlopen(f"{self.server.sandbox}/shop/api/config", timeout=30) as answer:
            config = json.loads(answer.read())
        (service,) = [each for each in config["dialects"] if each["name"] == "commweb"]
        status, order = post_json(f"{self.server.sandbox}/shop/api/orders", {
            "dialect": "commweb", "shippingId": "pickup", "items": [{"id": config["products"][0]["id"], "quantity": 1}]})
        self.assertEqual(status, 200, order)
        return order, service

    def test_pays_an_order(self):
        order, service = self.order()
        page = self.payer(
            details={"total": {"label": "Demo shop", "amount": {"currency": service["currency"], "value": order["amount"]}}},
            options={"requestPayerName": True, "requestPayerEmail": True}, data={"countryCode": service["countryCode"]}, clock=True)
        self.show(page)
        self.assertEqual(self.log(page)[0][:2], ["merchantvalidation", APPLE_PAY])
        response = self.pay(page)
        self.assertEqual(
            sorted(response),
            ["details", "methodName", "payerEmail", "payerName", "payerPhone", "requestId", "shippingAddress", "shippingOption"])
        self.assertEqual((response["methodName"], response["requestId"]), (APPLE_PAY, page.evaluate("payer.request.id")))
        self.assertEqual((response["payerEmail"], response["payerPhone"]), ("sample.shopper@example.com", None))
        self.assertEqual((response["shippingAddress"], response["shippingOption"]), (None, None))
        self.assertRegex(response["payerName"], "^[A-Z][a-z]+ [A-Z][a-z]+$")
        token = response["details"]["token"]
        self.assertEqual(token["paymentMethod"], {"displayName": "Visa 1234", "network": "Visa", "type": "credit"})
        status, paid = post_json(f"{self.server.sandbox}/shop/api/orders/{order['orderId']}/pay", {
            "token": token, "contact": response["details"]["shippingContact"]})
        self.assertEqual((status, paid["status"]), (200, "approved"), paid)
        self.assertEqual(self.ends(page, "payer.response.complete('success')"), "")
        page.get_by_text("Done", exact=True).wait_for()
        self.assertEqual(self.ends(page, "payer.response.complete('success')"), "InvalidStateError")

    def test_asks_for_shipping_and_answers_its_changes(self):
        page = self.payer(details={"total": total("14.50"), "shippingOptions": OPTIONS}, options={"requestShipping": True})
        self.on(page, "shippingoptionchange", """event.updateWith(Promise.resolve({
            ...payer.details, total: { label: 'Test shop', amount: { currency: 'USD', value: '21.50' } },
            shippingOptions: payer.details.shippingOptions.map((each) => ({ ...each, selected: each.id === this.shippingOption })),
        }));""")
        self.show(page)
        self.assertEqual(page.evaluate("[payer.request.shippingOption, payer.request.shippingType]"), ["slow", "shipping"])
        ((_, _, address),) = [entry for entry in self.log(page) if entry[0] == "shippingaddresschange"]
        self.assertEqual((address["city"], address["country"], address["recipient"], address["addressLine"]), ("San Jose", "US", "", []))
        page.get_by_role("radio", name="Fast").check()
        page.get_by_text("$21.50").wait_for()
        self.assertTrue(page.get_by_role("radio", name="Fast").is_checked())
        response = self.pay(page)
        self.assertEqual(response["shippingOption"], "fast")
        self.assertEqual(response["shippingAddress"]["recipient"], "Jamie Sample")
        self.assertEqual(response["details"]["shippingContact"]["postalCode"], "95113")

    def test_an_address_to_which_nothing_goes_is_corrected(self):
        page = self.payer(details={"shippingOptions": OPTIONS}, options={"requestShipping": True})
        self.on(page, "shippingaddresschange", """event.updateWith(this.shippingAddress.city === 'Reno' ? payer.details : {
            shippingOptions: [], error: 'We do not deliver there.', shippingAddressErrors: { city: 'Not this city.' } });""")
        page.click("h1")
        page.get_by_text("We do not deliver there.").wait_for()
        self.assertEqual(page.get_by_text("Not this city.").count(), 1)
        page.get_by_role("button", name="Edit: Ship to").click()
        page.get_by_label("City").fill("Reno")
        page.get_by_role("button", name="Save").click()
        page.get_by_role("button", name=PAY).wait_for()
        self.assertEqual(self.pay(page)["shippingAddress"]["city"], "Reno")

    def test_modifiers_are_for_a_kind_of_card(self):
        page = self.payer(details={"modifiers": [{
            "supportedMethods": APPLE_PAY, "data": {"paymentMethodType": "debit"}, "total": total("11.00"),
            "additionalDisplayItems": [{**total("-1.50"), "label": "Debit card"}]}]})
        self.show(page)
        self.assertIn("$12.50", self.sheet_text(page))
        self.choose_card(page, "MasterCard 6789")
        page.get_by_text("$11.00").wait_for()
        self.assertIn("Debit card", self.sheet_text(page))
        self.assertEqual(self.log(page, "paymentmethodchange"), [{"type": "credit"}, {"type": "debit"}])

    def test_a_coupon_is_a_change_of_the_method(self):
        page = self.payer(data={"supportsCouponCode": True})
        self.on(page, "paymentmethodchange", """
            const { couponCode } = event.methodDetails;
            if (couponCode === 'GOOD') { event.updateWith({ total: { label: 'Test shop', amount: { currency: 'USD', value: '10.00' } } }); }
            if (couponCode === 'BAD') { event.updateWith({ paymentMethodErrors: [new ApplePayError('couponCodeInvalid')] }); }""")
        self.show(page)
        code = page.get_by_label("Coupon code")
        code.fill("BAD")
        page.get_by_role("button", name="Apply").click()
        page.get_by_text("The coupon code is not valid.").wait_for()
        code.fill("GOOD")
        page.get_by_role("button", name="Apply").click()
        page.get_by_text("$10.00").wait_for()

    def test_details_may_come_after_the_sheet(self):
        page = self.payer(details={"total": {**total("0"), "pending": True}})
        page.evaluate("() => { payer.late = () => new Promise((resolve) => { payer.resolve = resolve; }); }")
        page.click("h1")
        page.get_by_text("Checking the shop…").first.wait_for()
        self.assertEqual(self.log(page, "merchantvalidation"), [])
        page.evaluate("(total) => payer.resolve({ total })", total("33.00"))
        page.get_by_text("$33.00").wait_for()
        self.assertEqual(self.pay(page)["methodName"], APPLE_PAY)


class EndTest(RequestTestCase):
    def test_tries_again_until_it_is_right(self):
        page = self.payer(options={"requestPayerEmail": True}, clock=True)
        self.show(page)
        self.pay(page)
        page.evaluate("() => { payer.note('retried', payer.response.retry({ payer: { email: 'No such mailbox.' } })); }")
        page.get_by_text("No such mailbox.").wait_for()
        self.assertEqual(self.ends(page, "payer.response.complete('success')"), "InvalidStateError")
        page.get_by_role("button", name="Edit: Contact").click()
        page.get_by_label("E-mail").fill("right@example.com")
        page.get_by_role("button", name="Save").click()
        page.get_by_role("button", name=PAY).click()
        self.wait_for(page, "retried")
        self.assertEqual(self.log(page, "retried"), [None])
        self.assertEqual(page.evaluate("payer.response.payerEmail"), "right@example.com")
        self.assertEqual(self.ends(page, "payer.response.complete('success')"), "")
        page.get_by_text("Done", exact=True).wait_for()

    def test_a_failure_is_an_end(self):
        page = self.payer(clock=True)
        self.show(page)
        self.pay(page)
        end = "{ data: { simulatedEnd: { kind: 'declined', say: 'Declined by the bank', more: 'Another card may do.' } } }"
        self.assertEqual(self.ends(page, f"payer.response.complete('fail', {end})"), "")
        page.get_by_text("Declined by the bank", exact=True).wait_for()

    def test_a_closed_sheet_aborts(self):
        page = self.payer()
        self.show(page)
        page.keyboard.press("Escape")
        self.wait_for(page, "shown")
        self.assertEqual(self.log(page, "shown"), ["AbortError"])
        page.locator(WALLET).wait_for(state="detached")

    def test_a_closed_sheet_aborts_another_try(self):
        page = self.payer()
        self.show(page)
        self.pay(page)
        page.evaluate("() => { payer.note('retried', payer.response.retry()); }")
        page.get_by_text("The shop could not say why").wait_for()
        page.keyboard.press("Escape")
        self.wait_for(page, "retried")
        self.assertEqual(self.log(page, "retried"), ["AbortError"])
        self.assertEqual(self.ends(page, "payer.response.complete('success')"), "AbortError")

    def test_what_the_shop_rejects_aborts(self):
        page = self.payer()
        page.evaluate("() => { payer.session = () => Promise.reject(new Error('The shop is busy.')); }")
        page.click("h1")
        self.wait_for(page, "shown")
        self.assertEqual(self.log(page, "shown"), ["AbortError"])
        page.get_by_text("The merchant validation was rejected. The shop is busy.").first.wait_for()

    def test_a_session_of_another_domain_aborts(self):
        page = self.payer(expected=["could not be validated", "status of 400"])
        self.server.session_domain = "localhost"
        self.addCleanup(setattr, self.server, "session_domain", None)
        page.click("h1")
        self.wait_for(page, "shown")
        self.assertEqual(self.log(page, "shown"), ["AbortError"])

    def test_an_update_after_the_event_is_refused(self):
        page = self.payer()
        self.on(page, "paymentmethodchange",
                "setTimeout(() => shop.note('late', shop.attempt(() => event.updateWith(payer.details))));")
        self.show(page)
        self.wait_for(page, "late")
        self.assertEqual(self.log(page, "late"), ["InvalidStateError"])


if __name__ == "__main__":
    unittest.main()
