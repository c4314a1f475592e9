# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""The demo shop against a running sandbox: every payment service, every end that a payment can come to, and every reader."""

import re
import subprocess
import unittest

import accessibility
from harness import SandboxTestCase

WALLET = "pomona-wallet-simulator"
PAY = "Confirm with side button"
DIALECTS = ["tappay", "alphapay", "commweb", "payone", "radial"]
DECLINING = "Visa 0051"
LOST = "Visa 0068"
PRODUCT = "teapot"
PHONE = {"width": 360, "height": 780}

# Keeps what the sheet says while it is on the screen: it goes by itself.
SEEN = """
globalThis.sheetSeen = [];
const look = () => {
    const root = document.querySelector('pomona-wallet-simulator')?.shadowRoot;
    const sign = root?.querySelector('.stage:not([hidden]) .sign');
    if (sign) { sheetSeen.push(`${sign.getAttribute('class')} ${root.querySelector('.stage').textContent}`); }
    requestAnimationFrame(look);
};
look();
"""


# A wallet whose sheet stays whatever it is answered; the test confirms on it.
STAYING = """
globalThis.ApplePaySession = class {
    static STATUS_SUCCESS = 0;
    static STATUS_FAILURE = 1;
    static canMakePayments() { return true; }
    constructor() { globalThis.stayingSheet = this; }
    answers = [];
    begin() {}
    completePayment(answer) { this.answers.push(answer); }
};
"""


class ShopTestCase(SandboxTestCase):
    def shop(self, dialect="commweb", full=True, clock=False, prepare=None, **options):
        """The shop with one thing in the cart. With `clock` a test may stop the page's time."""
        page = self.page(**options)
        if clock:
            page.clock.install()
        if prepare:
            prepare(page)
        page.goto(f"{self.sandbox['http'].rstrip('/')}/?dialect={dialect}")
        if full:
            self.add(page)
        return page

    def add(self, page):
        page.locator(f"#products [data-product={PRODUCT}]").click()

    def open_sheet(self, page):
        page.locator("#pay:enabled").click()
        page.get_by_role("button", name=PAY).wait_for()

    def choose_card(self, page, name):
        page.get_by_role("button", name="Change card").click()
        page.get_by_role("radio", name=name).check()

    def confirm(self, page):
        page.get_by_role("button", name=PAY).click()

    def wait_for_order(self, page, state):
        page.wait_for_function("(state) => document.getElementById('order-view').dataset.state === state", arg=state)
        page.get_by_role("heading", name="Your order").wait_for()

    def operation(self, page, name):
        return page.locator(f"#order-actions [data-operation={name}]")

    def pay(self, page, card=None, state="authorized"):
        self.open_sheet(page)
        if card:
            self.choose_card(page, card)
        self.confirm(page)
        self.wait_for_order(page, state)

    def state(self, page):
        return page.locator("#order-view").get_attribute("data-state")

    def wait_for_entry(self, page, kind):
        page.locator(f".exchange .entry.{kind}").first.wait_for()

    def wait_for_quiet(self, page):
        """Until two polls have brought nothing new."""
        page.wait_for_function("""() => {
            const count = document.querySelectorAll('.exchange .entry').length;
            globalThis.sameFor = globalThis.lastCount === count ? (globalThis.sameFor ?? 0) + 1 : 0;
            globalThis.lastCount = count;
            return globalThis.sameFor >= 2;
        }""", polling=1600)

    def config(self, page):
        return page.evaluate("fetch('/shop/api/config').then((answer) => answer.json())")


