# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""The .http files of examples/http, sent to a real sandbox as they stand: what each answer says, and what the books say afterwards.

Environment
    POMONA_BINARY  the built executable; .build/debug/pomona if left out. Where that is not built, what needs it is skipped, and says so
"""

import contextlib
import importlib.util
import json
import os
import pathlib
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples/http"


def load(name):
    """A program of examples/http as a module, without leaving its bytecode there."""
    specification = importlib.util.spec_from_file_location(f"http_example_{name}", EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        specification.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return module


run = load("run")

# Of every request of every file, in order: its name, the status of the answer, and what the answer says. Names of JSON are paths, those of XML are
# elements, those of lines are keys.
EXPECTED = {
    "alphapay": [
        ("preOrder", 200, {"result.resultCode": "PAYMENT_IN_PROCESS", "result.resultStatus": "U", "applePayParams.amount": "10.99"}),
        ("pay", 200, {"result.resultCode": "SUCCESS", "result.resultStatus": "S", "paymentStatus": "SUCCESS"}),
        ("refund", 200, {"result.resultCode": "SUCCESS", "refund.refundAmount.value": "400", "refund.refundAmount.currency": "CAD"}),
        ("inquiryRefund", 200, {"result.resultCode": "SUCCESS", "refundStatus": "SUCCESS", "refund.refundAmount.value": "400"}),
        ("inquiry", 200, {"result.resultCode": "SUCCESS", "paymentStatus": "PARTIAL_REFUND", "order.orderAmount.value": "1099"}),
        ("declinedPreOrder", 200, {"result.resultCode": "PAYMENT_IN_PROCESS", "applePayParams.amount": "57.57"}),
        ("declined", 200, {"result.resultCode": "DO_NOT_HONOR", "result.resultStatus": "F", "paymentStatus": "FAILED"}),
    ],
    "commweb": [
        ("information", 200, {"status": "OPERATING"}),
        ("authorize", 201, {"result": "SUCCESS", "response.gatewayCode": "APPROVED", "order.status": "AUTHORIZED",
                            "order.totalAuthorizedAmount": 61.0, "order.totalCapturedAmount": 0.0}),
        ("capture", 201, {"result": "SUCCESS", "response.gatewayCode": "APPROVED", "order.status": "PARTIALLY_CAPTURED",
                          "transaction.amount": 40.0, "order.totalCapturedAmount": 40.0}),
        ("refund", 201, {"result": "SUCCESS", "response.gatewayCode": "APPROVED", "order.status": "PARTIALLY_REFUNDED",
                         "transaction.amount": 15.5, "order.totalRefundedAmount": 15.5}),
        ("retrieve", 200, {"result": "SUCCESS", "status": "PARTIALLY_REFUNDED", "totalAuthorizedAmount": 61.0, "totalCapturedAmount": 40.0,
                           "totalRefundedAmount": 15.5}),
        ("declined", 201, {"result": "FAILURE", "response.gatewayCode": "DECLINED", "order.status": "FAILED", "order.totalAuthorizedAmount": 0.0}),
        ("refundTooMuch", 400, {"result": "ERROR", "error.cause": "INVALID_REQUEST", "error.supportCode": "REFUND_EXCEEDS_CAPTURED"}),
    ],
    "payone": [
        ("preauthorization", 200, {"Status": "APPROVED"}),
        ("capture", 200, {"Status": "APPROVED", "SettleAccount": "yes"}),
        ("captureAgain", 200, {"Status": "APPROVED", "SettleAccount": "yes"}),
        ("refund", 200, {"Status": "APPROVED", "SettleAccount": "yes"}),
        ("declined", 200, {"status": "ERROR", "errorcode": "5", "errormessage": "Authorization declined"}),
        ("refundTooMuch", 200, {"status": "ERROR", "errorcode": "906"}),
    ],
    "radial": [
        ("authorize", 200, {"ResponseCode": "APPROVED", "AuthorizationResponseCode": "AP01", "AmountAuthorized": "14.99", "TenderType": "VC"}),
        ("confirm", 200, {"FundsAvailable": "Success"}),
        ("capture", 200, {"ResponseCode": "Success"}),
        ("refund", 200, {"ResponseCode": "Success"}),
        ("confirmAgain", 200, {"FundsAvailable": "Fail"}),
        ("declined", 200, {"ResponseCode": "DECL", "AuthorizationResponseCode": "ND01", "AmountAuthorized": "0.00"}),
        ("refundTooMuch", 409, {"Code": "CreditExceedsDebitsException"}),
    ],
    "tappay": [
        ("prime", 200, {"status": 0, "msg": "Success", "card_info.lastfour": "5671"}),
        ("pay", 200, {"status": 0, "msg": "Success", "amount": 350, "currency": "TWD"}),
        ("capture", 200, {"status": 0, "msg": "Success", "bank_result_code": "00"}),
        ("refund", 200, {"status": 0, "refund_amount": 100, "is_captured": True}),
        ("query", 200, {"status": 2, "number_of_transactions": 1, "trade_records.0.record_status": 2, "trade_records.0.amount": 250,
                        "trade_records.0.refunded_amount": 100, "trade_records.0.is_captured": True}),
        ("declinedPrime", 200, {"status": 0}),
        ("declined", 200, {"status": 10003, "msg": "Card Error", "amount": 100}),
    ],
}

# Of every merchant, in the order in which they were made: state, amount, currency, authorized, captured, refunded.
PAYMENTS = {
    "alphapay": [("partiallyRefunded", "10.99", "CAD", "10.99", "10.99", "4.00"), ("declined", "57.57", "CAD", "0.00", "0.00", "0.00")],
    "commweb": [("partiallyRefunded", "61.00", "USD", "61.00", "40.00", "15.50"), ("declined", "5757.00", "USD", "0.00", "0.00", "0.00")],
    "payone": [("partiallyRefunded", "10.00", "EUR", "10.00", "10.00", "2.50"), ("declined", "57.57", "EUR", "0.00", "0.00", "0.00")],
    "radial": [("partiallyRefunded", "14.99", "USD", "14.99", "14.99", "5.00"), ("declined", "57.57", "USD", "0.00", "0.00", "0.00")],
    "tappay": [("partiallyRefunded", "350.00", "TWD", "350.00", "350.00", "100.00"), ("declined", "100.00", "TWD", "0.00", "0.00", "0.00")],
}


def said(exchange, name):
    """What an answer says under a name; None where it says nothing."""
    kind = exchange.headers.get_content_type()
    if kind == "application/json":
        value = exchange.json()
        for part in name.split("."):
            try:
                value = value[int(part)] if isinstance(value, list) else value[part]
            except (KeyError, IndexError, TypeError):
                return None
        return value
    if kind == "application/xml":
        with contextlib.suppress(KeyError):
            return exchange.element(name)
        return None
    return dict(line.split("=", 1) for line in exchange.body.splitlines()).get(name)


class Sandbox:
    """A sandbox in a folder of its own. It is stopped, and the folder is gone, whatever happens between."""

    def __init__(self, binary):
        self.binary, self.folder = binary, pathlib.Path(tempfile.mkdtemp(prefix="pomona-http-"))
        self.process, self.log = None, self.folder / "log.txt"
        try:
            with open(self.log, "wb") as log:
                self.process = subprocess.Popen(
                    [binary, "sandbox", "--json", "--port", "0", "--tls-port", "0", "--data", self.folder / "data"],
                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log)
            (self.folder / "sandbox.json").write_bytes(self.announcement())
            self.announced = json.loads((self.folder / "sandbox.json").read_text())
        except BaseException:
            self.stop()
            raise

    def announcement(self):
        line, end = b"", time.monotonic() + 120
        while not line.endswith(b"\n"):
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))
            part = os.read(self.process.stdout.fileno(), 65536) if ready else b""
            if not part:
                raise AssertionError(f"the sandbox did not start: {self.log.read_text()}")
            line += part
        return line

    def stop(self):
        try:
            if self.process is not None:
                self.process.terminate()
                try:
                    self.process.wait(timeout=30)
                except subprocess.TimeoutExpired:
                    self.process.kill()
                    self.process.wait()
                self.process.stdout.close()
        finally:
            shutil.rmtree(self.folder)

    def command(self, *words):
        return subprocess.run([self.binary, *words, "--data", self.folder / "data"], capture_output=True, text=True, timeout=120)

    def environment(self, out, *words):
        return subprocess.run(
            [sys.executable, "-B", EXAMPLES / "environment.py", self.folder / "sandbox.json", "--pomona", self.binary, "--out", out, *words],
            capture_output=True, text=True, timeout=120)


class HTTPFilesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        named = os.environ.get("POMONA_BINARY")
        binary = pathlib.Path(named) if named else ROOT / ".build/debug/pomona"
        if not binary.is_file():
            if named:
                raise AssertionError(f"POMONA_BINARY is {named}, and there is no such file")
            print(f"\nhttp_files_test: SKIPPED, nothing of examples/http was sent: {binary} is not built", file=sys.stderr)
            raise unittest.SkipTest(f"{binary} is not built")
        cls.before = sorted(EXAMPLES.iterdir())
        cls.sandbox = Sandbox(str(binary))
        cls.addClassCleanup(cls.sandbox.stop)
        cls.file, cls.settings = cls.sandbox.folder / "http-client.env.json", cls.sandbox.folder / "settings.json"
        made = cls.sandbox.environment(cls.file, "--vscode", cls.settings)
        if made.returncode != 0:
            raise AssertionError(f"environment.py: {made.stderr}")
        cls.environment = run.environment(cls.file)
        cls.answers = {name: list(run.exchanges(EXAMPLES / f"{name}.http", cls.environment)) for name in EXPECTED}

    def test_every_answer_says_what_it_is_to_say(self):
        for file, requests in EXPECTED.items():
            answers = {answer.name: answer for answer in self.answers[file]}
            for name, status, fields in requests:
                with self.subTest(f"{file}.http {name}"):
                    answer = answers[name]
                    self.assertEqual(answer.status, status, answer.body)
                    self.assertEqual({field: said(answer, field) for field in fields}, fields, answer.body)

    def test_every_request_of_every_file_was_sent_in_order(self):
        self.assertEqual(sorted(path.stem for path in EXAMPLES.glob("*.http")), sorted(EXPECTED))
        for file, requests in EXPECTED.items():
            self.assertEqual([answer.name for answer in self.answers[file]], [name for name, _, _ in requests], file)

    def test_values_of_earlier_answers_were_sent(self):
        answers = {(file, answer.name): answer for file, exchanges in self.answers.items() for answer in exchanges}
        trade = answers["tappay", "pay"].json()["rec_trade_id"]
        self.assertEqual(json.loads(answers["tappay", "refund"].sent)["rec_trade_id"], trade)
        self.assertEqual(answers["tappay", "query"].json()["trade_records"][0]["rec_trade_id"], trade)
        txid = answers["payone", "preauthorization"].json()["TxId"]
        self.assertIn(f"&txid={txid}&", answers["payone", "refund"].sent)
        account = answers["radial", "authorize"].element("PaymentAccountUniqueId")
        self.assertIn(f">{account}</PaymentAccountUniqueId>", answers["radial", "refund"].sent)
        # What environment.py ordered is the order of the file: the repeated preOrder makes no other.
        self.assertEqual(answers["alphapay", "preOrder"].json()["paymentId"], json.loads(answers["alphapay", "pay"].sent)["paymentId"])

    def test_the_books_say_the_same(self):
        # Sent again with the same numbers, CommWeb's requests have the same answers and move nothing; AlphaPay's nonces have been used.
        again = subprocess.run(
            [sys.executable, "-B", EXAMPLES / "run.py", EXAMPLES / "commweb.http", "--environment", self.file],
            capture_output=True, text=True, timeout=120)
        self.assertEqual((again.returncode, again.stderr), (0, ""))
        for answer in self.answers["commweb"]:
            if answer.method == "PUT":
                self.assertIn(f"### commweb.http {answer.name}\nPUT {answer.url}\n{answer.status} {answer.body.strip()}\n", again.stdout)
        first = next(run.exchanges(EXAMPLES / "alphapay.http", self.environment))
        self.assertEqual(first.json()["result"]["resultCode"], "NONCE_REUSED")

        checked = self.sandbox.command("ledger", "check", "--json")
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        ledger = json.loads(checked.stdout)
        self.assertEqual((ledger["sound"], ledger["payments"], ledger["problems"]), (True, 10, []))
        listed = self.sandbox.command("payments", "list", "--json", "--limit", "1000")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        found = {name: [] for name in PAYMENTS}
        for payment in reversed(json.loads(listed.stdout)["payments"]):
            found[payment["merchant"]].append(
                tuple(payment[field] for field in ("state", "amount", "currency", "authorized", "captured", "refunded")))
        self.assertEqual(found, PAYMENTS)

    def test_answers_of_alphapay_are_signed_by_the_gateway(self):
        account = self.sandbox.announced["merchants"]["alphapay"]
        environment = load("environment")
        for answer in self.answers["alphapay"]:
            path = answer.url.removeprefix(self.environment["base"])
            content = f"POST {path}\n{account['merchantCode']}.{answer.headers['Response-Time']}.{answer.headers['Nonce']}.{answer.body}"
            signature = environment.urllib.parse.unquote(answer.headers["Signature"].rpartition("signature=")[2])
            file = self.sandbox.folder / "signature.bin"
            file.write_bytes(environment.base64.b64decode(signature))
            verified = subprocess.run(["openssl", "dgst", "-sha256", "-verify", account["gatewayPublicKey"], "-signature", file],
                                      input=content.encode(), capture_output=True, timeout=60)
            self.assertEqual((verified.returncode, verified.stdout), (0, b"Verified OK\n"), answer.name)

    def test_the_environment_is_for_its_owner_and_for_both_editors(self):
        self.assertEqual([path.stat().st_mode & 0o777 for path in (self.file, self.settings)], [0o600, 0o600])
        self.assertEqual(json.loads(self.settings.read_text()), {"rest-client.environmentVariables": {"sandbox": self.environment}})
        self.assertEqual(list(json.loads(self.file.read_text())), ["sandbox"])
        # Every variable is in use: none is made for nothing.
        text = "".join(path.read_text() for path in EXAMPLES.glob("*.http"))
        self.assertEqual([name for name in self.environment if f"{{{{{name}}}}}" not in text], [])

    def test_every_run_has_its_own_numbers_tokens_and_signatures(self):
        other = self.sandbox.folder / "other.json"
        made = self.sandbox.environment(other)
        self.assertEqual(made.returncode, 0, made.stderr)
        second = run.environment(other)
        changing = re.compile(r"Order$|Reference$|Token$|Token(Data|Signature|EphemeralKey|TransactionId)$|(Body|Nonce|Signature)$")
        self.assertEqual({name for name in second if second[name] == self.environment[name] and changing.search(name)}, set())

    def test_nothing_is_left_in_the_examples(self):
        self.assertEqual(sorted(EXAMPLES.iterdir()), self.before)

    def test_environment_says_what_is_wrong(self):
        out = self.sandbox.folder / "none.json"
        for announcement, text in [
            ({**self.sandbox.announced, "merchants": {}}, "KeyError 'alphapay'"),
            # Nothing listens at port 1.
            ({**self.sandbox.announced, "http": "http://127.0.0.1:1"}, "does the sandbox run, and is the file its own?"),
            ({**self.sandbox.announced, "ca": str(self.sandbox.folder / "elsewhere/ca.pem")}, "pomona token mint"),
        ]:
            file = self.sandbox.folder / "announcement.json"
            file.write_text(json.dumps(announcement))
            made = subprocess.run([sys.executable, "-B", EXAMPLES / "environment.py", file, "--pomona", self.sandbox.binary, "--out", out],
                                  capture_output=True, text=True, timeout=120)
            self.assertEqual(made.returncode, 1, text)
            self.assertIn(text, made.stderr)
            self.assertFalse(out.exists())


class SandboxTest(unittest.TestCase):
    def test_a_sandbox_that_does_not_start_leaves_nothing(self):
        folders = lambda: set(pathlib.Path(tempfile.gettempdir()).glob("pomona-http-*"))
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program"
            program.write_text(f"#!/bin/sh\necho $$ > {folder}/pid\necho no room >&2\nexec 1>&-\nexec sleep 600\n")
            program.chmod(0o755)
            before = folders()
            with self.assertRaisesRegex(AssertionError, "the sandbox did not start: no room"):
                Sandbox(str(program))
            self.assertEqual(folders(), before)
            with self.assertRaises(ProcessLookupError):
                os.kill(int((pathlib.Path(folder) / "pid").read_text()), 0)


class HTTPFileFormatTest(unittest.TestCase):
    """What the runner takes, and that it refuses the rest: a line that it skipped would be a request that nobody wrote."""

    GOOD = "@a = 1\n\n### One\n# @name one\nPOST {{base}}/x?{{a}}\nContent-Type: text/plain\nX-A: {{a}}\n\nline 1\n\nline {{b}}\n\n\n###\n"

    def test_reads_requests(self):
        requests, variables = run.parse(self.GOOD)
        self.assertEqual(variables, {"a": "1"})
        self.assertEqual(requests, [
            run.Request("one", "POST", "{{base}}/x?{{a}}", [("Content-Type", "text/plain"), ("X-A", "{{a}}")], "line 1\n\nline {{b}}", 5)])
        self.assertEqual(run.Run(variables, {"b": "{{c}}", "c": "2"}).resolve("{{a}} {{b}}"), "1 2")

    def test_refuses_what_is_not_of_the_subset(self):
        for text, message in [
            ("", "no request"),
            ("GET http://x", "has no name"),
            ("# @name a\nGET http://x HTTP/1.1", "without a version"),
            ("# @name a\nFETCH http://x", "begins with GET"),
            ("# @name a\nGET http://x\n\n> {% client.log(1) %}", "only one editor"),
            ("# @name a\nPOST http://x\n\n< ./body.json", "only one editor"),
            ("# @name a\nGET http://x\nno header", "no header"),
            ("@a=1\n@a=2\n# @name a\nGET http://x", "has a value already"),
            ("@a b = 1\n# @name a\nGET http://x", "@name = value"),
            ("# @name a\nGET http://x\n###\n# @name a\nGET http://x", "two requests with the name a"),
        ]:
            with self.subTest(text), self.assertRaisesRegex(run.HTTPFileError, re.escape(message)):
                run.parse(text)

    def test_refuses_values_that_nothing_says(self):
        for variables, environment, text, message in [
            ({}, {}, "{{a}}", "nothing says what {{a}} is"),
            ({}, {}, "{{$uuid}}", "nothing says what {{$uuid}} is"),
            ({"a": "{{b}}", "b": "{{a}}"}, {}, "{{a}}", "made of itself"),
            ({}, {}, "{{x.response.body.$.a}}", "x has not been sent yet"),
        ]:
            with self.subTest(text), self.assertRaisesRegex(run.HTTPFileError, re.escape(message)):
                run.Run(variables, environment).resolve(text)
        with self.assertRaisesRegex(run.HTTPFileError, "in the file and in the environment: a"):
            run.Run({"a": "1"}, {"a": "2"})

    def test_takes_values_of_answers_by_path(self):
        sent = run.Run({}, {})
        sent.answers["json"] = run.Exchange("json", "GET", "", "", 200, {}, '{"a":{"b":"c"},"n":7,"o":{}}')
        sent.answers["xml"] = run.Exchange("xml", "GET", "", "", 200, {}, '<r xmlns="urn:x"><A k="1">v</A></r>')
        self.assertEqual(sent.resolve("{{json.response.body.$.a.b}} {{json.response.body.$.n}}"), "c 7")
        self.assertEqual(sent.resolve("{{xml.response.body.//*[local-name()='A']}}"), "v")
        for path, message in [("$.a.x", "has no $.a.x"), ("$.o", "has no $.o"), ("$.n.x", "has no $.n.x"), ("$..a", "a path is written"),
                              ("//A", "a path is written"), ("//*[local-name()='B']", "has no //")]:
            name = "xml" if path.endswith("'B']") else "json"
            with self.subTest(path), self.assertRaisesRegex(run.HTTPFileError, re.escape(message)):
                sent.resolve(f"{{{{{name}.response.body.{path}}}}}")

    def test_the_program_names_the_request_that_cannot_be_sent(self):
        with tempfile.TemporaryDirectory() as folder:
            file, environment = pathlib.Path(folder) / "a.http", pathlib.Path(folder) / "env.json"
            environment.write_text('{"one": {"base": "http://127.0.0.1:1"}}')
            for text, message in [("# @name a\nGET {{base}}/", "does not answer"), ("# @name a\nGET {{host}}/", "nothing says what {{host}} is")]:
                file.write_text(text)
                sent = subprocess.run([sys.executable, "-B", EXAMPLES / "run.py", file, "--environment", environment],
                                      capture_output=True, text=True, timeout=60)
                self.assertEqual((sent.returncode, sent.stdout), (1, ""))
                self.assertIn(f"{file}:2: ", sent.stderr)
                self.assertIn(message, sent.stderr)
            environment.write_text('{"one": {}, "two": {}}')
            sent = subprocess.run([sys.executable, "-B", EXAMPLES / "run.py", file, "--environment", environment],
                                  capture_output=True, text=True, timeout=60)
            self.assertIn("has the environments one, two", sent.stderr)


if __name__ == "__main__":
    unittest.main()
