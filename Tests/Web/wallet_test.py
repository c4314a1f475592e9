# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""The wallet for browsers without one, dropped into a shop of another origin by one script line, under a strict policy."""

import json
import pathlib
import re
import unittest
import urllib.parse

import accessibility
import servers
from harness import ROOT, SandboxTestCase, post_json

FIXTURE = pathlib.Path(__file__).resolve().parent / "fixtures/wallet-shop.js"
WALLET = "pomona-wallet-simulator"
PAY = "Confirm with side button"
# For how long the sheet shows an end before it goes.
DONE_MILLIS = 1_400
FAILED_MILLIS = 4_000
CONTACT_FIELDS = ["postalAddress", "name", "email", "phone"]
METHODS = [
    {"identifier": "slow", "label": "Slow", "detail": "Some days", "amount": "2.00"},
    {"identifier": "fast", "label": "Fast", "detail": "One day", "amount": "9.00"},
]


class _Shop(servers.Handler):
    """A page with one script line, and a server that asks the sandbox for merchant sessions."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        sandbox = self.server.sandbox
        if self.path.startswith("/page.js"):
            return self.answer("text/javascript", FIXTURE.read_bytes())
        attribute = " data-replace" if self.path == "/?replace" else ""
        page = (
            '<!DOCTYPE html><html lang="en"><title>Test shop</title>'
            f'<script src="{sandbox}/wallet/apple-pay-simulator.js"{attribute}></script>'
            '<h1>Test shop</h1><button id="pay">Pay</button><script src="/page.js"></script></html>')
        return self.answer("text/html; charset=utf-8", page.encode())

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        domain = self.server.session_domain or self.headers["Host"].split(":")[0]
        status, session = post_json(
            f"{self.server.sandbox}/shop/api/merchant-session",
            {"dialect": "commweb", "validationURL": body, "domain": domain})
        return self.answer("application/json", json.dumps(session).encode(), status)

    def answer(self, kind, body, status=200):
        sandbox = self.server.sandbox
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header(
            "Content-Security-Policy",
            f"default-src 'none'; script-src 'self' {sandbox}; connect-src 'self' {sandbox}; frame-src 'self'; base-uri 'none'; "
            "require-trusted-types-for 'script'")
        self.end_headers()
        self.wfile.write(body)


class ModulesTest(SandboxTestCase):
    def test_the_modules_work_without_the_bundle(self):
        page = self.page()
        page.goto(self.sandbox["http"].rstrip("/") + "/shop/icon.svg")
        page.evaluate("import('/wallet/modules/index.js')")
        self.assertEqual(page.evaluate("[ApplePaySession.canMakePayments(), ApplePaySession.supportsVersion(14)]"), [True, True])


class WalletTestCase(SandboxTestCase):
    """Tests with the shop of fixtures/wallet-shop.js."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = servers.Server(_Shop)
        cls.server.sandbox = cls.sandbox["http"].rstrip("/")
        cls.server.session_domain = None
        cls.origin = f"http://127.0.0.1:{cls.server.server_port}"
        cls.addClassCleanup(cls.server.stop)

    def shop(self, path="/", request=None, clock=False, listens=(), **options):
        """The shop. With `clock` the page's time stands still and is moved by page.clock.run_for: the sheet's last words stay."""
        page = self.page(**options)
        if clock:
            page.clock.install()
        page.goto(self.origin + path)
        page.evaluate("(changes) => Object.assign(shop.request, changes)", request or {})
        page.evaluate("(names) => shop.listens.push(...names)", list(listens))
        if clock:
            self.stop_time(page)
        return page

    def open(self, page):
        """Clicks the shop's button and waits for the sheet to ask for the payment."""
        page.click("#pay")
        page.get_by_role("button", name=PAY).wait_for()

    def log(self, page, name=None):
        entries = page.evaluate("shop.log")
        return entries if name is None else [entry[1] for entry in entries if entry[0] == name]

    def names(self, page):
        return [entry[0] for entry in self.log(page)]

    def answer_with(self, page, name, body):
        """What the shop does at an event: JavaScript with `event` and the session as `this`."""
        page.evaluate(f"() => {{ shop.handlers.{name} = function (event) {{ {body} }}; }}")

    def attempt(self, page, call):
        """The name of what the call throws, with a click just before it."""
        return page.evaluate(f"() => shop.attempt(() => {{ {call} }})")

    def threw(self, page, changes, version=6):
        """The name of what a new session throws; a change to None takes a member out."""
        page.evaluate(
            """([changes, version]) => {
                const request = { ...shop.request, ...changes };
                for (const [name, value] of Object.entries(changes)) { if (value === null) { delete request[name]; } }
                shop.atNextClick(() => new ApplePaySession(version, request));
            }""",
            [changes, version])
        page.click("h1")
        return page.evaluate("shop.thrown")

    def wait_for(self, page, name, count=1):
        page.wait_for_function("([name, count]) => shop.log.filter(([own]) => own === name).length >= count", arg=[name, count])

    def sheet_text(self, page):
        return page.locator(f"{WALLET} dialog").inner_text()

    def choose_card(self, page, name):
        page.get_by_role("button", name="Change card").click()
        page.get_by_role("radio", name=name).check()


class DefinitionTest(WalletTestCase):
    def test_defines_the_session_and_says_so_once(self):
        page = self.page()
        logged = []
        page.on("console", lambda message: logged.append(message.text))
        page.goto(self.origin)
        self.assertEqual(page.evaluate("typeof ApplePaySession"), "function")
        self.assertEqual(len([text for text in logged if "Pomona wallet simulator" in text]), 1, logged)
        self.assertIn("no money moves", logged[0])

    def test_leaves_a_session_alone_that_the_browser_has(self):
        page = self.page()
        page.add_init_script("globalThis.ApplePaySession = class Native {};")
        page.goto(self.origin)
        self.assertEqual(page.evaluate("ApplePaySession.name"), "Native")
        page.goto(self.origin + "/?replace")
        self.assertEqual(page.evaluate("ApplePaySession.name"), "ApplePaySession")

    def test_has_the_constants_of_apple(self):
        page = self.shop()
        names = ["SUCCESS", "FAILURE", "INVALID_BILLING_POSTAL_ADDRESS", "INVALID_SHIPPING_POSTAL_ADDRESS",
                 "INVALID_SHIPPING_CONTACT", "PIN_REQUIRED", "PIN_INCORRECT", "PIN_LOCKOUT"]
        values = page.evaluate("(names) => names.map((name) => ApplePaySession[`STATUS_${name}`])", names)
        self.assertEqual(values, list(range(8)))

    def test_answers_what_it_supports(self):
        page = self.shop()
        self.assertTrue(page.evaluate("ApplePaySession.canMakePayments()"))
        self.assertTrue(page.evaluate("ApplePaySession.canMakePaymentsWithActiveCard('merchant.dev.pomona')"))
        self.assertEqual(
            page.evaluate("ApplePaySession.applePayCapabilities('merchant.dev.pomona')"),
            {"paymentCredentialStatus": "paymentCredentialsAvailable"})
        self.assertEqual(
            page.evaluate("[1, 3, 14, 15].map((version) => ApplePaySession.supportsVersion(version))"), [True, True, True, False])
        self.assertEqual(self.attempt(page, "ApplePaySession.supportsVersion(0)"), "InvalidAccessError")

    def test_refuses_insecure_documents(self):
        script = (FIXTURE.parents[3] / "Web/wallet/apple-pay-simulator.js").read_text(encoding="utf-8")
        context = self.browser.new_context()
        self.addCleanup(context.close)
        page = context.new_page()
        page.route("**/*", lambda route: route.fulfill(
            content_type="text/javascript" if "js" in route.request.url else "text/html",
            body=script if "js" in route.request.url else '<script src="/apple-pay-simulator.js"></script>'))
        page.goto("http://shop.test/")
        self.assertEqual(
            page.evaluate("() => { try { ApplePaySession.canMakePayments() } catch (error) { return error.name } }"),
            "InvalidAccessError")


