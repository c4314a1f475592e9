# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""Lists of any length: pages by key that do not grow, whole lists where the whole is needed, and files of what a list shows."""

import re
import secrets
import unittest
import urllib.parse

from portal_operator import REFUSED, OperatorTestCase

PAGES = 40
ROWS = 50


def query_of(request):
    return {name: values[0] for name, values in urllib.parse.parse_qs(urllib.parse.urlsplit(request.url).query).items()}


class PagesTest(OperatorTestCase):
    def test_a_list_of_many_pages_does_not_grow(self):
        self.portal.pay("51.00")
        (row,) = self.portal.get("/payments?limit=1")["data"]
        page = self.signed_in(path="/portal/account")
        asked = []

        def answer(route):
            asked.append(query_of(route.request).get("after"))
            number = int(asked[-1] or 0)
            rows = [{**row, "id": f"pay_{number:013d}{at:013d}"} for at in range(ROWS)]
            route.fulfill(json={"data": rows, "next": str(number + 1) if number + 1 < PAGES else None})

        page.route(re.compile(r"/admin/v1/payments(\?|$)"), answer)
        self.go(page, "/payments")
        sizes = []
        for number in range(PAGES):
            self.until(page, f"document.querySelector('tbody tr')?.dataset.key === 'pay_{number:013d}{0:013d}'")
            self.settled(page)
            sizes.append(page.evaluate("document.querySelectorAll('*').length"))
            if number + 1 < PAGES:
                # As a person does; the click itself would scroll forty times.
                page.get_by_role("button", name="Older").evaluate("(button) => button.click()")
        self.assertEqual(asked, [None, *[str(number) for number in range(1, PAGES)]], "each page once, each by its key")
        self.assertEqual(page.locator("tbody tr").count(), ROWS)
        self.assertEqual(len(set(sizes[1:-1])), 1, "What stands in the page is of one size, however far one goes.")
        self.assertEqual(page.get_by_role("button", name="Older").count(), 0)
        page.get_by_role("button", name="Newest").click()
        self.until(page, f"document.querySelector('tbody tr')?.dataset.key === 'pay_{0:013d}{0:013d}'")

    def test_every_list_has_its_next_page(self):
        merchant = self.portal.merchant
        shown = {
            "/people": ("/people", {"userName": "second-page", "displayName": "On the second page"}),
            "/people/tokens": ("/tokens", {"name": "On the second page"}),
            "/merchants": ("/merchants", {"name": "second-page", "displayName": "On the second page"}),
            f"/reports/balances?merchant={merchant}": ("/balances", {"acquirer": "On the second page", "balance": "1.00"}),
            f"/reports/fees?merchant={merchant}": (f"/merchants/{merchant}/fees", {"account": "On the second page"}),
        }
        self.portal.pay("52.00")
        for path, (address, members) in shown.items():
            with self.subTest(path):
                # The merchant that is made up has no steps to ask for.
                page = self.signed_in(path="/portal/account", expected=REFUSED)
                pattern = re.compile(rf"/admin/v1{re.escape(address)}(\?|$)")
                asked = []

                def answer(route, *, members=members, asked=asked):
                    query = query_of(route.request)
                    asked.append(query)
                    row = {"currency": "USD", "amount": "1.00", "momentUTC": "2026-11-23T10:00:00Z", "source": "settlement", "payment": None}
                    first = route.fetch(url=route.request.url.split("?")[0]).json()["data"]
                    route.fulfill(json={"data": [{**(first[0] if first else row), **members}], "next": None} if "after" in query else {"data": first or [{**row, "account": "first"}], "next": "key"})

                page.route(pattern, answer)
                self.go(page, path)
                page.get_by_role("button", name="Next page").click()
                page.locator("main").get_by_text("On the second page").first.wait_for()
                self.assertEqual(asked[-1]["after"], "key")
                self.assertIn("after=key", page.url)
                page.get_by_role("button", name="First page").click()
                page.get_by_role("button", name="Next page").wait_for()
                self.assertEqual(page.locator("main").get_by_text("On the second page").count(), 0)

    def test_the_frame_has_every_merchant_however_many_pages_they_fill(self):
        page = self.signed_in(path="/portal/account")
        every = self.portal.get("/merchants")["data"]

        def answer(route):
            at = int(query_of(route.request).get("after", 0))
            route.fulfill(json={"data": every[at:at + 2], "next": str(at + 2) if at + 2 < len(every) else None})

        page.route(re.compile(r"/admin/v1/merchants(\?|$)"), answer)
        page.reload()
        self.settled(page)
        names = page.locator(".merchant-select option").evaluate_all("(options) => options.map(({ value }) => value).filter(Boolean)")
        self.assertEqual(names, [one["name"] for one in every])
        self.assertGreater(len(names), 4)

    def test_a_whole_list_without_an_end_is_an_error_and_no_part(self):
        page = self.signed_in()
        code = page.evaluate("""async () => {
            const { getAll } = await import('/portal/core/api.js');
            globalThis.fetch = async () => new Response(JSON.stringify({ data: [1], next: 'again' }));
            return getAll('/merchants').then((rows) => rows.length, ({ code }) => code);
        }""")
        self.assertEqual(code, "list_too_long")


