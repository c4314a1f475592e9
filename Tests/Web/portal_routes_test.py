# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""Routes in the portal: set in their order, asked which account a payment would take, saved with what will happen to whom."""

import unittest

from portal_operator import Actions, OperatorTestCase, WebKitCase


class RoutesTest(OperatorTestCase):
    def shop(self):
        """A merchant with an account in a dialect and two with acquirers; its name."""
        name = self.merchant()["name"]
        self.made(f"/merchants/{name}/accounts", {"dialect": "commweb"})
        for bank in ("bank", "second"):
            self.made(f"/merchants/{name}/acquirers", {"name": bank, "connector": "simulator"})
        return name

    def add(self, page, actions, account, **conditions):
        actions.click(page.get_by_role("button", name="Add a route").or_(page.get_by_role("button", name="Add the first route")).first)
        dialog = self.dialog(page)
        self.looked_at(page)
        dialog.get_by_label("Acquirer account").select_option(account)
        for label, value in conditions.items():
            dialog.get_by_label(label.replace("_", " ")).select_option(value) if label in ("Currency", "Network", "Dialect") else dialog.get_by_label(
                label.replace("_", " ")).fill(value)
        actions.click(dialog.get_by_role("button", name="Add the route"))
        self.closed(page)

    def test_sets_routes_and_learns_which_account_a_payment_would_take(self):
        name = self.shop()
        page = self.signed_in("operator", path="/portal/routes?merchant=" + name)
        self.looks(page, "routes-empty")
        actions = Actions(page)
        self.add(page, actions, "second", Currency="USD", From_amount="100")
        self.add(page, actions, "bank")
        self.assertEqual(self.portal.get(f"/merchants/{name}/routes")["data"], [])
        actions.click(self.button(page, "Save the routes…"))
        self.assertIn("Payments that have begun stay with their account.", self.confirm(page, "Save the routes", actions=actions))
        saved = self.portal.get(f"/merchants/{name}/routes")["data"]
        self.assertEqual([(route["number"], route["acquirer"]) for route in saved], [(1, "second"), (2, "bank")])
        self.assertEqual(saved[0]["from"], "100.00")

        tester = page.locator("section", has=page.get_by_role("heading", name="Which account would this payment take?"))
        tester.get_by_label("Dialect").select_option("commweb")
        tester.get_by_label("Currency").select_option("USD")
        tester.get_by_label("Amount").fill("250")
        actions.click(self.button(page, "Ask the routes"))
        page.get_by_text("250.00 USD would take second.").wait_for()
        page.get_by_text("If it does nothing with it: bank.").wait_for()
        self.looks(page, "routes-asked")
        tester.get_by_label("Amount").fill("20")
        actions.click(self.button(page, "Ask the routes"))
        page.get_by_text("20.00 USD would take bank.").wait_for()
        self.assertLessEqual(actions.count, 8)

    def test_the_last_route_goes_only_by_the_merchants_name(self):
        name = self.shop()
        self.made(f"/merchants/{name}/routes", {"data": [{"number": 1, "acquirer": "bank"}]}, "PUT", {"If-Match": "*"})
        page = self.signed_in("operator", path="/portal/routes?merchant=" + name)
        page.get_by_role("button", name="Remove: route 1").click()
        self.button(page, "Save the routes…").click()
        self.assertIn("every new payment of The shop is refused from now on", self.confirm(page, "Save the routes", typed=name))
        page.get_by_text("No route yet").wait_for()

    def test_who_was_slower_changes_nothing(self):
        name = self.shop()
        page = self.signed_in("operator", path="/portal/routes?merchant=" + name, expected=[r"status of 412"])
        actions = Actions(page)
        self.add(page, actions, "bank")
        self.made(f"/merchants/{name}/routes", {"data": [{"number": 1, "acquirer": "second"}]}, "PUT", {"If-Match": "*"})
        self.button(page, "Save the routes…").click()
        self.dialog(page).get_by_role("button", name="Save the routes").click()
        self.dialog(page).get_by_text("Somebody has changed this").wait_for()
        self.axe(page)
        self.assertEqual(self.portal.get(f"/merchants/{name}/routes")["data"][0]["acquirer"], "second")

    def test_moves_by_the_keyboard(self):
        name = self.shop()
        self.made(f"/merchants/{name}/routes", {"data": [{"number": 1, "acquirer": "bank"}, {"number": 2, "acquirer": "second"}]}, "PUT", {"If-Match": "*"})
        page = self.signed_in("operator", path="/portal/routes?merchant=" + name)
        page.get_by_role("button", name="Down: route 1").focus()
        page.keyboard.press("Enter")
        self.assertEqual(page.locator(".route-line strong").all_inner_texts(), ["second", "bank"])
        page.get_by_text("Not saved yet.").wait_for()

    def test_a_viewer_may_ask_and_not_change(self):
        page = self.signed_in("viewer", path="/portal/routes?merchant=" + self.portal.merchant)
        self.assertEqual(self.button(page, "Add a route").count(), 0)
        self.button(page, "Ask the routes").click()
        page.locator(".route-result .note").wait_for()


class RoutesInWebKit(WebKitCase):
    def test_the_page_comes_and_answers(self):
        tab = self.comes([("/routes?merchant=" + self.portal.merchant, "Routes")])
        tab.click("[...document.querySelectorAll('main button')].find((button) => button.textContent === 'Ask the routes')")
        tab.until("document.querySelector('.route-result .note')")


if __name__ == "__main__":
    unittest.main()
