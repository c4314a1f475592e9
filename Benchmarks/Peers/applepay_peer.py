# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
"""Decrypts a batch of tokens with `applepay`, once for each line of the standard input.

Usage: applepay_peer.py FILE, which holds {"merchantIdentifier", "privateKeyPEM", "tokens": [{"ephemeralPublicKey", "data"}]}.
Prints "ready", then the seconds of each batch.
"""

import datetime
import hashlib
import json
import sys
import time

from applepay import payment
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.serialization import load_pem_private_key

# The extension with the hash of the merchant identifier (Apple Pay, "Payment token format reference").
MERCHANT_IDENTIFIER = x509.ObjectIdentifier("1.2.840.113635.100.6.32")


def certificate(key, merchant_identifier):
    """A merchant's certificate: the library takes the identifier's hash from it, and looks at nothing else."""
    value = hashlib.sha256(merchant_identifier.encode()).hexdigest().encode()
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "merchant")])
    now = datetime.datetime.now(datetime.timezone.utc)
    builder = x509.CertificateBuilder(
        issuer_name=name,
        subject_name=name,
        public_key=key.public_key(),
        serial_number=1,
        not_valid_before=now,
        not_valid_after=now + datetime.timedelta(days=1),
    )
    extension = x509.UnrecognizedExtension(MERCHANT_IDENTIFIER, bytes([0x0C, len(value)]) + value)
    return builder.add_extension(extension, critical=False).sign(key, hashes.SHA256())


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        fixture = json.load(file)
    pem = fixture["privateKeyPEM"].encode()
    own = certificate(load_pem_private_key(pem, None), fixture["merchantIdentifier"])
    # The authorities' certificates are read and never used.
    der = own.public_bytes(serialization.Encoding.DER)
    opener = payment.Payment(own.public_bytes(serialization.Encoding.PEM), pem, der, der)
    print("ready", flush=True)
    for _ in sys.stdin:
        start = time.perf_counter()
        for token in fixture["tokens"]:
            payload = opener.decrypt(token["ephemeralPublicKey"], token["data"])
        seconds = time.perf_counter() - start
        if "applicationPrimaryAccountNumber" not in json.loads(payload):
            sys.exit("what was decrypted is no payload")
        print(seconds, flush=True)


main()
