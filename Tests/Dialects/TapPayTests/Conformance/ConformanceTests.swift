//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import DialectConformance
import Payments
import StrictJSON
import Testing

@Suite struct ConformanceTests {
    static let suite = DialectConformance(TapPayDriver(), testFile: #filePath)

    @Test(arguments: Self.suite.checks)
    func passes(_ check: DialectCheck) async throws {
        try await Self.suite.check(check)
    }

    @Test func whatTheShopSaysReachesTheAcquirer() async throws {
        try await Self.suite.checkCharge(
            SaidInFull(extra: [
                ExtraField("cardholder.zip_code", "19019"), ExtraField("cardholder.address", "1 Main St, Building 2"),
                ExtraField("cardholder.member_id", "c-17"),
            ]) { details in
                (details.statementDescriptor, details.certainty, details.source) = (nil, nil, nil)
                (details.authentication, details.cardholderName, details.shipping) = (nil, nil, nil)
                details.initiator = .customer()
                // One field for each.
                (details.customer.firstName, details.customer.lastName) = (nil, "Ada Brown")
                (details.customer.ipAddress, details.customer.userAgent) = (nil, nil)
                details.billing = PostalAddress(lines: ["1 Main St, Building 2"], postalCode: "19019")
            }
        )
    }

    @Test func listsWhatDoesNotApply() {
        #expect(
            Self.suite.notApplicable.keys.sorted() == [
                .capturesInParts, .finalCaptureGivesBackTheRest, .paysAtOnce, .refusesCaptureBeyondAuthorization,
                .refusesVoidAfterCapture, .showsSaleThatFailsLate, .takesAnotherTokenAfterDecline,
            ])
    }
}
