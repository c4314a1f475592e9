# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""How the demo shop looks and speaks: its colors, sizes and words, the token opened layer by layer, the way of the message, the
ends in the sheet, and every state on every screen, held against axe-core."""

import json
import os
import re
import shutil
import tempfile
import unittest

from axe_playwright_python.sync_playwright import Axe
from harness import ROOT, start_sandbox
from shop_test import DECLINING, LOST, PAY, SEEN, WALLET, ShopTestCase

SCREENS = {390: 844, 820: 1180, 1440: 900}
PHONE = {"width": 390, "height": 844}
LAYERS = ["Signature", "Certificate chain", "Apple's markers", "Signing time", "Merchant's key", "Amount"]
# The colors of everything that people see: light, dark.
COLORS = {
    "ink": ("#1d2a26", "#e8efe9"), "muted": ("#56645f", "#9db0a7"), "ground": ("#f6f3ec", "#101a17"),
    "surface": ("#ffffff", "#16231f"), "line": ("#ddd6c8", "#2a3a34"), "green": ("#1f5c41", "#7fd0a6"),
    "amber": ("#8a5a00", "#f0bf63"), "red": ("#9f1d1d", "#ff9a8f"), "blue": ("#1c4f82", "#8cc0ff"),
}
SIZES = {("13px", "18px"), ("15px", "22px"), ("20px", "26px"), ("28px", "34px")}


def spoil(route):
    """Changes the sealed data of a token on its way to the shop's server."""
    body = route.request.post_data_json
    data = body["token"]["paymentData"]["data"]
    body["token"]["paymentData"]["data"] = ("B" if data[0] == "A" else "A") + data[1:]
    route.continue_(post_data=json.dumps(body))


class LookTestCase(ShopTestCase):
    def pay_to_end(self, page, state, card=None):
        self.open_sheet(page)
        if card:
            self.choose_card(page, card)
        self.confirm(page)
        self.wait_for_order(page, state)

    def stations(self, page):
        return page.locator("#way .station").evaluate_all(
            "(items) => items.map((item) => [item.querySelector('.name').innerText, item.dataset.tone])")

    def wait_for_station(self, page, name, tone):
        page.wait_for_function(
            "([name, tone]) => [...document.querySelectorAll('#way .station')].some((item) =>"
            " item.querySelector('.name').textContent === name && item.dataset.tone === tone)", arg=[name, tone])

    def axe(self, page):
        """What axe-core finds, as sentences."""
        found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
        self.assertEqual([f"{rule['id']}: {node['html'][:160]} {node['failureSummary']}"
                          for rule in found for node in rule["nodes"]], [])

    def assertFits(self, page):
        self.assertTrue(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "wider than the screen")


class ColorTest(unittest.TestCase):
    """One list of colors for the shop and the portal."""

    def definitions(self):
        for path in sorted([*ROOT.glob("Web/shop/*.css"), *ROOT.glob("Web/portal/**/*.css")]):
            for name, value in re.findall(r"--([a-z]+):\s*(#[0-9a-f]{3,6})\b", path.read_text(encoding="utf-8")):
                yield path.relative_to(ROOT), name, value

    def test_every_definition_of_a_color_is_the_familys(self):
        for path, name, value in self.definitions():
            if name in COLORS:
                with self.subTest(path=str(path), color=name):
                    self.assertIn(value, COLORS[name])

    def test_shop_has_all_of_them_in_both_schemes(self):
        own = {(name, value) for path, name, value in self.definitions() if path.parts[1] == "shop"}
        self.assertEqual(own, {(name, value) for name, pair in COLORS.items() for value in pair})

    def test_no_style_names_a_color_beside_them(self):
        # Black and white are the pay button's, as its kind of button is everywhere.
        for path in ROOT.glob("Web/shop/*.css"):
            if path.name != "tokens.css":
                colors = set(re.findall(r"#[0-9a-f]{3,6}\b(?![^{}]*\{)", path.read_text(encoding="utf-8")))
                self.assertLessEqual(colors, {"#000", "#fff", "#2b2b2b", "#dcdcdc"}, path.name)

    def test_every_pair_is_readable_on_its_ground(self):
        def luminance(color):
            channels = [int(color[index:index + 2], 16) / 255 for index in (1, 3, 5)]
            linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
            return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

        for scheme in (0, 1):
            for ground in ("ground", "surface"):
                for name in ("ink", "muted", "green", "amber", "red", "blue"):
                    light, dark = sorted((luminance(COLORS[name][scheme]), luminance(COLORS[ground][scheme])), reverse=True)
                    self.assertGreaterEqual((light + 0.05) / (dark + 0.05), 4.5, f"{name} on {ground}")