class HappyPathTest(ShopTestCase):
    def follow_to(self, page, name, state):
        self.operation(page, name).click()
        self.wait_for_order(page, state)

    def pays(self, dialect):
        page = self.shop(dialect)
        total = page.locator("#sum-total").inner_text()
        self.open_sheet(page)
        self.confirm(page)
        page.get_by_role("heading", name="Your order").wait_for()
        page.wait_for_function("() => ['authorized', 'captured'].includes(document.getElementById('order-view').dataset.state)")
        self.assertEqual(page.locator("#order-amount").inner_text(), total)
        for kind in ("browser", "request", "response", "outcome", "ledger"):
            self.wait_for_entry(page, kind)
        self.assertEqual(page.locator(".exchange .entry.failed").count(), 0)
        return page

    def test_pays_captures_and_refunds_through_every_service(self):
        for dialect in DIALECTS:
            with self.subTest(dialect):
                page = self.pays(dialect)
                if self.state(page) == "authorized":
                    self.follow_to(page, "capture", "captured")
                    self.assertTrue(self.operation(page, "capture").is_disabled())
                    self.assertTrue(self.operation(page, "void").is_disabled())
                self.follow_to(page, "refund", "refunded")
                # They stay in their places, and none can be pressed.
                self.assertEqual(page.locator("#order-actions button:enabled").count(), 0)
                self.screenshot(page, f"shop-refunded-{dialect}")

    def test_voids_through_every_service_that_only_authorizes(self):
        for dialect in DIALECTS:
            with self.subTest(dialect):
                page = self.pays(dialect)
                if dialect == "alphapay":  # Its payments are captured at once; it has neither capture nor void.
                    self.assertEqual(page.locator("#order-actions button").all_inner_texts(), ["Refund CA$43.50\npayments/refund"])
                else:
                    self.follow_to(page, "void", "voided")

    def test_shows_the_stages_of_the_token_but_none_of_its_secrets(self):
        page = self.shop("commweb")
        self.assertEqual(page.locator("#verification .layer.waiting").count(), 6)
        self.pay(page)
        page.locator("#verification[data-state=passed]").wait_for()
        self.assertEqual(page.locator("#verification .layer.passed").evaluate_all("(tabs) => tabs.map((tab) => tab.textContent)"), [
            f"{name}: Passed" for name in
            ["Signature", "Certificate chain", "Apple's markers", "Signing time", "Merchant's key", "Amount"]])
        self.assertIn("32.00 USD, as the payment sheet showed it", page.locator("#verification").inner_text())
        page.get_by_role("tab", name="Signature").click()
        page.get_by_text("The signature over the signed attributes was made with the leaf's key.").wait_for()
        self.wait_for_quiet(page)
        text = page.locator("#exchange-body").inner_text()
        numbers = re.findall(r"(?<![0-9a-fA-F-])(?:3[4-7]|35|4|5|6)[0-9]{11,17}(?![0-9a-fA-F-])", text)
        self.assertEqual([number for number in numbers if self.passes_luhn(number)], [])
        # Long base64 would be the token's data, its signature or a key. The address of a transaction is as long, and just that.
        address = r"/api/rest/version/[0-9]+/merchant/POMONA/order/S[0-9a-f]{16}/transaction/S[0-9a-f]{16}"
        self.assertEqual(re.findall(r"[A-Za-z0-9+/]{80,}", re.sub(address, "", text)), [])

    @staticmethod
    def passes_luhn(number):
        doubled = (sum(divmod(int(digit) * (2 if index % 2 else 1), 10)) for index, digit in enumerate(reversed(number)))
        return sum(doubled) % 10 == 0

    def test_tappay_pays_by_a_prime_that_the_sdk_fetched(self):
        page = self.shop("tappay")
        calls = []
        page.on("request", lambda request: calls.append(request.url.split("?")[0].split("/", 3)[3]))
        self.pay(page)
        for path in ("tpc/applepay/getsession", "wallet/api/payments", "tpc/applepay/getprime", "shop/api/orders"):
            self.assertIn(path, calls)
        self.assertNotIn("shop/api/merchant-session", calls)
        # The shop never sees the token; that there is a prime says that the gateway verified it.
        page.locator("#verification[data-state=passed]").wait_for()
        self.assertIn("before the SDK got its prime", page.locator("#verification").inner_text())

    def test_the_buyer_of_the_sheet_is_the_buyer_of_the_payment(self):
        for dialect, name in (("tappay", "Mei-Ling Chen"), ("radial", "Jamie")):
            with self.subTest(dialect):
                page = self.shop(dialect)
                self.pay(page)
                page.locator(".exchange .entry.request", has_text=name).first.wait_for()

    def test_a_paid_cart_is_empty_afterwards(self):
        page = self.shop()
        self.pay(page)
        page.get_by_text("The cart is empty.").wait_for()
        self.assertTrue(page.locator("#pay").is_disabled())
        page.locator("#order-close").click()
        self.assertTrue(page.locator("#order-view").is_hidden())
        self.assertEqual(page.evaluate("document.activeElement.id"), "checkout")
        self.assertEqual(page.locator(".exchange .entry").count(), 0)


