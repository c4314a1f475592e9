# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""Audit and doctor in the portal: who did what, when, from where; the proof that the log is whole; findings and alarms."""

import csv
import io
import unittest

from portal_operator import Actions, OperatorTestCase, WebKitCase


class AuditTest(OperatorTestCase):
    def test_the_auditor_finds_an_act_proves_the_log_and_takes_it_along(self):
        merchant = self.merchant()
        page = self.signed_in("viewer", path="/portal/audit?act=merchant.create")
        actions = Actions(page)
        row = page.locator("tr", has_text=merchant["name"]).first
        row.wait_for()
        self.assertIn("Added a merchant", row.inner_text())
        actions.click(self.button(page, "Prove it now"))
        page.get_by_text("each chained to the one before.").wait_for()
        head = self.portal.get("/audit/check")
        self.assertTrue(head["sound"])
        with page.expect_download() as download:
            actions.click(self.button(page, "Export"))
        with open(download.value.path(), encoding="utf-8-sig") as file:
            lines = list(csv.reader(io.StringIO(file.read())))
        self.assertTrue(any(merchant["name"] in line for line in lines))
        self.assertEqual(actions.count, 2)
        self.looks(page, "audit")
        row.locator(".row-link").click()
        self.dialog(page).get_by_text("SHA-256 over this entry").wait_for()
        self.looked_at(page)
        self.shows_no_secret(page)

    def test_filters_by_who(self):
        page = self.signed_in("viewer", path="/portal/audit?actor=nobody-of-that-name")
        page.get_by_text("Nothing fits").wait_for()
        self.axe(page)

    def test_the_doctor_says_what_why_and_what_to_do(self):
        merchant = self.merchant()
        page = self.signed_in("operator", path="/portal/doctor?merchant=" + merchant["name"])
        page.locator(".finding").first.get_by_text("Why it matters").wait_for()
        self.looks(page, "doctor")
        self.button(page, "Ask acquirers and domains, too").click()
        self.settled(page)
        page.get_by_text("were asked as well").wait_for()

    def test_alarms_stand_or_have_ended(self):
        page = self.signed_in("operator", path="/portal/doctor/alarms")
        page.get_by_role("heading", name="All alarms").wait_for()
        self.looks(page, "alarms")

    def test_support_sees_neither(self):
        page = self.signed_in("support", path="/portal/audit")
        page.get_by_text("Your role does not show this").wait_for()
        self.go(page, "/doctor")
        page.get_by_text("Your role does not show this").wait_for()


class AuditInWebKit(WebKitCase):
    def test_the_pages_come(self):
        self.comes([("/audit", "Audit"), ("/doctor", "Doctor"), ("/doctor/alarms", "Doctor")])


if __name__ == "__main__":
    unittest.main()
