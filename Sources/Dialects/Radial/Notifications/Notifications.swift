//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
public import Gateway
import Money
public import Payments
import Redaction

extension Radial {
    /// Settlements and cancellations are reported; an authorization's answer is its reply.
    public func notificationsCount(for delivery: Delivery, merchant: MerchantContext) -> Int {
        EventSubject(delivery.event.kind) == nil ? 0 : 1
    }

    public func notification(for delivery: Delivery, merchant: MerchantContext) throws -> OutgoingNotification {
        guard let subject = EventSubject(delivery.event.kind) else {
            throw NotificationError("the event is not reported")
        }
        let event = Self.event(subject, delivery, store: merchant.accountKey)
        let settings = AccountSettings(merchant)
        let document = settings.usesLists ? XMLNode(event.name + "List", [event]) : event
        var headers = [OutgoingNotification.Header("Content-Type", "application/xml; charset=UTF-8")]
        if let authorization = settings.webhookAuthorization {
            headers.append(OutgoingNotification.Header("Authorization", authorization.reveal()))
        }
        return OutgoingNotification(headers: headers, body: XMLWriter.document(document))
    }

    private static func event(_ subject: EventSubject, _ delivery: Delivery, store: String) -> XMLNode {
        let (operation, payment) = (delivery.operation, delivery.payment)
        let head = [
            XMLNode.paymentContext(orderID: payment.opening?.labels.reference ?? "", AccountToken(of: payment)),
            XMLNode("TenderType", text: TenderType(payment.instrument.network).rawValue),
        ]
        let amount = WireAmount.node("Amount", operation.approvedAmount ?? operation.amount)
        let storeID = XMLNode("StoreId", text: store)
        switch subject {
        case .settlement(let kind):
            return XMLNode(
                "PaymentSettlementStatus",
                head + [amount] + self.settlementStatus(operation, kind) + [storeID])
        case .cancellation:
            return XMLNode(
                "PaymentAuthCancelReply",
                head + self.cancellationResult(operation, amount) + [storeID])
        }
    }

    private static func settlementStatus(_ operation: Operation, _ kind: SettlementType) -> [XMLNode] {
        var nodes = [XMLNode("SettlementType", text: kind.rawValue)]
        if case .failed(let failure) = operation.state {
            nodes.append(XMLNode("SettlementStatus", text: SettlementStatus.refused.rawValue))
            nodes.append(XMLNode("DeclineReason", text: RefusalReason(failure).rawValue))
        } else {
            nodes.append(XMLNode("SettlementStatus", text: SettlementStatus.settled.rawValue))
        }
        if let context = operation.labels.fields[Self.clientContextField] {
            nodes.append(XMLNode("ClientContext", text: context))
        }
        return nodes
    }

    private static func cancellationResult(_ operation: Operation, _ amount: XMLNode) -> [XMLNode] {
        guard case .failed(let failure) = operation.state else {
            return [XMLNode("ResponseCode", text: SuccessFailCode.success.rawValue), amount]
        }
        let reason = RefusalReason(failure)
        let code: SuccessFailCode = reason == .timedOut || reason == .issuerUnavailable ? .timeout : .fail
        return [
            XMLNode("ResponseCode", text: code.rawValue), amount,
            XMLNode("ExtendedResponseCode", text: reason.rawValue),
        ]
    }

    /// "The client is expected to acknowledge the message receipt with an HTTP 200"; the body says nothing.
    public func isAcknowledged(status: Int, body: [UInt8]) -> Bool { status == 200 }

    /// Some tries at once, then one an hour for three days. The vendor says "periodically, until the max duration".
    public func schedule(for kind: OutboxEvent.Kind) -> RetrySchedule { Self.retrySchedule }

    static let retrySchedule = RetrySchedule(
        delaysSeconds: [10, 60, 300, 900, 1800] + Array(repeating: 3600, count: 72))
}

/// What an event is about, if it is reported.
enum EventSubject: Hashable, Sendable {
    case settlement(SettlementType)
    case cancellation

    init?(_ kind: OutboxEvent.Kind) {
        switch kind {
        case .captureSucceeded, .captureFailed: self = .settlement(.debit)
        case .refundSucceeded, .refundFailed: self = .settlement(.credit)
        case .voidSucceeded, .voidFailed: self = .cancellation
        case .authorizationSucceeded, .authorizationFailed, .adjustmentSucceeded, .adjustmentFailed,
            .verificationSucceeded, .verificationFailed, .chargeback:
            return nil
        }
    }
}
