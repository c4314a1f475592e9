//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Logging
import Metrics
import Money
import Payments
import Time

/// What a commit after an acquirer call left behind.
struct RecordedOutcome: Sendable {
    let payment: Payment
    /// The reversal that has to be sent now, because the answer can't stand.
    let reversal: Operation?
}

/// The ids that a commit may need, made before it: its body may run more than once.
private struct RecordedOutcomeIDs: Sendable {
    let reversal: OperationID
    let event: EventID
}

extension Gateway {
    /// Commits an outcome and answers the caller. Whatever goes wrong here, the pending operation is durable and
    /// recovery will resolve it: the caller is then answered that the outcome is not known yet.
    ///
    /// - Parameters:
    ///   - account: what it was sent to; `nil` where it could not be sent.
    ///   - context: the call's that began it.
    ///   - beganAt: when the caller began to wait.
    func finish(
        _ payment: Payment, _ operation: Operation, _ order: Order?, _ outcome: AcquirerOutcome,
        _ account: OpenAcquirer?, in context: CallContext, since beganAt: ContinuousClock.Instant
    ) async -> OperationOutcome {
        var latest = payment
        do throws(GatewayRefusal) {
            // What the acquirer could not find again it cannot take back.
            let timeouts =
                account?.capabilities.recovery.reversesUnknown == false ? .areRecovered : context.timeouts
            let recorded = try await self.record(
                operation.id, of: payment, outcome, timeouts: timeouts, isFirst: true,
                settings: context.merchant.settings)
            latest = recorded.payment
            if let reversal = recorded.reversal, let account,
                let milliseconds = self.reversalMilliseconds(since: beganAt)
            {
                latest = try await self.sendReversal(
                    reversal, of: recorded.payment, to: account, within: milliseconds)
            }
        } catch {
            self.logger.error(
                "outcome could not be recorded; recovery will resolve it",
                metadata: ["payment": "\(payment.id)", "operation": "\(operation.id)", "reason": "\(error)"])
        }
        let resolved = latest.operation(operation.id) ?? operation
        self.count(resolved, of: latest)
        return OperationOutcome(payment: latest, operation: resolved, order: order, isRepeat: false).atResolution
    }

    /// How long an answer may wait for the end of a reversal: for what the call has left of the acquirer's deadline, and a
    /// few seconds in any case, as far as the answer is in time after them. What is not known then is the answer, and
    /// recovery goes on with the reversal.
    ///
    /// - Returns: `nil` where there is no time for one.
    private func reversalMilliseconds(since beganAt: ContinuousClock.Instant) -> Int64? {
        let elapsed = self.steadyClock().milliseconds(after: beganAt)
        let left = self.settings.acquirerDeadlineSeconds * 1000 - elapsed
        // Two commits and the answer itself need some, too.
        let least = min(5000, (self.settings.answerSecondsMax - 5) * 1000 - elapsed)
        let milliseconds = max(left, least)
        return milliseconds < 1000 ? nil : milliseconds
    }

    /// Commits an outcome: the operation's state, the ledger postings, the event in the outbox and the end of the
    /// recovery job, all or none.
    ///
    /// - Parameters:
    ///   - known: the payment as the caller has written or read it.
    ///   - isFirst: whether it is how the first request ended: of what recovery has taken up since, and may have sent again,
    ///     that nothing was done with the first says nothing.
    ///   - settings: those of the merchant's account, where they are at hand.
    func record(
        _ operationID: OperationID, of known: Payment, _ outcome: AcquirerOutcome,
        timeouts: CallContext.TimeoutPolicy = .areRecovered, isFirst: Bool = false, settings: [String: String]? = nil
    ) async throws(GatewayRefusal) -> RecordedOutcome {
        let ids = RecordedOutcomeIDs(reversal: self.makeID(), event: self.makeID())
        let settings = if let settings { settings } else { try await self.notifySettings(of: known) }
        let now = self.clock()
        let recorded = try await self.changing(known, keeping: outcome.memo) { payment, transaction in
            if isFirst, case .notProcessed = outcome, payment.operation(operationID)?.state == .unknown {
                return RecordedOutcome(payment: payment, reversal: nil)
            }
            return try self.record(
                operationID, of: payment, outcome, timeouts, isFirst: isFirst, ids, settings, at: now, in: transaction)
        }
        self.noteContradiction(outcome, of: operationID, in: recorded.payment)
        self.wakeDeliveries(after: recorded.payment, settings)
        return recorded
    }

    /// The settings of the account in which a payment was made, by which what becomes of it is reported or not. They are read
    /// before the commit, whose rows would keep the account's for as long, and only where the account names the address.
    func notifySettings(of payment: Payment) async throws(GatewayRefusal) -> [String: String] {
        guard payment.namesNotifySettings else { return [:] }
        return try await self.reading { try Gateway.notifySettings(of: payment, in: $0) }
    }

    static func notifySettings(of payment: Payment, in reader: any StoreReader) throws -> [String: String] {
        guard payment.namesNotifySettings else { return [:] }
        return try reader.account(dialect: payment.dialect, merchant: payment.merchantID)?.settings ?? [:]
    }

