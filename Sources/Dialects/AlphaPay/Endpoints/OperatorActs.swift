//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments

extension AlphaPay {
    /// Refunds alone: payments of this wire are captured at once, and only refunds take them back.
    ///
    /// The operation's id stands for the refundRequestId, so that `inquiryRefund` finds it by either name. It is reported
    /// where the shop has named an address for reports of this payment's refunds, and else not at all: what takes
    /// notifications of payments may take any for a payment ("Notification" knows success alone), and would mark the order
    /// paid that has been given back. How the vendor reports refunds that are made in its own portal is not public.
    static func mark(_ operation: OperatorOperation) -> OperatorMark? {
        guard case .refund = operation.action else { return nil }
        let id = operation.id.text
        let ownRefunds = operation.payment.operations.filter { $0.kind == .refund && !$0.isReportedAsPayment }
        let labels = OperationLabels(reference: id, notifyURL: ownRefunds.compactMap(\.labels.notifyURL).last)
        return OperatorMark(labels: labels, references: [RefundRequest.reference(id)])
    }
}

private enum OperatorLabel {
    static let report = "report"
    static let payment = "payment"
}

extension Operation {
    /// Whether its address takes notifications of payments: earlier versions gave such a one to an operator's refund where the
    /// shop had named none for refunds.
    var isReportedAsPayment: Bool { self.labels.fields[OperatorLabel.report] == OperatorLabel.payment }
}
