# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""Accounts in the portal: credentials are shown once and rotated with both in use; acquirers are added, checked, suspended."""

import base64
import time
import unittest
import urllib.error
import urllib.request

from portal_operator import HOSTILE, Actions, OperatorTestCase, WebKitCase


class AccountsTest(OperatorTestCase):
    def account(self):
        """A merchant with an account in CommWeb: its record and the credentials."""
        merchant = self.merchant()
        made = self.made(f"/merchants/{merchant['name']}/accounts", {"dialect": "commweb"})
        return merchant, made["credentials"]

    def called(self, credentials, client, password=None):
        """The status of a call of the shop's."""
        name = credentials["merchantId"]
        shown = base64.b64encode(f"merchant.{name}:{password or credentials['password']}".encode()).decode()
        request = urllib.request.Request(
            f"{self.portal.line['http'].rstrip('/')}/api/rest/version/71/merchant/{name}/order/none",
            headers={"Authorization": f"Basic {shown}", "User-Agent": client})
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return response.status
        except urllib.error.HTTPError as error:
            return error.code

    def seen(self, merchant, member="lastUsed"):
        """The use of the password, once the gateway has written it."""
        until = time.monotonic() + 15
        while time.monotonic() < until:
            found = self.portal.get(f"/merchants/{merchant['name']}/accounts/commweb")["credentials"]
            (password,) = [one for one in found if one["name"] == "password"]
            if password[member]:
                return password[member]
            time.sleep(0.1)
        self.fail(f"{member} was not seen")

    def card(self, page):
        return page.locator(".card", has=page.get_by_role("heading", name="password", exact=True))

    def test_says_which_of_two_passwords_the_shop_uses_and_warns_before_one_in_use_is_revoked(self):
        merchant, credentials = self.account()
        hostile = HOSTILE.replace("\u202e", "")
        self.assertEqual(self.called(credentials, hostile, password="not the password"), 401)
        path = f"/accounts/dialects/{merchant['name']}/commweb"
        page = self.signed_in("operator", path=f"/portal{path}")
        card = self.card(page)
        card.get_by_text("not seen in use", exact=True).wait_for()
        self.assertNotEqual(self.called(credentials, hostile), 401)
        self.seen(merchant)
        page.reload()
        card.get_by_text("last used", exact=False).wait_for()
        self.assertIn(f"by 127.0.0.1 ({hostile})", card.inner_text())
        self.stays_text(page)
        self.looks(page, "account-used")

        fresh = self.made(f"/merchants/{merchant['name']}/accounts/commweb/credentials/password/rotate", None)["credentials"]
        page.reload()
        self.settled(page)
        card.get_by_text("two are accepted").wait_for()
        old, new = (card.locator("dl > div", has=page.get_by_text(name, exact=True)) for name in ("The old one", "The new one"))
        self.assertIn("127.0.0.1", old.inner_text())
        self.assertIn("not seen in use", new.inner_text())
        self.called({**credentials, **fresh}, "curl/8")
        self.seen(merchant)
        page.reload()
        new.get_by_text("by 127.0.0.1 (curl/8)").wait_for()
        self.looks(page, "account-used-both")
        card.get_by_role("button", name="Revoke the old one…").click()
        sentence = self.confirm(page, "Revoke the old password")
        self.assertIn("was used within the last 24 hours", sentence)
        self.assertIn("by 127.0.0.1", sentence)
        card.get_by_text("in use", exact=True).wait_for()
        self.assertIn("curl/8", card.inner_text())
        self.stays_text(page)

    def test_rotates_a_password_with_both_accepted_and_revokes_the_old_one(self):
        merchant, credentials = self.account()
        page = self.signed_in("operator", path=f"/portal/accounts/dialects/{merchant['name']}/commweb")
        self.looks(page, "account")
        certificate = page.locator(".card", has=page.get_by_role("heading", name="clientCertificate", exact=True))
        self.assertIn("not set", certificate.inner_text())
        self.assertEqual(certificate.get_by_role("button").count(), 0)
        actions = Actions(page)
        card = page.locator(".card", has=page.get_by_role("heading", name="password", exact=True))
        actions.click(card.get_by_role("button", name="Rotate…"))
        self.assertIn("The old one goes on being accepted until you revoke it.", self.confirm(page, "Rotate password", actions=actions))
        (fresh, *_) = self.shown_once(page, actions)
        self.assertNotEqual(fresh, credentials["password"])
        card.get_by_text("two are accepted").wait_for()
        self.looks(page, "account-rotating")
        actions.click(card.get_by_role("button", name="Revoke the old one…"))
        sentence = self.confirm(page, "Revoke the old password", actions=actions)
        self.assertIn("has not been seen in use. Calls with it are refused from now on", sentence)
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
