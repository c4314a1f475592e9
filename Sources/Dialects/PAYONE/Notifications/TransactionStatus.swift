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
/// given back, and `balance` what is still open: `receivable` less what is paid.
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
        return String(PAYONEError.code(of: failure, of: self.operation, in: self.payment).rawValue)
    }

    private var sums: (receivable: Money, balance: Money) {
        let zero = Money.zero(self.payment.amount.currency)
        guard !self.isPending else { return (zero, zero) }
        let failed = self.failedLate
        let receivable = self.payment.capturedAmount + failed - self.payment.refundedAmount
        // A bank takes back what was paid, and no more: what came to nothing it has not.
        let (chargedBack, captured) = (self.payment.chargedBackAmount, self.payment.capturedAmount)
        let open = failed + (chargedBack > captured ? captured : chargedBack)
        switch self.action {
        // What has just been booked is open until the message that it is paid.
        case .capture: return (receivable, open + (self.operation.approvedAmount ?? zero))
        case .appointed: return (receivable, receivable)
        // A refund is paid out at once: it changes what was asked for and what is paid by the same amount.
        case .paid, .cancelation, .debit, .refund, .failed: return (receivable, open)
        }
    }

    /// What was asked of the customer, counted as paid, and came to nothing late: it is asked of him still, and open,
    /// unless the reservation has been captured since beyond what would leave room for it.
    private var failedLate: Money {
        // A reservation that lapsed was never paid.
        let charges = self.payment.operations.filter { $0.isSale || $0.kind == .capture }.map(\.id)
        let failed = self.payment.operations.filter { operation in
            operation.kind == .lateFailure && operation.target.map { charges.contains($0) } == true
        }.reduce(.zero(self.payment.amount.currency)) { $0 + $1.amount }
        // As it was approved, also where the sale itself has failed since; this dialect has no adjustments.
        let approved = self.payment.authorization?.approvedAmount ?? self.payment.amount
        let room = approved - self.payment.capturedAmount
        return failed > room ? room : failed
    }
}
