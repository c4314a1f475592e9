# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""libapplepaytoken-c as its users have it: from Python by ctypes, from C by gcc, and under the address sanitizer; with tokens of the sample apps and one that Apple signed.

Environment
    POMONA_BINARY  the built executable, beside which the library and the sample apps are; .build/debug/pomona if left out. Where they are not built, what
                   needs them is skipped, and says so
"""

import ctypes
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILT = pathlib.Path(os.environ.get("POMONA_BINARY", ROOT / ".build/debug/pomona")).absolute().parent
LIBRARY = BUILT / "libapplepaytoken-c.so"
HEADER = ROOT / "Sources/CApplePayToken/include/applepaytoken.h"


def load():
    """examples/c/applepaytoken.py as a module, without leaving its bytecode there."""
    specification = importlib.util.spec_from_file_location("applepaytoken", ROOT / "examples/c/applepaytoken.py")
    module = importlib.util.module_from_spec(specification)
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        specification.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return module


applepaytoken = load()


@unittest.skipUnless(LIBRARY.exists(), f"{LIBRARY} is not built")
class CLibraryTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        subprocess.run([BUILT / "MintToken", cls.folder], check=True, capture_output=True)
        read = lambda name: (cls.folder / name).read_text()
        cls.token = (cls.folder / "token.json").read_bytes()
        cls.options = {
            "keys": [{"privateKey": read("private-key.pem"), "certificate": read("certificate.pem")}],
            "trustRoots": [read("root.pem")],
            # The token is as old as the tests before this one took.
            "ageMaxSeconds": 3600,
        }
        (cls.folder / "options.json").write_text(json.dumps(cls.options))

    def verifier(self, **options):
        verifier = applepaytoken.Verifier(LIBRARY, {**self.options, **options})
        self.addCleanup(verifier.close)
        return verifier

    def refused(self, code, stage, ask, *arguments, **named):
        with self.assertRaises(applepaytoken.TokenRefused) as caught:
            ask(*arguments, **named)
        self.assertEqual((caught.exception.code, caught.exception.stage), (code, stage), caught.exception.message)
        return caught.exception.message

    def test_opens_a_token_in_clear(self):
        opened = self.verifier().open(self.token)
        self.assertTrue(opened["verified"])
        self.assertEqual(opened["version"], "EC_v1")
        self.assertRegex(opened["transactionId"], r"\A[0-9a-f]{64}\Z")
        self.assertRegex(opened["signedContentDigest"], r"\A[0-9a-f]{64}\Z")
        payload = opened["payload"]
        self.assertRegex(payload["applicationPrimaryAccountNumber"], r"\A\d{16}\Z")
        self.assertEqual((payload["transactionAmount"], payload["currencyCode"]), (1099, "036"))
        self.assertTrue(payload["paymentData"]["onlinePaymentCryptogram"])
        self.assertNotIn("payload", self.verifier().verify(self.token))

    def test_says_the_same_as_the_program(self):
        command = [BUILT / "pomona", "token", "open", "--json", "--reveal", "--token", self.folder / "token.json"]
        command += ["--key", self.folder / "private-key.pem", "--certificate", self.folder / "certificate.pem", "--trust-root", self.folder / "root.pem"]
        opened = self.verifier().open(self.token)
        at = opened["signingTime"]
        said = json.loads(subprocess.run([*command, "--at", at], check=True, capture_output=True).stdout)
        del said["checkedAt"]
        self.assertEqual(opened, said)

    def test_takes_a_token_that_apple_signed_and_trusts_apple_alone_for_it(self):
        token = json.loads((ROOT / "Vectors/ApplePayToken/radial-seed-token.json").read_text())
        genuine = json.dumps(token).encode()
        at = 1_449_769_450
        self.assertEqual(self.verifier().verify(genuine, now=at)["trustAnchor"]["label"], "Apple Root CA - G3")
        self.refused("root_untrusted", "chain", self.verifier(trustsApple=False).verify, genuine, now=at)
        self.refused("root_untrusted", "chain", self.verifier(trustRoots=[]).verify, self.token)
        self.refused("signing_time_too_old", "window", self.verifier(ageMaxSeconds=300).verify, genuine, now=at + 301)
        self.refused("signing_time_in_future", "window", self.verifier(futureMaxSeconds=10).verify, genuine, now=at - 11)
        self.refused("key_unknown", "key_selection", self.verifier().open, genuine, now=at)

    def test_application_data_is_compared_where_it_is_given(self):
        self.verifier().open(self.token)
        self.refused("application_data_missing", "expectation", self.verifier().open, self.token, application_data=b"order 7")
        self.refused("application_data_missing", "expectation", self.verifier().open, self.token, application_data=b"")

    def test_a_changed_token_is_refused_and_nothing_of_it_said(self):
        changed = json.loads(self.token)
        data = bytearray(changed["data"].encode())
        data[4] = ord("A") if data[4] != ord("A") else ord("B")
        changed["data"] = data.decode()
        message = self.refused("message_digest_mismatch", "signature", self.verifier().open, json.dumps(changed).encode())
        self.assertNotIn(changed["data"][:12], message)
        self.refused("json_malformed", "parse", self.verifier().open, b"\x00\xff")
        self.refused("json_malformed", "parse", self.verifier().open, b"")

    def test_keys_are_given_by_certificate_or_by_merchant_identifier(self):
        key = self.options["keys"][0]
        named = {"privateKey": key["privateKey"], "merchantIdentifier": "merchant.com.example.shop"}
        self.assertIn("payload", self.verifier(keys=[named]).open(self.token))
        der = "".join(line for line in key["certificate"].splitlines() if "-----" not in line)
        self.assertIn("payload", self.verifier(keys=[{**key, "certificate": der}]).open(self.token))
        self.refused("key_unknown", "key_selection", self.verifier(keys=[]).open, self.token)
        another = {"privateKey": key["privateKey"], "merchantIdentifier": "merchant.com.example.another"}
        self.refused("decryption_failed", "decryption", self.verifier(keys=[another]).open, self.token)

    def test_wrong_options_are_named(self):
        key = self.options["keys"][0]
        for options, code, member in [
            ({"keys": {}}, "options_malformed", "keys"),
            ({"keys": ["x"]}, "options_malformed", "keys[0]"),
            ({"keys": [{"certificate": "x"}]}, "options_malformed", "keys[0].privateKey"),
            ({"keys": [{"privateKey": key["privateKey"]}]}, "options_malformed", "keys[0]"),
            ({"keys": [{**key, "merchantIdentifier": "merchant.x"}]}, "options_malformed", "keys[0]"),
            ({"keys": [{**key, "label": "x"}]}, "options_malformed", "label"),
            ({"keys": [key, {**key, "privateKey": "x"}]}, "private_key_unreadable", "keys[1]"),
            ({"keys": [{**key, "certificate": "x"}]}, "certificate_unreadable", "keys[0]"),
            ({"trustRoots": "x"}, "options_malformed", "trustRoots"),
            ({"trustRoots": [key["certificate"]]}, "certificate_not_self_issued", "trustRoots[0]"),
            ({"trustRoots": [7]}, "options_malformed", "trustRoots[0]"),
            ({"trustsApple": "no"}, "options_malformed", "trustsApple"),
            ({"ageMaxSeconds": -1}, "options_malformed", "ageMaxSeconds"),
            ({"futureMaxSeconds": 1.5}, "options_malformed", "futureMaxSeconds"),
            ({"window": 1}, "options_malformed", "window"),
            ([], "options_malformed", "array"),
        ]:
            with self.subTest(options=str(options)[:60]), self.assertRaises(applepaytoken.TokenRefused) as caught:
                applepaytoken.Verifier(LIBRARY, options)
            self.assertEqual(caught.exception.code, code, caught.exception.message)
            self.assertIn(member, caught.exception.message)
            self.assertNotIn("PRIVATE KEY", caught.exception.message)

    def test_the_library_and_its_header_are_of_one_version(self):
        library = ctypes.CDLL(str(LIBRARY))
        library.apple_pay_token_version.restype = ctypes.c_char_p
        version = re.search(r'define APPLE_PAY_TOKEN_VERSION "(.+)"', HEADER.read_text()).group(1)
        self.assertEqual(library.apple_pay_token_version().decode(), version)
        program = subprocess.run([BUILT / "pomona", "--version"], check=True, capture_output=True, text=True).stdout
        self.assertEqual(version, program.strip())

    def test_the_examples_run_as_they_stand(self):
        files = [self.folder / name for name in ("private-key.pem", "certificate.pem", "token.json", "root.pem")]
        said = subprocess.run([sys.executable, ROOT / "examples/c/applepaytoken.py", LIBRARY, *files], capture_output=True, text=True, check=False)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("1099 in currency 036, vouched for by", said.stdout)
        token, key, certificate, root = (self.folder / name for name in ("token.json", "private-key.pem", "certificate.pem", "root.pem"))
        said = subprocess.run([BUILT / "OpenToken", token, key, certificate, root], capture_output=True, text=True, check=False)
        self.assertEqual(said.returncode, 0, said.stderr + said.stdout)
        self.assertIn("1099 in currency 036", said.stdout)
        said = subprocess.run([BUILT / "OpenToken", token, key, certificate], capture_output=True, text=True, check=False)
        self.assertEqual(said.returncode, 1)
        self.assertIn("refused at chain: root_untrusted", said.stdout)


@unittest.skipUnless(LIBRARY.exists(), f"{LIBRARY} is not built")
class FromCTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        CLibraryTest.setUpClass.__func__(cls)

    def built(self, source, *flags):
        program = self.folder / pathlib.Path(source).stem
        command = ["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", *flags, "-I", HEADER.parent, ROOT / source, "-o", program]
        subprocess.run([*command, "-L", BUILT, "-lapplepaytoken-c", f"-Wl,-rpath,{BUILT}", "-pthread"], check=True)
        return program

    def test_the_example_in_c_opens_a_token(self):
        program = self.built("examples/c/open_token.c")
        said = subprocess.run([program, self.folder / "options.json", self.folder / "token.json"], capture_output=True, text=True, check=False)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertEqual(json.loads(said.stdout)["payload"]["transactionAmount"], 1099)
        said = subprocess.run([program, "/nowhere", self.folder / "token.json"], capture_output=True, text=True, check=False)
        self.assertEqual(said.returncode, 1)
        self.assertEqual(json.loads(said.stderr)["code"], "argument_missing")

    def test_the_header_is_cplusplus_too(self):
        subprocess.run(["g++", "-fsyntax-only", "-Wall", "-Werror", "-x", "c++", HEADER], check=True)

    def test_memory_is_given_back_and_nothing_else_touched(self):
        program = self.built("Tests/Scripts/c_library.c", "-fsanitize=address", "-g")
        # What Swift makes once and keeps for as long as the process lives: it marks such pointers in bits that the sanitizer takes for addresses.
        (self.folder / "once").write_text("leak:swift::threading_impl::once_slow\n")
        environment = {
            **os.environ,
            "ASAN_OPTIONS": "detect_leaks=1:abort_on_error=0:exitcode=99",
            "LSAN_OPTIONS": f"suppressions={self.folder / 'once'}:print_suppressions=0",
        }
        command = [program, self.folder / "options.json", self.folder / "token.json"]
        run = lambda *mode: subprocess.run([*command, *mode], env=environment, capture_output=True, text=True, check=False)
        clean = run()
        self.assertEqual(clean.returncode, 0, clean.stderr[-4000:])
        self.assertIn("512 opened, 512 refused", clean.stdout)
        # The sanitizer sees what the library allocates, and what it is given back twice.
        leaking = run("leak")
        self.assertEqual(leaking.returncode, 99, leaking.stderr[-2000:])
        self.assertIn("LeakSanitizer", leaking.stderr)
        twice = run("twice")
        self.assertEqual(twice.returncode, 99, twice.stderr[-2000:])
        self.assertRegex(twice.stderr, "use-after-free|double-free")


if __name__ == "__main__":
    unittest.main()
