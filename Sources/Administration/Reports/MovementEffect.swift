//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
public import Money
public import Payments

extension Movement {
    /// What it has changed of what the merchant is owed, as the ledger's posted layer books it (``Bookkeeping``): positive
    /// for a capture, negative for a refund or a chargeback; nothing for a hold and for what failed.
    public var change: Money {
        let zero = Money.zero(self.operation.amount.currency)
        guard self.operation.state == .succeeded else { return zero }
        let amount = self.operation.movedAmount
        switch self.operation.kind {
        case .authorization, .adjustment, .verification, .reversal: return zero
        case .capture: return amount
        case .refund, .chargeback: return zero - amount
        case .void, .lateFailure:
            // What it has taken back is known by the sums before and after.
            guard let version = self.operation.resolvedInVersion else { return zero }
            return self.payment.asOf(version: version).keptAmount
                - self.payment.asOf(version: version - 1).keptAmount
        }
    }

    /// What the acquirer kept when it reported the operation; `nil` for nothing.
    func fee(in reader: any StoreReader) throws -> Money? {
        guard self.operation.kind.isReported else { return nil }
        return self.fee(in: try reader.journal(of: self.payment.id))
    }

    /// - Parameter journal: the payment's.
    func fee(in journal: [JournalEntry]) -> Money? {
        guard self.operation.kind.isReported else { return nil }
        let id = Bookkeeping.feeEntryID(of: self.operation.id)
        return journal.first { $0.id == id }?.postings.first?.amount
    }
}