class RequestTest(WalletTestCase):
    def test_refuses_what_apple_refuses(self):
        page = self.shop()
        total = {"label": "Test", "amount": "1.00"}
        cases = [
            ("no country", {"countryCode": None}),
            ("no such country", {"countryCode": "ZZ"}),
            ("country in small letters", {"countryCode": "us"}),
            ("no currency", {"currencyCode": None}),
            ("no such currency", {"currencyCode": "ABC"}),
            ("no networks", {"supportedNetworks": None}),
            ("empty networks", {"supportedNetworks": []}),
            ("unknown network", {"supportedNetworks": ["visa", "visaa"]}),
            ("no capabilities", {"merchantCapabilities": None}),
            ("empty capabilities", {"merchantCapabilities": []}),
            ("unknown capability", {"merchantCapabilities": ["supports4DS"]}),
            ("no total", {"total": None}),
            ("total without a label", {"total": {"amount": "1.00"}}),
            ("total without an amount", {"total": {"label": "Test"}}),
            ("amount with a comma", {"total": {**total, "amount": "1,00"}}),
            ("amount with a currency", {"total": {**total, "amount": "1.00 USD"}}),
            ("empty amount", {"total": {**total, "amount": ""}}),
            ("negative total", {"total": {**total, "amount": "-1.00"}}),
            ("line item without an amount", {"lineItems": [{"label": "Item"}]}),
            ("line item of a wrong type", {"lineItems": [{"label": "Item", "amount": "1", "type": "later"}]}),
            ("shipping below zero", {"shippingMethods": [{**METHODS[0], "amount": "-2"}]}),
            *((f"shipping without {name}", {"shippingMethods": [{key: value for key, value in METHODS[0].items() if key != name}]})
              for name in METHODS[0]),
            ("shipping methods that are no list", {"shippingMethods": "slow"}),
            ("a total that is too big", {"total": {**total, "amount": "100000000.01"}}),
            ("a total of a wrong type", {"total": {**total, "type": "later"}}),
            ("a total of a wrong timing", {"total": {**total, "paymentTiming": "later"}}),
            ("line item of a wrong timing", {"lineItems": [{"label": "Item", "amount": "1", "paymentTiming": "later"}]}),
            ("line item of a wrong interval",
             {"lineItems": [{"label": "Item", "amount": "1", "recurringPaymentIntervalUnit": "fortnight"}]}),
            ("less than a cent", {"total": {**total, "amount": "1.005"}}),
            ("less than a yen", {"currencyCode": "JPY", "total": {**total, "amount": "100.50"}}),
            ("unknown editing mode", {"shippingContactEditingMode": "unavailable"}),
            ("unknown contact field", {"requiredShippingContactFields": ["shoeSize"]}),
            ("unknown shipping type", {"shippingType": "pigeon"}),
            ("wrong supported country", {"supportedCountries": ["US", "Germany"]}),
        ]
        for title, changes in cases:
            with self.subTest(title):
                self.assertEqual(self.threw(page, changes), "TypeError")

    def test_takes_what_apple_takes(self):
        page = self.shop()
        cases = [
            ("as it is", {}, 6),
            ("networks in any case", {"supportedNetworks": ["VISA", "MasterCard"]}, 1),
            ("an amount that is a number", {"total": {"label": "Test", "amount": 12}}, 6),
            ("a total of zero", {"total": {"label": "Test", "amount": "0"}}, 6),
            ("a discount", {"lineItems": [{"label": "Discount", "amount": "-1.00"}]}, 6),
            ("a pending line item without an amount", {"lineItems": [{"label": "Ride", "type": "pending"}]}, 6),
            ("the biggest total", {"total": {"label": "Test", "amount": "100000000.00"}}, 6),
            ("zeros after the last decimal", {"total": {"label": "Test", "amount": "1.500"}}, 6),
            ("a whole amount with decimals", {"currencyCode": "JPY", "total": {"label": "Test", "amount": "100.00"}}, 6),
            ("three decimals where there are three", {"currencyCode": "BHD", "total": {"label": "Test", "amount": "1.005"}}, 6),
            *((f"the editing mode {mode}", {"shippingContactEditingMode": mode}, 6) for mode in ("available", "enabled", "storePickup")),
        ]
        for title, changes, version in cases:
            with self.subTest(title):
                self.assertEqual(self.threw(page, changes, version), "")

    def test_knows_the_phonetic_name_from_version_three(self):
        page = self.shop()
        for name in ("requiredShippingContactFields", "requiredBillingContactFields"):
            with self.subTest(name):
                self.assertEqual(self.threw(page, {name: ["phoneticName"]}, 2), "TypeError")
                self.assertEqual(self.threw(page, {name: ["phoneticName"]}, 3), "")

    BILLING = {"label": "Monthly", "amount": "9.00", "paymentTiming": "recurring"}
    AGREEMENTS = {
        "recurringPaymentRequest": {
            "paymentDescription": "A year", "managementURL": "https://shop.example/own", "regularBilling": BILLING},
        "deferredPaymentRequest": {
            "paymentDescription": "A room", "managementURL": "https://shop.example/own",
            "deferredBilling": {**BILLING, "paymentTiming": "deferred"}},
        "automaticReloadPaymentRequest": {
            "paymentDescription": "A card", "managementURL": "https://shop.example/own",
            "automaticReloadBilling": {
                **BILLING, "paymentTiming": "automaticReload", "automaticReloadPaymentThresholdAmount": "5.00"}},
    }
    CONTEXT = {"merchantIdentifier": "m", "externalIdentifier": "e", "merchantName": "n", "amount": "1.00"}

    def test_takes_payments_to_come(self):
        page = self.shop()
        free = {"freeCancellationDate": 1_800_000_000_000, "freeCancellationDateTimeZone": "Asia/Taipei"}
        cases = [*({name: agreement} for name, agreement in self.AGREEMENTS.items()),
                 {"recurringPaymentRequest": {**self.AGREEMENTS["recurringPaymentRequest"], "trialBilling": self.BILLING}},
                 {"deferredPaymentRequest": {**self.AGREEMENTS["deferredPaymentRequest"], **free}},
                 {"multiTokenContexts": [self.CONTEXT]}]
        for changes in cases:
            with self.subTest(changes):
                self.assertEqual(self.threw(page, changes), "")

    def test_refuses_payments_to_come_without_what_webkit_requires(self):
        page = self.shop()
        wrong = [(name, key, None) for name, agreement in self.AGREEMENTS.items() for key in agreement]
        wrong += [(name, "managementURL", "own") for name in self.AGREEMENTS]
        wrong += [(name, "tokenNotificationURL", "/tokens") for name in self.AGREEMENTS]
        wrong += [
            ("recurringPaymentRequest", "regularBilling", {**self.BILLING, "paymentTiming": "deferred"}),
            ("recurringPaymentRequest", "trialBilling", {"label": "Trial", "amount": "0"}),
            ("recurringPaymentRequest", "regularBilling", {"label": "Monthly", "paymentTiming": "recurring"}),
            ("deferredPaymentRequest", "paymentDescription", ""),
            ("deferredPaymentRequest", "freeCancellationDate", 1),
            ("deferredPaymentRequest", "freeCancellationDateTimeZone", "Asia/Taipei"),
            ("automaticReloadPaymentRequest", "automaticReloadBilling", {**self.BILLING, "paymentTiming": "automaticReload"}),
        ]
        for name, key, value in wrong:
            with self.subTest(name, key=key):
                agreement = {**self.AGREEMENTS[name], key: value}
                self.assertEqual(self.threw(page, {name: {k: v for k, v in agreement.items() if v is not None}}), "TypeError")
        for key in self.CONTEXT:
            with self.subTest("multiTokenContexts", key=key):
                context = {own: value for own, value in self.CONTEXT.items() if own != key}
                self.assertEqual(self.threw(page, {"multiTokenContexts": [context]}), "TypeError")

    def test_knows_the_decimals_of_every_currency(self):
        own = re.findall(r'Currency\("([A-Z]{3})", \d+, (\d)\)', (ROOT / "Sources/Core/Money/ISO4217.swift").read_text(encoding="utf-8"))
        self.assertGreater(len(own), 150)
        page = self.page()
        page.goto(self.sandbox["http"].rstrip("/") + "/shop/icon.svg")
        decimals = page.evaluate(
            "(codes) => import('/wallet/modules/money.js').then(({ decimalsOf }) => codes.map(decimalsOf))", [code for code, _ in own])
        self.assertEqual(dict(zip((code for code, _ in own), decimals)), {code: int(exponent) for code, exponent in own})

    def test_knows_which_version_brought_a_network(self):
        page = self.shop()
        for network, version in [("jcb", 2), ("maestro", 4), ("mada", 5)]:
            with self.subTest(network):
                self.assertEqual(self.threw(page, {"supportedNetworks": [network]}, version - 1), "TypeError")
                self.assertEqual(self.threw(page, {"supportedNetworks": [network]}, version), "")

    def test_needs_a_gesture_and_a_version(self):
        page = self.shop("/?early")
        self.assertEqual(self.log(page, "early"), ["InvalidAccessError"])
        self.assertEqual(self.threw(page, {}, 99), "InvalidAccessError")
        self.assertEqual(self.threw(page, {}, 0), "InvalidAccessError")