    /// An approval of what the books say has failed: an operator has decided, or a report has come, while the answer was on its
    /// way. What the acquirer has done stands, and somebody has to look at it.
    func noteContradiction(_ outcome: AcquirerOutcome, of operationID: OperationID, in payment: Payment) {
        guard case .approved = outcome, let operation = payment.operation(operationID),
            case .failed(let failure) = operation.state, failure != .reversed
        else { return }
        self.logger.error(
            "acquirer has approved what is booked as failed",
            metadata: ["payment": "\(payment.id)", "operation": "\(operationID)", "failure": "\(failure)"])
        Counter(label: "pomona_notices_not_booked_total").increment()
    }

    private func record(
        _ operationID: OperationID, of payment: Payment, _ outcome: AcquirerOutcome,
        _ timeouts: CallContext.TimeoutPolicy, isFirst: Bool, _ ids: RecordedOutcomeIDs,
        _ settings: [String: String], at now: Timestamp, in transaction: any StoreTransaction
    ) throws -> RecordedOutcome {
        guard let operation = payment.operation(operationID) else { throw GatewayRefusal.paymentNotFound }
        // Also of what is resolved by now: whoever asks the acquirer after it needs what the acquirer calls it.
        try self.keep(
            outcome.memo, on: operationID, of: payment.id, payment.merchantID, payment.accountID, in: transaction)
        // Recovery may have been quicker; and an answer that comes after a reversal has been begun is too late to count.
        if operation.state.isResolved || payment.unresolvedReversal(of: operationID) != nil {
            return RecordedOutcome(payment: payment, reversal: nil)
        }
        // Nothing new: no version, no earlier retry than the one that is due.
        if operation.isAsKnown(as: outcome) { return RecordedOutcome(payment: payment, reversal: nil) }
        guard !outcome.isTakenBack(timeouts, operation),
            let change = try payment.resolving(
                operationID, Resolution(outcome, of: operation), isAnswer: isFirst, at: now)
        else {
            let reason = outcome.unknownReason ?? .unclear
            let change = try payment.takingBack(operationID, by: ids.reversal, reason, at: now)
            try transaction.update(change, from: payment.version)
            let dueAt = now.adding(seconds: self.settings.recoveryGraceSeconds)
            try transaction.schedule(Job(kind: .recover, paymentID: payment.id, dueAt: dueAt))
            return RecordedOutcome(payment: change.payment, reversal: change.payment.operation(ids.reversal))
        }
        let changed = try self.commit(
            change, of: operationID, from: payment, ids.event, settings, at: now, in: transaction)
        if !outcome.isDefinite {
            try transaction.schedule(Job(kind: .recover, paymentID: payment.id, dueAt: now.adding(seconds: 1)))
        }
        return RecordedOutcome(payment: changed, reversal: nil)
    }

    /// Writes a change and what follows from the end of one of its operations.
    ///
    /// - Parameter settings: those of the merchant's account.
    /// - Returns: the payment as it is written.
    func commit(
        _ change: PaymentChange, of operationID: OperationID, from payment: Payment, _ eventID: EventID,
        _ settings: [String: String], at now: Timestamp, in transaction: any StoreTransaction
    ) throws -> Payment {
        let change = try self.notingInquiries(change, from: payment, in: transaction)
        try transaction.update(change, from: payment.version)
        let changed = change.payment
        guard let operation = changed.operation(operationID), operation.state.isResolved else { return changed }
        if changed.state.cameToNothing { try transaction.delete(.capture, of: changed.id) }
        // Of an operation that came to nothing late the merchant is notified as of any that failed.
        let subject = operation.kind == .lateFailure ? operation.target.flatMap(changed.operation) : operation
        // They were read of the payment as it was: another call may have been the first to name what is asked for.
        let settings =
            settings.isEmpty && !operation.labels.notifySettings.isEmpty
            ? try Gateway.notifySettings(of: changed, in: transaction) : settings
        // Where the account names no address now, nothing is written: who never sets one would collect events for ever.
        if let subject,
            let target = try operation.labels.notifyURL(in: settings)
                ?? self.requestedURL(of: subject, changed, settings, in: transaction)
        {
            try self.insertEvent(eventID, of: subject, changed, target, at: now, in: transaction)
        }
        if changed.isWhollyResolved { try transaction.delete(.recover, of: changed.id) }
        return changed
    }

    /// The recovery job ends with what it was for: how often it has asked stays with the operations. The job is read only
    /// where recovery may have been.
    private func notingInquiries(
        _ change: PaymentChange, from payment: Payment, in transaction: any StoreTransaction
    ) throws -> PaymentChange {
        let ended = payment.operations.filter { operation in
            operation.kind != .reversal && !operation.state.isResolved && self.isAbandoned(operation)
                && change.payment.operation(operation.id)?.state.isResolved == true
        }
        guard !ended.isEmpty, let inquiries = Inquiries(try transaction.job(.recover, of: payment.id)) else {
            return change
        }
        return change.noting(inquiries, on: Set(ended.map(\.id)))
    }

