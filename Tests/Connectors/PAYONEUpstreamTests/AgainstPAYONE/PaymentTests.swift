//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import TestUpstream
import Testing
import WalletSimulator

@testable import PAYONEUpstream

/// Payments at another gateway, whose book is looked into after each.
@Suite struct PaymentTests {
    private static func with(_ body: (Steps, OtherPAYONE) async throws -> Void) async throws {
        let other = try await OtherPAYONE.open()
        try await other.withAcquirer { acquirer in try await body(Steps(acquirer, other), other) }
        #expect(try await other.test.bookProblems().isEmpty)
    }

    private static func expectBooked(
        _ other: OtherPAYONE, _ steps: Steps, authorized: Int64 = 0, captured: Int64 = 0, refunded: Int64 = 0,
        voided: Int64 = 0, released: Int64 = 0, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let position = try #require(try await other.positions()[steps.reference], sourceLocation: sourceLocation)
        #expect(position.authorized.minorUnits == authorized, sourceLocation: sourceLocation)
        #expect(position.captured.minorUnits == captured, sourceLocation: sourceLocation)
        #expect(position.refunded.minorUnits == refunded, sourceLocation: sourceLocation)
        #expect(position.voided.minorUnits == voided, sourceLocation: sourceLocation)
        #expect(position.released.minorUnits == released, sourceLocation: sourceLocation)
    }

    /// A payment of the vendor's networks, opened by whoever holds its key.
    @Test(arguments: [SimulatedCard.visa, .mastercard, .girocardMastercard])
    func sale(_ card: SimulatedCard) async throws {
        let amount = try Bench.money(1000)
        try await Self.with { steps, other in
            let outcome = try await steps.authorize(amount, captures: true, card: card)
            guard case .approved(let approval) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(approval.amount == amount)
            #expect(approval.answer.reference?.count == 9 && approval.answer.reference == approval.memo["txid"])
            try await Self.expectBooked(other, steps, authorized: 1000, captured: 1000)
        }
    }

    @Test func capturesInPartsAndRefunds() async throws {
        try await Self.with { steps, other in
            #expect(try await steps.authorize(Bench.money(1000)).isApproved(Bench.money(1000)))
            #expect(try await steps.capture(Bench.money(300)).isApproved(Bench.money(300)))
            #expect(try await steps.refund(Bench.money(100)).isApproved(Bench.money(100)))
            #expect(try await steps.capture(Bench.money(500)).isApproved(Bench.money(500)))
            try await Self.expectBooked(other, steps, authorized: 1000, captured: 800, refunded: 100)
            #expect(try await steps.capture(Bench.money(100), isFinal: true).isApproved(Bench.money(100)))
            try await Self.expectBooked(
                other, steps, authorized: 1000, captured: 900, refunded: 100, released: 100)
            #expect(try await steps.refund(Bench.money(800)).isApproved(Bench.money(800)))
            #expect(try await steps.refund(Bench.money(1)).declineReason == .invalidOperation)
            try await Self.expectBooked(
                other, steps, authorized: 1000, captured: 900, refunded: 900, released: 100)
        }
    }

    /// A number is used again after a decline.
    @Test func whatIsDeclinedUsesNoNumber() async throws {
        try await Self.with { steps, other in
            #expect(try await steps.authorize(Bench.money(1000)).isApproved(Bench.money(1000)))
            #expect(try await steps.refund(Bench.money(1)).declineReason == .invalidOperation)
            #expect(try await steps.capture(Bench.money(1001)).declineReason == .invalidOperation)
            #expect(try await steps.capture(Bench.money(400)).isApproved(Bench.money(400)))
            #expect(try await steps.refund(Bench.money(500)).declineReason == .invalidOperation)
            #expect(try await steps.capture(Bench.money(600)).isApproved(Bench.money(600)))
            #expect(try await steps.capture(Bench.money(1)).declineReason == .invalidOperation)
            try await Self.expectBooked(other, steps, authorized: 1000, captured: 1000)
        }
    }

