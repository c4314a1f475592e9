# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""Every page as every role, and as people who are kept to some merchants: it comes whole, or says that it is not for them; in Chromium
and in WebKit. And the developer's work, which no other file has.
"""

import json
import re
import secrets
import unittest

from portal import REFUSED
from portal_operator import OperatorTestCase, WebKitCase

REFUSAL = "Not for your role"
HOUSE_REFUSAL = "For those who see all merchants"
NOT_HERE = "Not here"
ROLES = ("owner", "operator", "support", "developer", "viewer")
# Of all merchants together, as what they ask for is: for nobody who is kept to some.
HOUSE = {"/merchants/new", "/audit", "/doctor/alarms"}
# Demo merchants beside the one that payments are made of.
OTHERS = ("payone", "radial")
# Where the page offers to go, and would be refused.
DEAD_ENDS = """const { leadsSomewhere } = await import('/portal/core/router.js');
    return [...document.querySelectorAll('a[href^="/portal"]')].map((link) => new URL(link.href).pathname)
        .filter((path) => !leadsSomewhere(path.slice('/portal'.length).replace(/\\/+$/, '') || '/'));"""


def pages(portal):
    """Every page, of the demo merchant and of its things: its path and the scope that it takes. A test holds it against the portal's own list."""
    own = portal.merchant
    things = portal.things
    return [
        ("/", "payments:read"), ("/payments", "payments:read"), (f"/payments/{things['payment']}", "payments:read"), ("/refused", "payments:read"),
        (f"/refused/{things['refusal']}", "payments:read"), ("/approvals", "payments:read"), ("/account", None), ("/merchants", "merchants:read"),
        ("/merchants/new", "merchants:write"), (f"/merchants/{own}", "merchants:read"), (f"/apple-pay?merchant={own}", "apple-pay:read"),
        (f"/apple-pay/domains?merchant={own}", "apple-pay:read"), (f"/apple-pay/registration?merchant={own}", "apple-pay:read"),
        (f"/apple-pay/certificate/payment-processing?merchant={own}", "apple-pay:read"), (f"/apple-pay/certificate/merchant-identity?merchant={own}", "apple-pay:read"),
        (f"/apple-pay/{things['certificate']}", "apple-pay:read"), (f"/accounts?merchant={own}", "accounts:read"),
        (f"/accounts/dialects/new?merchant={own}", "accounts:write"), (f"/accounts/dialects/{own}/commweb", "accounts:read"),
        (f"/accounts/acquirers/new?merchant={own}", "acquirers:write"), (f"/accounts/acquirers/{own}/{things['acquirer']}", "acquirers:read"),
        (f"/routes?merchant={own}", "routes:read"), (f"/webhooks?merchant={own}", "webhooks:read"), (f"/webhooks/endpoints?merchant={own}", "accounts:read"),
        (f"/webhooks/{things['event']}", "webhooks:read"), (f"/reports?merchant={own}", "reports:read"), ("/reports/transactions", "reports:read"),
        ("/reports/balances", "reports:read"), ("/reports/fees", "reports:read"), (f"/reports/days/{own}/{things['day']}", "reports:read"),
        ("/reports/settlements", "reports:read"), (f"/reports/settlements/{things['file']}", "reports:read"), ("/people", "people:read"),
        ("/people/new", "people:write"), ("/people/tokens", "people:read"), ("/people/policies", "people:read"), (f"/people/{things['person']}", "people:read"),
        ("/audit", "audit:read"), ("/doctor", "system:read"), ("/doctor/alarms", "system:read"),
    ]


def scopes(role, portal):
    """What the API lets a role do: by a token that is made for it."""
    status, made = portal.call("POST", "/tokens", {"name": f"scopes of {role}", "role": role, "days": 1})
    assert status == 201, made
    status, caller = portal.call("GET", "/me", headers={"Authorization": "Bearer " + made["secret"]}, token=False)
    assert status == 200, caller
    return set(caller["scopes"])


def kept(role, merchants):
    """A person of that role who is kept to those merchants."""
    return {"name": f"kept-{role}-{'-'.join(merchants)}", "merchants": list(merchants)}


