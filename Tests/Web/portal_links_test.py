# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""Links show what they say: the merchant that an address names, or nothing; the way back to a list is to what was seen of it; and an
address that somebody has mistyped is no fault of the page."""

import re

from portal import REFUSED
from portal_operator import OperatorTestCase


class MerchantInAddressTest(OperatorTestCase):
    def chosen(self, page):
        return page.get_by_label("Merchant", exact=True).input_value()

    def asks(self, page, path):
        """Of which merchants a page asks for its list, when it is opened by a link."""
        asked = []

        def heard(request):
            if re.search(r"/admin/v1/(payments|refusals|transactions|events|balances)\?", request.url):
                asked.append(request.url)

        page.on("request", heard)
        self.go(page, path)
        page.remove_listener("request", heard)
        return {found[1] if (found := re.search(r"\bmerchant=([\w-]+)", url)) else None for url in asked}

    def test_every_list_is_of_the_merchant_that_its_address_names(self):
        page = self.signed_in("owner")
        self.go(page, "/payments?merchant=commweb")
        for path in ("/payments", "/refused", "/webhooks", "/reports/transactions", "/reports/balances"):
            for name in ("payone", "commweb"):
                with self.subTest(path=path, merchant=name):
                    self.assertEqual(self.asks(page, f"{path}?merchant={name}"), {name})
                    self.assertEqual(self.chosen(page), name)
                    # What is copied from the address line shows the same.
                    self.assertIn(f"merchant={name}", page.url)
        page.reload()
        self.settled(page)
        self.assertEqual((self.chosen(page), "merchant=commweb" in page.url), ("commweb", True))

    def test_another_choice_stands_in_the_address_that_named_one(self):
        page = self.signed_in("owner", "/portal/payments?merchant=commweb&state=captured")
        choice = page.get_by_label("Merchant", exact=True)
        choice.select_option("payone")
        self.until(page, "new URLSearchParams(location.search).get('merchant') === 'payone'")
        self.assertIn("state=captured", page.url)
        choice.select_option("")
        self.until(page, "!new URLSearchParams(location.search).has('merchant')")
        self.settled(page)
        page.reload()
        self.settled(page)
        self.assertEqual(self.chosen(page), "")

    def test_merchant_that_is_not_seen_is_not_here(self):
        page = self.signed_in("owner", expected=REFUSED)
        for path in ("/payments?merchant=nosuch", "/reports/transactions?merchant=nosuch", "/?merchant=nosuch"):
            with self.subTest(path):
                self.assertEqual(self.asks(page, path), set())
                self.assertEqual(page.locator("main h1").inner_text(), "Not here")
        self.looks(page, "merchant-not-here")
        kept = self.signed_in("operator", "/portal/payments?merchant=payone", person={"name": "kept-to-commweb", "merchants": ["commweb"]})
        self.assertEqual(kept.locator("main h1").inner_text(), "Not here")
        self.assertEqual(kept.locator("main tbody tr").count(), 0)
        self.go(kept, "/payments")
        self.assertEqual(kept.locator("main h1").inner_text(), "Payments")

    def test_merchant_that_was_added_since_the_sign_in_is_here(self):
        page = self.signed_in("owner")
        name = self.merchant()["name"]
        self.go(page, f"/accounts?merchant={name}")
        self.assertEqual((page.locator("main h1").inner_text(), self.chosen(page)), ("Accounts", name))


class WayBackTest(OperatorTestCase):
    def test_the_way_back_leads_to_the_list_as_it_was_left(self):
        for amount in ("61.00", "62.00"):
            self.portal.pay(amount)
        page = self.signed_in("owner")
        list_path = "/payments?merchant=commweb&state=captured&network=mastercard"
        for leave in (lambda: page.locator("main a.back").click(), lambda: page.keyboard.press("Escape")):
            self.go(page, list_path)
            page.locator("main tbody .row-link").first.click()
            page.locator(".payment-title").wait_for()
            self.settled(page)
            leave()
            self.until(page, "location.pathname === '/portal/payments'")
            self.settled(page)
            self.assertEqual(page.url, f"{self.portal.url}/portal{list_path}")

    def test_the_way_back_has_the_page_of_the_list(self):
        # The place is a payment's and no page's: that the server refuses it is no matter here.
        page = self.signed_in("owner", expected=REFUSED)
        payment = self.portal.payment_of(self.portal.pay("63.00"))
        self.go(page, f"/payments?merchant=commweb&after={payment['id']}")
        self.go(page, f"/payments/{payment['id']}")
        self.assertTrue(page.locator("main a.back").get_attribute("href").endswith(f"&after={payment['id']}"))

    def test_filters_of_another_merchants_list_are_not_led_back_to(self):
        page = self.signed_in("owner")
        payment = self.portal.payment_of(self.portal.pay("64.00"))
        page.get_by_label("Merchant", exact=True).select_option("payone")
        self.settled(page)
        self.go(page, "/payments?state=voided")
        # The frame goes along to the payment's own merchant.
        self.go(page, f"/payments/{payment['id']}")
        self.until(page, "document.querySelector('.merchant-select').value === 'commweb' && document.querySelector('main a.back')")
        self.assertEqual(page.locator("main a.back").get_attribute("href"), "/portal/payments")


class MistypedAddressTest(OperatorTestCase):
    def test_filter_that_cannot_be_read_says_so_and_filters_nothing(self):
        self.portal.pay("65.00")
        page = self.signed_in("owner")
        for path, name in (
            ("/payments?merchant=commweb&from=2026-13-45", "From"), ("/payments?merchant=commweb&to=2026-02-30&state=captured", "To"),
            ("/payments?merchant=commweb&last4=12", "Last four"), ("/payments?merchant=commweb&state=nosuch", "State"),
            ("/payments?merchant=commweb&amountFrom=5", "At least"),
        ):
            with self.subTest(path):
                self.go(page, path)
                page.locator("main tbody tr").first.wait_for()
                self.assertEqual(page.locator("main .problem").count(), 0)
                said = page.locator(".chip.unread").all_inner_texts()
                self.assertEqual(len(said), 1, said)
                self.assertTrue(said[0].startswith(name) and "filters nothing" in said[0], said)
        self.looks(page, "filter-unreadable")
        # Taken away as any other.
        page.get_by_role("button", name="Remove the filter At least").click()
        self.until(page, "!location.search.includes('amountFrom')")

    def test_every_list_by_days_stays_a_page(self):
        page = self.signed_in("owner")
        for path, heading in (
            ("/payments?from=2026-13-45", "Payments"), ("/refused?from=x&to=2026-00-01", "Refused"), ("/webhooks?day=2026-02-30", "Webhooks"),
            ("/reports/transactions?merchant=commweb&day=yesterday", "Reports"), ("/reports/fees?merchant=commweb&day=2026-1-1", "Reports"),
            ("/audit?since=2026-13-01&until=0", "Audit"),
        ):
            with self.subTest(path):
                self.go(page, path)
                self.assertIn(heading, page.locator("main h1").inner_text())
                self.assertEqual(page.locator("main .problem").count(), 0)
                self.assertGreaterEqual(page.locator(".chip.unread").count(), 1)
