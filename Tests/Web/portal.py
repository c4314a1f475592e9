# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""What the portal's tests stand on: one sandbox with its admin listener, people of each role, payments and refusals made over the
wire, pages that are signed in, and axe-core.

PortalTestCase   tests in Chromium: self.portal, self.signed_in(role), self.axe(page)
PortalEngineCase the same in an engine of engines.py
Actions          counts what a person does: clicks, keys that act, texts that are typed

Environment: as harness.py. POMONA_SCREENSHOTS takes pictures of every page in light and dark, 390, 820 and 1440 wide.
"""

import atexit
import base64
import datetime
import functools
import json
import os
import pathlib
import re
import secrets
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

from engines import EngineTestCase
from harness import ROOT, START_SECONDS, BrowserTestCase, _Sandbox, start_sandbox

PASSWORD = "three unusual words walk"
WIDTHS = (390, 820, 1440)
SCHEMES = ("light", "dark")
# What must stay text wherever it is shown.
HOSTILE = "<img src=x onerror=\"document.title='owned'\">'\"><script>document.title='owned'</script>\u202e{amount}"
# What is on its way: a page, or a part of one.
# A button behind an open dialog waits for whoever reads the dialog, not for the page.
BUSY = ("main[aria-busy=true], main :not(button)[aria-busy=true], "
        "body:not(:has(dialog[open])) main button[aria-busy=true]")
# What axe-core finds, in any engine.
AXE = """(context) => axe.run(context ?? document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
    .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) =>
        `${id}: ${html.slice(0, 200)} ${failureSummary.slice(0, 300)}`)))"""
# The page's own complaint of an answer that the test wants refused.
REFUSED = [r"status of 4\d\d"]


class Portal:
    """One sandbox of the run, and what is done to it beside a browser."""

    _shared = None

    @classmethod
    def shared(cls):
        if cls._shared is None:
            folder = tempfile.mkdtemp(prefix="pomona-portal-")
            atexit.register(shutil.rmtree, folder, ignore_errors=True)
            line, stop = start_sandbox(folder, "--admin-port", "0", "--no-shop")
            atexit.register(stop)
            cls._shared = cls(line, os.path.join(folder, "data"))
        return cls._shared

    @classmethod
    def of(cls, tests):
        """A class of tests' own, for what would change what every other test sees."""
        folder = tempfile.mkdtemp(prefix="pomona-portal-")
        tests.addClassCleanup(shutil.rmtree, folder, ignore_errors=True)
        line, stop = start_sandbox(folder, "--admin-port", "0", "--no-shop")
        tests.addClassCleanup(stop)
        return cls(line, os.path.join(folder, "data"))

    def __init__(self, line, data):
        self.line = line
        self.data = data
        self.url = line["admin"]["url"].rstrip("/")
        self.people = {"owner": (line["admin"]["user"], line["admin"]["password"])}

    # The administration, by the owner's token.

    def call(self, method, path, body=None, headers=None, token=True):
        """The status and the answer of a call of the API."""
        request = urllib.request.Request(
            f"{self.url}/admin/v1{path}", method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json", **({"Authorization": f"Bearer {self.line['admin']['token']}"} if token else {}),
                     **({"Idempotency-Key": secrets.token_hex(16)} if token and method == "POST" else {}), **(headers or {})})
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return response.status, json.loads(response.read() or b"null")
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or b"null")

    def get(self, path):
        status, answer = self.call("GET", path)
        assert status == 200, (path, answer)
        return answer

    def person(self, role, name=None, password=PASSWORD, **fields):
        """The user name and the password of a person with that role, made at the first time."""
        name = name or f"test-{role}"
        if role == "owner" and not fields and name == "test-owner":
            return self.people["owner"]
        if name not in self.people:
            status, made = self.call("POST", "/people", {
                "userName": name, "displayName": fields.pop("displayName", f"Test {role}"), "role": role, "credential": "invitation", **fields})
            assert status == 201, made
            status, answer = self.call(
                "POST", "/session/invitation", {"invitation": made["secret"], "newPassword": password},
                headers={"Pomona-Portal": "1"}, token=False)
            assert status == 200, answer
            self.people[name] = (name, password)
        return self.people[name]

    # Payments, in the wire language of CommWeb.

    @property
    def merchant(self):
        """The demo merchant's name that payments are made of."""
        return "commweb"

    def mint(self, amount, currency="USD", card="mastercard", merchant=None):
        return subprocess.run(
            [_Sandbox._binary(), "token", "mint", "--data", self.data, "--merchant", merchant or self.merchant, "--amount", amount, "--currency", currency,
             "--card", card, "--format", "paymentData"], check=True, capture_output=True, text=True, timeout=START_SECONDS).stdout

    def commweb(self, order, transaction, body, password=None):
        account = self.line["merchants"]["commweb"]
        credentials = base64.b64encode(f"merchant.{account['merchantId']}:{password or account['password']}".encode()).decode()
        request = urllib.request.Request(
            f"{self.line['http'].rstrip('/')}/api/rest/version/71/merchant/{account['merchantId']}/order/{order}/transaction/{transaction}",
            method="PUT", data=json.dumps(body).encode(), headers={"Content-Type": "application/json", "Authorization": f"Basic {credentials}"})
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return response.status, json.loads(response.read())
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())

    def pay(self, amount, order=None, operation="PAY", token=None, **fields):
        """Pays, and gives the order: PAY captures at once, AUTHORIZE does not."""
        order = order or f"order-{secrets.token_hex(4)}"
        body = {
            "apiOperation": operation, "order": {"amount": amount, "currency": "USD", "walletProvider": "APPLE_PAY", **fields},
            "sourceOfFunds": {"type": "CARD", "provided": {"card": {"devicePayment": {"paymentToken": token or self.mint(amount)}}}},
            "transaction": {"source": "INTERNET"}}
        status, answer = self.commweb(order, 1, body)
        assert status in (200, 201), answer
        return order

    def refuse(self, merchant=None, code="amount_differs_from_token"):
        """Has the gateway refuse a call, and gives it once it is listed: a token for another amount than the one that is asked for, or
        for another merchant."""
        token = self.mint("5.00", merchant=merchant)
        status, answer = self.commweb(f"order-{secrets.token_hex(4)}", 1, {
            "apiOperation": "PAY", "order": {"amount": "6.00", "currency": "USD", "walletProvider": "APPLE_PAY"},
            "sourceOfFunds": {"type": "CARD", "provided": {"card": {"devicePayment": {"paymentToken": token}}}}, "transaction": {"source": "INTERNET"}})
        assert status >= 400, answer
        # Refused calls are written a moment after their answer.
        until = time.monotonic() + 15
        while not (found := self.get(f"/refusals?code={code}&limit=1")["data"]):
            assert time.monotonic() < until, f"no call that was refused as {code} is listed"
            time.sleep(0.05)
        return found[0]

    def payment_of(self, order):
        """The payment of an order, as the API has it."""
        (found,) = self.get(f"/payments?merchant={self.merchant}&order={order}")["data"]
        return self.get(f"/payments/{found['id']}")

    @functools.cached_property
    def things(self):
        """One of each kind that has a page of its own, all of the demo merchant's: by what names it in the page's path."""
        own = self.merchant
        # Nobody listens there: the event stays on its way.
        order = self.pay("7.00", notificationUrl="http://127.0.0.1:9/events")
        payment = self.payment_of(order)
        day = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
        acquirer = self.get(f"/merchants/{own}/acquirers")["data"][0]["name"]
        mapping = {"name": "bank", "columns": {"date": "Day", "amount": "Sum", "currency": "Currency", "reference": ["RRN"], "type": "What"}, "types": {"SALE": "payment"}}
        status, imported = self.call("POST", f"/merchants/{own}/settlements", {
            "acquirer": acquirer, "name": "of-the-things.csv", "mapping": mapping,
            "text": f"Day,What,Sum,Currency,RRN\n{day},SALE,7.00,USD,{payment['operations'][0]['acquirerReference']}\n"})
        assert status == 201, imported
        person, _ = self.person("viewer", name="of-the-things", displayName="Of the things", merchants=[own])
        return {
            "payment": payment["id"], "order": order, "event": self.get(f"/events?payment={payment['id']}")["data"][0]["id"], "day": day, "acquirer": acquirer,
            "file": imported["file"]["id"], "person": self.get(f"/people/{person}")["id"], "refusal": self.refuse()["id"],
            "certificate": next(one["id"] for one in self.get(f"/merchants/{own}/certificates")["data"] if one["state"] == "active"),
        }


