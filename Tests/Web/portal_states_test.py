# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""The states that every page has beside what it shows: on its way, failed, not for this role; a press that is answered at once
however long the bank takes; and the end of a session, whatever is on its way then.
"""

import json
import re
import secrets
import time
import unittest

from harness import STEP_MILLIS
from portal import PASSWORD, REFUSED
from portal_operator import OperatorTestCase, WebKitCase
from portal_roles_test import pages

# What the frame asks for by itself, and again in the background; everything else is a page's own.
FRAME = re.compile(r"/admin/v1/(session|sign-in|stream|merchants)(\?|$)")
NAVIGATE = "(path) => import('/portal/core/router.js').then(({ navigate }) => { navigate(path); })"
PROBLEM = {"title": "Internal Server Error", "status": 500, "code": "internal_error", "detail": "Something failed here.", "requestId": "req_of_the_test"}
ENDED = "Your session has ended"


def is_of_page(request):
    return not FRAME.search(request.url) and "pomona-background" not in request.headers


class Held:
    """Answers that wait until the test lets them go: of a page, or of what `wanted` says."""

    def __init__(self, page, pattern="**/admin/v1/**", wanted=is_of_page):
        self.page = page
        self.pattern = pattern
        self.wanted = wanted
        self.routes = []
        page.route(pattern, self.hold)

    def hold(self, route):
        if self.wanted(route.request):
            self.routes.append(route)
        else:
            route.fallback()

    def wait(self):
        """Until one has come."""
        until = time.monotonic() + STEP_MILLIS / 1000
        while not self.routes:
            if time.monotonic() > until:
                raise AssertionError(f"{self.page.url} asked for nothing of {self.pattern} that is held, within {STEP_MILLIS // 1000} s.")
            self.page.evaluate("new Promise(requestAnimationFrame)")

    def let_go(self):
        self.page.unroute(self.pattern, self.hold)
        routes, self.routes = self.routes, []
        for route in routes:
            route.fallback()


def named(state, path):
    return state + re.sub(r"[^a-z]+", "-", re.sub(r"/([a-z]{3})_\w+|/[0-9a-f]{64}", r"/\1-one", path.split("?")[0]))


class StatesTest(OperatorTestCase):
    def test_every_page_on_its_way_in_every_look(self):
        self.portal.pay("7.00")
        page = self.signed_in(path="/portal/account", expected=REFUSED)
        for path, _ in pages(self.portal):
            with self.subTest(path):
                self.go(page, "/no/such/page")
                # All merchants are the frame's question as well as their own page's.
                held = Held(page, wanted=lambda request: is_of_page(request) or path == "/merchants")
                page.evaluate(NAVIGATE, path)
                held.wait()
                if path not in ("/merchants", f"/merchants/{self.portal.merchant}"):
                    page.locator("main .loading").first.wait_for()
                self.looks(page, named("loading", path))
                held.let_go()
                self.settled(page)

    def test_every_page_that_failed_in_every_look(self):
        self.portal.pay("7.00")
        page = self.signed_in(path="/portal/account", expected=[r"status of 500"])
        shown = None

        def fail(route):
            # All merchants are the frame's question as well as their own page's.
            if is_of_page(route.request) or shown == "/merchants":
                route.fulfill(status=500, headers={"Content-Type": "application/problem+json", "X-Request-Id": PROBLEM["requestId"]}, body=json.dumps(PROBLEM))
            else:
                route.fallback()

        page.route("**/admin/v1/**", fail)
        for path, _ in pages(self.portal):
            with self.subTest(path):
                shown = path
                page.evaluate(NAVIGATE, path)
                alert = page.locator("main .problem", has_text=PROBLEM["requestId"]).first
                alert.wait_for()
                self.until(page, "!document.querySelector('main[aria-busy=true]')")
                self.assertIn(PROBLEM["code"], alert.inner_text())
                self.looks(page, named("failed", path))

    def test_page_that_is_not_for_the_role_in_every_look(self):
        page = self.signed_in("support", "/portal/audit")
        self.looks(page, "not-for-your-role")

    def test_lists_of_nothing_in_every_look(self):
        merchant = self.merchant()
        page = self.signed_in(path=f"/portal/reports?merchant={merchant['name']}")
        for path, text in (("/payments", "No payment"), ("/payments?order=nothing-is-called-this", "No payment fits"), ("/audit?subject=nothing-is-called-this", ""),
                           ("/reports", "No closed day yet"), ("/reports/transactions", "No transaction yet"), ("/reports/balances", "The ledger is empty"),
                           ("/reports/fees", "No fee yet"), ("/reports/settlements", "No settlement file yet"), ("/webhooks/endpoints", "No account yet")):
            with self.subTest(path):
                self.go(page, path)
                page.locator("main").get_by_text(text).first.wait_for()
                self.assertGreaterEqual(page.locator("main .empty").count(), 1)
                self.looks(page, named("empty", path))

    def test_every_dialog_of_a_payment_in_every_look(self):
        held, taken = (self.portal.payment_of(self.portal.pay(amount, operation=act)) for amount, act in (("31.00", "AUTHORIZE"), ("32.00", "PAY")))
        page = self.signed_in()
        for payment, act in ((held, "Capture"), (held, "Void"), (taken, "Refund")):
            with self.subTest(act):
                self.go(page, f"/payments/{payment['id']}")
                page.get_by_role("button", name=re.compile(f"^{act}")).first.click()
                page.locator("dialog[open]").wait_for()
                self.looks(page, "dialog-" + act.lower())
                page.keyboard.press("Escape")
                self.closed(page)

    def test_what_opens_above_a_page_in_every_look(self):
        self.portal.pay("33.00", order := f"order-{secrets.token_hex(4)}")
        page = self.signed_in(path="/portal/account")
        page.keyboard.press("?")
        page.locator("dialog[open]").wait_for()
        self.looks(page, "keys")
        page.keyboard.press("Escape")
        self.closed(page)
        page.locator(".person summary").click()
        self.looks(page, "person-menu")
        page.locator(".person summary").click()
        page.locator(".search input").fill(order)
        page.locator(".found .hit").first.wait_for()
        self.looks(page, "search")


class SessionEndTest(OperatorTestCase):
    def person(self):
        return {"name": "ending-" + secrets.token_hex(3)}

    def end(self, page):
        """The session ends on the server, and the page has learnt of it."""
        answer = page.request.delete(self.portal.url + "/admin/v1/session", headers={"Pomona-Portal": "1"})
        self.assertEqual(answer.status, 200)
        page.evaluate("import('/portal/core/api.js').then(({ get }) => get('/me')).catch(() => {})")
        page.get_by_text(ENDED).wait_for()

    def test_end_of_a_session_in_every_look(self):
        page = self.signed_in("viewer", expected=REFUSED, person=self.person())
        self.end(page)
        self.looks(page, "session-ended")

    def test_open_form_gives_way_to_the_sign_in_and_has_what_was_typed_afterwards(self):
        payment = self.portal.payment_of(self.portal.pay("36.00"))
        person = self.person()
        page = self.signed_in("operator", path=f"/portal/payments/{payment['id']}", expected=REFUSED, person=person)
        page.locator(".payment-title").wait_for()

        def opened():
            self.button(page, "Refund…").click()
            return self.dialog(page).get_by_label("Amount"), self.dialog(page).get_by_label("Reason")

        amount, reason = opened()
        amount.fill("7")
        reason.fill("the cup was broken")
        self.end(page)
        self.assertEqual(page.locator("dialog").count(), 0)
        # It can be reached: nothing lies above it.
        self.sign_in(page, "operator", **person)
        page.locator(".payment-title").wait_for()
        amount, reason = opened()
        self.assertEqual((amount.input_value(), reason.input_value()), ("7", "the cup was broken"))
        self.assertIn("before your session ended", self.dialog(page).inner_text())
        self.assertTrue(self.dialog(page).get_by_role("button", name="Refund 7.00").is_visible(), "The sentence and the button are of it.")
        self.looks(page, "dialog-typed-before")
        # Once; and somebody else finds nothing.
        page.keyboard.press("Escape")
        self.closed(page)
        amount, _ = opened()
        self.assertEqual(amount.input_value(), "36.00")
        amount.fill("8")
        self.end(page)
        self.sign_in(page, "operator", **self.person())
        page.locator(".payment-title").wait_for()
        amount, _ = opened()
        self.assertEqual(amount.input_value(), "36.00")

    def test_what_is_shown_once_goes_with_the_session(self):
        page = self.signed_in("viewer", expected=REFUSED, person=self.person())
        page.evaluate("""import('/portal/widgets/dialog.js').then(({ secretOnce }) => {
            secretOnce({ title: 'New token', secrets: [['token', 'pom_the-secret-itself']] }).then(() => { document.title = 'kept'; });
        })""")
        self.dialog(page).get_by_text("pom_the-secret-itself").wait_for()
        page.keyboard.press("Escape")
        self.assertTrue(self.dialog(page).is_visible(), "It is not closed by accident.")
        self.end(page)
        self.assertEqual(page.locator("dialog").count(), 0)
        self.assertNotIn("pom_the-secret-itself", page.content())
        self.assertNotEqual(page.title(), "kept", "Nobody has said so.")

    def test_sign_out_in_one_tab_shows_in_the_others(self):
        page = self.signed_in("viewer", path="/portal/payments", expected=REFUSED, person=self.person())
        # The stream, which asks twice a minute, says nothing here.
        page.route("**/admin/v1/stream*", lambda route: route.fulfill(status=404))
        page.reload()
        self.settled(page)
        other = page.context.new_page()
        other.goto(self.portal.url + "/portal/")
        self.settled(other)
        other.locator(".person summary").click()
        other.get_by_role("button", name="Sign out").click()
        other.get_by_role("button", name="Sign in", exact=True).wait_for()
        # Without a click here.
        page.get_by_text(ENDED).wait_for()
        self.assertEqual(page.locator("nav.menu").count(), 0)

    def test_answer_that_comes_after_the_end_shows_nothing(self):
        payment = self.portal.payment_of(self.portal.pay("34.00"))
        # Its own answer, that it is refused, and its file: whatever of a page may be on its way.
        for what, pattern, answer in (
            ("its answer", f"**/admin/v1/payments/{payment['id']}", {"status": 200, "json": payment}),
            ("its refusal", f"**/admin/v1/payments/{payment['id']}", {"status": 401, "json": {"status": 401, "code": "not_signed_in"}}),
            ("its file", "**/portal/pages/payment.js", None),
        ):
            with self.subTest(what):
                person = self.person()
                page = self.signed_in("viewer", expected=REFUSED, person=person)
                held = Held(page, pattern, wanted=lambda _: True)
                page.evaluate(NAVIGATE, f"/payments/{payment['id']}")
                held.wait()
                self.end(page)
                with page.expect_response(pattern):
                    if answer:
                        held.routes.pop().fulfill(**answer)
                    held.let_go()
                # What was on its way has come, and all that follows from it.
                page.evaluate("new Promise((done) => { setTimeout(done); })")
                self.assertEqual(page.locator("h1").all_inner_texts(), ["Sign in"])
                self.assertEqual(page.locator("nav.menu, .payment-title").count(), 0)
                self.assertNotIn("34.00", page.locator("body").inner_text())
                self.assertTrue(page.get_by_text(ENDED).is_visible())
                # Whoever signs in again stands where he wanted to go.
                self.sign_in(page, "viewer", **person)
                page.locator(".payment-title", has_text="34.00").wait_for()

    def test_answer_to_who_was_signed_out_is_not_shown_to_who_comes_next(self):
        payment = self.portal.payment_of(self.portal.pay("35.00"))
        page = self.signed_in("owner", expected=REFUSED, person={"name": "first-" + secrets.token_hex(3), "displayName": "The first"})
        held = Held(page, f"**/admin/v1/payments/{payment['id']}", wanted=lambda _: True)
        page.evaluate(NAVIGATE, f"/payments/{payment['id']}")
        held.wait()
        self.end(page)
        page.evaluate("history.replaceState({}, '', '/portal/account')")
        self.sign_in(page, "viewer", **self.person())
        self.settled(page)
        held.let_go()
        page.evaluate("new Promise((done) => { setTimeout(done); })")
        self.assertEqual(page.locator("main h1").inner_text(), "Your account")
        self.assertNotIn("35.00", page.locator("main").inner_text())


if __name__ == "__main__":
    unittest.main()
