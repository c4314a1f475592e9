# ===----------------------------------------------------------------------===//
# This source file is part of the Pomona open source project
# SPDX-License-Identifier: Apache-2.0
# ===----------------------------------------------------------------------===//

"""The SDK's pure modules, in the browser: deferred payment, amounts, the reading of requests, sheets, contacts, codes, results."""

import unittest

from edge import ADDRESS, CARD_INFO, CONTACT, FIXTURES, SDKTestCase, changed

AMOUNT_30_DAYS = {"total": "amount", "primeLifetime": "30 days"}
PENDING_30_DAYS = {"total": "pending", "primeLifetime": "30 days"}
AMOUNT_90_SECONDS = {"total": "amount", "primeLifetime": "90 seconds"}
NOT_SUPPORTED = None

# The specification's three tables: what the items are, total.isAmountPending, total.isShowTotalAmount, what follows.
DEFERRED_PAYMENT = [
    ("none", True, True, AMOUNT_30_DAYS),
    ("none", True, False, PENDING_30_DAYS),
    ("none", False, True, AMOUNT_90_SECONDS),
    ("none", False, False, NOT_SUPPORTED),
    ("all", True, True, NOT_SUPPORTED),
    ("all", True, False, PENDING_30_DAYS),
    ("all", False, True, NOT_SUPPORTED),
    ("all", False, False, NOT_SUPPORTED),
    ("mixed", True, True, AMOUNT_30_DAYS),
    ("mixed", True, False, PENDING_30_DAYS),
    ("mixed", False, True, NOT_SUPPORTED),
    ("mixed", False, False, NOT_SUPPORTED),
]


def priced(value, currency="TWD", label="Item"):
    return {"label": label, "amount": {"currency": currency, "value": value}}


def pending(label="Later"):
    return {"label": label, "amount": {"currency": "TWD"}, "isAmountPending": True}


ITEMS = {"none": [priced("10"), priced("2")], "all": [pending(), pending()], "mixed": [priced("10"), pending()]}


def request(items=None, total=None, shipping=None, options=None, **changes):
    """A good paymentRequest and what is to be different in it; None takes a field out."""
    base = {
        "supportedNetworks": ["VISA"],
        "supportedMethods": ["apple_pay"],
        "displayItems": [priced("10")] if items is None else items,
        "total": priced("10", label="Total") if total is None else total,
    }
    if shipping is not None:
        base["shippingOptions"] = shipping
    if options is not None:
        base["options"] = options
    return changed(base, **changes)


class ModuleTestCase(SDKTestCase):
    def setUp(self):
        super().setUp()
        self.tab = self.blank()

    def call(self, file, function, *arguments):
        """Calls a module's function. Amounts go in as {"hundredths": "100"} and come out as text."""
        return self.tab.evaluate(
            """async ([file, name, args]) => {
                const m = await import(`/sdk/tpdirect/modules/${file}`);
                const alive = (value) => {
                    if (Array.isArray(value)) {
                        return value.map(alive);
                    }
                    if (value !== null && typeof value === 'object') {
                        return 'hundredths' in value ? BigInt(value.hundredths)
                            : Object.fromEntries(Object.entries(value).map(([key, each]) => [key, alive(each)]));
                    }
                    return value;
                };
                const plain = (value) => JSON.parse(
                    JSON.stringify(value === undefined ? null : value, (_, each) => (typeof each === 'bigint' ? String(each) : each)));
                try {
                    return plain(m[name](...args.map(alive)));
                } catch (error) {
                    return { thrown: error.name, code: error.code, field: error.field, message: error.message };
                }
            }""",
            [file, function, list(arguments)])

    def read(self, raw):
        return self.call("request.js", "readPaymentRequest", raw)

    def assert_refused(self, answer, code, field):
        self.assertEqual((answer.get("thrown"), answer.get("code"), answer.get("field")), ("TPDirectSetupError", code, field), answer)
        self.assertTrue(answer["message"].startswith(f"TPDirect: {field} "), answer["message"])


