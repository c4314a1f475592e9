# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""A press is answered by the page at once, however long the server takes: what the page says is in it while the answer is held back,
so no clock is asked. And a second press of what is under way does nothing.
"""

import re
import unittest

from portal import REFUSED
from portal_operator import OperatorTestCase
from portal_states_test import Held


class PressTest(OperatorTestCase):
    def busy(self, page, button):
        """It says that it is busy, to who looks and to who listens, and takes no second press."""
        self.assertEqual(
            button.evaluate("(one) => [one.classList.contains('busy'), one.getAttribute('aria-disabled'), one.getAttribute('aria-busy')]"), [True, "true", "true"])
        self.assertNotEqual(button.evaluate("(one) => getComputedStyle(one, '::after').content"), "none", "A sign that turns.")
        button.evaluate("(one) => one.click()")

    def test_capture_refund_and_void_are_busy_before_the_bank_answers(self):
        for act, operation, state in (("Capture", "AUTHORIZE", "captured"), ("Void", "AUTHORIZE", "voided"), ("Refund", "PAY", "refunded")):
            with self.subTest(act):
                payment = self.portal.payment_of(self.portal.pay("41.00", operation=operation))
                page = self.signed_in(path=f"/portal/payments/{payment['id']}")
                page.get_by_role("button", name=re.compile(f"^{act}")).first.click()
                button = page.locator("dialog .primary, dialog .danger").last
                held = Held(page, f"**/admin/v1/payments/{payment['id']}/{act.lower()}", wanted=lambda _: True)
                button.evaluate("(one) => one.click()")
                self.busy(page, button)
                self.axe(page)
                held.wait()
                self.assertEqual(len(held.routes), 1)
                held.let_go()
                self.closed(page)
                page.locator(".payment-title", has_text=state).wait_for()

    def test_search_is_busy_before_it_is_answered(self):
        order = self.portal.pay("42.00")
        page = self.signed_in()
        held = Held(page, "**/admin/v1/search*", wanted=lambda _: True)
        field = page.locator(".search input")
        field.fill(order)
        # Before the rest that typing is given, too.
        self.assertEqual(page.locator(".search").get_attribute("aria-busy"), "true")
        field.press("Enter")
        self.assertEqual(page.locator(".search").get_attribute("aria-busy"), "true")
        held.wait()
        held.let_go()
        page.locator(".payment-title", has_text="42.00").wait_for()
        self.assertEqual(page.locator(".search[aria-busy]").count(), 0)
        field.fill("nothing-is-called-this")
        page.get_by_text("Nothing is called").wait_for()
        self.assertEqual(page.locator(".search[aria-busy]").count(), 0)
        field.fill("another")
        field.press("Escape")
        self.assertEqual(page.locator(".search[aria-busy]").count(), 0)

    def test_sign_in_is_busy_before_it_is_answered(self):
        name, password = self.portal.person("viewer")
        page = self.open(expected=[r"status of 401", "ERR_ABORTED|ERR_INCOMPLETE"])
        page.get_by_label("User name").fill(name)
        page.get_by_label("Password").fill(password)
        button = page.get_by_role("button", name="Sign in", exact=True)
        held = Held(page, "**/admin/v1/session", wanted=lambda request: request.method == "POST")
        button.evaluate("(one) => one.click()")
        self.busy(page, button)
        held.wait()
        self.assertEqual(len(held.routes), 1)
        held.let_go()
        page.locator("nav.menu").wait_for()

    def test_page_that_is_gone_to_is_on_its_way_at_once(self):
        page = self.signed_in(expected=REFUSED)
        held = Held(page, "**/admin/v1/people*")
        busy = page.evaluate(
            "(path) => import('/portal/core/router.js').then(({ navigate }) => { navigate(path); return document.querySelector('main').getAttribute('aria-busy'); })", "/people")
        self.assertEqual(busy, "true")
        held.wait()
        held.let_go()
        self.settled(page)
        self.assertEqual(page.locator("main h1").inner_text(), "People")


if __name__ == "__main__":
    unittest.main()
