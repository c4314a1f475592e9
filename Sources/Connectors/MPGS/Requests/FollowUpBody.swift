//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Money
import Redaction
import StrictJSON

/// The bodies of what follows a payment.
enum FollowUpBody {
    /// CAPTURE, REFUND and UPDATE_AUTHORIZATION, whose amount is the new total.
    ///
    /// - Parameter target: the transaction that it is about; where it is left out, the order's.
    static func amount(_ operation: APIOperation, _ amount: Money, target: String? = nil) -> Redacted<[UInt8]> {
        var fields = JSONFields()
        fields.set("apiOperation", operation.rawValue)
        fields.set("transaction.amount", amount.decimalText)
        fields.set("transaction.currency", amount.currency.code)
        fields.set("transaction.targetTransactionId", target)
        return Redacted(fields.json.serialized())
    }

    static func void(of target: String) -> Redacted<[UInt8]> {
        var fields = JSONFields()
        fields.set("apiOperation", APIOperation.void.rawValue)
        fields.set("transaction.targetTransactionId", target)
        return Redacted(fields.json.serialized())
    }
}
