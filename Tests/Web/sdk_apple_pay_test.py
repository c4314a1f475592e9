# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""getPrime through ApplePaySession, over the double that keeps WebKit's rules (apple_pay_session_test.py)."""

import unittest

from edge import (
    ADDRESS, APPLE_PAY_SESSION, CARD_INFO, CONTACT, GRANTED, PAYMENT_DATA, PAYMENT_METHOD, PRIME, PRIMED, SESSION, Held, Raw,
    SDKTestCase, changed)

SHIPPED = {"label": "🚛  Ground Shipping (2 days)", "type": "final", "amount": "5"}
FLOWN = {"label": "🚀  Drone Express (2 hours)", "type": "final", "amount": "25"}
PHONE = {"label": "TapPay - iPhone8", "type": "final", "amount": "1"}
PAYMENT = {"token": {"paymentData": PAYMENT_DATA, "paymentMethod": PAYMENT_METHOD, "transactionIdentifier": "C0FFEE"},
           "shippingContact": CONTACT, "billingContact": CONTACT}
PLAIN = {
    "supportedNetworks": ["VISA"], "supportedMethods": ["apple_pay"],
    "total": {"label": "Shop", "amount": {"currency": "TWD", "value": "12"}},
}


def total(amount, kind="final"):
    return {"label": "總金額", "type": kind, "amount": amount}


class ApplePayTestCase(SDKTestCase):
    wallet_scripts = APPLE_PAY_SESSION

    def authorize(self, page, payment=PAYMENT):
        page.evaluate("(payment) => wallet.authorize(payment)", payment)


