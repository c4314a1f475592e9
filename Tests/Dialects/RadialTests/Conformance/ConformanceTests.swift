//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import Payments
import Testing

@testable import Radial

@Suite struct ConformanceTests {
    static let suite = DialectConformance(RadialDriver(), testFile: #filePath)

    @Test(arguments: Self.suite.checks)
    func passes(_ check: DialectCheck) async throws {
        try await Self.suite.check(check)
    }

    @Test func whatTheShopSaysReachesTheAcquirer() async throws {
        try await Self.suite.checkCharge(
            SaidInFull { details in
                (details.description, details.statementDescriptor, details.certainty) = (nil, nil, nil)
                // Of an authentication a wallet needs none; ``PayerAuthenticationTests`` has those of typed cards.
                (details.source, details.authentication) = (nil, nil)
                details.initiator = .customer()
                (details.customer.id, details.customer.userAgent, details.cardholderName) = (nil, nil, nil)
                details.billing?.company = nil
                details.shipping?.company = nil
                details.shipping?.email = nil
            }
        )
    }

    @Test func listsWhatDoesNotApply() {
        #expect(Self.suite.notApplicable.keys.sorted() == [.paysAtOnce, .showsSaleThatFailsLate])
        #expect(Self.suite.notApplicable.values.allSatisfy { !$0.isEmpty })
    }

    /// Every code is shown in a recorded exchange, but for those that the sandbox can't bring about.
    @Test(.disabled(if: DialectConformance.isRecording, "the transcripts are being written"))
    func transcriptsShowEveryFaultCode() throws {
        let text = try Self.suite.recordedText()
        let missing = FaultCode.allCases.filter { !text.contains("<Code>\($0.rawValue)</Code>") }
        #expect(missing == [.unavailable, .tokenRefused, .orderClosed, .tooManyOperations, .operationNotAllowed])
    }
}
