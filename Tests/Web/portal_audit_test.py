# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""Audit and doctor in the portal: who did what, when, from where; the proof that the log is whole; findings and alarms."""

import csv
import io
import os
import shutil
import tempfile
import unittest

from harness import start_sandbox
from portal import Portal
from portal_operator import REFUSED, Actions, OperatorTestCase, WebKitCase


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


class AlarmsTest(OperatorTestCase):
    """A sandbox of its own, in which an alarm stands: a token came that is sealed for another merchant's key."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.mkdtemp(prefix="pomona-portal-")
        cls.addClassCleanup(shutil.rmtree, folder, ignore_errors=True)
        line, stop = start_sandbox(folder, "--admin-port", "0", "--no-shop")
        try:
            portal = Portal(line, os.path.join(folder, "data"))
            portal.refuse(merchant="payone", code="key_unknown")
        finally:
            stop()
        # It looks for alarms when it starts, and then not for half a minute.
        line, stop = start_sandbox(folder, "--admin-port", "0", "--no-shop")
        cls.addClassCleanup(stop)
        cls.portal = Portal(line, os.path.join(folder, "data"))

    def test_whoever_may_ends_an_alarm(self):
        def standing():
            return [one for one in self.portal.get("/alarms?standing=true")["data"] if one["kind"] == "wrong_key"]

        self.wait_until(standing)
        (alarm,) = standing()
        page = self.signed_in("viewer", path="/portal/doctor/alarms")
        page.locator(".finding", has_text="Tokens for another key").wait_for()
        self.assertEqual(page.get_by_role("button", name="End the alarm").count(), 0, "A viewer looks.")
        page = self.signed_in("operator", path="/portal/doctor/alarms", expected=REFUSED)
        finding = page.locator(".finding", has_text="Tokens for another key")
        finding.wait_for()
        self.looks(page, "alarm-standing")
        finding.get_by_role("button", name="End the alarm").click()
        self.assertIn("begins anew", self.confirm(page, "End the alarm"))
        page.locator(".toast", has_text="ended").wait_for()
        # Its cause is still there: by now another may stand.
        self.assertNotIn(alarm["id"], [one["id"] for one in standing()])
        (ended,) = [one for one in self.portal.get("/alarms")["data"] if one["id"] == alarm["id"]]
        self.assertIsNotNone(ended["endedAt"])
        (entry,) = self.portal.get("/audit?act=alarm.end")["data"]
        self.assertEqual((entry["subject"], entry["actor"].split(" from ")[0]), (alarm["id"], "test-operator"))

    def test_an_alarm_that_has_ended_meanwhile_says_so(self):
        page = self.signed_in("operator", path="/portal/doctor/alarms", expected=REFUSED)
        alarm = {"id": "alm_00000000000000000000000000", "kind": "disk", "subject": "node-2", "merchant": None, "severity": "warning", "code": "disk_low", "days": None,
                 "text": "The disk is nearly full.", "advice": "Make room.", "begunAt": "2026-11-23T10:00:00Z", "endedAt": None}
        page.route("**/admin/v1/alarms?standing=true*", lambda route: route.fulfill(json={"data": [alarm], "next": None}))
        self.go(page, "/doctor/alarms?again=1")
        page.get_by_role("button", name="End the alarm Disk nearly full: node-2").click()
        dialog = self.dialog(page)
        self.button(dialog, "End the alarm").click()
        dialog.locator(".problem").wait_for()
        self.assertEqual(page.locator(".toast").count(), 0)


class AuditInWebKit(WebKitCase):
    def test_the_pages_come(self):
        self.comes([("/audit", "Audit"), ("/doctor", "Doctor"), ("/doctor/alarms", "Doctor")])


if __name__ == "__main__":
    unittest.main()
