# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""What the tests of the operator's pages have in common: fresh merchants, dialogs that say what will happen, secrets that are shown
once, and the same pages in WebKit.
"""

import json
import secrets

from portal import BUSY, HOSTILE, REFUSED, Actions, PortalEngineCase, PortalTestCase

__all__ = ["HOSTILE", "REFUSED", "Actions", "OperatorTestCase", "WebKitCase"]


IDENTIFIERS = {"merchantId", "merchantCode", "keyVersion", "mid", "aid", "portalid", "storeId", "appId", "publicKey", "gatewayPublicKey", "clientCertificate"}


class OperatorTestCase(PortalTestCase):
    def made(self, path, body, method="POST", headers=None):
        """What the API has made, asked by the owner's token."""
        status, answer = self.portal.call(method, path, body, headers)
        self.assertIn(status, (200, 201), answer)
        return answer

    def merchant(self, mode="sandbox", **members):
        """A new merchant's record."""
        return self.made("/merchants", {
            "name": f"shop-{secrets.token_hex(4)}", "displayName": "The shop", "mode": mode, "countryCode": "AU", "timeZone": "UTC", **members})

    def button(self, page, name):
        return page.get_by_role("button", name=name, exact=True)

    def dialog(self, page):
        return page.get_by_role("dialog")

    def confirm(self, page, act, typed=None, actions=None):
        """Does the act that the dialog asks about; the sentence that it says before."""
        dialog = self.dialog(page)
        sentence = dialog.locator(".sentence").inner_text()
        doing = dialog.get_by_role("button", name=act, exact=True)
        if typed:
            self.assertTrue(doing.is_disabled())
            dialog.get_by_role("textbox").fill(typed)
        asking = dialog.element_handle()
        (actions.click if actions else lambda button: button.click())(doing)
        # It is gone as an element, because only then the page is asked for again. Another dialog may follow it, with what was made.
        page.wait_for_function("(dialog) => !dialog.isConnected", arg=asking)
        self.settled(page)
        return sentence

    def closed(self, page):
        """The dialog is gone. (As a role it is gone when it closes; as an element a moment later.)"""
        page.locator("dialog").wait_for(state="detached")
        self.settled(page)

    def shown_once(self, page, actions=None):
        """The secrets that a dialog shows. Afterwards they stand nowhere in the page."""
        dialog = self.dialog(page)
        dialog.locator(".secret").first.wait_for()
        self.axe(page)
        names = dialog.locator(".secret-name").all_inner_texts()
        shown = [text.strip() for text in dialog.locator(".secret-value, .secret pre").all_inner_texts()]
        kept = dialog.get_by_role("button", name="I have kept it")
        (actions.click if actions else lambda button: button.click())(kept)
        self.closed(page)
        for name, secret in zip(names, shown, strict=True):
            # By its identifier the shop names its account; that is no secret.
            if name not in IDENTIFIERS:
                self.assertNotIn(secret, page.content(), name)
        return shown

    def stays_text(self, page):
        """What somebody wrote has become nothing but text."""
        self.assertEqual(page.locator("main img[src=x], main script").count(), 0)
        self.assertNotEqual(page.title(), "owned")


class WebKitCase(PortalEngineCase):
    """The pages in WebKit: each comes, says what it is, and complains of nothing."""

    engine = "webkit"

    def go(self, tab, path):
        """To another page, as a link does."""
        tab.run("""document.querySelector('main h1')?.setAttribute('data-left', '');
            const { navigate } = await import('/portal/core/router.js'); navigate(arguments[0]);""", path)
        tab.until(f"document.querySelector('main h1:not([data-left])') && !document.querySelector('{BUSY}')")

    def comes(self, paths, role="owner"):
        tab = self.signed_in_tab(role)
        for path, heading in paths:
            with self.subTest(path):
                self.go(tab, path)
                tab.until(f"document.querySelector('main h1')?.textContent.includes({json.dumps(heading)}) && !document.querySelector('{BUSY}')")
                self.assertFalse(tab.run("return document.querySelector('main .problem') !== null"))
                self.assertLessEqual(tab.run("return document.documentElement.scrollWidth - innerWidth"), 0)
        return tab
