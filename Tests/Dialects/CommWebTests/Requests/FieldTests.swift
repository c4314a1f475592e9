//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HTTPTypes
import Money
import Payments
import StrictJSON
import TestGateway
import Testing
import WalletSimulator

@testable import CommWeb

@Suite struct FieldTests {
    struct Case: Sendable, CustomStringConvertible {
        let path: String
        let value: JSON?
        let summary: String

        init(_ path: String, _ value: JSON?, _ summary: String) {
            self.path = path
            self.value = value
            self.summary = summary
        }

        var description: String { "\(self.path) \(self.value?.text().prefix(40) ?? "-")" }
    }

    private static func invalid(_ path: String, _ value: JSON) -> Case {
        Case(path, value, "INVALID_REQUEST FIELD_INVALID \(path) INVALID")
    }

    private static func unsupported(_ path: String, _ value: JSON) -> Case {
        Case(path, value, "INVALID_REQUEST FIELD_NOT_SUPPORTED \(path) UNSUPPORTED")
    }

    private static func missing(_ path: String) -> Case {
        Case(path, nil, "INVALID_REQUEST FIELD_MISSING \(path) MISSING")
    }

    private static func long(_ count: Int) -> JSON { .string(String(repeating: "a", count: count)) }

    static let orderCases: [Case] = [
        Self.missing("apiOperation"), Self.missing("order.amount"), Self.missing("order.currency"),
        Self.missing("order.walletProvider"), Self.invalid("order.amount", "61,00"),
        Self.invalid("order.amount", "-61.00"), Self.invalid("order.amount", "+61.00"),
        Self.invalid("order.amount", "6.1e1"), Self.invalid("order.amount", .number("6.1e1")),
        Self.invalid("order.amount", "61.001"), Self.invalid("order.amount", "61."),
        Self.invalid("order.amount", ".5"), Self.invalid("order.amount", "123456789012.00"),
        Self.invalid("order.amount", true), Self.invalid("order.amount", ["61.00"]),
        Case("order.amount", "0.00", "INVALID_REQUEST AMOUNT_INVALID order.amount INVALID"),
        Case("order.amount", "61.01", "INVALID_REQUEST TOKEN_AMOUNT_DIFFERS order.amount INVALID"),
        Case("order.currency", "AUD", "INVALID_REQUEST TOKEN_CURRENCY_DIFFERS order.currency INVALID"),
        Self.invalid("order.currency", "usd"), Self.invalid("order.currency", "XYZ"),
        Self.invalid("order.currency", 840), Self.unsupported("order.walletProvider", "GOOGLE_PAY"),
        Self.invalid("order.walletProvider", "apple_pay"), Self.invalid("order.certainty", "MAYBE"),
        Self.invalid("order.acceptPartialAmount", "yes"), Self.invalid("order.reference", Self.long(41)),
        Self.invalid("agreement.id", Self.long(101)), Self.invalid("agreement.type", "WEEKLY"),
        Self.invalid("order.description", Self.long(128)), Self.invalid("order.notificationUrl", "shop.example"),
        Self.invalid("order.notificationUrl", "http://shop.example/"),
        Self.invalid("order.notificationUrl", "https://user@shop.example/"), Self.invalid("order.id", "other"),
        Self.invalid("correlationId", Self.long(101)),
    ]