class SheetTest(ApplePayTestCase):
    def test_pays_the_sample_of_the_specification(self):
        page = self.shop()
        self.open_sheet(page)
        self.authorize(page)
        result = self.result(page)
        request_id = result.pop("requestId")
        self.assertRegex(request_id, "^[0-9a-f]{32}$")
        self.assertEqual(result, {
            "status": 0,
            "msg": "Success",
            "prime": PRIME,
            "total_amount": "6",
            "client_ip": "192.0.2.7",
            "payer": {"name": "王小明", "phone": "+886 900 000 000", "email": "ming@example.com"},
            "shippingAddress": ADDRESS,
            "billingAddress": ADDRESS,
            "shippingOption": "standard",
            "methodName": "apple_pay",
            "card": {"lastfour": "1881", "funding": 0, "type": 2},
            "card_info": CARD_INFO,
            "merchant_reference_info": {"affiliate_codes": ["GOLD1"]},
            "prime_expiry_millis": 1_700_000_090_000,
        })
        self.assertEqual(self.calls(page), ["completeMerchantValidation", "completePayment"])
        self.assertEqual(self.calls(page, "completePayment"), [[{"status": 0}]])

    def test_asks_the_gateway_of_its_own_origin_for_both(self):
        page = self.shop()
        self.open_sheet(page)
        self.authorize(page)
        self.result(page)
        (session, session_headers, session_body), (prime, prime_headers, prime_body) = self.edge.requests
        self.assertEqual((session, prime), ("session", "prime"))
        self.assertEqual(session_body, {
            "app_id": 12345, "app_key": "app_key", "app_name": "localhost", "apple_merchant_id": "merchant.tech.cherri",
            "merchant_domain": "localhost", "validation_url": "https://apple.invalid/start"})
        self.assertEqual(prime_body, {
            "app_id": 12345, "app_key": "app_key", "app_name": "localhost", "platform_type": "2", "pay_token_data": PAYMENT_DATA,
            "apple_merchant_id": "merchant.tech.cherri", "is_amount_pending": False})
        for headers in (session_headers, prime_headers):
            self.assertEqual(headers["x-api-key"], "app_key")
            self.assertEqual(headers["content-type"], "application/json")
            self.assertEqual(headers["origin"], self.edge.shop)
            self.assertNotIn("cookie", headers)
        self.assertEqual(self.calls(page, "completeMerchantValidation"), [[SESSION]])

    def test_the_old_path_of_the_script_works_too(self):
        page = self.shop(sdk="/tpdirect/v5.13.1")
        self.open_sheet(page)
        self.authorize(page)
        self.assertEqual(self.result(page)["prime"], PRIME)

    def test_what_the_sheet_is_asked_to_show(self):
        page = self.shop()
        self.open_sheet(page)
        self.assertEqual(page.evaluate("wallet.current.version"), 3)
        self.assertEqual(page.evaluate("wallet.current.request"), {
            "countryCode": "TW",
            "currencyCode": "TWD",
            "supportedNetworks": ["amex", "jcb", "masterCard", "visa"],
            "merchantCapabilities": ["supports3DS"],
            "total": total("6"),
            "lineItems": [PHONE, SHIPPED],
            "requiredBillingContactFields": ["postalAddress", "name"],
            "requiredShippingContactFields": ["postalAddress", "name", "phone", "email"],
            "shippingType": "shipping",
            "shippingMethods": [
                {"identifier": "standard", "label": SHIPPED["label"], "detail": "Estimated delivery time: 2 days", "amount": "5"},
                {"identifier": "drone", "label": FLOWN["label"], "detail": "Estimated delivery time: 2 hours", "amount": "25"},
            ],
        })

    def test_each_option_asks_for_its_own_field_only(self):
        for option, fields in [
            ("requestPayerEmail", ["email"]), ("requestPayerName", ["name"]), ("requestPayerPhone", ["phone"]),
            ("requestShipping", ["postalAddress", "name"]), (None, None),
        ]:
            with self.subTest(option):
                options = {option: True} if option else {}
                page = self.shop(settings={"paymentRequest": {**PLAIN, "options": options}})
                self.open_sheet(page)
                request = page.evaluate("wallet.current.request")
                ships = option == "requestShipping"
                # An empty list is left out: browsers of Apple Pay JS 1 and 2 refuse it.
                self.assertEqual(request.get("requiredShippingContactFields"), fields)
                self.assertEqual(request.get("requiredBillingContactFields"), ["postalAddress", "name"] if ships else None)
                self.assertEqual("shippingType" in request, ships)
                self.assertEqual("shippingMethods" in request, ships)

    def test_shipping_types(self):
        for given, apples in [("shipping", "shipping"), ("delivery", "delivery"), ("pickup", "storePickup")]:
            with self.subTest(given):
                request = {**PLAIN, "options": {"requestShipping": True, "shippingType": given}}
                page = self.shop(settings={"paymentRequest": request})
                self.open_sheet(page)
                self.assertEqual(page.evaluate("wallet.current.request.shippingType"), apples)

    def test_shipping_options_without_request_shipping_are_not_shown_and_not_charged(self):
        shipping = [{"id": "a", "label": "A", "amount": {"currency": "TWD", "value": "5"}}]
        page = self.shop(settings={"paymentRequest": {**PLAIN, "shippingOptions": shipping}})
        self.open_sheet(page)
        self.assertNotIn("shippingMethods", page.evaluate("wallet.current.request"))
        page.evaluate("wallet.selectShippingContact()")
        [[update]] = self.calls(page, "completeShippingContactSelection")
        self.assertEqual(update.get("newShippingMethods", []), [])
        # Nobody listens to what the sheet does not offer: the change answers itself.
        page.evaluate("wallet.selectShippingMethod('a')")
        self.assertEqual(page.evaluate("wallet.answeredThemselves"), ["shippingmethodselected"])
        self.authorize(page)
        result = self.result(page)
        self.assertEqual((result["total_amount"], result["shippingOption"]), ("12", ""))

    def test_a_changed_shipping_option_changes_the_total_and_the_result(self):
        page = self.shop()
        self.open_sheet(page)
        page.evaluate("wallet.selectShippingMethod('drone')")
        self.assertEqual(
            self.calls(page, "completeShippingMethodSelection"), [[{"newTotal": total("26"), "newLineItems": [PHONE, FLOWN]}]])
        page.evaluate("wallet.selectShippingContact()")
        [[update]] = self.calls(page, "completeShippingContactSelection")
        self.assertEqual(update["newTotal"], total("26"))
        # The chosen one comes first, for the first is the one that the sheet shows as chosen.
        self.assertEqual([method["identifier"] for method in update["newShippingMethods"]], ["drone", "standard"])
        page.evaluate("wallet.selectPaymentMethod()")
        self.assertEqual(
            self.calls(page, "completePaymentMethodSelection"), [[{"newTotal": total("26"), "newLineItems": [PHONE, FLOWN]}]])
        self.authorize(page)
        result = self.result(page)
        self.assertEqual((result["total_amount"], result["shippingOption"]), ("26", "drone"))

    def test_selections_are_answered_at_once(self):
        page = self.shop()
        self.open_sheet(page)
        for selection in ["selectPaymentMethod()", "selectShippingMethod('drone')", "selectShippingContact()"]:
            self.assertEqual(page.evaluate(f"wallet.{selection}, wallet.current.state"), "active", selection)

    def test_versions_one_and_two_get_their_own_arguments(self):
        for version, networks in [(2, ["amex", "jcb", "masterCard", "visa"]), (1, ["amex", "masterCard", "visa"])]:
            with self.subTest(version=version):
                page = self.shop(wallet={"newestVersion": version})
                self.open_sheet(page)
                self.assertEqual(page.evaluate("wallet.current.version"), version)
                self.assertEqual(page.evaluate("wallet.current.request.supportedNetworks"), networks)
                page.evaluate("wallet.selectPaymentMethod(), wallet.selectShippingMethod('drone'), wallet.selectShippingContact()")
                self.assertEqual(self.calls(page, "completePaymentMethodSelection"), [[total("6"), [PHONE, SHIPPED]]])
                self.assertEqual(self.calls(page, "completeShippingMethodSelection"), [[0, total("26"), [PHONE, FLOWN]]])
                [[status, methods, new_total, lines]] = self.calls(page, "completeShippingContactSelection")
                self.assertEqual((status, len(methods), new_total, lines), (0, 2, total("26"), [PHONE, FLOWN]))
                self.authorize(page)
                self.assertEqual(self.result(page)["status"], 0)
                self.assertEqual(self.calls(page, "completePayment"), [[0]])

    def test_versions_one_and_two_without_a_contact(self):
        for version in (1, 2):
            with self.subTest(version=version):
                page = self.shop(wallet={"newestVersion": version}, settings={"paymentRequest": PLAIN})
                self.open_sheet(page)
                page.evaluate("wallet.selectPaymentMethod(), wallet.selectShippingContact()")
                self.assertEqual(page.evaluate("wallet.current.state"), "active")
                self.authorize(page)
                self.assertEqual(self.result(page)["prime"], PRIME)

    def test_amounts_with_decimals_stay_exact(self):
        request = changed(
            PLAIN,
            displayItems=[{"label": "A", "amount": {"currency": "USD", "value": "0.10"}},
                          {"label": "Off", "amount": {"currency": "USD", "value": "-0.01"}}],
            total={"label": "Shop", "amount": {"currency": "USD", "value": "0.09"}},
            shippingOptions=[{"id": "a", "label": "S", "amount": {"currency": "USD", "value": "0.1"}}],
            options={"requestShipping": True})
        page = self.shop(settings={"paymentRequest": request})
        self.open_sheet(page)
        asked = page.evaluate("wallet.current.request")
        self.assertEqual(asked["total"]["amount"], "0.19")
        self.assertEqual([line["amount"] for line in asked["lineItems"]], ["0.10", "-0.01", "0.10"])
        self.authorize(page)
        self.assertEqual(self.result(page)["total_amount"], "0.19")


