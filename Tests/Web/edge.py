# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""For tests of the SDK alone: a shop's server and the network edge of a gateway, each with an origin of its own.

The shop's pages have the strict Content-Security-Policy of docs/tpdirect-web.md. The gateway serves the SDK and answers its two
requests with what the test says.
"""

import datetime
import json
import pathlib
import threading
import urllib.parse

import servers
from harness import ROOT, BrowserTestCase

SDK = ROOT / "Web/sdk"
FIXTURES = pathlib.Path(__file__).resolve().parent / "fixtures"
# The scripted wallets, as the shop's page loads them.
APPLE_PAY_SESSION = ("/fixtures/scripted-apple-pay-request.js", "/fixtures/scripted-apple-pay-session.js")
PAYMENT_REQUEST = ("/fixtures/scripted-payment-request.js",)

PAYMENT_DATA = {
    "version": "EC_v1",
    "data": "ZGF0YQ==",
    "signature": "c2lnbmF0dXJl",
    "header": {"publicKeyHash": "aGFzaA==", "ephemeralPublicKey": "a2V5", "transactionId": "c0ffee"},
}
# The buyer's own card: another number than the device's account, which is in CARD_INFO.
PAYMENT_METHOD = {"displayName": "MasterCard 1881", "network": "MasterCard", "type": "credit"}
CONTACT = {
    "givenName": "小明",
    "familyName": "王",
    "emailAddress": "ming@example.com",
    "phoneNumber": "+886 900 000 000",
    "addressLines": ["信義路五段7號", "89樓"],
    "locality": "信義區",
    "subLocality": "西村里",
    "administrativeArea": "台北市",
    "postalCode": "110",
    "country": "Taiwan",
    "countryCode": "TW",
}
ADDRESS = {
    "country": "TW",
    "addressLine": ["信義路五段7號", "89樓"],
    "region": "台北市",
    "city": "信義區",
    "dependentLocality": "西村里",
    "postalCode": "110",
    "sortingCode": "",
    "languageCode": "",
    "organization": "",
    "recipient": "王小明",
    "phone": "+886 900 000 000",
}
SESSION = {"epochTimestamp": 1, "nonce": "n", "signature": "s"}
PRIME = "test_" + "6a" * 28
CARD_INFO = {
    "bincode": "424242", "lastfour": "4242", "issuer": "A BANK", "issuer_zh_tw": "一銀行", "bank_id": "000", "funding": 1,
    "type": 1, "level": "CLASSIC", "country": "TAIWAN", "countrycode": "TW",
}
GRANTED = {"status": 0, "msg": "Success", "merchant_session": SESSION}
PRIMED = {
    "status": 0, "msg": "Success", "prime": PRIME, "client_ip": "192.0.2.7", "card_info": CARD_INFO,
    "merchant_reference_info": {"affiliate_codes": ["GOLD1"]}, "prime_expiry_millis": 1_700_000_090_000,
}
MORNING = datetime.datetime(2026, 6, 15, 6)
NOON = datetime.datetime(2026, 6, 15, 12)


class Held:
    """An answer that comes when the test lets it."""

    def __init__(self, answer):
        self.answer = answer
        self._let = threading.Event()
        self.asked = threading.Event()

    def release(self):
        self._let.set()

    def wait(self):
        self.asked.set()
        self._let.wait(30)
        return self.answer


class Raw:
    """An answer that is not as it should be."""

    def __init__(self, body, status=200, content_type="text/html"):
        self.body = body
        self.status = status
        self.content_type = content_type


class Edge:
    """The two servers. `answers` maps "session" and "prime" to a JSON value, a Raw, or a Held of either.

    With a `gateway` there is only the shop's server, and its pages may load from and connect to that gateway.
    """

    def __init__(self, gateway=None):
        self._servers = []
        self.answers = {"session": GRANTED, "prime": PRIMED}
        self.requests = []
        self.gateway = gateway or self._start()
        self.shop = self._start()

    def _start(self):
        edge = self

        class Handler(servers.Handler):
            def do_GET(self):
                edge.serve(self)

            def do_POST(self):
                edge.answer(self)

            def do_OPTIONS(self):
                self.send_response(204)
                self.send_header("Access-Control-Allow-Origin", "*")
                self.send_header("Access-Control-Allow-Headers", "content-type, x-api-key")
                self.send_header("Access-Control-Allow-Methods", "POST")
                self.end_headers()

        server = servers.Server(Handler)
        self._servers.append(server)
        return f"http://localhost:{server.server_port}"

    def stop(self):
        for server in self._servers:
            server.stop()

    @staticmethod
    def page_path(scripts):
        """The shop's page with these scripts."""
        return "/?" + urllib.parse.urlencode({"script": scripts}, doseq=True)

    def policy(self):
        return f"default-src 'none'; script-src 'self' {self.gateway}; connect-src {self.gateway}; base-uri 'none'"

    @staticmethod
    def _send(handler, status, content_type, body, headers=()):
        try:
            handler.send_response(status)
            handler.send_header("Content-Type", content_type)
            handler.send_header("Content-Length", str(len(body)))
            handler.send_header("X-Content-Type-Options", "nosniff")
            for name, value in headers:
                handler.send_header(name, value)
            handler.end_headers()
            handler.wfile.write(body)
        except OSError:
            pass  # The browser went away, as it does when a request is given up.

    def serve(self, handler):
        url = urllib.parse.urlsplit(handler.path)
        if url.path == "/":
            query = urllib.parse.parse_qs(url.query)
            scripts = "".join(f'<script src="{source}"></script>' for source in query.get("script", []))
            page = f'<!doctype html><html lang="en"><title>Shop</title><button id="pay">Pay</button>{scripts}</html>'
            self._send(handler, 200, "text/html; charset=utf-8", page.encode(),
                       [("Content-Security-Policy", self.policy())])
            return
        folders = {"/fixtures/": FIXTURES, "/sdk/tpdirect/modules/": SDK / "modules"}
        for prefix, folder in folders.items():
            if url.path.startswith(prefix):
                self._script(handler, folder / pathlib.PurePosixPath(url.path).name)
                return
        if url.path.startswith(("/sdk/tpdirect/v", "/tpdirect/v")):
            self._script(handler, SDK / "tpdirect.js")
            return
        self._send(handler, 404, "text/plain", b"")

    def _script(self, handler, path):
        cors = [("Access-Control-Allow-Origin", "*")]
        self._send(handler, 200, "text/javascript; charset=utf-8", path.read_bytes(), cors)

    def answer(self, handler):
        kind = {"/tpc/applepay/getsession": "session", "/tpc/applepay/getprime": "prime"}[handler.path]
        body = handler.rfile.read(int(handler.headers["Content-Length"]))
        self.requests.append((kind, {name.lower(): value for name, value in handler.headers.items()}, json.loads(body)))
        answer = self.answers[kind]
        if isinstance(answer, Held):
            answer = answer.wait()
        if not isinstance(answer, Raw):
            answer = Raw(json.dumps(answer), content_type="application/json")
        self._send(handler, answer.status, answer.content_type, answer.body.encode(), [("Access-Control-Allow-Origin", "*")])

    def asked(self, kind):
        return [body for asked, _, body in self.requests if asked == kind]


