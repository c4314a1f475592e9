# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""The wallet's sheet beside what wallet_test.py has: who listens to it, whose address it knows, and where it finds room."""

import unittest

from wallet_test import CONTACT_FIELDS, METHODS, PAY, WALLET, WalletTestCase

LISTEN = """
([type, options]) => {
    const controller = new AbortController();
    shop.abort = () => controller.abort();
    const begin = ApplePaySession.prototype.begin;
    ApplePaySession.prototype.begin = function () {
        const add = (own) => this.addEventListener(type, (event) => {
            shop.note("heard", own);
            this.completePaymentMethodSelection({ newTotal: shop.request.total });
        }, own === "signal" ? { signal: controller.signal } : { once: true });
        options.forEach(add);
        begin.call(this);
    };
}
"""


class ListenersTest(WalletTestCase):
    def shop_with(self, *options):
        """The shop, which listens to paymentmethodselected that way."""
        page = self.shop()
        page.evaluate(LISTEN, ["paymentmethodselected", options])
        return page

    def test_one_that_has_listened_a_single_time_is_waited_for_no_more(self):
        page = self.shop_with("once")
        self.open(page)
        self.assertEqual(self.log(page, "heard"), ["once"])
        self.choose_card(page, "MasterCard 6789")
        page.get_by_role("button", name=PAY).click()
        self.wait_for(page, "paymentauthorized")
        self.assertEqual(self.log(page, "heard"), ["once"])

    def test_one_whose_signal_has_aborted_is_waited_for_no_more(self):
        page = self.shop_with("signal")
        self.open(page)
        self.choose_card(page, "MasterCard 6789")
        page.get_by_role("button", name=PAY).wait_for()
        self.assertEqual(self.log(page, "heard"), ["signal", "signal"])
        page.evaluate("shop.abort()")
        page.get_by_role("radio", name="Visa 1234").check()
        page.get_by_role("button", name=PAY).click()
        self.wait_for(page, "paymentauthorized")
        self.assertEqual(self.log(page, "heard"), ["signal", "signal"])

    def test_counts_as_an_event_target_does(self):
        page = self.page()
        page.goto(self.sandbox["http"].rstrip("/") + "/shop/icon.svg")
        self.assertEqual(page.evaluate("""import('/wallet/modules/handlers.js').then(({ Listeners }) => {
            const counted = (act) => {
                const listeners = new Listeners();
                const target = new (class extends EventTarget {
                    addEventListener(type, listener, options) {
                        listeners.add(this, type, listener, options);
                        super.addEventListener(type, listener, options);
                    }
                    removeEventListener(type, listener, options) {
                        listeners.remove(type, listener, options);
                        super.removeEventListener(type, listener, options);
                    }
                })();
                act(target, () => target.dispatchEvent(new Event('x')), () => {});
                return listeners.hears('x');
            };
            return [
                counted((target, send, listener) => { target.addEventListener('x', listener); send(); }),
                counted((target, send, listener) => { target.addEventListener('x', listener, { once: true }); }),
                counted((target, send, listener) => { target.addEventListener('x', listener, { once: true }); send(); }),
                counted((target, send, listener) => {
                    target.addEventListener('x', (event) => event.stopImmediatePropagation(), { once: true });
                    target.addEventListener('x', listener, { once: true });
                    send();
                }),
                counted((target, send, listener) => { target.addEventListener('x', listener, { signal: AbortSignal.abort() }); }),
                counted((target, send, listener) => {
                    target.addEventListener('x', listener);
                    target.removeEventListener('x', listener, true);
                }),
                counted((target, send, listener) => {
                    target.addEventListener('x', listener, true);
                    target.addEventListener('x', listener, { capture: true, once: true });
                    send();
                    target.removeEventListener('x', listener, { capture: true });
                }),
                counted((target, send, listener) => {
                    target.addEventListener('x', listener, { once: true });
                    target.removeEventListener('x', listener);
                    target.addEventListener('x', listener);
                    send();
                }),
                counted((target) => { target.addEventListener('x', null); }),
            ];
        })"""), [True, True, False, True, False, True, False, True, False])


