# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""What nobody has touched in a form stays as it is, whatever the form can show of it; and what counts for all, or for nothing, is chosen
and never what an empty field happens to mean."""

import json
import secrets
import unittest

from portal import Portal
from portal_operator import OperatorTestCase


class PeopleTest(OperatorTestCase):
    def person(self, **fields):
        """The user name of a new person."""
        name = "kept-" + secrets.token_hex(4)
        self.made("/people", {"userName": name, "displayName": "Kept Short", "role": "support", "credential": "password", **fields})
        return name

    def reach(self, name):
        """For which merchants somebody is, and up to which amounts."""
        person = self.portal.get("/people/" + name)
        return person["merchants"], person["refundLimits"]

    def save(self, page):
        self.button(page, "Save the changes").click()
        page.get_by_text("The changes are saved.").first.wait_for()
        self.settled(page)

    def choice(self, page, group, name):
        return page.get_by_role("group", name=group).get_by_role("radio", name=name)

    def test_what_is_saved_of_somebody_widens_nothing_else(self):
        page = self.signed_in(path="/portal/people")
        # Made after the page had asked which merchants there are.
        late = self.merchant(displayName="Late shop")["name"]
        for merchants, limits in (([late], {}), ([], {"EUR": "10.00"}), (None, None), ([self.portal.merchant, late], {"CLF": "1.2500"})):
            with self.subTest(merchants=merchants, limits=limits):
                name = self.person(merchants=merchants, refundLimits=limits)
                self.go(page, "/people/" + name)
                self.assertEqual(page.get_by_role("checkbox", name=late).is_checked(), late in (merchants or []))
                self.assertEqual(self.choice(page, "Merchants", "All").is_checked(), merchants is None)
                self.assertEqual(self.choice(page, "Refund limits", "No limit").is_checked(), limits is None)
                page.get_by_label("Name", exact=True).fill("Kept Longer")
                with page.expect_request(lambda request: request.method == "PATCH") as sent:
                    self.save(page)
                self.assertEqual(sent.value.post_data_json, {"displayName": "Kept Longer"})
                self.assertEqual(self.reach(name), (merchants and sorted(merchants), limits))
        self.button(page, "Save the changes").click()
        page.get_by_text("Nothing was changed.").first.wait_for()

    def test_all_and_none_are_two_choices(self):
        name = self.person(merchants=[self.portal.merchant], refundLimits={"EUR": "10.00"})
        page = self.signed_in(path="/portal/people/" + name)
        amounts = page.get_by_label("Refund limits")
        page.get_by_role("checkbox", checked=True).uncheck()
        amounts.fill("")
        self.looks(page, "person-for-none")
        self.save(page)
        self.assertEqual(self.reach(name), ([], {}))
        self.assertTrue(self.choice(page, "Merchants", "Only those ticked here").is_checked())
        self.assertTrue(self.choice(page, "Refund limits", "Up to these amounts").is_checked())
        self.choice(page, "Merchants", "All").check()
        self.choice(page, "Refund limits", "No limit").check()
        self.save(page)
        self.assertEqual(self.reach(name), (None, None))
        # Who ticks or types has chosen; who thinks better of it finds what was there.
        amounts.fill("EUR 5")
        self.assertTrue(self.choice(page, "Refund limits", "Up to these amounts").is_checked())
        self.choice(page, "Refund limits", "No limit").check()
        self.assertEqual(amounts.input_value(), "")
        self.choice(page, "Refund limits", "Up to these amounts").check()
        self.assertEqual(amounts.input_value(), "EUR 5")
        page.get_by_role("group", name="Merchants").get_by_role("checkbox").first.check()
        self.assertTrue(self.choice(page, "Merchants", "Only those ticked here").is_checked())
        self.save(page)
        merchants, limits = self.reach(name)
        self.assertEqual((len(merchants), limits), (1, {"EUR": "5.00"}))

    def test_a_new_person_may_be_for_none(self):
        page = self.signed_in(path="/portal/people/new")
        name = "none-" + secrets.token_hex(4)
        page.get_by_label("Name", exact=True).fill("For none")
        page.get_by_label("User name").fill(name)
        self.assertTrue(self.choice(page, "Merchants", "All").is_checked())
        self.choice(page, "Merchants", "Only those ticked here").check()
        self.choice(page, "Refund limits", "Up to these amounts").check()
        self.button(page, "Add the person").click()
        self.shown_once(page)
        self.assertEqual(self.reach(name), ([], {}))

    def test_a_token_is_for_all_only_by_choice(self):
        page = self.signed_in(path="/portal/people/tokens")
        late = self.merchant(displayName="Token shop")
        for ticked, expected in (([], []), ([late["name"]], [late["id"]]), (None, None)):
            with self.subTest(ticked):
                self.button(page, "Make an access token").first.click()
                dialog = self.dialog(page)
                name = "token " + secrets.token_hex(4)
                dialog.get_by_label("What it is for").fill(name)
                if ticked is not None:
                    self.choice(dialog, "Merchants", "Only those ticked here").check()
                    for merchant in ticked:
                        dialog.get_by_role("checkbox", name=merchant).check()
                dialog.get_by_role("button", name="Make the token").click()
                self.shown_once(page)
                (made,) = [one for one in self.portal.get("/tokens?limit=200")["data"] if one["name"] == name]
                self.assertEqual(made["merchants"], expected)
        page.locator(".card", has_text="Token shop").first.wait_for()


class PolicyTest(OperatorTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # A policy that stands has every other change wait.
        cls.portal = Portal.of(cls)

    def policy(self, name):
        return {key: value for key, value in self.portal.get("/approval-policies/" + name).items() if key != "policy"}

    def save(self, page, title):
        """Saves the dialog, and has somebody else approve it."""
        dialog = self.dialog(page)
        dialog.get_by_role("button", name="Save the policy").click()
        self.closed(page)
        (waiting,) = self.portal.get("/approvals?state=waiting")["data"]
        self.made(f"/approvals/{waiting['id']}/approve", {})
        page.reload()
        self.settled(page)
        return page.locator(".card", has=page.get_by_role("heading", name=title))

    def test_refunds_that_wait_for_somebody_go_on_waiting(self):
        merchant = self.merchant(displayName="Strict shop")["name"]
        self.made("/approval-policies/" + merchant, {"refundsAbove": {}}, "PUT", {"If-Match": "*"})
        page = self.signed_in(path="/portal/people/policies")
        page.get_by_text("Every refund", exact=True).wait_for()
        change = page.get_by_role("button", name="Second person: Strict shop")
        change.click()
        dialog = self.dialog(page)
        self.assertTrue(dialog.get_by_role("radio", name="Refunds wait for a second person").is_checked())
        dialog.get_by_role("checkbox", name="Routes").check()
        self.looked_at(page)
        card = self.save(page, "Strict shop")
        self.assertEqual(self.policy(merchant), {"refundsAbove": {}, "aboveOwnLimit": False, "liveCredentials": False, "routes": True})
        card.get_by_text("Every refund", exact=True).wait_for()
        # That they need nobody is said, and is all that changes.
        change.click()
        dialog.get_by_role("radio", name="Refunds need nobody else").check()
        card = self.save(page, "Strict shop")
        self.assertEqual(self.policy(merchant), {"refundsAbove": None, "aboveOwnLimit": False, "liveCredentials": False, "routes": True})
        self.assertEqual(card.get_by_text("Every refund").count(), 0)


class SettingsTest(OperatorTestCase):
    def test_a_setting_that_a_field_cannot_show_is_not_sent(self):
        name = self.merchant()["name"]
        self.made(f"/merchants/{name}/accounts", {"dialect": "tappay"})
        path = f"/merchants/{name}/accounts/tappay"
        # A field of one line leaves out the blanks around it.
        self.made(f"{path}/settings", {"settings": {"appName": " Shop "}}, "PATCH", {"If-Match": "*"})
        page = self.signed_in("operator", path=f"/portal/accounts/dialects/{name}/tappay")
        for ids in ("group_one", ""):
            page.get_by_label("merchantGroupIds").fill(ids)
            self.button(page, "Save the settings").click()
            page.get_by_text("The settings are saved.").first.wait_for()
            self.settled(page)
            settings = self.portal.get(path)["settings"]
            self.assertEqual((settings["appName"], settings.get("merchantGroupIds", "")), (" Shop ", ids))
            page.reload()
            self.settled(page)
        self.button(page, "Save the settings").click()
        page.get_by_text("Nothing was changed.").first.wait_for()

    def test_the_acceptor_is_sent_as_a_whole_with_what_was_not_touched(self):
        name = self.merchant()["name"]
        path = f"/merchants/{name}/acquirers/bank"
        self.made(f"/merchants/{name}/acquirers", {"name": "bank", "connector": "simulator", "acceptor": {"name": " The shop ", "city": "Sydney"}})
        page = self.signed_in("operator", path=f"/portal/accounts/acquirers/{name}/bank")
        acceptor = page.locator("section", has=page.get_by_role("heading", name="Card acceptor"))
        for label, value, expected in (("postalCode", "2000", {"name": " The shop ", "city": "Sydney", "postalCode": "2000"}),
                                       ("city", "", {"name": " The shop ", "postalCode": "2000"})):
            acceptor.get_by_role("textbox", name=label).fill(value)
            self.button(page, "Save the acceptor").click()
            page.get_by_text("The settings are saved.").first.wait_for()
            self.settled(page)
            self.assertEqual(self.portal.get(path)["acceptor"], expected)
            page.reload()
            self.settled(page)

    def test_a_condition_that_is_offered_no_more_stays_with_its_route(self):
        name = self.merchant()["name"]
        self.made(f"/merchants/{name}/acquirers", {"name": "bank", "connector": "simulator"})
        self.made(f"/merchants/{name}/routes", {"data": [{"number": 1, "acquirer": "bank", "network": "visa", "currency": "USD"}]}, "PUT", {"If-Match": "*"})

        def without(route):
            answer = route.fetch()
            catalog = answer.json()
            catalog["networks"].remove("visa")
            catalog["currencies"] = [one for one in catalog["currencies"] if one["code"] != "USD"]
            route.fulfill(response=answer, body=json.dumps(catalog))

        page = self.signed_in("operator", path="/portal/")
        page.route("**/admin/v1/catalog", without)
        self.go(page, "/routes?merchant=" + name)
        page.get_by_role("button", name="Change: route 1").click()
        self.dialog(page).get_by_label("From amount").fill("5")
        self.dialog(page).get_by_role("button", name="Change the route").click()
        self.closed(page)
        self.button(page, "Save the routes…").click()
        self.confirm(page, "Save the routes")
        self.assertEqual(
            self.portal.get(f"/merchants/{name}/routes")["data"],
            [{"number": 1, "acquirer": "bank", "network": "visa", "currency": "USD", "from": "5.00"}])


if __name__ == "__main__":
    unittest.main()