class DeferredPaymentTest(ModuleTestCase):
    def test_every_cell_of_the_three_tables(self):
        for kind, is_amount_pending, is_show_total_amount, expected in DEFERRED_PAYMENT:
            with self.subTest(kind=kind, isAmountPending=is_amount_pending, isShowTotalAmount=is_show_total_amount):
                value = "10" if kind == "mixed" else "12"
                total = changed(
                    priced(value, label="Total"), isAmountPending=is_amount_pending, isShowTotalAmount=is_show_total_amount)
                cart = self.read(request(items=ITEMS[kind], total=total))
                if expected is NOT_SUPPORTED:
                    self.assert_refused(cart, "deferred_unsupported", "paymentRequest.total")
                else:
                    self.assertEqual(cart["isTotalPending"], expected["total"] == "pending")
                    self.assertEqual(cart["primeLifetime"], expected["primeLifetime"])
                    self.assertEqual(cart["isAmountPending"], is_amount_pending)

    def test_defaults_are_not_pending_and_shown(self):
        cart = self.read(request())
        self.assertEqual((cart["isAmountPending"], cart["isTotalPending"], cart["primeLifetime"]), (False, False, "90 seconds"))
        # isShowTotalAmount is true when left out: with only pending items that is a cell that is not supported.
        self.assert_refused(
            self.read(request(items=ITEMS["all"], total=changed(priced("12"), isAmountPending=True))),
            "deferred_unsupported", "paymentRequest.total")

    def test_pending_total_is_one_where_old_systems_need_it(self):
        hidden = {"label": "Total", "amount": {"currency": "TWD"}, "isAmountPending": True, "isShowTotalAmount": False}
        one = [
            ("all items are pending", ITEMS["all"], hidden),
            ("all items are pending and a total is given", ITEMS["all"], changed(hidden, amount={"currency": "TWD", "value": "50"})),
            ("the items come to nothing", [priced("5"), priced("-5")], hidden),
            ("the items cost nothing", [priced("0")], hidden),
            ("the known item costs nothing", [priced("0.00"), pending()], hidden),
            ("there are no items", [], hidden),
            ("the given total is nothing", ITEMS["none"], changed(hidden, amount={"currency": "TWD", "value": "0"})),
        ]
        for situation, items, total in one:
            with self.subTest(situation):
                self.assertEqual(self.read(request(items=items, total=total))["amount"], "100")

    def test_other_totals_are_what_the_page_says_or_the_sum(self):
        hidden = {"label": "Total", "amount": {"currency": "TWD"}, "isAmountPending": True, "isShowTotalAmount": False}
        shown = changed(hidden, isShowTotalAmount=True)
        cases = [
            ("pending, the sum", ITEMS["none"], hidden, "1200"),
            ("pending, the sum of what is known", ITEMS["mixed"], hidden, "1000"),
            ("pending, given", ITEMS["none"], changed(hidden, amount={"currency": "TWD", "value": "15"}), "1500"),
            ("shown, the sum", ITEMS["mixed"], shown, "1000"),
            ("shown, given", ITEMS["mixed"], changed(shown, amount={"currency": "TWD", "value": "10.00"}), "1000"),
            ("plain", ITEMS["none"], priced("12.00", label="Total"), "1200"),
            ("plain, with a discount", [priced("10"), priced("-3")], priced("7", label="Total"), "700"),
            ("plain, without items", [], priced("13", label="Total"), "1300"),
        ]
        for situation, items, total, amount in cases:
            with self.subTest(situation):
                self.assertEqual(self.read(request(items=items, total=total))["amount"], amount)

    def test_a_shown_total_is_above_zero(self):
        for value in ["0", "0.00", "-1"]:
            for items in [[], [priced(value)]]:
                with self.subTest(value, items=items):
                    self.assert_refused(
                        self.read(request(items=items, total=priced(value))), "total_out_of_range",
                        "paymentRequest.total.amount.value")

    def test_a_shown_total_is_the_sum_of_its_items(self):
        shown = {"isAmountPending": True, "isShowTotalAmount": True}
        cases = [
            ([priced("10")], priced("9")), ([priced("10")], priced("20")),
            ([priced("10"), priced("-3")], priced("10")), ([priced("10"), pending()], changed(priced("15"), **shown)),
            ([priced("10"), priced("2")], changed(priced("13"), **shown)),
        ]
        for items, total in cases:
            with self.subTest(items=items, total=total):
                self.assert_refused(
                    self.read(request(items=items, total=total)), "total_differs", "paymentRequest.total.amount.value")
        # Shipping is added on the sheet, and is no part of either.
        cart = self.read(request(shipping=[{"id": "a", "label": "A", "amount": {"currency": "TWD", "value": "5"}}],
                                 options={"requestShipping": True}))
        self.assertEqual(cart["amount"], "1000")

    def test_pending_or_an_amount_but_not_both(self):
        both = changed(priced("5"), isAmountPending=True)
        self.assert_refused(self.read(request(items=[both])), "amount_and_pending", "paymentRequest.displayItems[0]")