class DeferredSheetTest(ApplePayTestCase):
    def test_amount_pending_on_the_sheet_and_in_the_prime(self):
        request = changed(
            PLAIN, displayItems=[{"label": "Ride", "amount": {"currency": "TWD"}, "isAmountPending": True}],
            total={"label": "Taxi", "amount": {"currency": "TWD"}, "isAmountPending": True, "isShowTotalAmount": False})
        page = self.shop(settings={"paymentRequest": request})
        self.open_sheet(page)
        asked = page.evaluate("wallet.current.request")
        self.assertEqual(asked["total"], {"label": "Taxi", "type": "pending", "amount": "1"})
        self.assertEqual(asked["lineItems"], [{"label": "Ride", "type": "pending", "amount": "0"}])
        self.authorize(page)
        self.assertEqual(self.result(page)["total_amount"], "")
        self.assertEqual(self.edge.asked("prime")[0]["is_amount_pending"], True)

    def test_deferred_with_a_shown_total(self):
        request = changed(PLAIN, total={**PLAIN["total"], "isAmountPending": True, "isShowTotalAmount": True})
        page = self.shop(settings={"paymentRequest": request})
        self.open_sheet(page)
        self.assertEqual(page.evaluate("wallet.current.request.total"), {"label": "Shop", "type": "final", "amount": "12"})
        self.authorize(page)
        self.assertEqual(self.result(page)["total_amount"], "12")
        self.assertEqual(self.edge.asked("prime")[0]["is_amount_pending"], True)

    def test_a_pending_total_does_not_grow_by_shipping(self):
        request = changed(
            PLAIN, shippingOptions=[{"id": "a", "label": "S", "amount": {"currency": "TWD", "value": "5"}}],
            options={"requestShipping": True}, total={**PLAIN["total"], "isAmountPending": True, "isShowTotalAmount": False})
        page = self.shop(settings={"paymentRequest": request})
        self.open_sheet(page)
        self.assertEqual(page.evaluate("wallet.current.request.total"), {"label": "Shop", "type": "pending", "amount": "1"})


