//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments
import TestGateway
import TestUpstream
import Testing

@testable import MPGS

/// Voids and reversals against another gateway, and what is left of the payment after them.
@Suite struct TakingBackTests {
    /// One payment, and the operations on it by number.
    private struct Steps {
        let acquirer: any Acquirer
        private let total: Money

        init(_ acquirer: any Acquirer, total: Money) {
            self.acquirer = acquirer
            self.total = total
        }

        func authorize(captures: Bool = false) async -> AcquirerOutcome {
            await self.perform(2, .authorize(Bench.charge(captures: captures)), self.total)
        }

        func perform(_ number: UInt8, _ action: AcquirerRequest.Action, _ amount: Money) async -> AcquirerOutcome {
            await self.acquirer.perform(Bench.request(action, amount, operation: Bench.id(number)))
        }

        func original(
            _ number: UInt8, _ kind: PaymentOperation.Kind, _ amount: Money, isSale: Bool = false,
            authorized: Money? = nil
        ) -> OriginalOperation {
            Bench.original(kind, amount, isSale: isSale, id: Bench.id(number), authorized: authorized ?? self.total)
        }

        func query(_ original: OriginalOperation) async -> AcquirerQueryOutcome {
            await self.acquirer.query(Bench.query(original))
        }
    }

    private static func isApproved(_ outcome: AcquirerOutcome, _ amount: Money) -> Bool {
        if case .approved(let approval) = outcome { approval.amount == amount } else { false }
    }

    private static func isDeclined(_ outcome: AcquirerOutcome) -> Bool {
        if case .declined = outcome { true } else { false }
    }

    private static func with(
        settings: [String: String] = [:], _ body: (Steps, Money, Money) async throws -> Void
    ) async throws {
        let total = try Bench.money(5000)
        let part = try Bench.money(3000)
        let other = try await OtherGateway.open()
        try await other.withAcquirer(settings: settings) { acquirer in
            try await body(Steps(acquirer, total: total), total, part)
        }
        #expect(try await other.test.bookProblems().isEmpty)
    }

    @Test func voidEndsAuthorization() async throws {
        try await Self.with { steps, total, _ in
            #expect(Self.isApproved(await steps.authorize(), total))
            let original = steps.original(2, .authorization, total)
            #expect(Self.isApproved(await steps.perform(3, .void(original), total), total))
            #expect(Self.isDeclined(await steps.perform(4, .capture(of: original, isFinal: false), total)))
            #expect(await steps.query(original) == .reversed)
            // Again, and under another id.
            #expect(Self.isApproved(await steps.perform(3, .void(original), total), total))
            #expect(Self.isApproved(await steps.perform(5, .reverse(original), total), total))
        }
    }

    @Test(arguments: ["true", "false"]) func voidOfSaleEndsIt(_ pay: String) async throws {
        try await Self.with(settings: ["pay": pay]) { steps, total, _ in
            #expect(Self.isApproved(await steps.authorize(captures: true), total))
            let original = steps.original(2, .authorization, total, isSale: true)
            #expect(Self.isApproved(await steps.perform(3, .void(original), total), total))
            #expect(Self.isDeclined(await steps.perform(4, .refund(of: original, capture: nil), total)))
            #expect(await steps.query(original) == .reversed)
            // Again, and under another id.
            #expect(Self.isApproved(await steps.perform(3, .void(original), total), total))
            #expect(Self.isApproved(await steps.perform(5, .reverse(original), total), total))
        }
    }

    @Test func voidOfFinalCaptureLeavesRoomForAnother() async throws {
        try await Self.with { steps, total, part in
            #expect(Self.isApproved(await steps.authorize(), total))
            let original = steps.original(2, .authorization, total)
            #expect(Self.isApproved(await steps.perform(3, .capture(of: original, isFinal: true), part), part))
            let capture = steps.original(3, .capture, part)
            #expect(Self.isApproved(await steps.perform(4, .void(capture), part), part))
            #expect(await steps.query(capture) == .reversed)
            #expect(Self.isDeclined(await steps.perform(5, .refund(of: original, capture: nil), part)))
            // All of what was authorized, also what the final capture had given back.
            #expect(Self.isApproved(await steps.perform(6, .capture(of: original, isFinal: false), total), total))
        }
    }

