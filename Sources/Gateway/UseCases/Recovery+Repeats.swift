//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

// Sending an operation again, and what the answer says of it: its first request may have been done.

extension Gateway {
    /// Sends an operation that may be sent again under its own id, and books what came of it.
    func sendAgain(
        _ operation: Operation, of known: Payment, _ account: OpenAcquirer
    ) async throws(GatewayRefusal) -> Payment {
        let payment = try await self.takeUp(operation.id, of: known)
        guard payment.operation(operation.id)?.state == .unknown, payment.unresolvedReversal(of: operation.id) == nil
        else { return payment }
        let outcome = await self.send(operation, of: payment, to: account)
        let latest = try await self.record(
            operation.id, of: payment, outcome.ofRepeat(account.capabilities.recovery)
        ).payment
        if case .declined = outcome, latest.operation(operation.id)?.state.isResolved == false {
            self.reportWaiting(operation, of: payment)
        }
        return latest
    }

    /// Whoever began a pending operation may have been stopped before it was sent, and go on any time. Before it is sent again
    /// it is unknown, durably: that nothing was sent is not believed of it from then on (``record(_:of:_:timeouts:isFirst:)``).
    private func takeUp(_ id: OperationID, of known: Payment) async throws(GatewayRefusal) -> Payment {
        guard known.operation(id)?.state == .pending else { return known }
        let now = self.clock()
        return try await self.changing(known) { payment, transaction in
            guard payment.operation(id)?.state == .pending else { return payment }
            let change = try payment.transition(on: .resolve(id, .unknown(.unclear)), at: now)
            try transaction.update(change, from: payment.version)
            return change.payment
        }
    }
}

extension AcquirerOutcome {
    /// What it says of an operation that has been sent before, or may have been: that this request was not processed says
    /// nothing of the first one.
    ///
    /// Nor does a decline, where all that is known of the acquirer is that it does an operation once
    /// (``AcquirerCapabilities/Recovery-swift.enum/reports(repeats:)``): "already settled", "no authorization found" and
    /// "exceeds what is left" are what it would say after it has done the first. Booked as declined, that capture would be
    /// made twice, or that refund paid twice. The others remember what they have answered, or their connectors look up
    /// what became of the first before they say so.
    func ofRepeat(_ recovery: AcquirerCapabilities.Recovery) -> AcquirerOutcome {
        guard case .declined(let decline) = self, recovery.repeats != nil, !decline.endsRepeats else {
            return self.unlessNotProcessed
        }
        var unknown = UnknownOutcome.unclear("repeat_declined")
        unknown.memo = decline.memo
        return .unknown(unknown)
    }

    /// Itself, but nothing certain where the request was not processed.
    var unlessNotProcessed: AcquirerOutcome {
        if case .notProcessed(let not) = self { .unclear(not.word) } else { self }
    }
}

extension AcquirerDecline {
    fileprivate var endsRepeats: Bool { self.wasNeverSent || self.reason.isOfTheIssuer }
}

extension DeclineReason {
    /// Whether the card's issuer has given it. What an acquirer has done it asks no issuer for again, so that it is about the
    /// first request too, or the first never came.
    fileprivate var isOfTheIssuer: Bool {
        switch self {
        case .doNotHonor, .insufficientFunds, .expiredCard, .invalidCard, .lostOrStolenCard, .suspectedFraud: true
        // A limit may be what is left of the authorization, and not to be permitted what is not permitted twice.
        case .exceedsLimit, .notPermitted, .invalidOperation: false
        // Of this one request, or of nobody knows what.
        case .issuerUnavailable, .timedOut, .systemError, .unspecified: false
        }
    }
}
