//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Gateway
import Money
import Payments
import TestGateway
import TestUpstream
import Testing

@testable import PAYONEUpstream

/// What another gateway reports of payments, and what becomes of it here.
@Suite struct ReportTests {
    /// What was answered is reported all the same, and changes nothing.
    @Test func reportsOfWhatIsKnownChangeNothing() async throws {
        try await TwoGateways.with { gateways in
            let amount = try Bench.money(1000)
            let paid = try await gateways.authorize(amount)
            let id = paid.payment.id
            #expect(paid.operation.state == .succeeded)
            _ = try await gateways.follow(.capture(Bench.money(400), isFinal: false), of: id)
            _ = try await gateways.follow(.capture(Bench.money(500), isFinal: true), of: id)
            _ = try await gateways.follow(.refund(Bench.money(100)), of: id)
            try await gateways.expectAgreement(on: id, authorized: 1000, captured: 900, refunded: 100)
            let before = try await gateways.payment(id)
            #expect(try await gateways.deliver() == 6)
            #expect(try await gateways.payment(id) == before)
            #expect(before.operations.allSatisfy { $0.state == .succeeded })
        }
    }

    @Test func aSaleIsReportedAsOne() async throws {
        try await TwoGateways.with { gateways in
            let paid = try await gateways.authorize(Bench.money(1000), sale: true)
            #expect(try await gateways.deliver() == 2)
            try await gateways.expectAgreement(on: paid.payment.id, authorized: 1000, captured: 1000)
        }
    }

    /// "PENDING": the txid comes with the answer, the end with the TransactionStatus.
    @Test(arguments: [false, true]) func pendingAuthorizationEndsByItsReport(_ sale: Bool) async throws {
        try await TwoGateways.with { gateways in
            let paid = try await gateways.authorize(Bench.money(5858), sale: sale)
            #expect(paid.operation.state == .unknown)
            let id = paid.payment.id
            // Nothing but a report ends it: nobody is asked, and nothing is sent again.
            await gateways.first.recover()
            #expect(try await gateways.payment(id).operations.map(\.state) == [.unknown])
            await gateways.other.test.recover()
            #expect(try await gateways.deliver() == (sale ? 3 : 2))
            #expect(try await gateways.payment(id).operations.allSatisfy { $0.state == .succeeded })
            if sale {
                _ = try await gateways.follow(.refund(Bench.money(58)), of: id)
                try await gateways.expectAgreement(on: id, authorized: 5858, captured: 5858, refunded: 58)
            } else {
                _ = try await gateways.follow(.capture(Bench.money(5800), isFinal: true), of: id)
                try await gateways.expectAgreement(on: id, authorized: 5858, captured: 5800)
            }
        }
    }

    @Test func pendingAuthorizationFailsByItsReport() async throws {
        try await TwoGateways.with { gateways in
            let paid = try await gateways.authorize(Bench.money(6363))
            #expect(paid.operation.state == .unknown)
            await gateways.other.test.recover()
            #expect(try await gateways.deliver() == 2)
            let payment = try await gateways.payment(paid.payment.id)
            #expect(payment.state == .declined)
            try await gateways.expectAgreement(on: paid.payment.id)
        }
    }

    /// Each request by its number, though the first of that number was declined.
    @Test func pendingFollowUpsEndByTheirReports() async throws {
        try await TwoGateways.with { gateways in
            let id = try await gateways.authorize(Bench.money(20_000)).payment.id
            let declined = try await gateways.follow(.capture(Bench.money(5757), isFinal: false), of: id)
            #expect(declined.operation.state == .failed(.declined(.doNotHonor)))
            let capture = try await gateways.follow(.capture(Bench.money(5858), isFinal: false), of: id)
            #expect(capture.operation.state == .unknown)
            await gateways.other.test.recover()
            try await gateways.deliver()
            #expect(try await gateways.payment(id).operation(capture.operation.id)?.state == .succeeded)
            try await gateways.expectAgreement(on: id, authorized: 20_000, captured: 5858)
            let second = try await gateways.follow(.capture(Bench.money(6000), isFinal: false), of: id)
            #expect(second.operation.state == .succeeded)
            let refund = try await gateways.follow(.refund(Bench.money(5858)), of: id)
            #expect(refund.operation.state == .unknown)
            await gateways.other.test.recover()
            try await gateways.deliver()
            try await gateways.expectAgreement(on: id, authorized: 20_000, captured: 11_858, refunded: 5858)
        }
    }

    @Test func pendingCaptureFailsByItsReport() async throws {
        try await TwoGateways.with { gateways in
            let id = try await gateways.authorize(Bench.money(10_000)).payment.id
            let capture = try await gateways.follow(.capture(Bench.money(6363), isFinal: false), of: id)
            #expect(capture.operation.state == .unknown)
            await gateways.other.test.recover()
            try await gateways.deliver()
            let settled = try await gateways.payment(id).operation(capture.operation.id)
            guard case .failed? = settled?.state else {
                Issue.record("\(String(describing: settled?.state))")
                return
            }
            // Its number is free again.
            let again = try await gateways.follow(.capture(Bench.money(10_000), isFinal: true), of: id)
            #expect(again.operation.state == .succeeded)
            try await gateways.expectAgreement(on: id, authorized: 10_000, captured: 10_000)
        }
    }

    /// The answer was lost on the way, and with it the txid: the reference brings both.
    @Test func lostAnswerIsFoundByTheReference() async throws {
        try await TwoGateways.with(losesAnswers: true) { gateways in
            let paid = try await gateways.authorize(Bench.money(1000))
            #expect(paid.operation.state == .unknown)
            #expect(try await gateways.deliver() == 1)
            try await gateways.expectAgreement(on: paid.payment.id, authorized: 1000)
        }
    }

