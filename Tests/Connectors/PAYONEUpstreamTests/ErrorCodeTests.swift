//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Testing

@testable import PAYONEUpstream

/// What each error number says.
@Suite struct ErrorCodeTests {
    /// PAYONE's card table (1 to 104), as the bank's words.
    static let card: [(Int, DeclineReason)] = [
        (1, .issuerUnavailable), (2, .doNotHonor), (4, .doNotHonor), (5, .doNotHonor), (7, .unspecified),
        (12, .doNotHonor), (13, .exceedsLimit), (14, .invalidCard), (21, .invalidOperation), (30, .systemError),
        (31, .notPermitted), (33, .expiredCard), (34, .suspectedFraud), (43, .lostOrStolenCard),
        (51, .insufficientFunds), (55, .notPermitted), (56, .invalidCard), (57, .invalidOperation), (58, .systemError),
        (60, .doNotHonor), (61, .notPermitted), (62, .invalidCard), (63, .unspecified), (64, .invalidOperation),
        (65, .exceedsLimit), (80, .invalidOperation), (91, .issuerUnavailable), (101, .invalidOperation),
        (102, .doNotHonor), (103, .systemError), (104, .doNotHonor),
    ]

    /// The payment process is in no state for it.
    static let states: [(Int, DeclineReason)] = [
        (906, .invalidOperation), (908, .invalidOperation), (910, .invalidOperation), (913, .invalidOperation),
        (915, .invalidOperation), (950, .invalidOperation), (951, .invalidOperation), (952, .invalidOperation),
    ]

    /// Refused by the risk check, and what the list calls denied without saying why.
    static let others: [(Int, DeclineReason)] = [
        (701, .suspectedFraud), (724, .suspectedFraud), (890, .suspectedFraud), (877, .invalidCard),
        (876, .unspecified), (110, .unspecified), (899, .unspecified),
    ]

    @Test(arguments: card + states + others)
    func isADeclineWithItsReason(_ code: Int, _ reason: DeclineReason) async throws {
        for (name, request) in Bench.operations(try Bench.money(1000)) {
            let answer = AcquirerAnswer(responseCode: String(code), vendorCode: String(code))
            let expected = AcquirerOutcome.declined(AcquirerDecline(reason: reason, answer: answer))
            #expect(try await Bench.outcome(request, Bench.error(String(code))) == expected, "\(name)")
        }
    }

    /// Credentials, parameters, the token, the contract: nobody's decline.
    static let refusals: [(Int, NotProcessedReason)] = [
        (901, .requestRefused), (904, .busy), (905, .notAuthorized), (907, .requestRefused), (923, .requestRefused),
        (924, .requestRefused), (925, .requestRefused), (934, .requestRefused), (935, .requestRefused), (990, .busy),
        (991, .busy), (1000, .requestRefused), (1003, .requestRefused), (1016, .requestRefused),
        (1203, .notAuthorized), (1204, .notAuthorized), (1205, .notAuthorized), (1206, .notAuthorized),
        (1302, .requestRefused), (1340, .requestRefused), (1700, .requestRefused), (2001, .requestRefused),
        (2003, .notAuthorized), (2004, .notAuthorized), (2005, .notAuthorized), (2006, .notAuthorized),
        (2013, .requestRefused), (2700, .tokenRefused), (2701, .tokenRefused), (2702, .tokenRefused),
        (2703, .tokenRefused), (2704, .tokenRefused), (3000, .requestRefused), (4219, .requestRefused),
        (6502, .busy), (8040, .requestRefused), (900_001, .requestRefused), (900_004, .busy),
        (900_007, .requestRefused), (900_009, .busy), (900_400, .tokenRefused), (900_401, .tokenRefused),
    ]

    @Test(arguments: refusals) func isNotProcessed(_ code: Int, _ reason: NotProcessedReason) async throws {
        for (name, request) in Bench.operations(try Bench.money(1000)) {
            let outcome = try await Bench.outcome(request, Bench.error(String(code)))
            #expect(outcome == Bench.notProcessed(reason, "error_\(code)"), "\(name)")
        }
    }

    /// The bank may have been asked, and numbers that nobody has explained.
    static let open: [(Int, UnknownReason)] = [
        (900, .unclear), (902, .unclear), (903, .timedOut), (909, .unclear), (911, .unclear), (0, .unclear),
        (999, .unclear), (953, .unclear), (9000, .unclear), (9999, .unclear), (100_000, .unclear),
        (900_000, .unclear), (900_005, .timedOut), (900_500, .unclear), (999_999, .unclear),
    ]

    @Test(arguments: open) func leavesItOpen(_ code: Int, _ reason: UnknownReason) async throws {
        for (name, request) in Bench.operations(try Bench.money(1000)) {
            let outcome = try await Bench.outcome(request, Bench.error(String(code)))
            #expect(outcome == .unknown(UnknownOutcome(reason, "error_\(code)")), "\(name)")
        }
    }

    @Test func noNumberIsListedTwice() {
        let all =
            ErrorVerdict.declines.flatMap(\.codes) + ErrorVerdict.refusals.flatMap(\.codes)
            + ErrorVerdict.open.flatMap(\.codes)
        #expect(Set(all).count == all.count)
    }

    /// Nothing outside the list of the vendor's own declines is ever one.
    @Test func onlyTheBanksAndTheStatesNumbersAreDeclines() {
        let listed = Set(ErrorVerdict.declines.flatMap(\.codes))
        for code in 0...999_999 where !listed.contains(code) && !(1...899).contains(code) {
            if case .declined = ErrorVerdict(code) { Issue.record("\(code)") }
        }
    }
}