class GestureTest(WalletTestCase):
    # What the handler of a click does before it makes a session, and whether it may then.
    WAYS = [
        ("nothing", "", ""), ("a promise that is settled", "await null; await undefined;", ""),
        ("a request", "await fetch('/page.js');", "InvalidAccessError"),
        ("a message", "await new Promise((resolve) => { const { port1, port2 } = new MessageChannel();"
                      " port2.onmessage = resolve; port1.postMessage(0); });", "InvalidAccessError"),
    ]
    MAKE = "shop.note('made', shop.attempt(() => new ApplePaySession(shop.version, shop.request)));"

    def test_a_session_is_made_in_the_handler_itself(self):
        for title, before, thrown in self.WAYS:
            with self.subTest(title):
                page = self.shop()
                page.evaluate(
                    f"() => document.querySelector('h1').addEventListener('click', async () => {{ {before} {self.MAKE} }})")
                page.click("h1")
                self.wait_for(page, "made")
                self.assertEqual(self.log(page, "made"), [thrown])

    def test_a_click_is_over_when_it_has_been_handled(self):
        page = self.shop()
        page.click("h1")
        self.assertTrue(page.evaluate("navigator.userActivation.isActive"))
        self.assertEqual(self.attempt(page, "new ApplePaySession(shop.version, shop.request)"), "InvalidAccessError")
        self.assertEqual(
            page.evaluate("() => { try { new ApplePaySession(shop.version, shop.request); } catch (error) { return error.message; } }"),
            "Must create a new ApplePaySession from a user gesture handler. Await nothing before it there.")

    def test_a_click_that_a_script_made_is_no_gesture(self):
        page = self.shop()
        page.evaluate(f"() => {{ const h1 = document.querySelector('h1'); h1.addEventListener('click', () => {{ {self.MAKE} }}); h1.click(); }}")
        self.assertEqual(self.log(page, "made"), ["InvalidAccessError"])
        # Unless it is made within one.
        page.evaluate("() => document.querySelector('#pay').addEventListener('mousedown', () => document.querySelector('h1').click())")
        page.locator("#pay").dispatch_event("mousedown")
        page.locator("#pay").hover()
        page.mouse.down()
        self.assertEqual(self.log(page, "made"), ["InvalidAccessError", "InvalidAccessError", ""])

    def test_a_form_that_is_sent_by_key_is_a_gesture(self):
        page = self.shop()
        page.evaluate("""() => {
            const form = document.createElement('form');
            form.append(Object.assign(document.createElement('input'), { id: 'field' }));
            document.body.append(form);
            form.addEventListener('submit', (event) => { event.preventDefault(); MAKE });
        }""".replace("MAKE", self.MAKE))
        page.focus("#field")
        page.keyboard.press("Enter")
        self.wait_for(page, "made")
        self.assertEqual(self.log(page, "made"), [""])

    def test_a_handler_that_comes_first_and_keeps_the_click_to_itself(self):
        page = self.page()
        page.add_init_script(f"""addEventListener('click', (event) => {{
            event.stopImmediatePropagation();
            {self.MAKE}
        }}, true);""")
        page.goto(self.origin)
        page.click("h1")
        self.assertEqual(self.log(page, "made"), [""])

    def framed(self):
        """The shop with itself in a frame, and what the frame is."""
        page = self.shop()
        page.evaluate("() => { document.body.append(Object.assign(document.createElement('iframe'), { src: '/?frame' })); }")
        page.frame_locator("iframe").locator("h1").wait_for()
        return page, page.frames[1]

    def at_click(self, frame, call):
        frame.evaluate(f"() => document.querySelector('h1').addEventListener('click', () => {{ {call} }})")

    def is_opened_and_closed(self, page, frame):
        frame.locator(f"{WALLET} dialog").wait_for()
        frame.evaluate("shop.session.abort()")
        self.assertEqual(self.log(page, "threw"), [])

    def test_a_button_may_pay_in_another_frame_of_its_page(self):
        page, inside = self.framed()
        self.at_click(inside, "parent.shop.open();")
        inside.click("h1")
        self.is_opened_and_closed(page, page)
        self.at_click(page, "frames[0].shop.open();")
        page.click("h1")
        self.is_opened_and_closed(page, inside)
        inside.click("#pay")
        inside.get_by_role("button", name=PAY).click()
        inside.wait_for_function("() => shop.log.some(([name]) => name === 'paymentauthorized')")

    def test_a_message_carries_the_gesture_of_a_frame(self):
        page, inside = self.framed()
        page.evaluate("() => addEventListener('message', () => shop.open())")
        self.at_click(inside, "parent.postMessage('pay', '*');")
        inside.click("h1")
        self.is_opened_and_closed(page, page)

    def test_a_message_without_one_carries_none(self):
        page = self.page()
        page.add_init_script(f"addEventListener('message', () => {{ {self.MAKE} }}); addEventListener('load', () => postMessage('pay'));")
        page.goto(self.origin)
        self.wait_for(page, "made")
        self.assertEqual(self.log(page, "made"), ["InvalidAccessError"])


