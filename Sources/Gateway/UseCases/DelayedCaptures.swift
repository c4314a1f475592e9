//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Logging
import Metrics
import Money
public import Payments
public import Time

/// How long after a capture that was declined or had to be taken back it is tried again, and how often.
private let captureRetrySeconds: Int64 = 3600
private let captureAttemptsMax = 24
/// How long to wait for the end of what is under way.
private let unresolvedRetrySeconds: Int64 = 60
/// How long after a capture that the acquirer had no room for, or that could not be sent: longer after each such one, up to
/// ``captureRetrySeconds``. They use up no tries, but there is an end to them too: each is an operation of the payment.
private let unsentRetrySeconds: Int64 = 60
private let unsentCapturesMax = 200

extension Gateway {
    /// Plans the capture of all that is left of an authorization, in place of an earlier plan.
    ///
    /// - Parameter dueAt: when a worker captures; `nil` takes the plan back.
    /// - Throws: ``GatewayRefusal/paymentNotFound``, ``GatewayRefusal/payment(_:)`` when there is nothing left to
    ///   capture, ``GatewayRefusal/storeUnavailable``.
    @discardableResult
    public func scheduleCapture(
        of selector: PaymentSelector, at dueAt: Timestamp?, merchant: MerchantContext
    ) async throws(GatewayRefusal) -> Payment {
        let probe: OperationID = self.makeID()
        let now = self.clock()
        return try await self.writing { transaction in
            let payment = try Gateway.payment(
                selector, of: merchant.merchant.id, dialect: merchant.dialect, in: transaction)
            if let dueAt {
                // What could not be captured now is not planned either.
                try payment.requireCapturable(probe, at: now)
                try transaction.delete(.capture, of: payment.id)
                try transaction.schedule(Job(kind: .capture, paymentID: payment.id, dueAt: dueAt))
            } else {
                try transaction.delete(.capture, of: payment.id)
            }
            return payment
        }
    }

    /// Takes the plan of a capture back, if nothing of it has been begun: from then on nothing is captured by itself.
    ///
    /// - Parameter idempotency: what makes the call the same call. The authorization, whose plan it is, is found by it from
    ///   then on (``earlier(_:)``).
    /// - Returns: whether there was a plan.
    /// - Throws: ``GatewayRefusal/payment(_:)``: ``PaymentRefusal/capturePending`` while a capture is under way, and what
    ///   refuses a capture when one has been made or none can be; ``GatewayRefusal/idempotencyConflict``,
    ///   ``GatewayRefusal/paymentNotFound``, ``GatewayRefusal/storeUnavailable``.
    public func withdrawCapture(
        of selector: PaymentSelector, merchant: MerchantContext, idempotency: CallContext.Idempotency? = nil
    ) async throws(GatewayRefusal) -> Bool {
        let context = CallContext(merchant: merchant, idempotency: idempotency)
        let probe: OperationID = self.makeID()
        let now = self.clock()
        return try await self.writing { transaction in
            let payment = try Gateway.payment(
                selector, of: merchant.merchant.id, dialect: merchant.dialect, in: transaction)
            if case .repeated(_, let id)? = try Gateway.claimed(context, in: transaction) {
                // The same call at the same time was quicker, and may have found the capture made.
                guard id == payment.authorization?.id else { throw GatewayRefusal.payment(.capturePending) }
                return true
            }
            if payment.operations.contains(where: { $0.kind == .capture && !$0.state.isResolved }) {
                throw GatewayRefusal.payment(.capturePending)
            }
            try payment.requireCapturable(probe, at: now)
            guard try transaction.job(.capture, of: payment.id) != nil else { return false }
            try transaction.delete(.capture, of: payment.id)
            if let authorization = payment.authorization {
                try Gateway.record(context, [], .operation(payment.id, authorization.id), at: now, in: transaction)
            }
            return true
        }
    }

    /// When the payment will be captured by itself; `nil` if it won't.
    public func captureDueAt(of payment: PaymentID) async throws(GatewayRefusal) -> Timestamp? {
        try await self.reading { try $0.job(.capture, of: payment)?.dueAt }
    }

