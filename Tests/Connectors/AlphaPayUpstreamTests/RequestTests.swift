//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Money
import Payments
import Redaction
import TestUpstream
import Testing

/// What is sent, word for word: Requests/*.json. The clock stands still and nonces are alike; the signature is looked at
/// here, since it is of a key that is made for every run.
@Suite struct RequestTests {
    private static let golden = GoldenRequests(
        folder: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Requests"),
        masked: ["signature"])

    private static let names: Set = [
        "preorder", "preorder-details", "preorder-identifier", "preorder-without-notices", "pay", "pay-bare",
        "pay-customer", "refund", "query-payment", "query-refund", "reverse-open", "reverse-paid",
    ]

    @Test func everyFileIsATests() { #expect(Self.golden.names == Self.names) }

    private static func check(
        _ name: String, settings: [String: String?] = [:], script: StubUpstream.Script? = nil,
        _ body: (any Acquirer) async throws -> Void
    ) async throws {
        let requests = try await Bench.with(
            settings: settings,
            script: script ?? Signed.always(TestAnswer.failed("PARAM_ILLEGAL"))
        ) { acquirer, stub in
            try await body(acquirer)
            return stub.requests
        }
        try Self.golden.compare(requests, with: name)
        for request in requests { #expect(Signed.isMerchants(request, key: try Keys.merchant)) }
    }

    // MARK: - The order

    @Test func asksForAnOrder() async throws {
        let amount = try Bench.money(1099)
        try await Self.check("preorder") { _ = await $0.prepare(Bench.sale(amount, memo: AcquirerMemo())) }
    }

    @Test func ordersSayWhatIsBought() async throws {
        let amount = try Bench.money(100)
        let details = ChargeDetails(
            orderReference: "ORDER-1", description: String(repeating: "Äpfel ", count: 30),
            customer: Customer(id: "mei"))
        try await Self.check("preorder-details") {
            _ = await $0.prepare(Bench.sale(amount, details: details, memo: AcquirerMemo()))
        }
    }

    @Test func ordersNameTheMerchantIdentifierOfTheAccount() async throws {
        let amount = try Bench.money(1099)
        try await Self.check("preorder-identifier", settings: ["merchantIdentifier": "merchant.com.example.shop"]) {
            _ = await $0.prepare(
                Bench.sale(amount, details: ChargeDetails(orderReference: "ORDER-1"), memo: AcquirerMemo()))
        }
    }

    @Test func asksForNoNoticesWithoutAnAddress() async throws {
        let amount = try Bench.money(1099)
        try await Self.check("preorder-without-notices", settings: ["notifyUrl": nil]) {
            _ = await $0.prepare(Bench.sale(amount, memo: AcquirerMemo()))
        }
    }

    // MARK: - Money

    @Test func paysWithTheWholeToken() async throws {
        let amount = try Bench.money(1099)
        try await Self.check("pay") { _ = await $0.perform(Bench.sale(amount)) }
    }

    @Test func paysWithABareToken() async throws {
        let amount = try Bench.money(1099)
        let bare = PaymentInstrument.sealedApplePayToken(
            SealedApplePayToken(paymentData: .init(Array(Bench.tokenData.utf8))))
        try await Self.check("pay-bare") { _ = await $0.perform(Bench.sale(amount, instrument: bare)) }
    }

    @Test func namesTheCustomer() async throws {
        let amount = try Bench.money(1099)
        try await Self.check("pay-customer") { acquirer in
            for id in ["mei", String(repeating: "m", count: 65), "m i"] {
                let details = ChargeDetails(customer: Customer(id: id))
                _ = await acquirer.perform(Bench.sale(amount, details: details))
            }
        }
    }

    @Test func refundsUnderTheOperationsId() async throws {
        let amount = try Bench.money(400)
        try await Self.check("refund") { _ = await $0.perform(Bench.refund(amount)) }
    }

    // MARK: - Asking, and taking back

    @Test func asksForAPayment() async throws {
        let amount = try Bench.money(1099)
        try await Self.check("query-payment") {
            _ = await $0.query(Bench.query(Bench.original(.authorization, amount)))
        }
    }

    @Test func asksForARefund() async throws {
        let amount = try Bench.money(400)
        try await Self.check("query-refund") {
            _ = await $0.query(Bench.query(Bench.original(.refund, amount, id: Bench.operationID)))
        }
    }

    @Test func reversalClosesAnOrder() async throws {
        let amount = try Bench.money(1099)
        try await Self.check("reverse-open") { _ = await $0.perform(Bench.reversal(amount)) }
    }

    @Test func reversalRefundsWhatIsPaid() async throws {
        let amount = try Bench.money(1099)
        let answers = [
            TestAnswer.failed("ORDER_PAID"), TestAnswer.payment("SUCCESS"), TestAnswer.refund(value: "1099"),
        ]
        try await Self.check("reverse-paid", script: Signed.inTurn(answers)) {
            _ = await $0.perform(Bench.reversal(amount))
        }
    }

    // MARK: - Nothing

    @Test func sendsNothingForWhatIsNotOffered() async throws {
        let amount = try Bench.money(1099)
        let original = Bench.original(.authorization, amount)
        let outcomes = try await Bench.with(script: Bench.noAnswer) { acquirer, stub in
            var outcomes: [AcquirerOutcome] = []
            for action in [
                .capture(of: original, isFinal: true), .adjust(original), .void(original),
                .reverse(Bench.original(.capture, amount)),
            ] as [AcquirerRequest.Action] {
                outcomes.append(await acquirer.perform(Bench.request(action, amount)))
                #expect(await acquirer.prepare(Bench.request(action, amount)) == .ready(AcquirerMemo()))
            }
            for action in [
                .verify(Charge(instrument: Bench.token, network: .visa)),
                .authorize(Charge(instrument: Bench.token, network: .visa)),
            ] as [AcquirerRequest.Action] {
                guard case .notProcessed(let not) = await acquirer.perform(Bench.request(action, amount)) else {
                    Issue.record("it was sent")
                    continue
                }
                #expect(not.reason == .requestRefused)
            }
            #expect(stub.requests.isEmpty)
            return outcomes
        }
        let refused = AcquirerOutcome.declined(
            AcquirerDecline(reason: .invalidOperation, answer: AcquirerAnswer()))
        #expect(outcomes == [refused, refused, refused, refused])
    }

    @Test func sendsNothingThatAlphaPayCannotOpen() async throws {
        let amount = try Bench.money(1099)
        let opened = PaymentInstrument.networkToken(
            NetworkToken(
                pan: .init("4005519200000004"), expiryYearMonth: "3901", proof: .securityCode(nil), eci: nil))
        let broken = PaymentInstrument.sealedApplePayToken(SealedApplePayToken(paymentData: .init(Array("[1".utf8))))
        let list = PaymentInstrument.sealedApplePayToken(SealedApplePayToken(paymentData: .init(Array("[]".utf8))))
        try await Bench.with(script: Bench.noAnswer) { acquirer, stub in
            for (instrument, word) in [
                (opened, "instrument_not_taken"), (broken, "token_unreadable"), (list, "token_unreadable"),
            ] {
                let request = Bench.sale(amount, instrument: instrument)
                let refusal = NotProcessed(.requestRefused, word)
                #expect(await acquirer.perform(request) == .notProcessed(refusal))
                #expect(await acquirer.prepare(request) == .notProcessed(refusal))
            }
            let request = Bench.sale(amount, memo: AcquirerMemo())
            #expect(
                await acquirer.perform(request) == .notProcessed(NotProcessed(.requestRefused, "order_missing")))
            #expect(stub.requests.isEmpty)
        }
    }
}
