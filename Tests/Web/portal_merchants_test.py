# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""Merchants in the portal: an operator adds one and sees what waits for whom until the first payment; suspends, resumes, closes."""

import unittest

from portal_operator import HOSTILE, REFUSED, Actions, OperatorTestCase, WebKitCase


class MerchantsTest(OperatorTestCase):
    def test_name_country_and_zone_can_be_changed(self):
        name = self.merchant()["name"]
        page = self.signed_in(path="/portal/merchants/" + name)
        self.button(page, "Change…").click()
        dialog = self.dialog(page)
        self.assertEqual(dialog.get_by_label("Country").input_value(), "AU")
        dialog.get_by_label("Country").select_option("TW")
        self.looked_at(page)
        dialog.get_by_role("button", name="Save the changes").click()
        self.closed(page)
        self.assertEqual(self.portal.get("/merchants/" + name)["countryCode"], "TW")
        page.get_by_text("Taiwan").wait_for()

    def test_an_owner_goes_from_nothing_to_a_merchant_that_lacks_only_its_key(self):
        page = self.signed_in(path="/portal/merchants")
        actions = Actions(page)
        actions.click(page.get_by_role("link", name="Add a merchant"))
        self.settled(page)
        page.get_by_label("Name in the payment sheet").fill("Café Müller & Sons")
        self.assertEqual(page.get_by_label("Short name").input_value(), "cafe-muller-sons")
        name = self.merchant()["name"] + "-new"
        page.get_by_label("Short name").fill(name)
        page.get_by_label("Country").select_option("DE")
        actions.click(self.button(page, "Add the merchant"))
        page.get_by_role("heading", name="To the first payment").wait_for()
        self.assertEqual(page.locator("main h1").inner_text(), "Café Müller & Sons")
        self.looks(page, "merchant-new")

        actions.click(page.get_by_role("link", name="Add an account"))
        self.settled(page)
        actions.click(page.get_by_role("radio", name="CommWeb"))
        actions.click(self.button(page, "Add the account in CommWeb"))
        self.assertGreaterEqual(len(self.shown_once(page, actions)), 2)
        page.get_by_role("heading", name="Account in CommWeb").wait_for()

        self.go(page, f"/merchants/{name}")
        actions.click(page.get_by_role("link", name="Add an acquirer"))
        self.settled(page)
        actions.click(page.get_by_role("radio", name="simulator"))
        page.get_by_label("Short name").fill("bank")
        actions.click(self.button(page, "Add the account"))
        page.get_by_role("heading", name="bank").wait_for()
        page.get_by_text("good", exact=True).first.wait_for()

        self.go(page, f"/merchants/{name}")
        actions.click(page.get_by_role("link", name="Set a route"))
        self.settled(page)
        actions.click(self.button(page, "Add the first route"))
        actions.click(self.dialog(page).get_by_role("button", name="Add the route"))
        actions.click(self.button(page, "Save the routes…"))
        self.confirm(page, "Save the routes", actions=actions)

        self.go(page, f"/merchants/{name}")
        left = self.portal.get(f"/merchants/{name}/missing")["data"]
        self.assertEqual([part["part"] for part in left if not part.get("forWeb")], ["processingKey"])
        self.assertLessEqual(actions.count, 14)
        self.shows_no_secret(page)

    def test_every_page_looks_right(self):
        ready = self.portal.merchant
        page = self.signed_in(path="/portal/merchants")
        self.looks(page, "merchants")
        for name, path in (("merchant", f"/merchants/{ready}"), ("merchant-add", "/merchants/new")):
            self.go(page, path)
            self.looks(page, name)

    def test_suspends_and_resumes_by_saying_what_will_happen(self):
        merchant = self.merchant(displayName="Paused shop")
        page = self.signed_in(path=f"/portal/merchants/{merchant['name']}")
        self.button(page, "Suspend…").click()
        self.axe(page)
        self.assertIn("Paused shop takes no new payments from now on", self.confirm(page, "Suspend the merchant"))
        page.get_by_text("It takes no new payments now.").wait_for()
        self.button(page, "Resume…").click()
        self.confirm(page, "Resume the merchant")
        self.button(page, "Suspend…").wait_for()
        self.assertEqual(self.portal.get(f"/merchants/{merchant['name']}")["state"], "active")

    def test_closes_only_who_types_the_name(self):
        merchant = self.merchant()
        page = self.signed_in(path=f"/portal/merchants/{merchant['name']}")
        self.button(page, "Close…").click()
        self.assertIn("nobody can open it again", self.confirm(page, "Close the merchant", typed=merchant["name"]))
        page.get_by_text("It is closed, for ever.").wait_for()
        self.looks(page, "merchant-closed")

    def test_says_beside_the_field_that_a_name_is_taken(self):
        taken = self.merchant()["name"]
        page = self.signed_in(path="/portal/merchants/new", expected=REFUSED)
        page.get_by_label("Name in the payment sheet").fill("Another")
        page.get_by_label("Short name").fill(taken)
        page.get_by_label("Country").select_option("DE")
        self.button(page, "Add the merchant").click()
        problem = page.locator(".problem, .field-error:not(:empty)").first
        problem.wait_for()
        self.axe(page)

    def test_hostile_names_stay_text(self):
        merchant = self.merchant(displayName=HOSTILE.replace("\u202e", "")[:64])
        page = self.signed_in(path="/portal/merchants")
        self.stays_text(page)
        self.go(page, f"/merchants/{merchant['name']}")
        self.stays_text(page)
        self.looks(page, "merchant-hostile")

    def test_a_viewer_changes_nothing(self):
        page = self.signed_in("viewer", path="/portal/merchants")
        self.assertEqual(page.get_by_role("link", name="Add a merchant").count(), 0)
        self.go(page, f"/merchants/{self.portal.merchant}")
        for name in ("Change…", "Suspend…", "Close…"):
            self.assertEqual(self.button(page, name).count(), 0)


class MerchantsInWebKit(WebKitCase):
    def test_the_pages_come(self):
        self.comes([("/merchants", "Merchants"), ("/merchants/new", "Add a merchant"), (f"/merchants/{self.portal.merchant}", "")])


if __name__ == "__main__":
    unittest.main()