class SumTest(ShopTestCase):
    def test_shipping_that_is_chosen_in_the_sheet_is_what_the_server_charges(self):
        for dialect in ("tappay", "commweb"):
            with self.subTest(dialect):
                page = self.shop(dialect)
                before = page.locator("#sum-total").inner_text()
                self.open_sheet(page)
                self.assertIn(before, page.locator(f"{WALLET} .total").inner_text().replace(".00",
                    "" if dialect == "tappay" else ".00"))
                page.locator(f"{WALLET} input[name=method]").nth(1).check()
                page.wait_for_function(
                    f"(before) => !document.querySelector('{WALLET}').shadowRoot.querySelector('.total').textContent.includes(before)",
                    arg=before)
                in_sheet = page.locator(f"{WALLET} .total .amount").inner_text()
                self.confirm(page)
                self.wait_for_order(page, "authorized")
                charged = page.locator("#order-amount").inner_text()
                self.assertEqual(charged, in_sheet.removesuffix(".00") if dialect == "tappay" else in_sheet)
                self.assertNotEqual(charged, before)

    def test_the_sheet_begins_with_the_shipping_of_the_page(self):
        for dialect in ("tappay", "payone"):
            with self.subTest(dialect):
                page = self.shop(dialect)
                label = page.locator("#shipping .choice").nth(1)
                label.locator("input").check()
                self.open_sheet(page)
                chosen = page.locator(f"{WALLET} .option:has(input[name=method]:checked)").inner_text().split("\n")[0]
                self.assertEqual(chosen, label.locator("span").first.inner_text().split("\n")[0])

    def test_counts_without_fractions(self):
        page = self.shop("commweb", full=False)
        config = self.config(page)
        price = next(product for product in config["products"] if product["id"] == PRODUCT)["priceMinor"]["USD"]
        for _ in range(3):
            self.add(page)
        self.assertEqual(page.locator("#sum-goods").inner_text(), f"${price * 3 // 100}.{price * 3 % 100:02d}")
        page.get_by_role("button", name="One less").click()
        self.assertEqual(page.locator("#sum-goods").inner_text(), f"${price * 2 // 100}.{price * 2 % 100:02d}")
        values = page.evaluate("""async () => {
            const { decimalText, minorUnits, shownMoney } = await import('/shop/money.js');
            return [decimalText(5, 2), decimalText(1250, 2), decimalText(1280, 0), decimalText(-5, 2), minorUnits('12.5', 2),
                minorUnits('1280.00', 0), minorUnits('0.07', 2), shownMoney(9007199254740991, 'USD', 2)];
        }""")
        self.assertEqual(values, ["0.05", "12.50", "1280", "-0.05", 1250, 1280, 7, "$90,071,992,547,409.91"])

    def test_prices_follow_the_payment_service(self):
        page = self.shop("tappay")
        self.assertIn("NT$", page.locator("#sum-total").inner_text())
        page.get_by_role("radio", name="PAYONE").check()
        self.assertIn("€", page.locator("#sum-total").inner_text())
        self.assertIn("€", page.locator("#pay").inner_text())
        self.assertIn("PAYONE", page.locator("#dialect-words").inner_text())


