//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import Redaction
import TestUpstream
import Testing

@testable import AlphaPayUpstream

/// Which amounts are sent, and in which unit.
@Suite struct AmountTests {
    /// AlphaPay counts as ISO 4217 does in every currency that it takes.
    @Test func differsFromISO4217Nowhere() throws {
        var differences: [String: Int] = [:]
        for (code, decimals) in AlphaPayAmount.decimals {
            let currency = try #require(Currency.alphabetic(code))
            if currency.exponent != decimals { differences[code] = decimals }
        }
        #expect(differences.isEmpty)
        #expect(Set(AlphaPayAmount.decimals.keys) == ["CAD"])
    }

    @Test(arguments: ["USD", "JPY", "KWD", "TWD", "EUR"])
    func refusesOtherCurrencies(_ code: String) async throws {
        try await Self.check(try Bench.money(1000, code), "currency_not_taken")
    }

    @Test(arguments: [0, -1, 1_000_000_000_000, Int64.max])
    func refusesAmountsThatAreNone(_ minorUnits: Int64) async throws {
        try await Self.check(try Bench.money(minorUnits), "amount_not_taken")
    }

    private static func check(_ amount: Money, _ word: String) async throws {
        let refusal = NotProcessed(.requestRefused, word)
        try await Bench.with(script: Bench.noAnswer) { acquirer, stub in
            #expect(await acquirer.prepare(Bench.sale(amount)) == .notProcessed(refusal))
            #expect(await acquirer.perform(Bench.sale(amount)) == .notProcessed(refusal))
            #expect(await acquirer.perform(Bench.refund(amount)) == .notProcessed(refusal))
            #expect(stub.requests.isEmpty)
        }
    }

    @Test(arguments: [1, 999_999_999_999]) func sendsTheLeastAndTheMost(_ minorUnits: Int64) async throws {
        let amount = try Bench.money(minorUnits)
        let outcome = try await Bench.outcome(of: Bench.refund(amount), TestAnswer.refund(value: "\(minorUnits)"))
        guard case .approved(let approval) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(approval.amount == amount)
    }
}