class MerchantValidationTest(ApplePayTestCase):
    def refused(self, answer, **options):
        self.edge.answers["session"] = answer
        page = self.shop(**options)
        page.click("#pay")
        result = self.result(page)
        self.assertEqual(result["status"], 403)
        self.assertEqual(self.edge.asked("prime"), [])
        self.assertEqual(page.evaluate("wallet.current.state"), "aborted")
        return result

    def test_apples_message_is_passed_on(self):
        result = self.refused({"status": 403, "msg": "[Apple Pay] Get Session error: the domain is not registered"})
        self.assertEqual(result["msg"], "[Apple Pay] Get Session error: the domain is not registered")

    def test_another_refusal_of_the_gateway(self):
        result = self.refused({"status": 16, "msg": "App key mismatch"})
        self.assertEqual(result["msg"], "[Apple Pay] Get Session error: App key mismatch")

    def test_a_refusal_with_an_http_status(self):
        result = self.refused(
            Raw('{"status": 80, "msg": "Invaild x-api-key or app key"}', status=401), expected=["status of 401"])
        self.assertEqual(result["msg"], "[Apple Pay] Get Session error: Invaild x-api-key or app key")

    def test_an_answer_without_a_session(self):
        result = self.refused({"status": 0, "msg": ""})
        self.assertEqual(result["msg"], "[Apple Pay] Get Session error: the gateway answered without a session")

    def test_an_answer_that_is_not_json(self):
        result = self.refused(Raw("<h1>Bad Gateway</h1>", status=502), expected=["status of 502"])
        self.assertIn("something other than JSON", result["msg"])

    def test_a_session_that_the_browser_does_not_accept(self):
        result = self.refused(GRANTED, wallet={"refusesSession": True})
        self.assertIn("the browser did not accept the merchant session", result["msg"])
        self.assertEqual(result["originalError"]["name"], "InvalidAccessError")

    def test_a_gateway_that_is_silent_is_given_up_before_apple_gives_up(self):
        held = Held(GRANTED)
        self.addCleanup(held.release)
        self.edge.answers["session"] = held
        page = self.shop(clock=True)
        page.click("#pay")
        page.clock.run_for(1)
        held.asked.wait(10)
        page.clock.fast_forward(24_990)
        self.assertEqual(page.evaluate("wallet.current.state"), "active")
        page.clock.fast_forward(20)
        result = self.result(page)
        self.assertEqual(
            (result["status"], result["msg"]),
            (403, "[Apple Pay] Get Session error: the gateway did not answer within 25 seconds"))
        self.assertEqual(self.calls(page), ["abort"])

    def test_a_sheet_closed_while_the_session_is_fetched_is_left_alone(self):
        held = Held(GRANTED)
        self.edge.answers["session"] = held
        page = self.shop()
        page.click("#pay")
        held.asked.wait(10)
        page.evaluate("wallet.cancel()")
        held.release()
        self.assertEqual(self.result(page)["status"], 401)
        page.wait_for_timeout(100)
        self.assertEqual(self.calls(page), [])