class SettingsEdge(Edge):
    """A shop's server that hands the page what the test says, for engines that run no script before the page's own."""

    settings = None
    wallet = None

    def serve(self, handler):
        if urllib.parse.urlsplit(handler.path).path == "/settings.js":
            text = f"globalThis.shopSettings = {json.dumps(self.settings)}; globalThis.walletConfig = {json.dumps(self.wallet)};"
            self._send(handler, 200, "text/javascript; charset=utf-8", text.encode())
        else:
            super().serve(handler)


class UsualShop:
    """What every test of the SDK has: the usual shop, at an origin of its own. Beside a BrowserTestCase."""

    def start_edge(self, gateway=None):
        self.edge = Edge(gateway=gateway)
        self.addCleanup(self.edge.stop)

    def visit(self, page, scripts, settings):
        """Opens the shop with scripts, its own last. `settings` is what it hands to the SDK."""
        page.add_init_script(f"globalThis.shopSettings = {json.dumps(settings or {})};")
        page.goto(self.edge.shop + self.edge.page_path([*scripts, "/fixtures/usual-shop.js"]))

    def result(self, page):
        """What getPrime's callback got, which must have been called exactly once."""
        self.until(page, "shop.results.length > 0")
        page.evaluate("new Promise((resolve) => queueMicrotask(resolve))")
        results = page.evaluate("shop.results")
        self.assertEqual(len(results), 1, results)
        return results[0]


class SDKTestCase(UsualShop, BrowserTestCase):
    """A test of the SDK with a scripted wallet and a scripted gateway."""

    wallet_scripts = ()

    def setUp(self):
        self.start_edge()

    def blank(self, **options):
        """A page of the gateway's origin, from which modules can be imported."""
        page = self.page(**options)
        page.goto(self.edge.gateway + "/")
        return page

    def shop(self, wallet=None, settings=None, sdk="/sdk/tpdirect/v5.19.2", expected=(), clock=False):
        """The usual shop, set up. `wallet` configures the scripted wallet, `settings` what the shop hands to the SDK.

        With `clock` the page's time stands still and is moved by page.clock.run_for.
        """
        page = self.page(expected=expected)
        if clock:
            page.clock.install(time=MORNING)
        page.add_init_script(f"globalThis.walletConfig = {json.dumps(wallet or {})};")
        self.visit(page, [*self.wallet_scripts, self.edge.gateway + sdk], settings)
        if clock:
            page.clock.pause_at(NOON)
        return page

    def open_sheet(self, page):
        """The buyer's click; waits until the merchant is validated."""
        page.click("#pay")
        self.until(page, "wallet.calls.some((call) => ['completeMerchantValidation', 'merchantSession'].includes(call.name))")

    def calls(self, page, name=None):
        """What the SDK called on the wallet."""
        calls = page.evaluate("wallet.calls")
        return [call["args"] for call in calls if call["name"] == name] if name else [call["name"] for call in calls]


def changed(base, **changes):
    """A copy of a dictionary with other values; None takes a key out."""
    merged = {**base, **changes}
    return {key: value for key, value in merged.items() if value is not None}
