# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""What strangers may write stays text wherever it is shown: every text of every answer is spoiled, on every page; and what the server
really takes from a shop, a customer's browser and a colleague is shown as it was written.

That no script ran and nothing was loaded is seen three ways: the page's own mark, its policy's reports (each fails the test), and
what stands in the page.
"""

import base64
import re
import secrets
import unittest
import urllib.error
import urllib.request

from portal import HOSTILE, REFUSED, Portal
from portal_operator import OperatorTestCase
from portal_payments_test import KEPT
from portal_roles_test import pages

# Another context each: an element's text, an attribute, an address, a style.
TEXTS = [HOSTILE, "\"><svg onload=document.title='owned'>", "javascript:document.title='owned'//", "</style><style>*{display:none}</style><a href=//evil.example>"]
# All at once: what comes in meanwhile draws a part of the page again.
UNFOLD = "() => { for (const summary of document.querySelectorAll('main details:not([open]) > summary')) { summary.click(); } }"
# What the pages compute with, beside what is no text of anybody: a date, a state, an amount that is none is an answer that no server gives.
COMPUTED = KEPT | {
    "role", "scopes", "stage", "step", "next", "waitsFor", "dialect", "connector", "purpose", "merchant", "from", "to", "notBefore", "notAfter", "lastUsedAt", "expiresAt", "day", "date",
    "endsAt", "updatedAt", "severity", "code", "etag", "bucket", "operation", "after", "format", "path", "part", "reason", "minorUnits", "language", "countryCode",
    "acquirer", "account", "member", "pattern", "verdict", "currencies", "networks", "operations", "dialects", "connectors", "refundsAbove", "limits", "refundLimits",
}


class HostileTest(OperatorTestCase):
    def spoil(self, value, text, name=None):
        if isinstance(value, dict):
            return {key: self.spoil(part, text, key) for key, part in value.items()}
        if isinstance(value, list):
            return [self.spoil(part, text, name) for part in value]
        if not isinstance(value, str) or name in COMPUTED or (name or "").endswith(("At", "Id", "Until")) or re.fullmatch(r"[\d.:TZ-]*", value):
            return value
        return text

    def harmless(self, page):
        """Nothing that was written has become a part of the page, and nothing that it may lead to has another scheme."""
        self.assertNotIn("owned", page.title().replace("document.title='owned'", ""))
        self.assertEqual(page.evaluate("""() => [...document.querySelectorAll('*')].filter((one) =>
            one.matches('body script, body style, img:not([src^="/portal/"]), iframe, object, embed, base, [style], svg[onload]')
            || [...one.attributes].some(({ name, value }) => name.startsWith('on') || (['href', 'src', 'action', 'formaction'].includes(name) && /^\\s*(javascript|data|\\/\\/)/i.test(value))))
            .map((one) => one.outerHTML.slice(0, 200))"""), [], page.url)

    def test_every_text_of_every_answer_on_every_page(self):
        self.portal.pay("7.00", reference="a reference")
        self.portal.refuse()
        seen = set()
        for text in TEXTS:
            page = self.signed_in(expected=REFUSED)

            def spoiled(route, _, text=text):
                answer = route.fetch()
                if "json" not in answer.headers.get("content-type", "") or not answer.ok:
                    route.fulfill(response=answer)
                    return
                route.fulfill(response=answer, json=self.spoil(answer.json(), text))

            page.route(re.compile(r"/admin/v1/(?!stream|session|sign-in|catalog|openapi)"), spoiled)
            for path, _ in pages(self.portal):
                with self.subTest(path=path, text=text):
                    self.go(page, path)
                    page.evaluate(UNFOLD)
                    self.harmless(page)
                    # A page that gave up shows nothing, and would prove nothing.
                    self.assertEqual(page.locator("main .problem", has_text="TypeError").count(), 0)
                    if text in page.locator("main").evaluate("(main) => main.textContent"):
                        seen.add(path)
        self.assertGreaterEqual(len(seen), 12, seen)


class StrangersTest(OperatorTestCase):
    """A sandbox of its own: names of shops and people stand in every other test's pages."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.portal = Portal.of(cls)

    harmless = HostileTest.harmless

    def test_what_shops_customers_and_colleagues_write_is_shown_as_text(self):
        hostile = HOSTILE.replace("\u202e", "")
        own = self.portal.merchant
        written = hostile[:60]
        shop = self.merchant(displayName=written)
        self.made("/people", {"userName": "hostile", "displayName": written, "role": "viewer", "credential": "none",
                              "externalIdentity": {"issuer": "https://id.example", "subject": "hostile"}})
        order = self.portal.pay("9.00", reference=hostile[:40], notificationUrl=f"http://127.0.0.1:9/{'%3Cimg%20src=x%20onerror=alert(1)%3E'}")
        payment = self.portal.payment_of(order)
        self.refused_call(hostile)
        # A domain has no place for markup, and says so.
        status, _ = self.portal.call("POST", f"/merchants/{own}/domains", {"domain": hostile})
        self.assertGreaterEqual(status, 400)
        event = self.portal.get("/events?payment=" + payment["id"])["data"][0]["id"]
        page = self.signed_in(expected=REFUSED)
        for path, shown in (
            ("/merchants", written), (f"/merchants/{shop['name']}", written), ("/people", written), ("/payments", None), (f"/payments/{payment['id']}", None),
            ("/refused", None), (f"/webhooks/{event}", None), (f"/webhooks?merchant={own}", None), ("/audit", None), ("/", None), ("/reports/transactions", None),
        ):
            with self.subTest(path):
                self.go(page, path)
                page.evaluate(UNFOLD)
                self.harmless(page)
                if shown:
                    self.assertIn(shown, page.locator("main").evaluate("(main) => main.textContent"))
        page.locator(".search input").fill(written)
        page.locator(".found .hit, .found .hit-note").first.wait_for()
        self.harmless(page)

    def refused_call(self, text):
        """A call that is refused, with markup in its path, its body and what its client calls itself."""
        account = self.portal.line["merchants"]["commweb"]
        basic = base64.b64encode(f"merchant.{account['merchantId']}:wrong".encode()).decode()
        request = urllib.request.Request(
            f"{self.portal.line['http'].rstrip('/')}/api/rest/version/71/merchant/{account['merchantId']}/order/%3Cimg%20src=x%20onerror=x%3E/transaction/{secrets.token_hex(2)}",
            method="PUT", data=text.encode(), headers={"Content-Type": "application/json", "Authorization": f"Basic {basic}", "User-Agent": text, "X-Request-Id": "<b>x"})
        with self.assertRaises(urllib.error.HTTPError):
            urllib.request.urlopen(request, timeout=30)


if __name__ == "__main__":
    unittest.main()