class AmountTest(ModuleTestCase):
    def test_reads_decimal_strings_exactly(self):
        cases = [
            ("1", "TWD", "100"), ("1.0", "TWD", "100"), ("1.00", "TWD", "100"), ("0", "TWD", "0"), ("20000000", "TWD", "2000000000"),
            ("0.01", "HKD", "1"), ("1.01", "USD", "101"), ("1.1", "MYR", "110"), ("-2.50", "USD", "-250"), ("-0.05", "USD", "-5"),
            ("999999999.99", "USD", "99999999999"), ("0.29", "USD", "29"), ("1.15", "USD", "115"), ("100", "JPY", "10000"),
            (7, "TWD", "700"), (-7, "TWD", "-700"), (0, "TWD", "0"),
        ]
        for value, currency, hundredths in cases:
            with self.subTest(value=value, currency=currency):
                self.assertEqual(self.call("amounts.js", "readAmount", value, currency, "it"), hundredths)

    def test_refuses_everything_else(self):
        cases = [
            ("", "TWD"), (" 1", "TWD"), ("1 ", "TWD"), ("1\n", "TWD"), ("+1", "TWD"), ("01", "TWD"), ("00", "TWD"), (".5", "USD"),
            ("1.", "USD"), ("1.005", "USD"), ("1,00", "USD"), ("1e2", "TWD"), ("0x1", "TWD"), ("１", "TWD"), ("1_0", "TWD"),
            ("NaN", "TWD"), ("--1", "TWD"), ("1000000000", "TWD"), ("1.50", "TWD"), ("0.01", "JPY"), (1.5, "USD"), (1.1, "USD"),
            (2 ** 53, "TWD"), (None, "TWD"), (True, "TWD"), ([1], "TWD"), ({"value": "1"}, "TWD"),
        ]
        for value, currency in cases:
            with self.subTest(value=value, currency=currency):
                self.assert_refused(self.call("amounts.js", "readAmount", value, currency, "it"), "amount_malformed", "it")

    def test_writes_in_the_decimals_of_the_currency(self):
        cases = [
            ("100", "TWD", "1"), ("0", "TWD", "0"), ("100", "JPY", "1"), ("101", "USD", "1.01"), ("5", "HKD", "0.05"),
            ("-5", "USD", "-0.05"), ("-250", "USD", "-2.50"), ("-300", "TWD", "-3"), ("99999999999", "MYR", "999999999.99"),
        ]
        for hundredths, currency, text in cases:
            with self.subTest(hundredths=hundredths, currency=currency):
                self.assertEqual(self.call("amounts.js", "writeAmount", {"hundredths": hundredths}, currency), text)


