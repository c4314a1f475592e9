//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// Why a call over a link has no answer: the words that stand in its outcome.
enum LinkFailure: String, Error, Hashable, Sendable, CaseIterable {
    /// There is no connection, and none can be made: nothing was sent.
    case unreachable = "acquirer_unreachable"
    /// Somebody is there who has not the secret, speaks another version, or is another acquirer: nothing was sent.
    case refused = "acquirer_refused"
    /// Too many calls are under way: nothing was sent.
    case busy = "acquirer_busy"
    /// An operator has signed the other end off: nothing was passed on.
    case signedOff = "signed_off"
    /// The request is larger than a frame: nothing was sent.
    case requestTooLarge = "request_too_large"
    /// The client has been closed before it could be sent.
    case closed = "link_closed"
    /// The connection broke after the request may have left.
    case connectionLost = "connection_lost"
    /// No answer came in time.
    case deadlinePassed = "deadline_passed"
    /// What came was no answer to anything that was asked.
    case garbledAnswer = "garbled_answer"
    /// The caller waits no longer.
    case cancelled = "call_cancelled"
}

extension LinkFailure {
    /// What never left was not processed; all else may have been booked.
    var outcome: AcquirerOutcome {
        switch self {
        case .unreachable, .closed, .signedOff: .notProcessed(NotProcessed(.notSent, self.rawValue))
        case .refused: .notProcessed(NotProcessed(.notAuthorized, self.rawValue))
        case .busy: .notProcessed(NotProcessed(.busy, self.rawValue))
        case .requestTooLarge: .notProcessed(NotProcessed(.requestRefused, self.rawValue))
        case .deadlinePassed: .timedOut(self.rawValue)
        case .connectionLost, .garbledAnswer, .cancelled: .unclear(self.rawValue)
        }
    }

    /// A preparation moves nothing, so nothing has been done.
    var preparation: AcquirerPreparation { .notProcessed(NotProcessed(.notSent, self.rawValue)) }

    /// A query that was not answered says nothing, whatever became of it.
    var queryOutcome: AcquirerQueryOutcome {
        .unknown(self == .deadlinePassed ? .timedOut(self.rawValue) : .unclear(self.rawValue))
    }
}

extension LinkRequest {
    /// How a call ends that the other end has not passed on.
    func outcome(of failure: LinkFailure) -> LinkOutcome {
        switch self {
        case .perform: .operation(failure.outcome)
        case .prepare: .preparation(failure.preparation)
        case .query: .query(failure.queryOutcome)
        }
    }
}
