//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments

extension TapPay {
    /// A capture, or a refund as the wire knows them, with a refund_id; before the capture that is the void of the
    /// authorization. Nobody is notified: TapPay, "Backend Notify", knows payments alone. The records, the trade's history
    /// and the reconciliation have it.
    static func mark(_ operation: OperatorOperation) -> OperatorMark? {
        switch operation.action {
        case .capture: return OperatorMark()
        // Trades of this wire are authorized first; nothing takes back a sale.
        case .void where operation.voidsMoney: return nil
        case .void, .refund:
            let refundID = TradeNumber.refundID(of: operation.id)
            return OperatorMark(
                labels: OperationLabels(fields: [LabelField.refundID: refundID]),
                references: [TradeReference.refundID(refundID)])
        case .adjustment, .reversal: return nil
        }
    }
}
