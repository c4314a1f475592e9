//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments

extension CommWeb {
    /// A transaction of the order, as the vendor's Merchant Administration makes them: with the operation's id for an id,
    /// in the version of the order's first request, and reported where the order's last transaction was.
    static func mark(_ operation: OperatorOperation) -> OperatorMark? {
        let payment = operation.payment
        let named = payment.lastNotifyURL
        var labels = OperationLabels(
            notifyURL: named, notifySettings: named == nil ? [AccountSettings.notifyURLName] : [])
        guard let order = operation.order else { return OperatorMark(labels: labels) }
        let name = TransactionName(orderID: order.reference, transactionID: operation.id.text)
        labels.fields[TransactionLabel.transactionID] = name.transactionID
        labels.fields[TransactionLabel.version] = payment.opening?.labels.fields[TransactionLabel.version]
        return OperatorMark(labels: labels, references: [name.reference])
    }
}
