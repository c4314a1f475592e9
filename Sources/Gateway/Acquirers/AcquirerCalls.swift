//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Deadlines
import Logging
import Money
import Payments

// How operations become requests, and what is left of their outcomes.

extension Gateway {
    /// Has the acquirer do an operation with which a payment begins.
    func send(
        _ opening: Operation, of payment: Payment, _ charge: Charge, to acquirer: any Acquirer
    ) async -> AcquirerOutcome {
        let action: AcquirerRequest.Action = opening.kind == .verification ? .verify(charge) : .authorize(charge)
        return await self.perform(payment.request(opening, action), acquirer)
    }

    /// Has the acquirer do an operation that follows another. The same operation always makes the same message.
    func send(_ operation: Operation, of payment: Payment, to acquirer: any Acquirer) async -> AcquirerOutcome {
        // What needs the instrument is sent once and never again, because the instrument is not kept.
        guard let action = payment.action(of: operation) else { return .unclear("not_repeatable") }
        return await self.perform(payment.request(operation, action), acquirer)
    }

    /// Waits for as long as it may take. What comes later is not waited for: the operation is unknown, and recovery asks.
    private func perform(_ request: AcquirerRequest, _ acquirer: any Acquirer) async -> AcquirerOutcome {
        let outcome = await self.acquirerDeadlines.run(.timedOut("deadline_passed")) { await acquirer.perform(request) }
        self.report(outcome, of: request, acquirer.name)
        return outcome
    }

    /// What the operator should know of: an acquirer that cannot be reached, or does not take what it is sent.
    private func report(_ outcome: AcquirerOutcome, of request: AcquirerRequest, _ acquirer: AcquirerName) {
        let (level, word): (Logger.Level, String)
        switch outcome {
        case .approved, .declined, .accepted: return
        case .notProcessed(let not): (level, word) = (not.reason.isRetryable ? .warning : .error, not.word)
        case .unknown(let unknown): (level, word) = (.notice, unknown.word)
        }
        self.logger.log(
            level: level, level == .notice ? "acquirer gave no outcome" : "acquirer did not process an operation",
            metadata: [
                "acquirer": "\(acquirer)", "payment": "\(request.paymentID)", "operation": "\(request.operationID)",
                "reason": "\(word)",
            ])
    }
}

extension Payment {
    fileprivate func request(_ operation: Operation, _ action: AcquirerRequest.Action) -> AcquirerRequest {
        AcquirerRequest(
            operationID: operation.id, paymentID: self.id, merchantID: self.merchantID, amount: operation.amount,
            begunAt: operation.begunAt, action: action)
    }

    /// `nil` for an operation that follows none.
    fileprivate func action(of operation: Operation) -> AcquirerRequest.Action? {
        // The sums are those of the time when it was begun, so that it is the same message whenever it is sent.
        let earlier = self.asOf(version: operation.begunInVersion - 1)
        let target = operation.target.flatMap(self.operation).map { self.original($0, in: earlier) }
        if operation.kind == .reversal { return target.map { .reverse($0) } }
        guard let authorization = self.authorization.map({ self.original($0, in: earlier) }) else { return nil }
        switch operation.kind {
        case .capture: return .capture(of: authorization, isFinal: operation.isFinalCapture)
        case .refund: return .refund(of: authorization, capture: target)
        case .adjustment: return .adjust(authorization)
        case .void: return .void(target ?? authorization)
        case .authorization, .verification, .reversal: return nil
        }
    }

    /// An operation as an acquirer is asked about it.
    func original(_ operation: Operation) -> OriginalOperation { self.original(operation, in: self) }

    private func original(_ operation: Operation, in earlier: Payment) -> OriginalOperation {
        OriginalOperation(
            id: operation.id, kind: operation.kind, isSale: operation.isSale,
            amount: operation.approvedAmount ?? operation.amount, begunAt: operation.begunAt,
            resolvedAt: operation.resolvedAt, answer: operation.answer,
            ordinal: (self.operations.firstIndex { $0.id == operation.id } ?? 0) + 1,
            authorizedTotal: earlier.authorizedAmount, capturedTotal: earlier.capturedAmount)
    }
}

extension AcquirerCapabilities {
    /// Whether what follows an authorization can be asked for. What the payment's own rules refuse is theirs to refuse.
    func allows(_ action: OperationRequest.Action, of payment: Payment) -> Bool {
        switch action {
        case .capture(let amount, _): return self.capturesInParts || payment.authorizedAmount == amount
        case .refund(let amount, _): return self.refundsInParts || payment.capturedAmount == amount
        case .adjustment(let total):
            return self.adjustments.contains(total > payment.authorizedAmount ? .up : .down)
        case .void(let target): return self.allowsVoid(of: target.flatMap(payment.operation), payment)
        case .reversal: return true
        }
    }

    private func allowsVoid(of target: Operation?, _ payment: Payment) -> Bool {
        switch target?.kind {
        case .refund: return self.voids.contains(.refund)
        case .capture where payment.authorization?.isSale != true: return self.voids.contains(.capture)
        default: return self.voids.contains(payment.authorization?.isSale == true ? .sale : .authorization)
        }
    }
}