    @Test func repeatedReportsAreBookedOnce() async throws {
        try await TwoGateways.with { gateways in
            let id = try await gateways.authorize(Bench.money(5858)).payment.id
            await gateways.other.test.recover()
            let reports = try await gateways.reports()
            for report in reports + reports.reversed() {
                #expect(await gateways.receive(report).body == "TSOK")
            }
            try await gateways.expectAgreement(on: id, authorized: 5858)
            #expect(try await gateways.payment(id).operations.count == 1)
        }
    }

    /// A capture's report says nothing while the authorization's has not come; nothing is booked twice by it.
    @Test func reportsInAnyOrderEndAlike() async throws {
        try await TwoGateways.with { gateways in
            let id = try await gateways.authorize(Bench.money(10_000)).payment.id
            _ = try await gateways.follow(.capture(Bench.money(5858), isFinal: false), of: id)
            await gateways.other.test.recover()
            for report in try await gateways.reports().reversed() {
                #expect(await gateways.receive(report).body == "TSOK")
            }
            try await gateways.expectAgreement(on: id, authorized: 10_000, captured: 5858)
        }
    }

    @Test func reportsUnderAnotherKeyBookNothing() async throws {
        try await TwoGateways.with { gateways in
            let id = try await gateways.authorize(Bench.money(5858)).payment.id
            await gateways.other.test.recover()
            for report in try await gateways.reports() {
                let forged = String(decoding: report, as: UTF8.self)
                    .replacing(Bench.keyMD5, with: Bench.secondKeyMD5)
                #expect(await gateways.receive(Array(forged.utf8)).status == 401)
            }
            #expect(try await gateways.payment(id).operations.map(\.state) == [.unknown])
        }
    }

    /// A payment process that the gateway does not know is sent again: perhaps it is known by then.
    @Test func reportsOfUnknownPaymentsAreSentAgain() async throws {
        try await TwoGateways.with { gateways in
            _ = try await gateways.authorize(Bench.money(1000))
            let report = try #require(try await gateways.reports().first)
            let text = String(decoding: report, as: UTF8.self)
            let reference = try #require(try await gateways.first.payments().first?.operations.first?.id.shortName)
            let other = text.replacing(reference, with: "0000000000000000")
            #expect(await gateways.receive(Array(other.utf8)).status == 404)
        }
    }

    // MARK: - Late

    private static func report(_ report: [UInt8], _ changes: [String: String]) -> [UInt8] {
        var pairs = String(decoding: report, as: UTF8.self).split(separator: "&").map(String.init)
        for (name, value) in changes {
            pairs.removeAll { $0.hasPrefix("\(name)=") }
            pairs.append("\(name)=\(value)")
        }
        return Array(pairs.joined(separator: "&").utf8)
    }

    @Test func aReturnedPaymentIsAChargebackOnce() async throws {
        try await TwoGateways.with { gateways in
            let id = try await gateways.authorize(Bench.money(1000), sale: true).payment.id
            let first = try #require(try await gateways.reports().first)
            let cancelation = Self.report(
                first, ["txaction": "cancelation", "balance": "4.00", "receivable": "10.00", "sequencenumber": "0"])
            for _ in 0..<2 { #expect(await gateways.receive(cancelation).body == "TSOK") }
            let payment = try await gateways.payment(id)
            #expect(try payment.chargedBackAmount == Bench.money(400))
            #expect(try await gateways.problems().isEmpty)
        }
    }

    /// Two of one amount, on one day, as the other gateway reports them: each message says what is open in all.
    @Test func equalChargebacksAreBookedEach() async throws {
        try await TwoGateways.with { gateways in
            let id = try await gateways.authorize(Bench.money(1000), sale: true).payment.id
            let other = try #require(try await gateways.other.test.payments().first?.opening)
            for (number, booked) in [(1, 400), (2, 800)] as [(Int, Int64)] {
                let event = AcquirerNotice.Event.chargedBack(try Bench.money(400), fee: nil)
                #expect(
                    try await gateways.other.test.report(event, of: other.id, reference: "chargeback \(number)")
                        == .booked)
                // As it may be delivered: twice.
                for report in try await gateways.reports() {
                    for _ in 0..<2 { #expect(await gateways.receive(report).body == "TSOK") }
                }
                #expect(try await gateways.payment(id).chargedBackAmount == Bench.money(booked))
            }
            #expect(try await gateways.problems().isEmpty)
        }
    }

    @Test func aRefundThatCameToNothingFailsLate() async throws {
        try await TwoGateways.with { gateways in
            let id = try await gateways.authorize(Bench.money(1000), sale: true).payment.id
            let refund = try await gateways.follow(.refund(Bench.money(300)), of: id)
            let first = try #require(try await gateways.reports().first)
            let failed = Self.report(first, ["txaction": "failed", "sequencenumber": "1", "reasoncode": "103"])
            for _ in 0..<2 { #expect(await gateways.receive(failed).body == "TSOK") }
            let payment = try await gateways.payment(id)
            #expect(try payment.refundedAmount == Bench.money(0))
            #expect(payment.operations.count { $0.kind == .lateFailure && $0.target == refund.operation.id } == 1)
            #expect(try await LedgerAudit.run(store: gateways.first.store).problems.isEmpty)
        }
    }

    @Test func aNoticeNeverReachesAnAccountOfTheOtherMode() async throws {
        try await TwoGateways.with { gateways in
            _ = try await gateways.authorize(Bench.money(1000))
            let report = try #require(try await gateways.reports().first)
            #expect(await gateways.receive(Self.report(report, ["mode": "live"])).status == 400)
        }
    }
}
