//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import Foundation
import Payments
import Testing

@testable import Radial

@Suite struct ConformanceTests {
    static let suite = DialectConformance(RadialDriver(), testFile: #filePath)

    @Test(arguments: DialectLaw.allCases)
    func keeps(_ law: DialectLaw) async throws {
        try await Self.suite.check(law)
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

    @Test(arguments: Self.suite.sceneNames)
    func exchangesAreAsRecorded(_ name: String) async throws {
        try await Self.suite.compareTranscript(name)
    }

    @Test func noOtherTranscriptIsKept() throws {
        try Self.suite.checkTranscriptFolder()
    }

    /// Every code is shown in a recorded exchange, but for those that the sandbox can't bring about.
    @Test(.disabled(if: DialectConformance.isRecording, "the transcripts are being written"))
    func transcriptsShowEveryFaultCode() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Transcripts")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let text = try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        let missing = FaultCode.allCases.filter { !text.contains("<Code>\($0.rawValue)</Code>") }
        #expect(missing == [.unavailable, .orderClosed, .tooManyOperations, .operationNotAllowed])
    }

    @Test func nothingSecretIsShown() async throws {
        try await Self.suite.checkScrub()
    }

    @Test func operatorsSeeMessagesWithoutSecrets() async throws {
        try await Self.suite.checkShownMessages()
    }
}