class PaymentRequestReadingTest(ModuleTestCase):
    def test_reads_the_sample_of_the_specification(self):
        cart = self.read({
            "supportedNetworks": ["AMEX", "JCB", "MASTERCARD", "VISA"],
            "supportedMethods": ["apple_pay"],
            "displayItems": [priced("1.00", label="TapPay - iPhone8")],
            "total": priced("1.00", label="總金額"),
            "shippingOptions": [
                {"id": "standard", "label": "🚛  Ground Shipping (2 days)", "detail": "Estimated delivery time: 2 days",
                 "amount": {"currency": "TWD", "value": "5.00"}},
                {"id": "drone", "label": "🚀  Drone Express (2 hours)", "amount": {"currency": "TWD", "value": "25.00"}},
            ],
            "options": {"requestPayerEmail": True, "requestPayerName": True, "requestPayerPhone": True, "requestShipping": True,
                        "shippingType": "shipping"},
        })
        self.assertEqual(cart, {
            "networks": ["amex", "jcb", "masterCard", "visa"],
            "currency": "TWD",
            "items": [{"label": "TapPay - iPhone8", "isPending": False, "amount": "100"}],
            "label": "總金額",
            "amount": "100",
            "isAmountPending": False,
            "isTotalPending": False,
            "primeLifetime": "90 seconds",
            "shippingOptions": [
                {"id": "standard", "label": "🚛  Ground Shipping (2 days)", "detail": "Estimated delivery time: 2 days", "amount": "500"},
                {"id": "drone", "label": "🚀  Drone Express (2 hours)", "detail": "", "amount": "2500"},
            ],
            "options": {"requestPayerEmail": True, "requestPayerName": True, "requestPayerPhone": True, "requestShipping": True,
                        "shippingType": "shipping"},
        })

    def test_what_may_be_left_out(self):
        cart = self.read(request(displayItems=None))
        self.assertEqual(cart["items"], [])
        self.assertEqual(cart["shippingOptions"], [])
        self.assertEqual(cart["options"], {
            "requestPayerEmail": False, "requestPayerName": False, "requestPayerPhone": False, "requestShipping": False,
            "shippingType": "shipping"})

    def test_other_methods_may_stand_beside_apple_pay(self):
        self.assertEqual(self.read(request(supportedMethods=["card", "apple_pay"]))["networks"], ["visa"])

    def test_networks_of_other_wallets_are_passed_over_with_a_warning(self):
        said = []
        self.tab.on("console", lambda message: said.append((message.type, message.text)))
        cart = self.read(request(supportedNetworks=["AMEX", "DISCOVER", "visa", "toString", 5, None, "VISA"]))
        self.assertEqual(cart["networks"], ["amex", "visa"])
        self.assertEqual(said, [
            ("warning", f"TPDirect: paymentRequest.supportedNetworks[{index}] is passed over: it is none of 'VISA', "
                        "'MASTERCARD', 'JCB' and 'AMEX'.") for index in [1, 2, 3, 4, 5]])

    def test_known_networks_are_not_warned_of(self):
        said = []
        self.tab.on("console", lambda message: said.append(message.text))
        self.read(request(supportedNetworks=["AMEX", "JCB", "MASTERCARD", "VISA"]))
        self.assertEqual(said, [])

    def test_a_network_named_twice_counts_once(self):
        self.assertEqual(self.read(request(supportedNetworks=["VISA", "JCB", "VISA"]))["networks"], ["visa", "jcb"])

    def test_shipping_types(self):
        for name in ["shipping", "delivery", "pickup"]:
            self.assertEqual(self.read(request(options={"shippingType": name}))["options"]["shippingType"], name)

    def test_sorts_shipping_by_price_and_keeps_the_order_of_equals(self):
        def option(name, value):
            return {"id": name, "label": name, "amount": {"currency": "TWD", "value": value}}

        cart = self.read(request(shipping=[option("c", "25"), option("a", "100"), option("b", "5"), option("d", "5"), option("e", "0")]))
        self.assertEqual([each["id"] for each in cart["shippingOptions"]], ["e", "b", "d", "c", "a"])

    def test_refuses_what_is_wrong_and_names_the_field(self):
        def option(**changes):
            return changed({"id": "a", "label": "A", "amount": {"currency": "TWD", "value": "5"}}, **changes)

        cases = [
            ("x", "field_malformed", "paymentRequest"),
            ([], "field_malformed", "paymentRequest"),
            (request(supportedNetworks=None), "field_missing", "paymentRequest.supportedNetworks"),
            (request(supportedNetworks=[]), "value_unsupported", "paymentRequest.supportedNetworks"),
            (request(supportedNetworks="VISA"), "field_malformed", "paymentRequest.supportedNetworks"),
            (request(supportedNetworks=["visa"]), "value_unsupported", "paymentRequest.supportedNetworks"),
            (request(supportedNetworks=["toString"]), "value_unsupported", "paymentRequest.supportedNetworks"),
            (request(supportedNetworks=[5]), "value_unsupported", "paymentRequest.supportedNetworks"),
            (request(supportedMethods=None), "field_missing", "paymentRequest.supportedMethods"),
            (request(supportedMethods=["card"]), "value_unsupported", "paymentRequest.supportedMethods"),
            (request(displayItems="x"), "field_malformed", "paymentRequest.displayItems"),
            (request(items=["x"]), "field_malformed", "paymentRequest.displayItems[0]"),
            (request(items=[changed(priced("1"), label="")]), "field_malformed", "paymentRequest.displayItems[0].label"),
            (request(items=[changed(priced("1"), label=None)]), "field_missing", "paymentRequest.displayItems[0].label"),
            (request(items=[changed(priced("1"), amount=None)]), "field_missing", "paymentRequest.displayItems[0].amount"),
            (request(items=[priced("1"), priced("x")]), "amount_malformed", "paymentRequest.displayItems[1].amount.value"),
            (request(items=[changed(priced("1"), isAmountPending="true")]), "field_malformed",
             "paymentRequest.displayItems[0].isAmountPending"),
            (request(items=[priced("1", currency="twd")]), "field_malformed", "paymentRequest.displayItems[0].amount.currency"),
            (request(items=[{"label": "a", "amount": {"value": "1"}}]), "field_missing",
             "paymentRequest.displayItems[0].amount.currency"),
            (request(items=[priced("1", currency="USD")]), "currency_differs", "paymentRequest.total.amount.currency"),
            (request(total="x"), "field_malformed", "paymentRequest.total"),
            (changed(request(), total=None), "field_missing", "paymentRequest.total"),
            (request(total=changed(priced("1"), label=" ")), "field_malformed", "paymentRequest.total.label"),
            (request(total={"label": "T", "amount": {"currency": "TWD"}}), "amount_malformed", "paymentRequest.total.amount.value"),
            (request(total={"label": "T"}), "field_missing", "paymentRequest.total.amount"),
            (request(items=[], total={"label": "T", "isAmountPending": True, "isShowTotalAmount": False}), "field_missing",
             "paymentRequest.total.amount"),
            (request(total=changed(priced("1"), isShowTotalAmount=1)), "field_malformed", "paymentRequest.total.isShowTotalAmount"),
            (request(shipping={}), "field_malformed", "paymentRequest.shippingOptions"),
            (request(shipping=["x"]), "field_malformed", "paymentRequest.shippingOptions[0]"),
            (request(shipping=[option(id=None)]), "field_missing", "paymentRequest.shippingOptions[0].id"),
            (request(shipping=[option(label=5)]), "field_malformed", "paymentRequest.shippingOptions[0].label"),
            (request(shipping=[option(detail=5)]), "field_malformed", "paymentRequest.shippingOptions[0].detail"),
            (request(shipping=[option(amount={"currency": "TWD", "value": "-5"})]), "amount_malformed",
             "paymentRequest.shippingOptions[0].amount.value"),
            (request(shipping=[option(amount={"currency": "HKD", "value": "5"})]), "currency_differs",
             "paymentRequest.shippingOptions[0].amount.currency"),
            (request(shipping=[option(), option(label="B")]), "id_repeated", "paymentRequest.shippingOptions"),
            (request(options="x"), "field_malformed", "paymentRequest.options"),
            (request(options={"requestPayerEmail": 1}), "field_malformed", "paymentRequest.options.requestPayerEmail"),
            (request(options={"requestPayerName": "y"}), "field_malformed", "paymentRequest.options.requestPayerName"),
            (request(options={"requestPayerPhone": "y"}), "field_malformed", "paymentRequest.options.requestPayerPhone"),
            (request(options={"requestShipping": "y"}), "field_malformed", "paymentRequest.options.requestShipping"),
            (request(options={"shippingType": "mail"}), "value_unsupported", "paymentRequest.options.shippingType"),
        ]
        for raw, code, field in cases:
            with self.subTest(field=field, code=code):
                self.assert_refused(self.read(raw), code, field)


