//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
import StrictJSON
import Time

/// What an acquirer reports of a payment after it has answered, without being asked. It is booked as an operation that is
/// done when it begins.
public struct AcquirerReport: Hashable, Sendable {
    public enum Event: Hashable, Sendable {
        /// An authorization, a sale, a capture, a refund or a chargeback came to nothing.
        case failed(OperationID, DeclineReason)
        /// The cardholder's bank has taken back captured money: of that capture, where the acquirer names one.
        case chargedBack(Money, of: OperationID? = nil)
    }

    /// The id of the operation that it is booked as.
    public let id: OperationID
    public let event: Event
    /// What the acquirer kept for it.
    public let fee: Money?
    /// The acquirer's own name for the report, by which a repeated one is recognised.
    public let reference: String?
    /// What the acquirer said beside it.
    public let answer: AcquirerAnswer

    public init(
        id: OperationID, event: Event, fee: Money? = nil, reference: String? = nil,
        answer: AcquirerAnswer = AcquirerAnswer()
    ) {
        self.id = id
        self.event = event
        self.fee = fee
        self.reference = reference
        self.answer = answer
    }
}

extension Payment {
    /// What was captured, and neither refunded nor charged back.
    public var keptAmount: Money { self.capturedAmount - self.refundedAmount - self.chargedBackAmount }

    /// Books what the acquirer reports.
    func book(_ report: AcquirerReport, at now: Timestamp) throws(PaymentRefusal) -> PaymentChange {
        // What the acquirer has done is booked also where there is no room for what a merchant asks.
        if let reference = report.reference, self.isReported(reference) { throw .operationAlreadyResolved }
        if let fee = report.fee { try self.check(fee: fee) }
        let kind: Operation.Kind
        let amount: Money
        var target: Operation?
        var reason: DeclineReason?
        switch report.event {
        case .failed(let id, let why):
            let failed = try self.checkFailure(of: id)
            (kind, amount, target, reason) = (.lateFailure, failed.movedAmount, failed, why)
        case .chargedBack(let taken, let capture):
            try self.checkMoney(taken)
            // The bank takes no notice of refunds; it takes no more than was captured all the same.
            if taken > self.capturedAmount - self.chargedBackAmount { throw .refundExceedsCaptured }
            // It is held against its capture, also where that has less left by our books: the acquirer knows better.
            let named = capture.flatMap(self.operation).flatMap { $0.kind == .capture ? $0 : nil }
            (kind, amount, target) = (.chargeback, taken, named)
        }
        var changed = self
        changed.version += 1
        // What is charged back was captured: a payment's beginning may be reported nowhere.
        let captures = self.operations.filter { $0.kind == .capture }
        let reportable = [target, captures.last { $0.labels.isReportable }, self.opening].lazy
            .compactMap { $0?.labels }.first { $0.isReportable }
        let labels = OperationLabels(
            reference: report.reference, notifyURL: reportable?.notifyURL,
            notifySettings: reportable?.notifySettings ?? [])
        changed.operations.append(
            Operation(
                id: report.id, kind: kind, amount: amount, target: target?.id, labels: labels, begunAt: now,
                begunInVersion: changed.version, state: .succeeded, approvedAmount: amount, answer: report.answer,
                resolvedAt: now, resolvedInVersion: changed.version, lateFailureReason: reason))
        var journal = Bookkeeping.entries(from: self, to: changed, at: now)
        if let fee = report.fee { journal.append(Bookkeeping.fee(fee, with: report.id, of: changed, at: now)) }
        return PaymentChange(payment: changed, journal: journal)
    }

    private func check(fee: Money) throws(PaymentRefusal) {
        try self.checkMoney(fee)
        // Unlike what is charged back, a fee has no bound of its own, and a few without end would be more than an account's
        // sums can be.
        guard fee.minorUnits <= Money.minorUnitsMax else { throw .approvalExceedsRequest }
    }

    /// Whether a report may have such a fee. What it reports has happened whatever its fee is.
    public func takes(fee: Money) -> Bool {
        do throws(PaymentRefusal) {
            try self.check(fee: fee)
            return true
        } catch {
            return false
        }
    }

    /// Whether a report of that name has been booked. Names are compared by their bytes, as an acquirer makes them.
    public func isReported(_ reference: String) -> Bool {
        self.operations.contains { $0.reportReference.isExactly(reference) }
    }

    /// - Returns: what came to nothing. A sale is one with its capture: the authorization stands for both.
    private func checkFailure(of id: OperationID) throws(PaymentRefusal) -> Operation {
        let isSaleCapture = self.authorization?.saleCaptureID == id
        guard let operation = isSaleCapture ? self.authorization : self.operation(id) else { throw .operationNotFound }
        guard operation.state.isResolved else { throw .authorizationPending }
        guard operation.state == .succeeded else { throw .operationAlreadyResolved }
        if self.hasFailedLate(operation) { throw .operationAlreadyResolved }
        if self.isUndone(operation.id) { throw .alreadyVoided }
        switch operation.kind {
        case .authorization:
            // What was captured shows that it held.
            if !operation.isSale, self.capturedAmount.isPositive { throw .alreadyCaptured }
        case .capture, .refund, .chargeback: break
        case .void, .adjustment, .verification, .reversal, .lateFailure: throw .notVoidable
        }
        return operation
    }
}
