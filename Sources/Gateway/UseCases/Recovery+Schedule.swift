//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Synchronization
import Time

// When recovery looks at a payment again.

/// At last once an hour.
private let stepSecondsMax: Int64 = 3600

extension GatewaySettings {
    /// How long from now recovery is due at the latest, by the clock of whichever node may act by the time.
    var recoveryAheadSecondsMax: Int64 {
        max(stepSecondsMax, self.recoveryGraceSeconds, self.jobLeaseSeconds) + ClockTrust.differenceSecondsMax
    }
}

extension Gateway {
    /// Gives a leased job back: gone when everything is resolved, else due when the first of the open operations is.
    /// - Parameter hasAsked: whether the acquirer was asked anything; otherwise the try counts for nothing.
    /// - Returns: how many operations are still open.
    func release(
        _ job: Job, _ recovery: AcquirerCapabilities.Recovery?, _ hasAsked: Bool
    ) async throws(GatewayRefusal) -> Int {
        let now = self.clock()
        return try await self.writing { transaction in
            let payment = try transaction.payment(job.paymentID)
            let open = payment?.operations.filter { !$0.state.isResolved } ?? []
            guard let payment, !open.isEmpty else {
                try transaction.delete(.recover, of: job.paymentID)
                return 0
            }
            var next = job
            if !hasAsked { next.attemptsCount = max(0, job.attemptsCount - 1) }
            next.dueAt =
                open.lazy.filter { $0.kind != .reversal }.map {
                    self.nextTry(of: $0, in: payment, recovery, at: now)
                }.min()
                ?? now.adding(seconds: 1)
            // A notice may have asked for a look while this one was under way.
            if let stored = try transaction.job(.recover, of: job.paymentID), stored.dueAt <= now {
                next.dueAt = stored.dueAt
            }
            try transaction.update(next)
            return open.count
        }
    }

    /// When an open operation is to be looked at again: each by its own age and history, so that one that hangs delays
    /// no other of its payment. Ever more seldom, from a second to a minute apart: a quarter of how long it has been
    /// open, so that an outage delays it by no more than a quarter of itself, and tries that crashed count for nothing.
    /// Up to an hour where the acquirer goes on declining reversals, each of which is a new operation.
    ///
    /// - Parameter recovery: where a quiet time or a report is waited for, no new reversal follows one that was declined
    ///   long ago.
    private func nextTry(
        of operation: Operation, in payment: Payment, _ recovery: AcquirerCapabilities.Recovery?, at now: Timestamp
    ) -> Timestamp {
        let waits = recovery?.remembersReversals == false
        if let retryAt = payment.retryAfterDeclinedReversal(of: operation.id, now), retryAt > now || !waits {
            return max(retryAt, now)
        }
        if !self.isAbandoned(operation) {
            return operation.begunAt.adding(seconds: self.settings.recoveryGraceSeconds)
        }
        let ageSeconds = abs(now.milliseconds(since: operation.begunAt)) / 1000
        // Whoever has accepted something may take days, and so may a person.
        let secondsMax: Int64 = operation.state == .accepted || recovery?.reversesUnknown == false ? stepSecondsMax : 60
        return now.adding(seconds: min(secondsMax, max(1, ageSeconds / 4)))
    }
}

extension Payment {
    /// When an operation may be reversed again whose reversals have been declined; `nil` where none has, and while
    /// another one is under way.
    func retryAfterDeclinedReversal(of id: OperationID, _ now: Timestamp) -> Timestamp? {
        guard self.unresolvedReversal(of: id) == nil else { return nil }
        let declined = self.operations.filter { operation in
            guard operation.kind == .reversal, operation.target == id else { return false }
            if case .failed = operation.state { return true } else { return false }
        }
        // One that was declined in the future was declined before the clock was set back.
        guard let latest = declined.last?.resolvedAt, latest <= now else { return nil }
        return latest.adding(seconds: min(stepSecondsMax, Int64(1) << Int64(min(declined.count, 12))))
    }
}

extension Gateway {
    /// Reports come within seconds, and are repeated for hours; of what is accepted into a batch they come the next day,
    /// or after a weekend.
    func isReportedLate(_ operation: Operation) -> Bool {
        self.ageSeconds(operation) >= (operation.state == .accepted ? 4 * 86_400 : 300)
    }

    /// Whether neither a query nor a repeat is sure to end an open operation: its acquirer's report does, or an operator.
    /// What was accepted and can be asked after is waited for, too, and not for ever in silence.
    func waitsForReport(_ operation: Operation, _ account: OpenAcquirer) -> Bool {
        let answersQueries = account.capabilities.recovery.answersQueries
        switch (operation.kind, operation.state) {
        case (.reversal, .accepted): return answersQueries && self.isReportedLate(operation)
        case (.reversal, _): return operation.state == .unknown && self.repeats(operation, account) == false
        case (_, .accepted): return !answersQueries || self.isReportedLate(operation)
        default:
            let repeats = self.repeats(operation, account)
            return repeats == false || repeats == true && operation.needsInstrument
        }
    }

    /// How many operations wait for a report that is late, or for an operator, as it stands in the store: recovery looks at
    /// each once an hour at last, so that looks say nothing of how many there are.
    ///
    /// - Parameter limit: no more payments than so many are looked at.
    public func lateReportsCount(limit: Int = 1000) async throws(GatewayRefusal) -> Int {
        let payments = try await self.reading { reader in
            try reader.payments(Set(try reader.jobs(.recover, limit: limit).map(\.paymentID)))
        }
        var count = 0
        for payment in payments.values {
            let open = payment.operations.filter {
                $0.kind != .reversal && !$0.state.isResolved && self.isAbandoned($0)
            }
            guard !open.isEmpty, let account = try await self.acquirer(of: payment) else { continue }
            count += open.count { operation in
                let last = payment.unresolvedReversal(of: operation.id) ?? operation
                return self.isReportedLate(last) && self.waitsForReport(last, account)
            }
        }
        return count
    }

    func ageSeconds(_ operation: Operation) -> Int64 {
        self.clock().milliseconds(since: operation.begunAt) / 1000
    }
}

/// When a worker's last pass was, by the clock that may be set.
final class LatestPass: Sendable {
    private let moment = Mutex<Timestamp?>(nil)

    /// - Returns: where the clock stood at the last pass, if it has been set back since by more than clocks are
    ///   corrected by.
    func isFollowed(by now: Timestamp) -> Timestamp? {
        self.moment.withLock { moment in
            defer { moment = now }
            guard let moment, now.adding(seconds: 1) < moment else { return nil }
            return moment
        }
    }
}
