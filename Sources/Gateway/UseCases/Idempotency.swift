//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
import Time

/// How the commit before an acquirer call ended.
enum Beginning: Sendable {
    /// The operation is pending and may be sent.
    case begun(Payment, Order?)
    /// The same call was made before; this is what it did.
    case repeated(PaymentID, OperationID)
    /// Nothing was written: the payment's account with the acquirer has to be opened first.
    case accountNotOpen(AcquirerAccountID)
}

extension Gateway {
    /// The outcome of what was done before, as its own call answers it: the payment in the version in which the
    /// operation was resolved.
    func repeated(_ beginning: Beginning) async throws(GatewayRefusal) -> OperationOutcome {
        guard case .repeated(let paymentID, let operationID) = beginning else { throw .paymentNotFound }
        return try await self.reading { reader in
            guard let payment = try reader.payment(paymentID), let operation = payment.operation(operationID) else {
                throw GatewayRefusal.paymentNotFound
            }
            var order = try payment.orderID.flatMap { try reader.order($0) }
            // As it was when the payment was begun: a later attempt, or the order's end after a failed one, is not this
            // call's.
            order?.paymentID = paymentID
            order?.canceledAt = nil
            return OperationOutcome(payment: payment, operation: operation, order: order, isRepeat: true).atResolution
        }
    }

    static func key(of context: CallContext) -> IdempotencyKey? {
        context.idempotency.map {
            IdempotencyKey(
                merchantID: context.merchant.merchant.id, dialect: context.merchant.dialect, operation: $0.operation,
                key: $0.key)
        }
    }

    /// What an earlier call with the same key did.
    ///
    /// - Throws: ``GatewayRefusal/idempotencyConflict`` when that call asked for something else.
    static func claimed(_ context: CallContext, in reader: any StoreReader) throws -> Beginning? {
        guard let key = self.key(of: context), let claim = try reader.claim(key) else { return nil }
        guard claim.digest == context.idempotency?.digest,
            case .operation(let paymentID, let operationID) = claim.subject
        else { throw GatewayRefusal.idempotencyConflict }
        return .repeated(paymentID, operationID)
    }

    /// What an earlier call with the same key did, for calls whose own rules would refuse what the first has left; `nil` if
    /// there was none, or if the call has no key.
    ///
    /// - Throws: ``GatewayRefusal/idempotencyConflict`` when that call asked for something else,
    ///   ``GatewayRefusal/storeUnavailable``.
    public func earlier(_ context: CallContext) async throws(GatewayRefusal) -> OperationOutcome? {
        guard context.idempotency != nil else { return nil }
        guard let claimed = try await self.reading({ try Gateway.claimed(context, in: $0) }) else { return nil }
        return try await self.repeated(claimed)
    }

    /// What the commit that begins a call asks for first: whether it was made before, and whether its names are free.
    static func lookups(_ context: CallContext, _ references: [ReferenceName]) -> ExpectedLookups {
        ExpectedLookups(claim: self.key(of: context), references: self.named(references, by: context))
    }

    private static func named(_ references: [ReferenceName], by context: CallContext) -> [Reference] {
        references.map { $0.reference(of: context.merchant.merchant.id, in: context.merchant.dialect) }
    }

    /// Writes the claim and the dialect's references for what has just been begun. A reference that is the claim itself
    /// needs no row of its own: ``StoreReader/operation(_:)`` finds it by the claim.
    static func record(
        _ context: CallContext, _ references: [ReferenceName], _ subject: IdempotencyClaim.Subject, at now: Timestamp,
        in transaction: any StoreTransaction
    ) throws {
        let key = self.key(of: context)
        let named = self.named(references, by: context)
        for reference in named where try transaction.operation(reference) != nil {
            throw GatewayRefusal.referenceTaken(kind: reference.kind)
        }
        if let key, let digest = context.idempotency?.digest {
            try transaction.insert(IdempotencyClaim(key: key, digest: digest, subject: subject, createdAt: now))
        }
        guard case .operation(_, let operationID) = subject else { return }
        for reference in named where key?.reference != reference {
            try transaction.insert(reference, operation: operationID)
        }
    }

    /// Deletes claims that were made long enough ago (``GatewaySettings/claimsKeptSeconds``), of so many that come after a
    /// key. What is sent again then is a new call: of a token, a prime or an order that was paid with it is refused all
    /// the same.
    ///
    /// - Parameter isName: whether something is found by a claim (``IdempotencyKey/reference``), which stays therefore.
    /// - Returns: the last key that was looked at; `nil` when there are none left.
    public func deleteClaims(
        after key: IdempotencyKey?, limit: Int, sparing isName: (IdempotencyKey) -> Bool
    ) async throws(GatewayRefusal) -> IdempotencyKey? {
        guard let seconds = self.settings.claimsKeptSeconds else { return nil }
        let moment = self.clock().adding(seconds: -max(seconds, IdempotencyClaim.secondsKeptMin))
        let claims = try await self.reading { try $0.claims(after: key, limit: limit) }
        let old = claims.filter { $0.createdAt < moment && !isName($0.key) }.map(\.key)
        if !old.isEmpty {
            try await self.writing { transaction in
                guard try self.mayActByTime(in: transaction) else { return }
                try transaction.deleteClaims(old, before: moment)
            }
        }
        return claims.count < limit ? nil : claims.last?.key
    }
}

extension OperationOutcome {
    /// The same, with the payment as it was when the operation was resolved.
    var atResolution: OperationOutcome {
        guard let version = self.operation.resolvedInVersion else { return self }
        return OperationOutcome(
            payment: self.payment.asOf(version: version), operation: self.operation, order: self.order,
            isRepeat: self.isRepeat)
    }
}
