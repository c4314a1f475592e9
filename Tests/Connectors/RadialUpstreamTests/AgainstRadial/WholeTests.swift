//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
@_spi(Administration) import Gateway
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import TestUpstream
import Testing

@testable import RadialUpstream

/// Whole payments: a shop's gateway, the connector, HTTP, another gateway, and its events on their way back.
@Suite struct WholeTests {
    @Test func paymentGoesItsWay() async throws {
        try await TwoGateways.with { gateways in
            let authorized = try await gateways.authorize(5000)
            #expect(authorized.operation.state == .succeeded)
            let id = authorized.payment.id
            let capture = try await gateways.follow(.capture(try Bench.money(3000), isFinal: false), of: id)
            // Acknowledged, and not settled before it is reported.
            #expect(capture.state == .accepted)
            #expect(try await gateways.deliver() == 1)
            #expect(try await gateways.state(of: capture) == .succeeded)
            let last = try await gateways.follow(.capture(try Bench.money(500), isFinal: true), of: id)
            try await gateways.deliver()
            #expect(try await gateways.state(of: last) == .succeeded)
            let refund = try await gateways.follow(.refund(try Bench.money(1000)), of: id)
            #expect(refund.state == .accepted)
            try await gateways.deliver()
            #expect(try await gateways.state(of: refund) == .succeeded)
            try await gateways.expectAgreement(on: id, authorized: 5000, captured: 3500, refunded: 1000)
        }
    }

    @Test func voidEndsByItsEvent() async throws {
        try await TwoGateways.with { gateways in
            let id = try await gateways.authorize(5000).payment.id
            let void = try await gateways.follow(.void(nil), of: id)
            #expect(void.state == .accepted)
            #expect(try await gateways.deliver() == 1)
            #expect(try await gateways.state(of: void) == .succeeded)
            let payment = try await gateways.first.store.read { try $0.payment(id) }
            #expect(payment?.state == .voided)
            #expect(try await gateways.other.positions()[id.shortName]?.voided == Bench.money(5000))
        }
    }

    @Test func declineIsADecline() async throws {
        try await TwoGateways.with { gateways in
            let declined = try await gateways.authorize(5757)
            #expect(declined.operation.state == .failed(.declined(.doNotHonor)))
            try await gateways.expectAgreement(on: declined.payment.id)
        }
    }

    // MARK: - Events

    /// The vendor sends an event again until it is acknowledged, and in any order.
    @Test func eventsTwiceAndOutOfOrderAreBookedOnce() async throws {
        try await TwoGateways.with { gateways in
            let id = try await gateways.authorize(5000).payment.id
            let captures = [
                try await gateways.follow(.capture(try Bench.money(1000), isFinal: false), of: id),
                try await gateways.follow(.capture(try Bench.money(2000), isFinal: false), of: id),
            ]
            let reports = try await gateways.reports()
            #expect(reports.count == 2)
            for report in reports.reversed() + reports { #expect(await gateways.receive(report) == 200) }
            for capture in captures { #expect(try await gateways.state(of: capture) == .succeeded) }
            try await gateways.expectAgreement(on: id, authorized: 5000, captured: 3000)
        }
    }

    @Test func forgedEventsChangeNothing() async throws {
        try await TwoGateways.with { gateways in
            let id = try await gateways.authorize(5000).payment.id
            let capture = try await gateways.follow(.capture(nil, isFinal: false), of: id)
            for report in try await gateways.reports() {
                let forged = NoticeCall(headers: ["authorization": "Basic Zm9yZ2Vk"], body: report.body)
                #expect(await gateways.receive(forged) == 401)
                #expect(await gateways.receive(NoticeCall(headers: report.headers, body: [0x3C])) == 400)
            }
            #expect(try await gateways.state(of: capture) == .accepted)
        }
    }

    /// Another gateway's payment at the same store: it is sent again, and somebody looks at it.
    @Test func eventsOfUnknownOperationsAreNotAcknowledged() async throws {
        try await TwoGateways.with { gateways in
            let id = try await gateways.authorize(5000).payment.id
            let capture = try await gateways.follow(.capture(nil, isFinal: false), of: id)
            for report in try await gateways.reports() {
                let text = String(decoding: report.body, as: UTF8.self)
                let stranger = text.replacing(capture.id.text, with: Bench.operationID.text)
                #expect(stranger != text)
                let call = NoticeCall(headers: report.headers, body: Array(stranger.utf8))
                #expect(await gateways.receive(call) == 404)
            }
        }
    }

    /// "More than one status may follow": what was settled comes to nothing.
    @Test func settlementThatIsRefusedLaterFailsLate() async throws {
        try await TwoGateways.with { gateways in
            let id = try await gateways.authorize(5000).payment.id
            let capture = try await gateways.follow(.capture(nil, isFinal: false), of: id)
            let settled = try #require(try await gateways.reports().first)
            #expect(await gateways.receive(settled) == 200)
            let refused = String(decoding: settled.body, as: UTF8.self)
                .replacing("<SettlementStatus>S<", with: "<SettlementStatus>R<")
            for _ in 0..<2 {
                let call = NoticeCall(headers: settled.headers, body: Array(refused.utf8))
                #expect(await gateways.receive(call) == 200)
            }
            #expect(try await gateways.state(of: capture) == .failed(.declined(.unspecified)))
            let payment = try await gateways.first.store.read { try $0.payment(id) }
            #expect(payment?.operations.count { $0.kind == .lateFailure } == 1)
        }
    }

    // MARK: - Lost answers

    /// What the acquirer has never answered is nobody's to take back; it waits, and is neither approved nor failed.
    @Test func lostAuthorizationStaysOpen() async throws {
        let (swallowed, continuation) = AsyncStream<Void>.makeStream()
        let made = MadeProxy()
        let through: (Int) async throws -> Int = { port in
            let proxy = try await FaultyProxy(to: port)
            proxy.onSwallowed { continuation.finish() }
            proxy.set(.swallowAnswer)
            await made.set(proxy)
            return proxy.port
        }
        let limits = UpstreamLimits(connectMilliseconds: 60_000)
        let client = UpstreamClient(limits: limits) { _ in for await _ in swallowed {} }
        try await TwoGateways.with(through: through, client: client) { gateways in
            let outcome = try await gateways.authorize(5000)
            #expect(outcome.operation.state == .unknown)
            await gateways.first.recover()
            #expect(try await gateways.state(of: outcome.operation) == .unknown)
            #expect(try await gateways.other.test.bookedCount(.authorization) == 1)
            await made.proxy?.close()
        }
    }

    private actor MadeProxy {
        private(set) var proxy: FaultyProxy?

        func set(_ proxy: FaultyProxy) { self.proxy = proxy }
    }
}
