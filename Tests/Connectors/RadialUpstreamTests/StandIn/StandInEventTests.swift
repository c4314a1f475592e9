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

@testable import RadialUpstream

/// The stand-in's events, in every order and from everybody, and cancellations, of which it says only the order.
@Suite struct StandInEventTests {
    @Test func eventsInAnyOrderAndAnyNumberAreBookedOnce() async throws {
        try await AtStandIn.with { at in
            let id = try await at.authorize().payment.id
            _ = try await at.capture(1000, of: id)
            _ = try await at.capture(2000, of: id)
            at.standIn.refuse(nil, "ExpiredCard")
            let events = at.standIn.night()
            await at.deliver(events.reversed() + events)
            #expect(await at.receive(events + events) == 200)
            try await at.expectAgreement()
            #expect(at.standIn.orders.map(\.captured) == [1000])
        }
    }

    @Test func eventBeforeTheAnswerIsBooked() async throws {
        try await AtStandIn.with { at in
            let id = try await at.authorize().payment.id
            at.standIn.next(.settle, .held)
            async let capture = at.capture(5000, of: id)
            await at.standIn.heldRequestArrived()
            await at.deliver(at.standIn.night())
            at.standIn.release()
            #expect(try await at.state(of: try await capture) == .succeeded)
            try await at.expectAgreement()
        }
    }

    @Test func settlementThatComesToNothingLaterFails() async throws {
        try await AtStandIn.with { at in
            let id = try await at.authorize().payment.id
            let capture = try await at.capture(5000, isFinal: true, of: id)
            await at.deliver(at.standIn.night())
            let later = at.standIn.failLater("LostOrStolenCard")
            await at.deliver(later + later)
            #expect(try await at.state(of: capture) == .failed(.declined(.lostOrStolenCard)))
            try await at.expectAgreement()
        }
    }

    @Test func eventsOfOthersChangeNothing() async throws {
        try await AtStandIn.with { at in
            let id = try await at.authorize().payment.id
            let capture = try await at.capture(5000, of: id)
            let events = at.standIn.night()
            #expect(await at.receive(events, password: "forged") == 401)
            let strangers = events.map { $0.replacing("<StoreId>\(Bench.storeID)", with: "<StoreId>OTHER") }
            #expect(await at.receive(strangers) == 404)
            let unknown = events.map { $0.replacing(capture.id.text, with: Bench.operationID.text) }
            #expect(await at.receive(unknown) == 404)
            // The Magento module names its settlements so.
            #expect(await at.receive(events.map { $0.replacing(capture.id.text, with: "CCA-1") }) == 200)
            #expect(try await at.state(of: capture) == .accepted)
            await at.deliver(events)
            try await at.expectAgreement()
        }
    }

    // MARK: - Cancellations

    @Test func voidEndsByItsEvent() async throws {
        try await AtStandIn.with { at in
            let id = try await at.authorize().payment.id
            #expect(try await at.follow(.void(nil), of: id).state == .accepted)
            let events = at.standIn.night()
            await at.deliver(events + events)
            #expect(try await at.front.payment(id).state == .voided)
            try await at.expectAgreement()
        }
    }

    /// The event names the order, and the order may have been canceled before.
    @Test(arguments: ["SystemError", "Timeout"]) func everyVoidFindsItsEvent(_ refusal: String) async throws {
        try await AtStandIn.with { at in
            let id = try await at.authorize().payment.id
            for _ in 0..<2 {
                at.standIn.refuse(refusal)
                let void = try await at.follow(.void(nil), of: id)
                await at.deliver(at.standIn.night())
                let state = try await at.state(of: void)
                #expect(state == .failed(.declined(refusal == "Timeout" ? .timedOut : .systemError)))
                try await at.expectAgreement()
            }
            let last = try await at.follow(.void(nil), of: id)
            await at.deliver(at.standIn.night())
            #expect(try await at.state(of: last) == .succeeded)
            try await at.expectAgreement()
        }
    }

    /// A repeat of the first one's event while the second is open is taken for the second one's; when that turns out to be
    /// wrong, somebody sees it.
    @Test func successOfAVoidThatCountsAsDeclinedIsReported() async throws {
        try await AtStandIn.with { at in
            let id = try await at.authorize().payment.id
            at.standIn.refuse("SystemError")
            _ = try await at.follow(.void(nil), of: id)
            let first = at.standIn.night()
            await at.deliver(first)
            let second = try await at.follow(.void(nil), of: id)
            await at.deliver(first)
            #expect(try await at.state(of: second) == .failed(.declined(.systemError)))
            await at.deliver(at.standIn.night())
            #expect(at.front.test.log.text.contains("notice of an acquirer cannot be booked"))
            #expect(try await at.disagreements().contains("held: 5000 in the gateway, 0 in the stand-in"))
            // Nothing can be taken by mistake: the service holds nothing any more.
            let capture = try await at.capture(5000, of: id)
            #expect(capture.state == .failed(.declined(.invalidOperation)))
        }
    }

    /// An order of somebody else's: it is sent again, and somebody looks.
    @Test func cancellationOfAnUnknownOrderIsNotAcknowledged() async throws {
        try await AtStandIn.with { at in
            let id = try await at.authorize().payment.id
            _ = try await at.follow(.void(nil), of: id)
            let events = at.standIn.night().map { $0.replacing(id.shortName, with: "100000123") }
            #expect(await at.receive(events) == 404)
        }
    }
}
