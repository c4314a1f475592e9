# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""The package `tappay` of the Python index, unchanged, against the sandbox: it pays with primes, queries, captures and
refunds, and its own rules read the answers.

The package knows two hosts, by name. Its attribute api_host is what it makes every address of; the sandbox's stands there,
with the sandbox's certificate authority in its session.

Environment
    POMONA_SANDBOX_JSON  a file with the line of JSON that `pomona sandbox --json` writes when it is ready. Without it, or
                         where that sandbox does not answer, one is started (harness.py)
    POMONA_BINARY        the built executable; by default the one of `script/build --show-bin-path`
"""

import json
import os
import pathlib
import subprocess
import unittest
import urllib.parse

import tappay
from harness import SandboxTestCase, _Sandbox, post_json

PUBLISHED_PRIME = "test_3a2fb2b7e892b914a03c95dd4dd5dc7970c908df67a49527c0a648b2bc9"


class TapPayClientTest(SandboxTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.account = cls.sandbox["merchants"]["tappay"]

    def client(self, partner_key=None, raise_on_error=False):
        client = tappay.Client(
            True, partner_key or self.account["partnerKey"], self.account["merchantId"], raise_on_error=raise_on_error)
        client.api_host = urllib.parse.urlsplit(self.sandbox["https"]).netloc
        client.session.verify = self.sandbox["ca"]
        # Neither a proxy nor another certificate authority of the machine's environment.
        client.session.trust_env = False
        self.addCleanup(client.close)
        return client

    def token(self, amount, currency="TWD", card="visa"):
        """What Apple Pay hands to a page: minted by the gateway's own command."""
        data = str(pathlib.Path(self.sandbox["ca"]).parent)
        output = subprocess.run(
            [
                _Sandbox._binary(), "token", "mint", "--data", data, "--merchant", "tappay", "--amount", amount,
                "--currency", currency, "--card", card, "--format", "paymentData",
            ],
            check=True, capture_output=True, text=True, timeout=60).stdout
        return json.loads(output)

    def prime(self, amount, currency="TWD", card="visa", pending=False):
        status, answer = post_json(
            self.sandbox["http"].rstrip("/") + "/tpc/applepay/getprime",
            {
                "app_id": int(self.account["appId"]), "app_key": self.account["appKey"], "app_name": "shop.example",
                "platform_type": "2", "pay_token_data": self.token(amount, currency, card),
                "apple_merchant_id": self.account["merchantIdentifier"], "fraud_id": "", "is_amount_pending": pending,
            })
        self.assertEqual((status, answer["status"]), (200, 0), answer)
        return answer["prime"]

    def customer(self):
        return tappay.Models.CardHolderData(phone_number="+886912345678", name="Lin Mei", email="mei@example.com")

    def pay(self, client, units, amount, currency="TWD", card="visa", **fields):
        return client.pay_by_prime(
            self.prime(amount, currency, card), units, "Six apples", self.customer(), currency=currency, **fields)

    def record(self, client, trade):
        answer = client.get_records({"rec_trade_id": trade})
        # Status 2, "End of list", stands on the last page.
        self.assertEqual((answer["status"], answer["number_of_transactions"]), (2, 1), answer)
        return answer["trade_records"][0]

    def test_pays_captures_queries_and_refunds(self):
        # Raises for every status that the package does not know as a good one.
        client = self.client(raise_on_error=True)
        paid = self.pay(client, 350, "350", order_number="A-1")
        self.assertEqual((paid["status"], paid["msg"], paid["amount"], paid["currency"]), (0, "Success", 350, "TWD"))
        trade = paid["rec_trade_id"]
        self.assertEqual(paid["bank_transaction_id"], "TP" + trade[1:])
        record = self.record(client, trade)
        self.assertEqual((record["record_status"], record["amount"], record["is_captured"]), (0, 350, False))
        self.assertEqual(record["order_number"], "A-1")
        self.assertEqual(record["cardholder"]["name"], "Lin Mei")
        self.assertEqual(client.capture_today(trade)["status"], 0)
        self.assertEqual(self.record(client, trade)["record_status"], 1)
        refund = client.refund(trade, 100)
        self.assertEqual((refund["refund_amount"], refund["is_captured"]), (100, True))
        record = self.record(client, trade)
        self.assertEqual((record["record_status"], record["amount"], record["refunded_amount"]), (2, 250, 100))
        cancelled = client.cancel_refund(trade, refund_id=refund["refund_id"])
        self.assertEqual(cancelled["result"]["amount"], 100)
        self.assertEqual(client.refund(trade)["refund_amount"], 350)
        self.assertEqual(self.record(client, trade)["record_status"], 3)
        history = client.get_trade_history(trade)["trade_history"]
        self.assertEqual([entry["action"] for entry in history], [0, 1, 3, 6, 3])

    def test_counts_cents_of_other_currencies(self):
        client = self.client(raise_on_error=True)
        paid = self.pay(client, 1099, "10.99", tappay.Models.Currencies.USD.value)
        self.assertEqual((paid["amount"], paid["currency"]), (1099, "USD"))
        found = client.get_records(
            {"currency": "USD", "amount": {"lower_limit": 1099, "upper_limit": 1099}, "rec_trade_id": paid["rec_trade_id"]},
            order_by_dict={"attribute": "amount", "is_descending": False})
        self.assertEqual(found["number_of_transactions"], 1)

    def test_takes_captures_and_authorizations_back(self):
        client = self.client(raise_on_error=True)
        trade = self.pay(client, 50, "50", delay_capture_in_days=-1)["rec_trade_id"]
        self.assertEqual(client.capture_today(trade)["status"], 0)
        self.assertEqual(client.cancel_capture(trade)["status"], 0)
        self.assertEqual(self.record(client, trade)["record_status"], 0)
        refund = client.refund(trade)
        self.assertEqual((refund["refund_amount"], refund["is_captured"]), (50, False))

    def test_refuses_a_part_before_the_capture(self):
        client = self.client(raise_on_error=True)
        trade = self.pay(client, 50, "50")["rec_trade_id"]
        with self.assertRaises(tappay.Exceptions.TapPayError) as refused:
            client.refund(trade, 10)
        self.assertEqual(refused.exception.status, 10024)
        self.assertIn("/tpc/transaction/cap", refused.exception.response["detail"])

    def test_deferred_prime_takes_the_servers_amount(self):
        client = self.client(raise_on_error=True)
        paid = client.pay_by_prime(self.prime("1", pending=True), 730, "A ride", self.customer())
        self.assertEqual(paid["amount"], 730)

    def test_published_prime_pays(self):
        client = self.client(raise_on_error=True)
        for _ in range(2):
            paid = client.pay_by_prime(PUBLISHED_PRIME, 1, "The vendor's example", self.customer())
            self.assertEqual(paid["card_info"]["bin_code"], "424242")

    def test_declines_are_answers(self):
        client = self.client()
        declined = self.pay(client, 100, "100", card="tappay-10005")
        self.assertEqual((declined["status"], declined["msg"]), (10005, "Bank System Error"))
        self.assertEqual(self.record(client, declined["rec_trade_id"])["record_status"], -1)

    def test_a_prime_pays_once(self):
        client = self.client()
        prime = self.prime("20")
        self.assertEqual(client.pay_by_prime(prime, 20, "First", self.customer())["status"], 0)
        again = client.pay_by_prime(prime, 20, "Second", self.customer())
        self.assertEqual((again["status"], again["msg"]), (121, "Invalid arguments : prime"))

    def test_lists_pages(self):
        client = self.client(raise_on_error=True)
        for _ in range(3):
            client.pay_by_prime(PUBLISHED_PRIME, 7, "A page", self.customer(), order_number="pages")
        page = client.get_records({"order_number": "pages"}, page=0, records_per_page=2)
        self.assertEqual((page["status"], len(page["trade_records"])), (0, 2))

    def test_a_wrong_key_is_an_authentication_error(self):
        client = self.client(partner_key="partner_of_nobody")
        with self.assertRaises(tappay.Exceptions.AuthenticationError):
            client.get_records({})

    def test_the_card_vault_is_not_for_apple_pay(self):
        client = self.client()
        self.assertEqual(client.pay_by_token("key", "token", 1, "None", currency="TWD")["status"], 67)
        self.assertEqual(client.bind_card("prime", self.customer())["status"], 67)
        self.assertEqual(client.remove_card("key", "token")["status"], 67)


if __name__ == "__main__":
    unittest.main()