class StyleTest(LookTestCase):
    def test_four_sizes_and_no_other(self):
        page = self.shop("payone")
        self.pay_to_end(page, "authorized")
        self.wait_for_entry(page, "ledger")
        sizes = page.evaluate("""() => [...document.querySelectorAll('body *')].filter((element) => element.checkVisibility()
            && [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== ''))
            .map((element) => { const { fontSize, lineHeight } = getComputedStyle(element); return [fontSize, lineHeight]; })""")
        self.assertGreater(len(sizes), 50)
        self.assertLessEqual({tuple(size) for size in sizes}, SIZES)

    def test_only_what_floats_has_a_shadow(self):
        page = self.shop("payone")
        self.pay_to_end(page, "authorized")
        page.locator(WALLET).wait_for(state="detached")
        shadows = page.evaluate("""() => [...document.querySelectorAll('body *')].filter((element) => {
            const { boxShadow, position } = getComputedStyle(element);
            return boxShadow !== 'none' && !boxShadow.includes('inset') && position !== 'fixed' && position !== 'absolute';
        }).map((element) => element.className)""")
        self.assertEqual(shadows, [])

    def test_motion_is_short_and_is_left_out_where_it_is_not_wanted(self):
        for motion, expected in (("no-preference", {"0.12s"}), ("reduce", {"0s"})):
            page = self.shop("payone", reduced_motion=motion)
            durations = page.evaluate("""() => [...document.querySelectorAll('body *')].flatMap((element) => {
                const { transitionDuration, animationDuration } = getComputedStyle(element);
                return [...transitionDuration.split(', '), ...animationDuration.split(', ')];
            })""")
            self.assertLessEqual(set(durations), expected | {"0s"})

    def test_the_page_is_not_blocked_by_scripts(self):
        page = self.shop(full=False)
        self.assertEqual(page.locator("script:not([defer]):not([type=module])").count(), 0)

    def test_words_have_no_exclamation_marks_and_beg_for_nothing(self):
        page = self.shop("payone")
        self.pay_to_end(page, "declined", DECLINING)
        words = page.evaluate("document.body.innerText")
        for path in [*ROOT.glob("Web/shop/*.js"), ROOT / "Web/wallet/modules/words.js", ROOT / "Web/wallet/modules/sheet.js"]:
            words += "\n".join(re.findall(r'"([A-Z][^"\n]* [^"\n]*)"', path.read_text(encoding="utf-8")))
        self.assertNotIn("!", words)
        self.assertNotRegex(words.lower(), r"\bplease\b|\bsorry\b|\boops\b")
        for button in page.locator(".shop button:visible").all():
            self.assertRegex(button.inner_text().strip()[:1], r"[A-Z+−]", "Buttons begin with a verb.")