    /// One pass over the captures that are due, each under a lease.
    ///
    /// A capture that is declined, or that had to be taken back because nobody could say what became of it, is tried
    /// again every hour, 24 times in all. One that is pending or unknown counts as made, so that none is made twice.
    /// - Returns: how many captures were begun.
    public func captureDue(limit: Int = 64) async -> Int {
        let jobs = await self.leaseCaptures(limit: limit)
        return await withTaskGroup(of: Int.self) { group in
            for job in jobs { group.addTask { await self.capture(job) } }
            return await group.reduce(0, +)
        }
    }

    /// Takes payments whose planned capture is due, each for ``capture(_:)``.
    public func leaseCaptures(limit: Int) async -> [Job] {
        await self.lease(.capture, limit: limit)
    }

    /// One try at a planned capture that ``leaseCaptures(limit:)`` has taken.
    /// - Returns: how many captures were begun: one or none.
    public func capture(_ job: Job) async -> Int {
        do throws(GatewayRefusal) {
            let found = try await self.reading { try $0.payment(job.paymentID) }
            guard let payment = found else { return 0 }
            guard payment.isWhollyResolved else {
                // Recovery finds out first: an authorization or a capture that comes to nothing leaves all to do.
                try await self.postpone(job, inMilliseconds: unresolvedRetrySeconds * 1000)
                return 0
            }
            guard payment.capturableAmount.isPositive else {
                try await self.writing { try $0.delete(.capture, of: payment.id) }
                return 0
            }
            if job.hasUsedUpItsTries(of: payment) {
                try await self.giveUp(job)
                return 0
            }
            if let milliseconds = job.millisecondsToNextTry(of: payment, at: self.clock()) {
                try await self.postpone(job, inMilliseconds: milliseconds)
                return 0
            }
            return try await self.capture(payment, job)
        } catch {
            self.logger.error(
                "planned capture failed and will be tried again",
                metadata: ["payment": "\(job.paymentID)", "reason": "\(error)"])
            return 0
        }
    }

    private func capture(_ payment: Payment, _ job: Job) async throws(GatewayRefusal) -> Int {
        guard let merchant = try await self.merchantContext(of: payment) else {
            try await self.postpone(job, inMilliseconds: captureRetrySeconds * 1000)
            return 0
        }
        // Plans come due together: where the account has no room left in this second, nothing is begun. Those of one pass may
        // all still see room, and come again as any that finds none. And an acquirer that hangs keeps a share of the
        // places, not all.
        let most = (try? await self.acquirer(of: payment))?.capabilities.requestsPerSecond
        let hasRoom = most.map { !self.paces.isFull(payment.accountID, upTo: $0, at: self.clock()) } ?? true
        guard hasRoom, self.plannedCaptures.take(payment) else {
            let spread = self.random(2).reduce(0) { $0 << 8 | Int64($1) } % (unresolvedRetrySeconds * 1000)
            try await self.postpone(job, inMilliseconds: 1000 + spread)
            return 0
        }
        defer { self.plannedCaptures.giveBack(payment) }
        let outcome: OperationOutcome
        do throws(GatewayRefusal) {
            let reported = payment.authorization?.labels
            var command = FollowUpCommand(
                context: CallContext(merchant: merchant, idempotency: nil), payment: .payment(payment.id),
                action: .capture(nil, isFinal: true),
                labels: OperationLabels(
                    notifyURL: reported?.notifyURL, notifySettings: reported?.notifySettings ?? []))
            command.requiresPlan = true
            outcome = try await self.followUp(command)
        } catch .payment(.capturePending), .payment(.voidPending), .payment(.adjustmentPending) {
            // Something has been begun since it was looked at, and may come to nothing.
            try await self.postpone(job, inMilliseconds: unresolvedRetrySeconds * 1000)
            return 0
        } catch .payment(let refusal) {
            // The merchant was quicker: voided, captured, or about to.
            self.logger.info(
                "planned capture is no longer possible",
                metadata: ["payment": "\(payment.id)", "reason": "\(refusal)"])
            try await self.writing { try $0.delete(.capture, of: payment.id) }
            return 0
        }
        switch outcome.operation.state {
        case .pending, .unknown, .accepted: try await self.retry(job, inSeconds: unresolvedRetrySeconds)
        case .failed where job.hasUsedUpItsTries(of: outcome.payment): try await self.giveUp(job)
        case .failed(.notProcessed(let reason)) where reason.isRetryable:
            let seconds = unsentRetrySeconds << Int64(min(outcome.payment.lastUnsentCapturesCount - 1, 6))
            try await self.retry(job, inSeconds: min(seconds, captureRetrySeconds))
        case .failed: try await self.retry(job, inSeconds: captureRetrySeconds)
        case .succeeded: try await self.writing { try $0.delete(.capture, of: payment.id) }
        }
        return 1
    }