class OtherEndsTest(ShopTestCase):
    def test_a_closed_sheet_pays_nothing(self):
        for dialect in ("tappay", "radial"):
            with self.subTest(dialect):
                page = self.shop(dialect)
                self.open_sheet(page)
                page.keyboard.press("Escape")
                page.get_by_text("The sheet was closed. Nothing was paid.").wait_for()
                self.assertTrue(page.locator("#pay").is_enabled())
                self.assertEqual(page.locator(".exchange .entry.request").count(), 0)

    def test_a_declined_card_closes_the_sheet_and_another_pays_the_next_order(self):
        page = self.shop("commweb", clock=True)
        self.open_sheet(page)
        self.choose_card(page, DECLINING)
        self.stop_time(page)
        self.confirm(page)
        page.get_by_text("Declined by the bank", exact=True).wait_for()
        self.screenshot(page, "shop-declined-in-sheet")
        page.clock.resume()
        self.wait_for_order(page, "declined")
        page.locator(f"{WALLET} dialog").wait_for(state="detached")
        self.pay(page, "Visa 1234")
        self.assertEqual(page.locator("#orders-list .order-words strong").all_inner_texts(),
                         ["Payment authorized", "Payment declined"])

    def test_a_sheet_that_stays_after_its_end_makes_no_second_order(self):
        page = self.shop("commweb", prepare=lambda page: page.add_init_script(STAYING), expected=["status of 503"])
        orders = []
        page.on("request", lambda request: request.url.endswith("/shop/api/orders") and orders.append(request.url))
        page.route("**/shop/api/orders/*/pay", lambda route: route.fulfill(
            status=503, json={"error": {"code": "overloaded", "message": "The shop is busy."}}))
        page.locator("#pay:enabled").click()
        for count in (1, 2):
            page.evaluate("stayingSheet.onpaymentauthorized({ payment: { token: { paymentMethod: { displayName: 'Visa 1234' } } } })")
            page.wait_for_function("(count) => stayingSheet.answers.length === count", arg=count)
        # Neither has an ApplePayError, which would keep the sheet.
        self.assertEqual(page.evaluate("stayingSheet.answers.map(({ status, errors }) => [status, errors ?? null])"), [[1, None]] * 2)
        self.assertEqual(page.evaluate("stayingSheet.answers[0].simulatedEnd.more"), "The shop is busy.")
        self.assertEqual(len(orders), 1)

    def test_a_declined_payment_is_an_order_that_was_declined(self):
        for dialect in DIALECTS:
            with self.subTest(dialect):
                page = self.shop(dialect, prepare=lambda page: page.add_init_script(SEEN))
                self.open_sheet(page)
                self.choose_card(page, DECLINING)
                self.confirm(page)
                self.wait_for_order(page, "declined")
                self.assertTrue(page.locator("#order-actions").is_hidden())
                self.wait_for_entry(page, "outcome")
                self.nothing_is_green(page)
                self.assertIn("enough money", page.locator("#order-codes").inner_text() if dialect != "tappay" else "enough money")
                self.screenshot(page, f"shop-declined-{dialect}")
                self.assertEqual(page.locator("#cart-lines li").count(), 1)

    def nothing_is_green(self, page):
        """No part of the page or of the sheet calls a payment good that is not."""
        self.assertEqual(page.locator(".order-state.tone-done, .order-row .tone-done, .entry.good").count(), 0)
        page.locator(WALLET).wait_for(state="detached")
        seen = page.evaluate("sheetSeen")
        self.assertEqual([text for text in seen if "good" in text or "accepted" in text], [])
        self.assertEqual(page.locator(".exchange").get_by_text("Accepted", exact=True).count(), 0)

    def test_an_unknown_outcome_is_neither_good_nor_bad(self):
        for dialect in DIALECTS:
            with self.subTest(dialect):
                # The page does not hear of it when the gateway finds out.
                page = self.shop(dialect, prepare=lambda page: page.add_init_script(SEEN), expected=["ERR_FAILED"])
                self.open_sheet(page)
                page.route("**/exchange?*", lambda route: route.abort())
                self.choose_card(page, LOST)
                self.confirm(page)
                page.get_by_role("heading", name="Your order").wait_for(timeout=60_000)
                # CommWeb answers when it has taken such a payment back (docs/dialects/commweb.md): nothing is unknown then.
                isTakenBack = dialect == "commweb"
                self.assertEqual(self.state(page), "declined" if isTakenBack else "unknown")
                self.nothing_is_green(page)
                if isTakenBack:
                    continue
                self.assertEqual(page.locator(".order-state.tone-unknown").count(), 1)
                self.assertIn("do not pay again", page.locator("#order-state").inner_text())
                # It may be paid: the goods are not offered to be paid once more.
                self.assertTrue(page.locator("#cart-empty").is_visible())

    def test_a_lost_answer_is_not_called_a_failure(self):
        page = self.shop("payone")
        self.open_sheet(page)
        self.choose_card(page, LOST)
        self.confirm(page)
        page.get_by_role("heading", name="Your order").wait_for(timeout=60_000)
        self.assertIn(self.state(page), ["unknown", "authorized", "declined"])
        self.screenshot(page, "shop-unknown")
        # The gateway finds out, and the page hears of it by itself.
        page.wait_for_function("() => document.getElementById('order-view').dataset.state !== 'unknown'", timeout=90_000)
        self.assertIn(self.state(page), ["authorized", "declined"])

    def test_a_server_that_is_too_slow_for_the_sheet(self):
        answers = []
        page = self.shop("commweb", clock=True, expected=["did not answer within 30 seconds"],
                         prepare=lambda page: page.route(
                             "**/shop/api/orders/*/pay", lambda route: answers.append(route)))
        self.open_sheet(page)
        self.stop_time(page)
        self.confirm(page)
        page.wait_for_function("() => document.querySelector('.exchange').innerText.includes('onpaymentauthorized')")
        self.wait_until(lambda: page.evaluate("0") == 0 and len(answers) == 1)  # Asking the page lets the route be called.
        page.clock.run_for(31_000)
        page.locator(WALLET).get_by_text("The shop did not answer within 30 seconds").wait_for()
        self.assertTrue(page.locator("#order-view").is_hidden())
        page.get_by_role("button", name="Close").click()
        # The payment was under way: its answer counts, though the sheet is gone.
        answers[0].continue_()
        self.wait_for_order(page, "authorized")

    def test_a_slow_network_of_the_phone(self):
        page = self.shop("payone", clock=True)
        self.open_sheet(page)
        page.get_by_text("Simulated phone").click()
        page.get_by_role("radio", name="Slow").check()
        self.stop_time(page)
        self.confirm(page)
        page.get_by_text("The simulated phone makes and signs").wait_for()
        page.clock.run_for(6_100)
        self.wait_for_order(page, "authorized")

    def test_a_merchant_session_that_cannot_be_had(self):
        page = self.shop("commweb", expected=["status of 502"], prepare=lambda page: page.route(
            "**/shop/api/merchant-session",
            lambda route: route.fulfill(status=502, json={"error": {"code": "merchant_session_failed",
                "message": "Apple said no."}})))
        page.locator("#pay:enabled").click()
        page.get_by_text("The shop could not be validated. Apple said no.").wait_for()
        self.assertEqual(page.locator(WALLET).count(), 0)

    def test_an_amount_that_the_server_does_not_share_is_not_paid(self):
        page = self.shop("commweb", prepare=lambda page: page.route("**/shop/api/orders", lambda route: route.fulfill(
            json={"orderId": "S0", "amountMinor": 1, "amount": "0.01", "currency": "USD"})), expected=["status of 404"])
        self.open_sheet(page)
        self.confirm(page)
        page.get_by_text("The server's amount is 0.01").first.wait_for()
        page.keyboard.press("Escape")
        page.locator("#pay-error").wait_for()


class DeferredTest(ShopTestCase):
    def test_a_pending_amount_is_paid_with_the_amount_of_the_server(self):
        page = self.shop("tappay")
        total = page.locator("#sum-total").inner_text()
        page.get_by_label("Amount pending").check()
        self.assertEqual(page.locator("#pay").inner_text().strip(), "Pay")
        self.open_sheet(page)
        self.assertIn("AMOUNT PENDING", page.locator(f"{WALLET} .total").inner_text())
        self.screenshot(page, "shop-amount-pending")
        self.confirm(page)
        self.wait_for_order(page, "authorized")
        self.assertEqual(page.locator("#order-amount").inner_text(), total)
        prime = page.locator(".exchange .entry.browser", has_text="TPDirect gave a prime").inner_text()
        self.assertRegex(prime, "expires 20")

    def test_no_other_service_offers_it(self):
        page = self.shop("tappay")
        self.assertTrue(page.locator("#deferred").is_visible())
        for dialect in DIALECTS[1:]:
            page.locator(f"#dialects input[value={dialect}]").check()
            self.assertTrue(page.locator("#deferred").is_hidden())


