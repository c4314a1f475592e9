//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import SimulatorAcquirer
import Testing

/// Voids of what follows an authorization: a capture, a refund, a whole sale.
struct VoidTests {
    /// What is voided.
    enum Target: String, CaseIterable, Sendable {
        case authorization
        case capture
        case finalCapture
        case refund
        case sale

        var stateBefore: PaymentState {
            switch self {
            case .authorization: .authorized
            case .capture: .partiallyCaptured
            case .finalCapture, .sale: .captured
            case .refund: .partiallyRefunded
            }
        }

        var stateAfter: PaymentState {
            switch self {
            case .authorization, .sale: .voided
            case .capture, .finalCapture: .authorized
            case .refund: .captured
            }
        }

        var minorUnits: Int64 {
            switch self {
            case .authorization, .sale: 10_00
            case .capture, .finalCapture: 4_00
            case .refund: 3_00
            }
        }

        /// - Returns: the operation that is voided.
        func make(in shop: Shop) async throws -> OperationOutcome {
            switch self {
            case .authorization: return try await shop.authorize(money(10_00))
            case .sale: return try await shop.sell(money(10_00))
            case .capture, .finalCapture:
                let id = try await shop.authorize(money(10_00)).payment.id
                return try await shop.capture(money(4_00), of: id, isFinal: self == .finalCapture)
            case .refund:
                let id = try await shop.sell(money(10_00)).payment.id
                return try await shop.refund(money(3_00), of: id)
            }
        }
    }

    @Test(arguments: Target.allCases)
    func takesItsTargetBack(_ target: Target) async throws {
        let (shop, acquirer) = try await Shop.intercepted()
        let made = try await target.make(in: shop)
        #expect(made.payment.state == target.stateBefore)
        let void = try await shop.void(.operation(made.operation.id), of: made.payment.id)
        #expect(void.operation.kind == .void && void.operation.state == .succeeded)
        #expect(void.operation.amount.minorUnits == target.minorUnits)
        #expect(void.payment.state == target.stateAfter)
        #expect(void.payment.isUndone(made.operation.id))
        guard let request = acquirer.calls.last?.request, case .void(let original) = request.action else {
            Issue.record("another call")
            return
        }
        #expect(original.id == made.operation.id)
        #expect(original.answer.reference == made.operation.answer.reference)
        #expect(request.operationID == void.operation.id)
        #expect(request.amount.minorUnits == target.minorUnits)
        #expect(try await shop.events(of: made.payment.id).last?.kind == .voidSucceeded)
        try await expectAgreement(shop)
        await expectRefusal(.payment(.alreadyVoided)) {
            _ = try await shop.void(.operation(made.operation.id), of: made.payment.id)
        }
    }

    @Test(arguments: Target.allCases)
    func declinedVoidLeavesItsTarget(_ target: Target) async throws {
        let shop = try await Shop.open()
        let made = try await target.make(in: shop)
        shop.script.append(.init(.reverse, .nth(1), fault: .decline(.systemError)))
        let declined = try await shop.void(.operation(made.operation.id), of: made.payment.id)
        #expect(declined.operation.state == .failed(.declined(.systemError)))
        #expect(declined.payment.state == target.stateBefore)
        #expect(try await shop.events(of: made.payment.id).last?.kind == .voidFailed)
        try await expectAgreement(shop)
        let again = try await shop.void(.operation(made.operation.id), of: made.payment.id)
        #expect(again.payment.state == target.stateAfter)
        try await expectAgreement(shop)
    }

