//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import MemoryStore
import Payments
import SimulatorAcquirer
import StrictJSON
import TestGateway
import Testing

@testable import AlphaPay

/// Of two calls for one order neither denies what the other may do.
@Suite struct SimultaneousPayTests {
    /// - Returns: what opens when the next write has come, and what lets it go on.
    private static func holdNextWrite(of store: HookedStore) -> (arrived: Gate, road: Gate) {
        let (arrived, road) = (Gate(), Gate())
        store.beforeWrite(1) {
            arrived.open()
            await road.wait()
        }
        return (arrived, road)
    }

    /// The first call's payment is not begun yet: nothing but the call itself shows that the customer will be charged.
    @Test func aRefusedCallDoesNotDenyOneThatIsStillReadingItsToken() async throws {
        let store = HookedStore(MemoryStore())
        let shop = try await TestShop.open(store: store)
        let order = try await shop.order("1099", id: "o1")
        let (arrived, road) = Self.holdNextWrite(of: store)
        async let first = shop.pay(order.paymentID, 1099)
        await arrived.wait()
        let refused = [
            try await shop.pay(order.paymentID, 1098),
            try await shop.call("apple-pay/pay", ["paymentId": .string(order.paymentID)]),
        ]
        road.open()
        for (reply, code) in zip(refused, ["APPLE_PAY_AMOUNT_MISMATCH", "PARAM_ILLEGAL"]) {
            #expect(reply.result == "PAYMENT_IN_PROCESS U" && reply["paymentStatus"] == "PAYMENT_IN_PROCESS")
            #expect(reply["paymentRequestId"] == "o1" && reply.message.contains(code) && reply.isSigned)
        }
        #expect(try await first.result == "SUCCESS S")
        #expect(try await shop.pay(order.paymentID, 1098).result == "ORDER_PAID F")
    }

    /// The call may have looked at the order before its time was over.
    @Test func anOrderWhoseTimeIsOverDoesNotDenyACallThatIsUnderWay() async throws {
        let store = HookedStore(MemoryStore())
        let shop = try await TestShop.open(store: store)
        let order = try await shop.order("1099")
        let (arrived, road) = Self.holdNextWrite(of: store)
        async let first = shop.pay(order.paymentID, 1099)
        await arrived.wait()
        shop.clock.advance(seconds: AlphaPay.orderLifetimeSeconds + 1)
        let refused = try await shop.pay(order.paymentID, 1099)
        road.open()
        #expect(refused.result == "PAYMENT_IN_PROCESS U" && refused["paymentStatus"] == "PAYMENT_IN_PROCESS")
        _ = try await first
    }

    /// Nor does the end of an earlier attempt.
    @Test func aFailedAttemptDoesNotDenyTheNext() async throws {
        let store = HookedStore(MemoryStore())
        let shop = try await TestShop.open(store: store)
        shop.script.append(.init(.authorize, .nth(1), fault: .decline(.insufficientFunds)))
        let order = try await shop.order("1099")
        #expect(try await shop.pay(order.paymentID, 1099)["paymentStatus"] == "FAILED")
        let (arrived, road) = Self.holdNextWrite(of: store)
        async let second = shop.pay(order.paymentID, 1099)
        await arrived.wait()
        let refused = try await shop.pay(order.paymentID, 1098)
        road.open()
        #expect(refused.result == "PAYMENT_IN_PROCESS U" && refused["paymentStatus"] == "PAYMENT_IN_PROCESS")
        #expect(try await second.result == "SUCCESS S")
    }

    /// A call is not its own obstacle: refused alone it is refused as such, however often.
    @Test func aCallThatIsAloneIsAnsweredAsRefused() async throws {
        let shop = try await TestShop.open()
        let order = try await shop.order("1099")
        for _ in 0..<2 {
            let refused = try await shop.pay(order.paymentID, 1098)
            #expect(refused.result == "APPLE_PAY_AMOUNT_MISMATCH F" && refused["paymentStatus"] == "FAILED")
        }
    }
}