class SetupReadingTest(ModuleTestCase):
    HERE = "https://pay.example/sdk/tpdirect/v5.19.2"

    def test_reads_apps(self):
        expected = {"appID": 12345, "appKey": "app_key", "serverType": "sandbox", "host": "https://pay.example"}
        self.assertEqual(self.call("request.js", "readSetup", 12345, "app_key", "sandbox", self.HERE), expected)
        self.assertEqual(self.call("request.js", "readSetup", "12345", "app_key", "sandbox", self.HERE), expected)
        self.assertEqual(
            self.call("request.js", "readSetup", 12345, "app_key", "production", self.HERE), {**expected, "serverType": "production"})

    def test_capitals_in_the_server_type_are_taken_with_a_warning(self):
        said = []
        self.tab.on("console", lambda message: said.append((message.type, message.text)))
        for given, read in [("Sandbox", "sandbox"), ("PRODUCTION", "production"), ({"type": "SandBox"}, "sandbox")]:
            self.assertEqual(self.call("request.js", "readSetup", 1, "k", given, self.HERE)["serverType"], read)
        self.assertEqual(said, [("warning", "TPDirect: setupSDK.serverType is read in small letters; write it so.")] * 3)

    def test_the_host_may_be_named(self):
        for named, host in [
            ("https://other.example/path?x=1", "https://other.example"), ("http://localhost:8080", "http://localhost:8080"),
            ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"), ("http://[::1]:1", "http://[::1]:1"),
        ]:
            with self.subTest(named):
                setup = self.call("request.js", "readSetup", 1, "k", {"type": "sandbox", "host": named}, self.HERE)
                self.assertEqual(setup["host"], host)
        setup = self.call("request.js", "readSetup", 1, "k", {"type": "production"}, self.HERE)
        self.assertEqual((setup["host"], setup["serverType"]), ("https://pay.example", "production"))

    def test_refuses_wrong_apps(self):
        cases = [
            ((0, "k", "sandbox"), "field_malformed", "setupSDK.appID"),
            ((-1, "k", "sandbox"), "field_malformed", "setupSDK.appID"),
            ((1.5, "k", "sandbox"), "field_malformed", "setupSDK.appID"),
            (("1x", "k", "sandbox"), "field_malformed", "setupSDK.appID"),
            ((None, "k", "sandbox"), "field_malformed", "setupSDK.appID"),
            ((1, "", "sandbox"), "field_malformed", "setupSDK.appKey"),
            ((1, None, "sandbox"), "field_malformed", "setupSDK.appKey"),
            ((1, "k", "Staging"), "value_unsupported", "setupSDK.serverType"),
            ((1, "k", 1), "value_unsupported", "setupSDK.serverType"),
            ((1, "k", None), "value_unsupported", "setupSDK.serverType"),
            ((1, "k", {"host": "https://pay.example"}), "value_unsupported", "setupSDK.serverType"),
            ((1, "k", {"type": "sandbox", "host": "pay"}), "field_malformed", "setupSDK.serverType.host"),
            ((1, "k", {"type": "sandbox", "host": "http://pay.example"}), "value_unsupported", "setupSDK.serverType.host"),
            ((1, "k", {"type": "sandbox", "host": "data:x"}), "value_unsupported", "setupSDK.serverType.host"),
        ]
        for arguments, code, field in cases:
            with self.subTest(arguments=arguments):
                self.assert_refused(self.call("request.js", "readSetup", *arguments, self.HERE), code, field)

    def test_apple_pay_settings(self):
        self.assertEqual(
            self.call("request.js", "readMerchant", {"merchantIdentifier": "merchant.tech.cherri"}),
            {"merchantIdentifier": "merchant.tech.cherri", "countryCode": "TW"})
        self.assertEqual(
            self.call("request.js", "readMerchant", {"merchantIdentifier": "m", "countryCode": "HK"})["countryCode"], "HK")
        for raw, code, field in [
            ({}, "field_missing", "setupApplePay.merchantIdentifier"),
            ({"merchantIdentifier": ""}, "field_malformed", "setupApplePay.merchantIdentifier"),
            ({"merchantIdentifier": "m", "countryCode": "TWN"}, "field_malformed", "setupApplePay.countryCode"),
            ({"merchantIdentifier": "m", "countryCode": "tw"}, "field_malformed", "setupApplePay.countryCode"),
            ({"merchantIdentifier": "m", "countryCode": "UK"}, "field_malformed", "setupApplePay.countryCode"),
            ("m", "field_malformed", "setupApplePay"),
        ]:
            with self.subTest(raw=raw):
                self.assert_refused(self.call("request.js", "readMerchant", raw), code, field)


