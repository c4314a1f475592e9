# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""Home: what needs somebody and how it goes; the shop's engineer finds why payments are refused, in one click."""

import time

from portal import REFUSED, Actions, PortalTestCase


class HomeTest(PortalTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.portal.pay("42.50")
        cls.portal.pay("5757.00")
        cls.portal.refuse()
        # Refused calls are written beside payments' way, within a second.
        until = time.monotonic() + 15
        while not cls.portal.get("/refusals")["data"] and time.monotonic() < until:
            time.sleep(0.1)

    def test_shows_volume_approvals_refusals_and_latencies(self):
        page = self.signed_in()
        text = page.locator("main").inner_text()
        for part in ("Volume", "USD", "Approvals", "Refused by us", "Declined by banks", "Answers of the banks"):
            self.assertIn(part, text)
        self.looks(page, "home")
        self.shows_no_secret(page)

    def test_engineer_gets_from_home_to_what_to_do_in_one_click(self):
        page = self.signed_in("developer")
        actions = Actions(page)
        actions.click(page.get_by_role("link", name="Amount differs"))
        self.until(page, "location.pathname === '/portal/refused' && location.search.includes('amount_differs_from_token')")
        self.settled(page)
        self.assertEqual(actions.count, 1)
        self.assertIn("Send the amount that the payment sheet showed.", page.locator(".advice").inner_text())

    def test_search_goes_on_while_numbers_change_where_they_stand(self):
        page = self.signed_in()
        page.locator(".search input").fill("nothing-is-called-this")
        page.get_by_text("Nothing is called").wait_for()

        def is_of_page(answer):
            return "/admin/v1/home" in answer.url and "pomona-background" not in answer.request.headers

        with page.expect_response(is_of_page):
            self.portal.pay("3.00")
        self.settled(page)
        self.assertEqual(page.evaluate("document.activeElement.closest('.search') !== null"), True)
        self.assertTrue(page.get_by_text("Nothing is called").is_visible())

    def test_charts_are_read_by_keys_and_as_tables(self):
        page = self.signed_in()
        chart = page.get_by_role("slider", name="Approvals")
        chart.focus()
        before = chart.get_attribute("aria-valuetext")
        self.assertIn("approved", before)
        page.keyboard.press("ArrowLeft")
        self.assertNotEqual(chart.get_attribute("aria-valuetext"), before)
        page.keyboard.press("Home")
        self.assertEqual(chart.get_attribute("aria-valuenow"), "0")
        page.locator("details.behind summary").first.click()
        self.assertGreater(page.locator("details[open] tbody tr").count(), 10)
        self.axe(page)

    def test_every_chart_has_its_data_as_a_table(self):
        page = self.signed_in(expected=REFUSED)
        with page.expect_response(lambda answer: "/admin/v1/home" in answer.url) as answered:
            page.reload()
        self.settled(page)
        home = answered.value.json()
        # Whatever is drawn over time or of parts is followed by its table, behind one summary that the keyboard opens.
        self.assertEqual(page.evaluate("""() => [...document.querySelectorAll('main .drawing, main .multiples, main .bar')].filter((drawn) => {
            const place = drawn.closest('figure, .multiples, .bar-list');
            return !(place.querySelector('details.behind table') ?? place.parentElement.querySelector(':scope > details.behind table'))
                && (place.matches('figure, .multiples') || place.querySelector('.bar rect + rect'));
        }).length"""), 0)
        tables = page.evaluate("""() => Object.fromEntries([...document.querySelectorAll('main details.behind table')].map((table) =>
            [table.caption.textContent, [...table.rows].map((row) => [...row.cells].map(({ textContent }) => textContent))]))""")
        self.assertEqual(set(tables) >= {"Approvals", "By network", "Refused by us", "Answers of the banks"}, True, set(tables))
        for bucket, row in zip(home["buckets"], tables["Approvals"][1:], strict=True):
            self.assertEqual(row[1:], [str(bucket[name]) if bucket["read"] else "not counted" for name in ("approved", "declined", "failed")])
        self.assertEqual([row[1:] for row in tables["By network"][1:]], [[str(one[name]) for name in ("approved", "declined", "failed")] for one in home["networks"]])
        refused = home["refusals"][:6]
        self.assertEqual(len(tables["Refused by us"][0]), len(refused) + 1)
        for index, row in enumerate(tables["Refused by us"][1:]):
            self.assertEqual(row[1:], [str(one["byBucket"][index]) for one in refused])

    def test_window_is_chosen_in_the_address(self):
        page = self.signed_in()
        page.get_by_role("link", name="7 days").click()
        self.until(page, "location.search === '?window=week'")
        page.locator("a[aria-current=page]", has_text="7 days").wait_for()
        page.go_back()
        self.until(page, "location.search === ''")

    def test_numbers_come_alive(self):
        page = self.signed_in()
        before = page.locator(".volume-amount").first.inner_text()
        self.portal.pay("77.00")
        page.wait_for_function("(before) => document.querySelector('.volume-amount')?.textContent !== before", arg=before, timeout=20_000)

    def test_home_of_nothing_says_what_will_be_here(self):
        page = self.signed_in(expected=REFUSED)
        page.route("**/admin/v1/home*", lambda route: self.emptied(route))
        self.go(page, "/payments")
        self.go(page, "/")
        page.get_by_text("No payments in this time").wait_for()
        self.looks(page, "home-empty")

    @staticmethod
    def emptied(route):
        answer = route.fetch()
        home = answer.json()
        home["window"].update(movements=0, refusals=0)
        home.update(totals=[], networks=[], declines=[], refusals=[], latencies=[])
        route.fulfill(response=answer, json=home)

    def test_what_needs_somebody_stands_first(self):
        page = self.signed_in(expected=REFUSED)

        def troubled(route):
            answer = route.fetch()
            home = answer.json()
            home["work"]["unknownOperations"] = {"count": 2, "atLeast": False}
            home["work"]["deadEvents"] = {"count": 1000, "atLeast": True}
            route.fulfill(response=answer, json=home)

        page.route("**/admin/v1/home*", troubled)
        self.go(page, "/payments")
        self.go(page, "/")
        cards = page.locator(".attention-card").all_inner_texts()
        self.assertTrue(any("2" in card and "has not said" in card for card in cards), cards)
        self.assertTrue(any("1,000+" in card for card in cards), cards)
        self.looks(page, "home-troubled")

    def shown(self, change, language="en"):
        """Home with an answer that was changed."""
        page = self.signed_in(expected=REFUSED)

        def changed(route):
            answer = route.fetch()
            home = answer.json()
            change(home)
            route.fulfill(response=answer, json=home)

        page.route("**/admin/v1/home*", changed)
        page.evaluate("(language) => localStorage.setItem('pomona.portal.language', language)", language)
        page.reload()
        self.settled(page)
        return page

    @staticmethod
    def cut(read):
        """More has happened than the server reads: of the buckets it has the newest alone."""
        def change(home):
            home["window"]["cut"] = True
            for bucket in home["buckets"][:len(home["buckets"]) - read]:
                bucket.update(read=False, currencies=[], approved=0, declined=0, failed=0, refused=None, latencies=[])
            if read == 0:
                home.update(totals=[], networks=[], declines=[], latencies=[])
        return change

    def test_sums_of_a_part_say_since_when(self):
        for language, since, missing in (("en", "counted from", "not counted"), ("de", "gezählt ab", "nicht gezählt"), ("zh-Hant", "起計算", "未計算")):
            with self.subTest(language):
                page = self.shown(self.cut(3), language)
                self.assertIn(since.split(" ")[0], page.locator("main .note-unknown").inner_text())
                heads = page.locator(".section-head .muted").all_inner_texts()
                self.assertEqual(sum(since in head for head in heads), 4, heads)
                chart = page.get_by_role("slider").first
                chart.focus()
                page.keyboard.press("Home")
                self.assertIn(missing, chart.get_attribute("aria-valuetext"))
                page.keyboard.press("End")
                self.assertNotIn(missing, chart.get_attribute("aria-valuetext"))
                # A gap is seen: it is one band, in each chart of columns and in each miniature.
                for drawing in page.locator(".volume .drawing, .multiple .miniature").all():
                    self.assertEqual(drawing.locator(".gap").count(), 1)
                self.assertIn("+", page.locator(".section", has=page.locator(".multiples")).locator(".figure b").inner_text())
                page.locator("details.behind summary").first.click()
                self.assertIn(missing, page.locator("details[open] tbody tr").first.inner_text())
                self.assertIn("+", page.locator("nav.menu a[href='/portal/refused'] .count").inner_text())
                if language == "en":
                    self.looks(page, "home-cut")
                    self.go(page, "/refused")
                    self.assertIn("+", page.locator(".code-count b").first.inner_text())

    def test_nothing_that_was_not_counted_is_called_nothing(self):
        page = self.shown(self.cut(0))
        self.assertIn("are not shown", page.locator("main .note-unknown").inner_text())
        self.assertEqual(page.locator(".volume-amount").count(), 0)
        self.axe(page)

    def test_webhooks_on_their_way_are_shown(self):
        def waiting(dead):
            def change(home):
                home["alarms"] = []
                home["certificates"] = []
                home["work"] = {"unknownOperations": {"count": 0, "atLeast": False}, "pendingEvents": {"count": 1000, "atLeast": True}, "deadEvents": {"count": dead, "atLeast": False}}
            return change

        page = self.shown(waiting(0))
        self.assertIn("Nothing needs you now", page.locator(".all-well").inner_text())
        page.locator(".all-well").get_by_role("link", name="1,000+ webhooks on their way").click()
        self.until(page, "location.search === '?state=pending'")
        page = self.shown(waiting(2))
        cards = page.locator(".attention-card").all_inner_texts()
        self.assertTrue("given up" in cards[0] and "on their way" in cards[1], cards)
        self.axe(page)

    def test_what_the_server_has_written_is_marked_as_english(self):
        def alarmed(home):
            home["alarms"] = [{"kind": "disk", "severity": "warning", "subject": "x", "text": "The disk is nearly full.", "advice": "Make room.", "merchant": None, "begunAt": home["at"]}]

        page = self.shown(alarmed, "de")
        self.assertEqual(page.locator(".alarms [lang=en]").all_inner_texts(), ["The disk is nearly full.", "Make room."])