class PaymentTest(WalletTestCase):
    def test_mints_a_token_with_nothing_asked_for(self):
        page = self.shop(clock=True)
        self.open(page)
        self.assertIn("$12.50", self.sheet_text(page))
        self.assertNotIn("Ship to", self.sheet_text(page))
        page.get_by_role("button", name=PAY).click()
        page.get_by_text("Done", exact=True).wait_for()
        (payment,) = self.log(page, "paymentauthorized")
        self.assertEqual(list(payment), ["token"])
        token = payment["token"]
        self.assertEqual(token["paymentMethod"], {"displayName": "Visa 1234", "network": "Visa", "type": "credit"})
        self.assertRegex(token["transactionIdentifier"], "^[0-9A-Fa-f]{64}$")
        self.assertEqual(sorted(token["paymentData"]), ["data", "header", "signature", "version"])
        self.assertEqual(self.names(page), ["validatemerchant", "paymentauthorized"])
        page.clock.run_for(DONE_MILLIS)
        page.locator(WALLET).wait_for(state="detached")

    def test_shows_a_redacted_contact_before_and_what_was_asked_for_after(self):
        page = self.shop(
            request={"countryCode": "CA", "currencyCode": "CAD", "requiredShippingContactFields": CONTACT_FIELDS,
                     "requiredBillingContactFields": ["postalAddress", "name"]},
            listens=["shippingcontactselected", "paymentmethodselected"])
        for name in ("shippingcontactselected", "paymentmethodselected"):
            method = {"shippingcontactselected": "completeShippingContactSelection",
                      "paymentmethodselected": "completePaymentMethodSelection"}[name]
            self.answer_with(page, name, f"this.{method}({{ newTotal: shop.request.total }});")
        self.open(page)
        (seen,) = self.log(page, "shippingcontactselected")
        self.assertEqual(seen, {
            "addressLines": [], "administrativeArea": "ON", "country": "Canada", "countryCode": "CA", "familyName": "",
            "givenName": "", "locality": "Ottawa", "phoneticFamilyName": "", "phoneticGivenName": "", "postalCode": "K1A",
            "subAdministrativeArea": "", "subLocality": ""})
        # "PassKit populates this property only when the app doesn't request a shipping address" (PKPaymentMethod.billingAddress).
        self.assertEqual(self.log(page, "paymentmethodselected"), [{"type": "credit"}])
        page.get_by_role("button", name=PAY).click()
        self.wait_for(page, "paymentauthorized")
        (payment,) = self.log(page, "paymentauthorized")
        shipping = payment["shippingContact"]
        self.assertEqual(
            (shipping["givenName"], shipping["familyName"], shipping["postalCode"], shipping["emailAddress"],
                shipping["phoneNumber"],
             shipping["addressLines"]),
            ("Robin", "Tremblay", "K1A 0B1", "sample.shopper@example.com", "+1 613 555 0134", ["18 Sample Street"]))
        self.assertNotIn("emailAddress", payment["billingContact"])
        self.assertEqual(payment["billingContact"]["country"], "Canada")

    def test_shows_a_redacted_billing_contact_with_the_card(self):
        page = self.shop(request={"countryCode": "CA", "currencyCode": "CAD", "requiredBillingContactFields": ["postalAddress"]},
                         listens=["paymentmethodselected"])
        self.answer_with(
            page, "paymentmethodselected", "this.completePaymentMethodSelection({ newTotal: shop.request.total });")
        self.open(page)
        (method,) = self.log(page, "paymentmethodselected")
        contact = method["billingContact"]
        self.assertEqual((method["type"], contact["locality"], contact["postalCode"], contact["countryCode"]),
                         ("credit", "Ottawa", "K1A", "CA"))
        self.assertEqual((contact["givenName"], contact["familyName"], contact["addressLines"]), ("", "", []))
        self.choose_card(page, "MasterCard 2345")
        self.wait_for(page, "paymentmethodselected", 2)
        self.assertEqual(self.log(page, "paymentmethodselected")[1]["billingContact"], contact)

    def test_an_address_comes_with_the_name(self):
        fields = ["postalAddress"]
        page = self.shop(request={"requiredShippingContactFields": fields, "requiredBillingContactFields": fields})
        self.open(page)
        page.get_by_role("button", name="Edit: Ship to").click()
        page.get_by_label("First name").fill("Kim")
        page.get_by_role("button", name="Save").click()
        page.get_by_role("button", name=PAY).click()
        self.wait_for(page, "paymentauthorized")
        (payment,) = self.log(page, "paymentauthorized")
        self.assertEqual([(contact["givenName"], contact["familyName"], contact.get("emailAddress"))
                          for contact in (payment["shippingContact"], payment["billingContact"])],
                         [("Kim", "Sample", None), ("Jamie", "Sample", None)])

    def test_edits_the_contact(self):
        page = self.shop(request={"requiredShippingContactFields": CONTACT_FIELDS}, listens=["shippingcontactselected"])
        self.answer_with(page, "shippingcontactselected",
            "this.completeShippingContactSelection({ newTotal: shop.request.total });")
        self.open(page)
        page.get_by_role("button", name="Edit: Ship to").click()
        page.get_by_label("City").fill("")
        page.get_by_role("button", name="Save").click()
        self.assertEqual(page.get_by_label("City").get_attribute("aria-invalid"), "true")
        self.assertEqual(len(self.log(page, "shippingcontactselected")), 1)
        page.get_by_label("City").fill("Oakland")
        page.get_by_label("First name").fill("Kim")
        page.get_by_role("button", name="Save").click()
        self.wait_for(page, "shippingcontactselected", 2)
        self.assertEqual(self.log(page, "shippingcontactselected")[1]["locality"], "Oakland")
        self.assertIn("Kim Sample", self.sheet_text(page))

    def test_takes_a_prefilled_contact_and_leaves_a_pickup_address_alone(self):
        page = self.shop(request={
            "requiredShippingContactFields": ["postalAddress", "name"], "shippingType": "storePickup",
            "shippingContactEditingMode": "storePickup",
            "shippingContact": {"givenName": "Store", "familyName": "Seven", "addressLines": ["7 Shop Street"],
                "locality": "Reno",
                                "postalCode": "89501", "countryCode": "US"}})
        self.open(page)
        self.assertIn("7 Shop Street, Reno", self.sheet_text(page))
        self.assertIn("Pick up at", self.sheet_text(page))
        self.assertEqual(page.get_by_role("button", name="Edit: Pick up at").count(), 0)

    def test_changes_the_sum_with_the_shipping_method(self):
        page = self.shop(
            request={"shippingMethods": METHODS, "lineItems": [{"label": "Goods", "amount": "12.50"}]},
            listens=["shippingmethodselected"])
        self.answer_with(page, "shippingmethodselected", """this.completeShippingMethodSelection({
            newTotal: { label: 'Test shop', amount: '21.50' }, newLineItems: [{ label: 'Goods', amount: '12.50' },
            { label: event.shippingMethod.label, amount: event.shippingMethod.amount }] });""")
        self.open(page)
        self.assertEqual(self.log(page, "shippingmethodselected"), [])
        page.get_by_role("radio", name="Fast").check()
        self.wait_for(page, "shippingmethodselected")
        self.assertEqual(self.log(page, "shippingmethodselected"), [METHODS[1]])
        page.get_by_text("$21.50").wait_for()

    def test_shows_pending_amounts(self):
        page = self.shop(request={
            "total": {"label": "Test shop", "amount": "1", "type": "pending"},
            "lineItems": [{"label": "Ride", "type": "pending"}, {"label": "Booking", "amount": "2.00"}]})
        self.open(page)
        text = self.sheet_text(page)
        for words in ("AMOUNT PENDING", "Pending", "$2.00"):
            self.assertIn(words, text)
        self.assertNotIn("$1.00", text)

    def test_takes_a_coupon(self):
        page = self.shop(request={"supportsCouponCode": True, "couponCode": "SPRING"}, listens=["couponcodechanged"])
        self.answer_with(page, "couponcodechanged", """this.completeCouponCodeChange(event.couponCode === 'GOOD'
            ? { newTotal: { label: 'Test shop', amount: '10.00' } }
            : { newTotal: shop.request.total, errors: [new ApplePayError('couponCodeInvalid')] });""")
        self.open(page)
        code = page.get_by_label("Coupon code")
        self.assertEqual(code.input_value(), "SPRING")
        page.get_by_role("button", name="Apply").click()
        page.get_by_text("The coupon code is not valid.").wait_for()
        code.fill("GOOD")
        page.get_by_role("button", name="Apply").click()
        page.get_by_text("$10.00").wait_for()
        self.assertEqual(page.get_by_text("The coupon code is not valid.").count(), 0)

    def test_offers_the_cards_that_the_shop_accepts(self):
        page = self.shop(request={"supportedNetworks": ["masterCard"], "merchantCapabilities": ["supports3DS", "supportsCredit"]})
        self.open(page)
        page.get_by_role("button", name="Change card").click()
        enabled = page.locator(f"{WALLET} .option:not(:has(:disabled)) .name").all_inner_texts()
        self.assertIn("MasterCard 2345", enabled)
        self.assertTrue(all(name.startswith("MasterCard") for name in enabled), enabled)
        self.assertNotIn("MasterCard 6789", enabled)  # A debit card.

    def test_preselects_the_network_of_a_co_badged_card_by_the_order_of_the_request(self):
        for networks, name, network in [
            (["girocard", "masterCard", "visa"], "girocard 3012", "girocard"),
            (["masterCard", "girocard", "visa"], "MasterCard 3012", "MasterCard"),
        ]:
            with self.subTest(networks):
                page = self.shop(request={"supportedNetworks": networks})
                self.open(page)
                self.choose_card(page, name)
                choices = page.get_by_role("group", name="Card network")
                self.assertEqual(
                    choices.get_by_role("radio").evaluate_all("radios => radios.map((radio) => radio.value)"), networks[:2])
                self.assertTrue(choices.get_by_role("radio", name=name.split(" ")[0]).is_checked())
                page.get_by_role("button", name=PAY).click()
                self.wait_for(page, "paymentauthorized")
                method = self.log(page, "paymentauthorized")[0]["token"]["paymentMethod"]
                self.assertEqual(method, {"displayName": name, "network": network, "type": "debit"})

    def test_lets_the_customer_choose_the_network_of_a_co_badged_card(self):
        page = self.shop(request={"supportedNetworks": ["girocard", "visa", "masterCard"]})
        self.open(page)
        self.choose_card(page, "girocard 3012")
        choice = page.get_by_role("group", name="Card network").get_by_role("radio", name="MasterCard")
        choice.check()
        self.assertTrue(choice.is_checked())
        self.assertIn("MasterCard 3012", self.sheet_text(page))
        page.get_by_role("button", name=PAY).click()
        self.wait_for(page, "paymentauthorized")
        self.assertEqual(self.log(page, "paymentauthorized")[0]["token"]["paymentMethod"]["network"], "MasterCard")

    def test_offers_no_choice_where_the_shop_takes_one_of_the_networks(self):
        page = self.shop(request={"supportedNetworks": ["masterCard", "visa"]})
        self.open(page)
        self.choose_card(page, "Visa 3013")
        self.assertFalse(page.get_by_role("group", name="Card network").is_visible())
        page.get_by_role("button", name=PAY).click()
        self.wait_for(page, "paymentauthorized")
        self.assertEqual(self.log(page, "paymentauthorized")[0]["token"]["paymentMethod"]["displayName"], "Visa 3013")

    def test_has_no_card_for_a_shop_that_takes_none_of_them(self):
        page = self.shop(request={"supportedNetworks": ["interac"]})
        page.click("#pay")
        page.get_by_text("No card that this shop accepts").wait_for()
        self.assertEqual(page.get_by_role("button", name="No accepted card").get_attribute("aria-disabled"), "true")

    def test_pays_with_a_passcode(self):
        page = self.shop()
        self.open(page)
        page.get_by_role("button", name="Use passcode").click()
        page.get_by_label("Passcode", exact=True).fill("000000")
        page.keyboard.press("Enter")
        page.locator(f"{WALLET} #passcode-hint").get_by_text("Wrong passcode. Try another.").wait_for()
        page.get_by_label("Passcode", exact=True).fill("135790")
        page.keyboard.press("Enter")
        self.wait_for(page, "paymentauthorized")

    def test_takes_the_calls_of_version_two(self):
        page = self.shop(
            request={"shippingMethods": METHODS, "requiredShippingContactFields": ["postalAddress"]}, clock=True,
            listens=["shippingmethodselected", "shippingcontactselected", "paymentmethodselected"])
        page.evaluate("shop.version = 2")
        self.answer_with(page, "paymentmethodselected",
            "this.completePaymentMethodSelection({ label: 'A', amount: '13.00' }, []);")
        self.answer_with(
            page, "shippingcontactselected",
            "this.completeShippingContactSelection(0, shop.request.shippingMethods, { label: 'B', amount: '14.00' }, []);")
        self.answer_with(page, "shippingmethodselected",
            "this.completeShippingMethodSelection(0, { label: 'C', amount: '15.00' }, []);")
        self.answer_with(page, "paymentauthorized", "this.completePayment(ApplePaySession.STATUS_SUCCESS);")
        self.open(page)
        page.get_by_text("$14.00").wait_for()
        page.get_by_role("radio", name="Fast").check()
        page.get_by_text("$15.00").wait_for()
        page.get_by_role("button", name=PAY).click()
        page.get_by_text("Done", exact=True).wait_for()


