//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
public import Payments
import Time

extension Order {
    public static let columnNames = """
        id, merchant_id, dialect, reference, minor_units, currency, summary, notify_url, merchant_identifier, \
        created_at, expires_at, canceled_at, payment_id
        """

    public var columnValues: RowArguments {
        [
            self.id.text, self.merchantID.text, self.dialect.text, self.reference, self.amount.minorUnits,
            self.amount.currency.code, self.summary, self.notifyURL, self.merchantIdentifier,
            self.createdAt.milliseconds, self.expiresAt.milliseconds, self.canceledAt?.milliseconds,
            self.paymentID?.text,
        ]
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