class CartTest(ShopTestCase):
    def test_adding_on_a_phone_is_seen_and_the_cart_is_a_tap_away(self):
        page = self.shop("payone", full=False, viewport=PHONE)
        self.assertTrue(page.locator("#cart-bar").is_hidden())
        self.add(page)
        page.get_by_text("1 in the cart", exact=True).wait_for()
        self.assertIn("Teapot: 1 in the cart", page.locator("#announcer").inner_text())
        bar = page.locator("#cart-bar")
        bar.wait_for()
        self.assertEqual(page.locator("#cart-bar-count").inner_text(), "1 item")
        self.assertEqual(page.locator("#cart-bar-total").inner_text(), page.locator("#sum-total").inner_text())
        box = bar.bounding_box()
        self.assertEqual(round(box["y"] + box["height"]), PHONE["height"])
        page.get_by_role("button", name="View cart").click()
        self.until(page, "document.getElementById('checkout').getBoundingClientRect().top < 100")
        page.locator("#pay").scroll_into_view_if_needed()
        bar.wait_for(state="hidden")

    def test_page_keeps_its_height_when_the_cart_bar_goes(self):
        # The pay button would move under the finger that is about to press it, and the press be lost.
        page = self.shop(viewport=PHONE)
        page.locator("#cart-bar").wait_for()
        height = page.evaluate("() => document.documentElement.scrollHeight")
        page.locator("#pay").scroll_into_view_if_needed()
        page.locator("#cart-bar").wait_for(state="hidden")
        self.assertEqual(page.evaluate("() => document.documentElement.scrollHeight"), height)

    def test_an_order_comes_into_view_on_a_phone(self):
        page = self.shop("payone", viewport=PHONE)
        self.pay(page)
        self.until(page, "document.getElementById('order-facts').getBoundingClientRect().bottom <= innerHeight"
                         " || document.getElementById('order-view').getBoundingClientRect().top < 70")
        # What the service calls an operation breaks between words.
        self.assertEqual(self.operation(page, "capture").inner_text().replace("\n", ""), "Capture €30.00request=capture")
        self.assertGreater(page.locator("#order-actions small wbr").count(), 0)

    def test_the_sheet_names_the_shop_and_its_amounts_as_the_page_does(self):
        page = self.shop("tappay", viewport=PHONE)
        total = page.locator("#sum-total").inner_text()
        self.open_sheet(page)
        self.assertEqual(page.locator(f"{WALLET} .total .amount").inner_text(), total)
        merchant = page.locator(f"{WALLET} .merchant")
        self.assertIn("127.0.0.1", merchant.inner_text())
        self.assertTrue(merchant.evaluate("(element) => element.scrollWidth <= element.clientWidth"))
        # A telephone number is not broken.
        self.assertIn("+886 2 5550 0123", page.locator(f"{WALLET} .detail").all_inner_texts())

    def test_what_is_added_during_an_order_stays(self):
        held = []
        page = self.shop("commweb", prepare=lambda page: page.route(
            "**/shop/api/orders/*/pay", lambda route: held.append(route)))
        self.open_sheet(page)
        self.confirm(page)
        self.wait_until(lambda: page.evaluate("0") == 0 and len(held) == 1)
        # The sheet covers the shelf; the page's own script does not mind.
        page.evaluate("document.querySelector('#products [data-product=notebook]').click()")
        held[0].continue_()
        self.wait_for_order(page, "authorized")
        self.assertEqual(page.locator("#cart-lines .name").all_inner_texts(), ["Notebook"])
        # And beside an order that is looked at the shelf goes on as well.
        page.locator(WALLET).wait_for(state="detached")
        page.locator("#products [data-product=lamp]").click()
        self.assertEqual(page.locator("#cart-lines .name").all_inner_texts(), ["Desk lamp", "Notebook"])
        page.locator("#order-close").click()
        self.assertEqual(page.locator("#cart-lines .name").all_inner_texts(), ["Desk lamp", "Notebook"])

    def test_a_reload_loses_neither_cart_nor_orders(self):
        page = self.shop("radial")
        self.pay(page)
        page.locator(WALLET).wait_for(state="detached")
        order = page.locator("#order-view").get_attribute("data-order")
        page.locator("#products [data-product=lamp]").click()
        page.locator("#shipping input").nth(1).check()
        total = page.locator("#sum-total").inner_text()
        page.goto(self.sandbox["http"].rstrip("/") + "/")
        self.assertEqual(page.locator("#dialects input:checked").get_attribute("value"), "radial")
        self.assertEqual(page.locator("#cart-lines .name").all_inner_texts(), ["Desk lamp"])
        self.assertEqual(page.locator("#sum-total").inner_text(), total)
        page.locator(f"#orders-list [data-order={order}]").click()
        self.wait_for_order(page, "authorized")
        self.wait_for_entry(page, "response")
        page.locator("#verification[data-state=passed]").wait_for()
        self.operation(page, "capture").click()
        self.wait_for_order(page, "captured")
        page.reload()
        page.locator("#orders-list").get_by_text("Settlement requested").wait_for()

    def test_a_reload_during_a_payment_finds_the_order_again(self):
        page = self.shop("commweb")
        self.open_sheet(page)
        self.confirm(page)
        page.locator("#orders-list .order-row").wait_for(timeout=30_000)
        page.reload()
        page.locator("#orders-list").get_by_text("Payment authorized").or_(
            page.locator("#orders-list").get_by_text("Under way")).wait_for()
        page.locator("#orders-list .order-row").click()
        self.wait_for_order(page, "authorized")

    def test_an_order_that_the_sandbox_no_longer_has_is_said_to_be_gone(self):
        page = self.shop("commweb", expected=["status of 404"])
        self.pay(page)
        page.route("**/shop/api/orders/*", lambda route: route.fulfill(
            status=404, json={"error": {"code": "order_unknown", "message": "The shop has no such order."}}))
        page.route("**/exchange?*", lambda route: route.fulfill(
            status=404, json={"error": {"code": "order_unknown", "message": "The shop has no such order."}}))
        page.reload()
        page.locator("#orders-list .order-row").click()
        page.locator("#order-state").get_by_text("No longer kept").wait_for()
        self.assertEqual(page.locator("#order-actions button:enabled").count(), 0)
        page.locator("#order-close").click()
        page.get_by_role("button", name="Forget all orders").click()
        self.assertTrue(page.locator("#orders").is_hidden())

    def test_what_another_version_stored_does_not_break_the_page(self):
        for stored in ("no JSON", '{"cart":7,"orders":[null,{"orderId":4}]}', '{"cart":{"quantities":[["gone",2],["teapot","x"]]}}'):
            page = self.shop(full=False, prepare=lambda page, stored=stored: page.add_init_script(
                f"localStorage.setItem('pomona-shop', {stored!r});"))
            self.add(page)
            self.assertEqual(page.locator("#cart-lines li").count(), 1)


