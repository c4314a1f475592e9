//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import AcquirerConformance
import Payments
import TestGateway
import TestUpstream
import Testing

/// The suite of every acquirer, over HTTP against another gateway that speaks AlphaPay. Its authorizations are sales.
@Suite struct ConformanceTests {
    /// Laws with a clause that AlphaPay cannot keep; ``PaymentTests`` has the other clauses of each.
    ///
    /// With a capture, of which it has none.
    static let withCapture: Set<AcquirerLaw> = [
        .answersRepeatedAuthorizationAlike, .booksRepeatedCaptureOnce, .booksConcurrentRepeatsOnce,
        .declinesCaptureBeyondAuthorization, .declinesCaptureAfterFinalOne, .refundsInParts,
        .declinesRefundBeyondCapture, .reversedCaptureLeavesRoomForAnother, .queryReportsApprovalAsItWasAnswered,
        .memosHoldNoAuthenticationData,
    ]
    /// With an authorization that is not captured: the refund of a sale is approved.
    static let withAuthorization: Set<AcquirerLaw> = [.declinesRefundBeforeCapture]
    /// With a response code of the issuer's: it hands none on.
    static let withResponseCode: Set<AcquirerLaw> = [.approvesAndGivesReference, .declinesWithReason]
    /// With the reversal of a refund: it has none.
    static let withReversedRefund: Set<AcquirerLaw> = [.reversedRefundLeavesRoomForAnother]
    /// That what was prepared and not sent is not found: an order that is not paid is answered like one whose payment is
    /// under way.
    static let withUnpaidOrder: Set<AcquirerLaw> = [.preparationMovesNothing]

    static let others = Self.withCapture.union(Self.withAuthorization).union(Self.withResponseCode)
        .union(Self.withReversedRefund).union(Self.withUnpaidOrder)

    @Test(arguments: AcquirerLaw.allCases.filter { !Self.others.contains($0) })
    func keeps(_ law: AcquirerLaw) async throws {
        let vendor = try await Vendor.open()
        let approved = try Bench.money(5000)
        let custody = try vendor.other.custody(of: vendor.instrument(approved), reportsCard: false)
        let values = AcquirerTestValues(
            approvedAmount: approved, declinedAmount: try Bench.money(5757), instrument: Bench.token, at: Bench.at,
            custody: custody)
        try await vendor.withAcquirer { acquirer in
            let customers = Customers(acquirer, of: vendor, brought: custody.token)
            try await AcquirerConformance(values: values) { customers }.check(law)
        }
        #expect(try await vendor.test.bookProblems().isEmpty)
    }
}
