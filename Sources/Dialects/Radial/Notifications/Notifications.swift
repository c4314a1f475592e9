//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
public import Gateway
import Money
import Payments
import Redaction

extension Radial {
    /// Settlements and cancellations are reported, and what becomes of a settlement later: "more than one status may
    /// follow". An authorization's answer is its reply.
    public func notificationsCount(for delivery: Delivery) -> Int {
        EventSubject(delivery.event.kind) == nil ? 0 : 1
    }

    /// The account's address: no request names one, so that also what an earlier version has written with the address of its
    /// time goes to that of today.
    public func notifyURL(for delivery: Delivery, merchant: MerchantContext) -> String? {
        let isCancellation = EventSubject(delivery.event.kind) == .cancellation
        let names = isCancellation ? AccountSettings.cancellationAddresses : AccountSettings.settlementAddresses
        return OperationLabels(notifySettings: names).notifyURL(in: merchant.settings)
    }

    public func notification(for delivery: Delivery, merchant: MerchantContext) throws -> OutgoingNotification {
        guard let subject = EventSubject(delivery.event.kind) else {
            throw NotificationError("the event is not reported")
        }
        let event = Self.event(subject, delivery, store: merchant.accountKey)
        let settings = AccountSettings(merchant)
        let document = settings.usesLists ? XMLNode(event.name + "List", [event]) : event
        var headers = [OutgoingNotification.Header("Content-Type", "application/xml; charset=UTF-8")]
        // Whoever listens to http would know the credentials, and could then claim anything. A live account's address is https
        // unless it was set before that was asked of all.
        let isPrivate =
            merchant.merchant.mode == .sandbox || NotificationTarget(delivery.event.target)?.isSecure == true
        if isPrivate, let authorization = settings.webhookAuthorization {
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
        let amount =
            subject == .cancellation
            ? WireAmount.node("Amount", self.canceledAmount(operation, of: payment))
            : WireAmount.node("Amount", operation.movedAmount)
        let storeID = XMLNode("StoreId", text: store)
        switch subject {
        case .settlement(let kind):
            let refusal: RefusalReason? = if case .failed(let failure) = operation.state { .init(failure) } else { nil }
            return XMLNode(
                "PaymentSettlementStatus",
                head + [amount] + self.settlementStatus(of: operation, kind, refusal) + [storeID])
        case .chargeback(let isGivenUp):
            // The settlement is named where the acquirer has named it, or where there is no other.
            let chargeback = operation.kind == .chargeback ? operation : operation.target.flatMap(payment.operation)
            let captures = payment.refundableByCapture.map(\.capture)
            let settlement =
                chargeback?.target.flatMap(payment.operation) ?? (captures.count == 1 ? captures.first : nil)
            return XMLNode(
                "PaymentSettlementStatus",
                head + [amount]
                    + self.settlementStatus(of: settlement, .debit, isGivenUp ? nil : .chargeback)
                    + [storeID])
        case .cancellation:
            return XMLNode(
                "PaymentAuthCancelReply",
                head + self.cancellationResult(operation, amount) + [storeID])
        }
    }

    /// - Parameter refusal: `nil` for what is settled.
    private static func settlementStatus(
        of operation: Operation?, _ kind: SettlementType, _ refusal: RefusalReason?
    ) -> [XMLNode] {
        let status: SettlementStatus = refusal == nil ? .settled : .refused
        let texts: [(String, String?)] = [
            ("SettlementType", kind.rawValue), ("SettlementStatus", status.rawValue),
            ("DeclineReason", refusal?.rawValue),
            ("ClientContext", operation?.labels.fields[Self.clientContextField]),
        ]
        return texts.compactMap { name, text in text.map { XMLNode(name, text: $0) } }
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
    public var retrySchedule: RetrySchedule {
        RetrySchedule(
            delaysSeconds: [10, 60, 300, 900, 1800] + Array(repeating: 3600, count: 72))
    }
}

/// What an event is about, if it is reported.
enum EventSubject: Hashable, Sendable {
    case settlement(SettlementType)
    case cancellation
    /// A settlement that was charged back, whole or in part.
    case chargeback(isGivenUp: Bool)

    init?(_ kind: OutboxEvent.Kind) {
        switch kind {
        case .captureSucceeded, .captureFailed: self = .settlement(.debit)
        case .refundSucceeded, .refundFailed: self = .settlement(.credit)
        case .voidSucceeded, .voidFailed, .adjustmentSucceeded, .adjustmentFailed: self = .cancellation
        case .chargeback: self = .chargeback(isGivenUp: false)
        case .chargebackReversed: self = .chargeback(isGivenUp: true)
        case .authorizationSucceeded, .authorizationFailed, .verificationSucceeded, .verificationFailed:
            return nil
        }
    }
}
