//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import SimulatorAcquirer
import Testing

/// A new total for an authorization.
struct AdjustmentTests {
    @Test func adjustsUpAndDownAndCapturesTheNewTotal() async throws {
        let (shop, acquirer) = try await Shop.intercepted()
        let authorized = try await shop.authorize(money(10_00))
        let id = authorized.payment.id
        let up = try await shop.adjust(money(15_00), of: id)
        #expect(up.operation.kind == .adjustment && up.operation.state == .succeeded)
        #expect(up.payment.authorizedAmount == money(15_00) && up.payment.state == .authorized)
        guard let request = acquirer.calls.last?.request, case .adjust(let original) = request.action else {
            Issue.record("another call")
            return
        }
        #expect(request.amount == money(15_00), "the total, not the difference")
        #expect(original.id == authorized.operation.id)
        #expect(original.answer.reference == authorized.operation.answer.reference)
        try await expectAgreement(shop)

        #expect(try await shop.adjust(money(4_00), of: id).payment.capturableAmount == money(4_00))
        await expectRefusal(.payment(.captureExceedsAuthorized)) {
            _ = try await shop.capture(money(4_01), of: id)
        }
        #expect(try await shop.capture(nil, of: id).payment.state == .captured)
        #expect(
            try await shop.events(of: id).map(\.kind)
                == [.authorizationSucceeded, .adjustmentSucceeded, .adjustmentSucceeded, .captureSucceeded])
        try await expectAgreement(shop)
    }

    @Test func declinedAdjustmentLeavesTheTotal() async throws {
        let shop = try await Shop.open()
        let id = try await shop.authorize(money(10_00)).payment.id
        let declined = try await shop.adjust(money(57_57), of: id)
        #expect(declined.operation.state == .failed(.declined(.doNotHonor)))
        #expect(declined.payment.authorizedAmount == money(10_00))
        #expect(try await shop.events(of: id).map(\.kind) == [.authorizationSucceeded, .adjustmentFailed])
        #expect(try await shop.adjust(money(11_00), of: id).operation.state == .succeeded)
        try await expectAgreement(shop)
    }

    @Test func voidOfAnAdjustedAuthorizationGivesTheNewTotalBack() async throws {
        let shop = try await Shop.open()
        let id = try await shop.authorize(money(10_00)).payment.id
        _ = try await shop.adjust(money(15_00), of: id)
        let void = try await shop.void(id)
        #expect(void.operation.amount == money(15_00) && void.payment.state == .voided)
        try await expectAgreement(shop)
    }

    // MARK: - Refusals

    @Test func acquirerThatAdjustsNothingIsNotAsked() async throws {
        let (shop, acquirer) = try await Shop.intercepted(adjusts: false)
        let id = try await shop.authorize(money(10_00)).payment.id
        await expectRefusal(.operationNotSupported) { _ = try await shop.adjust(money(1), of: id) }
        #expect(acquirer.calls.count == 1)
        #expect(try await shop.payment(id).operations.count == 1)
        #expect(try await shop.recoveryJobs().isEmpty)
    }

    @Test func refusesWhatTheRulesRefuse() async throws {
        let shop = try await Shop.open()
        let id = try await shop.authorize(money(10_00)).payment.id
        await expectRefusal(.payment(.amountNotPositive)) { _ = try await shop.adjust(money(0), of: id) }
        await expectRefusal(.payment(.currencyDiffers)) { _ = try await shop.adjust(money(1, usd), of: id) }
        _ = try await shop.capture(money(4_00), of: id)
        await expectRefusal(.payment(.adjustmentBelowCaptured)) { _ = try await shop.adjust(money(3_99), of: id) }
        _ = try await shop.capture(money(1_00), of: id, isFinal: true)
        await expectRefusal(.payment(.captureIsFinal)) { _ = try await shop.adjust(money(20_00), of: id) }
        let sale = try await shop.sell(money(10_00)).payment.id
        await expectRefusal(.payment(.captureIsFinal)) { _ = try await shop.adjust(money(20_00), of: sale) }
        #expect(shop.script.count(of: .adjust) == 0)
        try await expectAgreement(shop)
    }

    @Test func repeatedCallAdjustsOnce() async throws {
        let shop = try await Shop.open()
        let id = try await shop.authorize(money(10_00)).payment.id
        let command = shop.followUp(.adjust(money(15_00)), of: id, key: "A-1")
        let first = try await shop.gateway.followUp(command)
        _ = try await shop.adjust(money(5_00), of: id)
        let second = try await shop.gateway.followUp(command)
        #expect(second.isRepeat && second.payment == first.payment)
        #expect(second.payment.authorizedAmount == money(15_00), "as it was then")
        #expect(shop.script.count(of: .adjust) == 2)
        try await expectAgreement(shop)
    }

    @Test func concurrentAdjustmentsAreMadeOneAfterTheOther() async throws {
        let (shop, _) = try await Shop.intercepted()
        let id = try await shop.authorize(money(10_00)).payment.id
        let made = await withTaskGroup(of: Bool.self) { group in
            for number in 1...20 as ClosedRange<Int64> {
                group.addTask {
                    do {
                        return try await shop.adjust(money(10_00 + number), of: id).operation.state == .succeeded
                    } catch {
                        #expect(error as? GatewayRefusal == .payment(.adjustmentPending))
                        return false
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(made >= 1)
        #expect(shop.script.count(of: .adjust) == made)
        try await expectAgreement(shop)
    }

    // MARK: - Unknown

    @Test(arguments: [
        (SimulatorFault.dropAfterBooking, Int64(15_00)), (.garbage, 15_00), (.dropBeforeBooking, 10_00),
        (.arriveLate, 10_00),
    ])
    func unknownAdjustmentIsRecovered(_ fault: SimulatorFault, _ total: Int64) async throws {
        let (shop, acquirer) = try await Shop.intercepted()
        let id = try await shop.authorize(money(10_00)).payment.id
        shop.script.append(.init(.adjust, fault: fault))
        let outcome = try await shop.adjust(money(15_00), of: id)
        #expect(outcome.operation.state == .unknown)
        await expectRefusal(.payment(.adjustmentPending)) { _ = try await shop.adjust(money(16_00), of: id) }
        await expectRefusal(.payment(.adjustmentPending)) { _ = try await shop.void(id) }
        await expectRefusal(.payment(.adjustmentPending), "the smaller total counts until it is known") {
            _ = try await shop.capture(money(10_01), of: id)
        }
        await expectRefusal(.payment(.captureExceedsAuthorized)) { _ = try await shop.capture(money(15_01), of: id) }
        try await shop.recoverUntilSettled()
        #expect(try await shop.payment(id).authorizedAmount == money(total))
        #expect(acquirer.calls("adjust").count == 1, "it is asked for, not sent again")
        let state = try await shop.operation(outcome).state
        #expect(state == (total == 15_00 ? .succeeded : .failed(.reversed)))
        await shop.simulator.deliverLate()
        try await expectAgreement(shop)
    }

    @Test func unknownAdjustmentIsTakenBackWithoutQueries() async throws {
        let (shop, acquirer) = try await Shop.intercepted(answersQueries: false)
        let id = try await shop.authorize(money(10_00)).payment.id
        shop.script.append(.init(.adjust, fault: .dropAfterBooking))
        let outcome = try await shop.adjust(money(5_00), of: id)
        _ = try await shop.capture(money(5_00), of: id)
        try await shop.recoverUntilSettled()
        let request = try #require(acquirer.calls("reverse").first?.request)
        #expect(request.original?.id == outcome.operation.id)
        #expect(try await shop.payment(id).capturableAmount == money(5_00))
        try await expectAgreement(shop)
    }

    /// Half a change is none.
    @Test func adjustmentThatIsApprovedForLessIsTakenBack() async throws {
        let (shop, acquirer) = try await Shop.intercepted(outcomes: { call, next in
            let outcome = await next()
            guard call.name == "adjust", case .approved(let approval) = outcome else { return outcome }
            return .approved(AcquirerApproval(amount: money(12_00), answer: approval.answer))
        })
        let id = try await shop.authorize(money(10_00)).payment.id
        let outcome = try await shop.adjust(money(15_00), of: id)
        #expect(outcome.operation.state == .failed(.reversed))
        #expect(outcome.payment.authorizedAmount == money(10_00))
        #expect(acquirer.calls.map(\.name) == ["authorize", "adjust", "reverse"])
        try await expectAgreement(shop)
    }
}
