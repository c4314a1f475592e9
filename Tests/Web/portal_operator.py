# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""What the tests of the operator's pages have in common: fresh merchants, dialogs that say what will happen, secrets that are shown
once, and the same pages in WebKit.
"""

import hashlib
import json
import os
import pathlib
import re
import secrets
import subprocess
import tempfile
import time

from harness import _Sandbox
from portal import AXE, BUSY, HOSTILE, REFUSED, SCHEMES, Actions, PortalEngineCase, PortalTestCase, axe_source

__all__ = ["HOSTILE", "REFUSED", "Actions", "OperatorTestCase", "WebKitCase", "certified", "token_for"]


EXTENSIONS = """
basicConstraints = critical, CA:FALSE
keyUsage = critical, keyEncipherment, keyAgreement
authorityKeyIdentifier = keyid
1.2.840.113635.100.6.32 = ASN1:UTF8String:{digest}
"""


def certified(portal, request, identifier):
    """What Apple's page would give for a signing request: the test authority's certificate, and where it stands."""
    authority = os.path.join(portal.data, "authority")
    folder = tempfile.mkdtemp(prefix="pomona-certify-")
    names = {name: os.path.join(folder, name) for name in ("request.pem", "extensions", "certificate.pem")}
    for name, text in (("request.pem", request), ("extensions", EXTENSIONS.format(digest=hashlib.sha256(identifier.encode()).hexdigest().upper()))):
        with open(names[name], "w", encoding="ascii") as file:
            file.write(text)
    key = os.path.join(folder, "public.pem")
    subprocess.run(["openssl", "req", "-in", names["request.pem"], "-noout", "-pubkey", "-out", key], check=True, capture_output=True)
    subprocess.run(
        ["openssl", "x509", "-new", "-force_pubkey", key, "-subj",
         f"/UID={identifier}/CN=Apple Pay Payment Processing:{identifier}/OU=POMONATEAM/O=Pomona Sandbox Merchant/C=US",
         "-CA", os.path.join(authority, "merchant-intermediate.pem"), "-CAkey", os.path.join(authority, "merchant-intermediate-key.pem"),
         "-days", "800", "-sha256", "-extfile", names["extensions"], "-set_serial", str(int.from_bytes(os.urandom(8), "big") >> 1),
         "-out", names["certificate.pem"]], check=True, capture_output=True)
    with open(names["certificate.pem"], encoding="ascii") as file:
        return file.read(), names["certificate.pem"]


def token_for(portal, certificate, amount):
    """A token that is sealed for the key of a certificate that stands in a file."""
    return subprocess.run(
        [_Sandbox._binary(), "token", "mint", "--data", portal.data, "--merchant", portal.merchant, "--amount", amount, "--currency", "USD",
         "--card", "visa", "--format", "paymentData", "--certificate", certificate], check=True, capture_output=True, text=True, timeout=60).stdout


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

    def wait_until(self, condition, seconds=20):
        """Until what the server does by itself is done."""
        until = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > until:
                self.fail(f"It did not come true within {seconds} s.")
            time.sleep(0.1)

    def button(self, page, name):
        return page.get_by_role("button", name=name, exact=True)

    def dialog(self, page):
        return page.get_by_role("dialog")

    # The titles of dialogs that this run has looked at.
    dialogs_seen = set()

    def looked_at(self, page):
        """The open dialog in every look, when the run sees one of its kind for the first time: of its words, names and numbers are no part."""
        title = self.dialog(page).get_by_role("heading").first.inner_text()
        kind = re.sub(r"[^a-z]+", "-", re.sub(r"\S*\d\S*", "", title.lower())).strip("-")
        if kind not in self.dialogs_seen:
            self.dialogs_seen.add(kind)
            self.looks(page, "dialog-" + kind[:60])

    def confirm(self, page, act, typed=None, actions=None):
        """Does the act that the dialog asks about; the sentence that it says before."""
        dialog = self.dialog(page)
        self.looked_at(page)
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
        self.looked_at(page)
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
    # The display is not as wide as Chromium's pages.
    WIDTHS = (390, 820, 1280)
    # Where axe-core looks: both ends of width and theme.
    AXE_AT = ((390, "dark"), (1280, "light"))

    def looks(self, tab, name):
        """The page in every width and theme: it fits, axe-core finds nothing, and a picture is kept where somebody wants to look."""
        for width in self.WIDTHS:
            tab.resize(width, 900)
            for theme in SCHEMES:
                # Until the colors are those of the theme: this engine is not asked for less motion. What is folded away it does not draw,
                # and does not say that it is done.
                tab.run("""const { prefer } = await import('/portal/core/state.js');
                    prefer('theme', arguments[0]);
                    await new Promise(requestAnimationFrame);
                    await Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition
                        && !one.effect.target.closest('details:not([open]) > :not(summary)')).map((one) => one.finished));""", theme)
                self.assertLessEqual(tab.run("return document.documentElement.scrollWidth - innerWidth"), 0, (name, width))
                if folder := os.environ.get("POMONA_SCREENSHOTS"):
                    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
                    tab.screenshot(pathlib.Path(folder, f"webkit-{name}-{width}-{theme}.png"))
                if (width, theme) in self.AXE_AT:
                    self.axe(tab, name)

    def axe(self, tab, name):
        """Fails with what axe-core finds."""
        if not tab.run("return Boolean(globalThis.axe);"):
            tab.run(axe_source())
        self.assertEqual(tab.run(f"return ({AXE})();"), [], name)

    def press(self, tab, words):
        """The button or link of these words, of the open dialog or else of the page."""
        tab.click(f"[...(document.querySelector('dialog[open]') ?? document.querySelector('main') ?? document.body).querySelectorAll('button, a, summary')]"
                  f".find((one) => one.textContent.trim() === {json.dumps(words)} && one.getClientRects().length > 0)")

    def fill(self, tab, label, value):
        """The field of that label, of the open dialog or else of the page."""
        found = (f"[...(document.querySelector('dialog[open]') ?? document.querySelector('main') ?? document.body).querySelectorAll('label')]"
                 f".find((one) => one.textContent.trim().startsWith({json.dumps(label)}))?.control")
        tab.until(found)
        tab.run(f"""const field = {found};
            field.value = arguments[0];
            for (const name of ['input', 'change']) {{ field.dispatchEvent(new Event(name, {{ bubbles: true }})); }}""", value)

    def says(self, tab, words):
        tab.until(f"document.querySelector('main').innerText.includes({json.dumps(words)}) && !document.querySelector('{BUSY}')")

    def closed(self, tab):
        tab.until(f"!document.querySelector('dialog') && !document.querySelector('{BUSY}')")

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
