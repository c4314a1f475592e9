# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""Webhooks in the portal: what was sent, what was answered, sent again; secrets that are rotated with both signing for a day."""

import base64
import hashlib
import json
import unittest

import servers
from portal_operator import HOSTILE, REFUSED, OperatorTestCase, WebKitCase


class Shop:
    """A merchant's server, which answers as the test says."""

    def __init__(self):
        shop = self
        self.status = 503
        self.ids = []

        class Handler(servers.Handler):
            def do_POST(self):
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                shop.ids.append(self.headers.get("Pomona-Event-Id"))
                self.send_response(shop.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

        self.server = servers.Server(Handler)
        self.stop = self.server.stop
        self.url = f"http://127.0.0.1:{self.server.server_port}/events"


class WebhooksTest(OperatorTestCase):
    def event(self, shop, reference=None):
        """The event of a payment whose order names that server."""
        order = self.portal.pay("7.00", notificationUrl=shop.url, **({"reference": reference} if reference else {}))
        payment = self.portal.payment_of(order)
        return self.portal.get("/events?payment=" + payment["id"])["data"][0]

    def test_a_developer_finds_why_a_webhook_failed_and_sends_it_again(self):
        shop = Shop()
        self.addCleanup(shop.stop)
        event = self.event(shop, HOSTILE[:40].replace("\u202e", ""))
        self.wait_until(lambda: shop.ids)
        page = self.signed_in("operator", path="/portal/webhooks?merchant=" + self.portal.merchant, expected=REFUSED)
        self.looks(page, "webhooks")
        self.go(page, "/webhooks/" + event["id"])
        page.get_by_text("answered 503").first.wait_for()
        page.get_by_text("Next attempt").first.wait_for()
        self.stays_text(page)
        self.looks(page, "webhook")
        account = self.portal.line["merchants"]["commweb"]
        for name in ("password", "notificationSecret", "webhookSecret"):
            self.assertNotIn(account[name], page.content())
        self.message_is_shown(page, account, event)
        shop.status = 200
        self.button(page, "Send it again").click()
        self.assertIn("with all tries of its schedule", self.confirm(page, "Send it again"))
        self.wait_until(lambda: self.portal.get("/events/" + event["id"])["state"] == "delivered")
        page.reload()
        self.settled(page)
        page.get_by_text("delivered").first.wait_for()

    def test_all_that_were_given_up_go_out_again_in_one_act(self):
        path = f"/portal/webhooks?state=dead&merchant={self.portal.merchant}"
        page = self.signed_in("viewer", path=path)
        self.assertEqual(page.get_by_role("button", name="Send all again").count(), 0, "A viewer looks.")
        page = self.signed_in("operator", path="/portal/webhooks?merchant=" + self.portal.merchant)
        self.assertEqual(page.get_by_role("button", name="Send all again").count(), 0, "Only what was given up.")
        self.go(page, path.removeprefix("/portal"))
        page.get_by_role("button", name="Send all again").click()
        with page.expect_response(lambda response: response.url.endswith(f"/merchants/{self.portal.merchant}/events/resend")) as answer:
            self.confirm(page, "Send all again")
        self.assertEqual(answer.value.json()["leavesSome"], False)
        page.locator(".toast", has_text="on their way").wait_for()

    def test_the_payments_page_has_what_went_to_and_fro(self):
        shop = Shop()
        self.addCleanup(shop.stop)
        shop.status = 200
        event = self.event(shop, HOSTILE[:40].replace("\u202e", ""))
        self.wait_until(lambda: self.portal.get("/events/" + event["id"])["state"] == "delivered")
        operation = self.portal.get("/payments/" + event["payment"])["operations"][0]
        page = self.signed_in(path="/portal/payments/" + event["payment"])
        asked = []
        page.on("request", lambda request: asked.append(request.url) if "/message" in request.url else None)
        page.locator(".payment-title").wait_for()
        page.locator("summary", has_text="Exchange · 2 operations").click()
        exchange = page.locator("details", has=page.get_by_text("The bytes of the wire are not kept"))
        exchange.get_by_text(operation["responseCode"], exact=True).first.wait_for()
        self.assertEqual(exchange.locator(f"[title='{operation['acquirerReference']}']").first.inner_text(), operation["acquirerReference"])
        exchange.locator("summary", has_text="Message").first.click()
        shown = "\n".join(exchange.locator("pre").all_inner_texts())
        self.assertIn("POST http://127.0.0.1:", shown)
        self.assertIn("Pomona-Signature: …(hidden)", shown)
        self.assertIn('"expiry": "…(hidden)"', shown)
        self.assertTrue(asked, "What a webhook says is asked for when somebody looks.")
        self.stays_text(page)
        self.looks(page, "exchange")

    def message_is_shown(self, page, account, event):
        """What the event says, as text: nothing by which somebody could speak for the gateway, or pay with the card."""
        page.locator("summary", has_text="Message").click()
        headers, body = page.get_by_role("region", name="What it says").locator("pre").all_inner_texts()
        self.assertIn("POST http://127.0.0.1:", headers)
        self.assertNotIn("/events", headers)
        self.assertIn("Pomona-Event-Id: " + event["id"], headers)
        self.assertIn("Pomona-Signature: …(hidden)", headers)
        self.assertIn('"gatewayEntryPoint": "WEB_SERVICES_API"', body)
        self.stays_text(page)
        self.axe(page)
        shown = json.dumps(self.portal.get(f"/events/{event['id']}/message"), ensure_ascii=False) + page.content()
        for secret in filter(None, (account.get(name) for name in ("password", "notificationSecret", "webhookSecret"))):
            for form in (secret, base64.b64encode(secret.encode()).decode(), hashlib.md5(secret.encode()).hexdigest()):
                self.assertNotIn(form, shown)
        self.assertNotIn("v1=", shown)
        # Of the card the first six digits and the last four, and not when it ends.
        number = json.loads(body)["sourceOfFunds"]["provided"]["card"]["deviceSpecificNumber"]
        self.assertRegex(number, r"^\d{6}x{6}\d{4}$")
        self.assertNotRegex(shown, number.replace("x", r"\d"))
        self.assertEqual(json.loads(body)["sourceOfFunds"]["provided"]["card"]["expiry"], "…(hidden)")

    def test_a_new_secret_is_shown_once(self):
        merchant = self.merchant()
        self.made(f"/merchants/{merchant['name']}/accounts", {"dialect": "commweb"})
        page = self.signed_in("operator", path="/portal/webhooks/endpoints?merchant=" + merchant["name"])
        self.looks(page, "webhook-endpoints")
        page.get_by_role("button", name="New secret of").click()
        self.assertIn("for 24 hours", self.confirm(page, "Make a new secret"))
        self.assertEqual(len(self.shown_once(page)), 1)

    def test_an_empty_page_says_what_will_be_here(self):
        merchant = self.merchant()
        page = self.signed_in("operator", path="/portal/webhooks?merchant=" + merchant["name"])
        page.get_by_text("No event yet").wait_for()
        self.looks(page, "webhooks-empty")
        self.go(page, "/webhooks/endpoints")
        page.get_by_text("No account yet").wait_for()

    def test_filters_stand_in_the_address(self):
        page = self.signed_in("viewer", path=f"/portal/webhooks?state=dead&merchant={self.portal.merchant}")
        page.locator(".chip", has_text="given up").wait_for()
        self.assertEqual(self.button(page, "Send it again").count(), 0)


class WebhooksInWebKit(WebKitCase):
    def test_the_pages_come(self):
        self.comes([("/webhooks?merchant=" + self.portal.merchant, "Webhooks"), ("/webhooks/endpoints", "Webhooks")])


if __name__ == "__main__":
    unittest.main()