    private func giveUp(_ job: Job) async throws(GatewayRefusal) {
        self.logger.error("planned capture is given up", metadata: ["payment": "\(job.paymentID)"])
        Counter(label: "pomona_planned_captures_given_up_total").increment()
        try await self.writing { try $0.delete(.capture, of: job.paymentID) }
    }

    private func retry(_ job: Job, inSeconds seconds: Int64) async throws(GatewayRefusal) {
        try await self.retry(job, inMilliseconds: seconds * 1000)
    }

    /// Later, without having tried: it was taken only to wait.
    private func postpone(_ job: Job, inMilliseconds milliseconds: Int64) async throws(GatewayRefusal) {
        var waiting = job
        waiting.attemptsCount = max(0, job.attemptsCount - 1)
        try await self.retry(waiting, inMilliseconds: milliseconds)
    }

    private func retry(_ job: Job, inMilliseconds milliseconds: Int64) async throws(GatewayRefusal) {
        var later = job
        later.dueAt = self.clock().adding(milliseconds: milliseconds)
        let next = later
        try await self.writing { try $0.update(next) }
    }
}

extension Payment {
    /// Those that the acquirer has decided, or that were taken back.
    fileprivate var failedCaptures: [Operation] {
        self.operations.filter { operation in
            guard operation.kind == .capture, case .failed = operation.state else { return false }
            return !operation.isUnsent
        }
    }

    fileprivate var unsentCapturesCount: Int { self.operations.count { $0.kind == .capture && $0.isUnsent } }

    /// How many captures in a row have come to nothing because the acquirer had no room or was not reached.
    fileprivate var lastUnsentCapturesCount: Int {
        self.operations.reversed().filter { $0.kind == .capture }.prefix { $0.isUnsent }.count
    }

    /// Asks what would come of capturing all that is left, and keeps nothing of it.
    ///
    /// - Throws: what refuses the capture.
    fileprivate func requireCapturable(_ probe: OperationID, at now: Timestamp) throws(PaymentRefusal) {
        let left = self.capturableAmount
        let request = OperationRequest(
            id: probe, action: .capture(left.isPositive ? left : self.amount, isFinal: true))
        _ = try self.transition(on: .begin(request), at: now)
    }
}

extension Operation {
    /// Whether the same may succeed in a moment.
    fileprivate var isUnsent: Bool {
        guard case .failed(.notProcessed(let reason)) = self.state else { return false }
        return reason.isRetryable
    }
}

extension Job {
    /// Whether as many of the plan's captures have failed as may be tried, or as many could not be sent as are begun at all.
    ///
    /// They are those of the payment, and each try took the job once, so that a plan made anew does not answer for the tries
    /// of an earlier one.
    fileprivate func hasUsedUpItsTries(of payment: Payment) -> Bool {
        min(self.attemptsCount, payment.failedCaptures.count) >= captureAttemptsMax
            || min(self.attemptsCount, payment.unsentCapturesCount) >= unsentCapturesMax
    }

    /// How long to wait after a try that has failed; `nil` if it is time, or if this is the first try.
    fileprivate func millisecondsToNextTry(of payment: Payment, at now: Timestamp) -> Int64? {
        guard self.attemptsCount > 1, let failedAt = payment.failedCaptures.last?.resolvedAt else { return nil }
        // A failure in the future came before the clock was set back.
        let rest = captureRetrySeconds * 1000 - abs(now.milliseconds(since: failedAt))
        return rest > 0 ? rest : nil
    }
}