class ContactsTest(WalletTestCase):
    def paid_contact(self, contact, kind="shipping", **request):
        """The contact of a payment whose request begins with one."""
        page = self.shop(request={f"required{kind.capitalize()}ContactFields": CONTACT_FIELDS, f"{kind}Contact": contact, **request})
        self.open(page)
        page.get_by_role("button", name=PAY).click()
        self.wait_for(page, "paymentauthorized")
        return self.log(page, "paymentauthorized")[0][f"{kind}Contact"]

    def test_a_part_of_an_address_is_mixed_with_nobody_elses(self):
        given = {"countryCode": "DE", "locality": "Berlin", "addressLines": ["Weg 1"], "postalCode": "10115"}
        for kind in ("shipping", "billing"):
            with self.subTest(kind):
                contact = self.paid_contact(given, kind)
                self.assertEqual({name: contact[name] for name in given}, given)
                self.assertEqual((contact["administrativeArea"], contact["subLocality"], contact["country"]), ("", "", "Germany"))
                # Of the rest it says nothing.
                self.assertEqual((contact["givenName"], contact["emailAddress"]), ("Jamie", "sample.shopper@example.com"))
        contact = self.paid_contact({"country": "Germany", "locality": "Berlin"})
        self.assertEqual([contact[name] for name in ("country", "countryCode", "locality", "addressLines", "postalCode")],
                         ["Germany", "", "Berlin", [], ""])

    def test_a_part_of_a_name_is_mixed_with_nobody_elses(self):
        contact = self.paid_contact({"familyName": "Wang"})
        self.assertEqual((contact["givenName"], contact["familyName"], contact["locality"]), ("", "Wang", "San Jose"))

    def test_postal_codes_of_one_house_are_kept_back_however_they_are_written(self):
        page = self.page()
        page.goto(self.sandbox["http"].rstrip("/") + "/shop/icon.svg")
        for country, code, seen in [
            ("CA", "V6B 1A1", "V6B"), ("CA", "V6B1A1", "V6B"), ("CA", "v6b-1a1", "v6b"), ("CA", "V6B", "V6B"), ("CA", "", ""),
            ("GB", "SW1A 1AA", "SW1A"), ("GB", "SW1A1AA", "SW1A"), ("GB", " M11AE ", "M1"), ("gb", "SW1A\u00a01AA", "SW1A"),
            ("GB", "SW1A", "SW1A"), ("US", "95113-0001", "95113-0001"), ("NL", "1012 AB", "1012 AB"),
        ]:
            with self.subTest(country=country, code=code):
                self.assertEqual(page.evaluate(
                    "(full) => import('/wallet/modules/contacts.js').then(({ redactedContact }) => redactedContact(full).postalCode)",
                    {"countryCode": country, "postalCode": code}), seen)

    def test_a_shop_sees_no_house_before_it_is_paid(self):
        given = {"countryCode": "GB", "locality": "London", "addressLines": ["4 Example Lane"], "postalCode": "SW1A1AA"}
        page = self.shop(request={"requiredShippingContactFields": ["postalAddress"], "shippingContact": given,
                                  "countryCode": "GB", "currencyCode": "GBP"}, listens=["shippingcontactselected"])
        page.click("#pay")
        self.wait_for(page, "shippingcontactselected")
        self.assertEqual(self.log(page, "shippingcontactselected")[0]["postalCode"], "SW1A")

    def test_an_address_that_the_phone_knows_is_not_mixed_either(self):
        page = self.shop(request={"requiredShippingContactFields": ["postalAddress"]})
        self.open(page)
        page.get_by_role("button", name="Edit: Ship to").click()
        page.get_by_label("Street, second line").fill("Back door")
        page.get_by_role("button", name="Save").click()
        page.keyboard.press("Escape")
        page.locator(WALLET).wait_for(state="detached")
        page.evaluate("() => { shop.request.shippingContact = { locality: 'Reno', countryCode: 'US' }; }")
        self.open(page)
        self.assertIn("Reno, United States", self.sheet_text(page))
        self.assertNotIn("Back door", self.sheet_text(page))


IS_SEEN = """(element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const hit = element.getRootNode().elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth && element.contains(hit);
}"""


class RoomTest(WalletTestCase):
    def scroll_to(self, page, locator):
        """Turns the wheel over the sheet until all of it is in view; whether it ever was."""
        size = page.viewport_size
        page.mouse.move(size["width"] / 2, size["height"] / 2)
        page.mouse.wheel(0, -10_000)
        self.settle(page)
        for _ in range(80):
            if locator.evaluate(IS_SEEN):
                return True
            page.mouse.wheel(0, 40)
            self.settle(page)
        return False

    def settle(self, page):
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))")

    def test_every_control_can_be_reached_on_low_screens(self):
        request = {
            "requiredShippingContactFields": CONTACT_FIELDS, "requiredBillingContactFields": ["postalAddress"],
            "shippingMethods": METHODS, "lineItems": [{"label": "Goods", "amount": "12.50"}], "supportsCouponCode": True}
        for width, height in [(640, 320), (568, 320), (320, 256), (667, 375), (320, 480)]:
            with self.subTest(f"{width}x{height}"):
                page = self.shop(request=request, viewport={"width": width, "height": height})
                self.answer_with(page, "paymentauthorized", "this.completePayment({ status: 1, errors: ["
                                 "new ApplePayError('shippingContactInvalid', 'postalCode', 'No such postal code')] });")
                self.open(page)
                controls = ["Cancel", "Change card", "Edit: Ship to", "Edit: Bill to", "Apply", "Use passcode", PAY]
                for name in controls:
                    self.assertTrue(self.scroll_to(page, page.get_by_role("button", name=name)), name)
                self.assertTrue(self.scroll_to(page, page.get_by_role("radio", name="Fast")), "Fast")
                # Sideways there is nothing to scroll.
                self.assertTrue(page.locator(f"{WALLET} dialog").evaluate("(sheet) => sheet.scrollWidth <= sheet.clientWidth"))
                page.get_by_role("button", name=PAY).click()
                page.get_by_text("No such postal code").wait_for()
                self.assertTrue(page.get_by_text("No such postal code").evaluate(IS_SEEN), "what is wrong")

    def test_speaks_english_on_every_page(self):
        page = self.shop()
        page.evaluate("() => { document.documentElement.lang = 'ar'; document.documentElement.dir = 'rtl'; }")
        self.open(page)
        sheet = page.locator(f"{WALLET} dialog")
        self.assertEqual(page.locator(WALLET).evaluate("(host) => [host.lang, host.dir]"), ["en", "ltr"])
        self.assertEqual(sheet.evaluate("(sheet) => [sheet.matches(':lang(en)'), getComputedStyle(sheet).direction]"), [True, "ltr"])

    def test_head_and_foot_stay_where_there_is_room(self):
        page = self.shop(request={"shippingMethods": METHODS, "requiredShippingContactFields": CONTACT_FIELDS},
                         viewport={"width": 1280, "height": 640})
        self.open(page)
        sheet = page.locator(f"{WALLET} dialog")
        self.assertTrue(sheet.evaluate("(sheet) => sheet.scrollHeight === sheet.clientHeight"))
        for name in ("Cancel", PAY):
            self.assertTrue(page.get_by_role("button", name=name).evaluate(IS_SEEN), name)


if __name__ == "__main__":
    unittest.main()