class PrimeTest(ApplePayTestCase):
    def failed(self, answer, payment=PAYMENT, **options):
        self.edge.answers["prime"] = answer
        page = self.shop(**options)
        self.open_sheet(page)
        self.authorize(page, payment)
        result = self.result(page)
        self.assertEqual(self.calls(page, "completePayment"), [[{"status": 1}]])
        self.assertNotIn("abort", self.calls(page))
        self.assertNotIn("prime", result)
        return result

    def test_codes_of_the_gateway_pass_through(self):
        for status, message in [(11, "App ID not found"), (421, "Gateway Timeout"), (422, "Authorization Timeout"),
                                (605, "Missing arguments : pay_token_data > data"), (915, "anything"),
                                (13002, "This apple pay merchant identifier is disabled"), (77777, "new")]:
            with self.subTest(status):
                self.assertEqual(self.failed({"status": status, "msg": message}), {"status": status, "msg": message})

    def test_the_gateways_advice_is_passed_on(self):
        refusal = {"status": 16, "msg": "App key mismatch", "detail": "Check the environment."}
        self.assertEqual(self.failed({**refusal, "token_stage": "parse"}), refusal)

    def test_a_code_without_words_gets_those_of_the_table(self):
        self.assertEqual(self.failed({"status": 12}), {"status": 12, "msg": "App name mismatch"})

    def test_a_code_with_an_http_status(self):
        result = self.failed(Raw('{"status": 80, "msg": "Invaild x-api-key or app key"}', status=401), expected=["status of 401"])
        self.assertEqual(result["status"], 80)

    def test_answers_that_are_none(self):
        for answer in [Raw("oops"), Raw("[]"), Raw("null"), Raw('{"msg": "Success"}'), Raw('{"status": "0"}')]:
            with self.subTest(answer.body):
                result = self.failed(answer)
                self.assertEqual(
                    (result["status"], result["msg"]),
                    (-6, "[Apple Pay] failed to get prime: the gateway answered something other than JSON with a status"))

    def test_a_success_without_a_prime(self):
        result = self.failed(changed(PRIMED, prime=None))
        self.assertEqual(
            (result["status"], result["msg"]), (-6, "[Apple Pay] failed to get prime: the gateway answered without a prime"))

    def test_a_prime_of_the_other_kind_of_app(self):
        result = self.failed(changed(PRIMED, prime="prod_" + "6a" * 28))
        self.assertEqual(
            (result["status"], result["msg"]),
            (-6, "[Apple Pay] failed to get prime: setupSDK says 'sandbox', but app 12345 is not of that kind"))
        result = self.failed(PRIMED, settings={"serverType": "production"})
        self.assertIn("setupSDK says 'production'", result["msg"])

    def test_a_production_prime(self):
        self.edge.answers["prime"] = changed(PRIMED, prime="prod_" + "6a" * 28)
        page = self.shop(settings={"serverType": "production"})
        self.open_sheet(page)
        self.authorize(page)
        self.assertEqual(self.result(page)["status"], 0)

    def test_payment_data_must_be_whole(self):
        for missing in ["version", "data", "signature"]:
            with self.subTest(missing):
                self.incomplete({"token": {"paymentData": changed(PAYMENT_DATA, **{missing: None})}})
        for missing in ["publicKeyHash", "ephemeralPublicKey", "transactionId"]:
            with self.subTest(missing):
                header = changed(PAYMENT_DATA["header"], **{missing: None})
                self.incomplete({"token": {"paymentData": changed(PAYMENT_DATA, header=header)}})
        for payment in [{}, {"token": {}}, {"token": {"paymentData": None}}]:
            with self.subTest(payment=payment):
                self.incomplete(payment)

    def test_payment_data_of_an_rsa_key_is_whole(self):
        header = {"publicKeyHash": "aGFzaA==", "wrappedKey": "a2V5", "transactionId": "c0ffee"}
        data = changed(PAYMENT_DATA, version="RSA_v1", header=header)
        for other in [PAYMENT_DATA["header"], changed(header, wrappedKey=None)]:
            with self.subTest(header=other):
                self.incomplete({"token": {"paymentData": changed(data, header=other)}})
        self.edge.answers["prime"] = PRIMED
        page = self.shop()
        self.open_sheet(page)
        self.authorize(page, changed(PAYMENT, token=changed(PAYMENT["token"], paymentData=data)))
        self.assertEqual(self.result(page)["status"], 0)
        [asked] = self.edge.asked("prime")
        self.assertEqual(asked["pay_token_data"], data)

    def incomplete(self, payment):
        result = self.failed(PRIMED, payment)
        self.assertEqual(
            result, {"status": 402, "msg": "Can not obtain payment data: the wallet gave no complete payment data"})
        self.assertEqual(self.edge.asked("prime"), [])

    def test_a_gateway_out_of_reach(self):
        page = self.shop(expected=["Failed to load resource"])
        self.open_sheet(page)
        page.route("**/tpc/applepay/getprime", lambda route: route.abort())
        self.authorize(page)
        result = self.result(page)
        self.assertEqual(
            (result["status"], result["msg"]), (-6, "[Apple Pay] failed to get prime: the gateway could not be reached"))
        self.assertEqual(self.calls(page, "completePayment"), [[{"status": 1}]])

    def test_the_deadline_is_below_apples(self):
        held = Held(PRIMED)
        self.addCleanup(held.release)
        self.edge.answers["prime"] = held
        page = self.shop(clock=True)
        page.click("#pay")
        page.clock.run_for(1)
        self.until(page, "wallet.calls.length > 0")
        self.authorize(page)
        held.asked.wait(10)
        page.clock.fast_forward(24_990)
        self.assertEqual(page.evaluate("wallet.current.state"), "authorized")
        page.clock.fast_forward(20)
        result = self.result(page)
        self.assertEqual(result, {"status": 421, "msg": "Gateway Timeout"})
        self.assertEqual(self.calls(page, "completePayment"), [[{"status": 1}]])
        self.assertEqual(len(self.edge.asked("prime")), 1)

    def test_a_sheet_that_stays_after_a_failure_is_answered_and_pays_no_more(self):
        for version in (2, 3):
            with self.subTest(version=version):
                self.edge.requests.clear()
                self.edge.answers["prime"] = {"status": 915, "msg": "away"}
                page = self.shop(wallet={"staysOnFailure": True, "newestVersion": version})
                self.open_sheet(page)
                self.authorize(page)
                self.assertEqual(self.result(page)["status"], 915)
                self.edge.answers["prime"] = PRIMED
                page.evaluate("wallet.selectShippingMethod('drone')")
                self.authorize(page)
                self.until(page, "wallet.calls.filter((call) => call.name === 'completePayment').length === 2")
                failure = [{"status": 1}] if version >= 3 else [1]
                self.assertEqual(self.calls(page, "completePayment"), [failure, failure])
                self.assertEqual(len(self.calls(page, "completeShippingMethodSelection")), 1)
                page.evaluate("wallet.cancel()")
                self.assertEqual(self.result(page)["status"], 915)
                self.assertEqual(len(self.edge.asked("prime")), 1)
                # And the next payment can follow.
                page.evaluate("shop.results.length = 0, wallet.calls.length = 0")
                self.open_sheet(page)
                self.authorize(page)
                self.assertEqual(self.result(page)["prime"], PRIME)

    def test_never_two_primes_for_one_sheet(self):
        held = Held(PRIMED)
        self.edge.answers["prime"] = held
        page = self.shop()
        self.open_sheet(page)
        self.authorize(page)
        held.asked.wait(10)
        page.evaluate("(payment) => wallet.current.onpaymentauthorized({ payment })", PAYMENT)
        held.release()
        self.assertEqual(self.result(page)["prime"], PRIME)
        page.evaluate("(payment) => wallet.current.onpaymentauthorized({ payment })", PAYMENT)
        page.wait_for_timeout(100)
        self.assertEqual(len(self.edge.asked("prime")), 1)
        self.assertEqual(len(self.calls(page, "completePayment")), 1)


