//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerConformance
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import TestUpstream
import Testing

/// Payments at another gateway, and its book after each.
@Suite struct PaymentTests {
    /// One payment, and the operations on it by number.
    private struct Steps: Sendable {
        let acquirer: any Acquirer
        let amount: Money

        /// Prepares and pays, as the gateway does.
        func sell(_ number: UInt8 = 2) async throws -> (AcquirerOutcome, OriginalOperation) {
            let request = Bench.request(
                .authorize(Charge(instrument: Bench.token, network: .visa, captures: true)), self.amount,
                operation: Bench.id(number))
            let memo = try await self.prepare(request)
            let original = Bench.original(.authorization, self.amount, id: request.operationID, memo: memo)
            return (await self.acquirer.perform(request.with(memo)), original)
        }

        func prepare(_ request: AcquirerRequest) async throws -> AcquirerMemo {
            guard case .ready(let memo) = await self.acquirer.prepare(request) else {
                throw NotPrepared()
            }
            return memo
        }

        func refund(_ number: UInt8, _ minorUnits: Int64, of sale: OriginalOperation) async throws -> AcquirerOutcome {
            await self.acquirer.perform(
                Bench.request(
                    .refund(of: sale, capture: nil), try Bench.money(minorUnits), operation: Bench.id(number)))
        }

        func reverse(_ number: UInt8, _ sale: OriginalOperation) async -> AcquirerOutcome {
            await self.acquirer.perform(
                Bench.request(.reverse(sale), self.amount, operation: Bench.id(number)))
        }

        func query(_ original: OriginalOperation) async -> AcquirerQueryOutcome {
            await self.acquirer.query(Bench.query(original))
        }
    }

    private struct NotPrepared: Error {}

    private static func with(
        _ minorUnits: Int64 = 5000, _ body: @Sendable (Steps, Vendor) async throws -> Void
    ) async throws {
        let amount = try Bench.money(minorUnits)
        let vendor = try await Vendor.open()
        try await vendor.withAcquirer { acquirer in
            try await body(Steps(acquirer: Customers(acquirer, of: vendor), amount: amount), vendor)
        }
        #expect(try await vendor.test.bookProblems().isEmpty)
    }

    private static func approved(_ outcome: AcquirerOutcome) -> AcquirerApproval? {
        if case .approved(let approval) = outcome { approval } else { nil }
    }

    private static func isDeclined(_ outcome: AcquirerOutcome) -> Bool {
        if case .declined = outcome { true } else { false }
    }

    private static func position(_ vendor: Vendor, _ sale: OriginalOperation) async throws -> SimulatorPosition? {
        try await vendor.positions()[sale.id.text]
    }

    // MARK: - Sales and refunds

    @Test func saleIsFoundAsItWasAnswered() async throws {
        try await Self.with { steps, vendor in
            let (outcome, sale) = try await steps.sell()
            let approval = try #require(Self.approved(outcome))
            #expect(approval.amount == steps.amount)
            #expect(approval.answer.reference?.isEmpty == false)
            #expect(await steps.query(sale) == .approved(approval))
            #expect(try await Self.position(vendor, sale)?.captured == steps.amount)
        }
    }

    @Test func repeatedSaleIsBookedOnce() async throws {
        try await Self.with { steps, vendor in
            let (first, _) = try await steps.sell()
            let (second, _) = try await steps.sell()
            #expect(Self.approved(first) != nil && first == second)
            #expect(try await vendor.test.bookedCount(.authorization) == 1)
        }
    }

    @Test func concurrentRepeatsAreBookedOnce() async throws {
        try await Self.with { steps, vendor in
            let outcomes = try await withThrowingTaskGroup(of: AcquirerOutcome.self) { group in
                for _ in 0..<40 { group.addTask { try await steps.sell().0 } }
                return try await group.reduce(into: Set<AcquirerOutcome>()) { $0.insert($1) }
            }
            // One that comes while the first is worked on may be answered that the outcome is open.
            #expect(outcomes.compactMap(Self.approved).count == 1)
            #expect(outcomes.allSatisfy { Self.approved($0) != nil || $0 == .unclear("in_process") })
            #expect(try await vendor.test.bookedCount(.authorization) == 1)
        }
    }

