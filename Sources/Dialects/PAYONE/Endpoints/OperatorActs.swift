//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments

extension PAYONE {
    /// The payment process goes on by one request, as by one that is made in the vendor's Merchant Interface: it has the
    /// next number, and is reported under it, so that a shop counts on from there. A shop that has not heard of it is
    /// refused the number, and uses the next.
    ///
    /// A sale that is captured is given back by a debit; the wire has no word for a sale that never was.
    static func mark(_ operation: OperatorOperation) -> OperatorMark? {
        let name: RequestName
        switch operation.action {
        case .capture: name = .capture
        case .void where operation.voidsMoney: return nil
        // A capture of nothing gives the reservation back.
        case .void: name = .capture
        case .refund: name = .debit
        case .adjustment, .reversal: return nil
        }
        let (number, attempt) = operation.payment.nextTurn
        let labels = OperationLabels(
            notifySettings: [AccountSettings.notificationURLName],
            fields: [
                LabelField.request: name.rawValue, LabelField.sequenceNumber: String(number),
                LabelField.attempt: String(attempt),
            ])
        let claim = operation.payment.label(LabelField.txid).map { txid in
            CallContext.Idempotency(
                operation: Self.sequenceOperation, key: Self.sequenceKey(txid, number, attempt),
                digest: requestDigest(operation.id.text.utf8))
        }
        return OperatorMark(labels: labels, claim: claim)
    }

    /// What captures and refunds claim: two different requests with the same number cannot both be taken.
    static let sequenceOperation = "sequence"

    static func sequenceKey(_ txid: String, _ number: Int, _ attempt: Int) -> String { "\(txid)/\(number)/\(attempt)" }
}
