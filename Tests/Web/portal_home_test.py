# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""Home: what needs somebody and how it goes; the shop's engineer finds why payments are refused, in one click."""

import time

from portal import REFUSED, Actions, PortalTestCase


class HomeTest(PortalTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.portal.pay("42.50")
        cls.portal.pay("5757.00")
        cls.portal.refuse()
        # Refused calls are written beside payments' way, within a second.
        until = time.monotonic() + 15
        while not cls.portal.get("/refusals")["data"] and time.monotonic() < until:
            time.sleep(0.1)

    def test_shows_volume_approvals_refusals_and_latencies(self):
        page = self.signed_in()
        text = page.locator("main").inner_text()
        for part in ("Volume", "USD", "Approvals", "Refused by us", "Declined by banks", "Answers of the banks"):
            self.assertIn(part, text)
        self.looks(page, "home")
        self.shows_no_secret(page)

    def test_engineer_gets_from_home_to_what_to_do_in_one_click(self):
        page = self.signed_in("developer")
        actions = Actions(page)
        actions.click(page.get_by_role("link", name="Amount differs"))
        self.until(page, "location.pathname === '/portal/refused' && location.search.includes('amount_differs_from_token')")
        self.settled(page)
        self.assertEqual(actions.count, 1)
        self.assertIn("Send the amount that the payment sheet showed.", page.locator(".advice").inner_text())

    def test_charts_are_read_by_keys_and_as_tables(self):
        page = self.signed_in()
        chart = page.get_by_role("slider", name="Approvals")
        chart.focus()
        before = chart.get_attribute("aria-valuetext")
        self.assertIn("approved", before)
        page.keyboard.press("ArrowLeft")
        self.assertNotEqual(chart.get_attribute("aria-valuetext"), before)
        page.keyboard.press("Home")
        self.assertEqual(chart.get_attribute("aria-valuenow"), "0")
        page.locator("details.behind summary").first.click()
        self.assertGreater(page.locator("details[open] tbody tr").count(), 10)
        self.axe(page)

    def test_window_is_chosen_in_the_address(self):
        page = self.signed_in()
        page.get_by_role("link", name="7 days").click()
        self.until(page, "location.search === '?window=week'")
        page.locator("a[aria-current=page]", has_text="7 days").wait_for()
        page.go_back()
        self.until(page, "location.search === ''")

    def test_numbers_come_alive(self):
        page = self.signed_in()
        before = page.locator(".volume-amount").first.inner_text()
        self.portal.pay("77.00")
        page.wait_for_function("(before) => document.querySelector('.volume-amount')?.textContent !== before", arg=before, timeout=20_000)

    def test_home_of_nothing_says_what_will_be_here(self):
        page = self.signed_in(expected=REFUSED)
        page.route("**/admin/v1/home*", lambda route: self.emptied(route))
        self.go(page, "/payments")
        self.go(page, "/")
        page.get_by_text("No payments in this time").wait_for()
        self.looks(page, "home-empty")

    @staticmethod
    def emptied(route):
        answer = route.fetch()
        home = answer.json()
        home["window"].update(movements=0, refusals=0)
        home.update(totals=[], networks=[], declines=[], refusals=[], latencies=[])
        route.fulfill(response=answer, json=home)

    def test_what_needs_somebody_stands_first(self):
        page = self.signed_in(expected=REFUSED)

        def troubled(route):
            answer = route.fetch()
            home = answer.json()
            home["work"]["unknownOperations"] = {"count": 2, "atLeast": False}
            home["work"]["deadEvents"] = {"count": 1000, "atLeast": True}
            route.fulfill(response=answer, json=home)

        page.route("**/admin/v1/home*", troubled)
        self.go(page, "/payments")
        self.go(page, "/")
        cards = page.locator(".attention-card").all_inner_texts()
        self.assertTrue(any("2" in card and "has not said" in card for card in cards), cards)
        self.assertTrue(any("1,000+" in card for card in cards), cards)
        self.looks(page, "home-troubled")