class Actions:
    """What a person does on a page: each click, each key that acts and each text is one action; moving the focus is none."""

    def __init__(self, page):
        self.page = page
        self.count = 0

    def press(self, key):
        """A key that moves the focus or opens search: part of the action that follows it."""
        self.page.keyboard.press(key)

    def type_and_enter(self, text):
        """A text and Enter: one action."""
        self.count += 1
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")

    def fill(self, locator, text):
        """What is typed into the field that has the focus belongs to the click that ends it."""
        locator.fill(text)

    def click(self, locator):
        self.count += 1
        locator.click()


class PortalMixin:
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.portal = Portal.shared()


class PortalTestCase(PortalMixin, BrowserTestCase):
    """Tests of the portal in Chromium."""

    def open(self, path="/portal/", expected=(), **options):
        page = self.page(expected=expected, **options)
        # Where a file goes is asked by the system's own dialog, which nobody answers here: files come as downloads.
        page.add_init_script("delete globalThis.showSaveFilePicker;")
        page.goto(self.portal.url + path)
        return page

    def sign_in(self, page, role="owner", **person):
        name, password = self.portal.person(role, **person)
        page.get_by_label("User name").fill(name)
        page.get_by_label("Password").fill(password)
        page.get_by_role("button", name="Sign in", exact=True).click()
        page.locator("nav.menu").wait_for(state="attached")

    def signed_in(self, role="owner", path="/portal/", expected=(), person=None, **options):
        """A page of a person with that role, at a path. (The question
        whether somebody is signed in is answered by 401; a person's stream too many by 429, and is asked for again later.)"""
        page = self.open(path, expected=[*expected, r"status of 401", r"status of 429", r"ERR_ABORTED|ERR_INCOMPLETE"], **options)
        self.sign_in(page, role, **(person or {}))
        self.settled(page)
        return page

    def go(self, page, path):
        """To another page, as a link does."""
        page.evaluate(
            "(path) => { document.querySelector('main h1')?.setAttribute('data-left', ''); return import('/portal/core/router.js').then(({ navigate }) => navigate(path)); }",
            path)
        self.until(page, "document.querySelector('main h1:not([data-left])')")
        self.settled(page)

    def settled(self, page):
        """Waits until the page shows what it has, and nothing of it is on its way."""
        page.locator("main h1").first.wait_for()
        self.until(page, f"!document.querySelector('{BUSY}')")

    def listen(self):
        """Listens until the test's end. The first look of a server to which nobody listened is at what there is, and nothing of that
        is reported: after it comes the first heartbeat."""
        heard = urllib.request.urlopen(urllib.request.Request(
            self.portal.url + "/admin/v1/stream", headers={"Authorization": f"Bearer {self.portal.line['admin']['token']}"}), timeout=60)
        self.addCleanup(heard.close)
        while b"heartbeat" not in (line := heard.readline()):
            self.assertTrue(line, "The stream ended.")

    def axe(self, page, context=None):
        """Fails with what axe-core finds."""
        # The page's own policy forbids a script that is put into it; the engine's debugger may.
        if not page.evaluate("Boolean(globalThis.axe)"):
            page.evaluate(axe_source() + "; undefined")
        self.assertEqual(page.evaluate(AXE, context), [], f"axe-core found this on {page.url}")

    def fits(self, page):
        """Nothing is wider than the screen."""
        wide = page.evaluate("""() => (document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('body *')]
            .filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && !element.parentElement.closest('.table-frame, pre, .behind-frame, .tabs, .code-counts')).map((element) => `${element.tagName}.${element.className} ${element.textContent.slice(0, 30)}`).slice(0, 8))""")
        self.assertEqual(wide, [], page.url)

    def looks(self, page, name, context=None):
        """The page in every width and scheme: it fits, axe-core finds nothing, and a picture is kept where somebody wants to look."""
        before = page.viewport_size
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 844 if width == 390 else 900})
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                self.fits(page)
                self.screenshot(page, f"portal-{name}-{width}-{scheme}")
                self.axe(page, context)
        page.emulate_media(color_scheme="light")
        page.set_viewport_size(before)

    def shows_no_secret(self, page):
        """Nothing of a card beyond its first six and last four digits, no password, no token stands in the page."""
        # Fifteen digits of Visa's (ISO 8583-1987 field 62.2) are no card number: all else of the page is searched.
        html = page.evaluate("""() => {
            const whole = document.documentElement.cloneNode(true);
            whole.querySelectorAll('[data-fact=networkReference]').forEach((fact) => fact.remove());
            return whole.outerHTML;
        }""")
        # Nor is the same in a webhook's message, or what that says of the terminal (ISO 8583-1987 field 61).
        html = re.sub(r'"(transactionId|transactionIdentifier|posData)": "\d+"', "", html)
        self.assertNotRegex(html, r"(?<![0-9a-f])\d{13,19}(?![0-9a-f])", "a whole card number")
        for secret in (PASSWORD, self.portal.line["admin"]["token"], self.portal.line["admin"]["password"]):
            self.assertNotIn(secret, html)


class PortalEngineCase(PortalMixin, EngineTestCase):
    """Tests of the portal in the engine named by `engine`."""

    def signed_in_tab(self, role="owner", path="/portal/", **person):
        tab = self.tab(self.portal.url, path)
        name, password = self.portal.person(role, **person)
        tab.until("document.querySelector('input[name=userName]')")
        tab.run("""const [name, password] = arguments;
            for (const [field, value] of [['userName', name], ['password', password]]) {
                const input = document.querySelector(`input[name=${field}]`);
                input.value = value;
                input.dispatchEvent(new Event('input', { bubbles: true }));
            }""", name, password)
        tab.click("document.querySelector('button[type=submit]')")
        tab.until("document.querySelector('nav.menu') && document.querySelector('main h1')")
        return tab


def axe_source():
    """axe-core, as its package brings it."""
    import axe_playwright_python

    return (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def portal_files():
    """The portal's files by their paths."""
    root = ROOT / "Web/portal"
    return {str(path.relative_to(root)): path for path in sorted(root.rglob("*")) if path.is_file()}
