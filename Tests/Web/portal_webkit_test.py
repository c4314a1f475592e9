# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""The portal in WebKit, the engine of Safari, as the other files look at it in Chromium: every page in every width and theme, the states
beside what a page shows, and each role's work from its beginning to its end. One tab goes through many pages: a fresh one takes seconds.
"""

import datetime
import json
import threading
import unittest

from portal_operator import WebKitCase, certified, token_for
from portal_roles_test import pages
from portal_states_test import ENDED, FRAME, PROBLEM, named


class LooksInWebKit(WebKitCase):
    def test_every_page_in_every_look(self):
        order = self.portal.pay("7.00")
        self.portal.refuse()
        payment = self.portal.payment_of(order)["id"]
        tab = self.signed_in_tab()
        for path, _ in pages(self.portal):
            with self.subTest(path):
                self.go(tab, path)
                self.looks(tab, named("", path))
        self.go(tab, f"/payments/{payment}")
        self.press(tab, "Refund…")
        tab.until("document.querySelector('dialog[open] form')")
        self.looks(tab, "dialog-refund")
        tab.press("Escape")
        self.closed(tab)
        self.check(tab)

    def test_states_in_every_look(self):
        self.portal.pay("7.00")
        tab = self.signed_in_tab()
        failed = (500, [("Content-Type", "application/problem+json"), ("X-Request-Id", PROBLEM["requestId"])], json.dumps(PROBLEM).encode())
        for path in ("/payments", "/people", "/reports/transactions"):
            with self.subTest(path):
                tab.watcher.instead = lambda method, asked, headers: None
                let_go = threading.Event()
                self.addCleanup(let_go.set)
                self.go(tab, "/account")
                tab.watcher.instead = lambda method, asked, headers, wait=let_go: self.of_page(asked, headers) and wait.wait() and None
                tab.run("const { navigate } = await import('/portal/core/router.js'); navigate(arguments[0]);", path)
                tab.until("document.querySelector('main .loading')")
                self.looks(tab, named("loading", path))
                let_go.set()
                tab.until("!document.querySelector('main .loading')")
                tab.watcher.instead = lambda method, asked, headers: failed if self.of_page(asked, headers) else None
                self.go(tab, path)
                tab.until(f"document.querySelector('main .problem')?.innerText.includes('{PROBLEM['requestId']}')")
                self.looks(tab, named("failed", path))
                tab.watcher.instead = lambda method, asked, headers: None
                self.press(tab, "Try again")
                tab.until("!document.querySelector('main .problem')")
        self.go(tab, "/payments?order=nothing-is-called-this")
        self.says(tab, "No payment fits")
        self.looks(tab, "empty-payments")
        self.check(tab)
        tab.run("await fetch('/admin/v1/session', { method: 'DELETE', headers: { 'Pomona-Portal': '1' } });"
                " await import('/portal/core/api.js').then(({ get }) => get('/me')).catch(() => {});")
        tab.until(f"document.body.innerText.includes({json.dumps(ENDED)})")
        self.looks(tab, "session-ended")

    @staticmethod
    def of_page(asked, headers):
        return asked.startswith("/admin/v1/") and not FRAME.search(asked) and "Pomona-Background" not in headers


class WorkInWebKit(WebKitCase):
    def test_the_operator_renews_a_certificate(self):
        merchant = self.portal.merchant
        way = f"/apple-pay/certificate/payment-processing?merchant={merchant}"
        identifier = next(one["merchantIdentifier"] for one in self.portal.get(f"/merchants/{merchant}/certificates")["data"] if one["purpose"] == "payment-processing")
        self.portal.pay("2.00")
        tab = self.signed_in_tab("operator")
        self.go(tab, way)
        self.press(tab, "Begin the renewal")
        self.press(tab, "Make the signing request")
        self.says(tab, "Download the signing request")
        self.press(tab, "See it as text")
        shown = "[...document.querySelectorAll('main pre')].find((one) => one.textContent.includes('CERTIFICATE REQUEST'))"
        tab.until(shown)
        request = tab.run(f"return {shown}.textContent;")
        certificate, path = certified(self.portal, request, identifier)
        self.fill(tab, "Or its text", certificate)
        self.press(tab, "Import the certificate")
        self.press(tab, "Use the new certificate")
        tab.until("document.querySelector('dialog[open] .sentence')?.textContent.includes('2 keys work')")
        self.press(tab, "Use the new certificate")
        self.says(tab, "None has come yet.")
        self.assertEqual(tab.run("return document.querySelector('.working-count strong').textContent"), "2")
        self.looks(tab, "apple-observe")
        self.check(tab)
        self.portal.pay("3.00", token=token_for(self.portal, path, "3.00"))
        tab.open(tab.origin + "/portal" + way)
        self.press(tab, "Retire the old key…")
        self.fill(tab, "To do it, type", identifier)
        self.press(tab, "Retire the old key")
        tab.until("document.querySelector('.working-count strong')?.textContent === '1'")
        self.check(tab)

    def test_the_accountant_explains_a_difference(self):
        reference = self.portal.payment_of(self.portal.pay("42.50"))["operations"][0]["acquirerReference"]
        day = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
        mapping = {"name": "bank", "columns": {"date": "Day", "amount": "Sum", "currency": "Currency", "reference": ["RRN"], "type": "What"}, "types": {"SALE": "payment"}}
        tab = self.signed_in_tab("operator")
        self.go(tab, f"/reports/settlements?merchant={self.portal.merchant}")
        self.press(tab, "Import a file")
        tab.until("document.querySelector('dialog[open] input[type=file]')")
        tab.run("""const input = document.querySelector('dialog[open] input[type=file]');
            const files = new DataTransfer();
            files.items.add(new File([arguments[0]], 'november.csv', { type: 'text/csv' }));
            input.files = files.files;
            input.dispatchEvent(new Event('change', { bubbles: true }));""", f"Day,What,Sum,Currency,RRN\n{day},SALE,41.50,USD,{reference}\n")
        self.fill(tab, "Mapping", "own")
        self.fill(tab, "Mapping as JSON", json.dumps(mapping))
        self.looks(tab, "dialog-import")
        self.press(tab, "Import the file")
        self.closed(tab)
        tab.until("document.querySelector('main h1').textContent === 'november.csv'")
        tab.click(f"document.querySelector('main button[aria-label={json.dumps('Explain the difference of ' + reference)}]')")
        tab.click("[...document.querySelectorAll('dialog[open] input[type=radio]')].find((one) => one.closest('label').textContent.includes('It is a fee'))")
        self.fill(tab, "Reason", "the bank's statement")
        self.looks(tab, "dialog-explain")
        self.press(tab, "Book the explanation")
        self.closed(tab)
        self.assertNotIn(reference, [item["reference"] for item in self.portal.get(f"/settlement-differences?limit=200&merchant={self.portal.merchant}")["data"]])
        self.check(tab)

    def test_a_second_person_approves_and_the_auditor_proves_it(self):
        merchant = self.portal.merchant
        status, answer = self.portal.call("PUT", f"/approval-policies/{merchant}", {
            "refundsAbove": {"USD": "50.00"}, "aboveOwnLimit": False, "liveCredentials": False, "routes": False}, headers={"If-Match": "*"})
        self.assertEqual(status, 200, answer)
        payment = self.portal.payment_of(order := self.portal.pay("80.00"))
        status, answer = self.portal.call("POST", f"/payments/{payment['id']}/refund", {"amount": "80.00"})
        self.assertEqual(status, 202, answer)
        tab = self.signed_in_tab()
        self.go(tab, f"/approvals?merchant={merchant}")
        self.press(tab, "Approve")
        tab.until("document.querySelector('dialog[open] .sentence')")
        self.looks(tab, "dialog-approve")
        self.press(tab, "Approve")
        self.closed(tab)
        self.go(tab, f"/payments/{payment['id']}")
        tab.until("document.querySelector('.payment-title')?.textContent.includes('refunded')")
        self.assertEqual(self.portal.payment_of(order)["refunded"], "80.00")
        self.go(tab, "/audit?act=approval.approve")
        self.press(tab, "Prove it now")
        tab.until("document.querySelector('main .proof')?.innerText.trim() && !document.querySelector('main [aria-busy=true]')")
        self.assertFalse(tab.run("return document.querySelector('main .problem') !== null"))
        tab.click("document.querySelector('main .row-link')")
        tab.until("document.querySelector('dialog[open]')?.innerText.includes('SHA-256 over this entry')")
        self.looks(tab, "dialog-audit")
        self.check(tab)


if __name__ == "__main__":
    unittest.main()
