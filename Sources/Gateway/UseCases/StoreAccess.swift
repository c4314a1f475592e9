//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Logging
import Payments
import Time

extension Gateway {
    /// Reads; whatever goes wrong below is the store's trouble, logged here and refused as such.
    func reading<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws(GatewayRefusal) -> Value {
        do {
            return try await self.store.read(body)
        } catch {
            throw self.refusal(for: error)
        }
    }

    /// Reads what is sealed; once more with the store's data keys, if those in memory turn out to be old.
    func readingSecrets<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws(GatewayRefusal) -> Value {
        do {
            return try await self.withFreshKeys { try await self.store.read(body) }
        } catch {
            throw self.refusal(for: error)
        }
    }

    /// Writes; a refusal that the body throws passes through, with nothing kept. What the body has sealed under a data key
    /// that is gone by now is sealed once more under the new one.
    func writing<Value: Sendable>(
        expecting lookups: ExpectedLookups = ExpectedLookups(),
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws(GatewayRefusal) -> Value {
        do {
            return try await self.withFreshKeys { try await self.store.write(expecting: lookups, body) }
        } catch {
            throw self.refusal(for: error)
        }
    }

    /// The same; with nothing kept, when the body throws why something else has to be done first.
    func writing<Value: Sendable, Reason: Error>(
        expecting lookups: ExpectedLookups, unless reason: Reason.Type,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws(GatewayRefusal) -> Result<Value, Reason> {
        do {
            return .success(try await self.withFreshKeys { try await self.store.write(expecting: lookups, body) })
        } catch let reason as Reason {
            return .failure(reason)
        } catch {
            throw self.refusal(for: error)
        }
    }

    /// Writes what was decided on a payment in the caller's hands.
    ///
    /// - Returns: `nil`, with nothing kept, when somebody else has changed that payment in the meantime.
    func writingUnlessChanged<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws(GatewayRefusal) -> Value? {
        do {
            return try await self.store.write(body)
        } catch StoreError.conflict {
            return nil
        } catch {
            throw self.refusal(for: error)
        }
    }

    /// Changes a payment that is in the caller's hands. Usually nobody else has touched it since; then it is not read again,
    /// and the version that the update asks for proves it.
    ///
    /// - Parameters:
    ///   - memo: what is sealed beside it, if anything: under keys that may have to be read again.
    ///   - body: is handed the payment as it is, and run again where that is another version.
    func changing<Value: Sendable>(
        _ known: Payment, keeping memo: AcquirerMemo = AcquirerMemo(),
        _ body: @escaping @Sendable (Payment, any StoreTransaction) throws -> Value
    ) async throws(GatewayRefusal) -> Value {
        if memo.isEmpty, let value = try await self.writingUnlessChanged({ try body(known, $0) }) { return value }
        return try await self.writing { transaction in
            guard let payment = try transaction.payment(known.id) else { throw GatewayRefusal.paymentNotFound }
            return try body(payment, transaction)
        }
    }

    /// Takes payments of which a job of a kind is due, each for the time of a lease.
    ///
    /// - Parameter isAllDue: whether all jobs of the kind are, whatever they wait for.
    /// - Returns: none where the store cannot be written to, or this machine's clock is not trusted; the log says so.
    func lease(_ kind: Job.Kind, isAllDue: Bool = false, limit: Int) async -> [Job] {
        let now = self.clock()
        let leaseEnd = now.adding(seconds: self.settings.jobLeaseSeconds)
        do throws(GatewayRefusal) {
            return try await self.writing { transaction in
                // To a clock that is ahead what is under way on another node looks abandoned, and would be taken back.
                guard try self.mayActByTime(in: transaction, asking: true) else { return [] }
                if isAllDue { try transaction.makeDue(kind, at: now) }
                return try transaction.lease(kind, dueBy: now, until: leaseEnd, limit: limit)
            }
        } catch {
            return []
        }
    }

    func refusal(for error: any Error) -> GatewayRefusal {
        switch error {
        case let refusal as GatewayRefusal: return refusal
        case let refusal as PaymentRefusal: return .payment(refusal)
        default:
            self.logger.error("store failed", metadata: ["reason": "\(error)"])
            return .storeUnavailable
        }
    }
}