class WordsTest(ShopTestCase):
    FACTS = {
        "tappay": ["order_number", "rec_trade_id", "amount", "currency"],
        "alphapay": ["paymentRequestId", "paymentId", "orderAmount.value", "orderAmount.currency"],
        "commweb": ["order.id", "transaction.id", "order.amount", "order.currency"],
        "payone": ["reference", "txid", "amount", "currency"],
        "radial": ["OrderId", "PaymentAccountUniqueId", "TenderType", "Amount", "currencyCode"],
    }
    CODES = {"tappay": "status", "alphapay": "result.resultCode", "commweb": "response.gatewayCode", "payone": "status",
             "radial": "ResponseCode"}
    AMOUNTS = {"tappay": '"amount": 950', "alphapay": '"value": "4350"', "commweb": '"amount": "32.00"', "payone": "amount=3000",
               "radial": '<Amount currencyCode="USD">32.00</Amount>'}

    def test_each_service_is_spoken_of_in_its_own_words(self):
        for dialect in DIALECTS:
            with self.subTest(dialect):
                page = self.shop(dialect)
                amount = page.locator("#wire-amount code").inner_text()
                self.assertIn(self.AMOUNTS[dialect], amount)
                self.pay(page, state="captured" if dialect == "alphapay" else "authorized")
                names = page.locator("#order-facts dt").all_inner_texts()
                self.assertEqual(names, ["Payment service", "Ordered", *self.FACTS[dialect]])
                # What the page says of the amount is what went over the wire.
                self.wait_for_entry(page, "outcome")
                sent = "".join(page.locator(".exchange .entry.request pre").all_inner_texts())
                self.assertIn(self.AMOUNTS[dialect], sent)

    def test_codes_are_explained(self):
        for dialect in DIALECTS:
            with self.subTest(dialect):
                page = self.shop(dialect)
                self.pay(page, state="captured" if dialect == "alphapay" else "authorized")
                self.wait_for_entry(page, "outcome")
                for place in ("#order-codes", ".exchange .entry.outcome .codes"):
                    fields = page.locator(f"{place} .field").all_inner_texts()
                    self.assertIn(self.CODES[dialect], fields)
                    for meaning in page.locator(f"{place} dd").all_inner_texts():
                        self.assertRegex(meaning, r"^[A-Z].{5,}\.$")
                        self.assertNotIn("No further explanation", meaning)


