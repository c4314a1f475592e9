//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import Testing

@Suite struct ConformanceTests {
    static let suite = DialectConformance(TapPayDriver(), testFile: #filePath)

    @Test(arguments: DialectLaw.allCases)
    func keeps(_ law: DialectLaw) async throws {
        try await Self.suite.check(law)
    }

    @Test func listsWhatDoesNotApply() {
        #expect(
            Self.suite.notApplicable.keys.sorted() == [
                .capturesInParts, .finalCaptureGivesBackTheRest, .paysAtOnce, .refusesCaptureBeyondAuthorization,
                .refusesVoidAfterCapture, .takesAnotherTokenAfterDecline,
            ])
    }

    @Test(arguments: Self.suite.sceneNames)
    func exchangesAreAsRecorded(_ name: String) async throws {
        try await Self.suite.compareTranscript(name)
    }

    @Test func noOtherTranscriptIsKept() throws {
        try Self.suite.checkTranscriptFolder()
    }

    @Test func nothingSecretIsShown() async throws {
        try await Self.suite.checkScrub()
    }

    @Test func operatorsSeeMessagesWithoutSecrets() async throws {
        try await Self.suite.checkShownMessages()
    }
}
