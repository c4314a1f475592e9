#!/usr/bin/env python3
# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//
"""Makes the variables of the .http files: a sandbox's credentials, Apple Pay tokens minted now, and AlphaPay's signatures.

pomona sandbox --json --data .pomona > sandbox.json &
until [ -s sandbox.json ]; do kill -0 $! || break; sleep 1; done
python3 examples/http/environment.py sandbox.json

A token pays once, AlphaPay's signatures are good for five minutes and each nonce once: run this again before the files are run again.
It needs pomona and openssl, and no packages of Python.
"""

import argparse
import base64
import datetime
import hashlib
import json
import os
import pathlib
import secrets
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request

ALPHAPAY = "/api/v2.0/payments/"


class CannotMake(Exception):
    pass


def run(*command, stdin=None):
    """What the command prints, as bytes."""
    try:
        return subprocess.run(command, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True, timeout=60).stdout
    except FileNotFoundError:
        raise CannotMake(f"there is no {command[0]}") from None
    except subprocess.CalledProcessError as error:
        raise CannotMake(f"{' '.join(command)}: {error.stderr.decode(errors='replace').strip()}") from None


class Mint:
    def __init__(self, pomona, data):
        self.pomona, self.data = pomona, data

    def __call__(self, merchant, amount, currency, card="visa", form="paymentData"):
        """A token as Apple Pay hands it to a page, for one payment of this very amount."""
        options = {"--data": self.data, "--merchant": merchant, "--amount": amount, "--currency": currency, "--card": card, "--format": form}
        return json.loads(run(self.pomona, "token", "mint", *(word for option in options.items() for word in option)))


def compact(value):
    return json.dumps(value, separators=(",", ":"))


class AlphaPay:
    """Signs requests as docs/dialects/alphapay.md says: RSASSA-PKCS1-v1_5 with SHA-256 over method, path, four fields and the body."""

    def __init__(self, sandbox):
        self.base, self.account = sandbox["http"].rstrip("/"), sandbox["merchants"]["alphapay"]

    def signed(self, endpoint, body):
        time = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        nonce, text = secrets.token_hex(16), compact(body)
        content = f"POST {ALPHAPAY}{endpoint}\n{self.account['merchantCode']}.{time}.{nonce}.{text}"
        signature = base64.b64encode(run("openssl", "dgst", "-sha256", "-sign", self.account["privateKey"], stdin=content.encode())).decode()
        return {
            "Body": text,
            "Time": time,
            "Nonce": nonce,
            "Signature": f"algorithm=RS256, keyVersion={self.account['keyVersion']}, signature={urllib.parse.quote(signature, safe='')}",
        }

    def order(self, request_id, cents):
        body = {"paymentRequestId": request_id, "order": {"orderAmount": {"value": cents, "currency": "CAD"}, "description": "Six apples"}}
        return body, self.send("apple-pay/preOrder", body)["paymentId"]

    def send(self, endpoint, body):
        signed = self.signed(endpoint, body)
        request = urllib.request.Request(self.base + ALPHAPAY + endpoint, data=signed["Body"].encode(), method="POST", headers={
            "Content-Type": "application/json; charset=UTF-8", "Merchant-Code": self.account["merchantCode"],
            "Request-Time": signed["Time"], "Nonce": signed["Nonce"], "Signature": signed["Signature"]})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=30) as answer:
                content = json.load(answer)
        except (OSError, ValueError) as error:
            raise CannotMake(f"{request.full_url}: {error}; does the sandbox run, and is the file its own?") from None
        if "paymentId" not in content:
            raise CannotMake(f"{request.full_url}: {content}")
        return content


def alphapay(sandbox, mint, run_id):
    """A .http file cannot sign, and a signature covers the paymentId. So the two orders are made here, and every request of the file is signed here.
    The file's preOrder is the same request once more, which has the same answer for ever."""
    signer = AlphaPay(sandbox)
    body, payment = signer.order(f"http-{run_id}-1", "1099")
    declined_body, declined = signer.order(f"http-{run_id}-2", "5757")
    token = lambda amount: mint("alphapay", amount, "CAD", form="token")
    refund = {"paymentId": payment, "refundRequestId": f"http-{run_id}-r1", "refund": {"refundAmount": {"value": "400", "currency": "CAD"}}}
    calls = {
        "PreOrder": ("apple-pay/preOrder", body),
        "Pay": ("apple-pay/pay", {"paymentId": payment, "customerId": "mei", "token": token("10.99")}),
        "Refund": ("refund", refund),
        "InquiryRefund": ("inquiryRefund", {"refundRequestId": refund["refundRequestId"]}),
        "Inquiry": ("inquiryPayment", {"paymentId": payment}),
        "DeclinedPreOrder": ("apple-pay/preOrder", declined_body),
        "Declined": ("apple-pay/pay", {"paymentId": declined, "token": token("57.57")}),
    }
    variables = {"alphapayMerchantCode": signer.account["merchantCode"]}
    for name, call in calls.items():
        variables.update({f"alphapay{name}{part}": value for part, value in signer.signed(*call).items()})
    return variables


