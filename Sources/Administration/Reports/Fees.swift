//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Ledger
public import Money
public import Payments
public import StrictJSON
public import Time

/// One fee that an acquirer has kept, or given back.
public struct FeeRow: ReportRow, Hashable {
    /// How it is known.
    public enum Source: String, Hashable, Sendable, CaseIterable {
        /// The acquirer has reported it with a chargeback or a late failure.
        case report
        /// It stands in a settlement file.
        case settlement
        /// A difference to a settlement file was found to be one.
        case correction
    }

    public let merchant: String
    public let zone: ReportZone
    public let account: String
    public let source: Source
    public let bookedAt: Timestamp
    /// Negative for what was given back.
    public let amount: Money
    public let paymentID: PaymentID?
    /// Of which journal entry: the operation's, or the line's of the settlement file.
    public let entry: String
    /// What the acquirer calls it.
    public let reference: String

    public static let columns = [
        "moment", "momentUTC", "merchant", "account", "source", "amount", "minorUnits", "currency", "payment", "entry",
        "reference",
    ]

    public var cells: [JSON] {
        [
            .string(self.zone.text(of: self.bookedAt)), .string(self.bookedAt.rfc3339Milliseconds),
            .string(self.merchant), .string(self.account), .string(self.source.rawValue),
            .string(self.amount.decimalText), JSON(self.amount.minorUnits), .string(self.amount.currency.code),
            .string(self.paymentID?.text ?? ""), .string(self.entry), .string(self.reference),
        ]
    }
}

extension Administration {
    /// The fees of a merchant, those that were reported first and then those of settlement files, page by page.
    ///
    /// - Parameters:
    ///   - from: booked at or after.
    ///   - to: booked before.
    ///   - handle: is given each page.
    /// - Throws: ``AdministrationError`` `merchant_unknown`; `StoreError`; what `handle` throws.
    public func fees(
        of merchant: MerchantID, from: Timestamp? = nil, to: Timestamp? = nil,
        _ handle: ([FeeRow]) async throws -> Void
    ) async throws {
        var place: FeePlace? = .first
        while let present = place {
            let page = try await self.feePage(of: merchant, from: from, to: to, present)
            try await handle(page.rows)
            place = page.next
        }
    }
}

extension FeeRow {
    init?(of movement: Movement, _ merchant: Merchant, in reader: any StoreReader) throws {
        guard let fee = try movement.fee(in: reader) else { return nil }
        let (payment, operation) = (movement.payment, movement.operation)
        self.init(
            merchant: merchant.name, zone: merchant.reportZone,
            account: try reader.acquirerAccount(payment.accountID)?.name ?? payment.accountID.text, source: .report,
            bookedAt: movement.resolvedAt, amount: fee, paymentID: payment.id,
            entry: Bookkeeping.feeEntryID(of: operation.id), reference: operation.reportReference ?? "")
    }

    static func rows(
        of item: SettlementItem, _ merchant: Merchant, in window: SettlementWindow, _ reader: any StoreReader
    ) throws -> [FeeRow] {
        let fees = Bookkeeping.fees(of: item.accountID)
        return try Bookkeeping.entries(for: item).flatMap { entry -> [FeeRow] in
            guard window.contains(entry.bookedAt) else { return [] }
            return try entry.postings.filter { $0.account == fees }.map { posting in
                let units = posting.amount.minorUnits
                return FeeRow(
                    merchant: merchant.name, zone: merchant.reportZone,
                    account: try reader.acquirerAccount(item.accountID)?.name ?? item.accountID.text,
                    source: entry.kind == .correction ? .correction : .settlement, bookedAt: entry.bookedAt,
                    amount: Money(
                        minorUnits: posting.side == .debit ? units : -units, currency: posting.amount.currency),
                    paymentID: item.paymentID, entry: entry.id, reference: item.reference)
            }
        }
    }
}