    @Test func refundsInPartsAndNoMore() async throws {
        try await Self.with { steps, vendor in
            let (_, sale) = try await steps.sell()
            let first = try #require(Self.approved(try await steps.refund(3, 2000, of: sale)))
            #expect(Self.approved(try await steps.refund(3, 2000, of: sale)) == first)
            #expect(
                await steps.query(Bench.original(.refund, first.amount, id: Bench.id(3), memo: first.memo))
                    == .approved(first))
            #expect(Self.isDeclined(try await steps.refund(4, 3001, of: sale)))
            #expect(Self.approved(await Self.found(steps, sale)) != nil)
            #expect(Self.approved(try await steps.refund(5, 3000, of: sale)) != nil)
            #expect(Self.isDeclined(try await steps.refund(6, 1, of: sale)))
            #expect(try await Self.position(vendor, sale)?.refunded == steps.amount)
        }
    }

    /// A query's approval as an outcome.
    private static func found(_ steps: Steps, _ original: OriginalOperation) async -> AcquirerOutcome {
        if case .approved(let approval) = await steps.query(original) { .approved(approval) } else { .unclear("") }
    }

    /// The same id with another amount is no second refund, and nobody's decline.
    @Test func refundIdStandsForOneRefund() async throws {
        try await Self.with { steps, vendor in
            let (_, sale) = try await steps.sell()
            #expect(Self.approved(try await steps.refund(3, 2000, of: sale)) != nil)
            #expect(try await steps.refund(3, 2001, of: sale) == .unclear("repeat_req_inconsistent"))
            #expect(try await Self.position(vendor, sale)?.refunded == (try Bench.money(2000)))
        }
    }

    @Test func refundThatWasNeverSentIsNotFound() async throws {
        try await Self.with { steps, _ in
            let (_, sale) = try await steps.sell()
            let refund = Bench.original(.refund, steps.amount, id: Bench.id(3), memo: AcquirerMemo())
            #expect(await steps.query(refund) == .notFound)
            #expect(Self.isDeclined(await steps.reverse(4, Bench.original(.refund, steps.amount, id: Bench.id(3)))))
            #expect(Self.approved(try await steps.refund(5, 1, of: sale)) != nil)
        }
    }

    // MARK: - The order

    @Test func preparationMovesNothingHoweverOften() async throws {
        try await Self.with { steps, vendor in
            let request = Bench.request(
                .authorize(Charge(instrument: Bench.token, network: .visa, captures: true)), steps.amount,
                operation: Bench.id(2))
            let first = try await steps.prepare(request)
            #expect(try await steps.prepare(request) == first)
            #expect(first["paymentId"]?.isEmpty == false)
            let sale = Bench.original(.authorization, steps.amount, id: Bench.id(2), memo: first)
            #expect(await steps.query(sale) == .unknown(.unclear("in_process")))
            #expect(try await vendor.positions().isEmpty)
            #expect(Self.approved(try await steps.sell().0) != nil)
        }
    }

    @Test func lateOrderIsNotPaid() async throws {
        try await Self.with { steps, vendor in
            let request = Bench.request(
                .authorize(Charge(instrument: Bench.token, network: .visa, captures: true)), steps.amount,
                operation: Bench.id(2))
            let memo = try await steps.prepare(request)
            vendor.test.clock.advance(seconds: 1801)
            #expect(
                await steps.acquirer.perform(request.with(memo))
                    == .notProcessed(NotProcessed(.requestRefused, "order_expired")))
            guard
                case .declined(let decline) = await steps.query(
                    Bench.original(.authorization, steps.amount, id: Bench.id(2), memo: memo))
            else {
                Issue.record("not declined")
                return
            }
            #expect(decline.reason == .timedOut)
            #expect(try await vendor.positions().isEmpty)
        }
    }

    // MARK: - Taking back

    @Test func paymentThatArrivesAfterItsReversalIsRefused() async throws {
        try await Self.with { steps, vendor in
            let request = Bench.request(
                .authorize(Charge(instrument: Bench.token, network: .visa, captures: true)), steps.amount,
                operation: Bench.id(2))
            let memo = try await steps.prepare(request)
            let sale = Bench.original(.authorization, steps.amount, id: Bench.id(2), memo: memo)
            let reversal = await steps.reverse(3, sale)
            #expect(Self.approved(reversal)?.amount == steps.amount)
            #expect(await steps.reverse(3, sale) == reversal)
            #expect(
                await steps.acquirer.perform(request.with(memo))
                    == .notProcessed(NotProcessed(.requestRefused, "order_canceled")))
            #expect(await steps.query(sale) == .reversed)
            #expect(try await vendor.positions().isEmpty)
        }
    }

    @Test func reversalOfWhatIsPaidGivesAllBack() async throws {
        try await Self.with { steps, vendor in
            let (_, sale) = try await steps.sell()
            #expect(Self.approved(await steps.reverse(3, sale))?.amount == steps.amount)
            #expect(await steps.query(sale) == .reversed)
            #expect(try await Self.position(vendor, sale)?.refunded == steps.amount)
            // Another reversal has nothing left to do.
            #expect(Self.approved(await steps.reverse(4, sale)) != nil)
            #expect(try await Self.position(vendor, sale)?.refunded == steps.amount)
        }
    }

    @Test func reversalNeverGivesBackMoreThanIsLeft() async throws {
        try await Self.with { steps, vendor in
            let (_, sale) = try await steps.sell()
            _ = try await steps.refund(3, 2000, of: sale)
            #expect(Self.isDeclined(await steps.reverse(4, sale)))
            #expect(try await Self.position(vendor, sale)?.refunded == (try Bench.money(2000)))
        }
    }

    // MARK: - The vendor's test amounts

    @Test(
        arguments: [
            (5656, "approved"), (5757, "declined doNotHonor"), (5959, "declined unspecified"),
            (6161, "declined systemError"), (6262, "declined systemError"), (5858, "in_process"), (6363, "in_process"),
        ] as [(Int64, String)])
    func testAmountsEndAsTheyShould(_ minorUnits: Int64, _ ending: String) async throws {
        let amount = try Bench.money(minorUnits)
        let vendor = try await Vendor.open()
        try await vendor.withAcquirer { acquirer in
            let (outcome, sale) = try await Steps(acquirer: Customers(acquirer, of: vendor), amount: amount).sell()
            switch outcome {
            case .approved(let approval): #expect(ending == "approved" && approval.amount == amount)
            case .declined(let decline): #expect(ending == "declined \(decline.reason.rawValue)")
            case .unknown(let unknown): #expect(ending == unknown.word)
            case .accepted, .notProcessed: Issue.record("\(outcome)")
            }
            // When the vendor has found out, so do we.
            await vendor.test.recover()
            let found = await acquirer.query(Bench.query(sale))
            switch (minorUnits, found) {
            case (5656, .approved), (5858, .approved), (6363, .declined): break
            case (_, .declined(let decline)): #expect(outcome.wordless == .declined(decline.wordless))
            default: Issue.record("\(minorUnits): \(found)")
            }
        }
        #expect(try await vendor.test.bookProblems().isEmpty)
    }
}
