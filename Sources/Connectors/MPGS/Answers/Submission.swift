//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Payments

/// What became of a request that was to be done.
enum Submission: Sendable {
    case ended(AcquirerOutcome)
    /// Nothing was done, and the gateway says why: something in the request, or the state of the order.
    case refused(ErrorReply)

    /// The rules for HTTP's statuses are the same for all acquirers (docs/connectors/mpgs.md, "How outcomes are read").
    init(_ ending: UpstreamEnding, _ expected: ExpectedTransaction) {
        switch ending {
        case .notSent(let word): self = .ended(.notProcessed(NotProcessed(.notSent, word)))
        case .unknown(let unknown): self = .ended(.unknown(unknown))
        case .answered(let answer): self.init(answer, expected)
        }
    }

    private init(_ answer: UpstreamAnswer, _ expected: ExpectedTransaction) {
        let word = "http_\(answer.status)"
        let reply = MPGSReply(answer)
        switch (answer.status, reply) {
        case (200...299, .transaction(let transaction)): self = .ended(transaction.outcome(expected))
        case (200...299, .error(let error)): self.init(error, orElse: .unclear("error_not_understood"))
        case (200...299, .unreadable): self = .ended(.unclear("answer_unreadable"))
        // A transaction under the status of a refusal: one of the two is wrong.
        case (300...499, .transaction): self = .ended(.unclear(word))
        case (300...399, _): self = .ended(.notProcessed(NotProcessed(.requestRefused, "http_redirect")))
        case (401, _), (403, _): self = .ended(.notProcessed(NotProcessed(.notAuthorized, word)))
        case (429, _): self = .ended(.notProcessed(NotProcessed(.busy, word)))
        case (400, _), (404, _), (405, _), (415, _), (422, _):
            let refusal = AcquirerOutcome.notProcessed(NotProcessed(.requestRefused, word))
            guard case .error(let error) = reply else {
                self = .ended(refusal)
                return
            }
            self.init(error, orElse: refusal)
        case (408, _), (504, _): self = .ended(.timedOut(word))
        // Also where a body says that nothing was done: proxies in between send the same statuses.
        default: self = .ended(.unclear(word))
        }
    }

    private init(_ error: ErrorReply, orElse other: AcquirerOutcome) {
        switch error.cause {
        case .invalidRequest, .constraintViolation: self = .refused(error)
        case .requestRejected: self = .ended(.notProcessed(NotProcessed(.requestRefused, "request_rejected")))
        // "You may resubmit an identical request after several minutes": it may have been done.
        case .serverBusy: self = .ended(.unclear("server_busy"))
        case .serverFailed: self = .ended(.unclear("server_failed"))
        case nil: self = .ended(other)
        }
    }
}