class RefusalTest(WalletTestCase):
    def test_shows_the_errors_of_the_shop_and_lets_another_card_try(self):
        page = self.shop(request={"requiredShippingContactFields": CONTACT_FIELDS}, clock=True)
        self.answer_with(page, "paymentauthorized", """this.completePayment(shop.log.length < 3 ? { status: 1, errors: [
            new ApplePayError('shippingContactInvalid', 'postalCode', 'No such postal code'),
            new ApplePayError('addressUnserviceable')] } : { status: 0 });""")
        self.open(page)
        page.get_by_role("button", name=PAY).click()
        alert = page.locator(f"{WALLET} .banner")
        alert.wait_for()
        self.assertIn("Payment not completed.", alert.inner_text())
        self.assertIn("No such postal code", alert.inner_text())
        self.assertIn("does not deliver to this address", alert.inner_text())
        self.assertEqual(page.locator(f"{WALLET} .block.wrong").get_attribute("aria-label"), "Ship to")
        self.choose_card(page, "MasterCard 2345")
        page.get_by_role("button", name=PAY).click()
        page.get_by_text("Done", exact=True).wait_for()
        first, second = self.log(page, "paymentauthorized")
        self.assertNotEqual(first["token"]["transactionIdentifier"], second["token"]["transactionIdentifier"])
        self.assertEqual(second["token"]["paymentMethod"]["network"], "MasterCard")

    def test_the_sheet_says_the_end_that_the_shop_gave_the_simulator(self):
        text = "<b>Not</b> done"
        end = "{ kind: 'KIND', say: '" + text + "', more: 'Why.', code: 'code 51' }"
        for kind, call in (("declined", f"this.completePayment({{ status: 1, simulatedEnd: {end} }})"),
                           ("refused", f"this.completePayment({{ status: 1, simulatedEnd: {end} }})"), ("unknown", f"this.abort({end})")):
            with self.subTest(kind):
                page = self.shop(clock=True)
                self.answer_with(page, "paymentauthorized", call.replace("KIND", kind) + ";")
                self.open(page)
                page.get_by_role("button", name=PAY).click()
                page.locator(f"{WALLET} .sign.{kind}").wait_for()
                for words in (text, "Why.", "code 51"):
                    self.assertIn(words, self.sheet_text(page))
                self.assertEqual(page.locator(f"{WALLET} .stage b").count(), 0)
                self.assertEqual(accessibility.findings(page, WALLET), [])
                page.clock.run_for(FAILED_MILLIS)
                page.locator(f"{WALLET} dialog").wait_for(state="detached")
                self.assertEqual(self.log(page, "cancel"), [])

    def test_an_end_that_is_none_is_not_said(self):
        for end in ("'declined'", "null", "7", "{ kind: 'taken', say: 'Paid' }", "{ kind: 'declined' }", "{ say: 'Paid' }"):
            page = self.shop(clock=True)
            self.answer_with(page, "paymentauthorized", f"this.completePayment({{ status: 1, simulatedEnd: {end} }});")
            self.open(page)
            page.get_by_role("button", name=PAY).click()
            page.get_by_text("Payment not completed", exact=True).wait_for()
            self.assertNotIn("Paid", self.sheet_text(page))
        page = self.shop()
        self.open(page)
        page.evaluate("shop.session.abort({ kind: 'paid', say: 'Paid' })")
        self.assertEqual(page.locator(WALLET).count(), 0)

    def test_a_failure_without_errors_is_shown_and_closes_the_sheet(self):
        why = "{ status: 1, errors: [], simulatedEnd: { kind: 'failed', say: 'Payment not completed', more: 'The shop is busy.' } }"
        for argument, reason in [("1", "The shop did not accept"), ("{ status: 1 }", "The shop did not accept"),
                                 ("{ status: 1, errors: [] }", "The shop did not accept"), (why, "The shop is busy.")]:
            with self.subTest(argument):
                page = self.shop(clock=True)
                self.answer_with(page, "paymentauthorized", f"this.completePayment({argument});")
                self.open(page)
                page.get_by_role("button", name=PAY).click()
                page.get_by_text("Payment not completed", exact=True).wait_for()
                self.assertIn(reason, self.sheet_text(page))
                # The session is over: nothing can be confirmed, and a new one may begin.
                self.assertTrue(page.get_by_role("button", name=PAY).is_hidden())
                self.assertEqual(self.attempt(page, "shop.session.completePayment({ status: 0 })"), "InvalidAccessError")
                self.assertEqual(self.attempt(page, "shop.session.abort()"), "InvalidAccessError")
                page.clock.run_for(FAILED_MILLIS)
                page.locator(f"{WALLET} dialog").wait_for(state="detached")
                self.assertEqual(self.log(page, "cancel"), [])
                self.assertEqual(len(self.log(page, "paymentauthorized")), 1)

    def test_no_other_answer_is_final(self):
        unknown = "errors: [new ApplePayError('unknown', undefined, 'Try again.')]"
        for argument, reason in [(f"{{ status: 1, {unknown} }}", "Try again."), (f"{{ status: 0, {unknown} }}", "Try again."),
                                 ("5", "asks for the card's PIN"), ("6", "PIN was wrong"), ("{ status: 7 }", "PIN is locked"),
                                 ("3", "The shipping contact is not valid")]:
            with self.subTest(argument):
                page = self.shop(clock=True)
                self.answer_with(
                    page, "paymentauthorized", f"this.completePayment(shop.log.length < 3 ? {argument} : {{ status: 0 }});")
                self.open(page)
                page.get_by_role("button", name=PAY).click()
                banner = page.locator(f"{WALLET} .banner")
                banner.wait_for()
                self.assertIn(reason, banner.inner_text())
                # The same sheet goes on, with the same merchant session.
                page.get_by_role("button", name=PAY).click()
                page.get_by_text("Done", exact=True).wait_for()
                self.assertEqual(self.names(page), ["validatemerchant", "paymentauthorized", "paymentauthorized"])

    def test_errors_are_apple_pay_errors(self):
        page = self.shop(clock=True, listens=["paymentmethodselected"])
        attempts = "for (const errors of [['no'], [{ code: 'unknown' }], 'no', null, {}]) { shop.note('threw', shop.attempt(() => CALL)); }"
        self.answer_with(
            page, "paymentmethodselected",
            attempts.replace("CALL", "this.completePaymentMethodSelection({ newTotal: { label: 'A', amount: '3.00' }, errors })")
            + " this.completePaymentMethodSelection({ newTotal: { label: 'B', amount: '4.00' }, errors: [] });")
        self.answer_with(
            page, "paymentauthorized",
            attempts.replace("CALL", "this.completePayment({ status: 1, errors })") + " this.completePayment({ status: 0 });")
        self.open(page)
        page.get_by_text("$4.00").wait_for()
        page.get_by_role("button", name=PAY).click()
        page.get_by_text("Done", exact=True).wait_for()
        self.assertEqual(self.log(page, "threw"), ["TypeError"] * 10)

    def test_waits_for_another_address(self):
        page = self.shop(request={"requiredShippingContactFields": ["postalAddress"]}, listens=["shippingcontactselected"])
        self.answer_with(page, "shippingcontactselected", """this.completeShippingContactSelection({ newTotal: shop.request.total,
            errors: event.shippingContact.locality === 'Reno' ? [] : [new ApplePayError('addressUnserviceable')] });""")
        page.click("#pay")
        page.get_by_role("button", name="Correct the address first").click(force=True)
        self.assertEqual(self.log(page, "paymentauthorized"), [])
        page.get_by_role("button", name="Edit: Ship to").click()
        page.get_by_label("City").fill("Reno")
        page.get_by_role("button", name="Save").click()
        page.get_by_role("button", name=PAY).click()
        self.wait_for(page, "paymentauthorized")

    def test_refuses_errors_that_apple_does_not_know(self):
        page = self.shop()
        self.assertEqual(self.attempt(page, "new ApplePayError('nonsense')"), "TypeError")
        self.assertEqual(self.attempt(page, "new ApplePayError('unknown', 'shoeSize')"), "TypeError")
        self.assertEqual(
            page.evaluate("(() => { const { code, contactField, message } = new ApplePayError('unknown', 'name', 'No');"
                          " return [code, contactField, message]; })()"), ["unknown", "name", "No"])

    def test_refuses_a_forged_merchant_session(self):
        page = self.shop(expected=["could not be validated", "status of 400"])
        self.answer_with(page, "validatemerchant",
            "this.completeMerchantValidation({ merchantSessionIdentifier: 'SSH', signature: 'x' });")
        page.click("#pay")
        page.get_by_text("The shop could not be validated").wait_for()
        (error,) = self.log(page, "cancel")
        self.assertEqual(error["code"], "session_forged")
        page.get_by_role("button", name="Close").click()
        self.assertEqual(page.locator(WALLET).count(), 0)

    def test_a_merchant_session_is_for_one_sheet(self):
        page = self.shop(expected=["could not be validated", "status of 400"])
        # The shop keeps its session and hands it on again.
        self.answer_with(page, "validatemerchant", """
            shop.kept ??= fetch('/session', { method: 'POST', body: event.validationURL }).then((answer) => answer.json());
            shop.kept.then((session) => this.completeMerchantValidation(session));""")
        self.open(page)
        page.keyboard.press("Escape")
        self.wait_for(page, "cancel")
        page.click("#pay")
        page.get_by_text("It can be used a single time").wait_for()
        self.assertEqual(self.log(page, "cancel")[1]["code"], "session_used")

    def test_refuses_a_merchant_session_of_another_domain(self):
        page = self.shop(expected=["could not be validated", "status of 400"])
        self.server.session_domain = "localhost"
        self.addCleanup(setattr, self.server, "session_domain", None)
        page.click("#pay")
        page.get_by_text("another domain").wait_for()
        self.assertEqual(self.log(page, "cancel")[0]["code"], "domain_differs")

    def test_refuses_a_merchant_session_that_is_no_object(self):
        page = self.shop()
        self.answer_with(page, "validatemerchant",
            "shop.note('threw', shop.attempt(() => this.completeMerchantValidation('{}')));")
        page.click("#pay")
        self.wait_for(page, "threw")
        self.assertEqual(self.log(page, "threw"), ["TypeError"])


