# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""LIVE and sandbox are never confused: whatever merchant is chosen, the frame and every confirmation have the mode of what they are
of. And search, which goes over all merchants, leads to a page with every kind of thing that it finds."""

import base64
import datetime
import secrets
import time
import unittest

from portal import Portal
from portal_operator import OperatorTestCase

POST = "([path, body]) => import('/portal/core/api.js').then(({ post }) => post(path, body))"


def event_of(portal, amount):
    """The event of a new payment, whose order names a server. (Nobody listens there.)"""
    payment = portal.payment_of(portal.pay(amount, notificationUrl="http://127.0.0.1:9/events"))
    return portal.get("/events?payment=" + payment["id"])["data"][0]["id"]


class ModeTest(OperatorTestCase):
    """A sandbox of its own: elsewhere a live merchant would change what every page says."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.portal = Portal.of(cls)
        cls.name = "live-" + secrets.token_hex(3)
        status, made = cls.portal.call("POST", "/merchants", {
            "name": cls.name, "displayName": "The live shop", "mode": "live", "countryCode": "AU", "timeZone": "UTC"})
        assert status == 201, made
        status, made = cls.portal.call("POST", f"/merchants/{cls.name}/accounts", {"dialect": "commweb"})
        assert status == 201, made

    def choose(self, page, name):
        page.get_by_label("Merchant", exact=True).select_option(name)
        self.settled(page)

    def modes(self, page):
        """What the frame says, and the dialog that is open."""
        frame = page.locator(".frame").get_attribute("class").split()
        return next(mode for mode in ("live", "sandbox") if mode in frame), page.locator(".brand .mode-tag").inner_text(), page.locator("dialog .mode-tag").all_inner_texts()

    def become_live(self, page, pattern):
        """Has the server's answer be of the live merchant. (Its payments take Apple's tokens, of which there are none here.)"""
        def changed(route):
            answer = route.fetch()
            body = answer.json()
            body["merchant"] = self.name
            if "mode" in body:
                body["mode"] = "live"
            route.fulfill(response=answer, json=body)

        page.route(pattern, changed)

    def test_live_payment_stands_in_a_live_frame_and_so_does_its_refund(self):
        payment = self.portal.payment_of(self.portal.pay("24.00"))
        page = self.signed_in()
        self.become_live(page, f"**/admin/v1/payments/{payment['id']}")
        for chosen, then in ((self.portal.merchant, self.name), ("", "")):
            with self.subTest(chosen=chosen):
                self.go(page, "/payments")
                self.choose(page, chosen)
                self.assertEqual(self.modes(page)[0], "sandbox")
                self.go(page, f"/payments/{payment['id']}")
                page.locator(".payment-title").wait_for()
                self.assertEqual(self.modes(page), ("live", "LIVE", []))
                self.assertNotIn("sandbox", page.title())
                self.assertEqual(page.locator(".page-actions .mode-tag").inner_text(), "LIVE")
                # A chosen merchant becomes the payment's; where all are looked at, all stay so.
                self.assertEqual(page.get_by_label("Merchant", exact=True).input_value(), then)
                page.get_by_role("button", name="Refund…").click()
                self.assertEqual(self.modes(page)[2], ["LIVE"])
                self.axe(page)
                self.screenshot(page, "portal-live-refund")
                page.keyboard.press("Escape")
                self.closed(page)
                # Another page is of what is chosen again.
                self.go(page, "/payments")
                self.assertEqual(self.modes(page)[0], "live" if then else "sandbox")

    def test_choosing_another_merchant_leaves_the_payment(self):
        payment = self.portal.payment_of(self.portal.pay("25.00"))
        page = self.signed_in(path=f"/portal/payments/{payment['id']}")
        page.locator(".payment-title").wait_for()
        self.choose(page, self.portal.merchant)
        self.assertIn("/payments/pay_", page.url)
        self.choose(page, self.name)
        self.until(page, "location.pathname === '/portal/payments'")
        self.settled(page)
        self.assertEqual(self.modes(page)[:2], ("live", "LIVE"))

    def test_event_refusal_and_their_confirmations_have_their_own_mode(self):
        event = event_of(self.portal, "26.00")
        page = self.signed_in()
        self.become_live(page, f"**/admin/v1/events/{event}")
        self.choose(page, self.portal.merchant)
        self.go(page, f"/webhooks/{event}")
        self.button(page, "Send it again").wait_for()
        self.assertEqual(self.modes(page)[0], "live")
        self.button(page, "Send it again").click()
        self.assertEqual(self.modes(page)[2], ["LIVE"])

    def test_merchant_that_is_not_the_chosen_one(self):
        page = self.signed_in(path="/portal/payments")
        self.choose(page, self.portal.merchant)
        self.go(page, "/merchants/" + self.name)
        page.get_by_role("heading", name="The live shop").wait_for()
        self.button(page, "Suspend…").click()
        self.assertEqual(self.modes(page), ("live", "LIVE", ["LIVE"]))

    def test_approval_has_the_mode_of_its_merchant(self):
        self.need_a_second_person()
        asking = self.signed_in("operator", person={"name": "asking"})
        answer = asking.evaluate(POST, [f"/merchants/{self.name}/accounts", {"dialect": "payone"}])
        self.assertIn("approval", answer)
        page = self.signed_in(path="/portal/approvals")
        card = page.locator(".approval", has_text=f"Make an account of {self.name}")
        card.wait_for()
        self.assertEqual(card.locator(".mode-tag").inner_text(), "LIVE")
        self.assertEqual(self.modes(page)[0], "sandbox", "All merchants are looked at, in a sandbox.")
        for act in ("Reject", "Approve"):
            card.get_by_role("button", name=act).click()
            self.assertEqual(self.modes(page)[2], ["LIVE"], act)
            self.screenshot(page, f"portal-live-{act.lower()}")
            page.keyboard.press("Escape")
            self.closed(page)
        # The same in German: what the server has written is marked as English.
        page.evaluate("localStorage.setItem('pomona.portal.language', 'de')")
        page.reload()
        card = page.locator(".approval", has_text=f"Make an account of {self.name}")
        card.wait_for()
        self.assertEqual(card.locator(".approval-summary").get_attribute("lang"), "en")
        card.get_by_role("button", name="Freigeben").click()
        self.assertEqual(page.locator("dialog .sentence [lang=en]").count(), 1)

    def test_credential_that_is_a_setting_waits_for_a_second_person(self):
        self.need_a_second_person()
        path = f"/accounts/dialects/{self.name}/commweb"
        page = self.signed_in("operator", person={"name": "changing"}, path="/portal" + path)
        page.get_by_label("clientCertificateSHA256").fill("ab" * 32)
        self.button(page, "Save the settings").click()
        page.get_by_text("Nothing was done yet: a second person has to approve it.").first.wait_for()
        self.assertEqual(page.get_by_text("The settings are saved.").count(), 0)
        self.assertNotIn("clientCertificateSHA256", self.portal.get(f"/merchants/{self.name}/accounts/commweb")["settings"])

    def need_a_second_person(self):
        page = self.signed_in()
        page.evaluate(
            """(name) => import('/portal/core/api.js').then(async ({ read, put }) => {
                const { etag } = await read(`/approval-policies/${name}`);
                await put(`/approval-policies/${name}`, { refundsAbove: null, aboveOwnLimit: false, liveCredentials: true, routes: false }, etag);
            })""", self.name)

    def test_dialog_says_what_it_is_given(self):
        page = self.signed_in()
        for given, said in (("'live'", ["LIVE"]), ("'sandbox'", ["sandbox"]), ("null", []), ("undefined", ["sandbox"])):
            with self.subTest(mode=given):
                page.evaluate(f"import('/portal/widgets/dialog.js').then(({{ confirm }}) => {{ confirm({{ title: 'T', sentence: 'S', act: 'A', mode: {given} }}); }})")
                page.locator("dialog").wait_for()
                self.assertEqual(self.modes(page)[2], said)
                page.keyboard.press("Escape")
                self.closed(page)

    def test_what_search_finds_says_its_mode(self):
        page = self.signed_in()
        page.locator(".search input").fill(self.name)
        hit = page.locator(".found .hit", has_text="The live shop")
        hit.wait_for()
        self.assertEqual(hit.locator(".mode-tag").inner_text(), "LIVE")
        self.axe(page)
        self.screenshot(page, "portal-search-live")


