//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectConformance
import Payments
import Testing

@testable import AlphaPay

@Suite struct ConformanceTests {
    static let suite = DialectConformance(AlphaPayDriver(), testFile: #filePath)

    @Test(arguments: Self.suite.checks)
    func passes(_ check: DialectCheck) async throws {
        try await Self.suite.check(check)
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

    /// Every code is shown in a recorded exchange, but for those that the sandbox can't bring about.
    @Test(.disabled(if: DialectConformance.isRecording, "the transcripts are being written"))
    func transcriptsShowEveryResultCode() throws {
        let text = try Self.suite.recordedText()
        let missing = ResultCode.allCases.filter { !text.contains("\"resultCode\": \"\($0.rawValue)\"") }
        #expect(missing == [.cardNetworkNotSupported, .refundsTooMany])
    }
}
