//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments

extension AlphaPay {
    /// Refunds alone: payments of this wire are captured at once, and only refunds take them back.
    ///
    /// The operation's id stands for the refundRequestId, so that `inquiryRefund` finds it by either name. It is reported as
    /// a refund where the shop has taken reports of this payment's refunds, else as the payment that it has changed, where
    /// that was reported: what takes notifications of payments need not know any of refunds. How the vendor reports refunds
    /// that are made in its own portal is not public.
    static func mark(_ operation: OperatorOperation) -> OperatorMark? {
        guard case .refund = operation.action else { return nil }
        let id = operation.id.text
        let ownRefunds = operation.payment.operations.filter { $0.kind == .refund && !$0.isReportedAsPayment }
        var labels = OperationLabels(reference: id, notifyURL: ownRefunds.compactMap(\.labels.notifyURL).last)
        if labels.notifyURL == nil {
            labels.notifyURL = operation.order?.notifyURL
            labels.fields[OperatorLabel.report] = OperatorLabel.payment
        }
        return OperatorMark(labels: labels, references: [RefundRequest.reference(id)])
    }
}

private enum OperatorLabel {
    static let report = "report"
    static let payment = "payment"
}

extension Operation {
    /// Whether its address takes notifications of payments.
    var isReportedAsPayment: Bool { self.labels.fields[OperatorLabel.report] == OperatorLabel.payment }
}