class ClosedSheetTest(ApplePayTestCase):
    CLOSED = {"status": 401, "msg": "Request Cancel: the payment sheet was closed before the payment was done"}

    def test_cancel(self):
        page = self.shop()
        self.open_sheet(page)
        page.evaluate("wallet.cancel()")
        self.assertEqual(self.result(page), self.CLOSED)
        self.assertEqual(self.calls(page), ["completeMerchantValidation"])

    def test_cancel_while_authorizing(self):
        held = Held(PRIMED)
        self.edge.answers["prime"] = held
        page = self.shop()
        self.open_sheet(page)
        self.authorize(page)
        held.asked.wait(10)
        page.evaluate("wallet.cancel()")
        held.release()
        self.assertEqual(self.result(page), self.CLOSED)
        page.wait_for_timeout(100)
        # The dead session is not touched, and the callback is not called again.
        self.assertEqual(self.calls(page), ["completeMerchantValidation"])
        self.assertEqual(len(page.evaluate("shop.results")), 1)

    def test_a_page_that_was_put_aside_while_authorizing(self):
        held = Held(PRIMED)
        self.edge.answers["prime"] = held
        page = self.shop()
        self.open_sheet(page)
        self.authorize(page)
        held.asked.wait(10)
        page.evaluate("wallet.suspend()")
        held.release()
        self.assertEqual(self.result(page)["prime"], PRIME)
        # The event comes when the page is restored: too late to be a result.
        page.evaluate("wallet.restore()")
        page.wait_for_timeout(100)
        self.assertEqual(len(page.evaluate("shop.results")), 1)

    def test_a_page_that_was_put_aside_is_notified_when_it_is_restored(self):
        page = self.shop()
        self.open_sheet(page)
        page.evaluate("wallet.suspend(), wallet.restore()")
        self.assertEqual(self.result(page), self.CLOSED)
        self.assertEqual(self.calls(page), ["completeMerchantValidation"])

    def test_a_refused_session_on_a_page_that_was_put_aside(self):
        held = Held({"status": 403, "msg": "[Apple Pay] Get Session error: no"})
        self.edge.answers["session"] = held
        page = self.shop()
        page.click("#pay")
        held.asked.wait(10)
        page.evaluate("wallet.suspend()")
        held.release()
        self.assertEqual(self.result(page)["status"], 403)

    def test_an_error_of_the_page_in_the_sheet_is_reported_and_closes_it(self):
        page = self.shop()
        self.open_sheet(page)
        page.evaluate("wallet.current.onshippingmethodselected({})")
        result = self.result(page)
        self.assertEqual((result["status"], result["msg"]), (-5, "Unknown Error"))
        self.assertEqual(result["originalError"]["name"], "TypeError")
        self.assertEqual(page.evaluate("wallet.current.state"), "aborted")

    def test_the_next_payment_can_follow(self):
        page = self.shop()
        self.open_sheet(page)
        page.evaluate("wallet.cancel()")
        self.result(page)
        page.evaluate("shop.results.length = 0, wallet.calls.length = 0")
        self.open_sheet(page)
        self.authorize(page)
        self.assertEqual(self.result(page)["prime"], PRIME)

    def test_a_second_getprime_while_a_sheet_is_open(self):
        page = self.shop()
        self.open_sheet(page)
        page.click("#pay")
        result = self.result(page)
        self.assertEqual((result["status"], result["originalError"]["code"]), (404, "payment_in_progress"))
        page.evaluate("shop.results.length = 0")
        self.authorize(page)
        self.assertEqual(self.result(page)["prime"], PRIME)


