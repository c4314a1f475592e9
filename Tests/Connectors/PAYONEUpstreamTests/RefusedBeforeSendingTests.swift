//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Redaction
import TestUpstream
import Testing

@testable import PAYONEUpstream

/// What is refused before a byte of it is sent, and why.
@Suite struct RefusedBeforeSendingTests {
    private static func expectRefused(
        _ request: AcquirerRequest, _ word: String, settings: [String: String?] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let (outcome, count) = try await Bench.with(
            settings: settings, answer: Bench.approved
        ) { acquirer, stub in (await acquirer.perform(request), stub.requests.count) }
        #expect(outcome == Bench.notProcessed(.requestRefused, word), sourceLocation: sourceLocation)
        #expect(count == 0, sourceLocation: sourceLocation)
    }

    // MARK: - What PAYONE demands

    @Test(arguments: [nil, "", "X", " \u{7} "])
    func refusesChargeWithoutALastName(_ name: String?) async throws {
        let details = ChargeDetails(customer: Customer(lastName: name))
        let request = Bench.authorize(try Bench.money(1000), Bench.charge(details: details))
        try await Self.expectRefused(request, "lastname_missing", settings: ["defaultLastName": nil])
    }

    @Test(arguments: [nil, "", "XX", "Germany"])
    func refusesChargeWithoutACountry(_ country: String?) async throws {
        let details = ChargeDetails(billing: PostalAddress(countryCode: country))
        let request = Bench.authorize(try Bench.money(1000), Bench.charge(details: details))
        try await Self.expectRefused(request, "country_missing", settings: ["defaultCountry": nil])
    }

    @Test func refusesAnAddressWithoutTheStateThatItsCountryHas() async throws {
        let details = ChargeDetails(billing: PostalAddress(countryCode: "US"))
        let request = Bench.authorize(try Bench.money(1000), Bench.charge(details: details))
        try await Self.expectRefused(request, "request_not_made")
    }

    // MARK: - Tokens

    @Test(arguments: [
        ("not JSON", "token_unreadable"), ("{}", "token_version_not_taken"),
        (Bench.paymentData.replacing("EC_v1", with: "RSA_v1"), "token_version_not_taken"),
        (Bench.paymentData.replacing(Bench.tokenKeyHash, with: ""), "token_incomplete"),
        (Bench.paymentData.replacing(#""data""#, with: #""dat""#), "token_incomplete"),
        (
            Bench.paymentData.replacing(#""header":{"#, with: #""header":{"applicationData":"aa","#),
            "application_data_not_taken"
        ),
    ])
    func refusesTokensThatPAYONEHasNoParametersFor(_ paymentData: String, _ word: String) async throws {
        let charge = Bench.charge(instrument: Bench.instrument(paymentData))
        try await Self.expectRefused(Bench.authorize(try Bench.money(1000), charge), word)
    }

    @Test func refusesAnOpenedToken() async throws {
        let token = NetworkToken(
            pan: Redacted("4005519200000004"), expiryYearMonth: "3901", proof: .securityCode(nil), eci: nil)
        let charge = Charge(instrument: .networkToken(token), network: .visa)
        try await Self.expectRefused(Bench.authorize(try Bench.money(1000), charge), "instrument_not_taken")
    }

    // MARK: - Amounts

    /// "Value is given in smallest currency unit": in every currency the one of ISO 4217.
    @Test func amountsAreISO4217s() throws {
        let terms = WireAmounts.terms(Set(Currency.all))
        for currency in Currency.all {
            #expect(terms[currency]?.units(of: Money(minorUnits: 123_456, currency: currency)) == 123_456)
        }
    }

    @Test(arguments: ["USD", "JPY", "KWD"]) func refusesOtherCurrencies(_ code: String) async throws {
        let amount = try Bench.money(1000, code)
        for (_, request) in Bench.operations(amount) {
            guard case .authorize = request.action else {
                // What follows a payment that was taken when the account had other currencies.
                let (outcome, count) = try await Bench.with(answer: Bench.approved) { acquirer, stub in
                    (await acquirer.perform(request), stub.requests.count)
                }
                guard case .approved = outcome, count == 1 else {
                    Issue.record("\(outcome)")
                    continue
                }
                continue
            }
            try await Self.expectRefused(request, "currency_not_taken")
        }
    }

    @Test(arguments: [0, -1, 2_000_000_000, Int64.max] as [Int64])
    func refusesAmountsOutOfBounds(_ minorUnits: Int64) async throws {
        for (_, request) in Bench.operations(try Bench.money(minorUnits)) {
            try await Self.expectRefused(request, "amount_not_taken")
        }
    }

    // MARK: - What follows

    @Test func refusesWhatFollowsAPaymentProcessThatIsNotKnown() async throws {
        for txid in [nil, "", "12345678", "1234567890123", "12345678a"] {
            let original = Bench.original(try Bench.money(1000), txid: txid)
            for action in [
                AcquirerRequest.Action.capture(of: original, isFinal: true), .refund(of: original, capture: nil),
                .void(original), .reverse(original),
            ] { try await Self.expectRefused(Bench.request(action, try Bench.money(1000)), "txid_not_known") }
        }
    }

    /// A person has decided that it was approved, and named the payment process; nothing is noted.
    @Test func followsAPaymentProcessThatAPersonHasNamed() async throws {
        let amount = try Bench.money(1000)
        for (reference, isSent) in [("794092156", true), ("as by phone", false)] {
            let original = OriginalOperation(
                id: Bench.authorizationID, kind: .authorization, amount: amount, begunAt: Bench.at,
                answer: AcquirerAnswer(reference: reference), authorizedTotal: amount,
                capturedTotal: .zero(amount.currency))
            let request = Bench.request(.capture(of: original, isFinal: true), amount)
            guard isSent else {
                try await Self.expectRefused(request, "txid_not_known")
                continue
            }
            let bodies = try await Bench.with(answer: "status=APPROVED\ntxid=\(reference)\n") { acquirer, stub in
                _ = await acquirer.perform(request)
                return stub.requests.map { String(decoding: $0.body, as: UTF8.self) }
            }
            #expect(bodies.count == 1 && bodies.first?.contains("txid=\(reference)") == true)
        }
    }

    /// 0 is the authorization's, and 127 the last there can be.
    @Test(arguments: [0, 1, 129]) func refusesOtherSequenceNumbers(_ ordinal: Int) async throws {
        let original = Bench.original(try Bench.money(1000))
        let request = Bench.request(.capture(of: original, isFinal: true), try Bench.money(1000), ordinal: ordinal)
        try await Self.expectRefused(request, "sequence_number_not_taken")
    }

    @Test func refusesWhatThereIsNot() async throws {
        let amount = try Bench.money(1000)
        let sale = Bench.original(amount, isSale: true)
        let capture = Bench.original(amount, kind: .capture)
        let refund = Bench.original(amount, kind: .refund)
        for action in [
            AcquirerRequest.Action.verify(Bench.charge()), .adjust(Bench.original(amount)), .void(sale), .void(capture),
            .reverse(capture), .reverse(refund),
        ] { try await Self.expectRefused(Bench.request(action, amount), "operation_not_offered") }
    }
}
