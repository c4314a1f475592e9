# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""Apple Pay tokens from Python, through libapplepaytoken-c and ctypes. Needs no package.

python3 applepaytoken.py LIBRARY PRIVATE-KEY.pem CERTIFICATE.pem TOKEN.json [ROOT.pem]
"""

import ctypes
import json
import pathlib
import sys
import time


class TokenRefused(Exception):
    """What the library says: a stable code, the stage, and a message for engineers."""

    def __init__(self, code, stage, message):
        super().__init__(f"{code} ({stage}): {message}")
        self.code, self.stage, self.message = code, stage, message


class Verifier:
    """A merchant's keys and the roots that are trusted. Keep it: it remembers chains of certificates. Threads may share it."""

    def __init__(self, library, options):
        self._library = ctypes.CDLL(str(library))
        self._handle = ctypes.c_void_p()
        text, size, answer = ctypes.c_char_p, ctypes.c_size_t, ctypes.POINTER(ctypes.c_void_p)
        self._library.apple_pay_token_verifier_create.argtypes = [text, size, answer, answer]
        for name in ("verify", "open"):
            function = getattr(self._library, f"apple_pay_token_{name}")
            function.argtypes = [ctypes.c_void_p, text, size, ctypes.c_int64, text, size, answer]
        self._library.apple_pay_token_verifier_free.argtypes = [ctypes.c_void_p]
        self._library.apple_pay_token_text_free.argtypes = [ctypes.c_void_p]
        body = json.dumps(options).encode()
        self._call("verifier_create", body, len(body), ctypes.byref(self._handle))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Gives the keys back. No call may be under way."""
        self._library.apple_pay_token_verifier_free(self._handle)
        self._handle = ctypes.c_void_p()

    def verify(self, token, application_data=None, now=None):
        """What is known of a token without opening it."""
        return self._ask("verify", token, application_data, now)

    def open(self, token, application_data=None, now=None):
        """The same, and what was in it, in clear."""
        return self._ask("open", token, application_data, now)

    def _ask(self, name, token, application_data, now):
        now = int(time.time()) if now is None else now
        return self._call(name, self._handle, token, len(token), now, application_data, len(application_data or b""))

    def _call(self, name, *arguments):
        # A void pointer: ctypes would make bytes of a char pointer, and what was to be given back would be lost.
        answer = ctypes.c_void_p()
        status = getattr(self._library, f"apple_pay_token_{name}")(*arguments, ctypes.byref(answer))
        try:
            said = json.loads(ctypes.string_at(answer)) if answer else None
        finally:
            self._library.apple_pay_token_text_free(answer)
        if status:
            raise TokenRefused(**said)
        return said


def main(library, key, certificate, token, *roots):
    """Opens a token and prints what may be seen of it."""
    options = {
        "keys": [{"privateKey": pathlib.Path(key).read_text(), "certificate": pathlib.Path(certificate).read_text()}],
        "trustRoots": [pathlib.Path(root).read_text() for root in roots],
    }
    with Verifier(library, options) as verifier:
        opened = verifier.open(pathlib.Path(token).read_bytes())
    payload = opened["payload"]
    print(f"{payload['transactionAmount']} in currency {payload['currencyCode']}, vouched for by {opened['trustAnchor']['label']}")
    print(f"a device account number that ends with {payload['applicationPrimaryAccountNumber'][-4:]}")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except TokenRefused as refusal:
        sys.exit(f"refused: {refusal}")
