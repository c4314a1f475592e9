# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""Every page as every role: it comes whole, or says that it is not for the role; in Chromium and in WebKit. And the developer's work,
which no other file has.
"""

import json
import unittest

from portal import REFUSED
from portal_operator import OperatorTestCase, WebKitCase

REFUSAL = "Not for your role"
ROLES = ("owner", "operator", "support", "developer", "viewer")


def pages(portal):
    """Every page that needs no thing of its own, and those of the demo merchant: its path and the scope that it takes."""
    own = portal.merchant
    payment = portal.get(f"/payments?merchant={own}&limit=1")["data"][0]["id"]
    return [
        ("/", None), ("/payments", "payments:read"), (f"/payments/{payment}", "payments:read"), ("/refused", "payments:read"),
        ("/approvals", None), ("/account", None), ("/merchants", "merchants:read"), ("/merchants/new", "merchants:write"),
        (f"/merchants/{own}", "merchants:read"), (f"/apple-pay?merchant={own}", "apple-pay:read"), (f"/apple-pay/domains?merchant={own}", "apple-pay:read"),
        (f"/apple-pay/registration?merchant={own}", "apple-pay:read"), (f"/apple-pay/certificate/payment-processing?merchant={own}", "apple-pay:read"),
        (f"/accounts?merchant={own}", "accounts:read"), (f"/accounts/dialects/new?merchant={own}", "accounts:write"),
        (f"/accounts/dialects/{own}/commweb", "accounts:read"), (f"/accounts/acquirers/new?merchant={own}", "acquirers:write"),
        (f"/routes?merchant={own}", "routes:read"), (f"/webhooks?merchant={own}", "webhooks:read"),
        (f"/webhooks/endpoints?merchant={own}", "accounts:read"), (f"/reports?merchant={own}", "reports:read"), ("/reports/transactions", "reports:read"),
        ("/reports/balances", "reports:read"), ("/reports/fees", "reports:read"), ("/reports/settlements", "reports:read"), ("/people", "people:read"),
        ("/people/new", "people:write"), ("/people/tokens", "people:read"), ("/people/policies", "people:read"), ("/audit", "audit:read"),
        ("/doctor", "system:read"), ("/doctor/alarms", "system:read"),
    ]


def scopes(role, portal):
    """What the API lets a role do: by a token that is made for it."""
    status, made = portal.call("POST", "/tokens", {"name": f"scopes of {role}", "role": role, "days": 1})
    assert status == 201, made
    status, caller = portal.call("GET", "/me", headers={"Authorization": "Bearer " + made["secret"]}, token=False)
    assert status == 200, caller
    return set(caller["scopes"])


class RolesTest(OperatorTestCase):
    def test_every_page_comes_or_says_that_it_is_not_for_the_role(self):
        self.portal.pay("7.00")
        for role in ROLES:
            may = scopes(role, self.portal)
            page = self.signed_in(role, expected=REFUSED)
            for path, scope in pages(self.portal):
                with self.subTest(role=role, path=path):
                    self.go(page, path)
                    heading = page.locator("main h1").first.inner_text()
                    self.assertEqual(heading == REFUSAL, scope is not None and scope not in may, heading)
                    self.assertEqual(page.locator("main .problem").count(), 0)
                    self.fits(page)
                    self.shows_no_secret(page)

    def test_a_developer_changes_a_sandbox_account_and_nothing_that_is_money(self):
        merchant = self.merchant()
        self.made(f"/merchants/{merchant['name']}/accounts", {"dialect": "commweb"})
        page = self.signed_in("developer", path=f"/portal/accounts/dialects/{merchant['name']}/commweb", expected=REFUSED)
        card = page.locator(".card", has=page.get_by_role("heading", name="password", exact=True))
        card.get_by_role("button", name="Rotate…").click()
        self.confirm(page, "Rotate password")
        self.assertGreaterEqual(len(self.shown_once(page)), 1)
        order = self.portal.pay("8.00")
        self.go(page, "/payments/" + self.portal.payment_of(order)["id"])
        for act in ("Refund", "Void", "Capture"):
            self.assertEqual(page.get_by_role("button", name=act).count(), 0, act)
        self.go(page, f"/accounts/dialects/{self.portal.merchant}/commweb")
        self.axe(page)


class RolesInWebKit(WebKitCase):
    def test_every_page_comes_or_says_that_it_is_not_for_the_role(self):
        self.portal.pay("7.00")
        for role in ROLES:
            may = scopes(role, self.portal)
            tab = self.signed_in_tab(role)
            for path, scope in pages(self.portal):
                with self.subTest(role=role, path=path):
                    self.go(tab, path)
                    heading = tab.run("return document.querySelector('main h1').textContent")
                    self.assertEqual(heading == REFUSAL, scope is not None and scope not in may, json.dumps(heading))
                    self.assertFalse(tab.run("return document.querySelector('main .problem') !== null"))
                    self.assertLessEqual(tab.run("return document.documentElement.scrollWidth - innerWidth"), 0)


if __name__ == "__main__":
    unittest.main()
