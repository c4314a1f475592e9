# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""What the wallet refuses of a shop's request, because a phone would: here, and not at the pay button, of which the page hears nothing."""

import json
import re
import unittest

import wallet_test
from harness import ROOT
from wallet_payment_request_test import APPLE_PAY, SCRIPT, RequestTestCase, total
from wallet_test import PAY, WalletTestCase

CONTEXT = wallet_test.RequestTest.CONTEXT
AGREEMENTS = wallet_test.RequestTest.AGREEMENTS
ALL_AGREEMENTS = {**AGREEMENTS, "multiTokenContexts": [CONTEXT]}


class CountriesTest(WalletTestCase):
    def test_knows_the_countries_of_iso_3166(self):
        own = re.findall(r"\b([A-Z]{2})[A-Z]{3}\b", (ROOT / "Sources/Core/Countries/Country.swift").read_text(encoding="utf-8"))
        self.assertGreater(len(own), 240)
        page = self.page()
        page.goto(self.sandbox["http"].rstrip("/") + "/shop/icon.svg")
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        known = page.evaluate("(codes) => import('/wallet/modules/countries.js').then(({ isCountry }) => codes.filter(isCountry))",
                              [one + other for one in letters for other in letters])
        self.assertEqual(known, sorted(own))

    def test_refuses_codes_that_are_reserved_or_withdrawn(self):
        page = self.shop()
        for code in ["UK", "EU", "SU", "YU", "DD", "ZR", "AN", "CS", "TP", "FX", "XK", "us", "USA", ""]:
            with self.subTest(code):
                self.assertEqual(self.threw(page, {"countryCode": code}), "TypeError")
                self.assertEqual(self.threw(page, {"supportedCountries": ["GB", code]}), "TypeError")
        self.assertEqual(self.threw(page, {"countryCode": "GB", "supportedCountries": ["GB", "TW", "AX"]}), "")


NETWORKS = [
    "amex", "bancomat", "bancontact", "barcode", "cartesBancaires", "chinaUnionPay", "dankort", "discover", "eftpos", "electron", "elo",
    "girocard", "himyan", "interac", "jaywan", "jcb", "mada", "maestro", "masterCard", "meeza", "mir", "myDebit", "nanaco", "napas",
    "nspk", "pagoBancomat", "paypak", "postFinance", "privateLabel", "tmoney", "vPay", "visa", "waon"]


class RequestTest(WalletTestCase):
    def test_takes_every_network_that_there_is_however_often(self):
        networks = [*NETWORKS, *(name.upper() for name in NETWORKS), *NETWORKS]
        page = self.shop(request={"supportedNetworks": networks, "merchantCapabilities": ["supports3DS"] * 70}, clock=True)
        page.evaluate("() => { shop.version = 14; }")
        self.open(page)
        page.get_by_role("button", name=PAY).click()
        page.get_by_text("Done", exact=True).wait_for()
        self.assertEqual(self.log(page, "paymentauthorized")[0]["token"]["paymentMethod"]["network"], "Visa")

    def test_application_data_is_base64(self):
        page = self.shop()
        payer = self.page()
        payer.goto(self.origin)
        payer.evaluate(SCRIPT)
        for data, error in [
            ("b3JkZXItMTc=", ""), ("", ""), ("order 17", "TypeError"), ("b3JkZXItMTc", "TypeError"), (" b3JkZXItMTc=", "TypeError"),
            ("b3JkZXItMTd=", "TypeError"), ("b3JkZXItMT_=", "TypeError"), ("A" * 5464, "TypeError"), (5, "TypeError"),
        ]:
            with self.subTest(str(data)[:20]):
                self.assertEqual(self.threw(page, {"applicationData": data}), error)
                self.assertEqual(payer.evaluate("""(applicationData) => {
                    Object.assign(payer.methods[1].data, { applicationData });
                    return shop.attempt(() => new PaymentRequest(payer.methods, payer.details));
                }""", data), error)

    def test_says_early_that_a_capability_is_missing(self):
        page = self.shop(request={"merchantCapabilities": ["supportsCredit"]}, expected=["status of 400"])
        said = []
        page.on("console", lambda message: said.append(message.text) if message.type == "warning" else None)
        page.evaluate("() => { shop.version = 14; }")
        page.evaluate(SCRIPT)
        page.evaluate("""() => {
            payer.methods[1].data.merchantCapabilities = ["supportsEMV"];
            payer.request = new PaymentRequest(payer.methods, payer.details);
        }""")
        self.assertEqual(len(said), 1, said)
        self.open(page)
        self.assertEqual(len(said), 2, said)
        self.assertIn("merchantCapabilities lack supports3DS", said[1])
        page.get_by_role("button", name=PAY).click()
        page.get_by_text("merchantCapabilities must hold supports3DS").wait_for()
        self.assertEqual(self.log(page, "paymentauthorized"), [])