    @Test(arguments: Target.allCases, [SimulatorFault.dropBeforeBooking, .dropAfterBooking, .arriveLate, .garbage])
    func unknownVoidIsSentAgainUnderItsOwnID(_ target: Target, _ fault: SimulatorFault) async throws {
        let (shop, acquirer) = try await Shop.intercepted()
        let made = try await target.make(in: shop)
        let id = made.payment.id
        shop.script.append(.init(.reverse, .first(2), fault: fault))
        let void = try await shop.void(.operation(made.operation.id), of: id)
        #expect(void.operation.state == .unknown)
        #expect(void.payment.state == target.stateBefore, "nothing is booked before it is known")
        let actions: [FollowUpCommand.Action] = [
            .capture(money(1), isFinal: false), .refund(money(1)), .adjust(money(9_00)),
        ]
        for action in actions {
            await expectRefusal(.payment(.voidPending)) {
                _ = try await shop.gateway.followUp(shop.followUp(action, of: id))
            }
        }
        try await shop.recoverUntilSettled()
        #expect(Set(acquirer.calls("reverse").map(\.operationID)) == [void.operation.id])
        #expect(acquirer.calls("query").isEmpty)
        for call in acquirer.calls("reverse") { #expect(call.request?.original?.id == made.operation.id) }
        #expect(try await shop.payment(id).state == target.stateAfter)
        await shop.simulator.deliverLate()
        try await expectAgreement(shop)
    }

    // MARK: - What comes after

    @Test func voidedCaptureLeavesRoomForAnother() async throws {
        let shop = try await Shop.open()
        let made = try await Target.finalCapture.make(in: shop)
        let id = made.payment.id
        let void = try await shop.void(.operation(made.operation.id), of: id)
        #expect(void.payment.capturableAmount == money(10_00))
        await expectRefusal(.payment(.notCaptured)) { _ = try await shop.refund(money(1), of: id) }
        #expect(try await shop.adjust(money(12_00), of: id).operation.state == .succeeded)
        #expect(try await shop.capture(nil, of: id).payment.capturedAmount == money(12_00))
        try await expectAgreement(shop)
    }

    @Test func authorizationIsVoidedAfterItsCapturesWere() async throws {
        let shop = try await Shop.open()
        let made = try await Target.capture.make(in: shop)
        let id = made.payment.id
        await expectRefusal(.payment(.alreadyCaptured)) { _ = try await shop.void(id) }
        _ = try await shop.void(.operation(made.operation.id), of: id)
        #expect(try await shop.void(id).payment.state == .voided)
        try await expectAgreement(shop)
    }

    @Test func voidedRefundMayBeMadeAgain() async throws {
        let shop = try await Shop.open()
        let made = try await Target.refund.make(in: shop)
        _ = try await shop.void(.operation(made.operation.id), of: made.payment.id)
        #expect(try await shop.refund(nil, of: made.payment.id).payment.refundedAmount == money(10_00))
        try await expectAgreement(shop)
    }

    // MARK: - Selecting

    /// The sale's capture has an id of its own, and is the same thing at the acquirer.
    @Test func saleIsVoidedByItsPaymentItsAuthorizationItsCaptureOrItsReference() async throws {
        let shop = try await Shop.open()
        for number in 0..<4 {
            var command = try shop.authorization(of: money(10_00), sale: true)
            let name = ReferenceName(kind: "txid", value: "T-\(number)")
            command.references = [name]
            let sale = try await shop.gateway.authorize(command)
            let capture = try #require(sale.payment.operations.last?.id)
            let selectors = [
                PaymentSelector.payment(sale.payment.id), .operation(sale.operation.id), .operation(capture),
                .reference(name),
            ]
            #expect(try await shop.void(selectors[number], of: sale.payment.id).payment.state == .voided)
        }
        try await expectAgreement(shop)
    }

    @Test func bareVoidOfASaleIsRefused() async throws {
        let shop = try await Shop.open()
        let sale = try await shop.sell(money(10_00))
        await expectRefusal(.payment(.alreadyCaptured)) { _ = try await shop.void(sale.payment.id) }
        let refund = try await shop.refund(money(1), of: sale.payment.id)
        await expectRefusal(.payment(.alreadyRefunded)) {
            _ = try await shop.void(.operation(sale.operation.id), of: sale.payment.id)
        }
        await expectRefusal(.payment(.alreadyVoided)) {
            _ = try await shop.void(.operation(refund.operation.id), of: sale.payment.id)
            _ = try await shop.void(.operation(refund.operation.id), of: sale.payment.id)
        }
        #expect(
            try await shop.void(.operation(sale.operation.id), of: sale.payment.id).payment.state == .voided)
        try await expectAgreement(shop)
    }

    @Test func targetMustBeAnOperationOfThePayment() async throws {
        let shop = try await Shop.open()
        let (mine, other) = (try await shop.sell(money(10_00)), try await shop.sell(money(20_00)))
        await expectRefusal(.paymentNotFound) {
            _ = try await shop.void(.operation(other.operation.id), of: mine.payment.id)
        }
        await expectRefusal(.paymentNotFound) {
            _ = try await shop.void(.reference(.init(kind: "txid", value: "none")), of: mine.payment.id)
        }
        #expect(shop.script.count(of: .reverse) == 0)
    }

    @Test func whatDidNotSucceedIsNotVoided() async throws {
        let shop = try await Shop.open()
        let id = try await shop.authorize(money(100_00)).payment.id
        let declined = try await shop.capture(money(57_57), of: id)
        await expectRefusal(.payment(.notVoidable)) {
            _ = try await shop.void(.operation(declined.operation.id), of: id)
        }
        let unknown = try await shop.capture(money(58_58), of: id)
        await expectRefusal(.payment(.capturePending)) {
            _ = try await shop.void(.operation(unknown.operation.id), of: id)
        }
        try await shop.recoverUntilSettled()
        #expect(
            try await shop.void(.operation(unknown.operation.id), of: id).payment.capturableAmount == money(100_00))
        let adjustment = try await shop.adjust(money(50_00), of: id)
        await expectRefusal(.payment(.notVoidable)) {
            _ = try await shop.void(.operation(adjustment.operation.id), of: id)
        }
        try await expectAgreement(shop)
    }

    @Test func concurrentVoidsOfOneCaptureMakeOne() async throws {
        let shop = try await Shop.open()
        let made = try await Target.capture.make(in: shop)
        let voided = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    do {
                        _ = try await shop.void(.operation(made.operation.id), of: made.payment.id)
                        return true
                    } catch {
                        let refusal = error as? GatewayRefusal
                        #expect(refusal == .payment(.voidPending) || refusal == .payment(.alreadyVoided))
                        return false
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(voided == 1)
        #expect(shop.script.count(of: .reverse) == 1)
        try await expectAgreement(shop)
    }

    /// What is refunded in the same moment as its capture is voided: one of both happens, never both.
    @Test func concurrentVoidAndRefundOfOneCaptureAgree() async throws {
        let shop = try await Shop.open()
        for _ in 0..<20 {
            let made = try await Target.capture.make(in: shop)
            async let void = try? shop.void(.operation(made.operation.id), of: made.payment.id)
            async let refund = try? shop.refund(money(1), of: made.payment.id)
            let ends = await (void?.operation.state == .succeeded, refund?.operation.state == .succeeded)
            #expect(ends.0 != ends.1)
        }
        try await expectAgreement(shop)
    }
}
