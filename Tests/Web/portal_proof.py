# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""The whole road of a merchant who goes live, in Chromium, as five people walk it.

It is started by Tests/pomonaTests/Portal/PortalProofTests.swift, which runs what is real of it (two gateways, each with its store) and
what nobody can have in a test (Apple, a customer's device, the passing of a day). Standard input has one JSON object:

    portal     the front gateway's administration; it began as an empty directory with one person, the owner
    shop       the server with Apple's page for certificates (/account), the shop's till (/orders) and the clock (/clock)
    owner      {user, password}: the password is to be changed
    bank       {host, merchantId, password, trustRoot}: what the bank has sent to the merchant
"""

import base64
import csv
import datetime
import hashlib
import hmac
import io
import json
import re
import struct
import sys
import unittest
import urllib.request

from harness import BrowserTestCase
from playwright.sync_api import expect

IDENTIFIER = "merchant.example.harbour.light"
PASSWORDS = {name: f"{name} walks three unusual roads" for name in ("owner", "olga", "sam", "vera")}
PROOF = {}
WAIT_MILLIS = 45_000


def ask(path, body=None):
    request = urllib.request.Request(PROOF["shop"] + path, data=None if body is None else json.dumps(body).encode())
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.loads(response.read())


def code_of(key):
    """The six digits of an authenticator app (RFC 6238). Each is taken once, so half a minute passes before."""
    now = datetime.datetime.fromisoformat(ask("/clock", {"seconds": 30})["now"].replace("Z", "+00:00"))
    digest = hmac.new(base64.b32decode(key + "=" * (-len(key) % 8)), struct.pack(">Q", int(now.timestamp()) // 30), hashlib.sha1).digest()
    at = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[at:at + 4])[0] & 0x7FFFFFFF) % 1_000_000:06d}"


class Somebody:
    """A person at a browser of his own."""

    def __init__(self, test, name):
        self.test = test
        self.name = name
        self.key = None
        # Before somebody is signed in, the page asks who it is.
        self.page = test.page(expected=[r"status of 401", r"status of 403", r"status of 429", r"ERR_ABORTED|ERR_INCOMPLETE"], viewport={"width": 1440, "height": 900}, accept_downloads=True)
        # Passwords take work on purpose, and two gateways and a browser share the machine.
        self.page.set_default_timeout(WAIT_MILLIS)

    def go(self, path):
        self.page.goto(f"{PROOF['portal']}/portal{path}")
        return self.page

    def press(self, name, within=None, exact=True):
        (within or self.page).get_by_role("button", name=name, exact=exact).first.click()

    def follow(self, name):
        self.page.get_by_role("link", name=name).first.click()

    def field(self, label, within=None):
        scope = within or self.page
        return scope.locator("input, textarea, select").and_(scope.get_by_label(label)).first

    def fill(self, label, value, within=None):
        self.field(label, within).fill(value)

    def sees(self, text):
        expect(self.page.get_by_text(text).first).to_be_visible()

    @property
    def dialog(self):
        return self.page.locator("dialog[open]")

    def sign_in(self, password=None):
        self.go("/")
        self.fill("User name", self.name)
        self.fill("Password", password or PASSWORDS[self.name])
        self.press("Sign in")
        if self.key:
            self.fill("Code", code_of(self.key))
            self.press("Continue")
        return self

    def enroll(self):
        """A second factor, as everybody must have one here."""
        self.sees("Add a second factor")
        self.page.get_by_text("Or type the key").click()
        self.key = self.page.locator(".secret-value").inner_text().replace(" ", "")
        self.fill("Code", code_of(self.key))
        self.press("Add the second factor")
        self.sees("Keep these codes")
        self.test.assertEqual(self.page.locator(".recovery code").count(), 10)
        self.press("I have kept them")
        return self

    def come(self, invitation):
        """Opens an invitation, chooses a password, signs in and enrolls an app."""
        self.page.goto(invitation)
        self.fill("New password", PASSWORDS[self.name])
        self.fill("Again", PASSWORDS[self.name])
        self.press("Set the password")
        self.sees("is set. Sign in with it.")
        self.test.assertNotIn("#", self.page.url)
        self.fill("Password", PASSWORDS[self.name])
        self.press("Sign in")
        return self.enroll().at_home()

    def at_home(self):
        expect(self.page.get_by_role("heading", name="Home", level=1)).to_be_visible()
        return self

    def api(self, path):
        """What the portal itself would be answered."""
        return self.page.evaluate(
            "async (path) => (await fetch('/admin/v1' + path, { headers: { 'Pomona-Portal': '1' } })).json()", path)


class PortalProof(BrowserTestCase):
    def test_a_merchant_goes_live(self):
        owner = self.the_owner_comes()
        people = self.people_are_invited(owner)
        self.two_people_are_needed_above_ten(owner)
        olga = people["olga"]
        self.the_merchant_is_made(olga)
        credentials = self.the_shop_gets_an_account(olga)
        self.the_bank_is_connected(olga)
        for purpose, kind in (("payment-processing", "paymentProcessing"), ("merchant-identity", "merchantIdentity")):
            self.apple_certifies(olga, purpose, kind)
        self.the_domain_is_added(olga)
        self.the_merchant_is_ready(olga)
        self.a_customer_pays(credentials)
        payment = self.support_asks_for_a_refund(people["sam"])
        self.a_second_person_approves(people["sam"], olga, payment)
        self.nobody_who_only_looks_can_act(people["vera"], payment)
        self.the_day_is_closed(olga)
        self.the_bank_report_is_matched(olga, payment)
        self.the_log_is_whole(owner)

    def the_owner_comes(self):
        owner = Somebody(self, "owner").sign_in(PROOF["owner"]["password"])
        owner.enroll()
        owner.sees("A password of your own")
        owner.fill("New password", PASSWORDS["owner"])
        owner.fill("Again", PASSWORDS["owner"])
        owner.press("Set the password")
        return owner.at_home()

    def people_are_invited(self, owner):
        people = {}
        for name, title, role in (("olga", "Olga Operator", "Operator"), ("sam", "Sam Support", "Support"), ("vera", "Vera Viewer", "Viewer")):
            page = owner.go("/people/new")
            owner.fill("Name", title)
            owner.fill("User name", name)
            page.get_by_label(role, exact=False).first.check()
            owner.press("Add the person")
            expect(owner.dialog.locator(".secret-value")).to_be_visible()
            invitation = owner.dialog.locator(".secret-value").inner_text()
            owner.press("I have kept it")
            expect(page.get_by_role("heading", name=title)).to_be_visible()
            self.assertNotIn(invitation.split("#")[1], page.content())
            people[name] = Somebody(self, name).come(invitation)
        return people

    def two_people_are_needed_above_ten(self, owner):
        owner.go("/people/policies")
        owner.press("Second person: All merchants")
        owner.fill("Refunds above", "USD 10.00", owner.dialog)
        owner.press("Save the policy", owner.dialog)
        owner.sees("Refunds above 10.00 USD")

    def the_merchant_is_made(self, olga):
        page = olga.go("/merchants/new")
        olga.fill("Name in the payment sheet", "Harbour Light")
        self.assertEqual(page.get_by_label("Short name").input_value(), "harbour-light")
        page.get_by_label("Live", exact=False).first.check()
        olga.sees("Payments of this merchant move real money.")
        page.get_by_label("Country").select_option("AU")
        page.get_by_label("Time zone").select_option("UTC")
        olga.press("Add the merchant")
        expect(page.get_by_role("heading", name="Harbour Light")).to_be_visible()
        expect(page.get_by_text("LIVE").first).to_be_visible()

    def the_shop_gets_an_account(self, olga):
        page = olga.go("/accounts/dialects/new?merchant=harbour-light&dialect=commweb")
        olga.press("Add the account in", exact=False)
        expect(olga.dialog.locator(".secret").first).to_be_visible()
        shown = {}
        for secret in olga.dialog.locator(".secret").all():
            shown[secret.locator(".secret-name").inner_text()] = secret.locator(".secret-value").inner_text()
        olga.press("I have kept it")
        page.wait_for_url("**/accounts/dialects/harbour-light/commweb")
        expect(page.get_by_role("heading", name="Credentials", exact=True)).to_be_visible()
        self.assertNotIn(shown["password"], page.content(), "it was shown once")
        return shown

    def the_bank_is_connected(self, olga):
        page = olga.go("/accounts/acquirers/new?merchant=harbour-light&connector=mpgs")
        olga.fill("Short name", "bank")
        olga.fill("host", PROOF["bank"]["host"])
        olga.fill("merchantId", PROOF["bank"]["merchantId"])
        olga.fill("password", PROOF["bank"]["password"])
        page.get_by_text("more setting").first.click()
        olga.fill("version", "71")
        olga.fill("trustRoot", PROOF["bank"]["trustRoot"])
        olga.press("Add the account")
        olga.sees("good")
        olga.sees("No route leads here")
        self.assertNotIn(PROOF["bank"]["password"], page.content())
        olga.go("/routes?merchant=harbour-light")
        olga.press("Add the first route")
        olga.press("Add the route", olga.dialog)
        olga.press("Save the routes…")
        olga.press("Save the routes", olga.dialog)
        olga.sees("The routes are saved.")
        expect(page.locator(".unsaved")).to_have_count(0)
        olga.field("Dialect").select_option("commweb")
        olga.fill("Amount", "42.50")
        olga.field("Currency").select_option("USD")
        olga.press("Ask the routes")
        olga.sees("42.50 USD would take bank.")

    def apple_certifies(self, olga, purpose, kind):
        page = olga.go(f"/apple-pay/certificate/{purpose}?merchant=harbour-light")
        olga.fill("Merchant identifier", IDENTIFIER)
        olga.press("Make the signing request")
        with page.expect_download() as download:
            olga.press("Download the signing request")
        request = download.value.path()
        # Apple's page, in another tab: a file goes in, a file comes out.
        apple = page.context.new_page()
        apple.goto(PROOF["shop"] + "/account")
        apple.locator("select").select_option(kind)
        apple.get_by_label("Merchant ID", exact=True).fill(IDENTIFIER)
        apple.get_by_label("Certificate Signing Request").set_input_files(request)
        apple.get_by_role("button", name="Continue").click()
        with apple.expect_download() as certificate:
            apple.get_by_role("link", name="Download").click()
        page.get_by_label("Apple's file").set_input_files(
            {"name": "apple_pay.cer", "mimeType": "application/pkix-cert", "buffer": certificate.value.path().read_bytes()})
        apple.close()
        expect(page.get_by_label("Or its text")).to_have_value(re.compile("^-----BEGIN CERTIFICATE-----"))
        olga.press("Import the certificate")
        olga.sees("The certificate is imported. It is not in use yet.")
        olga.press("Use the new certificate")
        olga.press("Use the new certificate", olga.dialog)
        olga.sees("The new certificate is in use.")

    def the_domain_is_added(self, olga):
        olga.go("/apple-pay/domains?merchant=harbour-light")
        olga.press("Add a domain", exact=False)
        olga.fill("Host name", "shop.harbour-light.example", olga.dialog)
        olga.fill("Apple's file", "7B2276657273696F6E223A312C227073704964223A22", olga.dialog)
        olga.press("Add a domain", olga.dialog)
        olga.sees("shop.harbour-light.example is added.")

    def the_merchant_is_ready(self, olga):
        olga.go("/merchants/harbour-light")
        olga.sees("It takes payments, in apps and on web pages.")

    def a_customer_pays(self, credentials):
        answer = ask("/orders", {
            "order": "1042", "merchantIdentifier": IDENTIFIER, "minorUnits": 4250, "currency": "USD",
            "merchantId": credentials["merchantId"], "password": credentials["password"]})
        self.assertEqual(answer["outcome"], "approved", answer)

    def support_asks_for_a_refund(self, sam):
        page = sam.go("/")
        sam.at_home()
        page.keyboard.press("/")
        page.keyboard.type("1042")
        page.get_by_role("option").first.click()
        expect(page.locator("h1 .payment-title")).to_contain_text("captured")
        self.assertNotIn("4761", page.locator("main").inner_text(), "no more of a card than its end is on the page")
        payment = page.url.rsplit("/", 1)[1]
        self.assertEqual(sam.api(f"/payments/{payment}")["acquirer"], "mpgs")
        sam.press("Refund…")
        sam.fill("Amount", "12.50", sam.dialog)
        sam.sees("30.00 USD stay captured")
        sam.press("Refund 12.50 USD", sam.dialog)
        sam.sees("A second person has to approve this.")
        return payment

    def a_second_person_approves(self, sam, olga, payment):
        sam.go("/approvals")
        sam.sees("You asked for this: somebody else approves it.")
        self.assertEqual(sam.page.get_by_role("button", name="Approve").count(), 0)
        page = olga.go("/approvals")
        olga.press("Approve")
        olga.press("Approve", olga.dialog)
        olga.sees("Approved and done.")
        page = olga.go(f"/payments/{payment}")
        expect(page.get_by_text("Refund", exact=True).first).to_be_visible()
        refunded = olga.api(f"/payments/{payment}")
        self.assertEqual((refunded["refunded"], refunded["state"]), ("12.50", "partiallyRefunded"))

    def nobody_who_only_looks_can_act(self, vera, payment):
        page = vera.go(f"/payments/{payment}")
        expect(page.get_by_role("heading", level=1)).to_contain_text("42.50")
        self.assertEqual(page.get_by_role("button", name="Refund").count(), 0)
        status = page.evaluate(
            """async (id) => (await fetch(`/admin/v1/payments/${id}/refund`, { method: "POST", body: "{}", headers: {
                "Pomona-Portal": "1", "Content-Type": "application/json", "Idempotency-Key": "1" } })).status""", payment)
        self.assertEqual(status, 403)

    def the_day_is_closed(self, olga):
        # A day can be closed a little after it is over; sessions end long before.
        ask("/clock", {"seconds": 86_400 + 3_600})
        olga.sign_in().at_home()
        olga.go("/reports?merchant=harbour-light")
        olga.follow("Look at it and close it")
        olga.press("Close the day…")
        olga.press(re.compile("^Close .*[0-9]"), olga.dialog)
        olga.sees("is closed.")

    def the_bank_report_is_matched(self, olga, payment):
        operations = [one for one in olga.api(f"/payments/{payment}")["operations"] if one["state"] == "succeeded"]
        report = io.StringIO()
        lines = csv.writer(report)
        lines.writerow(["timeOfRecord", "order.id", "transaction.id", "transaction.type", "transaction.amount", "transaction.currency",
                        "transaction.receipt", "result"])
        for one in operations:
            kind = {"authorization": "AUTHORIZATION", "sale": "PAYMENT", "capture": "CAPTURE", "refund": "REFUND"}[one["kind"]]
            lines.writerow([one["resolvedAt"], payment, one["id"], kind, one["amount"], "USD", one["acquirerReference"], "SUCCESS"])
        page = olga.go("/reports/settlements?merchant=harbour-light")
        olga.press("Import a file", exact=False)
        page.get_by_label("File", exact=True).set_input_files(
            {"name": "bank.csv", "mimeType": "text/csv", "buffer": report.getvalue().encode()})
        olga.press("Import the file", olga.dialog)
        olga.sees("Imported: 0 differences to explain.")
        file = page.url.rsplit("/", 1)[1].split("?")[0]
        self.assertEqual(olga.api(f"/settlements/{file}")["counts"]["matched"], 2, operations)

    def the_log_is_whole(self, owner):
        owner.sign_in().at_home()
        page = owner.go("/audit")
        for act in ("merchant", "approval"):
            expect(page.get_by_text(act, exact=False).first).to_be_visible()
        self.assertTrue(owner.api("/audit/check")["sound"])
        self.assertTrue(owner.api("/ledger/check")["sound"])


if __name__ == "__main__":
    PROOF.update(json.load(sys.stdin))
    expect.set_options(timeout=WAIT_MILLIS)
    unittest.main(argv=[sys.argv[0], "--verbose"])