class ContactTest(ModuleTestCase):
    def test_addresses_of_apples_contacts(self):
        self.assertEqual(self.call("contacts.js", "addressOfContact", CONTACT), ADDRESS)
        self.assertEqual(
            self.call("contacts.js", "payerOfContact", CONTACT),
            {"name": "王小明", "phone": "+886 900 000 000", "email": "ming@example.com"})

    def test_names_in_the_order_of_their_script(self):
        for given, family, name in [
            ("小明", "王", "王小明"), ("さくら", "山田", "山田さくら"), ("민준", "김", "김민준"), ("Ming", "Wang", "Ming Wang"),
            ("Ming", "王", "Ming 王"), ("Ming", "", "Ming"), (None, "Wang", "Wang"), (None, None, ""),
        ]:
            with self.subTest(name):
                self.assertEqual(
                    self.call("contacts.js", "payerOfContact", {"givenName": given, "familyName": family})["name"], name)

    def test_every_field_is_there_when_the_wallet_gave_nothing(self):
        empty = {**dict.fromkeys(ADDRESS, ""), "addressLine": []}
        self.assertEqual(self.call("contacts.js", "addressOfContact"), empty)
        self.assertEqual(self.call("contacts.js", "addressOfPaymentAddress", None), empty)
        self.assertEqual(self.call("contacts.js", "payerOfContact"), {"name": "", "phone": "", "email": ""})

    def test_addresses_of_the_payment_request_api(self):
        self.assertEqual(self.call("contacts.js", "addressOfPaymentAddress", ADDRESS), ADDRESS)
        full = {**ADDRESS, "sortingCode": "S", "languageCode": "zh", "organization": "O"}
        self.assertEqual(self.call("contacts.js", "addressOfPaymentAddress", {**full, "more": 1}), full)