class AgreementsTest(WalletTestCase):
    def contexts(self, *amounts):
        return {"multiTokenContexts": [{**CONTEXT, "amount": amount} for amount in amounts]}

    def test_a_request_has_one_agreement_at_most(self):
        page = self.shop()
        names = list(ALL_AGREEMENTS)
        for one, other in [(one, other) for index, one in enumerate(names) for other in names[index + 1:]]:
            with self.subTest(one=one, other=other):
                self.assertEqual(self.threw(page, {name: ALL_AGREEMENTS[name] for name in (one, other)}), "TypeError")
        self.assertEqual(self.threw(page, {"multiTokenContexts": [], "deferredPaymentRequest": AGREEMENTS["deferredPaymentRequest"]}), "")

    def test_the_amounts_of_several_merchants_are_in_the_total(self):
        page = self.shop()
        for amounts, error in [
            (["12.50"], ""), (["12.49", "0.01"], ""), (["6.2499", "6.2501"], ""), (["12.51"], "TypeError"),
            (["12", "0.501"], "TypeError"), (["500"], "TypeError"), (["-1"], "TypeError"),
        ]:
            with self.subTest(amounts):
                self.assertEqual(self.threw(page, self.contexts(*amounts)), error)

    def test_an_update_is_held_against_the_same_rules(self):
        page = self.shop(listens=["paymentmethodselected"])
        page.evaluate("(changes) => Object.assign(shop.request, changes)", self.contexts("10.00"))
        new = {"label": "Test shop", "amount": "12.50"}
        updates = [
            ({"newTotal": {**new, "amount": "9.99"}}, "TypeError"),
            *(({"newTotal": new, f"new{name[0].upper()}{name[1:]}": value}, "TypeError") for name, value in AGREEMENTS.items()),
            *(({"newTotal": new, f"new{name[0].upper()}{name[1:]}": {"foo": 1}}, "TypeError") for name in AGREEMENTS),
            ({"newTotal": new, "newMultiTokenContexts": "x"}, "TypeError"),
            ({"newTotal": new, "newMultiTokenContexts": self.contexts("12.51")["multiTokenContexts"]}, "TypeError"),
            # What was refused has changed nothing.
            ({"newTotal": {**new, "amount": "9.00"}, "newMultiTokenContexts": self.contexts("9")["multiTokenContexts"]}, ""),
        ]
        self.answer_with(page, "paymentmethodselected", f"""
            for (const [update] of {json.dumps(updates)}) {{
                shop.note('update', shop.attempt(() => this.completePaymentMethodSelection(update)));
            }}""")
        self.open(page)
        self.assertEqual(self.log(page, "update"), [error for _, error in updates])
        self.assertIn("$9.00", self.sheet_text(page))


class ModifiersAgreementsTest(RequestTestCase):
    def payer_with(self, data, **more):
        return self.payer(details={"modifiers": [{"supportedMethods": APPLE_PAY, "data": data, **more}]})

    def test_a_modifier_has_one_agreement_in_its_total(self):
        contexts = [{**CONTEXT, "amount": "11.50"}]
        self.show(self.payer_with({"multiTokenContexts": contexts}))
        for title, data, more in [
            ("more than its total", {"multiTokenContexts": contexts}, {"total": total("11.00")}),
            ("more than its data's total", {"multiTokenContexts": contexts, "total": {"label": "Shop", "amount": "11.00"}}, {}),
            ("two of them", {name: ALL_AGREEMENTS[name] for name in ("recurringPaymentRequest", "multiTokenContexts")}, {}),
        ]:
            with self.subTest(title):
                page = self.payer_with(data, **more)
                page.click("h1")
                self.wait_for(page, "shown")
                self.assertEqual(self.log(page, "shown"), ["TypeError"])


if __name__ == "__main__":
    unittest.main()