class GestureTest(ApplePayTestCase):
    def test_the_sheet_opens_within_the_click(self):
        page = self.shop()
        page.evaluate(
            "document.querySelector('#pay').addEventListener('click', () => { shop.stateInClick = wallet.current && wallet.current.state; })")
        page.click("#pay")
        self.assertEqual(page.evaluate("shop.stateInClick"), "active")

    def test_what_the_browser_throws_is_the_original_error(self):
        page = self.shop()
        page.evaluate("shop.pay()")
        result = self.result(page)
        self.assertEqual(result["status"], 404)
        self.assertEqual(result["msg"], "[Payment Request API] Unexcept Error, for detail please see originalError")
        self.assertEqual(result["originalError"]["name"], "InvalidAccessError")
        # And the SDK is ready for another try.
        page.evaluate("shop.results.length = 0")
        self.open_sheet(page)
        self.authorize(page)
        self.assertEqual(self.result(page)["prime"], PRIME)

    def test_a_sheet_that_another_page_has_open(self):
        page = self.shop(wallet={"isBusyElsewhere": True})
        page.click("#pay")
        result = self.result(page)
        self.assertEqual((result["status"], result["originalError"]["name"]), (404, "InvalidAccessError"))
        self.assertEqual(self.calls(page), [])

    def test_a_country_or_currency_that_there_is_not(self):
        for settings, message in [
            ({"applePay": {"merchantIdentifier": "merchant.shop", "countryCode": "ZZ"}}, '"ZZ" is not a valid country code.'),
            ({"paymentRequest": {**PLAIN, "total": {"label": "Shop", "amount": {"currency": "QQQ", "value": "12"}}}},
             '"QQQ" is not a valid currency code.'),
        ]:
            with self.subTest(message):
                page = self.shop(settings=settings)
                page.click("#pay")
                result = self.result(page)
                self.assertEqual((result["status"], result["originalError"]["message"]), (404, message))

    def test_changes_that_the_page_makes_after_setup_do_not_reach_the_sheet(self):
        page = self.shop()
        page.evaluate(
            """() => {
                const request = { supportedNetworks: ['VISA'], supportedMethods: ['apple_pay'],
                    total: { label: 'Shop', amount: { currency: 'TWD', value: '12' } } };
                TPDirect.paymentRequestApi.setupPaymentRequest(request);
                request.total.amount.value = '1';
            }""")
        self.open_sheet(page)
        self.assertEqual(page.evaluate("wallet.current.request.total.amount"), "12")


if __name__ == "__main__":
    unittest.main()
