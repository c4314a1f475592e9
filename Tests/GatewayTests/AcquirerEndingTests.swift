//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import SimulatorAcquirer
import Testing

/// Every way in which a call to the acquirer can end, for every kind of call: what the caller gets, and that
/// recovery makes gateway and acquirer agree.
struct AcquirerEndingTests {
    enum Call: String, CaseIterable, CustomStringConvertible {
        case authorize, sell, capture, finalCapture, void, refund

        var description: String { self.rawValue }

        var simulated: SimulatorCall {
            switch self {
            case .authorize, .sell: .authorize
            case .capture, .finalCapture: .capture
            case .void: .reverse
            case .refund: .refund
            }
        }
    }

    enum Ending: CaseIterable, CustomStringConvertible {
        case approved, declined, droppedBefore, droppedAfter, late, duplicate, garbage, accepted, refused

        var fault: SimulatorFault? {
            switch self {
            case .approved: nil
            case .declined: .decline(.suspectedFraud)
            case .droppedBefore: .dropBeforeBooking
            case .droppedAfter: .dropAfterBooking
            case .late: .arriveLate
            case .duplicate: .duplicate
            case .garbage: .garbage
            case .accepted: .accept
            case .refused: .refuse(.busy)
            }
        }

        var description: String { self.fault.map { "\($0)" } ?? "approved" }

        /// What the caller gets at once.
        var reported: PaymentOperation.State {
            switch self {
            case .approved, .duplicate: .succeeded
            case .declined: .failed(.declined(.suspectedFraud))
            case .droppedBefore, .droppedAfter, .late, .garbage: .unknown
            case .accepted: .accepted
            case .refused: .failed(.notProcessed(.busy))
            }
        }

        var reason: UnknownReason? {
            switch self {
            case .approved, .duplicate, .declined, .accepted, .refused: nil
            case .droppedAfter, .late: .timedOut
            case .droppedBefore, .garbage: .unclear
            }
        }

        /// What recovery makes of it: what is known to have happened stands, what never arrived is taken back.
        func settled(_ call: Call) -> PaymentOperation.State {
            switch self {
            case .approved, .duplicate, .droppedAfter, .garbage, .accepted: .succeeded
            case .refused: .failed(.notProcessed(.busy))
            case .declined: .failed(.declined(.suspectedFraud))
            // A void is sent again until it is answered.
            case .droppedBefore, .late: call == .void ? .succeeded : .failed(.reversed)
            }
        }
    }

    private func make(_ call: Call, _ shop: Shop, _ fault: SimulatorFault?) async throws -> OperationOutcome {
        let spoil = {
            shop.script.clear()
            shop.script.append(.init(call.simulated, .nth(1), fault: fault))
        }
        switch call {
        case .authorize:
            spoil()
            return try await shop.authorize(money(10_00))
        case .sell:
            spoil()
            return try await shop.sell(money(10_00))
        case .capture, .finalCapture, .void:
            let id = try await shop.authorize(money(10_00)).payment.id
            spoil()
            if call == .void { return try await shop.void(id) }
            return try await shop.capture(money(6_00), of: id, isFinal: call == .finalCapture)
        case .refund:
            let id = try await shop.sell(money(10_00)).payment.id
            spoil()
            return try await shop.refund(money(6_00), of: id)
        }
    }

    @Test(arguments: Call.allCases, Ending.allCases)
    func endingIsReportedAsItIsAndSettledAsItWas(call: Call, ending: Ending) async throws {
        let shop = try await Shop.open()
        let outcome = try await self.make(call, shop, ending.fault)
        #expect(outcome.operation.state == ending.reported && outcome.operation.unknownReason == ending.reason)
        #expect(try await shop.recoveryJobs().isEmpty == ending.reported.isResolved)
        try await shop.recoverUntilSettled()
        #expect(try await shop.operation(outcome).state == ending.settled(call))
        await shop.simulator.deliverLate()
        try await expectAgreement(shop)
        let events = try await shop.events(of: outcome.payment.id).filter { $0.operationID == outcome.operation.id }
        #expect(events.count == 1, "one event, whichever way it took")
    }

    @Test(arguments: Call.allCases)
    func whatArrivesLateBeforeItIsTakenBackCounts(call: Call) async throws {
        let shop = try await Shop.open()
        let outcome = try await self.make(call, shop, .arriveLate)
        await shop.simulator.deliverLate()
        try await shop.recoverUntilSettled()
        #expect(try await shop.operation(outcome).state == .succeeded)
        try await expectAgreement(shop)
    }

