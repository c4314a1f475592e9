//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import Payments
import Testing

@Suite struct ConformanceTests {
    private static let suite = DialectConformance(PAYONEDriver())

    @Test(arguments: DialectLaw.allCases)
    func keeps(law: DialectLaw) async throws {
        try await Self.suite.check(law)
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
    @Test func everyLawIsApplied() {
        #expect(Self.suite.notApplicable.isEmpty)
    }

    @Test func showsNoSecret() async throws {
        try await Self.suite.checkScrub()
    }

    @Test func operatorsSeeMessagesWithoutSecrets() async throws {
        try await Self.suite.checkShownMessages()
    }

    /// Record anew with POMONA_RECORD_TRANSCRIPTS=1 in the environment.
    @Test(arguments: suite.sceneNames)
    func answersAsRecorded(scene: String) async throws {
        try await Self.suite.compareTranscript(scene)
    }

    @Test func noTranscriptIsLeftOver() throws {
        try Self.suite.checkTranscriptFolder()
    }
}
