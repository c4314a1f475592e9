//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments

/// How an operation ends whose request is answered with an HTTP status that the service gives to no answer of its own:
/// the same for every operation at every service (docs/connectors/mpgs.md, "How outcomes are read").
public enum HTTPEnding {
    public static let all: [(Int, AcquirerOutcome)] =
        Self.notProcessed(.requestRefused, [301, 302, 307, 400, 404, 405, 415, 422])
        + Self.notProcessed(.notAuthorized, [401, 403]) + Self.notProcessed(.busy, [429])
        + [(408, .timedOut("http_408")), (504, .timedOut("http_504"))] + Self.unclear([409, 425, 500, 502, 503])

    private static func notProcessed(
        _ reason: NotProcessedReason, _ statuses: [Int]
    ) -> [(Int, AcquirerOutcome)] {
        statuses.map { ($0, AcquirerOutcome.notProcessed(NotProcessed(reason, Self.word($0)))) }
    }

    /// Of statuses that leave everything open.
    public static func unclear(_ statuses: [Int]) -> [(Int, AcquirerOutcome)] {
        statuses.map { ($0, AcquirerOutcome.unclear(Self.word($0))) }
    }

    /// What is said of a question that is answered so.
    public static func word(_ status: Int) -> String {
        (300...399).contains(status) ? "http_redirect" : "http_\(status)"
    }
}