class FilesOfListsTest(OperatorTestCase):
    def test_every_list_exports_what_it_shows(self):
        merchant = self.portal.merchant
        page = self.signed_in()
        asked = []

        def answer(route):
            asked.append((urllib.parse.urlsplit(route.request.url).path.rsplit("/", 1)[1], query_of(route.request)))
            route.fulfill(body="a\r\n1\r\n", headers={"Content-Type": "text/csv", "Content-Disposition": f'attachment; filename="pomona-sandbox-{len(asked)}.csv"'})

        page.route("**/admin/v1/exports/*", answer)
        for path, kind, query in (
            ("/people", "people", {}), ("/people/tokens", "tokens", {}), ("/merchants", "merchants", {}),
            (f"/webhooks?merchant={merchant}&state=dead", "events", {"merchant": merchant, "state": "dead"}),
            ("/reports/balances", "balances", {"merchant": merchant}), ("/reports/fees", "fees", {"merchant": merchant}),
            ("/approvals", "approvals", {"merchant": merchant, "state": "waiting"}), ("/approvals?state=all", "approvals", {"merchant": merchant}),
            ("/doctor/alarms", "alarms", {}),
        ):
            with self.subTest(path):
                self.go(page, path)
                with page.expect_download() as download:
                    self.button(page, "Export").click()
                self.assertEqual(asked[-1], (kind, {**query, "format": "csv"}))
                self.assertEqual(download.value.suggested_filename, f"pomona-sandbox-{len(asked)}.csv")

    def test_a_file_is_written_where_the_person_says_while_it_comes(self):
        self.portal.pay("53.00")
        page = self.signed_in(path="/portal/payments")
        page.evaluate("""() => { globalThis.showSaveFilePicker = async ({ suggestedName }) => {
            const folder = await navigator.storage.getDirectory();
            return folder.getFileHandle(suggestedName, { create: true });
        }; }""")
        self.button(page, "Export").click()
        page.locator(".toast", has_text="is written").wait_for()
        name, text = page.evaluate("""async () => {
            const folder = await navigator.storage.getDirectory();
            for await (const [name, handle] of folder.entries()) { return [name, await (await handle.getFile()).text()]; }
        }""")
        self.assertRegex(name, r"^pomona-sandbox-.*payments.*\.csv$")
        self.assertIn("53.00", text)

    def test_who_thinks_better_of_it_gets_no_file_and_no_complaint(self):
        page = self.signed_in(path="/portal/payments")
        page.evaluate("() => { globalThis.showSaveFilePicker = async () => { throw new DOMException('', 'AbortError'); }; }")
        button = self.button(page, "Export")
        button.click()
        self.until(page, "!document.querySelector('main button[aria-busy]')")
        self.assertEqual(page.locator(".toast").count(), 0)
        self.assertEqual(button.inner_text(), "Export")

    def test_a_file_that_memory_does_not_hold_is_said_and_not_cut(self):
        self.portal.pay("54.00")
        page = self.signed_in(path="/portal/payments")
        code = page.evaluate("""async () => {
            const { download } = await import('/portal/core/download.js');
            return download('/exports/payments', { format: 'csv' }, { bytesMax: 10 }).then(() => 'a file', ({ code }) => code);
        }""")
        self.assertEqual(code, "export_too_long")


class TokensTest(OperatorTestCase):
    def test_tokens_that_are_over_are_asked_for(self):
        name = "over " + secrets.token_hex(4)
        page = self.signed_in()

        def answer(route):
            rows = route.fetch(url=route.request.url.split("?")[0]).json()["data"]
            over = [{**rows[0], "id": "tok_over", "name": name, "revokedAt": "2026-11-23T10:00:00Z"}]
            route.fulfill(json={"data": [*rows, *(over if query_of(route.request).get("state") == "all" else [])], "next": None})

        page.route(re.compile(r"/admin/v1/tokens(\?|$)"), answer)
        self.go(page, "/people/tokens")
        page.locator(".cards .card").first.wait_for()
        self.assertEqual(page.locator("main", has_text=name).count(), 0)
        self.button(page, "Show those that open nothing any more").click()
        page.locator(".over-tokens", has_text=name).wait_for()
        self.looks(page, "tokens-all")


if __name__ == "__main__":
    unittest.main()