class HeroTest(LookTestCase):
    def layers(self, page):
        return page.locator("#verification .layer").evaluate_all("(tabs) => tabs.map((tab) => tab.className.split(' ')[1])")

    def test_nothing_is_opened_before_the_sheet_closes(self):
        held = []
        page = self.shop("commweb", prepare=lambda page: page.route("**/shop/api/orders/*/pay", lambda route: held.append(route)))
        self.open_sheet(page)
        self.confirm(page)
        self.wait_until(lambda: page.evaluate("0") == 0 and len(held) == 1)
        answers = []
        page.on("response", lambda response: "/exchange?" in response.url and answers.append(response))
        held[0].continue_()
        self.wait_for_order(page, "authorized")
        page.locator("#verification[data-state=passed]").wait_for()
        self.assertEqual(self.layers(page), ["passed"] * 6)
        self.assertEqual(page.locator("#verification .layer").evaluate_all("(tabs) => tabs.map((tab) => tab.textContent.split(':')[0])"),
                         LAYERS)
        self.assertEqual(page.locator(".depth.shown .opened-amount").inner_text(), "32.00 USD")

    def test_opens_layer_by_layer_each_check_with_its_fact(self):
        page = self.shop("commweb", reduced_motion="no-preference", prepare=lambda page: page.add_init_script("""
            globalThis.seen = [];
            new MutationObserver(() => {
                const now = document.querySelectorAll('#verification .layer.passed').length;
                const ticked = document.querySelectorAll('.depth.shown .ticked').length;
                const shown = document.querySelector('.depth.shown h4')?.textContent;
                const step = `${now} ${shown} ${ticked}`;
                if (seen.at(-1) !== step) { seen.push(step); }
            }).observe(document, { childList: true, subtree: true, attributes: true, characterData: true });"""))
        self.pay_to_end(page, "authorized")
        page.locator("#verification[data-state=passed]").wait_for()
        seen = page.evaluate("seen")
        for index, layer in enumerate(LAYERS):
            self.assertIn(f"{index} {layer} 1", seen, "Checks tick in the layer that is being opened.")
        facts = page.locator(".depth .fact").all_text_contents()
        for fact in ("EC_v1", "1.2.840.113635.100.6.29", "1.2.840.113635.100.6.2.14"):
            self.assertIn(fact, facts)
        # Moments are the reader's, and UTC on hover.
        self.assertGreaterEqual(page.locator(".depth .fact time[title$=UTC]").count(), 2)

    def test_a_chosen_layer_is_kept_and_nothing_below_it_moves(self):
        page = self.shop("commweb")
        self.pay_to_end(page, "authorized")
        page.locator("#verification[data-state=passed]").wait_for()
        below = page.locator("#way").bounding_box()["y"]
        page.get_by_role("tab", name="Amount").focus()
        for key, layer in (("ArrowUp", "Merchant's key"), ("Home", "Signature"), ("ArrowUp", "Amount"), ("ArrowDown", "Signature")):
            page.keyboard.press(key)
            self.assertEqual(page.locator(".depth.shown h4").inner_text(), layer)
            self.assertEqual(page.evaluate("document.activeElement.getAttribute('aria-selected')"), "true")
            self.assertEqual(page.locator("#way").bounding_box()["y"], below)

    def test_a_token_that_was_changed_is_not_trusted_and_the_sheet_says_refused(self):
        page = self.shop("commweb", prepare=lambda page: (page.add_init_script(SEEN), page.route(
            "**/shop/api/orders/*/pay", spoil)))
        self.pay_to_end(page, "error")
        page.locator("#verification[data-state=failed]").wait_for()
        self.assertEqual(self.layers(page), ["failed", "passed", "passed", "passed", "skipped", "skipped"])
        self.assertEqual(page.locator(".depth.shown h4").inner_text(), "Signature")
        self.wait_for_station(page, "Gateway", "refused")
        self.assertEqual([tone for _, tone in self.stations(page)], ["done", "done", "refused", "pending", "pending"])
        self.assertIn("refused", page.locator("#order-state .shape").get_attribute("class"))