class CodesTest(ModuleTestCase):
    def test_every_code_of_the_table_has_its_message(self):
        rows = [line.split("\t") for line in (FIXTURES / "web-codes.tsv").read_text(encoding="utf-8").splitlines()]
        expected = [[int(status), message] for status, message in rows]
        self.assertEqual(len(expected), 80)
        table = self.tab.evaluate(
            "import('/sdk/tpdirect/modules/codes.js').then((m) => [...m.codes].map(([status, each]) => [status, each.message]))")
        self.assertEqual(table, expected)

    def test_every_code_says_who_raises_it(self):
        by = self.tab.evaluate(
            "import('/sdk/tpdirect/modules/codes.js').then((m) => [...m.codes].map(([status, each]) => [status, each.raisedBy]))")
        self.assertEqual(sorted(status for status, who in by if who == "sdk"), [-6, -5, -3, -1, 0, 401, 402, 403, 404, 421])
        self.assertEqual(sorted(status for status, who in by if who == "none"), [-7, 2000, 2001, 2012, 2200])
        self.assertEqual({who for _, who in by}, {"sdk", "gateway", "none"})
        # 88001 and on are the iOS SDK's.
        self.assertEqual([status for status, _ in by if status >= 88000], [])
        named = self.tab.evaluate("import('/sdk/tpdirect/modules/codes.js').then((m) => Object.values(m.Status))")
        self.assertEqual(sorted(named), sorted(status for status, who in by if who == "sdk"))

    def test_details_in_messages(self):
        for status, detail, message in [
            (0, "", "Success"),
            (401, "", "Request Cancel, please see the defail of msg"),
            (401, "why", "Request Cancel: why"),
            (402, "why", "Can not obtain payment data: why"),
            (403, "why $&", "[Apple Pay] Get Session error: why $&"),
            (404, "", "[Payment Request API] Unexcept Error, for detail please see originalError"),
            (-6, "why", "[Apple Pay] failed to get prime: why"),
            (99999, "", ""),
            (99999, "why", "why"),
        ]:
            with self.subTest(status=status, detail=detail):
                self.assertEqual(self.call("codes.js", "messageOf", status, detail), message)


