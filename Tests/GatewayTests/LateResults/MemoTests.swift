//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Gateway
import Money
import Payments
import StrictJSON
import Testing

@testable import SimulatorAcquirer

/// An acquirer that knows operations by names of its own, which have to be durable before anything is sent.
struct MemoTests {
    private static let naming = ["namesOperations": "true"]

    @Test func everyOperationIsSentWithItsName() async throws {
        let upstream = try await Upstream.open(Self.naming)
        let payment = try await upstream.shop.authorize(money(10_00)).payment.id
        #expect(try await upstream.shop.capture(money(4_00), of: payment).operation.state == .succeeded)
        #expect(try await upstream.shop.refund(money(1_00), of: payment).operation.state == .succeeded)
        #expect(try await upstream.shop.store.read { try $0.memos(of: payment) }.count == 3)
    }

    /// Without what was noted before the answer was lost nobody could ask.
    @Test(arguments: [SimulatorFault.dropAfterBooking, .dropBeforeBooking])
    func lostOperationIsFoundByItsName(_ fault: SimulatorFault) async throws {
        let upstream = try await Upstream.open(Self.naming)
        upstream.shop.script.append(.init(.authorize, .first(1), fault: fault))
        let outcome = try await upstream.shop.authorize(money(10_00))
        let restarted = try await upstream.shop.restarted()
        try await restarted.recoverUntilSettled()
        let state = try await restarted.payment(outcome.payment.id).state
        #expect(state == (fault == .dropAfterBooking ? .authorized : .reversed))
    }

    @Test func memosAreSealed() async throws {
        let upstream = try await Upstream.open(Self.naming)
        let payment = try await upstream.shop.authorize(money(10_00)).payment.id
        let memo = try #require(try await upstream.shop.store.read { try $0.memos(of: payment) }.first)
        #expect(!String(decoding: memo.content.box, as: UTF8.self).contains("sim-"))
        // And come under a new data key with all else.
        let administration = upstream.shop.gateway.administration
        _ = try await administration.rotateDataKey()
        var sweep = administration.sweepKeys()
        try await sweep.run()
        let after = try #require(try await upstream.shop.store.read { try $0.memos(of: payment) }.first)
        #expect(after.content.keyID != memo.content.keyID)
        #expect(try await upstream.shop.capture(nil, of: payment).operation.state == .succeeded)
    }

    @Test func noticesNameOperationsByTheirHandles() async throws {
        let upstream = try await Upstream.open(Self.naming)
        let outcome = try await upstream.shop.sell(money(10_00))
        let store = upstream.shop.store
        // What the acquirer calls it, only its memo and the reference know.
        let name = SimulatedAnswer.name(of: outcome.operation.id)
        #expect(await upstream.report("failed", ["handle": .string(name)]).status == 200)
        #expect(try await store.read { try $0.payment(outcome.payment.id) }?.state == .declined)
        #expect(await upstream.report("failed", ["handle": "sim-000"]).status == 404)
    }
}