class LifeTest(WalletTestCase):
    def test_cancels_by_button_and_by_escape(self):
        for close in (lambda page: page.get_by_role("button", name="Cancel").click(), lambda page: page.keyboard.press("Escape")):
            page = self.shop()
            self.open(page)
            close(page)
            self.wait_for(page, "cancel")
            self.assertEqual(page.locator(WALLET).count(), 0)
            self.assertEqual(self.attempt(page, "shop.session.abort()"), "InvalidAccessError")
            self.assertEqual(page.evaluate("document.activeElement.id"), "pay")

    def test_aborts_without_an_event(self):
        page = self.shop()
        self.open(page)
        page.evaluate("shop.session.abort()")
        self.assertEqual(page.locator(WALLET).count(), 0)
        self.assertEqual(self.log(page, "cancel"), [])
        self.assertEqual(self.attempt(page, "shop.session.abort()"), "InvalidAccessError")

    def test_begins_once_and_one_at_a_time(self):
        page = self.shop()
        self.open(page)
        self.assertEqual(self.attempt(page, "shop.session.begin()"), "InvalidAccessError")
        page.evaluate("shop.atNextClick(() => new ApplePaySession(6, shop.request).begin())")
        page.get_by_role("heading", name="Wallet simulator").click()
        self.assertEqual(page.evaluate("shop.thrown"), "InvalidAccessError")
        page.keyboard.press("Escape")
        self.open(page)
        self.assertEqual(page.locator(WALLET).count(), 1)

    def test_refuses_calls_that_nothing_waits_for(self):
        page = self.shop()
        self.open(page)
        total = "{ newTotal: shop.request.total }"
        calls = [
            "completeMerchantValidation({})", f"completePaymentMethodSelection({total})",
            f"completeShippingMethodSelection({total})", f"completeShippingContactSelection({total})",
            f"completeCouponCodeChange({total})", "completePayment({ status: 0 })",
        ]
        for call in calls:
            with self.subTest(call):
                self.assertEqual(self.attempt(page, f"shop.session.{call}"), "InvalidAccessError")

    def test_refuses_a_wrong_answer_and_takes_a_right_one_after_it(self):
        page = self.shop(listens=["paymentmethodselected"])
        self.answer_with(page, "paymentmethodselected", """
            for (const wrong of [undefined, {}, { newTotal: { label: 'A' } }, { newTotal: { label: 'A', amount: 'x' } }]) {
                shop.note('threw', shop.attempt(() => this.completePaymentMethodSelection(wrong)));
            }
            this.completePaymentMethodSelection({ newTotal: { label: 'A', amount: '3.00' } });""")
        self.open(page)
        self.assertEqual(self.log(page, "threw"), ["TypeError"] * 4)
        page.get_by_text("$3.00").wait_for()

    def test_refuses_a_status_that_is_none(self):
        page = self.shop()
        self.answer_with(page, "paymentauthorized", """
            shop.note('threw', shop.attempt(() => this.completePayment({ status: 9 })));
            this.completePayment({ status: ApplePaySession.STATUS_PIN_LOCKOUT });""")
        self.open(page)
        page.get_by_role("button", name=PAY).click()
        page.get_by_text("The card's PIN is locked.").wait_for()
        self.assertEqual(self.log(page, "threw"), ["InvalidAccessError"])

    def test_cannot_be_cancelled_while_the_shop_is_paying(self):
        page = self.shop(clock=True)
        self.answer_with(page, "paymentauthorized", "")
        self.open(page)
        page.get_by_role("button", name=PAY).click()
        self.wait_for(page, "paymentauthorized")
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        self.assertTrue(page.get_by_role("button", name="Cancel").is_disabled())
        self.assertTrue(page.locator(f"{WALLET} dialog").is_visible())
        page.evaluate("shop.session.completePayment({ status: 0 })")
        page.get_by_text("Done", exact=True).wait_for()
        self.assertEqual(self.log(page, "cancel"), [])