    static let otherCases: [Case] = [
        Self.unsupported("transaction.source", "CARD_PRESENT"), Self.invalid("transaction.source", "internet"),
        Self.invalid("transaction.reference", "a\u{7}b"), Self.invalid("transaction.reference", Self.long(41)),
        Self.invalid("device.fingerprint", Self.long(4001)), Self.invalid("transaction.id", "other"),
        Self.invalid("posTerminal.location", "HERE"), Self.invalid("device.ani", "12345678901"),
        Self.invalid("device.browser", Self.long(2049)), Self.invalid("device.hostname", Self.long(61)),
        Self.invalid("device.mobilePhoneModel", Self.long(256)), Self.invalid("device.ipAddress", "1.2.3"),
        Self.invalid("device.ipAddress", "1.2.3.256"), Self.invalid("device.ipAddress", "-0.1.2.3"),
        Self.invalid("device.ipAddress", "nowhere:"), Self.invalid("device.ipAddress", ":::"),
        Self.unsupported("sourceOfFunds.type", "PAYPAL"), Self.invalid("sourceOfFunds.type", "CASH"),
        Self.invalid("billing.address.country", "AU"), Self.invalid("billing.address.postcodeZip", Self.long(11)),
        Self.unsupported(Body.card + "devicePayment.cryptogramFormat", "EMV"),
        Self.invalid(Body.card + "devicePayment.cryptogramFormat", "3DS"),
        Self.invalid("order.reference", ["x": 1]), Self.invalid("transaction.source", ["x": ["y": true]]),
        Self.invalid("order.acceptPartialAmount", ["x": 1]), Self.invalid("device.browser", ["x": 1]),
        Self.invalid("posTerminal", "1"), Self.invalid("device", ["x"]), Self.invalid("session", "SESSION0"),
        Self.invalid("responseControls", "UNMASK"), Self.invalid("billing.address", 1),
        Case("apiOperation", "PAYY", "INVALID_REQUEST OPERATION_INVALID apiOperation INVALID"),
        Case("apiOperation", "5123450000000008", "INVALID_REQUEST OPERATION_INVALID apiOperation INVALID"),
        Case("apiOperation", "DISBURSEMENT", "INVALID_REQUEST OPERATION_INVALID apiOperation UNSUPPORTED"),
        Case("apiOperation", "RETRIEVE_ORDER", "INVALID_REQUEST OPERATION_INVALID apiOperation INVALID"),
    ]

    @Test(arguments: Self.orderCases + Self.otherCases)
    func refuses(_ one: Case) async throws {
        let shop = try await CommWebShop.open()
        let reply = try await shop.pay("AUTHORIZE", "o1") { $0[one.path] = one.value }
        #expect(reply.summary == one.summary && reply.status == 400)
        #expect(reply["error.explanation"]?.hasSuffix(".") == true && reply["result"] == "ERROR")
        #expect(reply["error.explanation"]?.contains("5123450000000008") == false)
        #expect(try await shop.test.payments().isEmpty)
    }

