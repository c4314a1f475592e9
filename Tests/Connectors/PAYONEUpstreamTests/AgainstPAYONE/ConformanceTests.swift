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

@testable import PAYONEUpstream

/// The suite of every acquirer, over HTTP against another gateway that speaks PAYONE.
@Suite struct ConformanceTests {
    /// Laws with a clause that no acquirer with this API can keep; ``PaymentTests`` has the other clauses.
    ///
    /// That answers bring a response code (``approvesAndGivesReference``): PAYONE has error numbers and no code of an
    /// approval.
    ///
    /// That what follows an authorization that is not there is declined: without a txid there is nothing that could be
    /// asked for, and so nothing is sent.
    ///
    /// That repeats of what was taken back are declined (``voidEndsAuthorization``), that a reversal is acknowledged again
    /// under another id, and that captures and refunds can be taken back: nothing does that here, and what nobody knows
    /// the end of is never reversed (`Recovery.reports`).
    ///
    /// That a refund after the reversal of a sale is declined: the reversal has taken a number there that it has not here
    /// (``AcquirerRequest/ordinal``), and so the refund's is refused.
    ///
    /// That repeats at the same moment are answered alike: one that comes while the first is worked on is answered
    /// PENDING. ``concurrentRepeatsAreBookedOnce()`` is what is left of it.
    static let others: Set<AcquirerLaw> = [
        .approvesAndGivesReference, .declinesCaptureOfDeclinedAuthorization, .declinesFollowUpOfUnknownAuthorization,
        .voidEndsAuthorization, .repeatedReversalIsAcknowledgedAgain, .reversedCaptureLeavesRoomForAnother,
        .reversedRefundLeavesRoomForAnother, .reversedSaleCannotBeRefunded, .booksConcurrentRepeatsOnce,
    ]

    /// A token is bound to its amount there.
    private static let ofTheDeclinedAmount: Set<AcquirerLaw> = [.declinesWithReason]

    @Test(arguments: AcquirerLaw.allCases.filter { !Self.others.contains($0) })
    func keeps(_ law: AcquirerLaw) async throws {
        let approved = try Bench.money(5000)
        let declined = try Bench.money(5757)
        let other = try await OtherPAYONE.open()
        let instrument = try other.token(Self.ofTheDeclinedAmount.contains(law) ? declined : approved)
        let values = AcquirerTestValues(
            approvedAmount: approved, declinedAmount: declined, instrument: instrument, at: Bench.at,
            custody: try other.gateway.custody(of: instrument, reportsCard: false))
        try await other.withAcquirer { acquirer in
            try await AcquirerConformance(values: values) { acquirer }.check(law)
        }
        #expect(try await other.test.bookProblems().isEmpty)
    }

    @Test func concurrentRepeatsAreBookedOnce() async throws {
        let amount = try Bench.money(5000)
        let other = try await OtherPAYONE.open()
        try await other.withAcquirer { acquirer in
            let request = Bench.authorize(amount, Bench.charge(instrument: try other.token(amount)))
            let outcomes = await withTaskGroup(of: AcquirerOutcome.self) { group in
                for _ in 0..<100 { group.addTask { await acquirer.perform(request) } }
                return await group.reduce(into: Set<AcquirerOutcome>()) { $0.insert($1) }
            }
            #expect(outcomes.count { $0.isApproved(amount) } == 1)
            for outcome in outcomes where !outcome.isApproved(amount) {
                guard case .unknown = outcome else {
                    Issue.record("\(outcome)")
                    continue
                }
            }
        }
        #expect(try await other.test.bookProblems().isEmpty)
        #expect(try await other.test.bookedCount(.authorization) == 1)
    }
}
