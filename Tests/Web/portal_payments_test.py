# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""Payments: found, shown whole, captured, voided, refunded; the clerk's road takes four actions."""

import functools

from portal import HOSTILE, REFUSED, Actions, PortalTestCase


class PaymentsTest(PortalTestCase):
    def at_payment(self, order, role="owner", **options):
        payment = self.portal.payment_of(order)
        page = self.signed_in(role, f"/portal/payments/{payment['id']}", **options)
        page.locator(".payment-title").wait_for()
        return page

    def test_clerk_refunds_a_part_in_four_actions(self):
        order = self.portal.pay("42.50")
        page = self.signed_in("support", person={"refundLimits": {"USD": "100.00"}, "name": "clerk"})
        actions = Actions(page)
        actions.press("/")
        actions.type_and_enter(order)
        page.locator(".payment-title").wait_for()
        actions.click(page.get_by_role("button", name="Refund…"))
        actions.fill(page.locator("dialog").get_by_label("Amount"), "12.50")
        self.assertIn("gets 12.50\u00a0USD back; 30.00\u00a0USD stay captured", page.locator("dialog .sentence").inner_text())
        self.axe(page)
        self.screenshot(page, "portal-refund")
        actions.click(page.locator("dialog").get_by_role("button", name="Refund 12.50"))
        page.locator(".payment-title", has_text="refunded in part").wait_for()
        self.assertLessEqual(actions.count, 4)
        payment = self.portal.payment_of(order)
        self.assertEqual((payment["refunded"], payment["captured"]), ("12.50", "42.50"))

    def test_same_refund_by_one_thumb(self):
        order = self.portal.pay("18.00")
        page = self.at_payment(order, "support", person={"refundLimits": {"USD": "100.00"}, "name": "clerk"}, viewport={"width": 390, "height": 844}, has_touch=True)
        place = page.get_by_role("button", name="Refund…").bounding_box()
        self.assertGreater(place["y"], 700, "It lies under the thumb.")
        self.assertGreaterEqual(place["height"], 44)
        page.get_by_role("button", name="Refund…").tap()
        page.locator("dialog").get_by_role("button", name="Refund 18.00").tap()
        page.locator(".payment-title", has_text="refunded").wait_for()

    def test_amount_that_is_too_much_is_said_beside_the_field(self):
        page = self.at_payment(self.portal.pay("10.00"))
        page.get_by_role("button", name="Refund…").click()
        for typed, said in (("10.01", "Up to 10.00"), ("0", "More than nothing"), ("x", "An amount, such as"), ("", "This is needed")):
            page.locator("dialog").get_by_label("Amount").fill(typed)
            page.locator("dialog form button[type=submit]").click()
            self.assertIn(said, page.locator("dialog .wrong .field-error").inner_text())
        self.axe(page)
        page.keyboard.press("Escape")
        page.locator("dialog").wait_for(state="detached")
        self.assertEqual(page.evaluate("document.activeElement.textContent"), "Refund…", "The focus comes back.")

    def captured_in_parts(self, amount, *parts):
        """The order of a payment with several captures."""
        order = self.portal.pay(amount, operation="AUTHORIZE")
        for number, part in enumerate(parts, 2):
            status, answer = self.portal.commweb(order, number, {"apiOperation": "CAPTURE", "transaction": {"amount": part, "currency": "USD"}})
            self.assertIn(status, (200, 201), answer)
        return order

    def test_all_of_several_captures_is_refunded_at_once(self):
        order = self.captured_in_parts("10.50", "6.00", "4.50")
        page = self.at_payment(order)
        page.get_by_role("button", name="Refund…").click()
        dialog = page.locator("dialog")
        self.assertEqual(dialog.get_by_label("Of which capture").input_value(), "", "The gateway chooses.")
        self.assertEqual(dialog.get_by_label("Amount").input_value(), "10.50")
        dialog.get_by_role("button", name="Refund 10.50").click()
        dialog.wait_for(state="detached")
        self.assertEqual(self.portal.payment_of(order)["refunded"], "10.50")

    def test_refund_of_one_capture_is_bound_by_what_is_left_of_it(self):
        order = self.captured_in_parts("10.50", "6.00", "4.50")
        page = self.at_payment(order)
        page.get_by_role("button", name="Refund…").click()
        dialog = page.locator("dialog")
        small = next(one["capture"] for one in self.portal.payment_of(order)["possible"]["refund"]["captures"] if one["left"] == "4.50")
        dialog.get_by_label("Of which capture").select_option(small)
        self.assertEqual(dialog.get_by_label("Amount").input_value(), "4.50")
        self.assertIn("all that is left of this capture", dialog.locator(".sentence").inner_text())
        dialog.get_by_label("Amount").fill("4.51")
        dialog.locator("form button[type=submit]").click()
        self.assertIn("Up to 4.50", dialog.locator(".wrong .field-error").inner_text())
        self.axe(page)
        dialog.get_by_label("Amount").fill("4.00")
        self.assertIn("0.50\u00a0USD of this capture", dialog.locator(".sentence").inner_text())
        # What was typed stays where it is possible.
        dialog.get_by_label("Of which capture").select_option("")
        self.assertEqual(dialog.get_by_label("Amount").input_value(), "4.00")
        self.assertIn("6.50\u00a0USD stay captured", dialog.locator(".sentence").inner_text())
        dialog.get_by_label("Of which capture").select_option(small)
        dialog.get_by_role("button", name="Refund 4.00").click()
        dialog.wait_for(state="detached")
        refund = self.portal.payment_of(order)["operations"][-1]
        self.assertEqual((refund["kind"], refund["target"], refund["amount"]), ("refund", small, "4.00"))

    def test_authorization_is_captured_in_parts_and_voided(self):
        order = self.portal.pay("30.00", operation="AUTHORIZE")
        page = self.at_payment(order)
        page.get_by_role("button", name="Capture…").click()
        page.locator("dialog").get_by_label("Amount").fill("10")
        self.assertIn("20.00\u00a0USD can still be captured", page.locator("dialog .sentence").inner_text())
        page.locator("dialog").get_by_role("button", name="Capture 10.00").click()
        page.locator(".payment-title", has_text="captured in part").wait_for()
        other = self.at_payment(self.portal.pay("31.00", operation="AUTHORIZE"))
        other.get_by_role("button", name="Void…").click()
        self.assertIn("is not charged: 31.00\u00a0USD are free again", other.locator("dialog").inner_text())
        self.axe(other)
        other.locator("dialog").get_by_role("button", name="Void 31.00").click()
        other.locator(".payment-title", has_text="voided").wait_for()

    def test_payment_shows_all_that_happened(self):
        page = self.at_payment(self.portal.pay("44.00"))
        text = page.locator(".timeline").inner_text()
        self.assertIn("Token verified", text)
        self.assertIn("44.00", text)
        page.locator("summary", has_text="Journal").click()
        self.assertIn("merchant/", page.locator(".ledger").inner_text())
        page.locator("summary", has_text="checks").click()
        self.looks(page, "payment")
        self.shows_no_secret(page)

    def test_declined_payment_says_why_and_offers_nothing(self):
        page = self.at_payment(self.portal.pay("5757.00"))
        self.assertIn("declined", page.locator(".payment-title").inner_text())
        self.assertEqual(page.locator(".page-actions .button").count(), 0)
        self.looks(page, "payment-declined")

    def test_viewer_sees_and_cannot_act(self):
        page = self.at_payment(self.portal.pay("9.00"), "viewer")
        self.assertEqual(page.locator(".page-actions .button").count(), 0)

    def test_limit_of_the_clerk_is_said(self):
        order = self.portal.pay("90.00")
        page = self.at_payment(order, "support", person={"refundLimits": {"USD": "10.00"}, "name": "small-clerk"}, expected=REFUSED)
        page.get_by_role("button", name="Refund…").click()
        self.assertIn("up to 10.00\u00a0USD at once", page.locator("dialog").inner_text())
        page.locator("dialog").get_by_role("button", name="Refund 90.00").click()
        self.until(page, "document.querySelector('dialog [role=alert], .note-unknown, .toast')")
        self.assertEqual(self.portal.payment_of(order)["refunded"], "0.00")

    def test_page_under_a_dialog_is_renewed_when_that_closes(self):
        order = self.portal.pay("25.00")
        page = self.at_payment(order, expected=REFUSED)
        bound = page.locator("dialog").get_by_label("Amount")

        page.get_by_role("button", name="Refund…").click()
        bound.fill("3")
        page.evaluate("""import('/portal/core/state.js').then(({ on }) => {
            on('stream', ({ event }) => { if (event === 'payment') { globalThis.heard = true; } }); })""")
        payment = self.portal.payment_of(order)
        status, answer = self.portal.call("POST", f"/payments/{payment['id']}/refund", {"amount": "5.00"})
        self.assertEqual(status, 200, answer)
        self.until(page, "globalThis.heard")
        self.assertEqual(bound.input_value(), "3", "What is typed stays.")
        self.assertNotIn("refunded in part", page.locator(".payment-title").inner_text())
        page.keyboard.press("Escape")
        page.locator(".payment-title", has_text="refunded in part").wait_for()
        page.get_by_role("button", name="Refund…").click()
        self.assertEqual(bound.input_value(), "20.00")

    def test_act_that_is_refused_as_no_longer_possible_renews_the_page(self):
        order = self.portal.pay("26.00")
        page = self.at_payment(order, expected=REFUSED)
        # Nothing comes by the stream: the refusal alone says it.
        page.route("**/admin/v1/stream*", lambda route: route.fulfill(status=404))
        page.reload()
        page.locator(".payment-title").wait_for()
        payment = self.portal.payment_of(order)
        bound = page.locator("dialog").get_by_label("Amount")
        page.get_by_role("button", name="Refund…").click()
        bound.fill("22")
        status, answer = self.portal.call("POST", f"/payments/{payment['id']}/refund", {"amount": "6.00"})
        self.assertEqual(status, 200, answer)
        page.locator("dialog form button[type=submit]").click()
        page.locator("dialog").get_by_role("alert").wait_for()
        self.assertEqual(bound.input_value(), "22", "The dialog says why, and stays.")
        page.keyboard.press("Escape")
        page.locator(".payment-title", has_text="refunded in part").wait_for()
        page.get_by_role("button", name="Refund…").click()
        self.assertEqual(bound.input_value(), "20.00")

    def test_refund_whose_end_nobody_knows_has_that_sign_and_not_that_of_done(self):
        for state, tone in (("unknown", "unknown"), ("accepted", "unknown"), ("pending", "unknown"), ("succeeded", "done")):
            with self.subTest(state):
                page = self.at_payment(self.portal.pay("27.00"))

                def ended(route, ending):
                    answer = route.fetch()
                    body = answer.json()
                    body["operation"]["state"] = ending
                    route.fulfill(response=answer, json=body)

                page.route("**/admin/v1/payments/*/refund", functools.partial(lambda ending, route: ended(route, ending), state))
                page.get_by_role("button", name="Refund…").click()
                page.locator("dialog form button[type=submit]").click()
                toast = page.locator(".toast")
                toast.wait_for()
                self.assertIn(f"toast-{tone}", toast.get_attribute("class"))
                self.assertEqual(toast.locator(".shape.tone-unknown").count(), 1 if tone == "unknown" else 0)
                self.axe(page)

    def test_print_says_whose_money_it_is_and_whether_it_is_real(self):
        page = self.at_payment(self.portal.pay("28.00"))
        page.emulate_media(media="print")
        shown = page.locator(".mode-tag:visible").all_inner_texts()
        self.assertEqual(shown, ["sandbox"])
        self.assertFalse(page.get_by_role("button", name="Refund…").is_visible())
        self.screenshot(page, "portal-print")
        page.emulate_media(media="screen")

    def test_refund_pressed_twice_is_one_refund(self):
        order = self.portal.pay("16.00")
        page = self.at_payment(order, expected=REFUSED)
        page.get_by_role("button", name="Refund…").click()
        page.locator("dialog").get_by_label("Amount").fill("4")
        page.locator("dialog form button[type=submit]").evaluate("(button) => { button.click(); button.click(); button.form?.requestSubmit(); }")
        page.locator(".payment-title", has_text="refunded in part").wait_for()
        self.assertEqual(self.portal.payment_of(order)["refunded"], "4.00")

    def test_unknown_outcome_is_said_and_can_be_decided(self):
        order = self.portal.pay("17.00")
        page = self.at_payment(order, expected=REFUSED)

        def unsure(route):
            answer = route.fetch()
            payment = answer.json()
            payment["operations"][0].update(state="unknown", unknownReason="timedOut", queries=2)
            payment["state"] = "authorizationUnknown"
            route.fulfill(response=answer, json=payment)

        page.route("**/admin/v1/payments/pay_*", unsure)
        page.reload()
        page.locator(".note-unknown").wait_for()
        self.assertIn("the bank has not said how it ended", page.locator(".note-unknown").inner_text())
        self.looks(page, "payment-unknown")
        page.get_by_role("button", name="Decide how it ended…").click()
        self.looks(page, "dialog-decide")
        page.locator("dialog form button[type=submit]").click()
        self.assertGreaterEqual(page.locator("dialog .wrong").count(), 1)

    def test_what_the_bank_was_asked_stands_in_the_time_line(self):
        order = self.portal.pay("18.00")
        page = self.at_payment(order)

        def queried(route):
            answer = route.fetch()
            payment = answer.json()
            operation = payment["operations"][0]
            operation["queries"] = 3
            for state in ("waiting", "answered"):
                payment["timeline"].append({
                    "type": "query", "id": operation["id"], "kind": "recover", "state": state, "at": operation["begunAt"], "endedAt": None,
                    "milliseconds": None, "amount": None, "facts": {"attempts": "3"}})
            route.fulfill(response=answer, json=payment)

        page.route("**/admin/v1/payments/pay_*", queried)
        page.reload()
        steps = page.locator(".timeline .step", has_text="asked the bank 3 times")
        steps.filter(has_text="Bank has answered").wait_for()
        self.assertIn("step-done", steps.filter(has_text="Bank has answered").get_attribute("class"))
        self.assertIn("step-unknown", steps.filter(has_text="Bank is asked again").get_attribute("class"))

    def test_filters_stand_in_the_address_and_go_away(self):
        order = self.portal.pay("14.00")
        page = self.signed_in(path="/portal/payments")
        page.get_by_label("Add a filter").select_option("order")
        page.locator(".chip.editing input").fill(order)
        page.keyboard.press("Enter")
        self.until(page, f"location.search.includes('order={order}')")
        self.until(page, "document.querySelectorAll('tbody tr').length === 1")
        self.looks(page, "payments-filtered")
        link = page.url
        other = self.signed_in(path=link.removeprefix(self.portal.url))
        self.until(other, "document.querySelectorAll('tbody tr').length === 1")
        page.get_by_role("button", name="Remove the filter Order").click()
        self.until(page, "location.search === '' && document.querySelectorAll('tbody tr').length > 1")
        page.get_by_label("Add a filter").select_option("last4")
        page.locator(".chip.editing input").fill("12")
        page.keyboard.press("Enter")
        self.assertEqual(page.locator(".chip.editing input").get_attribute("aria-invalid"), "true")
        page.keyboard.press("Escape")
        self.until(page, "!document.querySelector('.chip.editing')")

    def test_payments_of_one_acquirer(self):
        self.portal.pay("14.50")
        account = self.portal.get(f"/merchants/{self.portal.merchant}/acquirers")["data"][0]
        page = self.signed_in(path="/portal/payments")
        # Of all merchants by the kind, of one by its accounts.
        for merchant, name, value in ((None, "connector", account["connector"]), (self.portal.merchant, "acquirer", account["name"])):
            with self.subTest(name):
                if merchant:
                    page.get_by_label("Merchant", exact=True).select_option(merchant)
                    self.settled(page)
                page.get_by_label("Add a filter").select_option(name)
                with page.expect_response(lambda answer: "/payments?" in answer.url and f"{name}={value}" in answer.url) as answered:
                    page.locator(".chip.editing select").select_option(value)
                self.assertEqual(answered.value.status, 200)
                self.until(page, f"location.search === '?{name}={value}' && document.querySelector('tbody tr')")
                self.settled(page)
                page.locator(".chip-close").click()
                self.until(page, "location.search === ''")
                self.settled(page)
        # An account is among those of its merchant: with another one it goes.
        self.go(page, f"/payments?acquirer={account['name']}")
        page.get_by_label("Merchant", exact=True).select_option("")
        self.until(page, "location.search === ''")
        self.settled(page)
        page.get_by_label("Add a filter").select_option("currency")
        page.locator(".chip.editing input").fill("USD")
        page.keyboard.press("Enter")
        page.get_by_label("Add a filter").get_by_text("At most").wait_for(state="attached")

    def test_hidden_tab_listens_to_nothing_and_catches_up(self):
        """Browsers open six connections to a server: six tabs that each keep one would leave none for anything else."""
        page = self.signed_in(path="/portal/payments")
        show = """(hidden) => {
            Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }"""
        with page.expect_event("requestfailed", lambda request: "/stream" in request.url):
            page.evaluate(show, True)
        self.portal.pay("47.11")
        with page.expect_request(lambda request: "/stream" in request.url):
            page.evaluate(show, False)
        page.locator("main tbody").get_by_text("47.11").first.wait_for()
        self.assertEqual(page.locator(".news").count(), 0)

    def test_list_shows_and_does_not_move_when_a_payment_comes(self):
        self.portal.pay("15.00")
        self.listen()
        page = self.signed_in(path="/portal/payments")
        with page.expect_response(lambda answer: "/admin/v1/stream" in answer.url):
            page.reload()
        self.until(page, "document.querySelector('tbody tr')")
        first = page.locator("tbody .row-link").first.get_attribute("href")
        self.portal.pay("15.50")
        page.locator(".news").wait_for()
        self.assertEqual(page.locator("tbody .row-link").first.get_attribute("href"), first, "Nothing moves under the pointer.")
        self.assertIn("1 new", page.locator(".news").inner_text())
        self.axe(page)
        page.locator(".news").click()
        self.until(page, f"document.querySelector('tbody .row-link').getAttribute('href') !== '{first}'")
        self.looks(page, "payments")
        self.shows_no_secret(page)

    def test_dense_rows_are_kept(self):
        page = self.signed_in(path="/portal/payments")
        self.until(page, "document.querySelector('tbody tr')")
        high = page.locator("tbody tr").first.bounding_box()["height"]
        page.get_by_role("button", name="Dense").click()
        low = page.locator("tbody tr").first.bounding_box()["height"]
        self.assertEqual((round(high), round(low)), (36, 28))
        page.reload()
        self.until(page, "document.querySelector('tbody tr')")
        self.assertEqual(round(page.locator("tbody tr").first.bounding_box()["height"]), 28)

    def test_export_is_named_by_its_mode(self):
        page = self.signed_in(path="/portal/payments")
        with page.expect_download() as download:
            page.get_by_role("button", name="Export").click()
        self.assertRegex(download.value.suggested_filename, r"^pomona-sandbox-.*payments.*\.csv$")

    def test_hostile_names_stay_text(self):
        order = self.portal.pay("19.00")
        page = self.signed_in(expected=REFUSED)

        def spoiled(route):
            answer = route.fetch()
            self.assertNotEqual(answer.status, 500)
            route.fulfill(response=answer, json=spoil(answer.json()))

        payment = self.portal.payment_of(order)
        page.route("**/admin/v1/payments*", spoiled)
        page.route("**/admin/v1/payments/*", spoiled)
        page.route("**/admin/v1/merchants*", spoiled)
        page.reload()
        for path in ("/payments", f"/payments/{payment['id']}"):
            self.go(page, path)
            self.until(page, "document.querySelector('main').textContent.includes('onerror')")
            for summary in page.locator("main summary").all():
                summary.click()
            self.assertEqual(page.locator("main img, main script, .side img[src=x]").count(), 0)
            self.fits(page)
            self.screenshot(page, f"portal-hostile{path.count('/')}")
        self.assertNotIn("owned", page.title())


KEPT = {
    "id", "state", "kind", "type", "at", "begunAt", "resolvedAt", "createdAt", "bookedAt", "endedAt", "amount", "currency", "authorized", "captured", "refunded", "chargedBack",
    "approvedAmount", "upTo", "total", "left", "refused", "next", "mode", "timeZone", "signedAt", "verifiedAt", "keyNotAfter", "layer", "side", "name", "network",
}


def spoil(value, name=None):
    """Hostile text in the place of every text that somebody may have written."""
    if isinstance(value, dict):
        return {key: part if key in KEPT and not isinstance(part, dict | list) else spoil(part, key) for key, part in value.items()}
    if isinstance(value, list):
        return [spoil(part, name) for part in value]
    return HOSTILE if isinstance(value, str) else value