class SearchTest(OperatorTestCase):
    """A hit of each kind opens a page that is there."""

    def hit(self, text, kind):
        found = [hit for hit in self.portal.get("/search?q=" + text)["data"] if hit["type"] == kind]
        self.assertTrue(found, (text, kind))
        return found[0]

    def things(self):
        """Of each kind a text that finds one."""
        own = self.portal.merchant
        event = event_of(self.portal, "27.00")
        payment = self.portal.get("/payments/" + self.portal.get("/events/" + event)["payment"])
        self.portal.refuse()
        day = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
        text = f"Day,What,Sum,Currency,RRN\n{day},SALE,27.00,USD,{payment['operations'][0]['acquirerReference']}\n"
        account = self.portal.get(f"/merchants/{own}/acquirers")["data"][0]["name"]
        file = self.made(f"/merchants/{own}/settlements", {
            "acquirer": account, "name": f"search-{secrets.token_hex(3)}.csv", "base64": base64.b64encode(text.encode()).decode(),
            "mapping": {"name": "bank", "columns": {"date": "Day", "amount": "Sum", "currency": "Currency", "reference": ["RRN"], "type": "What"}, "types": {"SALE": "payment"}}})
        return {
            "payment": payment["id"], "refusal": self.first("/refusals?limit=1"), "event": event,
            "settlementFile": file["file"]["id"], "merchant": own, "certificate": self.first(f"/merchants/{own}/certificates"),
        }

    def first(self, path):
        """The id of the first of a list, when it comes."""
        for _ in range(100):
            data = self.portal.get(path)["data"]
            if data:
                return data[0]["id"]
            time.sleep(0.1)
        self.fail(path)

    def test_every_kind_of_hit_opens(self):
        things = self.things()
        status, document = self.portal.call("GET", "/openapi.json")
        self.assertEqual(status, 200)
        kinds = set(document["components"]["schemas"]["SearchHit"]["properties"]["type"]["enum"])
        # An order is found as its payments.
        self.assertEqual(set(things), kinds - {"order"})
        page = self.signed_in()
        for kind, text in things.items():
            with self.subTest(kind=kind):
                self.go(page, "/account")
                page.locator(".search input").fill(text)
                title = self.hit(text, kind)["title"].split(" ")[0]
                page.locator(".found .hit", has_text=title).first.wait_for()
                word = {"settlementFile": "Settlement file", "event": "Webhook", "refusal": "Refused"}.get(kind, kind.capitalize())
                page.locator(".found .hit", has=page.get_by_text(word, exact=True)).first.click()
                self.until(page, "!location.pathname.endsWith('/account')")
                self.settled(page)
                self.until(page, "document.querySelector('main h1')?.textContent !== 'Your account'")
                self.settled(page)
                self.assertNotEqual(page.locator("main h1").first.inner_text(), "Not here")
                self.assertEqual(page.locator("main .problem").count(), 0)
                self.assertIn(text if kind != "certificate" else "/apple-pay/certificate/", page.url)


if __name__ == "__main__":
    unittest.main()
