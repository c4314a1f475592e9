//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerConformance
import Payments
import TestGateway
import TestUpstream
import Testing

@testable import RadialUpstream

/// The suite of every acquirer, over HTTP against another gateway that speaks Radial's language and reports by events.
@Suite struct ConformanceTests {
    /// Laws with a clause that no acquirer with this API can keep.
    ///
    /// That the repeat of what was taken back is declined: the same request has the same answer there for ever, which is
    /// what makes repeats safe. ``PaymentTests`` has the other clauses.
    ///
    /// That another reversal of what is taken back is acknowledged: a canceled order is in no state for it.
    ///
    /// That captures, refunds and sales can be reversed: a settlement has no cancellation. The gateway reverses none, since the
    /// capabilities say that nothing unknown can be (`Recovery.reports`).
    ///
    /// That a hundred repeats at the same moment are answered alike: one that comes while the first is worked on is
    /// answered that the outcome is not known. ``PaymentTests/concurrentRepeatsAreBookedOnce()`` is what is left of it.
    static let others: Set<AcquirerLaw> = [
        .voidEndsAuthorization, .repeatedReversalIsAcknowledgedAgain, .reversedCaptureLeavesRoomForAnother,
        .reversedRefundLeavesRoomForAnother, .reversedSaleCannotBeRefunded, .booksConcurrentRepeatsOnce,
    ]

    @Test(arguments: AcquirerLaw.allCases.filter { !Self.others.contains($0) })
    func keeps(_ law: AcquirerLaw) async throws {
        let other = try await OtherRadial.open()
        let approved = try Bench.money(5000)
        let custody = try other.other.custody(of: other.charge(approved).instrument, reportsCard: true)
        let values = AcquirerTestValues(
            approvedAmount: approved, declinedAmount: try Bench.money(5757), instrument: Bench.charge().instrument,
            at: Bench.at, custody: custody)
        try await other.withAcquirer { acquirer in
            try await AcquirerConformance(values: values) { ReportedAcquirer(acquirer, other, brought: custody.token) }
                .check(law)
        }
        #expect(try await other.test.bookProblems().isEmpty)
    }
}
