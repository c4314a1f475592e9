//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
public import Payments
import Time

extension Order: StoredRecord {
    public enum Column: String, ColumnName {
        case id
        case merchantID = "merchant_id"
        case dialect, reference
        case minorUnits = "minor_units"
        case currency, summary
        case notifyURL = "notify_url"
        case merchantIdentifier = "merchant_identifier"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
        case canceledAt = "canceled_at"
        case paymentID = "payment_id"
    }

    public static let table = RecordTable<Column>("orders", key: .id)

    public static let change = Self.table.change(of: [.canceledAt, .paymentID], by: [.id])

    public func value(of column: Column) -> RowValue {
        switch column {
        case .id: self.id.text
        case .merchantID: self.merchantID.text
        case .dialect: self.dialect.text
        case .reference: self.reference
        case .minorUnits: self.amount.minorUnits
        case .currency: self.amount.currency.code
        case .summary: self.summary
        case .notifyURL: self.notifyURL
        case .merchantIdentifier: self.merchantIdentifier
        case .createdAt: self.createdAt.milliseconds
        case .expiresAt: self.expiresAt.milliseconds
        case .canceledAt: self.canceledAt?.milliseconds
        case .paymentID: self.paymentID?.text
        }
    }

    @inlinable public init(_ columns: inout some RowColumns) throws {
        self.init(
            id: try columns.id(), merchantID: try columns.id(), dialect: DialectName(try columns.name()),
            reference: try columns.text(), amount: try columns.money(), summary: try columns.text(),
            notifyURL: try columns.optionalText(), merchantIdentifier: try columns.optionalText(),
            createdAt: try columns.timestamp(), expiresAt: try columns.timestamp(),
            canceledAt: try columns.optionalTimestamp(), paymentID: try columns.optionalID())
    }
}
