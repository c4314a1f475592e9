//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
public import Payments

/// The laws of ``ConcurrencyLaw``, written once for every store.
///
///     @Test(arguments: ConcurrencyLaw.allCases) func obeys(_ law: ConcurrencyLaw) async throws {
///         try await ConcurrencyLaws { try await $0([MemoryStore()]) }.check(law)
///     }
///
/// Each law begins a real gateway on two nodes over the store, with the simulated acquirer and its book, and makes
/// ``callsCount`` calls on one payment at the same time.
public struct ConcurrencyLaws: Sendable {
    /// What is checked on the stores of the nodes: one that they share, or one for each, all on the same database.
    public typealias Check = @Sendable ([any PaymentStore]) async throws -> Void

    /// How much of the payment's amount there is to capture or refund, in parts of one minor unit: so many of the calls
    /// can succeed.
    static let partsCount: Int64 = 100

    private let callsCount: Int
    private let bug: PlantedBug?
    private let withStores: @Sendable (Check) async throws -> Void

    /// - Parameters:
    ///   - callsCount: how many calls come at once.
    ///   - bug: something that is wrong with the store, to see that it is found.
    ///   - withStores: makes the nodes' stores, empty, runs the check on them, and does away with them, also when the
    ///     check throws.
    public init(
        callsCount: Int = 1000, bug: PlantedBug? = nil, withStores: @escaping @Sendable (Check) async throws -> Void
    ) {
        self.callsCount = callsCount
        self.bug = bug
        self.withStores = withStores
    }

    /// - Throws: ``ConcurrencyFailure`` when the law does not hold; or what the store throws.
    public func check(_ law: ConcurrencyLaw) async throws {
        let (callsCount, bug) = (self.callsCount, self.bug)
        try await self.withStores { stores in
            let crowd = try await Crowd.open(stores.map { SpoiledStore($0, bug: bug) }, callsCount: callsCount)
            var problems = try await crowd.problems(with: law)
            problems += try await crowd.lastProblems()
            guard problems.isEmpty else { throw ConcurrencyFailure(law: law, problems: problems) }
        }
    }
}

extension Crowd {
    fileprivate func problems(with law: ConcurrencyLaw) async throws -> [String] {
        switch law {
        case .capturesNeverExceedTheAuthorization: try await self.captures()
        case .refundsNeverExceedTheCapture: try await self.refunds()
        case .operatorsRefundsNeverExceedTheCapture: try await self.operatorsRefunds()
        case .voidsTakeBackOnce: try await self.voids()
        case .capturesAndVoidsExcludeEachOther: try await self.capturesAndVoids()
        case .everythingAtOnceKeepsTheLimits: try await self.everything()
        case .repeatsBookOnce: try await self.repeats()
        case .cryptogramsPayOnce: try await self.cryptograms()
        case .agreementsAreNamed: try await self.agreements()
        }
    }

    private var parts: Int64 { ConcurrencyLaws.partsCount }

    private func captures() async throws -> [String] {
        let payment = try await self.authorize(self.parts)
        let results = await self.atOnce(of: payment) { _ in .capture(cad(1), isFinal: false) }
        let after = try await self.stored(payment)
        return self.expect(results.succeeded, self.parts, "captures that succeed")
            + self.expect(after.capturedAmount.minorUnits, self.parts, "captured")
            + self.expect(
                results.refused(by: .captureExceedsAuthorized, .capturePending), self.rest, "captures refused")
    }

    private func refunds() async throws -> [String] {
        let payment = try await self.authorize(self.parts)
        try await self.make(.capture(nil, isFinal: true), of: payment)
        let results = await self.atOnce(of: payment) { _ in .refund(cad(1)) }
        let after = try await self.stored(payment)
        let refused = results.refused(by: .refundExceedsCaptured, .alreadyRefunded, .refundPending)
        return self.expect(results.succeeded, self.parts, "refunds that succeed")
            + self.expect(after.refundedAmount.minorUnits, self.parts, "refunded")
            + self.expect(refused, self.rest, "refunds refused")
    }

