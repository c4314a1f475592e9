//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments

extension Radial {
    /// A settlement or a cancellation, reported where the store's own are. Events carry no name of a request, so that
    /// nothing distinguishes them but the ClientContext, which an operator's has not.
    static func mark(_ operation: OperatorOperation) -> OperatorMark? {
        switch operation.action {
        case .capture, .refund:
            return OperatorMark(labels: OperationLabels(notifySettings: AccountSettings.settlementAddresses))
        // What is settled is credited; a settlement has no cancellation.
        case .void where operation.voidsMoney: return nil
        case .void:
            return OperatorMark(labels: OperationLabels(notifySettings: AccountSettings.cancellationAddresses))
        case .adjustment, .reversal: return nil
        }
    }
}
