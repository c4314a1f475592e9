//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Ledger

/// What many payments come to: searches, reports and the ledger.
public protocol ReportReading {
    /// Payments that fit, in the query's order.
    func payments(_ query: PaymentQuery) throws -> [Payment]
    /// How many payments fit. Counting goes through all of them, or through so many at the most.
    func paymentsCount(_ query: PaymentQuery, max: Int) throws -> Int
    /// What was resolved, in the order of its time.
    func movements(_ query: MovementQuery) throws -> [Movement]
    /// What is written of a movement, for whoever compares it with the operation.
    func movementEntry(_ place: MovementQuery.Cursor, of merchant: MerchantID) throws -> MovementEntry?
    /// How many movements are written.
    func movementEntriesCount() throws -> Int

    /// The journal entries about a payment, in the order booked.
    func journal(of payment: PaymentID) throws -> [JournalEntry]
    /// A page of all journal entries' subjects: payment ids after the given one in id order.
    func paymentIDs(after: PaymentID?, limit: Int) throws -> [PaymentID]
    /// Debits and credits over all rows by account, layer and currency.
    func ledgerSums() throws -> [LedgerBalances.Key: LedgerBalances.Sums]
}

extension ReportReading {
    public func paymentsCount(_ query: PaymentQuery) throws -> Int { try self.paymentsCount(query, max: .max) }
}
