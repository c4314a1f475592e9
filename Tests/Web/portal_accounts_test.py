# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""Accounts in the portal: credentials are shown once and rotated with both in use; acquirers are added, checked, suspended."""

import unittest

from portal_operator import Actions, OperatorTestCase, WebKitCase


class AccountsTest(OperatorTestCase):
    def account(self):
        """A merchant with an account in CommWeb: its record and the credentials."""
        merchant = self.merchant()
        made = self.made(f"/merchants/{merchant['name']}/accounts", {"dialect": "commweb"})
        return merchant, made["credentials"]

    def test_rotates_a_password_with_both_accepted_and_revokes_the_old_one(self):
        merchant, credentials = self.account()
        page = self.signed_in("operator", path=f"/portal/accounts/dialects/{merchant['name']}/commweb")
        self.looks(page, "account")
        actions = Actions(page)
        card = page.locator(".card", has=page.get_by_role("heading", name="password", exact=True))
        actions.click(card.get_by_role("button", name="Rotate…"))
        self.assertIn("The old one goes on being accepted until you revoke it.", self.confirm(page, "Rotate password", actions=actions))
        (fresh, *_) = self.shown_once(page, actions)
        self.assertNotEqual(fresh, credentials["password"])
        card.get_by_text("two are accepted").wait_for()
        self.looks(page, "account-rotating")
        actions.click(card.get_by_role("button", name="Revoke the old one…"))
        self.assertIn("are refused from now on", self.confirm(page, "Revoke the old password", actions=actions))
        card.get_by_text("in use", exact=True).wait_for()
        self.assertLessEqual(actions.count, 5)
        self.assertNotIn(credentials["password"], page.content())

    def test_settings_are_a_form_of_what_the_dialect_describes(self):
        merchant, _ = self.account()
        page = self.signed_in("operator", path=f"/portal/accounts/dialects/{merchant['name']}/commweb")
        page.get_by_label("currencies").fill("AUD,USD")
        self.button(page, "Save the settings").click()
        page.get_by_text("The settings are saved.").first.wait_for()
        self.assertEqual(self.portal.get(f"/merchants/{merchant['name']}/accounts/commweb")["settings"]["currencies"], "AUD,USD")

    def test_an_acquirer_is_added_checked_and_suspended(self):
        merchant = self.merchant()
        page = self.signed_in("operator", path="/portal/accounts?merchant=" + merchant["name"])
        self.looks(page, "accounts-empty")
        actions = Actions(page)
        actions.click(page.get_by_role("link", name="Add an acquirer account"))
        self.settled(page)
        actions.click(page.get_by_role("radio", name="simulator"))
        page.get_by_label("Short name").fill("bank")
        self.looks(page, "acquirer-new")
        actions.click(self.button(page, "Add the account"))
        page.locator(".findings li").first.wait_for()
        self.looks(page, "acquirer")
        self.button(page, "Suspend…").click()
        self.assertIn("New payments do not take bank from now on", self.confirm(page, "Suspend bank"))
        self.button(page, "Resume…").wait_for()
        self.assertLessEqual(actions.count, 3)
        self.go(page, "/accounts")
        page.get_by_text("none leads to it").wait_for()

    def test_what_a_setting_may_not_be_is_said_and_nothing_is_made(self):
        merchant = self.merchant()
        page = self.signed_in("operator", path="/portal/accounts/acquirers/new?connector=mpgs&merchant=" + merchant["name"], expected=[r"status of 4\d\d"])
        page.get_by_label("Short name").fill("bank")
        for field in page.locator("main input[required]").all():
            if field.input_value() == "":
                field.fill("not right !")
        self.button(page, "Add the account").click()
        page.locator(".problem, .field-error:not(:empty)").first.wait_for()
        self.axe(page)
        self.assertEqual(self.portal.get(f"/merchants/{merchant['name']}/acquirers")["data"], [])

    def test_every_page_looks_right(self):
        page = self.signed_in(path="/portal/accounts?merchant=" + self.portal.merchant)
        self.looks(page, "accounts")
        self.go(page, "/accounts/dialects/new?merchant=" + self.merchant()["name"])
        self.looks(page, "account-new")

    def test_a_viewer_sees_no_secret_and_no_act(self):
        page = self.signed_in("viewer", path=f"/portal/accounts/dialects/{self.portal.merchant}/commweb")
        account = self.portal.line["merchants"]["commweb"]
        for name in ("password", "notificationSecret", "webhookSecret"):
            self.assertNotIn(account[name], page.content())
        for name in ("Rotate…", "Save the settings"):
            self.assertEqual(self.button(page, name).count(), 0)


class AccountsInWebKit(WebKitCase):
    def test_the_pages_come(self):
        own = self.portal.merchant
        acquirer = self.portal.get(f"/merchants/{own}/acquirers")["data"][0]["name"]
        self.comes([(f"/accounts?merchant={own}", "Accounts"), (f"/accounts/dialects/{own}/commweb", "CommWeb"), (f"/accounts/acquirers/{own}/{acquirer}", acquirer)])


if __name__ == "__main__":
    unittest.main()
