# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""What stands around every page: the menu by role, keys, search, deep links, the mode, phones."""

import re
import unittest

from engines import wanted
from portal import BUSY, HOSTILE, REFUSED, Actions, PortalEngineCase, PortalTestCase
from portal_roles_test import pages

READABLE = {
    "owner": {"Home", "Payments", "Refused", "Approvals", "Merchants", "Apple Pay", "Accounts", "Routes", "Webhooks", "Reports", "People", "Audit"},
    "support": {"Home", "Payments", "Refused", "Approvals", "Merchants", "Webhooks", "Reports"},
}


class FrameTest(PortalTestCase):
    def menu(self, page):
        return {text.split("\n")[0].strip() for text in page.locator("nav.menu a > span:first-child").all_inner_texts()}

    def test_menu_has_what_the_role_may_see(self):
        for role, expected in READABLE.items():
            with self.subTest(role):
                page = self.signed_in(role)
                self.assertLessEqual(expected, self.menu(page))
        page = self.signed_in("support")
        self.assertTrue(self.menu(page).isdisjoint({"People", "Audit", "Routes", "Apple Pay"}))

    def test_page_that_the_role_may_not_see_says_so(self):
        page = self.signed_in("support", "/portal/audit")
        self.assertEqual(page.locator("main h1").inner_text(), "Not for your role")
        self.axe(page)

    def test_address_without_a_page_says_so_and_leads_home(self):
        page = self.signed_in(path="/portal/no/such/page", expected=REFUSED)
        self.assertEqual(page.locator("main h1").inner_text(), "Not here")
        self.looks(page, "not-here")
        page.get_by_role("link", name="Go to Home").click()
        self.until(page, "location.pathname === '/portal/'")
        self.go(page, "/payments/pay_00000000000000000000000000")
        self.assertEqual(page.locator("main h1").inner_text(), "Not here")

    def test_keys_go_everywhere_and_are_listed(self):
        page = self.signed_in()
        page.keyboard.press("g")
        page.keyboard.press("p")
        self.until(page, "location.pathname === '/portal/payments'")
        self.settled(page)
        self.assertEqual(page.evaluate("document.activeElement.tagName"), "H1", "The focus is at the page's heading.")
        page.keyboard.press("?")
        page.locator("dialog").wait_for()
        self.assertIn("Search", page.locator("dialog").inner_text())
        self.axe(page)
        page.keyboard.press("Escape")
        page.locator("dialog").wait_for(state="detached")
        page.keyboard.press("/")
        self.assertEqual(page.evaluate("document.activeElement.getAttribute('role')"), "combobox")
        page.keyboard.type("gp")
        self.assertEqual(page.locator(".search input").input_value(), "gp", "Keys are text where text is typed.")

    def test_rows_are_walked_by_keys_and_focus_is_seen(self):
        self.portal.pay("11.00")
        self.portal.pay("12.00")
        page = self.signed_in(path="/portal/payments")
        page.keyboard.press("j")
        first = page.evaluate("document.activeElement.getAttribute('href')")
        page.keyboard.press("j")
        second = page.evaluate("document.activeElement.getAttribute('href')")
        self.assertNotEqual(first, second)
        self.assertIn("solid", page.evaluate("getComputedStyle(document.activeElement).outlineStyle"))
        page.keyboard.press("k")
        self.assertEqual(page.evaluate("document.activeElement.getAttribute('href')"), first)
        page.keyboard.press("Enter")
        self.until(page, f"location.pathname === '{first}'")
        page.locator(".payment-title").wait_for()
        page.keyboard.press("Escape")
        self.until(page, "location.pathname === '/portal/payments'")

    def test_search_finds_an_order_and_enter_opens_it(self):
        order = self.portal.pay("13.00")
        page = self.signed_in()
        actions = Actions(page)
        actions.press("/")
        actions.type_and_enter(order)
        self.until(page, "location.pathname.startsWith('/portal/payments/pay_')")
        page.locator(".payment-title").wait_for()
        self.assertEqual(actions.count, 1)
        self.assertIn("13.00", page.locator("main h1").inner_text())

    def test_search_says_what_it_did_not_find_and_shows_hostile_text_as_text(self):
        page = self.signed_in(expected=REFUSED)
        page.locator(".search input").fill("nothing-is-called-this")
        page.get_by_text("Nothing is called").wait_for()
        self.axe(page)
        self.screenshot(page, "portal-search-nothing")
        page.locator(".search input").fill(HOSTILE[:150])
        self.until(page, "document.querySelector('.found').textContent.includes('onerror')")
        self.assertEqual(page.locator(".found img, .found script").count(), 0)
        page.locator(".search input").fill("somebody@example.com")
        page.get_by_text("E-mail addresses are not searched").wait_for()

    def test_search_leads_from_an_amount_and_a_day_to_their_payments(self):
        order = self.portal.pay("67.89")
        day = self.portal.payment_of(order)["createdAt"][:10]
        page = self.signed_in(path="/portal/payments?merchant=commweb")
        field = page.locator(".search input")
        for text, title, address in (
            ("67.89 USD", "67.89\u00a0USD", "currency=USD&amountFrom=67.89&amountTo=67.89"), ("67.89", "67.89\u00a0USD", "currency=USD&amountFrom=67.89&amountTo=67.89"),
            (day, "", f"from={day}&to={day}"),
        ):
            with self.subTest(text):
                field.fill(text)
                hit = page.locator(".found .hit", has_text="Filter the payments").first
                hit.wait_for()
                self.assertIn(title, hit.inner_text())
                self.axe(page)
                hit.click()
                self.until(page, f"location.search === '?{address}'")
                self.settled(page)
                self.assertIn(order, page.locator("main tbody").inner_text())
        # A number is a name, and none that there is: what would do is said, and of which number the last four are.
        field.fill("98765432109")
        page.get_by_text("last four digits of the card or of the device’s number").wait_for()
        self.assertEqual(page.locator(".found .hit").count(), 0)

    def test_mode_is_a_word_and_a_mark_everywhere(self):
        page = self.signed_in()
        self.assertTrue(page.locator(".frame.sandbox").count())
        self.assertEqual(page.locator(".brand .mode-tag").inner_text(), "sandbox")
        self.assertIn("sandbox", page.title())
        self.assertIn("gradient", page.evaluate("getComputedStyle(document.querySelector('.edge')).backgroundImage"))

    def test_policy_forbids_what_is_not_the_portals(self):
        page = self.open("/portal/", expected=REFUSED)
        response = page.request.get(self.portal.url + "/portal/")
        policy = response.headers["content-security-policy"]
        for part in ("default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"):
            self.assertIn(part, policy)
        self.assertNotIn("unsafe", policy)
        self.assertEqual(page.request.get(self.portal.url + "/", max_redirects=0).headers["location"], "/portal/")

    def test_no_element_has_a_style_attribute(self):
        page = self.signed_in()
        for path in ("/", "/payments", "/refused", "/approvals", "/account"):
            self.go(page, path)
            self.assertEqual(page.locator("[style]").count(), 0, path)

    def test_phone_has_the_menu_behind_a_button(self):
        page = self.signed_in(viewport={"width": 390, "height": 844})
        self.assertFalse(page.locator("nav.menu a").first.is_visible())
        page.get_by_role("button", name="Menu").click()
        self.assertTrue(page.locator("nav.menu a").first.is_visible())
        self.axe(page)
        self.screenshot(page, "portal-menu-390")
        page.get_by_role("link", name="Refused").click()
        self.until(page, "location.pathname === '/portal/refused'")
        self.settled(page)
        self.assertFalse(page.locator("nav.menu a").first.is_visible())

    def test_an_answer_that_does_not_come_says_what_is_still_true(self):
        page = self.signed_in(expected=[*REFUSED, "ERR_FAILED"])
        address = re.compile(r"/admin/v1/payments(\?|$)")
        page.route(address, lambda route: route.abort())
        self.go(page, "/payments")
        alert = page.get_by_role("alert")
        alert.wait_for()
        self.assertIn("Nothing was changed", alert.inner_text())
        self.looks(page, "error")
        page.unroute(address)
        page.get_by_role("button", name="Try again").click()
        self.until(page, "!document.querySelector('[role=alert]')")

    def test_every_language_is_whole_on_every_page(self):
        # A text that is missing is said on the console, which fails the test.
        self.portal.pay("14.00")
        self.portal.refuse()
        page = self.signed_in(expected=REFUSED)
        for language, word in (("de", "Übersicht"), ("zh-Hant", "首頁")):
            page.evaluate("(language) => localStorage.setItem('pomona.portal.language', language)", language)
            page.reload()
            self.settled(page)
            self.assertIn(word, page.locator("nav.menu").inner_text())
            for path, _ in pages(self.portal):
                with self.subTest(language=language, path=path):
                    self.go(page, path)
                    for width in (390, 1280):
                        page.set_viewport_size({"width": width, "height": 900})
                        self.fits(page)
                    self.axe(page)