    /// One long name over many members is no field, and takes no memory for each of them.
    @Test func leavesOutPathsThatNoFieldHas() throws {
        let long = String(repeating: "n", count: 250)
        let json: JSON = [long: ["b": 1, "abcdef": 2, "c": ["defg": 3]], "d": 4]
        let fields = RequestFields(flattening: try #require(json.object))
        #expect(fields.paths == ["d", long + ".b"])
    }

    static let cardCases: [Case] = [
        Self.missing(Body.card + "number"), Self.missing(Body.card + "expiry.month"),
        Self.missing(Body.card + "expiry.year"), Self.missing(Body.cryptogram),
        Self.missing("order.walletProvider"), Self.invalid(Body.card + "number", "5123 4500 0000 0008"),
        Self.invalid(Body.card + "number", "51234500"), Self.invalid(Body.card + "number", "512345000000X008"),
        Self.invalid(Body.card + "expiry.month", "13"), Self.invalid(Body.card + "expiry.month", "0"),
        Self.invalid(Body.card + "expiry.year", "2039"), Self.invalid(Body.cryptogram, "not base64!"),
        Self.invalid(Body.card + "devicePayment.eciIndicator", "123"),
        Self.invalid(Body.card + "nameOnCard", Self.long(257)), Self.invalid(Body.card + "securityCode", "12"),
    ]

    @Test(arguments: Self.cardCases)
    func refusesOfADecryptedToken(_ one: Case) async throws {
        let shop = try await CommWebShop.open()
        var body = PaymentTests.decrypted()
        body[one.path] = one.value
        let reply = try await shop.put("o1", "1", body.json)
        #expect(reply.summary == one.summary && reply.status == 400)
        #expect(!reply.text.contains("512345"))
    }

    // MARK: - The token

    @Test func saysWhatIsMissingWithoutAnythingToPayWith() async throws {
        let shop = try await CommWebShop.open()
        let reply = try await shop.pay("AUTHORIZE", "o1") { $0[Body.token] = nil }
        #expect(reply.summary == "INVALID_REQUEST FIELD_MISSING \(Body.token) MISSING")
        let card = try await shop.pay("AUTHORIZE", "o1") {
            $0[Body.token] = nil
            $0["order.walletProvider"] = nil
        }
        #expect(card.summary == "INVALID_REQUEST FIELD_MISSING \(Body.card)number MISSING")
    }

    @Test func takesATokenHoweverItsTextIsWritten() async throws {
        let shop = try await CommWebShop.open()
        let pretty = try shop.token("61.00").paymentData.text(pretty: true)
        let carriage = pretty.replacing("\n", with: "\r\n\t")
        #expect(try await shop.pay("PAY", "o1") { $0[Body.token] = .string(carriage) }.summary == "SUCCESS APPROVED")
        // Encoded twice, as a client that escapes what is a text already.
        let twice = JSON.string(try shop.token("61.00").paymentData.text()).text()
        #expect(try await shop.pay("PAY", "o2") { $0[Body.token] = .string(twice) }.summary == "SUCCESS APPROVED")
        // With the slashes escaped on the wire, as the Swift SDK writes them.
        let body = try shop.body("PAY").json.text().replacing("/", with: "\\/")
        let path = shop.merchantPath("order/o3/transaction/1")
        #expect(try await shop.send(.put, path, Array(body.utf8)).summary == "SUCCESS APPROVED")
    }

    @Test func refusesATokenThatIsNoText() async throws {
        let shop = try await CommWebShop.open()
        let token = try shop.token("61.00").paymentData
        let object = try await shop.pay("PAY", "o1") { $0[Body.token] = token }
        #expect(object.summary == "INVALID_REQUEST FIELD_INVALID \(Body.token) INVALID")
        #expect(object["error.explanation"]?.contains("string") == true)
        for text in ["{", "[]", "{}", "null", "\"\"", "{\"version\":\"EC_v1\"}"] {
            let reply = try await shop.pay("PAY", "o1") { $0[Body.token] = .string(text) }
            #expect(reply.summary == "INVALID_REQUEST TOKEN_MALFORMED \(Body.token) INVALID", "\(text)")
        }
        let long = String(repeating: "a", count: 16_385)
        #expect(
            try await shop.pay("PAY", "o1") { $0[Body.token] = .string(long) }.summary
                == "INVALID_REQUEST FIELD_INVALID \(Body.token) INVALID")
    }

    @Test func refusesATokenTogetherWithWhatItHolds() async throws {
        let shop = try await CommWebShop.open()
        let reply = try await shop.pay("PAY", "o1") { $0[Body.card + "number"] = "5123450000000008" }
        #expect(reply.summary == "INVALID_REQUEST FIELD_INVALID \(Body.token) INVALID")
    }

    @Test func reportsTheStagesOfAToken() async throws {
        let shop = try await CommWebShop.open()
        let forgeries: [(MintOptions, String)] = [
            (.forged(.foreignRoot), "TOKEN_NOT_GENUINE"), (.forged(.signatureBitFlipped), "TOKEN_NOT_GENUINE"),
            (.forged(.authenticationTagCorrupt), "TOKEN_NOT_READABLE"),
            (.forged(.publicKeyHashUnknown), "TOKEN_NOT_READABLE"),
        ]
        for (options, code) in forgeries {
            let reply = try await shop.put("o1", "1", shop.body("PAY", options: options).json)
            #expect(reply.summary == "INVALID_REQUEST \(code) \(Body.token) INVALID")
        }
        let body = try shop.body("PAY")
        #expect(try await shop.put("o1", "1", body.json).summary == "SUCCESS APPROVED")
        let replayed = try await shop.put("o2", "1", body.json)
        #expect(replayed.summary == "INVALID_REQUEST TOKEN_USED sourceOfFunds.provided.card INVALID")
    }