class WireTest(ShopTestCase):
    def test_an_operation_that_did_not_get_through_has_no_codes(self):
        page = self.shop("commweb", expected=["ERR_FAILED"])
        self.pay(page)
        self.assertTrue(page.locator("#order-codes").is_visible())
        page.route("**/shop/api/orders/*/*", lambda route: route.abort() if route.request.method == "POST" else route.fallback())
        self.operation(page, "capture").click()
        page.get_by_text("Capture failed").wait_for()
        # Those of the payment would speak of success.
        self.assertTrue(page.locator("#order-codes").is_hidden())
        self.assertTrue(self.operation(page, "capture").is_enabled())

    def test_bodies_are_highlighted_and_stay_what_they_are(self):
        for dialect, format in (("commweb", "json"), ("radial", "xml"), ("payone", "fields")):
            with self.subTest(dialect):
                page = self.shop(dialect)
                exchange = []
                page.on("response", lambda response: "/exchange?" in response.url and exchange.append(response))
                self.pay(page)
                self.wait_for_entry(page, "outcome")
                entries = [entry for response in exchange for entry in response.json()["entries"] if entry["kind"] == "request"]
                self.assertEqual({entry["format"] for entry in entries}, {format})
                first = page.locator(".exchange .entry.request pre").first
                self.assertEqual(first.text_content(), entries[0]["text"])
                self.assertGreater(first.locator(".hl-name").count(), 5)
                self.assertGreater(first.locator(".hl-text").count(), 5)
                self.assertGreater(first.locator(".hl-hidden").count(), 0)

    def test_the_highlighter_keeps_every_text(self):
        page = self.shop(full=False)
        texts = ["", "{", "<", "<a", "a=b", "=", "\n\n", '\n\n{"a":"\\"b", "c": -1.5e3, "d": [true, null, "…"]}',
                 "Content-Type: text/xml\n\n<?xml version=\"1.0\"?><a b=\"c\" d='e'>x…y</a><!-- c -->", "\n\nkey=…\nx=y=z\nplain"]
        results = page.evaluate("""async (texts) => {
            const { highlighted } = await import('/shop/highlight.js');
            const shown = (text, format) => {
                const box = document.createElement('div');
                box.append(...highlighted(text, format));
                return box.textContent;
            };
            return texts.map((text) => ['json', 'xml', 'fields', undefined].map((format) => shown(text, format)));
        }""", texts)
        for text, shown in zip(texts, results):
            self.assertEqual(shown, [text] * 4)

    def test_a_message_can_be_copied(self):
        page = self.shop("commweb", clock=True, permissions=["clipboard-read", "clipboard-write"])
        self.pay(page)
        self.wait_for_entry(page, "outcome")
        self.stop_time(page)
        entry = page.locator(".exchange .entry.request").first
        entry.get_by_role("button", name="Copy: PUT").click()
        self.assertEqual(page.evaluate("navigator.clipboard.readText()"), entry.locator("pre").text_content())
        entry.get_by_text("Copied").wait_for()

    def test_a_request_can_be_sent_again_with_curl(self):
        secrets = {"commweb": ("password", "password"), "radial": ("apikey", "apikey")}
        for dialect, (name, field) in secrets.items():
            with self.subTest(dialect):
                page = self.shop(dialect, clock=True, permissions=["clipboard-read", "clipboard-write"])
                self.pay(page)
                self.operation(page, "capture").click()
                self.wait_for_order(page, "captured")
                self.wait_for_quiet(page)
                self.stop_time(page)
                page.locator(".exchange .entry.request").last.get_by_role("button", name="Copy as a curl command").click()
                page.locator(".exchange .entry.request").last.get_by_text("Copied").wait_for()
                command = page.evaluate("navigator.clipboard.readText()")
                secret = self.sandbox["merchants"][dialect][field]
                self.assertNotIn(secret, command)
                self.assertIn("{{" + name + "}}", command)
                answer = subprocess.run(["sh", "-c", command.replace("{{" + name + "}}", secret).replace("curl", "curl -sS", 1)],
                                      capture_output=True, text=True, check=True, timeout=30).stdout
                # The same request again has the same answer.
                self.assertIn({"commweb": '"SUCCESS"', "radial": ">Success<"}[dialect], answer)