    @Test func reversedCaptureLeavesRoomForAnother() async throws {
        try await Self.with { steps, total, _ in
            #expect(Self.isApproved(await steps.authorize(), total))
            let original = steps.original(2, .authorization, total)
            #expect(Self.isApproved(await steps.perform(3, .capture(of: original, isFinal: false), total), total))
            let capture = steps.original(3, .capture, total)
            #expect(Self.isApproved(await steps.perform(4, .reverse(capture), total), total))
            #expect(Self.isDeclined(await steps.perform(5, .refund(of: original, capture: nil), total)))
            #expect(Self.isApproved(await steps.perform(6, .capture(of: original, isFinal: false), total), total))
        }
    }

    @Test(arguments: ["true", "false"]) func takenBackRefundLeavesRoomForAnother(_ pay: String) async throws {
        for isVoid in [true, false] {
            try await Self.with(settings: ["pay": pay]) { steps, total, _ in
                #expect(Self.isApproved(await steps.authorize(captures: true), total))
                let original = steps.original(2, .authorization, total, isSale: true)
                #expect(Self.isApproved(await steps.perform(3, .refund(of: original, capture: nil), total), total))
                let refund = steps.original(3, .refund, total)
                #expect(
                    Self.isApproved(await steps.perform(4, isVoid ? .void(refund) : .reverse(refund), total), total))
                #expect(await steps.query(refund) == .reversed)
                #expect(Self.isApproved(await steps.perform(5, .refund(of: original, capture: nil), total), total))
            }
        }
    }

    @Test func reversedAdjustmentLeavesTheTotalBeforeIt() async throws {
        let raised = try Bench.money(6000)
        try await Self.with { steps, total, _ in
            #expect(Self.isApproved(await steps.authorize(), total))
            let original = steps.original(2, .authorization, total)
            #expect(Self.isApproved(await steps.perform(3, .adjust(original), raised), raised))
            let adjustment = steps.original(3, .adjustment, raised, authorized: total)
            #expect(Self.isApproved(await steps.perform(4, .reverse(adjustment), raised), raised))
            let reversal = steps.original(4, .reversal, raised)
            guard case .approved = await steps.query(reversal) else {
                Issue.record("the reversal is not found")
                return
            }
            #expect(Self.isDeclined(await steps.perform(5, .capture(of: original, isFinal: false), raised)))
            #expect(Self.isApproved(await steps.perform(6, .capture(of: original, isFinal: false), total), total))
        }
    }

    @Test func whatNeverCameIsNotTakenBack() async throws {
        try await Self.with { steps, total, _ in
            let original = steps.original(2, .authorization, total)
            #expect(await steps.query(original) == .notFound)
            #expect(Self.isDeclined(await steps.perform(3, .reverse(original), total)))
            // It may come later, and then it counts.
            #expect(Self.isApproved(await steps.authorize(), total))
        }
    }

    // MARK: - The vendor's test amounts

    @Test(
        arguments: [
            (5656, "approved"), (5757, "declined doNotHonor"), (5959, "declined systemError"),
            (6161, "approved 30.80 USD"),
            (6262, "declined systemError"),
        ] as [(Int64, String)])
    func testAmountsEndAsTheyShould(_ minorUnits: Int64, _ ending: String) async throws {
        let amount = try Bench.money(minorUnits)
        let other = try await OtherGateway.open()
        let outcome = try await other.withAcquirer { acquirer in
            await acquirer.perform(Bench.request(.authorize(Bench.charge(acceptsPartialApproval: true)), amount))
        }
        switch outcome {
        case .approved(let approval):
            #expect(ending == (approval.amount == amount ? "approved" : "approved \(approval.amount)"))
        case .declined(let decline): #expect(ending == "declined \(decline.reason.rawValue)")
        case .accepted, .notProcessed, .unknown: Issue.record("\(outcome)")
        }
    }
}