class WayTest(LookTestCase):
    def test_fills_through_every_service_and_every_operation(self):
        for dialect, title in (("tappay", "TapPay"), ("alphapay", "AlphaPay"), ("commweb", "CommWeb"), ("payone", "PAYONE"),
                               ("radial", "Radial")):
            with self.subTest(dialect):
                page = self.shop(dialect)
                self.assertEqual(self.stations(page), [[name, "pending"] for name in ("Shop", title, "Gateway", "Bank", "Ledger")])
                self.pay_to_end(page, "captured" if dialect == "alphapay" else "authorized")
                self.wait_for_station(page, "Ledger", "done")
                self.assertEqual({tone for _, tone in self.stations(page)}, {"done"})
                self.assertRegex(page.locator("#way-words").inner_text(), r"^The shop had its answer after [\d,]+ ms")
                if dialect == "commweb":
                    self.operation(page, "capture").click()
                    self.wait_for_order(page, "captured")
                    page.wait_for_function("() => document.querySelector('#way').innerText.includes('PUT CAPTURE')")
                    self.wait_for_station(page, "Ledger", "done")
                    self.assertIn("payment found", page.locator("#way").inner_text())

    def test_a_declined_payment_is_a_normal_end_at_the_bank(self):
        page = self.shop("payone")
        self.pay_to_end(page, "declined", DECLINING)
        self.wait_for_station(page, "Bank", "declined")
        self.assertEqual([tone for _, tone in self.stations(page)], ["done", "done", "done", "declined", "pending"])
        muted = page.evaluate("getComputedStyle(document.querySelector('.order-state .shape')).color")
        self.assertEqual(muted, "rgb(86, 100, 95)")

    def test_what_nobody_knows_is_known_later(self):
        page = self.shop("payone")
        self.open_sheet(page)
        self.choose_card(page, LOST)
        self.confirm(page)
        page.get_by_role("heading", name="Your order").wait_for(timeout=60_000)
        page.wait_for_function("() => document.getElementById('order-view').dataset.state !== 'unknown'", timeout=90_000)
        page.wait_for_function("() => !document.querySelector('#way [data-tone=unknown]')")

    def test_a_second_gateway_is_a_station_of_its_own(self):
        folder = tempfile.mkdtemp(prefix="pomona-shop-")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        line, stop = start_sandbox(folder, "--upstream", "payone")
        self.addCleanup(stop)
        own = self.sandbox
        type(self).sandbox = line
        self.addCleanup(setattr, type(self), "sandbox", own)
        page = self.shop("alphapay")
        self.assertEqual([name for name, _ in self.stations(page)], ["Shop", "AlphaPay", "Gateway", "PAYONE", "Bank", "Ledger"])
        self.pay_to_end(page, "captured")
        self.wait_for_station(page, "Ledger", "done")
        self.assertEqual({tone for _, tone in self.stations(page)}, {"done"})
        # The key is PAYONE's: here the token stays closed.
        page.locator("#verification[data-state=closed]").wait_for()
        page.get_by_text("Passed on as it is: PAYONE holds the key.").wait_for()
        self.screenshot(page, "shop-upstream")


class EndTest(LookTestCase):
    """Each end has its own words and sign in the sheet, which goes by itself: meanwhile the page's time stands still."""

    def ends(self, page, kind, words):
        page.locator(f"{WALLET} .sign.{kind}").wait_for()
        text = page.locator(f"{WALLET} .stage").inner_text()
        for part in words:
            self.assertIn(part, text)
        self.assertNotIn("FAILED", text, "Codes come after the sentence.")
        page.clock.resume()

    def test_declined(self):
        for dialect in ("alphapay", "commweb", "payone", "radial"):
            with self.subTest(dialect):
                page = self.shop(dialect, clock=True)
                self.open_sheet(page)
                self.choose_card(page, DECLINING)
                self.stop_time(page)
                self.confirm(page)
                self.ends(page, "declined", ["Declined by the bank", "not enough money", "Nothing was taken."])

    def test_refused(self):
        page = self.shop("commweb", clock=True, prepare=lambda page: page.route("**/shop/api/orders/*/pay", spoil))
        self.open_sheet(page)
        self.stop_time(page)
        self.confirm(page)
        self.ends(page, "refused", ["Refused by the gateway", "was changed", "Nothing was taken.", "INVALID_REQUEST"])

    def test_unknown(self):
        page = self.shop("payone", clock=True)
        self.open_sheet(page)
        self.choose_card(page, LOST)
        self.stop_time(page)
        self.confirm(page)
        self.ends(page, "unknown", ["Not known yet", "do not pay again"])

    def shop_that_is_lost_while_it_pays(self, dialect):
        page = self.shop(dialect, clock=True, expected=["ERR_FAILED"], prepare=lambda page: page.route(
            "**/shop/api/orders/*/pay", lambda route: route.abort()))
        # How the order stands cannot be asked for either, at first.
        page.route("**/exchange?*", lambda route: route.abort())
        self.open_sheet(page)
        self.stop_time(page)
        self.confirm(page)
        return page

    def test_a_server_that_is_lost_while_it_pays_with_a_prime_leaves_the_payment_unknown(self):
        page = self.shop_that_is_lost_while_it_pays("tappay")
        self.wait_for_order(page, "unknown")
        self.assertTrue(page.locator("#cart-empty").is_visible(), "Nobody is asked to pay once more.")

    def test_a_server_that_is_lost_while_it_pays_leaves_the_payment_unknown(self):
        page = self.shop_that_is_lost_while_it_pays("commweb")
        self.ends(page, "unknown", ["Not known yet", "do not pay again"])
        self.wait_for_order(page, "unknown")
        self.assertTrue(page.locator("#cart-empty").is_visible())
        # The request never arrived: the order is open, and the goods are in the cart again.
        page.unroute("**/exchange?*")
        page.locator("#order-view[data-state=open]").wait_for()
        self.assertEqual(page.locator("#cart-lines .name").all_inner_texts(), ["Teapot"])