class SupportTest(ShopTestCase):
    def test_a_browser_without_a_wallet(self):
        for dialect in ("commweb", "tappay"):
            page = self.shop(dialect, expected=["ERR_FAILED"],
                             prepare=lambda page: page.route("**/apple-pay-simulator.js", lambda route: route.abort()))
            page.get_by_text("This browser has no ApplePaySession").wait_for()
            self.assertTrue(page.locator("#pay").is_disabled())

    def test_without_the_sdk_the_other_services_work(self):
        page = self.shop("tappay", expected=["ERR_FAILED"],
                         prepare=lambda page: page.route("**/sdk/tpdirect/**", lambda route: route.abort()))
        page.get_by_text("The web SDK TPDirect was not loaded.").wait_for()
        self.assertTrue(page.locator("#pay").is_disabled())
        page.get_by_role("radio", name="Radial").check()
        self.assertTrue(page.locator("#unsupported").is_hidden())
        self.pay(page)

    def test_a_server_that_fails_can_be_asked_again(self):
        failing = {"now": True}

        def config(route):
            if failing["now"]:
                route.fulfill(status=500, json={"error": {"code": "broken", "message": "It is broken."}})
            else:
                route.continue_()

        page = self.shop(full=False, expected=["status of 500"], prepare=lambda page: page.route("**/shop/api/config", config))
        page.get_by_text("It is broken.").wait_for()
        self.screenshot(page, "shop-error")
        failing["now"] = False
        page.get_by_role("button", name="Load the shop again").click()
        self.add(page)
        self.assertTrue(page.locator("#failure").is_hidden())

    def test_shows_that_it_is_loading(self):
        held = []
        page = self.shop(full=False, prepare=lambda page: page.route(
            "**/shop/api/config", lambda route: held.append(route)))
        page.locator(".ghost").first.wait_for()
        self.assertEqual(page.locator("#products").get_attribute("aria-busy"), "true")
        held[0].continue_()
        self.add(page)
        self.assertEqual(page.locator(".ghost").count(), 0)

    def test_a_picture_that_is_missing_has_a_stand_in(self):
        page = self.shop(full=False, expected=["status of 404"], prepare=lambda page: page.route(
            f"**/shop/{PRODUCT}.svg", lambda route: route.fulfill(status=404)))
        page.locator("#products img[src='/shop/placeholder.svg']").wait_for()


class ReaderTest(ShopTestCase):
    def test_nothing_is_amiss_on_any_screen(self):
        for scheme in ("light", "dark"):
            for width, height in ((360, 780), (768, 1024), (1100, 800), (1280, 800), (1600, 1000)):
                with self.subTest(scheme=scheme, width=width):
                    page = self.shop("tappay", color_scheme=scheme, viewport={"width": width, "height": height})
                    page.locator("#pay:enabled").wait_for()
                    self.assertEqual(accessibility.findings(page), [])
                    self.screenshot(page, f"shop-cart-{scheme}-{width}")
                    self.assertTrue(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "wider than the screen")
                    if width in (360, 768, 1280):
                        self.pay(page)
                        page.locator(WALLET).wait_for(state="detached")
                        if width < 960:
                            self.assertEqual(accessibility.findings(page), [])
                            page.get_by_role("tab", name="Exchange").click()
                        self.wait_for_entry(page, "ledger")
                        self.wait_for_quiet(page)
                        self.assertEqual(accessibility.findings(page), [])
                        self.screenshot(page, f"shop-order-{scheme}-{width}")
                        self.assertTrue(page.evaluate("document.documentElement.scrollWidth <= innerWidth"),
                            "wider than the screen")

    def test_says_that_it_is_a_simulation(self):
        page = self.shop(full=False)
        text = page.locator("body").inner_text()
        self.assertIn("no card is charged", text)
        self.assertIn("simulations", text)
        self.assertNotIn("Apple Pay", page.locator("#pay").inner_text())

    def test_buys_by_keyboard_alone(self):
        page = self.shop("commweb", full=False)
        page.locator("#products button").first.wait_for()

        def go(what, matches, key="Tab"):
            for _ in range(60):
                page.keyboard.press(key)
                if page.evaluate("(() => { const own = document.activeElement; const inner = own?.shadowRoot?.activeElement ?? own;"
                                 f" return {matches}; }})()"):
                    return
            self.fail(f"The keyboard does not reach {what}.")

        go("the shelf", "inner.dataset.product !== undefined")
        page.keyboard.press("Enter")
        self.assertEqual(page.evaluate("document.activeElement.dataset.product"), page.evaluate(
            "document.querySelector('#products button').dataset.product"), "Adding took the focus away.")
        go("the quantity", "inner.ariaLabel?.startsWith('One more')")
        page.keyboard.press("Enter")
        self.assertTrue(page.evaluate("document.activeElement.ariaLabel.startsWith('One more')"), "A step took the focus away.")
        go("the shipping", "inner.name === 'shipping'")
        page.keyboard.press("ArrowDown")
        self.assertEqual(page.evaluate("document.activeElement.name"), "shipping")
        go("the pay button", "inner.id === 'pay'")
        page.keyboard.press("Enter")
        page.get_by_role("button", name=PAY).wait_for()
        go("the sheet's button", f"inner.textContent === '{PAY}'")
        page.keyboard.press("Enter")
        self.wait_for_order(page, "authorized")
        self.assertEqual(page.evaluate("document.activeElement.id"), "order-title")
        go("the capture", "inner.dataset.operation === 'capture'")
        page.keyboard.press("Enter")
        self.wait_for_order(page, "captured")

    def test_removing_the_last_line_leaves_the_focus_at_the_cart(self):
        page = self.shop()
        page.get_by_role("button", name="Remove").focus()
        page.keyboard.press("Enter")
        self.assertEqual(page.evaluate("document.activeElement.id"), "checkout")

    def test_folds_the_exchange(self):
        page = self.shop()
        self.pay(page)
        self.wait_for_entry(page, "request")
        button = page.get_by_role("button", name="Titles only")
        button.click()
        self.assertEqual(button.get_attribute("aria-pressed"), "true")
        self.assertEqual(page.locator(".exchange .entry pre:visible").count(), 0)


if __name__ == "__main__":
    unittest.main()