    @Test func reportsAMerchantWithoutACertificate() async throws {
        let shop = try await CommWebShop.open()
        var body = try shop.body("PAY")
        let bare = try await CommWebShop.open(certified: false)
        #expect(
            try await bare.put("o1", "1", body.json).summary == "INVALID_REQUEST MERCHANT_NOT_READY merchant INVALID")
        body["order.currency"] = "AUD"
        #expect(try await bare.put("o1", "1", body.json).summary.contains("MERCHANT_NOT_READY"))
    }

    // MARK: - What is taken

    /// The longest that the vendor takes, and every place of a terminal that it knows.
    @Test(arguments: [
        "MERCHANT_TERMINAL_OFF_PREMISES", "MERCHANT_TERMINAL_ON_PREMISES", "NO_TERMINAL_VOICE_OR_AUDIO_RESPONSE",
        "PAYER_TERMINAL_OFF_PREMISES", "PAYER_TERMINAL_ON_PREMISES",
    ])
    func takesTheLongestTextsAndEveryLocation(location: String) async throws {
        let shop = try await CommWebShop.open()
        let reply = try await shop.pay("PAY", "o1") {
            $0["order.reference"] = Self.long(40)
            $0["transaction.reference"] = Self.long(40)
            $0["device.fingerprint"] = Self.long(4000)
            $0["posTerminal.location"] = .string(location)
        }
        #expect(reply.summary == "SUCCESS APPROVED" && reply["posTerminal.location"] == location)
        // It says "off premises", of a terminal of the payer's own.
        let posData = location == "PAYER_TERMINAL_OFF_PREMISES" ? "1025104006600" : nil
        #expect(reply["authorizationResponse.posData"] == posData)
        #expect(reply["order.reference"]?.count == 40 && reply["transaction.reference"]?.count == 40)
        #expect(reply["device.fingerprint"]?.count == 4000)
        for path in ["order.reference", "transaction.reference"] {
            var refund = Body(["apiOperation": "REFUND", "transaction.amount": "1.00", "transaction.currency": "USD"])
            refund[path] = Self.long(41)
            #expect(
                try await shop.put("o1", "2", refund.json).summary == "INVALID_REQUEST FIELD_INVALID \(path) INVALID")
        }
    }

    private static let writtenByPeople = [
        "order.description", "order.statementDescriptor.name", "customer.firstName", "customer.lastName",
        "customer.phone", "customer.mobilePhone", "billing.address.street", "billing.address.street2",
        "billing.address.company", "billing.address.city", "billing.address.stateProvince",
        "billing.address.postcodeZip", "shipping.address.street", "shipping.contact.firstName",
        "shipping.contact.lastName", "shipping.contact.phone", Body.card + "nameOnCard", "device.browser",
        "device.mobilePhoneModel",
    ]

    /// A form's text comes with its line breaks; what is called or found by its name has none.
    @Test func takesTextsAsPeopleWriteThem() async throws {
        let shop = try await CommWebShop.open()
        let written = "1\r\n\tB\n2"
        let reply = try await shop.pay("PAY", "o1") { body in
            for path in Self.writtenByPeople { body[path] = .string(written) }
        }
        #expect(reply.summary == "SUCCESS APPROVED", "\(reply)")
        for path in ["order.description", Body.card + "nameOnCard", "device.browser"] {
            #expect(reply[path] == written, "\(path)")
        }
        #expect(try await shop.get("order/o1/transaction/1")["order.description"] == written)
        for path in Self.writtenByPeople {
            let refused = try await shop.pay("PAY", "o2") { $0[path] = "a\u{7}b" }
            #expect(refused.summary == "INVALID_REQUEST FIELD_INVALID \(path) INVALID")
        }
        for path in ["order.reference", "transaction.reference", "agreement.id", "customer.email", "device.hostname"] {
            let refused = try await shop.pay("PAY", "o2") { $0[path] = "a\nb" }
            #expect(refused.summary == "INVALID_REQUEST FIELD_INVALID \(path) INVALID")
        }
    }

    @Test func saysWhatAnAmountThatIsNeitherMustBe() throws {
        let dollar = try #require(Currency.alphabetic("USD"))
        func explanation(_ value: JSON) -> String? {
            let fields = RequestFields(leaves: ["transaction.amount": value])
            do throws(CommWebError) {
                _ = try fields.amount("transaction.amount", in: dollar)
                return nil
            } catch {
                return error.explanation
            }
        }
        #expect(explanation("61.00") == nil && explanation(.number("61")) == nil)
        #expect(explanation(true)?.contains("must be a number, or a string with one") == true)
        #expect(explanation("123456789012.00")?.contains("at most 14 characters") == true)
    }

    /// The wire has three letters for a country, acquirers are sent two. What ISO has not assigned is left out.
    @Test(arguments: [("AUS", "AU"), ("DEU", "DE"), ("XKX", nil), ("ZZZ", nil)] as [(JSON, String?)])
    func passesTheBillingAddressOn(_ country: JSON, _ code: String?) throws {
        let fields = RequestFields(leaves: [
            "billing.address.street": "1 Main St", "billing.address.city": "Sydney",
            "billing.address.stateProvince": "NSW", "billing.address.postcodeZip": "2000",
            "billing.address.country": country,
        ])
        let address = PostalAddress(
            lines: ["1 Main St"], city: "Sydney", mainDivision: "NSW", postalCode: "2000", countryCode: code)
        #expect(try fields.billing() == address)
    }

    @Test(arguments: [
        ("61.00", "61.00"), ("61.0", "61.00"), ("61", "61.00"), ("0061.00", "61.00"), ("61.000", "61.00"),
    ])
    func takesAmountsAsTextsAndAsNumbers(text: String, amount: String) async throws {
        let shop = try await CommWebShop.open()
        let reply = try await shop.pay("PAY", "o1") { $0["order.amount"] = .string(text) }
        #expect(reply["order.totalCapturedAmount"] == amount)
        guard !text.hasPrefix("0") else { return }
        let number = try await shop.pay("PAY", "o2") { $0["order.amount"] = .number(text) }
        #expect(number["order.totalCapturedAmount"] == amount)
    }

    @Test func takesDecimalsOfZeroForCurrenciesWithoutAny() async throws {
        let shop = try await CommWebShop.open()
        let reply = try await shop.pay("PAY", "o1", amount: "1000", currency: "JPY") { $0["order.amount"] = "1000.00" }
        #expect(reply["order.totalCapturedAmount"] == "1000")
        let refused = try await shop.pay("PAY", "o2", amount: "1000", currency: "JPY") {
            $0["order.amount"] = "1000.50"
        }
        #expect(refused.summary == "INVALID_REQUEST FIELD_INVALID order.amount INVALID")
    }

    /// The Java sample repeats the id of the URL; others send fields that nobody knows, `null` and empty texts.
    @Test func ignoresWhatIsRepeatedUnknownOrEmpty() async throws {
        let shop = try await CommWebShop.open()
        let reply = try await shop.pay("PAY", "o1") {
            $0["order.id"] = "o1"
            $0["transaction.id"] = "1"
            $0["partnerSolutionId"] = "SHOP_1"
            $0["customer.email"] = "payer@example.com"
            $0["order.item"] = [["name": "apples"]]
            $0["order.reference"] = ""
            $0["order.description"] = .null
            $0["sourceOfFunds.unknown"] = ["deep": ["deeper": 1]]
        }
        #expect(reply.summary == "SUCCESS APPROVED" && reply["order.reference"] == nil)
    }

    @Test func boundsTheIDs() async throws {
        let shop = try await CommWebShop.open()
        let forty = String(repeating: "a", count: 40)
        #expect(try await shop.pay("PAY", forty, forty).summary == "SUCCESS APPROVED")
        #expect(
            try await shop.pay("PAY", forty + "a").summary == "INVALID_REQUEST FIELD_INVALID order.id INVALID")
        #expect(
            try await shop.pay("PAY", "o", forty + "a").summary
                == "INVALID_REQUEST FIELD_INVALID transaction.id INVALID")
        for id in ["a%0Ab", "a%00", "%00"] {
            #expect(try await shop.pay("PAY", id).summary == "INVALID_REQUEST FIELD_INVALID order.id INVALID")
            #expect(
                try await shop.pay("PAY", "o", id).summary == "INVALID_REQUEST FIELD_INVALID transaction.id INVALID")
            #expect(try await shop.get("order/" + id).summary == "INVALID_REQUEST FIELD_INVALID order.id INVALID")
        }
    }
}
