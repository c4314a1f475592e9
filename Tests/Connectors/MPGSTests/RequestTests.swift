//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Money
import Payments
import Redaction
import StrictJSON
import TestUpstream
import Testing

@testable import MPGS

/// What is sent, word for word: Requests/*.json.
@Suite struct RequestTests {
    private static let golden = GoldenRequests(
        folder: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Requests"))

    private static let nothing: StubUpstream.Script = { _, _ in StubAnswer(status: 500, body: "") }

    /// What one operation sends, where nothing is answered that could be understood.
    private static func sent(
        settings: [String: String] = [:], acceptor: CardAcceptor = CardAcceptor(),
        script: @escaping StubUpstream.Script = Self.nothing, _ body: (any Acquirer) async throws -> Void
    ) async throws -> [StubRequest] {
        try await Bench.with(settings: settings, acceptor: acceptor, script: script) { acquirer, stub in
            try await body(acquirer)
            return stub.requests
        }
    }

    private static func compare(_ name: String, _ requests: [StubRequest]) throws {
        try Self.golden.compare(requests, with: name)
    }

    private static let networks: [CardNetwork] = [.visa, .mastercard, .amex, .jcb, .discover, .unionPay]
    private static let everything = ChargeDetails(
        orderReference: "ORDER-1234", description: "Two pairs of shoes", statementDescriptor: "SHOES ONLINE",
        certainty: .estimated,
        customer: Customer(
            id: "customer-7", firstName: "Zoë", lastName: "Smith", email: "zoe@shop.example", phone: "+61 2 9876 5432",
            ipAddress: "203.0.113.7", userAgent: "Mozilla/5.0 (iPhone)"),
        cardholderName: "Z SMITH",
        billing: PostalAddress(
            company: "Smith Pty", lines: ["1 Main St", "Level 2", "Suite 3"], city: "Sydney", mainDivision: "NSW",
            postalCode: "2000", countryCode: "AU"),
        shipping: PostalAddress(
            firstName: "Bo", lastName: "Jones", company: "Jones Pty", email: "bo@shop.example",
            phone: "+61 8 9876 5432", lines: ["2 High St"], city: "Perth", mainDivision: "WA", postalCode: "6000",
            countryCode: "AUS"),
        terminal: .payerOnPremises, device: PayerDevice(callerNumber: "298765432", phoneModel: "iPhone17,1"))
    private static let acceptor = CardAcceptor(
        merchantNumber: "12345678", terminal: "0001", categoryCode: "5661", descriptor: "THE SHOP", institution: "1")

    private static let names: Set = [
        "authorize-amount-jpy", "authorize-amount-kwd", "authorize-amex", "authorize-details", "authorize-discover",
        "authorize-first", "authorize-installment", "authorize-jcb", "authorize-mail", "authorize-mastercard",
        "authorize-partial", "authorize-sealed", "authorize-typed",
        "authorize-unionPay", "authorize-visa", "adjust", "capture", "capture-final", "pay-mastercard", "pay-visa",
        "query", "query-capture", "refund", "refund-of-capture", "refund-of-sale", "refund-of-sale-of-two",
        "reverse-adjustment", "sale-of-two", "sale-of-two-taken-back", "verify-visa", "void-authorization",
        "void-final-capture", "void-sale-of-two",
    ]

    @Test func everyFileIsATests() { #expect(Self.golden.names == Self.names) }

    @Test(arguments: networks) func authorize(_ network: CardNetwork) async throws {
        let amount = try Bench.money(3010)
        let requests = try await Self.sent { acquirer in
            _ = await acquirer.perform(Bench.request(.authorize(Bench.charge(network)), amount))
        }
        try Self.compare("authorize-\(network.rawValue)", requests)
    }

    @Test(arguments: [CardNetwork.visa, .mastercard]) func pay(_ network: CardNetwork) async throws {
        let amount = try Bench.money(3010)
        let requests = try await Self.sent { acquirer in
            _ = await acquirer.perform(Bench.request(.authorize(Bench.charge(network, captures: true)), amount))
        }
        try Self.compare("pay-\(network.rawValue)", requests)
    }

    @Test func verify() async throws {
        let amount = try Bench.money(0)
        let requests = try await Self.sent { acquirer in
            _ = await acquirer.perform(Bench.request(.verify(Bench.charge()), amount))
        }
        try Self.compare("verify-visa", requests)
    }

    @Test func details() async throws {
        let amount = try Bench.money(3010)
        let requests = try await Self.sent(acceptor: Self.acceptor) { acquirer in
            _ = await acquirer.perform(Bench.request(.authorize(Bench.charge(details: Self.everything)), amount))
        }
        try Self.compare("authorize-details", requests)
    }

    /// "Credential on File Transactions": who asks for it, under which agreement, and what is stored.
    @Test(
        arguments: [
            ("authorize-first", .customer(agreement: PaymentAgreement(kind: .recurring, id: "sub-1")), nil, true),
            ("authorize-installment", .merchant(PaymentAgreement(kind: .installment, id: "sub-1")), nil, true),
            ("authorize-mail", .customer(), .mailOrder, false),
        ] as [(String, PaymentInitiator, PaymentSource?, Bool)])
    func initiation(
        _ name: String, _ initiator: PaymentInitiator, _ source: PaymentSource?, _ isTyped: Bool
    ) async throws {
        let amount = try Bench.money(3010)
        var charge = Bench.charge()
        if isTyped {
            charge.instrument = .networkToken(
                NetworkToken(
                    pan: Redacted("4005519200000004"), expiryYearMonth: "3912",
                    proof: .securityCode(Redacted("123")), eci: nil))
        }
        charge.details = ChargeDetails(initiator: initiator, source: source)
        let asked = charge
        let requests = try await Self.sent { acquirer in
            _ = await acquirer.perform(Bench.request(.authorize(asked), amount))
        }
        try Self.compare(name, requests)
    }

    /// "Supported from API v74 onwards."
    @Test func olderVersionKnowsNoAgreements() async throws {
        let amount = try Bench.money(3010)
        var charge = Bench.charge()
        charge.details.initiator = .customer(agreement: PaymentAgreement(kind: .recurring, id: "sub-1"))
        let asked = charge
        let requests = try await Self.sent(settings: ["version": "73"]) { acquirer in
            #expect(!acquirer.capabilities.takesMerchantInitiated)
            _ = await acquirer.perform(Bench.request(.authorize(asked), amount))
        }
        #expect(requests.first?.text.contains("agreement") == false)
    }

    @Test func partialApproval() async throws {
        let amount = try Bench.money(3010)
        let requests = try await Self.sent { acquirer in
            _ = await acquirer.perform(Bench.request(.authorize(Bench.charge(acceptsPartialApproval: true)), amount))
        }
        try Self.compare("authorize-partial", requests)
    }

    @Test func sealedToken() async throws {
        let amount = try Bench.money(3010)
        let data = Array(#"{"data":"AAEC","header":{"transactionId":"aa"},"signature":"BAUG","version":"EC_v1"}"#.utf8)
        let charge = Charge(
            instrument: .sealedApplePayToken(SealedApplePayToken(paymentData: Redacted(data))), network: .visa)
        let requests = try await Self.sent(settings: ["form": "sealedApplePayToken"]) { acquirer in
            _ = await acquirer.perform(Bench.request(.authorize(charge), amount))
        }
        try Self.compare("authorize-sealed", requests)
    }

    @Test func typedCard() async throws {
        let amount = try Bench.money(3010)
        let token = NetworkToken(
            pan: Redacted("4005519200000004"), expiryYearMonth: "3912", proof: .securityCode(Redacted("123")), eci: nil)
        let requests = try await Self.sent { acquirer in
            _ = await acquirer.perform(
                Bench.request(.authorize(Charge(instrument: .networkToken(token), network: .visa)), amount))
        }
        try Self.compare("authorize-typed", requests)
    }

    @Test(arguments: [("JPY", 3010), ("KWD", 3010)] as [(String, Int64)])
    func amounts(_ code: String, _ minorUnits: Int64) async throws {
        let amount = try Bench.money(minorUnits, code)
        let requests = try await Self.sent { acquirer in
            _ = await acquirer.perform(Bench.request(.authorize(Bench.charge()), amount))
        }
        try Self.compare("authorize-amount-\(code.lowercased())", requests)
    }

    @Test func followUps() async throws {
        let amount = try Bench.money(1250)
        let total = try Bench.money(3010)
        let authorization = Bench.original(.authorization, total)
        let sale = Bench.original(.authorization, total, isSale: true)
        let capture = Bench.original(.capture, total, id: Bench.id(7))
        for (name, action) in [
            ("capture", .capture(of: authorization, isFinal: false)),
            ("refund", .refund(of: authorization, capture: nil)),
            ("refund-of-capture", .refund(of: authorization, capture: capture)),
            ("refund-of-sale", .refund(of: sale, capture: capture)), ("adjust", .adjust(authorization)),
            ("void-authorization", .void(authorization)),
        ] as [(String, AcquirerRequest.Action)] {
            let requests = try await Self.sent { acquirer in
                _ = await acquirer.perform(Bench.request(action, amount))
            }
            try Self.compare(name, requests)
        }
    }

    @Test func finalCaptureLowersTheAuthorization() async throws {
        let amount = try Bench.money(1000)
        let original = Bench.original(
            .authorization, try Bench.money(3010), captured: try Bench.money(500))
        let script: StubUpstream.Script = { request, _ in
            request.text.contains("CAPTURE")
                ? StubAnswer(status: 201, body: TestReply(type: "CAPTURE", amount: "10.00").text)
                : StubAnswer(status: 500, body: "")
        }
        let requests = try await Self.sent(script: script) { acquirer in
            let outcome = await acquirer.perform(Bench.request(.capture(of: original, isFinal: true), amount))
            // The capture stands, whatever becomes of the second call.
            #expect(outcome == .approved(AcquirerApproval(amount: amount, answer: TestReply.answer)))
        }
        try Self.compare("capture-final", requests)
    }

    @Test func voidOfFinalCaptureRaisesItAgain() async throws {
        let amount = try Bench.money(1000)
        let total = try Bench.money(3010)
        let capture = Bench.original(.capture, amount, id: Bench.id(7), authorized: total)
        let script: StubUpstream.Script = { request, _ in
            switch request.method {
            case "GET":
                StubAnswer(
                    status: 200,
                    body: TestReply(transaction: capture.id.text + "-rest", type: "AUTHORIZATION_UPDATE").text)
            default:
                StubAnswer(status: 201, body: TestReply(type: "VOID_CAPTURE", amount: "10.00").text)
            }
        }
        let requests = try await Self.sent(script: script) { acquirer in
            let outcome = await acquirer.perform(Bench.request(.void(capture), amount))
            #expect(outcome == .approved(AcquirerApproval(amount: amount, answer: TestReply.answer)))
        }
        try Self.compare("void-final-capture", requests)
    }

    @Test func salesOfTwoCalls() async throws {
        let amount = try Bench.money(3010)
        let sale = Bench.original(.authorization, amount, isSale: true)
        let types = ["CAPTURE": "CAPTURE", "VOID": "VOID_CAPTURE", "AUTHORIZE": "AUTHORIZATION"]
        for (name, action, failing) in [
            ("sale-of-two", .authorize(Bench.charge(captures: true)), "REFUND"),
            ("sale-of-two-taken-back", .authorize(Bench.charge(captures: true)), "CAPTURE"),
            ("void-sale-of-two", .void(sale), "REFUND"),
            ("refund-of-sale-of-two", .refund(of: sale, capture: nil), "REFUND"),
        ] as [(String, AcquirerRequest.Action, String)] {
            let script: StubUpstream.Script = { request, _ in
                guard request.apiOperation != failing, let type = types[request.apiOperation] else {
                    return StubAnswer(status: 429, body: "")
                }
                return StubAnswer(
                    status: 201, body: TestReply(transaction: request.transaction, type: type).text)
            }
            let requests = try await Self.sent(settings: ["pay": "false"], script: script) { acquirer in
                _ = await acquirer.perform(Bench.request(action, amount))
            }
            try Self.compare(name, requests)
        }
    }

    @Test func reversedAdjustmentSetsTheTotalBeforeIt() async throws {
        let raised = try Bench.money(4000)
        let before = try Bench.money(3010)
        let adjustment = Bench.original(.adjustment, raised, id: Bench.id(7), authorized: before)
        let script: StubUpstream.Script = { request, _ in
            request.method == "GET"
                ? StubAnswer(
                    status: 200,
                    body: TestReply(
                        transaction: adjustment.id.text,
                        type: "AUTHORIZATION_UPDATE", amount: "40.00"
                    ).text)
                : StubAnswer(status: 201, body: TestReply(type: "AUTHORIZATION_UPDATE").text)
        }
        let requests = try await Self.sent(script: script) { acquirer in
            let outcome = await acquirer.perform(Bench.request(.reverse(adjustment), raised))
            #expect(outcome == .approved(AcquirerApproval(amount: raised, answer: TestReply.answer)))
        }
        try Self.compare("reverse-adjustment", requests)
    }

    @Test func queries() async throws {
        let amount = try Bench.money(3010)
        let requests = try await Self.sent { acquirer in
            _ = await acquirer.query(Bench.query(Bench.original(.authorization, amount)))
        }
        try Self.compare("query", requests)
        let capture = Bench.original(.capture, amount)
        let script: StubUpstream.Script = { _, _ in
            StubAnswer(status: 200, body: TestReply(transaction: capture.id.text, type: "CAPTURE").text)
        }
        let ofCapture = try await Self.sent(script: script) { acquirer in
            _ = await acquirer.query(Bench.query(capture))
        }
        try Self.compare("query-capture", ofCapture)
    }

    // MARK: - What is not sent

    @Test(
        arguments: [("CLF", 10_000), ("UYW", 1), ("USD", 1_000_000_000_000_00), ("JPY", 1_000_000_000_000_000)]
            as [(String, Int64)])
    func amountsBeyondTheFieldAreNotSent(_ code: String, _ minorUnits: Int64) async throws {
        let amount = try Bench.money(minorUnits, code)
        let requests = try await Self.sent { acquirer in
            let outcome = await acquirer.perform(Bench.request(.authorize(Bench.charge()), amount))
            #expect(outcome == .notProcessed(NotProcessed(.requestRefused, "amount_not_taken")))
        }
        #expect(requests.isEmpty)
    }

    @Test func openedEMVDataAreNotSent() async throws {
        let amount = try Bench.money(3010)
        let token = NetworkToken(
            pan: Redacted("4005519200000004"), expiryYearMonth: "3912",
            proof: .emv(data: Redacted([1, 2]), encryptedPIN: nil), eci: nil)
        let requests = try await Self.sent { acquirer in
            #expect(!acquirer.capabilities.takes(token))
            let outcome = await acquirer.perform(
                Bench.request(.authorize(Charge(instrument: .networkToken(token), network: .visa)), amount))
            #expect(outcome == .notProcessed(NotProcessed(.requestRefused, "instrument_not_taken")))
        }
        #expect(requests.isEmpty)
    }

    @Test func detailsThatCannotBeValidAreLeftOut() async throws {
        let amount = try Bench.money(3010)
        let details = ChargeDetails(
            orderReference: String(repeating: "r", count: 60), description: String(repeating: "d", count: 200),
            statementDescriptor: "\u{0}",
            customer: Customer(firstName: " ", email: "nobody", phone: "0298765432", ipAddress: "here", userAgent: ""),
            billing: PostalAddress(lines: ["1 Main St"], postalCode: "2000/1", countryCode: "Australia"))
        let requests = try await Self.sent(acceptor: CardAcceptor(categoryCode: "56", descriptor: nil)) { acquirer in
            _ = await acquirer.perform(Bench.request(.authorize(Bench.charge(details: details)), amount))
        }
        let json = try JSON.parse(try #require(requests.first).body)
        #expect(json["order"]?["reference"]?.string?.count == 40)
        #expect(json["order"]?["description"]?.string?.count == 127)
        #expect(json["order"]?["statementDescriptor"] == nil)
        #expect(json["order"]?["merchantCategoryCode"] == nil)
        #expect(json["customer"] == nil && json["device"] == nil)
        #expect(json["billing"]?.text() == #"{"address":{"street":"1 Main St"}}"#)
    }

    /// A field that a payment can do without fails no payment.
    @Test(arguments: ["INVALID_REQUEST", "CONSTRAINT_VIOLATION"])
    func isSentOnceMoreWithoutTheDetailsThatAreRefused(_ cause: String) async throws {
        let amount = try Bench.money(3010)
        let script: StubUpstream.Script = { _, number in
            number == 1
                ? StubAnswer(
                    status: 400,
                    body: TestReply.error(
                        cause, field: "order.statementDescriptor", validation: "UNSUPPORTED"))
                : StubAnswer(status: 201, body: TestReply().text)
        }
        let requests = try await Self.sent(script: script) { acquirer in
            let outcome = await acquirer.perform(
                Bench.request(.authorize(Bench.charge(details: Self.everything)), amount))
            #expect(outcome == .approved(AcquirerApproval(amount: amount, answer: TestReply.answer)))
        }
        #expect(requests.count == 2)
        #expect(requests[0].path == requests[1].path)
        #expect(requests[0].text.contains("SHOES ONLINE"))
        #expect(!requests[1].text.contains("SHOES ONLINE") && !requests[1].text.contains("customer"))
    }

    @Test(arguments: ["order.amount", "sourceOfFunds.provided.card.number", "order.currency"])
    func isNotSentAgainForAFieldThatItNeeds(_ field: String) async throws {
        let amount = try Bench.money(3010)
        let script: StubUpstream.Script = { _, _ in
            StubAnswer(status: 400, body: TestReply.error("INVALID_REQUEST", field: field, validation: "INVALID"))
        }
        let requests = try await Self.sent(script: script) { acquirer in
            let outcome = await acquirer.perform(
                Bench.request(.authorize(Bench.charge(details: Self.everything)), amount))
            #expect(outcome == .notProcessed(NotProcessed(.requestRefused, "invalid_request")))
        }
        #expect(requests.count == 1)
    }
}