    func count(_ operation: Operation, of payment: Payment) {
        let result =
            switch operation.state {
            case .pending, .unknown: "unknown"
            case .accepted: "accepted"
            case .succeeded: "succeeded"
            case .failed(.declined): "declined"
            case .failed(.reversed): "reversed"
            case .failed(.notProcessed): "not_processed"
            }
        Counter(
            label: "pomona_operations_total",
            dimensions: [
                ("dialect", payment.dialect.text), ("kind", operation.kind.rawValue), ("result", result),
                ("mode", payment.mode.rawValue),
            ]
        ).increment()
    }
}

extension Payment {
    /// Whether the account names the address to which something of it is reported.
    fileprivate var namesNotifySettings: Bool {
        self.operations.contains {
            !$0.labels.notifySettings.isEmpty || !$0.labels.notifySettingsOnRequest.isEmpty
        }
    }

    /// Whether nothing of it is pending, unknown or accepted.
    var isWhollyResolved: Bool { self.operations.allSatisfy(\.state.isResolved) }

    /// The change that an outcome makes, or `nil` for an approval that can't stand and has to be taken back.
    fileprivate func resolving(
        _ id: OperationID, _ resolution: Resolution, isAnswer: Bool, at now: Timestamp
    ) throws(PaymentRefusal) -> PaymentChange? {
        do throws(PaymentRefusal) {
            return try self.transition(on: .resolve(id, resolution, isAnswer: isAnswer), at: now)
        } catch {
            guard error == .partialApprovalNotAccepted || error == .approvalExceedsRequest else { throw error }
            return nil
        }
    }

    /// The operation unknown, and its reversal begun. Neither books anything.
    fileprivate func takingBack(
        _ id: OperationID, by reversalID: OperationID, _ reason: UnknownReason, at now: Timestamp
    ) throws(PaymentRefusal) -> PaymentChange {
        let unknown = try self.transition(on: .resolve(id, .unknown(reason)), at: now)
        let request = OperationRequest(id: reversalID, action: .reversal(of: id))
        return unknown.followed(by: try unknown.payment.transition(on: .begin(request), at: now))
    }
}

extension Operation {
    /// Whether an outcome says no more than what stands here.
    func isAsKnown(as outcome: AcquirerOutcome) -> Bool {
        switch outcome {
        case .unknown: self.state == .unknown || self.state == .accepted
        case .accepted: self.state == .accepted
        case .approved, .declined, .notProcessed: false
        }
    }
}

extension AcquirerOutcome {
    /// Whether it ends the operation.
    var isDefinite: Bool {
        switch self {
        case .approved, .declined, .notProcessed: true
        case .accepted, .unknown: false
        }
    }

    /// Why nobody knows how it ended.
    fileprivate var unknownReason: UnknownReason? {
        guard case .unknown(let unknown) = self else { return nil }
        return unknown.reason
    }

    /// Whether an operation that ended so is reversed without asking. A void is itself a reversal, and is repeated.
    fileprivate func isTakenBack(_ timeouts: CallContext.TimeoutPolicy, _ operation: Operation) -> Bool {
        timeouts == .areReversed && self.unknownReason == .timedOut && operation.kind != .void
    }
}

extension Resolution {
    init(_ outcome: AcquirerOutcome, of operation: Operation) {
        switch outcome {
        // A void or a reversal takes all of its target back, whatever amount the acquirer repeats.
        case .approved(let approval) where operation.kind == .void || operation.kind == .reversal:
            self = .succeeded(approved: operation.amount, approval.answer)
        // What was said with the acceptance still stands.
        case .approved(let approval):
            self = .succeeded(approved: approval.amount, approval.answer.completed(by: operation.answer))
        case .declined(let decline): self = .failed(.declined(decline.reason), decline.answer)
        case .accepted(let acceptance): self = .accepted(acceptance.answer)
        case .notProcessed(let not): self = .failed(.notProcessed(not.reason), AcquirerAnswer())
        case .unknown(let unknown): self = .unknown(unknown.reason)
        }
    }
}

extension OutboxEvent.Kind {
    /// The event that the end of an operation is, for those that merchants are notified of.
    init?(_ operation: Operation, _ state: Operation.State) {
        let hasSucceeded = state == .succeeded
        switch operation.kind {
        case .authorization: self = hasSucceeded ? .authorizationSucceeded : .authorizationFailed
        case .capture: self = hasSucceeded ? .captureSucceeded : .captureFailed
        case .void: self = hasSucceeded ? .voidSucceeded : .voidFailed
        case .refund: self = hasSucceeded ? .refundSucceeded : .refundFailed
        case .adjustment: self = hasSucceeded ? .adjustmentSucceeded : .adjustmentFailed
        case .verification: self = hasSucceeded ? .verificationSucceeded : .verificationFailed
        case .chargeback: self = hasSucceeded ? .chargeback : .chargebackReversed
        case .reversal, .lateFailure: return nil
        }
    }
}