class RolesTest(OperatorTestCase):
    def test_no_page_is_left_out(self):
        page = self.open("/portal/", expected=[r"status of 401"])
        registered = page.evaluate("""() => import('/portal/pages/index.js').then(({ pages }) =>
            pages.map(({ path, scope = null, house = false }) => ({ path, scope, house })))""")
        # As the portal's router: the first that fits is shown.
        patterns = [(re.compile(re.sub(r":\w+", "[^/]+", one["path"])), one) for one in registered]
        looked_at = {}
        for path, scope in pages(self.portal):
            bare = path.split("?")[0]
            own = next((one for pattern, one in patterns if pattern.fullmatch(bare)), None)
            self.assertIsNotNone(own, f"{path} is no page.")
            self.assertEqual(own["scope"], scope, path)
            looked_at[own["path"]] = bare
        self.assertEqual([one["path"] for one in registered if one["path"] not in looked_at], [], "pages() leaves these out.")
        self.assertEqual({looked_at[one["path"]] for one in registered if one["house"]}, HOUSE)

    def test_every_page_comes_or_says_that_it_is_not_for_the_role(self):
        for role in ROLES:
            may = scopes(role, self.portal)
            page = self.signed_in(role, expected=REFUSED)
            for path, scope in pages(self.portal):
                with self.subTest(role=role, path=path):
                    self.go(page, path)
                    heading = page.locator("main h1").first.inner_text()
                    self.assertEqual(heading == REFUSAL, scope is not None and scope not in may, heading)
                    self.assertNotIn(heading, (NOT_HERE, HOUSE_REFUSAL))
                    self.assertEqual(page.locator("main .problem").count(), 0)
                    self.assertEqual(page.evaluate(f"async () => {{ {DEAD_ENDS} }}"), [])
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