    private func operatorsRefunds() async throws -> [String] {
        let payment = try await self.authorize(self.parts)
        try await self.make(.capture(nil, isFinal: true), of: payment)
        let results = await self.refundAtOnce(cad(1), of: payment) { $0 % 2 == 0 }
        let after = try await self.stored(payment)
        let refused = results.refused(by: .refundExceedsCaptured, .alreadyRefunded, .refundPending)
        let operators = after.operations.count { $0.isOperators }
        return self.expect(results.succeeded, self.parts, "refunds that succeed")
            + self.expect(after.refundedAmount.minorUnits, self.parts, "refunded")
            + self.expect(refused, self.rest, "refunds refused")
            + self.expect(try await self.auditedRefunds(), Int64(operators), "entries of the audit log")
    }

    private var rest: Int64 { Int64(self.callsCount) - self.parts }

    private func voids() async throws -> [String] {
        let payment = try await self.authorize(self.parts)
        let results = await self.atOnce(of: payment) { _ in .void(nil) }
        let state = try await self.stored(payment).state
        return self.expect(results.succeeded, 1, "voids that succeed")
            + (state == .voided ? [] : ["the payment is \(state.rawValue), not voided"])
    }

    private func capturesAndVoids() async throws -> [String] {
        let payment = try await self.authorize(self.parts)
        let results = await self.atOnce(of: payment) { $0 % 50 == 0 ? .void(nil) : .capture(cad(1), isFinal: false) }
        let after = try await self.stored(payment)
        let isVoided = after.state == .voided
        let captured = after.capturedAmount.minorUnits
        return self.expect(results.succeeded, isVoided ? 1 : captured, "calls that succeed")
            + (isVoided && captured != 0 ? ["voided, and \(captured) captured"] : [])
    }

    /// Captures may succeed more than ``parts`` times in all, since some are voided; what is left never exceeds it.
    private func everything() async throws -> [String] {
        let payment = try await self.authorize(self.parts)
        let first = try await self.make(.capture(cad(10), isFinal: false), of: payment)
        let results = await self.atOnce(of: payment) { index in
            switch index % 10 {
            case 0..<5: .capture(cad(Int64(index % 3) + 1), isFinal: false)
            case 5..<8: .refund(cad(Int64(index % 4) + 1))
            case 8: .adjust(cad(self.parts + Int64(index % 20)))
            default: .void(.operation(first))
            }
        }
        let after = try await self.stored(payment)
        let successes = after.operations.dropFirst(2).count { $0.state == .succeeded }
        return self.expect(results.succeeded, Int64(successes), "calls that succeed")
            + (after.capturedAmount > after.authorizedAmount ? ["more is captured than authorized"] : [])
            + (after.refundedAmount > after.capturedAmount ? ["more is refunded than captured"] : [])
    }

    private func repeats() async throws -> [String] {
        let payment = try await self.authorize(self.parts)
        let results = await self.atOnce(of: payment, key: "the same") { _ in .capture(cad(40), isFinal: false) }
        let after = try await self.stored(payment)
        return self.expect(Int64(results.operations.count), 1, "operations")
            + self.expect(after.capturedAmount.minorUnits, 40, "captured")
            + self.expect(results.refused.values.reduce(0, +), 0, "repeats refused")
            + self.expect(Int64(after.operations.count), 2, "operations stored")
            + (await self.repeatedAnswers(of: payment, key: "the same"))
    }

    private func cryptograms() async throws -> [String] {
        let results = await self.payAtOnce(cad(self.parts))
        return self.expect(results.succeeded, 1, "payments")
            + self.expect(results.refused[.tokenReplayed] ?? 0, Int64(self.callsCount) - 1, "payments refused")
    }

    /// Each of them is a payment of its own, so there are fewer.
    private func agreements() async throws -> [String] {
        let count = min(self.callsCount, 200)
        let declined = count / 20
        let results = await self.beginAgreement("subscription 7", count: count) {
            $0 < declined ? cad(57_57) : cad(10_00)
        }
        let named = try await self.agreementNames("subscription 7")
        return self.expect(results.succeeded, Int64(count - declined), "payments that succeed")
            + self.expect(results.refused.values.reduce(0, +), 0, "payments refused")
            + (named.contains(.succeeded) ? [] : ["the agreement is named by \(named)"])
    }

    private func expect(_ found: Int64, _ wanted: Int64, _ what: String) -> [String] {
        found == wanted ? [] : ["\(what): \(found), not \(wanted)"]
    }
}