    /// CommWeb's test amounts.
    @Test(arguments: [
        (Int64(56_56), PaymentOperation.State.succeeded, PaymentOperation.State.succeeded),
        (57_57, .failed(.declined(.doNotHonor)), .failed(.declined(.doNotHonor))),
        (58_58, .unknown, .succeeded), (59_59, .failed(.declined(.unspecified)), .failed(.declined(.unspecified))),
        (62_62, .failed(.declined(.systemError)), .failed(.declined(.systemError))),
        (63_63, .unknown, .failed(.reversed)),
    ])
    func testAmountsEndAsTheyMust(
        cents: Int64, reported: PaymentOperation.State, settled: PaymentOperation.State
    ) async throws {
        let shop = try await Shop.open()
        let authorization = try await shop.authorize(money(cents))
        let big = try await shop.sell(money(100_00))
        let refund = try await shop.refund(money(cents), of: big.payment.id)
        #expect(authorization.operation.state == reported)
        #expect(refund.operation.state == reported)
        try await shop.recoverUntilSettled()
        #expect(try await shop.operation(authorization).state == settled)
        #expect(try await shop.operation(refund).state == settled)
        try await expectAgreement(shop)
    }

    // MARK: - Amounts that aren't the one asked for

    @Test(arguments: [false, true]) func partialApprovalIsKeptWhereItIsAccepted(sale: Bool) async throws {
        let shop = try await Shop.open()
        let outcome = try await shop.gateway.authorize(
            shop.authorization(of: money(61_61), sale: sale, acceptsPartialApproval: true))
        #expect(outcome.operation.state == .succeeded)
        #expect(outcome.operation.approvedAmount == money(30_80))
        #expect(outcome.payment.authorizedAmount == money(30_80))
        if sale {
            #expect(outcome.payment.state == .captured)
            #expect(try await shop.refund(nil, of: outcome.payment.id).operation.amount == money(30_80))
        } else {
            await expectRefusal(.payment(.captureExceedsAuthorized)) {
                _ = try await shop.capture(money(30_81), of: outcome.payment.id)
            }
            #expect(try await shop.capture(nil, of: outcome.payment.id).payment.capturedAmount == money(30_80))
        }
        try await expectAgreement(shop)
    }

    @Test(arguments: [false, true]) func partialApprovalIsReversedWhereItIsNotAccepted(sale: Bool) async throws {
        let shop = try await Shop.open()
        let outcome = try await shop.gateway.authorize(shop.authorization(of: money(61_61), sale: sale))
        #expect(outcome.operation.state == .failed(.reversed))
        #expect(outcome.payment.state == .reversed)
        #expect(outcome.payment.authorizedAmount.isZero)
        try await expectAgreement(shop)
    }

    @Test(arguments: [
        SimulatorFault.dropBeforeBooking, .dropAfterBooking, .garbage, .arriveLate, .decline(.systemError),
    ])
    func partialApprovalWhoseReversalGoesWrongIsReversedInTheEnd(fault: SimulatorFault) async throws {
        let shop = try await Shop.open()
        shop.script.append(.init(.reverse, .first(3), fault: fault))
        let outcome = try await shop.authorize(money(61_61))
        #expect(outcome.operation.state == .unknown)
        try await shop.recoverUntilSettled()
        #expect(try await shop.operation(outcome).state == .failed(.reversed))
        try await expectAgreement(shop)
    }

    /// An acquirer that says another amount than it was asked for, in its first answer to a call of that kind.
    private static func misquoting(_ name: String, _ amount: Money) -> @Sendable (SimulatorAcquirer) -> any Acquirer {
        { base in
            InterceptingAcquirer(base) { call, next in
                let outcome = await next()
                guard call.name == name, case .approved(let approval) = outcome else { return outcome }
                return .approved(AcquirerApproval(amount: amount, answer: approval.answer))
            }
        }
    }

    @Test(arguments: [money(10_01), money(0), money(-1), money(10_00, usd)])
    func approvalForMoreOrForNothingIsReversed(amount: Money) async throws {
        let shop = try await Shop.open { $0.acquirer = Self.misquoting("authorize", amount) }
        let outcome = try await shop.gateway.authorize(
            shop.authorization(of: money(10_00), acceptsPartialApproval: true))
        #expect(outcome.operation.state == .failed(.reversed))
        try await expectAgreement(shop)
    }

    @Test(arguments: ["capture", "refund"]) func captureOrRefundForAnotherAmountIsReversed(name: String) async throws {
        let shop = try await Shop.open { $0.acquirer = Self.misquoting(name, money(5_00)) }
        let id: PaymentID
        let outcome: OperationOutcome
        if name == "capture" {
            id = try await shop.authorize(money(10_00)).payment.id
            outcome = try await shop.capture(money(6_00), of: id)
        } else {
            id = try await shop.sell(money(10_00)).payment.id
            outcome = try await shop.refund(money(6_00), of: id)
        }
        #expect(outcome.operation.state == .failed(.reversed))
        try await expectAgreement(shop)
    }

    /// Many acquirers echo zero; what is voided is voided.
    @Test(arguments: [money(0), money(1), money(99_99)])
    func voidIsAVoidWhateverAmountTheAcquirerRepeats(amount: Money) async throws {
        let shop = try await Shop.open { $0.acquirer = Self.misquoting("reverse", amount) }
        let id = try await shop.authorize(money(10_00)).payment.id
        let outcome = try await shop.void(id)
        #expect(outcome.operation.state == .succeeded)
        #expect(outcome.payment.state == .voided)
        try await expectAgreement(shop)
    }
}
