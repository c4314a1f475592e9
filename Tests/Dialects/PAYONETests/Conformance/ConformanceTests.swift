//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import Payments
import Testing

@Suite struct ConformanceTests {
    static let suite = DialectConformance(PAYONEDriver(), testFile: #filePath)

    @Test(arguments: Self.suite.checks)
    func passes(_ check: DialectCheck) async throws {
        try await Self.suite.check(check)
    }

    @Test func whatTheShopSaysReachesTheAcquirer() async throws {
        try await Self.suite.checkCharge(
            SaidInFull { details in
                details.statementDescriptor = details.description
                (details.certainty, details.source, details.authentication) = (nil, nil, nil)
                details.initiator = .customer()
                (details.customer.userAgent, details.cardholderName) = (nil, nil)
                details.shipping?.email = nil
                details.shipping?.phone = nil
            }
        )
    }

    /// What cannot be asked of this dialect; everything else is.
    @Test func everyLawApplies() {
        #expect(Self.suite.notApplicable.isEmpty)
    }
}
