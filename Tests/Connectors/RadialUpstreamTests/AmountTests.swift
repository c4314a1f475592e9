//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import TestUpstream
import Testing

@testable import RadialUpstream

/// The service's amounts, which have "up to two decimal places".
@Suite struct AmountTests {
    /// Every difference to ISO 4217: the currencies of three and four decimals, which are not taken at all. The others
    /// are written with as many as they have.
    private static let notTaken: Set = ["BHD", "CLF", "IQD", "JOD", "KWD", "LYD", "OMR", "TND", "UYW"]

    @Test func takesEveryCurrencyThatItCanWrite() {
        #expect(Set(Currency.all.filter { !$0.isTakenByRadial }.map(\.code)) == Self.notTaken)
    }

    private static func refusal(
        _ amount: Money, settings: [String: String] = [:], _ action: AcquirerRequest.Action
    ) async throws -> AcquirerOutcome {
        let script: StubUpstream.Script = { _, _ in StubAnswer(status: 500, body: "") }
        return try await Bench.with(settings: settings, script: script) { acquirer, stub in
            let outcome = await acquirer.perform(Bench.request(action, amount))
            #expect(stub.requests.isEmpty)
            return outcome
        }
    }

    @Test(arguments: notTaken.sorted()) func refusesOthersBeforeSending(_ code: String) async throws {
        let amount = try Bench.money(10_000, code)
        #expect(
            try await Self.refusal(amount, .authorize(Bench.charge()))
                == .notProcessed(NotProcessed(.requestRefused, "currency_not_taken")))
    }

    @Test func refusesCurrenciesThatAreNotTheAccounts() async throws {
        #expect(
            try await Self.refusal(
                try Bench.money(100, "EUR"), settings: ["currencies": "USD, CAD"], .authorize(Bench.charge()))
                == .notProcessed(NotProcessed(.requestRefused, "currency_not_taken")))
    }

    @Test(arguments: [0, 1_000_000_000_000] as [Int64]) func refusesAmountsBeyondTheField(_ units: Int64) async throws {
        let amount = try Bench.money(units)
        for action in [.authorize(Bench.charge()), .refund(of: Bench.original(.authorization, amount), capture: nil)]
            as [AcquirerRequest.Action]
        {
            #expect(
                try await Self.refusal(amount, action)
                    == .notProcessed(NotProcessed(.requestRefused, "amount_not_taken")))
        }
    }

    @Test func refusesWhatTheServiceHasNot() async throws {
        let amount = try Bench.money(3010)
        for action in [
            .verify(Bench.charge()),
            .adjust(Bench.original(.authorization, amount)),
        ] as [AcquirerRequest.Action] {
            #expect(
                try await Self.refusal(amount, action) == .notProcessed(NotProcessed(.requestRefused, "not_offered")))
        }
    }
}