class ResultTest(ModuleTestCase):
    def answer(self, **reply):
        return {"status": 0, "msg": "Success", "reply": {"prime": "test_x", **reply}}

    def test_fields_that_the_gateway_left_out(self):
        result = self.call("result.js", "successResult", self.answer(), {"total_amount": "1"})
        self.assertEqual(result["card_info"], {
            "bincode": "", "lastfour": "", "issuer": "", "issuer_zh_tw": "", "bank_id": "", "level": "", "country": "",
            "countrycode": "", "funding": -1, "type": -1})
        self.assertEqual((result["client_ip"], result["prime_expiry_millis"], result["methodName"]), ("", 0, "apple_pay"))
        self.assertNotIn("merchant_reference_info", result)

    def test_the_card_is_the_one_that_the_sheet_shows(self):
        for displayed, lastfour in [
            ("Visa 1881", "1881"), ("MasterCard ••1881 ", "1881"),
            ("Visa 1881 0004", "0004"), ("Visa", ""), ("", ""), (None, ""), (1881, ""),
        ]:
            with self.subTest(displayed=displayed):
                self.assertEqual(self.call("result.js", "cardOf", {"displayName": displayed})["lastfour"], lastfour)
        for network, kind in [
            ("Visa", 1), ("MasterCard", 2), ("masterCard", 2), ("JCB", 3), ("ChinaUnionPay", 4), ("AmEx", 5), ("Discover", -1),
            ("", -1), (None, -1), ("constructor", -1),
        ]:
            with self.subTest(network=network):
                self.assertEqual(self.call("result.js", "cardOf", {"network": network})["type"], kind)
        for kind, funding in [("credit", 0), ("debit", 1), ("prepaid", 2), ("store", -1), (None, -1)]:
            with self.subTest(kind=kind):
                self.assertEqual(self.call("result.js", "cardOf", {"type": kind})["funding"], funding)
        for method in [None, {}]:
            self.assertEqual(self.call("result.js", "cardOf", method), {"lastfour": "", "funding": -1, "type": -1})

    def test_card_types_and_fundings_pass_through(self):
        for funding in [-1, 0, 1, 2]:
            for kind in [-1, 1, 2, 3, 4, 5]:
                info = {**CARD_INFO, "funding": funding, "type": kind}
                result = self.call("result.js", "successResult", self.answer(card_info=info), {})
                self.assertEqual(result["card_info"], info)

    def test_affiliate_codes(self):
        result = self.call(
            "result.js", "successResult", self.answer(merchant_reference_info={"affiliate_codes": ["GOLD1", "X2"], "more": 1}), {})
        self.assertEqual(result["merchant_reference_info"], {"affiliate_codes": ["GOLD1", "X2"]})

    def test_request_ids_differ(self):
        ids = {self.call("result.js", "newRequestId") for _ in range(20)}
        self.assertEqual(len(ids), 20)
        self.assertTrue(all(len(each) == 32 for each in ids))


if __name__ == "__main__":
    unittest.main()