class PhoneTest(LookTestCase):
    def test_the_exchange_is_a_second_tab(self):
        page = self.shop("payone", viewport=PHONE)
        shop, exchange = page.get_by_role("tab", name="Shop"), page.get_by_role("tab", name="Exchange")
        self.assertTrue(page.locator("#exchange").is_hidden())
        self.pay_to_end(page, "authorized")
        page.wait_for_function("() => Number(document.getElementById('tab-count').textContent) > 5")
        # The token waits to be opened until somebody looks.
        self.assertEqual(page.locator("#verification").get_attribute("data-state"), "waiting")
        exchange.click()
        page.locator("#verification[data-state=passed]").wait_for()
        self.assertTrue(page.locator("#shop").is_hidden())
        page.keyboard.press("ArrowLeft")
        self.assertEqual(page.evaluate("document.activeElement.id"), "tab-shop")
        self.assertEqual(shop.get_attribute("aria-selected"), "true")
        self.assertTrue(page.locator("#exchange").is_hidden())
        page.get_by_role("button", name="Open the exchange of this order").click()
        self.assertEqual(page.evaluate("document.activeElement.id"), "exchange-title")
        self.assertFits(page)

    def test_beside_each_other_they_are_no_tabs(self):
        page = self.shop("payone")
        self.assertTrue(page.locator("#tabs").is_hidden())
        self.assertTrue(page.locator("#exchange").is_visible())


class StillTest(LookTestCase):
    def test_what_can_be_done_stays_in_its_place(self):
        page = self.shop("commweb")
        self.pay_to_end(page, "authorized")
        page.locator(WALLET).wait_for(state="detached")

        def places():
            return page.locator("#order-actions button").evaluate_all("(all) => all.map((one) => one.offsetTop)")

        before = places()
        self.operation(page, "capture").click()
        self.wait_for_order(page, "captured")
        self.assertEqual(places(), before)
        self.operation(page, "refund").click()
        self.wait_for_order(page, "refunded")
        self.assertEqual(places(), before)

    def test_new_messages_wait_until_they_are_asked_for(self):
        page = self.shop("commweb")
        self.pay_to_end(page, "authorized")
        self.wait_for_quiet(page)
        page.locator("#exchange-body").evaluate("(body) => { body.scrollTop = 0; }")
        page.locator(WALLET).wait_for(state="detached")
        page.locator("#exchange-body").hover()
        page.locator("#exchange-body").focus()
        page.evaluate("document.querySelector('#order-actions [data-operation=capture]').click()")
        self.wait_for_order(page, "captured")
        button = page.get_by_role("button", name=re.compile(r"^Show \d+ new messages$"))
        button.wait_for()
        self.assertEqual(page.locator("#exchange-body").evaluate("(body) => body.scrollTop"), 0)
        self.assertRegex(button.inner_text(), r"^\d+ new$")
        button.click()
        button.wait_for(state="hidden")
        self.assertGreater(page.locator("#exchange-body").evaluate("(body) => body.scrollTop"), 0)

    def test_an_order_survives_a_reload_with_its_exchange(self):
        page = self.shop("commweb")
        self.pay_to_end(page, "authorized")
        order = page.locator("#order-view").get_attribute("data-order")
        self.assertEqual(page.evaluate("location.hash"), f"#order-{order}")
        page.reload()
        self.wait_for_order(page, "authorized")
        self.wait_for_entry(page, "ledger")
        page.locator("#verification[data-state=passed]").wait_for()
        self.assertRegex(page.locator("#orders-list time").get_attribute("title"), r"^\d{4}-\d\d-\d\d .* UTC$")
        page.locator("#order-close").click()
        self.assertEqual(page.evaluate("location.hash"), "")

    def test_an_identifier_is_shortened_and_copied_whole(self):
        page = self.shop("commweb", permissions=["clipboard-read", "clipboard-write"])
        self.pay_to_end(page, "authorized")
        page.get_by_role("button", name="Copy transaction.id").click()
        copied = page.evaluate("navigator.clipboard.readText()")
        self.assertRegex(copied, r"^S[0-9a-f]{16}-1$")
        self.assertIn("…", page.locator(f"#order-facts dd [title='{copied}']").inner_text())


