# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""Reports in the portal: the accountant finds the one difference to the bank's file, explains it, and closes the day."""

import datetime
import json
import re
import unittest

from portal_operator import REFUSED, Actions, OperatorTestCase, WebKitCase


class ReportsTest(OperatorTestCase):
    def settlement(self, changed):
        """A bank's file for a payment of now: its text and the mapping. `changed`: what the bank says it has paid."""
        order = self.portal.pay("42.50")
        payment = self.portal.payment_of(order)
        reference = payment["operations"][0]["acquirerReference"]
        day = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
        mapping = {"name": "bank", "columns": {"date": "Day", "amount": "Sum", "currency": "Currency", "reference": ["RRN"], "type": "What"}, "types": {"SALE": "payment"}}
        return f"Day,What,Sum,Currency,RRN\n{day},SALE,{changed},USD,{reference}\n", mapping, reference

    def test_the_accountant_finds_the_one_difference_and_explains_it(self):
        text, mapping, reference = self.settlement("41.50")
        page = self.signed_in("operator", path="/portal/reports/settlements?merchant=" + self.portal.merchant)
        actions = Actions(page)
        actions.click(self.button(page, "Import a file").first)
        dialog = self.dialog(page)
        dialog.locator("input[type=file]").set_input_files({"name": "november.csv", "mimeType": "text/csv", "buffer": text.encode()})
        dialog.get_by_label("Mapping").first.select_option("own")
        dialog.get_by_label("Mapping as JSON").fill(json.dumps(mapping))
        self.looked_at(page)
        actions.click(dialog.get_by_role("button", name="Import the file"))
        page.get_by_role("heading", name="november.csv").wait_for()
        self.settled(page)
        self.looks(page, "settlement")
        actions.click(page.get_by_role("button", name=f"Explain the difference of {reference}"))
        dialog = self.dialog(page)
        self.assertIn("1.00 USD less than the ledger says", dialog.locator(".sentence").inner_text().replace("\u00a0", " "))
        self.looked_at(page)
        actions.click(dialog.get_by_role("radio", name="It is a fee"))
        dialog.get_by_label("Reason").fill("the bank's statement")
        actions.click(dialog.get_by_role("button", name="Book the explanation"))
        self.closed(page)
        page.get_by_role("button", name=f"Explain the difference of {reference}").wait_for(state="detached")
        left = self.portal.get("/settlement-differences?limit=200&merchant=" + self.portal.merchant)["data"]
        self.assertNotIn(reference, [item["reference"] for item in left])
        self.assertLessEqual(actions.count, 6)

    def test_a_file_that_cannot_be_read_books_nothing(self):
        page = self.signed_in("operator", path="/portal/reports/settlements?merchant=" + self.portal.merchant, expected=REFUSED)
        before = len(self.portal.get("/settlements?merchant=" + self.portal.merchant)["data"])
        self.button(page, "Import a file").first.click()
        dialog = self.dialog(page)
        dialog.locator("input[type=file]").set_input_files({"name": "wrong.csv", "mimeType": "text/csv", "buffer": b"no,such\ncolumns,here\n"})
        dialog.get_by_label("Mapping").first.select_option("mpgs")
        dialog.get_by_role("button", name="Import the file").click()
        dialog.locator(".problem, .field-error:not(:empty)").first.wait_for()
        self.assertEqual(len(self.portal.get("/settlements?merchant=" + self.portal.merchant)["data"]), before)

    def test_a_file_without_lines_is_of_the_days_that_are_said(self):
        """A bank's file of a day without a payout is headings alone."""
        page = self.signed_in("operator", path="/portal/reports/settlements?merchant=" + self.portal.merchant, expected=REFUSED)
        mapping = {"name": "bank", "columns": {"date": "Day", "amount": "Sum", "currency": "Currency", "reference": ["RRN"]}}
        self.button(page, "Import a file").first.click()
        dialog = self.dialog(page)
        dialog.locator("input[type=file]").set_input_files({"name": "no-payout.csv", "mimeType": "text/csv", "buffer": b"Day,Sum,Currency,RRN\n"})
        dialog.get_by_label("Mapping").first.select_option("own")
        dialog.get_by_label("Mapping as JSON").fill(json.dumps(mapping))
        dialog.get_by_role("button", name="Import the file").click()
        dialog.locator(".problem", has_text="no days of its own").wait_for()
        for field in dialog.locator("input[type=date]").all():
            field.fill("2024-02-29")
        dialog.get_by_role("button", name="Import the file").click()
        page.get_by_role("heading", name="no-payout.csv").wait_for()
        files = self.portal.get("/settlements?merchant=" + self.portal.merchant)["data"]
        file = next(one for one in files if one["name"] == "no-payout.csv")
        self.assertEqual((file["lines"], file["from"][:10]), (0, "2024-02-29"))

    def test_a_file_that_was_cut_off_says_so(self):
        """In the list and on its page; the answer of a store that a killed process has left is put in its place."""
        text, mapping, _ = self.settlement("42.50")
        merchant = self.portal.merchant
        status, imported = self.portal.call("POST", f"/merchants/{merchant}/settlements", {
            "acquirer": self.portal.get(f"/merchants/{merchant}/acquirers")["data"][0]["name"], "name": "long.csv, part 1", "mapping": mapping, "text": text})
        self.assertEqual(status, 201, imported)
        file = imported["file"]["id"]
        page = self.signed_in("operator", path=f"/portal/reports/settlements/{file}")
        page.get_by_role("heading", name="long.csv, part 1").wait_for()
        self.assertEqual(page.get_by_text("incomplete").count(), 0)

        def cut_off(route):
            answer = route.fetch()
            json = answer.json()
            for one in json.get("data", [json]):
                one["incomplete"] = {"bookedLines": 5000, "lines": 12000} if one["id"] == file else None
            route.fulfill(response=answer, json=json)

        page.route(re.compile(rf"/admin/v1/settlements(/{file})?(\?|$)"), cut_off)
        page.reload()
        page.get_by_text("incomplete: 5,000 of 12,000 lines booked").wait_for()
        page.get_by_text("Import the same file again").wait_for()
        self.looks(page, "settlement-cut-off")
        self.go(page, f"/reports/settlements?merchant={merchant}")
        row = page.locator("tbody tr", has_text="long.csv, part 1")
        row.get_by_text("incomplete: 5,000 of 12,000 lines booked").wait_for()
        self.assertEqual(page.get_by_text("incomplete:").count(), 1)
        self.looks(page, "settlements-cut-off")

    def test_a_day_shows_two_numbers_side_by_side(self):
        self.portal.pay("42.50")
        day = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
        page = self.signed_in("operator", path=f"/portal/reports/days/{self.portal.merchant}/{day}")
        page.locator(".pair").first.get_by_text("Ledger").wait_for()
        self.looks(page, "day")
        self.assertEqual(self.button(page, "Close the day…").count(), 0)  # It is not over.

    def test_the_banks_number_is_what_its_lines_say(self):
        """Also when the difference is explained, and where the ledger has nothing."""
        merchant = self.portal.merchant
        acquirer = self.portal.get(f"/merchants/{merchant}/acquirers")["data"][0]["name"]
        today = datetime.datetime.now(datetime.timezone.utc).date()
        first, second = (str(today - datetime.timedelta(days=ago)) for ago in (41, 40))
        mapping = {"name": "bank", "columns": {"date": "Day", "amount": "Sum", "currency": "Currency", "reference": ["RRN"], "type": "What"}, "types": {"SALE": "payment"}}
        status, imported = self.portal.call("POST", f"/merchants/{merchant}/settlements", {
            "acquirer": acquirer, "name": "two-days.csv", "mapping": mapping,
            "text": f"Day,What,Sum,Currency,RRN\n{first},SALE,300,JPY,nobody-one\n{second},SALE,200,JPY,nobody-two\n"})
        self.assertEqual(status, 201, imported)
        page = self.signed_in("operator", path=f"/portal/reports/days/{merchant}/{first}")
        pair = page.locator(".pair", has_text="JPY")
        for part in ("0\u00a0JPY", "300\u00a0JPY"):
            self.assertIn(part, pair.inner_text())
        self.assertEqual(page.get_by_role("button", name="Explain the difference of nobody-two").count(), 0, "That is the other day's.")
        status, answer = self.portal.call("POST", f"/settlements/{imported['file']['id']}/items/1/resolve", {"decision": "written-off", "reason": "the bank's error"})
        self.assertEqual(status, 200, answer)
        page.reload()
        self.settled(page)
        self.assertEqual(pair.get_by_text("the same").count(), 0)
        self.assertIn("300\u00a0JPY of it explained", pair.inner_text())
        self.looks(page, "day-explained")

    def test_every_page_looks_right(self):
        self.portal.pay("12.00")
        page = self.signed_in("operator", path="/portal/reports?merchant=" + self.portal.merchant)
        self.looks(page, "reports")
        for name in ("transactions", "balances", "fees", "settlements"):
            self.go(page, "/reports/" + name)
            self.looks(page, "reports-" + name)
        self.shows_no_secret(page)

    def test_exports_are_named_by_mode_and_merchant(self):
        self.portal.pay("12.00")
        page = self.signed_in("operator", path="/portal/reports/transactions?merchant=" + self.portal.merchant)
        with page.expect_download() as download:
            self.button(page, "Export").click()
        self.assertRegex(download.value.suggested_filename, r"sandbox.*commweb.*transactions.*\.csv")

    def test_empty_pages_say_what_will_be_here(self):
        merchant = self.merchant()
        page = self.signed_in("operator", path="/portal/reports?merchant=" + merchant["name"])
        for path, text in (("/reports", "No closed day yet"), ("/reports/transactions", "No transaction yet"), ("/reports/balances", "The ledger is empty"),
                           ("/reports/fees", "No fee yet"), ("/reports/settlements", "No settlement file yet")):
            self.go(page, path)
            page.get_by_text(text).wait_for()
            self.axe(page)

    def test_a_viewer_neither_imports_nor_closes(self):
        page = self.signed_in("viewer", path="/portal/reports/settlements?merchant=" + self.portal.merchant)
        self.assertEqual(self.button(page, "Import a file").count(), 0)


class ReportsInWebKit(WebKitCase):
    def test_the_pages_come(self):
        self.comes([("/reports?merchant=" + self.portal.merchant, "Reports"), ("/reports/transactions", "Reports"), ("/reports/balances", "Reports"), ("/reports/settlements", "Reports")])


if __name__ == "__main__":
    unittest.main()