    @Test func voidGivesTheAuthorizationBack() async throws {
        try await Self.with { steps, other in
            let amount = try Bench.money(1000)
            #expect(try await steps.authorize(amount).isApproved(amount))
            #expect(try await steps.void(amount).isApproved(amount))
            #expect(try await steps.capture(amount).declineReason == .invalidOperation)
            #expect(try await steps.void(amount).declineReason == .invalidOperation)
            try await Self.expectBooked(other, steps, authorized: 1000, voided: 1000)
        }
    }

    @Test func voidAfterACaptureIsDeclined() async throws {
        try await Self.with { steps, other in
            let amount = try Bench.money(1000)
            #expect(try await steps.authorize(amount).isApproved(amount))
            #expect(try await steps.capture(Bench.money(1)).isApproved(Bench.money(1)))
            #expect(try await steps.void(amount).declineReason == .invalidOperation)
            try await Self.expectBooked(other, steps, authorized: 1000, captured: 1)
        }
    }

    @Test func reversalOfASaleRefundsIt() async throws {
        try await Self.with { steps, other in
            let amount = try Bench.money(1000)
            #expect(try await steps.authorize(amount, captures: true).isApproved(amount))
            #expect(try await steps.reverse(amount).isApproved(amount))
            try await Self.expectBooked(other, steps, authorized: 1000, captured: 1000, refunded: 1000)
        }
    }

    /// The other gateway's test amounts, as its document lists them.
    @Test(
        arguments: [
            (5656, "approved"), (5757, "declined doNotHonor"), (5858, "unknown pending"),
            (5959, "declined doNotHonor"), (6161, "declined invalidOperation"), (6262, "declined systemError"),
            (6363, "unknown pending"),
        ] as [(Int64, String)])
    func testAmountsEndAsTheyShould(_ minorUnits: Int64, _ ending: String) async throws {
        let amount = try Bench.money(minorUnits)
        let other = try await OtherPAYONE.open()
        try await other.withAcquirer { acquirer in
            for captures in [false, true] {
                let outcome = try await Steps(acquirer, other, number: captures ? 1 : 2)
                    .authorize(amount, captures: captures)
                let found =
                    switch outcome {
                    case .approved(let approval): approval.amount == amount ? "approved" : "approved in part"
                    case .declined(let decline): "declined \(decline.reason.rawValue)"
                    case .unknown(let unknown): "unknown \(unknown.word)"
                    case .accepted, .notProcessed: "\(outcome)"
                    }
                #expect(found == ending)
            }
        }
    }

    /// The token's own errors are refusals of the request: nobody's decline.
    @Test func aTokenOfAnotherAmountIsNotProcessed() async throws {
        let other = try await OtherPAYONE.open()
        let outcome = try await other.withAcquirer { acquirer in
            let charge = Bench.charge(instrument: try other.token(Bench.money(900)))
            return await acquirer.perform(Bench.authorize(try Bench.money(1000), charge))
        }
        #expect(outcome == Bench.notProcessed(.tokenRefused, "error_2700"))
        #expect(try await other.positions().isEmpty)
    }

    @Test func theCheckFindsTheAccountInOrder() async throws {
        let other = try await OtherPAYONE.open()
        try await other.gateway.serving { port in
            let client = Bench.client()
            let connector = PAYONEConnector(client: client)
            let host = "http://127.0.0.1:\(port)"
            let good = await connector.check(Bench.account(host: host))
            #expect(good.map(\.isGood) == [true, true])
            for (settings, secrets) in [
                (["mid": "10002"], ["key": Bench.key]), (["aid": "20003"], ["key": Bench.key]),
                (["portalid": "2030406"], ["key": Bench.key]), ([:], ["key": Bench.secondKey]),
            ] as [([String: String?], [String: String])] {
                let findings = await connector.check(Bench.account(host: host, settings: settings, secrets: secrets))
                #expect(findings.map(\.isGood) == [true, false])
            }
            await client.shutdown()
        }
        #expect(try await other.test.payments().isEmpty)
    }
}
