//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Payments

// Which transaction a subsequent one is about: `transaction.targetTransactionId`. What may be done to it, the payment
// says in the commit that begins the operation; here is only found what is meant.

extension Payment {
    /// What a VOID takes back.
    func voidTarget(_ fields: SubsequentFields) throws(CommWebError) -> OperationID {
        guard let id = fields.targetTransactionID else { throw .missing(SubsequentFields.targetPath) }
        if let operation = self.transaction(id) { return operation.id }
        guard self.hasVoidableTransaction else { throw CommWebError(.nothingToVoid, field: "apiOperation") }
        throw CommWebError(.transactionNotFound, field: SubsequentFields.targetPath)
    }

    /// The capture that a REFUND gives back, `nil` where there is none: the one that it names, or the only one of which
    /// something is left.
    ///
    /// Clients that know no targets repeat the capture's id as the refund's reference, which decides between several.
    func refundTarget(_ fields: SubsequentFields) throws(CommWebError) -> OperationID? {
        let path = SubsequentFields.targetPath
        if let id = fields.targetTransactionID {
            guard let named = self.transaction(id) else { throw CommWebError(.transactionNotFound, field: path) }
            guard let capture = named.ownCapture else { throw .invalid(path, "must be that of a capture or a payment") }
            return capture
        }
        // Also where nothing is left of it: such a client sends a refund whose answer was lost under another id, and means no
        // other capture by it.
        if let referred = fields.reference.flatMap(self.transaction)?.ownCapture { return referred }
        let captures = self.operations.filter { $0.kind == .capture }
        let refundable = captures.filter { self.refundableAmount(of: $0).isPositive }
        guard refundable.count < 2 else {
            throw CommWebError(
                .fieldMissing, "The order has several captures. The field \(path) must name the one to refund.",
                field: path, .missing)
        }
        return (refundable.first ?? captures.last)?.id
    }

    /// A CAPTURE and an UPDATE_AUTHORIZATION are about the authorization: a target must be that, or an update of it.
    func checkAuthorizationTarget(_ fields: SubsequentFields) throws(CommWebError) {
        guard let id = fields.targetTransactionID else { return }
        let path = SubsequentFields.targetPath
        guard let named = self.transaction(id) else { throw CommWebError(.transactionNotFound, field: path) }
        switch named.kind {
        case .authorization, .adjustment, .verification: return
        case .capture, .void, .refund, .reversal, .lateFailure, .chargeback:
            throw .invalid(path, "must be that of the authorization")
        }
    }

    private func transaction(_ id: String) -> Operation? { self.operations.first { $0.isTransaction(id) } }

    private var hasVoidableTransaction: Bool {
        self.operations.contains { operation in
            switch operation.kind {
            case .authorization, .capture, .refund:
                operation.state == .succeeded && operation.transactionID != nil && !self.isUndone(operation.id)
            case .void, .adjustment, .verification, .reversal, .lateFailure, .chargeback: false
            }
        }
    }
}

extension Operation {
    /// What is refunded of the transaction: a capture itself, and of a payment the capture that it made.
    fileprivate var ownCapture: OperationID? { self.kind == .capture ? self.id : self.saleCaptureID }
}