class PatienceTest(WalletTestCase):
    def test_gives_up_thirty_seconds_after_the_authorization(self):
        page = self.shop(clock=True, expected=["did not answer within 30 seconds"])
        self.answer_with(page, "paymentauthorized", "")
        self.open(page)
        page.get_by_role("button", name=PAY).click()
        self.wait_for(page, "paymentauthorized")
        page.clock.run_for(29_000)
        self.assertEqual(self.log(page, "cancel"), [])
        page.clock.run_for(1_500)
        page.get_by_text("Payment not completed").wait_for()
        self.assertEqual(len(self.log(page, "cancel")), 1)
        self.assertEqual(self.attempt(page, "shop.session.completePayment({ status: 0 })"), "InvalidAccessError")
        page.get_by_role("button", name="Close").click()
        self.assertEqual(len(self.log(page, "cancel")), 1)

    def test_gives_up_on_a_shop_that_is_never_validated(self):
        page = self.shop(clock=True, expected=["did not answer within 30 seconds"])
        self.answer_with(page, "validatemerchant", "")
        page.click("#pay")
        self.wait_for(page, "validatemerchant")
        page.clock.run_for(30_500)
        page.get_by_text("completeMerchantValidation").wait_for()
        self.assertEqual(len(self.log(page, "cancel")), 1)

    def test_gives_up_on_a_choice_that_is_never_answered(self):
        page = self.shop(clock=True, expected=["did not answer within 30 seconds"], listens=["paymentmethodselected"])
        page.click("#pay")
        self.wait_for(page, "paymentmethodselected")
        self.assertEqual(page.get_by_role("button", name="Updating…").get_attribute("aria-disabled"), "true")
        page.clock.run_for(30_500)
        self.wait_for(page, "cancel")

    def test_a_slow_network_takes_longer(self):
        page = self.shop(clock=True)
        self.open(page)
        page.get_by_text("Simulated phone").click()
        page.get_by_role("radio", name="Slow").check()
        page.get_by_role("button", name=PAY).click()
        page.get_by_text("The simulated phone makes and signs").wait_for()
        page.clock.run_for(5_500)
        self.assertEqual(self.log(page, "paymentauthorized"), [])
        page.clock.run_for(1_000)
        self.wait_for(page, "paymentauthorized")

    def test_a_lost_network_can_be_found_again(self):
        page = self.shop()
        self.open(page)
        page.get_by_text("Simulated phone").click()
        page.get_by_role("radio", name="Lost").check()
        page.get_by_role("button", name=PAY).click()
        page.get_by_text("The simulated phone has no network").wait_for()
        self.assertEqual(self.log(page, "paymentauthorized"), [])
        page.get_by_role("radio", name="Normal").check()
        page.get_by_role("button", name=PAY).click()
        self.wait_for(page, "paymentauthorized")

    def test_says_so_when_the_sandbox_is_not_there(self):
        page = self.shop(expected=["cannot be opened", "ERR_FAILED"])
        page.route("**/wallet/api/**", lambda route: route.abort())
        page.click("#pay")
        page.get_by_text("does not answer").wait_for()
        self.assertEqual(self.log(page, "cancel")[0]["code"], "unreachable")
        self.assertFalse(page.evaluate("ApplePaySession.canMakePaymentsWithActiveCard('merchant.dev.pomona')"))


