//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Payments
import Time

/// How an operation ended, as a person has found out at the acquirer.
public enum OperatorDecision: Sendable {
    /// The acquirer has done it.
    ///
    /// - Parameters:
    ///   - reference: the acquirer's own name for it, where it has one.
    ///   - amount: what it has approved, where that is a part of what was asked for.
    case approved(reference: String?, amount: Money? = nil)
    /// Nothing was done, and nothing will be.
    case failed
}

/// Why a decision was not booked.
@_spi(Administration)
public enum DecisionRefusal: Error, Hashable, Sendable {
    case operationUnknown
    /// Its end is known already.
    case operationResolved
    /// It has only just begun: its answer is on its way.
    case operationUnderWay(seconds: Int64)
}

extension Gateway {
    /// Books what an operator has found out about an operation that nobody knew the end of: for acquirers that answer no
    /// queries, and for all others when they are gone. Its entries, its event and the audit log are one commit.
    ///
    /// A reversal of it that is still open ends with it: acknowledged where nothing was done, given up where the operation
    /// stands.
    /// - Throws: ``DecisionRefusal``, `PaymentRefusal`, `StoreError`.
    @_spi(Administration)
    public func decide(
        _ id: OperationID, _ decision: OperatorDecision, reason: String
    ) async throws -> Payment {
        let eventID: EventID = self.makeID()
        let now = self.clock()
        let graceSeconds = await self.decisionGraceSeconds(id)
        let settings = try await self.store.read { reader in
            let payment = try reader.paymentID(ofOperation: id).flatMap { try reader.payment($0) }
            return try payment.map { try Gateway.notifySettings(of: $0, in: reader) } ?? [:]
        }
        let draft = AuditDraft(.operationDecide, id.text, ["reason": reason])
        let decided = try await self.administer(draft) { transaction, entry in
            guard let paymentID = try transaction.paymentID(ofOperation: id),
                let payment = try transaction.payment(paymentID), let operation = payment.operation(id)
            else { throw DecisionRefusal.operationUnknown }
            guard !operation.state.isResolved else { throw DecisionRefusal.operationResolved }
            let ageSeconds = abs(now.milliseconds(since: operation.begunAt)) / 1000
            guard ageSeconds >= graceSeconds else {
                throw DecisionRefusal.operationUnderWay(seconds: graceSeconds - ageSeconds)
            }
            entry.details["payment"] = payment.id.text
            entry.details["decision"] = decision.word
            if case .approved(_, let amount?) = decision { entry.details["amount"] = "\(amount)" }
            let change = try payment.deciding(operation, decision, at: now)
            let subject = operation.kind == .reversal ? operation.target ?? id : id
            let changed = try self.commit(
                change, of: subject, from: payment, eventID, settings, at: now, in: transaction)
            if !changed.isWhollyResolved {
                try transaction.schedule(Job(kind: .recover, paymentID: payment.id, dueAt: now.adding(seconds: 1)))
            }
            return changed
        }
        self.wakeDeliveries(after: decided, settings)
        if let operation = decided.operation(id) { self.count(operation, of: decided) }
        return decided
    }

    /// How long an operation is left to the request that began it. That may be another process's, with other settings, which
    /// waits for as long as the acquirer's account may take.
    private func decisionGraceSeconds(_ id: OperationID) async -> Int64 {
        let own = self.settings.recoveryGraceSeconds
        let found = try? await self.store.read { reader in
            try reader.paymentID(ofOperation: id).flatMap { try reader.payment($0)?.accountID }
        }
        guard let account = found ?? nil, let deadlines = try? await self.acquirer(account)?.capabilities.deadlines
        else { return own }
        let longest = max(deadlines.chargeMilliseconds, deadlines.otherMilliseconds)
        return max(own, (longest + 999) / 1000 + decisionMarginSeconds)
    }
}

/// What a gateway's own deadline and grace are longer than its acquirers' (`pomona doctor`, `deadline_short`).
private let decisionMarginSeconds: Int64 = 20

extension OperatorDecision {
    fileprivate var word: String {
        switch self {
        case .approved: "approved"
        case .failed: "failed"
        }
    }
}

extension Payment {
    /// The change that a decision makes.
    fileprivate func deciding(
        _ operation: Operation, _ decision: OperatorDecision, at now: Timestamp
    ) throws(PaymentRefusal) -> PaymentChange {
        let reversal = self.unresolvedReversal(of: operation.id)
        switch decision {
        case .approved(let reference, let amount):
            let resolution = Resolution.succeeded(
                approved: amount ?? operation.amount, AcquirerAnswer(reference: reference ?? operation.answer.reference)
            )
            let decided = PaymentEvent.resolve(operation.id, resolution, isAnswer: false)
            guard let reversal else { return try self.transition(on: decided, at: now) }
            let given = try self.transition(
                on: .resolve(reversal.id, .failed(.declined(.invalidOperation), AcquirerAnswer())), at: now)
            return given.followed(by: try given.payment.transition(on: decided, at: now))
        case .failed:
            if let reversal {
                let resolution = Resolution.succeeded(approved: reversal.amount, AcquirerAnswer())
                return try self.transition(on: .resolve(reversal.id, resolution), at: now)
            }
            // What the acquirer has accepted did arrive there, and was counted (``AcquirerRequest/ordinal``): PAYONE takes the
            // number of what it answered PENDING for nothing else.
            let failure: OperationFailure =
                operation.state == .accepted ? .declined(.unspecified) : .notProcessed(.neverArrived)
            let resolution = Resolution.failed(failure, AcquirerAnswer(reference: operation.answer.reference))
            return try self.transition(on: .resolve(operation.id, resolution, isAnswer: false), at: now)
        }
    }
}
