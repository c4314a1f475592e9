# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""Refused calls: each says what to do, found by code and request; approvals by a second person."""

import time

from portal import REFUSED, Portal, PortalTestCase


class RefusedTest(PortalTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.portal.refuse()
        cls.unknown = cls.portal.refuse(merchant="payone", code="key_unknown")
        cls.portal.commweb("order-x", 1, {"apiOperation": "RETRIEVE"}, password="wrong")
        until = time.monotonic() + 15
        while len(cls.portal.get("/refusals")["data"]) < 3 and time.monotonic() < until:
            time.sleep(0.1)

    def test_each_row_says_what_was_wrong_and_what_to_do(self):
        page = self.signed_in("developer", "/portal/refused")
        self.until(page, "document.querySelector('tbody tr')")
        row = page.locator("tbody tr", has_text="Another amount than the payment sheet").first
        self.assertIn("Send the amount that the payment sheet showed.", row.inner_text())
        self.looks(page, "refused")
        self.shows_no_secret(page)

    def test_one_refusal_is_whole_and_leads_to_its_like(self):
        page = self.signed_in("developer", "/portal/refused?code=amount_differs_from_token")
        self.until(page, "document.querySelector('tbody tr')")
        page.locator("tbody .row-link").first.click()
        page.get_by_role("heading", name="What was asked for").wait_for()
        text = page.locator("main").inner_text()
        for part in ("amount_differs_from_token", "Request", "What to do", "CommWeb"):
            self.assertIn(part, text)
        self.looks(page, "refusal")
        page.get_by_role("link", name="Others like it").click()
        self.until(page, "location.search.includes('amount_differs_from_token')")

    def test_request_id_finds_it(self):
        request = self.portal.get("/refusals")["data"][0]["requestId"]
        page = self.signed_in("developer")
        page.locator(".search input").fill(request)
        page.locator(".found .hit").first.wait_for()
        page.keyboard.press("Enter")
        self.until(page, "location.pathname.startsWith('/portal/refused/')")

    def test_a_row_has_its_keys_hash_which_finds_its_like(self):
        key = self.unknown["publicKeyHash"]
        page = self.signed_in("developer", "/portal/refused", viewport={"width": 1440, "height": 900})
        row = page.locator("tbody tr", has_text="key_unknown").first
        cell = row.locator(f"[title='{key}']")
        cell.wait_for()
        self.assertTrue(cell.is_visible())
        self.assertRegex(cell.inner_text(), rf"^{key[:4]}\w*…\w*{key[-4:]}$")
        row.get_by_role("button", name=f"Copy {key}").wait_for()
        self.fits(page)
        self.go(page, f"/refused?key={key}")
        self.until(page, "document.querySelectorAll('tbody tr').length === 1")

    def test_dialect_is_a_filter_that_stands_in_the_address(self):
        page = self.signed_in("developer", "/portal/refused")
        page.locator(".chip-add").select_option("dialect")
        with page.expect_request(lambda request: "/refusals?" in request.url and "dialect=payone" in request.url):
            page.locator(".chip.editing select").select_option("payone")
        page.get_by_text("No refused call fits").wait_for()
        self.assertIn("dialect=payone", page.url)
        self.go(page, "/refused?dialect=commweb")
        page.locator("tbody tr").first.wait_for()
        self.assertIn("CommWeb", page.locator(".chip").first.inner_text())

    def test_what_to_do_leads_only_where_one_may_go(self):
        for role, count in (("developer", 1), ("support", 0)):
            page = self.signed_in(role, "/portal/refused?code=key_unknown")
            page.locator(".advice").wait_for()
            self.assertEqual(page.get_by_role("link", name="Go to Apple Pay").count(), count, role)

    def test_codes_are_chosen_and_left_by_one_click(self):
        page = self.signed_in("developer", "/portal/refused")
        page.locator(".code-count").first.click()
        self.until(page, "location.search.includes('code=')")
        self.settled(page)
        self.assertEqual(page.locator(".code-count[aria-current]").count(), 1)
        self.axe(page)
        page.locator(".code-count[aria-current]").click()
        self.until(page, "location.search === ''")

    def test_nothing_that_fits_says_so(self):
        page = self.signed_in("developer", "/portal/refused?code=no_such_code")
        page.get_by_text("No refused call fits").wait_for()
        self.looks(page, "refused-none")

    def test_export_is_of_what_is_shown(self):
        page = self.signed_in(path="/portal/refused")
        with page.expect_download() as download:
            page.get_by_role("button", name="Export").click()
        self.assertRegex(download.value.suggested_filename, r"^pomona-sandbox-.*refusals.*\.csv$")


class ApprovalsTest(PortalTestCase):
    """With a sandbox of its own: a policy that stands needs a second person to be changed, whoever has set it."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.portal = Portal.of(cls)

    def policy(self, above):
        import json
        import urllib.request
        request = urllib.request.Request(
            f"{self.portal.url}/admin/v1/approval-policies/{self.portal.merchant}", headers={"Authorization": f"Bearer {self.portal.line['admin']['token']}"})
        with urllib.request.urlopen(request, timeout=20) as response:
            etag, policy = response.headers["ETag"], json.loads(response.read())
        return self.portal.call("PUT", f"/approval-policies/{self.portal.merchant}", {
            **{key: policy[key] for key in ("aboveOwnLimit", "liveCredentials", "routes")}, "refundsAbove": above}, headers={"If-Match": etag})

    def test_empty_inbox_says_what_will_be_here(self):
        page = self.signed_in("viewer", "/portal/approvals")
        self.looks(page, "approvals-none")

    def test_refund_above_the_limit_waits_and_a_second_person_decides(self):
        status, answer = self.policy({"USD": "50.00"})
        self.assertEqual(status, 200, answer)
        orders = [self.portal.pay("80.00"), self.portal.pay("81.00")]
        asking = None
        for order in orders:
            payment = self.portal.payment_of(order)
            if asking is None:
                asking = self.signed_in("operator", f"/portal/payments/{payment['id']}", person={"name": "asking"})
            else:
                self.go(asking, f"/payments/{payment['id']}")
            asking.locator(".payment-title").wait_for()
            asking.get_by_role("button", name="Refund…").click()
            asking.locator("dialog form button[type=submit]").click()
            asking.locator(".note-unknown", has_text="A second person has to approve this").wait_for()
            self.assertEqual(self.portal.payment_of(order)["refunded"], "0.00")
        self.axe(asking)
        self.screenshot(asking, "portal-payment-waits")
        self.go(asking, "/approvals")
        self.assertEqual(asking.get_by_role("button", name="Approve").count(), 0, "Nobody approves his own.")
        page = self.signed_in("owner", "/portal/approvals", expected=REFUSED)
        self.until(page, "document.querySelectorAll('.approval').length >= 2")
        self.looks(page, "approvals")
        page.locator(".approval", has_text="81.00").get_by_role("button", name="Approve").click()
        self.assertIn("It is done at once", page.locator("dialog").inner_text())
        self.looks(page, "dialog-approve")
        page.locator("dialog").get_by_role("button", name="Approve").click()
        self.until(page, "!document.querySelector('dialog')")
        self.wait_refunded(orders[1], "81.00")
        page.locator(".approval", has_text="80.00").get_by_role("button", name="Reject").click()
        page.locator("dialog").get_by_label("Why").fill("The lamp was not broken")
        self.looks(page, "dialog-reject")
        page.locator("dialog").get_by_role("button", name="Reject").click()
        self.until(page, "!document.querySelector('dialog')")
        self.go(page, "/approvals?state=all")
        page.get_by_text("The lamp was not broken").wait_for()
        self.assertEqual(self.portal.payment_of(orders[0])["refunded"], "0.00")
        self.policy({})

    def test_refund_that_waits_stands_at_its_payment(self):
        status, answer = self.policy({"USD": "50.00"})
        self.assertEqual(status, 200, answer)
        order = self.portal.pay("66.06")
        payment = self.portal.payment_of(order)["id"]
        page = self.signed_in("operator", f"/portal/payments/{payment}", person={"name": "asking"})
        for amount in ("60.00", "61.00"):
            page.get_by_role("button", name="Refund…").click()
            if amount == "61.00":
                self.assertIn("60.00\u00a0USD already wait for approval", page.locator("dialog").inner_text())
                self.axe(page)
            page.locator("dialog").get_by_label("Amount").fill(amount)
            page.locator("dialog form button[type=submit]").click()
            page.locator(".note-unknown", has_text=f"Refund of {amount}").wait_for()
        # So it is for everybody, and after the page was left.
        other = self.signed_in("viewer", f"/portal/payments/{payment}")
        note = other.locator(".note-unknown", has_text="A second person has to approve this")
        note.wait_for()
        for part in ("Refund of 60.00\u00a0USD, asked by asking", "Refund of 61.00\u00a0USD, asked by asking"):
            self.assertIn(part, note.inner_text())
        self.looks(other, "payment-two-wait")
        decider = self.signed_in("owner", "/portal/approvals")
        card = decider.locator(".approval", has_text="Refund 60.00")
        for part in (order, "66.06\u00a0USD captured", "0.00\u00a0USD refunded so far", "Another refund of this payment waits: 61.00\u00a0USD, asked by asking"):
            self.assertIn(part, card.inner_text())
        self.looks(decider, "approvals-two")
        for amount in ("60.00", "61.00"):
            page = self.signed_in("owner", "/portal/approvals")
            page.locator(".approval", has_text=f"Refund {amount}").get_by_role("button", name="Reject").click()
            page.locator("dialog").get_by_label("Why").fill("asked twice")
            page.locator("dialog").get_by_role("button", name="Reject").click()
            page.locator("dialog").wait_for(state="detached")
        self.assertEqual(self.portal.get(f"/payments/{payment}")["approvals"], [])

    def test_open_page_of_a_payment_shows_what_others_ask_for_and_decide(self):
        status, answer = self.policy({"USD": "50.00"})
        self.assertEqual(status, 200, answer)
        payment = self.portal.payment_of(self.portal.pay("72.00"))["id"]
        self.listen()
        page = self.signed_in("operator", f"/portal/payments/{payment}", person={"name": "watching"})
        with page.expect_response(lambda answer: "/admin/v1/stream" in answer.url):
            page.reload()
        page.locator(".payment-title").wait_for()
        page.evaluate("""import('/portal/core/state.js').then(({ on }) => {
            on('stream', ({ event, data }) => { if (event === 'approval') { globalThis.heard = data.payment; } }); })""")
        note = page.locator(".note-unknown", has_text="A second person has to approve this")
        # Under a dialog it waits until that has closed.
        page.get_by_role("button", name="Refund…").click()
        page.locator("dialog").get_by_label("Amount").fill("3")
        self.ask(payment, "71.00")
        self.until(page, "globalThis.heard")
        self.assertEqual(page.evaluate("globalThis.heard"), payment)
        self.assertEqual(page.locator("dialog").get_by_label("Amount").input_value(), "3", "What is typed stays.")
        self.assertEqual(note.count(), 0)
        page.keyboard.press("Escape")
        note.filter(has_text="Refund of 71.00").wait_for()
        decider = self.signed_in("owner", "/portal/approvals")
        decider.locator(".approval", has_text="Refund 71.00").get_by_role("button", name="Reject").click()
        decider.locator("dialog").get_by_label("Why").fill("one lamp is enough")
        decider.locator("dialog").get_by_role("button", name="Reject").click()
        note.wait_for(state="detached")
        # Without a dialog it comes at once, and goes with what is done.
        self.ask(payment, "70.00")
        note.filter(has_text="Refund of 70.00").wait_for()
        decider = self.signed_in("owner", "/portal/approvals")
        decider.locator(".approval", has_text="Refund 70.00").get_by_role("button", name="Approve").click()
        decider.locator("dialog").get_by_role("button", name="Approve").click()
        page.locator(".payment-title", has_text="refunded in part").wait_for()
        note.wait_for(state="detached")
        self.axe(page)
        self.assertEqual(self.portal.get(f"/payments/{payment}")["approvals"], [])

    def ask(self, payment, amount):
        """Somebody else asks for a refund that waits."""
        status, answer = self.portal.call("POST", f"/payments/{payment}/refund", {"amount": amount})
        self.assertEqual(status, 202, answer)

    def test_refund_that_the_bank_declines_is_said_so(self):
        """57.57 is the amount that the simulated bank declines."""
        status, answer = self.policy({"USD": "50.00"})
        self.assertEqual(status, 200, answer)
        order = self.portal.pay("90.00")
        asking = self.signed_in("operator", f"/portal/payments/{self.portal.payment_of(order)['id']}", person={"name": "asking"})
        asking.get_by_role("button", name="Refund…").click()
        asking.locator("dialog").get_by_label("Amount").fill("57.57")
        asking.locator("dialog form button[type=submit]").click()
        asking.locator(".note-unknown", has_text="A second person has to approve this").wait_for()
        page = self.signed_in("owner", "/portal/approvals")
        page.locator(".approval", has_text="57.57").get_by_role("button", name="Approve").click()
        page.locator("dialog").get_by_role("button", name="Approve").click()
        page.locator(".toast-refused", has_text="the bank did not do it: Bank declines without a reason").wait_for()
        self.assertEqual(page.locator(".toast", has_text="Approved and done").count(), 0)
        self.go(page, "/approvals?state=all")
        shown = page.locator(".approval", has_text="57.57")
        self.assertIn("not done by the bank", shown.inner_text())
        self.assertEqual(self.portal.payment_of(order)["refunded"], "0.00")
        self.looks(page, "approvals-declined")

    def wait_refunded(self, order, amount):
        until = time.monotonic() + 15
        while self.portal.payment_of(order)["refunded"] != amount:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.1)