class KeptToSomeTest(OperatorTestCase):
    """People who are kept to one merchant, or to two."""

    def kept_in(self, role, *merchants, **options):
        return self.signed_in(role, expected=REFUSED, person=kept(role, merchants), **options)

    def offered(self, page):
        return page.locator(".merchant-select option").evaluate_all("(options) => options.map(({ value }) => value)")

    def test_every_page_comes_or_says_that_it_is_for_others(self):
        own = self.portal.merchant
        # Of one merchant alone the API needs no name. Which pages a role has is looked at above: who may most shows that, who may least the rest.
        for merchants, roles in (((own,), ("support",)), ((own, OTHERS[0]), ("owner", "support"))):
            for role in roles:
                may = scopes(role, self.portal)
                page = self.kept_in(role, *merchants)
                self.assertEqual(page.locator("main .problem").count(), 0, "The first page after the sign-in is none.")
                for path, scope in pages(self.portal):
                    with self.subTest(merchants=merchants, role=role, path=path):
                        self.go(page, path)
                        heading = page.locator("main h1").first.inner_text()
                        expected = REFUSAL if scope and scope not in may else HOUSE_REFUSAL if path in HOUSE else None
                        if expected:
                            self.assertEqual(heading, expected)
                        else:
                            self.assertNotIn(heading, (REFUSAL, HOUSE_REFUSAL, NOT_HERE))
                        self.assertEqual(page.locator("main .problem").count(), 0)
                        self.assertEqual(page.evaluate(f"async () => {{ {DEAD_ENDS} }}"), [])

    def test_who_is_kept_to_no_merchant_yet_reads_so(self):
        page = self.kept_in("support")
        for path in ("/", "/payments", "/webhooks", "/reports"):
            with self.subTest(path):
                self.go(page, path)
                self.assertEqual(page.locator("main h1").first.inner_text(), "No merchant yet")
                self.assertIn("An owner can name some.", page.locator("main").inner_text())
                self.assertEqual(page.locator("main .problem").count(), 0)
        self.axe(page)
        self.go(page, "/account")
        self.assertNotEqual(page.locator("main h1").first.inner_text(), "No merchant yet")

    def test_no_role_is_offered_a_page_of_the_house(self):
        for role in ROLES:
            with self.subTest(role=role):
                page = self.kept_in(role, self.portal.merchant, OTHERS[0])
                self.assertEqual(page.locator("main .problem").count(), 0)
                self.assertEqual(page.evaluate(f"async () => {{ {DEAD_ENDS} }}"), [])
                listed = page.evaluate("import('/portal/core/router.js').then(({ leadsSomewhere }) => [...arguments_].filter(leadsSomewhere))".replace(
                    "arguments_", json.dumps(sorted(HOUSE))))
                self.assertEqual(listed, [])

    def test_nothing_of_another_merchant_is_shown(self):
        own = self.portal.merchant
        things = self.portal.things
        marks = {value for name, value in things.items() if name not in ("day", "acquirer")} | {"of-the-things.csv", "Of the things"}
        details = {*(value for name, value in things.items()), own}
        for role in ("owner",):
            may = scopes(role, self.portal)
            page = self.kept_in(role, *OTHERS)
            for path, scope in pages(self.portal):
                if scope and scope not in may:
                    continue
                with self.subTest(role=role, path=path):
                    self.go(page, path)
                    heading = page.locator("main h1").first.inner_text()
                    self.assertEqual(heading == NOT_HERE, not details.isdisjoint(re.split("[/?&=]", path)), heading)
                    text = page.locator("body").inner_text()
                    self.assertEqual([mark for mark in marks if mark in text], [])
                    self.assertIn(page.evaluate("import('/portal/core/state.js').then(({ state }) => state.merchant)"), OTHERS)

    def test_goes_from_one_merchant_to_the_other_and_never_to_all(self):
        own, other = self.portal.merchant, OTHERS[0]
        page = self.kept_in("operator", own, other)
        self.assertEqual(set(self.offered(page)), {own, other})
        chosen = page.locator(".merchant-select")
        asked = []
        page.on("request", lambda request: asked.append(request.url) if "/admin/v1/" in request.url else None)
        for path in ("/", "/payments", "/refused", "/approvals", "/webhooks", "/reports/transactions", "/reports/balances", "/reports/settlements", "/doctor"):
            self.go(page, path)
            for name in (other, own, other):
                asked.clear()
                if chosen.input_value() != name:
                    with page.expect_request(re.compile(rf"/admin/v1/.*\bmerchant={name}\b|/admin/v1/merchants/{name}/")):
                        chosen.select_option(name)
                    self.settled(page)
                with self.subTest(path=path, merchant=name):
                    self.assertEqual(page.locator("main .problem").count(), 0)
                    self.assertEqual([url for url in asked if re.search(r"\bmerchant=", url) and f"merchant={name}" not in url], [])
        # It stays chosen over a reload, and no link chooses what is not there.
        chosen.select_option(own)
        self.settled(page)
        page.reload()
        self.settled(page)
        self.assertEqual(chosen.input_value(), own)
        page.goto(f"{self.portal.url}/portal/payments?merchant={OTHERS[1]}")
        self.settled(page)
        self.assertEqual((page.locator("main h1").inner_text(), chosen.input_value()), ("Not here", own))
        page.evaluate("import('/portal/core/state.js').then(({ chooseMerchant }) => chooseMerchant(null))")
        self.assertIn(chosen.input_value(), (own, other))

    def test_exports_and_what_happens_are_of_the_chosen_merchant(self):
        own = self.portal.merchant
        with self.subTest("what happens"):
            page = self.kept_in("viewer", own, OTHERS[0])
            with page.expect_request(re.compile(rf"/admin/v1/stream\?merchant={own}$")):
                page.locator(".merchant-select").select_option(OTHERS[0])
                page.locator(".merchant-select").select_option(own)
            self.go(page, "/payments")
            self.portal.pay("9.00")
            page.locator("main .news").wait_for()
        with self.subTest("export"), page.expect_download() as download:
            page.get_by_role("button", name="Export").click()
        self.assertRegex(download.value.suggested_filename, rf"sandbox.*{own}.*payments.*\.csv")

    def test_phones_say_which_merchant_it_is(self):
        name = next(one["displayName"] for one in self.portal.get("/merchants?limit=200")["data"] if one["name"] == OTHERS[0])
        page = self.kept_in("viewer", *OTHERS, viewport={"width": 390, "height": 844})
        page.evaluate("(name) => import('/portal/core/state.js').then(({ chooseMerchant }) => chooseMerchant(name))", OTHERS[0])
        self.settled(page)
        self.assertIn(name, page.locator(".strip").inner_text())
        self.fits(page)

    def test_neither_keys_nor_search_offer_a_page_of_the_house(self):
        page = self.kept_in("owner", *OTHERS)
        page.keyboard.press("?")
        listed = page.get_by_role("dialog").inner_text()
        self.assertIn("Doctor", listed)
        self.assertNotIn("Audit", listed)
        page.keyboard.press("Escape")
        page.locator("dialog").wait_for(state="detached")
        page.keyboard.press("g")
        page.keyboard.press("u")
        self.assertTrue(page.url.endswith("/portal/"), page.url)
        page.locator(".search input").fill("Audit")
        page.get_by_text("Nothing is called").wait_for()
        page.locator(".search input").fill("Doctor")
        page.locator(".found .hit").first.wait_for()
        self.go(page, "/audit")
        self.looks(page, "not-for-some-merchants")

    def test_an_owner_of_some_merchants_makes_and_ends_tokens_for_them(self):
        mark = secrets.token_hex(4)
        houses = self.made("/tokens", {"name": f"house {mark}", "role": "viewer", "days": 1})["token"]["id"]
        page = self.kept_in("owner", *OTHERS, path="/portal/people/tokens")
        self.button(page, "Make an access token").first.click()
        dialog = self.dialog(page)
        dialog.get_by_label("What it is for").fill(f"some {mark}")
        dialog.get_by_role("checkbox").first.check()
        dialog.get_by_role("button", name="Make the token").click()
        (secret,) = self.shown_once(page)
        page.get_by_role("button", name=f"Revoke some {mark}").wait_for()
        self.assertNotIn(f"house {mark}", page.locator("body").inner_text())
        page.get_by_role("button", name=f"Revoke some {mark}").click()
        self.confirm(page, "Revoke the token")
        status, _ = self.portal.call("GET", "/merchants", headers={"Authorization": "Bearer " + secret}, token=False)
        self.assertEqual(status, 401)
        self.assertIn(houses, [token["id"] for token in self.portal.get(f"/tokens?name=house%20{mark}")["data"]])

    def test_an_owner_of_some_merchants_lets_nobody_see_all(self):
        page = self.kept_in("owner", *OTHERS, path="/portal/people/new")
        page.get_by_label("Name", exact=True).fill("Somebody")
        page.get_by_label("User name").fill("somebody-of-some")
        self.button(page, "Add the person").click()
        self.assertIn("needed", page.locator(".field-flags .field-error").inner_text())
        page.get_by_role("checkbox").first.check()
        self.button(page, "Add the person").click()
        self.shown_once(page)
        self.assertEqual(len(self.portal.get("/people/somebody-of-some")["merchants"]), 1)


class RolesInWebKit(WebKitCase):
    def test_every_page_comes_or_says_that_it_is_not_for_the_role(self):
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

    def test_every_page_of_somebody_who_is_kept_to_two_merchants(self):
        for role in ("owner",):
            may = scopes(role, self.portal)
            tab = self.signed_in_tab(role, **kept(role, (self.portal.merchant, OTHERS[0])))
            self.assertFalse(tab.run("return document.querySelector('.merchant-select option[value=\"\"]') !== null"))
            for path, scope in pages(self.portal):
                with self.subTest(role=role, path=path):
                    self.go(tab, path)
                    heading = tab.run("return document.querySelector('main h1').textContent")
                    self.assertEqual(heading == HOUSE_REFUSAL, scope in may and path in HOUSE, json.dumps(heading))
                    self.assertFalse(tab.run("return document.querySelector('main .problem') !== null"))
                    self.assertEqual(tab.run(DEAD_ENDS), [])


if __name__ == "__main__":
    unittest.main()
