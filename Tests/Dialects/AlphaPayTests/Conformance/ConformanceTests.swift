//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import Foundation
import Payments
import Testing

@testable import AlphaPay

@Suite struct ConformanceTests {
    static let suite = DialectConformance(AlphaPayDriver(), testFile: #filePath)

    @Test(arguments: DialectLaw.allCases)
    func keeps(_ law: DialectLaw) async throws {
        try await Self.suite.check(law)
    }

    @Test func whatTheShopSaysReachesTheAcquirer() async throws {
        try await Self.suite.checkCharge(
            SaidInFull { details in
                details = ChargeDetails(
                    orderReference: details.orderReference, description: details.description,
                    customer: Customer(id: details.customer.id))
            }
        )
    }

    @Test func listsWhatDoesNotApply() {
        #expect(
            Self.suite.notApplicable.keys.sorted() == [
                .authorizesWithoutCapturing, .capturesInParts, .finalCaptureGivesBackTheRest,
                .recoversCaptureWhoseAnswerWasLost, .recoversVoidWhoseAnswerWasLost, .refusesCaptureAfterVoid,
                .refusesCaptureBeyondAuthorization, .refusesRefundBeforeCapture, .refusesVoidAfterCapture,
                .showsAuthorizationThatFailsLate, .showsCaptureThatFailsLate,
                .takesBackCaptureThatNeverArrived, .voidEndsAuthorization,
            ])
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
    func transcriptsShowEveryResultCode() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Transcripts")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let text = try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        let missing = ResultCode.allCases.filter { !text.contains("\"resultCode\": \"\($0.rawValue)\"") }
        #expect(missing == [.cardNetworkNotSupported, .refundsTooMany])
    }

    @Test func nothingSecretIsShown() async throws {
        try await Self.suite.checkScrub()
    }

    @Test func operatorsSeeMessagesWithoutSecrets() async throws {
        try await Self.suite.checkShownMessages()
    }
}