class FrameEngineTests:
    def test_sign_in_search_refund(self):
        order = self.portal.pay("21.00")
        tab = self.signed_in_tab("owner")
        tab.run("""const input = document.querySelector('.search input'); input.focus(); input.value = arguments[0];
            input.dispatchEvent(new Event('input', { bubbles: true }));""", order)
        tab.click("document.querySelector('.found .hit')")
        tab.until("location.pathname.startsWith('/portal/payments/') && document.querySelector('.payment-title')")
        tab.click("document.querySelector('.page-actions .primary')")
        tab.until("document.querySelector('dialog[open] form')")
        tab.click("document.querySelector('dialog[open] button[type=submit]')")
        tab.until("!document.querySelector('dialog[open]') && document.querySelector('.payment-title').textContent.includes('refunded')")
        self.check(tab)

    def test_home_and_lists_show(self):
        tab = self.signed_in_tab("owner")
        tab.until("document.querySelector('.drawing rect, .empty')")
        for path in ("/payments", "/refused", "/approvals", "/account"):
            tab.run("const { navigate } = await import('/portal/core/router.js'); navigate(arguments[0]);", path)
            tab.until(f"location.pathname.endsWith('{path}') && document.querySelector('main h1') && !document.querySelector('{BUSY}')")
            self.assertLessEqual(tab.run("return document.documentElement.scrollWidth - innerWidth;"), 0, path)
        self.check(tab)


for name in wanted():
    if name == "webkit":
        globals()["FrameInWebKitTest"] = type(
            "FrameInWebKitTest", (FrameEngineTests, PortalEngineCase), {"engine": name, "__module__": __name__})

if __name__ == "__main__":
    unittest.main()