def commweb(sandbox, mint, run_id):
    account = sandbox["merchants"]["commweb"]
    credentials = f"merchant.{account['merchantId']}:{account['password']}"
    # The token's JSON is a text within the body's JSON: its quotation marks are escaped here, once.
    token = lambda amount: json.dumps(compact(mint("commweb", amount, "USD", "mastercard")))[1:-1]
    return {
        "commwebMerchantId": account["merchantId"],
        "commwebBasic": base64.b64encode(credentials.encode()).decode(),
        "commwebOrder": f"http-{run_id}-1",
        "commwebToken": token("61.00"),
        "commwebDeclinedOrder": f"http-{run_id}-2",
        "commwebDeclinedToken": token("5757.00"),
    }


def payone(sandbox, mint, run_id):
    account = sandbox["merchants"]["payone"]
    variables = {
        "payoneMid": account["mid"],
        "payoneAid": account["aid"],
        "payonePortalid": account["portalid"],
        "payoneKeyHash": hashlib.sha384(account["key"].encode()).hexdigest(),
        "payoneReference": f"http-{run_id}-1",
        "payoneDeclinedReference": f"http-{run_id}-2",
    }
    for prefix, amount in (("payone", "10.00"), ("payoneDeclined", "57.57")):
        variables.update(parts(prefix, mint("payone", amount, "EUR")))
    return variables


def parts(prefix, token):
    header = token["header"]
    return {
        f"{prefix}TokenVersion": token["version"],
        f"{prefix}TokenData": token["data"],
        f"{prefix}TokenSignature": token["signature"],
        f"{prefix}TokenEphemeralKey": header["ephemeralPublicKey"],
        f"{prefix}TokenKeyHash": header["publicKeyHash"],
        f"{prefix}TokenTransactionId": header["transactionId"],
    }


def radial(sandbox, mint, run_id):
    account = sandbox["merchants"]["radial"]
    variables = {
        "radialStoreId": account["storeId"],
        "radialApikey": account["apikey"],
        "radialOrder": f"http-{run_id}-1",
        "radialDeclinedOrder": f"http-{run_id}-2",
    }
    for prefix, amount in (("radial", "14.99"), ("radialDeclined", "57.57")):
        variables.update(parts(prefix, mint("radial", amount, "USD")))
    return variables


def tappay(sandbox, mint, run_id):
    account = sandbox["merchants"]["tappay"]
    return {
        "tappayAppId": account["appId"],
        "tappayAppKey": account["appKey"],
        "tappayPartnerKey": account["partnerKey"],
        "tappayMerchantId": account["merchantId"],
        "tappayMerchantIdentifier": account["merchantIdentifier"],
        "tappayOrder": f"http-{run_id}-1",
        "tappayToken": compact(mint("tappay", "350", "TWD")),
        "tappayDeclinedOrder": f"http-{run_id}-2",
        "tappayDeclinedToken": compact(mint("tappay", "100", "TWD", "tappay-10003")),
    }


def variables(sandbox, pomona, data=None):
    """Of a sandbox's announcement: every variable of the .http files, with new tokens, new order numbers and new signatures."""
    # The certificate authority's file lies in the data directory itself.
    mint, run_id = Mint(pomona, str(data or pathlib.Path(sandbox["ca"]).parent)), secrets.token_hex(4)
    result = {"base": sandbox["http"].rstrip("/")}
    for part in (alphapay, commweb, payone, radial, tappay):
        result.update(part(sandbox, mint, run_id))
    return result


def write(path, content):
    """Readable by its owner alone, as it has keys in it."""
    path = pathlib.Path(path)
    handle, temporary = tempfile.mkstemp(dir=path.parent or ".", prefix=path.name)
    with os.fdopen(handle, "w") as file:
        json.dump(content, file, indent=2)
        file.write("\n")
    os.replace(temporary, path)


def main():
    folder = pathlib.Path(__file__).resolve().parent
    parser = argparse.ArgumentParser(description="Makes the variables of the .http files from a running sandbox.")
    parser.add_argument("sandbox", metavar="FILE", help="the line of JSON that pomona sandbox --json writes; - is standard input")
    parser.add_argument("--pomona", default="pomona", metavar="PROGRAM", help="the program that mints tokens; pomona if left out")
    parser.add_argument("--data", metavar="DIR", help="the sandbox's data directory; where its certificate authority is, if left out")
    parser.add_argument("--out", default=str(folder / "http-client.env.json"), metavar="FILE",
                        help="http-client.env.json beside this program if left out")
    parser.add_argument("--vscode", metavar="FILE", help="also write the settings that VS Code's REST Client reads")
    arguments = parser.parse_args()
    try:
        text = sys.stdin.read() if arguments.sandbox == "-" else pathlib.Path(arguments.sandbox).read_text()
        values = variables(json.loads(text), arguments.pomona, arguments.data)
        write(arguments.out, {"sandbox": values})
        if arguments.vscode:
            write(arguments.vscode, {"rest-client.environmentVariables": {"sandbox": values}})
    except (CannotMake, OSError, KeyError, ValueError) as error:
        sys.exit(f"environment.py: {type(error).__name__ if isinstance(error, (KeyError, ValueError)) else ''} {error}".replace("  ", " "))
    print(f"{arguments.out}: {len(values)} variables, good for five minutes and one run.")


if __name__ == "__main__":
    main()
