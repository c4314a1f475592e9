//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import Time

/// One TransactionStatus message.
///
/// `price` is what the payment process is about, `receivable` what has been asked of the customer by now, less what was
/// given back, and `balance` what of it is still open.
struct TransactionStatus: Sendable {
    /// With `transaction_status`, `failed` and `reasoncode`.
    private static let version = "7.6"

    private let action: TransactionAction
    private let isPending: Bool
    private let payment: Payment
    private let operation: Operation

    init(_ message: StatusMessage, of delivery: Delivery) {
        self.action = message.action
        self.isPending = message.isPending
        self.payment = delivery.payment
        self.operation = delivery.operation
    }

    /// In the order of the vendor's table, without the key.
    func fields(portalID: String) -> [(name: String, value: String)] {
        let sums = self.sums
        let fields: [(name: String, value: String?)] = [
            ("txaction", self.action.rawValue),
            ("transaction_status", self.isPending ? "pending" : "completed"),
            ("notify_version", Self.version),
            ("mode", self.payment.mode.wireText),
            ("portalid", portalID),
            ("aid", self.payment.label(LabelField.aid)),
            ("clearingtype", "wlt"),
            ("txtime", String(self.payment.createdAt.seconds)),
            ("currency", self.payment.amount.currency.code),
            ("userid", self.payment.label(LabelField.userid)),
            ("customerid", self.payment.label(LabelField.customerID)),
            ("param", self.payment.label(LabelField.parameter)),
            ("txid", self.payment.label(LabelField.txid)),
            ("reference", self.payment.authorization?.labels.reference),
            ("sequencenumber", String(self.operation.sequenceNumber ?? 0)),
            ("price", self.payment.amount.decimalText),
            ("balance", sums.balance.decimalText),
            ("receivable", sums.receivable.decimalText),
            ("transactiontype", self.isCredit ? "GT" : nil),
            ("reasoncode", self.reasonCode),
        ]
        return fields.compactMap { field in field.value.map { (name: field.name, value: $0) } }
    }

    /// A booking in the customer's favor. Shops take a debit without this mark for a payment.
    private var isCredit: Bool { self.action == .debit || self.action == .refund }

    private var reasonCode: String? {
        guard self.action == .failed, case .failed(let failure) = self.operation.state else { return nil }
        return String(PAYONEError.code(of: failure).rawValue)
    }

    private var sums: (receivable: Money, balance: Money) {
        let zero = Money.zero(self.payment.amount.currency)
        guard !self.isPending else { return (zero, zero) }
        let receivable = self.payment.capturedAmount - self.payment.refundedAmount
        switch self.action {
        // What has just been booked is open until the message that it is paid.
        case .capture: return (receivable, self.operation.approvedAmount ?? zero)
        case .appointed: return (receivable, receivable)
        // All but what a bank has taken back and not given up.
        case .paid: return (receivable, self.payment.chargedBackAmount)
        case .cancelation: return (receivable, self.openAgain)
        case .debit, .refund, .failed: return (receivable, zero)
        }
    }

    /// What was paid and is no more: what came to nothing late, and of the rest what a bank has taken back and not given up.
    private var openAgain: Money {
        let chargedBack = self.payment.chargedBackAmount
        let captured = self.payment.capturedAmount
        // A reservation that lapsed was never paid.
        let charges = self.payment.operations.filter { $0.isSale || $0.kind == .capture }.map(\.id)
        return self.payment.operations.filter { operation in
            operation.kind == .lateFailure && operation.target.map { charges.contains($0) } == true
        }.reduce(chargedBack > captured ? captured : chargedBack) { $0 + $1.amount }
    }
}