class AccessibilityTest(WalletTestCase):
    REQUEST = {
        "requiredShippingContactFields": CONTACT_FIELDS, "requiredBillingContactFields": ["postalAddress", "name"],
        "shippingMethods": METHODS, "supportsCouponCode": True,
        "lineItems": [{"label": "Goods", "amount": "10.50"}, {"label": "Later", "type": "pending"}],
    }

    def test_is_a_named_modal_dialog_that_says_what_it_is(self):
        page = self.shop()
        self.open(page)
        dialog = page.get_by_role("dialog", name="Wallet simulator")
        self.assertEqual(dialog.get_attribute("aria-modal"), "true")
        self.assertIn("no money moves", self.sheet_text(page))
        self.assertNotIn("Apple Pay", self.sheet_text(page))

    def test_nothing_is_amiss_in_any_phase(self):
        for scheme in ("light", "dark"):
            for width in (390, 1280):
                with self.subTest(scheme=scheme, width=width):
                    page = self.shop(
                        request=self.REQUEST, color_scheme=scheme, viewport={"width": width, "height": 844})
                    self.answer_with(
                        page, "paymentauthorized",
                        "this.completePayment({ status: 1, errors: [new ApplePayError('shippingContactInvalid', 'name')] });")
                    self.open(page)
                    self.assertEqual(accessibility.findings(page, WALLET), [])
                    page.get_by_role("button", name="Change card").click()
                    page.get_by_role("button", name="Edit: Ship to").click()
                    page.get_by_text("Simulated phone").click()
                    page.get_by_role("button", name="Use passcode").click()
                    self.assertEqual(accessibility.findings(page, WALLET), [])
                    self.screenshot(page, f"wallet-open-{scheme}-{width}")
                    page.get_by_role("button", name="Use side button").click()
                    page.get_by_role("button", name=PAY).click()
                    page.locator(f"{WALLET} .banner").wait_for()
                    self.assertEqual(accessibility.findings(page, WALLET), [])
                    self.screenshot(page, f"wallet-refused-{scheme}-{width}")
                    fits = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
                    self.assertTrue(fits, "The sheet makes the page wider than the screen.")

    def test_keeps_the_focus_inside(self):
        page = self.shop(request=self.REQUEST)
        self.open(page)
        page.evaluate("""() => { globalThis.outside = 0;
            document.addEventListener('focusin', (event) => { outside += event.target.id === 'pay' ? 1 : 0; }); }""")
        for key in ("Tab", "Shift+Tab"):
            seen = []
            for _ in range(40):
                page.keyboard.press(key)
                seen.append(page.evaluate(
                    f"document.querySelector('{WALLET}').shadowRoot.activeElement?.textContent.slice(0, 30) ?? 'lost'"))
            self.assertNotIn("lost", seen)
            self.assertIn(PAY, seen)
            self.assertIn("Cancel", seen)
        self.assertEqual(page.evaluate("outside"), 0)

    def test_pays_by_keyboard_alone(self):
        page = self.shop(request=self.REQUEST)
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.get_by_role("button", name=PAY).wait_for()
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate(f"document.querySelector('{WALLET}').shadowRoot.activeElement.textContent") == PAY:
                break
        page.keyboard.press("Enter")
        self.wait_for(page, "paymentauthorized")

    def test_moves_nothing_for_those_who_want_less_motion(self):
        page = self.shop()
        self.open(page)
        moving = page.evaluate(
            f"document.querySelector('{WALLET}').shadowRoot.querySelector('dialog').getAnimations({{ subtree: true }})"
            ".filter((animation) => animation.playState === 'running').length")
        self.assertEqual(moving, 0)


if __name__ == "__main__":
    unittest.main()
