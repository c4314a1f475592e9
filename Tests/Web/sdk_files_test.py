# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""The SDK's files: the bundle is what the modules give, the declarations and the document say what the modules do."""

import re
import subprocess
import unittest

from edge import APPLE_PAY_SESSION, FIXTURES, PAYMENT_DATA, SDK, SDKTestCase
from harness import ROOT

MODULES = sorted((SDK / "modules").glob("*.js"))
DECLARATIONS = (SDK / "tpdirect.d.ts").read_text(encoding="utf-8")
DOCUMENT = (ROOT / "docs/tpdirect-web.md").read_text(encoding="utf-8")
CODES = [int(line.split("\t")[0]) for line in (FIXTURES / "web-codes.tsv").read_text(encoding="utf-8").splitlines()]


def without_comments(source):
    return re.sub(r"^[ \t]*//[^\n]*$", "", re.sub(r"/\*.*?\*/", "", source, flags=re.DOTALL), flags=re.MULTILINE)


def members(interface):
    """The member names of an interface of the declarations, and which of them may be absent."""
    body = re.search(rf"^export interface {interface} \{{\n(.*?)^\}}", DECLARATIONS, re.DOTALL | re.MULTILINE).group(1)
    found = re.findall(r"^    (?:readonly )?(\w+)(\??)[(:]", body, re.MULTILINE)
    return {name for name, _ in found}, {name for name, mark in found if mark}


def union(name):
    """The alternatives of a union type of the declarations."""
    return re.findall(r"'[\w-]+'|-?\d+", re.search(rf"^export type {name} =(.*?);", DECLARATIONS, re.DOTALL | re.MULTILINE).group(1))


class BundleTest(unittest.TestCase):
    def test_the_committed_bundle_is_up_to_date(self):
        run = subprocess.run(["python3", str(ROOT / "script/bundle"), "--check"], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stderr), (0, ""))


class SourceTest(unittest.TestCase):
    FILES = [*MODULES, SDK / "tpdirect.js"]

    def test_nothing_that_a_strict_policy_forbids(self):
        for path in self.FILES:
            # The payment button is the one element that the SDK makes.
            code = without_comments(path.read_text(encoding="utf-8")).replace("document.createElement('button')", "", 1)
            for word in [r"\beval\(", r"\bnew Function\b", r"\.innerHTML\b", r"\bdocument\.write\b", r"\.style\b", r"createElement",
                         r"setAttribute", r"localStorage", r"sessionStorage", r"document\.cookie"]:
                self.assertNotRegex(code, word, path.name)

    def test_only_warnings_are_written_to_the_console(self):
        for path in MODULES:
            words = re.findall(r"console\.\w+", without_comments(path.read_text(encoding="utf-8")))
            self.assertEqual(words, ["console.warn"] if path.name == "warnings.js" else [], path.name)

    def test_no_other_host_is_named(self):
        for path in self.FILES:
            urls = set(re.findall(r"https?://[^\s'`\"]+", without_comments(path.read_text(encoding="utf-8"))))
            self.assertLessEqual(urls, {"https://apple.com/apple-pay", "https://pay.example"}, path.name)

    def test_no_floating_point_near_amounts(self):
        for path in self.FILES:
            self.assertNotRegex(
                without_comments(path.read_text(encoding="utf-8")), r"parseFloat|toFixed|Math\.|toLocaleString|\bNumberFormat",
                path.name)

    def test_files_are_of_the_house(self):
        for path in self.FILES:
            text = path.read_text(encoding="utf-8")
            self.assertTrue(text.startswith("//===---"), path.name)
            self.assertIn("// SPDX-License-Identifier: Apache-2.0\n", text, path.name)
            self.assertTrue(text.endswith("\n") and not text.endswith("\n\n"), path.name)
        for path in MODULES:
            lines = path.read_text(encoding="utf-8").split("\n")
            self.assertLessEqual(len(lines), 400, path.name)
            # A row of a table stays on its line.
            self.assertEqual([line for line in lines if len(line) > 120 and not line.startswith("    [")], [], path.name)

    def test_every_export_has_its_comment(self):
        for path in MODULES:
            for before in re.findall(r"^(.*)\nexport (?!default|\{)", path.read_text(encoding="utf-8"), re.MULTILINE):
                self.assertRegex(before, r"\*/$", path.name)


