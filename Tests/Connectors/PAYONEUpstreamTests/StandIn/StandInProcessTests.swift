//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import TestGateway
import TestUpstream
import Testing

@testable import PAYONEUpstream

/// Payment processes with their numbers, keys and captures of nothing, as PAYONE may do them one way or the other.
@Suite struct StandInProcessTests {
    /// A refused request uses no number, as believed.
    @Test func aRefusedRequestLeavesItsNumberToTheNext() async throws {
        try await AtStandIn.with { at in
            let id = try await at.authorize(1000).payment.id
            at.standIn.next(.refused(2))
            #expect(try await at.capture(600, of: id).operation.state == .failed(.declined(.doNotHonor)))
            #expect(try await at.capture(600, of: id).operation.state == .succeeded)
            #expect(try await at.refund(100, of: id).operation.state == .succeeded)
            await at.deliver(at.standIn.messages)
            try await at.expectAgreement()
        }
    }

    /// It uses one, contrary to what is believed: what follows is refused, and nothing is booked on either side.
    @Test func numbersThatRefusalsUseUpBookNothing() async throws {
        try await AtStandIn.with { at in
            at.standIn.set { $0.refusedRequestsUseNumbers = true }
            let id = try await at.authorize(1000).payment.id
            at.standIn.next(.refused(2))
            try await at.capture(600, of: id)
            #expect(try await at.capture(600, of: id).operation.state == .failed(.notProcessed(.requestRefused)))
            #expect(try await at.capture(1000, of: id).operation.state == .failed(.notProcessed(.requestRefused)))
            await at.deliver(at.standIn.messages)
            #expect(at.standIn.processes.map(\.captured) == [0])
            try await at.expectAgreement()
        }
    }

    /// A refund in the PAYONE Merchant Interface takes a number: the gateway's own is refused, and the other one's
    /// notice is never taken for it.
    @Test func aNumberTakenByHandIsNeverBookedHere() async throws {
        try await AtStandIn.with { at in
            let paid = try await at.authorize(1000, sale: true)
            let id = paid.payment.id
            await at.deliver(at.standIn.messages)
            at.standIn.refundByHand(paid.reference, 300)
            let message = try #require(at.standIn.messages.last)
            await at.deliver([message])
            #expect(try await at.refund(200, of: id).operation.state == .failed(.notProcessed(.requestRefused)))
            await at.deliver([message])
            #expect(try await at.front.payment(id).refundedAmount.minorUnits == 0)
            try await at.expectAgreement()
        }
    }

    @Test func aWholePaymentKeepsItsNumbers() async throws {
        try await AtStandIn.with { at in
            let id = try await at.authorize(1000).payment.id
            for (captured, refunded) in [(200, 50), (300, 100), (500, 850)] as [(Int64, Int64)] {
                #expect(try await at.capture(captured, of: id).operation.state == .succeeded)
                #expect(try await at.refund(refunded, of: id).operation.state == .succeeded)
            }
            #expect(at.standIn.processes.first?.bookings.map(\.number) == Array(0...6))
            #expect(at.standIn.processes.first?.isCompleted == true)
            await at.deliver(at.standIn.messages)
            try await at.expectAgreement()
        }
    }

    // MARK: - Voids

    @Test func aCaptureOfNothingGivesTheReservationBack() async throws {
        try await AtStandIn.with { at in
            let id = try await at.authorize(1000).payment.id
            let voided = try await at.front.follow(.void(nil), of: id)
            #expect(voided.operation.state == .succeeded)
            #expect(at.standIn.processes.map(\.isReleased) == [true])
            await at.deliver(at.standIn.messages)
            try await at.expectAgreement()
        }
    }

    /// "Amount for multiple partial capture cannot be 0": the payment stands, and can be captured.
    @Test func aRefusedCaptureOfNothingLeavesThePaymentAsItWas() async throws {
        try await AtStandIn.with { at in
            at.standIn.set { $0.releasesByCapture = false }
            let id = try await at.authorize(1000).payment.id
            let voided = try await at.front.follow(.void(nil), of: id)
            #expect(voided.operation.state == .failed(.notProcessed(.requestRefused)))
            #expect(try await at.capture(1000, of: id).operation.state == .succeeded)
            try await at.expectAgreement()
        }
    }

    // MARK: - Keys

    /// The key is changed at PAYONE between two requests: the one that is refused has done nothing, and the other is
    /// sent once.
    @Test func aChangedKeyLosesAndDoublesNothing() async throws {
        try await AtStandIn.with(secrets: ["key": Bench.key, "key2": Bench.secondKey]) { at in
            let id = try await at.authorize(1000).payment.id
            at.standIn.set { $0.keyDigests = [Bench.secondKeySHA384] }
            #expect(try await at.capture(600, of: id).operation.state == .succeeded)
            #expect(try await at.refund(100, of: id).operation.state == .succeeded)
            #expect(at.standIn.requestsCount == 4)
            try await at.expectAgreement()
        }
    }

    @Test func aKeyThatIsNotKnownBooksNothing() async throws {
        try await AtStandIn.with { at in
            at.standIn.set { $0.keyDigests = [] }
            #expect(try await at.authorize(1000).operation.state == .failed(.notProcessed(.notAuthorized)))
            #expect(at.standIn.processes.isEmpty)
            try await at.expectAgreement()
        }
    }
}
