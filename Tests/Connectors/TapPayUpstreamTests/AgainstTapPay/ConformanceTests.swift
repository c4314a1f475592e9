//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerConformance
import Money
import Payments
import SimulatorAcquirer
import TestGateway
import TestUpstream
import Testing

@testable import TapPayUpstream

@Suite struct ConformanceTests {
    /// Laws that begin with a capture of a part, which TapPay does not make.
    private static let ofParts: Set<AcquirerLaw> = [
        .booksRepeatedCaptureOnce, .declinesCaptureBeyondAuthorization, .declinesCaptureAfterFinalOne,
        .declinesRefundBeyondCapture, .refundsInParts, .declinesVoidAfterCapture, .voidOfCaptureLeavesRoomForAnother,
        .declinesVoidOfRefundedCapture, .queryReportsApprovalAsItWasAnswered,
    ]

    /// Laws with a clause that TapPay's API can't keep; ``FlowTests`` has the other clauses of each.
    ///
    /// That the repeat of a capture that was taken back is declined: cap has no name of ours, so that it would be a
    /// second one. The gateway sends no capture twice.
    ///
    /// That repeats at the same moment are answered alike: of two primes for one token there is only one, and the call
    /// that gets none finds a payment that is not there yet. ``concurrentRepeatsAreBookedOnce()`` is what is left of it.
    ///
    /// That something is noted on a payment before it is sent: it is asked after by its own name.
    private static let ofTapPay: Set<AcquirerLaw> = [
        .reversedCaptureLeavesRoomForAnother, .booksConcurrentRepeatsOnce, .preparationMovesNothing,
    ]

    /// Laws that begin with a refund of a part of a sale, or with a refund of a sale that is taken back: TapPay captures a
    /// sale in the evening of its day, and does neither before. An account without sales keeps them.
    private static let ofCapturedSales: Set<AcquirerLaw> = [
        .booksRepeatedRefundOnce, .declinesVoidOfRefundedSale, .reversedRefundLeavesRoomForAnother,
        .voidOfRefundLeavesRoomForAnother,
    ]

    private static let others = Self.ofParts.union(Self.ofTapPay)
    private static let declines: Set<AcquirerLaw> = [
        .declinesWithReason, .declinesCaptureOfDeclinedAuthorization, .queryReportsDeclineAsItWasAnswered,
    ]

    @Test(arguments: AcquirerLaw.allCases.filter { !others.contains($0) && !ofCapturedSales.contains($0) })
    func keeps(_ law: AcquirerLaw) async throws { try await Self.check(law, sale: true) }

    @Test(arguments: AcquirerLaw.allCases.filter { !others.contains($0) })
    func keepsWithoutSales(_ law: AcquirerLaw) async throws { try await Self.check(law, sale: false) }

    /// A token is good for one amount, so that each law has one of its own.
    private static func check(_ law: AcquirerLaw, sale: Bool) async throws {
        let other = try await OtherTapPay.open()
        let (approved, declined) = (try Bench.money(500_000), try Bench.money(575_700))
        let instrument = try other.instrument(Self.declines.contains(law) ? declined : approved)
        let values = AcquirerTestValues(
            approvedAmount: approved, declinedAmount: declined, instrument: instrument, at: other.test.clock.now,
            custody: try other.other.custody(of: instrument, reportsCard: false))
        try await other.withAcquirer(settings: ["sale": sale ? "true" : "false"]) { acquirer in
            try await AcquirerConformance(values: values) { acquirer }.check(law)
        }
        #expect(try await other.test.bookProblems().isEmpty)
    }

    @Test func concurrentRepeatsAreBookedOnce() async throws {
        let other = try await OtherTapPay.open()
        let amount = try Bench.money(500_000)
        let request = Bench.request(.authorize(try other.charge(amount)), amount, operation: Bench.authorizationID)
        try await other.withAcquirer { acquirer in
            await acquirer.expectOneApproval(of: request) { outcome in
                switch outcome {
                // It got no prime, and the payment was not there yet, or not decided.
                case .notProcessed, .accepted, .unknown: true
                case .approved, .declined: false
                }
            }
        }
        #expect(try await other.test.bookProblems().isEmpty)
        #expect(try await other.test.bookedCount(.authorization) == 1)
    }
}
