# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""People in the portal: an owner invites somebody, who comes in; roles and limits; access tokens; what needs a second person."""

import secrets
import unittest

from portal_operator import HOSTILE, Actions, OperatorTestCase, WebKitCase


class PeopleTest(OperatorTestCase):
    def test_an_owner_invites_somebody_who_comes_in(self):
        name = "clerk-" + secrets.token_hex(4)
        page = self.signed_in(path="/portal/people")
        self.looks(page, "people")
        actions = Actions(page)
        actions.click(page.get_by_role("link", name="Add a person"))
        self.settled(page)
        self.looks(page, "person-add")
        page.get_by_label("Name", exact=True).fill("Clara Clerk")
        page.get_by_label("User name").fill(name)
        page.get_by_label("Refund limits").fill("USD 100")
        actions.click(self.button(page, "Add the person"))
        (link,) = self.shown_once(page, actions)
        self.assertIn("/portal/invitation#", link)
        self.assertLessEqual(actions.count, 3)
        person = self.portal.get("/people/" + name)
        self.assertEqual((person["role"], person["refundLimits"]), ("support", {"USD": "100.00"}))
        self.looks(page, "person")

        # With the invitation: the secret stands in the fragment, which no server sees.
        status, answer = self.portal.call(
            "POST", "/session/invitation", {"invitation": link.split("#")[1], "newPassword": "seven patient badgers dig"}, headers={"Pomona-Portal": "1"}, token=False)
        self.assertEqual(status, 200, answer)

    def test_suspends_resumes_and_removes_by_name(self):
        name = "gone-" + secrets.token_hex(4)
        self.made("/people", {"userName": name, "displayName": "Gone Soon", "role": "viewer", "credential": "password"})
        page = self.signed_in(path="/portal/people/" + name)
        self.button(page, "Suspend…").click()
        self.assertIn("signed out everywhere now", self.confirm(page, "Suspend Gone Soon"))
        self.button(page, "Resume…").click()
        self.confirm(page, "Let Gone Soon in again")
        self.button(page, "Remove…").click()
        self.assertIn("stays in the audit log", self.confirm(page, "Remove Gone Soon", typed=name))
        page.get_by_role("heading", name="People").wait_for()

    def test_another_role_is_said_before_it_is_given(self):
        name = "riser-" + secrets.token_hex(4)
        self.made("/people", {"userName": name, "displayName": "Riser", "role": "viewer", "credential": "password"})
        page = self.signed_in(path="/portal/people/" + name)
        page.get_by_role("radio", name="Operator").check()
        self.button(page, "Save the changes").click()
        self.assertIn("signed out everywhere", self.confirm(page, "Make this person Operator"))
        page.get_by_text("The changes are saved.").first.wait_for()
        self.assertEqual(self.portal.get("/people/" + name)["role"], "operator")

    def test_a_reset_gives_an_invitation_once(self):
        name = "lost-" + secrets.token_hex(4)
        self.made("/people", {"userName": name, "displayName": "Lost It", "role": "viewer", "credential": "password"})
        page = self.signed_in(path="/portal/people/" + name)
        self.button(page, "Reset the password…").click()
        self.assertIn("all sessions end now", self.confirm(page, "Make an invitation"))
        (link,) = self.shown_once(page)
        self.assertIn("/portal/invitation#", link)

    def test_a_token_is_shown_once_and_revoked(self):
        page = self.signed_in(path="/portal/people/tokens")
        actions = Actions(page)
        actions.click(self.button(page, "Make an access token").first)
        dialog = self.dialog(page)
        self.looked_at(page)
        name = "report " + secrets.token_hex(4)
        dialog.get_by_label("What it is for").fill(name)
        actions.click(dialog.get_by_role("button", name="Make the token"))
        (secret,) = self.shown_once(page, actions)
        self.assertRegex(secret, r"^pomona_[0-9A-Za-z]{49}$")
        self.assertLessEqual(actions.count, 3)
        self.looks(page, "tokens")
        page.get_by_role("button", name="Revoke " + name).click()
        self.confirm(page, "Revoke the token")
        status, _ = self.portal.call("GET", "/merchants", headers={"Authorization": "Bearer " + secret}, token=False)
        self.assertEqual(status, 401)

    def test_what_needs_a_second_person_is_said_and_set(self):
        merchant = self.merchant(displayName="Careful shop")
        page = self.signed_in(path="/portal/people/policies")
        self.looks(page, "policies")
        page.get_by_role("button", name="Second person: Careful shop").click()
        dialog = self.dialog(page)
        dialog.get_by_role("textbox", name="Refunds above").fill("USD 50")
        self.looked_at(page)
        dialog.get_by_role("button", name="Save the policy").click()
        self.closed(page)
        page.get_by_text("Refunds above 50.00").wait_for()
        self.assertEqual(self.portal.get("/approval-policies/" + merchant["name"])["refundsAbove"], {"USD": "50.00"})

    def test_hostile_names_stay_text(self):
        name = "odd-" + secrets.token_hex(4)
        self.made("/people", {"userName": name, "displayName": HOSTILE.replace("\u202e", "")[:64], "role": "viewer", "credential": "none", "externalIdentity": {"issuer": "https://id.example", "subject": name}})
        page = self.signed_in(path="/portal/people")
        self.stays_text(page)
        self.go(page, "/people/" + name)
        self.stays_text(page)
        self.axe(page)

    def test_a_limit_that_is_none_is_said_beside_its_field(self):
        page = self.signed_in(path="/portal/people/new")
        page.get_by_label("Name", exact=True).fill("X")
        page.get_by_label("User name").fill("x-" + secrets.token_hex(4))
        for wrong in ("one hundred", "EUR 5\nEUR 500"):
            page.get_by_label("Refund limits").fill(wrong)
            self.button(page, "Add the person").click()
            page.locator(".field.wrong .field-error").get_by_text("One a line").wait_for()
            page.get_by_label("Refund limits").fill("")
        self.axe(page)

    def test_others_than_owners_change_nobody(self):
        page = self.signed_in("operator", path="/portal/people")
        self.assertEqual(page.get_by_role("link", name="Add a person").count(), 0)
        page = self.signed_in("support", path="/portal/people")
        page.get_by_text("Your role does not show this").wait_for()
        self.axe(page)


class PeopleInWebKit(WebKitCase):
    def test_the_pages_come(self):
        self.comes([("/people", "People"), ("/people/new", "Add a person"), ("/people/tokens", "People"), ("/people/policies", "People")])


if __name__ == "__main__":
    unittest.main()
