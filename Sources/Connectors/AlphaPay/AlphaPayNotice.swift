//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import HTTPTypes
import Money
import Payments
import StrictJSON

/// A notification: what `inquiryPayment` or `inquiryRefund` answers, signed by AlphaPay over the path that it was sent
/// to (docs/connectors/alphapay.md, "Notices").
///
/// The signature is proof, so that what it says is booked as it stands. A copy of one that was sent before says nothing
/// new: what is resolved stays as it is.
enum AlphaPayNotice {
    static func read(_ call: NoticeCall, for account: AlphaPayAccount) -> NoticeReading {
        let notification = ClientNotification(
            path: account.noticePath, headers: Self.fields(call.headers), body: call.body)
        // AlphaPay's keys are the same whichever key of ours it is known by.
        guard let notice = account.keys.entries.first?.client.read(notification), notice.isGenuine == true else {
            return .refused(NoticeAnswer(status: 401), word: "signature_wrong")
        }
        guard notice.body.json?.object != nil else {
            return .refused(NoticeAnswer(status: 400), word: "notice_not_json")
        }
        let isRefund = ["refundId", "refundRequestId", "refundStatus"].contains { notice.body[$0] != nil }
        let found = isRefund ? Self.refund(notice.body) : Self.payment(notice.body)
        return .notices(found.map { [$0] } ?? [], answer: Self.acknowledgement)
    }

    private static func payment(_ body: ReplyBody) -> AcquirerNotice? {
        let paymentID = AlphaPayName.read(body["paymentId"])
        guard let subject = self.subject(body["paymentRequestId"], paymentID) else { return nil }
        let memo = paymentID.map(AlphaPayAcquirer.memo(ofOrder:)) ?? AcquirerMemo()
        let answer = AcquirerAnswer(reference: AlphaPayName.read(body["transactionId"]))
        switch (body["paymentStatus"].flatMap(PaymentStatus.init), self.amount(body, "order.orderAmount")) {
        case (.success?, let amount?), (.partialRefund?, let amount?), (.fullRefund?, let amount?):
            return AcquirerNotice(
                subject, .resolved(.approved(AcquirerApproval(amount: amount, answer: answer, memo: memo))))
        case (.failed?, _):
            return AcquirerNotice(subject, .resolved(.declined(self.decline(body["paymentResultCode"], answer, memo))))
        // What does not say all that is needed is a reason to ask.
        default: return AcquirerNotice(subject, .changed)
        }
    }

    private static func refund(_ body: ReplyBody) -> AcquirerNotice? {
        let refundID = AlphaPayName.read(body["refundId"])
        guard let subject = self.subject(body["refundRequestId"], refundID) else { return nil }
        let memo = AlphaPayAcquirer.memo(ofRefund: refundID)
        let answer = AcquirerAnswer(reference: refundID)
        switch (body["refundStatus"].flatMap(RefundStatus.init), self.amount(body, "refund.refundAmount")) {
        case (.success?, let amount?):
            return AcquirerNotice(
                subject, .resolved(.approved(AcquirerApproval(amount: amount, answer: answer, memo: memo))))
        case (.failed?, _):
            return AcquirerNotice(subject, .resolved(.declined(self.decline(body["refundResultCode"], answer, memo))))
        default: return AcquirerNotice(subject, .changed)
        }
    }

    private static func decline(_ code: String?, _ answer: AcquirerAnswer, _ memo: AcquirerMemo) -> AcquirerDecline {
        var answer = answer
        answer.vendorCode = AlphaPayName.read(code)
        return AcquirerDecline(reason: DeclineReason(ofFailed: code), answer: answer, memo: memo)
    }

    /// By our own id, which is known before AlphaPay has answered; by AlphaPay's where it says no other. What somebody
    /// does in AlphaPay's own pages has an id that is not ours, and nothing here waits for it.
    private static func subject(_ requestID: String?, _ handle: String?) -> AcquirerNotice.Subject? {
        guard let requestID else { return handle.map { .handle($0) } }
        return OperationID(requestID).map { .operation($0) }
    }

    private static func amount(_ body: ReplyBody, _ path: String) -> Money? {
        guard let currency = body["\(path).currency"].flatMap({ Currency.alphabetic($0) }),
            let text = body["\(path).value"], let amount = try? Money(minorUnitText: text, currency: currency),
            AlphaPayAmount.refusal(amount) == nil
        else { return nil }
        return amount
    }

    private static var acknowledgement: NoticeAnswer {
        let reply = AlphaPayClient.acknowledgement
        return NoticeAnswer(
            status: reply.status, contentType: reply.headers[.contentType], body: reply.text)
    }

    private static func fields(_ headers: [String: String]) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in headers {
            guard let name = HTTPField.Name(name) else { continue }
            fields[name] = value
        }
        return fields
    }
}
