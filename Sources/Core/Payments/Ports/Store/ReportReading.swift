//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Ledger
public import StrictJSON

/// What many payments come to: searches, reports and the ledger.
public protocol ReportReading {
    /// Payments that fit, in the query's order.
    func payments(_ query: PaymentQuery) throws -> [Payment]
    /// The place of the last of so many payments that fit, in the query's order; `nil` where there are fewer.
    func paymentPlace(_ query: PaymentQuery, number: Int) throws -> PaymentQuery.Cursor?
    /// How many payments fit. Counting goes through all of them, or through so many at the most.
    func paymentsCount(_ query: PaymentQuery, max: Int) throws -> Int
    /// Counts those that fit among the next payments of the query's ``PaymentQuery/walk``, as many as the limit. It
    /// costs as much however few fit; the query's offset is none of its.
    func paymentsTally(_ query: PaymentQuery) throws -> PaymentsTally
    /// What was resolved, in the order of its time.
    func movements(_ query: MovementQuery) throws -> [Movement]
    /// What is written of a movement, for whoever compares it with the operation.
    func movementEntry(_ place: MovementQuery.Cursor, of merchant: MerchantID) throws -> MovementEntry?
    /// What they are called, in the same order.
    func movementNames(_ query: MovementQuery) throws -> [MovementNames]
    /// How many movements are written.
    func movementEntriesCount() throws -> Int

    /// The journal entries about a payment, in the order booked.
    func journal(of payment: PaymentID) throws -> [JournalEntry]
    /// A page of all journal entries' subjects: payment ids after the given one in id order.
    func paymentIDs(after: PaymentID?, limit: Int) throws -> [PaymentID]
    /// Debits and credits over all rows by account, layer and currency.
    ///
    /// - Throws: `LedgerError` where one of them is beyond 64 bits; ``StoreError``.
    func ledgerSums() throws -> [LedgerBalances.Key: LedgerBalances.Sums]

    // What a page needs at once, those that there are: a store whose server is across a network asks it once. They lock
    // nothing.
    func payments(_ ids: Set<PaymentID>) throws -> [PaymentID: Payment]
    func orders(_ ids: Set<OrderID>) throws -> [OrderID: Order]
    func journals(of payments: Set<PaymentID>) throws -> [PaymentID: [JournalEntry]]
    /// What is written of these movements, by their operations, for whoever compares it.
    func movementEntries(of movements: [MovementEntry]) throws -> [OperationID: MovementEntry]
    /// The payments that names lead to, those that lead to any: the id of the payment or of one of its operations, what the
    /// acquirer, the network or the merchant calls an operation, or what this merchant calls the order. But for the last they
    /// may be anybody's. A short name leads nowhere.
    ///
    /// - Parameters:
    ///   - names: without control characters. They are compared by their bytes.
    ///   - limit: how many operations or orders of a name are looked at, at the most.
    func payments(
        named names: Set<ExactText>, of merchant: MerchantID, limit: Int
    ) throws -> [ExactText: NamedPayments]
}

extension ReportReading {
    /// The orders that the payments have, by their ids.
    public func orders(of payments: [Payment]) throws -> [OrderID: Order] {
        try self.orders(Set(payments.compactMap(\.orderID)))
    }
}

// One by one, where a call costs no round trip.
extension ReportReading where Self: PaymentReading {
    public func payments(_ ids: Set<PaymentID>) throws -> [PaymentID: Payment] {
        try ids.reduce(into: [:]) { $0[$1] = try self.payment($1) }
    }

    public func orders(_ ids: Set<OrderID>) throws -> [OrderID: Order] {
        try ids.reduce(into: [:]) { $0[$1] = try self.order($1) }
    }

    public func journals(of payments: Set<PaymentID>) throws -> [PaymentID: [JournalEntry]] {
        try payments.reduce(into: [:]) { $0[$1] = try self.journal(of: $1) }
    }

    public func movementEntries(of movements: [MovementEntry]) throws -> [OperationID: MovementEntry] {
        try movements.reduce(into: [:]) { found, movement in
            found[movement.operationID] = try self.movementEntry(movement.cursor, of: movement.merchantID)
        }
    }
}

extension ReportReading {
    public func paymentsCount(_ query: PaymentQuery) throws -> Int { try self.paymentsCount(query, max: .max) }
}