class HostileTest(LookTestCase):
    def test_hostile_texts_stay_texts(self):
        hostile = '<img src=x onerror="alert(1)"><script>alert(1)</script>&amp;\u202e{{x}}'

        def exchange(route):
            answer = route.fetch()
            body = answer.json()
            for entry in body.get("entries", []):
                entry["title"] += hostile
                entry["text"] += hostile
                for check in entry.get("checks", []):
                    check.update(sentence=hostile, fact=hostile)
                for code in entry.get("codes", []):
                    code.update(field=hostile, value=hostile, meaning=hostile)
            for fact in body.get("order", {}).get("facts", []):
                fact.update(name=hostile, value=hostile)
            route.fulfill(response=answer, json=body)

        page = self.shop("commweb", prepare=lambda page: page.route("**/exchange?*", exchange))
        images = page.locator("img").count()
        self.pay_to_end(page, "authorized")
        self.wait_for_entry(page, "note")
        self.wait_for_quiet(page)
        self.assertEqual(page.locator("img").count(), images + 0 if page.locator("#cart-lines img").count() else images - 1)
        self.assertEqual(page.locator("script").count(), 3)
        self.assertIn("<img src=x", page.locator("#exchange-body").inner_text())
        self.assertFits(page)


class EveryStateTest(LookTestCase):
    """Every state on every screen: axe-core finds nothing, and there is a picture to look at."""

    STATES = {
        "empty": {"full": False}, "cart": {"dialect": "tappay"}, "sheet": {"sheet": True},
        "authorized": {"end": "authorized"}, "declined": {"end": "declined", "card": DECLINING},
        "refused": {"end": "error", "prepare": lambda page: page.route("**/shop/api/orders/*/pay", spoil)},
        "unknown": {"end": "unknown", "card": LOST, "dialect": "payone", "quiet": True},
        "refunded": {"end": "captured", "dialect": "alphapay", "then": "refund"},
    }

    def show(self, name, width, scheme):
        state = self.STATES[name]
        page = self.shop(state.get("dialect", "commweb"), full=state.get("full", True), prepare=state.get("prepare"),
                         expected=["ERR_FAILED"], color_scheme=scheme, viewport={"width": width, "height": SCREENS[width]})
        if state.get("sheet"):
            self.open_sheet(page)
        elif "end" in state:
            if state.get("quiet"):  # The page does not hear what the gateway finds out.
                page.route("**/exchange?*", lambda route: route.abort())
            self.pay_to_end(page, state["end"], state.get("card"))
            if "then" in state:
                self.operation(page, state["then"]).click()
                self.wait_for_order(page, "refunded")
        else:
            page.locator("#products li.product").first.wait_for()
        return page

    def test_axe_finds_nothing_in_any_state_on_any_screen(self):
        # All of them where somebody wants to look; else each state in both schemes and every width in one of them.
        isWhole = bool(os.environ.get("POMONA_SCREENSHOTS"))
        for number, (name, state) in enumerate(self.STATES.items()):
            for scheme in ("light", "dark"):
                for place, width in enumerate(SCREENS):
                    if not isWhole and (place + number + (scheme == "dark")) % 2:
                        continue
                    with self.subTest(state=name, scheme=scheme, width=width):
                        page = self.show(name, width, scheme)
                        self.axe(page)
                        self.assertFits(page)
                        self.screenshot(page, f"shop-{name}-{scheme}-{width}")
                        if "end" in state:
                            page.locator(WALLET).wait_for(state="detached")
                            if page.locator("#tab-exchange").is_visible():
                                page.locator("#tab-exchange").click()
                            self.axe(page)
                            self.assertFits(page)
                            self.screenshot(page, f"shop-{name}-exchange-{scheme}-{width}")
                        page.context.close()


if __name__ == "__main__":
    unittest.main()