class DeclarationsTest(SDKTestCase):
    def test_exports_are_the_modules(self):
        declared = set(re.findall(r"^export (?:function|const|class) (\w+)", DECLARATIONS, re.MULTILINE))
        names = set(self.blank().evaluate("import('/sdk/tpdirect/modules/index.js').then((m) => Object.keys(m))"))
        self.assertEqual(declared, names - {"default"})
        self.assertIn("export default TPDirect;", DECLARATIONS)

    def test_methods_are_the_modules(self):
        page = self.blank()
        for expression, interface in [("m.TPDirect", "TPDirectSDK"), ("m.paymentRequestApi", "PaymentRequestApi"),
                                      ("m.TPDirect.card", "CardForm"), ("m.TPDirect.googlePay", "GooglePay"), ("m.TPDirect.samsungPay", "SamsungPay"),
                                      *((f"m.TPDirect.{way}", "RedirectingPay") for way in ("linePay", "jkoPay", "easyWallet", "piWallet", "atome"))]:
            names = page.evaluate(f"import('/sdk/tpdirect/modules/index.js').then((m) => Object.keys({expression}))")
            self.assertEqual(members(interface)[0], set(names))

    def test_fields_that_are_read(self):
        source = (SDK / "modules/request.js").read_text(encoding="utf-8")

        def read_in(start, end, variable):
            return set(re.findall(rf"\b{variable}\.(\w+)", source[source.index(start):source.index(end)]))

        self.assertEqual(read_in("export function readPaymentRequest", "export function readMerchant", "raw"),
                         members("PaymentRequestData")[0])
        self.assertEqual(read_in("export function readMerchant", "function readHost", "raw"), members("ApplePaySettings")[0])
        self.assertEqual(read_in("function readTotal", "function readDetail", "raw"), members("Total")[0] | {"amount"})
        self.assertEqual(read_in("function readItem", "function readTotal", "raw"), members("PricedItem")[0])
        self.assertEqual(members("PricedItem")[0], members("PendingItem")[0])
        self.assertEqual(read_in("function readShippingOption(", "function readShippingOptions", "raw"), members("ShippingOption")[0])
        self.assertEqual(read_in("function readOptions", "function readNetworks", "options"), members("PaymentRequestOptions")[0])

    def test_error_codes(self):
        used = {code for path in MODULES
                for code in re.findall(r"'([a-z]+_[a-z_]+)'", without_comments(path.read_text(encoding="utf-8")))
                if path.name in ("request.js", "cart.js", "amounts.js", "button.js", "index.js") and code != "apple_pay"}
        declared = {code.strip("'") for code in union("SetupErrorCode")}
        self.assertEqual(declared, used)
        comment = re.sub(r"[\s*]+", " ", (SDK / "modules/errors.js").read_text(encoding="utf-8"))
        self.assertEqual(set(re.search(r"Stable: ([a-z_, ]+)\.", comment).group(1).split(", ")), declared)

    def test_statuses(self):
        self.assertEqual([int(status) for status in union("FailureStatus")], [status for status in CODES if status != 0])


class GatewayStatusesTest(unittest.TestCase):
    """What getprime can answer a page stands in the SDK's table, and with it in the declarations and the document."""

    # Of the app's version and device, for which only TPDirect for iOS is asked.
    OF_APPS = {31, 33, 581, 582, 583, 584, 585, 586}

    def test_the_table_has_every_status_of_the_front_end(self):
        refusals = ROOT / "Sources/Dialects/TapPay/Refusals"
        numbers = dict(re.findall(r"case (\w+) = (-?\d+)", (refusals / "TapPayCode.swift").read_text(encoding="utf-8")))
        origins = (refusals / "TapPayCode+Origin.swift").read_text(encoding="utf-8")
        found = re.findall(r"case ((?:\.\w+,?\s*)+):\s*\.(frontEnd|server)\b", origins)
        self.assertEqual([origin for _, origin in found], ["server", "frontEnd"])
        answered = {int(numbers[name]) for names, _ in found for name in re.findall(r"\.(\w+)", names)}
        self.assertLess({67, 89, 141, 510, 652, 10050}, answered)
        self.assertEqual(answered - set(CODES), self.OF_APPS)


class ResultFieldsTest(SDKTestCase):
    wallet_scripts = APPLE_PAY_SESSION

    def test_fields_of_results(self):
        page = self.shop()
        self.until(page, "shop.setup !== null")
        self.assertEqual(set(page.evaluate("shop.setup")), members("SetupResult")[0])
        self.open_sheet(page)
        page.evaluate("(paymentData) => wallet.authorize({ token: { paymentData } })", PAYMENT_DATA)
        result = self.result(page)
        self.assertEqual(set(result), members("PrimeResult")[0])
        self.assertEqual(members("PrimeResult")[1], {"merchant_reference_info"})
        for field, interface in [("payer", "Payer"), ("shippingAddress", "Address"), ("billingAddress", "Address"), ("card", "Card"),
                                 ("card_info", "CardInfo"), ("merchant_reference_info", "MerchantReferenceInfo")]:
            self.assertEqual(set(result[field]), members(interface)[0], field)


class DocumentTest(unittest.TestCase):
    def rows(self, heading):
        section = DOCUMENT[DOCUMENT.index(f"\n## {heading}\n"):].split("\n## ")[1]
        return [[cell.strip() for cell in line.strip("|").split("|")] for line in section.split("\n")
                if line.startswith("|") and not re.match(r"^\|[-| ]+\|$", line)][1:]

    def test_every_code_has_its_row(self):
        rows = self.rows("Codes")
        self.assertEqual([int(row[0]) for row in rows], CODES)

    def test_every_field_has_its_row(self):
        named = {name for row in self.rows("Methods and fields") for name in re.findall(r"`([\w.]+)`", row[0])}
        last = {name.split(".")[-1] for name in named}
        for interface in ["TPDirectSDK", "PaymentRequestApi", "CardForm", "GooglePay", "SamsungPay", "RedirectingPay", "ApplePaySettings",
                          "PaymentRequestData", "PricedItem", "Total", "ShippingOption", "PaymentRequestOptions", "SetupResult", "PrimeResult", "Payer", "Address", "Card",
                          "CardInfo", "MerchantReferenceInfo"]:
            self.assertLessEqual(members(interface)[0], last, interface)

    def test_every_test_and_module_that_it_names_exists(self):
        tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "Tests/Web").glob("*_test.py"))
        modules = {path.name for path in MODULES}
        for heading in ["Methods and fields", "Deferred payment", "Codes"]:
            rows = self.rows(heading)
            self.assertTrue(rows)
            for row in rows:
                for name in re.findall(r"`(test_\w+)`", " ".join(row)):
                    self.assertIn(f"def {name}(self)", tests, row)
                for name in re.findall(r"`([a-z-]+\.js)`", " ".join(row)):
                    self.assertIn(name, modules, row)
        # And every row says at least one of each, or why there is none.
        for row in self.rows("Methods and fields") + self.rows("Deferred payment"):
            self.assertRegex(row[-2], r"\.js`", row)
            self.assertRegex(row[-1], r"`test_", row)


if __name__ == "__main__":
    unittest.main()
