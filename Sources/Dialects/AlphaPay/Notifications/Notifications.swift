//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit
public import Gateway
import Payments
import StrictJSON

extension AlphaPay {
    /// Success alone: AlphaPay, "Notification", knows no other, and a shop may take any for a payment. How everything else
    /// ended, the inquiries say; so that of what has come to nothing before the shop has taken that it succeeded, nothing is
    /// reported any more. What it has taken is said again as it was.
    public func notificationsCount(for delivery: Delivery) -> Int {
        guard !delivery.hasFailedSince || delivery.event.lastResult == "http_200" else { return 0 }
        switch delivery.event.kind {
        // An earlier version kept the address for payments of a shop that takes no reports of refunds.
        case .refundSucceeded where delivery.operation.isReportedAsPayment: return 0
        case .authorizationSucceeded, .refundSucceeded: return 1
        case .authorizationFailed, .captureSucceeded, .captureFailed, .voidSucceeded, .voidFailed, .refundFailed,
            .adjustmentSucceeded, .adjustmentFailed, .verificationSucceeded, .verificationFailed,
            .chargeback, .chargebackReversed:
            return 0
        }
    }

    /// A payment is reported as `inquiryPayment` answers it, a refund as `inquiryRefund` does: in the version that the
    /// event is about.
    public func notification(for delivery: Delivery, merchant: MerchantContext) throws -> OutgoingNotification {
        guard self.notificationsCount(for: delivery) > 0 else {
            throw NotificationError(
                "an event of the kind \(delivery.event.kind.rawValue) is reported to nobody")
        }
        guard let target = NotificationTarget(delivery.event.target) else {
            throw NotificationError("the event's target is no URL")
        }
        if delivery.event.kind == .refundSucceeded {
            return try self.signer.notification(
                self.refundInquiryAnswer(delivery.operation, of: delivery.payment), to: target, for: merchant)
        }
        guard let order = delivery.order else { throw NotificationError("the payment has no order") }
        return try self.signer.notification(
            self.paymentAnswer(order, delivery.payment), to: target, for: merchant)
    }

    /// HTTP 200 and a JSON body whose `result.resultStatus` is "S". A page that happens to answer 200 has taken
    /// nothing.
    public func isAcknowledged(status: Int, body: [UInt8]) -> Bool {
        guard status == 200, let answer = try? JSON.parse(body, limits: JSONLimits(depthMax: 16, valuesMax: 2000))
        else {
            return false
        }
        return answer["result"]?["resultStatus"]?.string == ResultStatus.success.rawValue
    }

    /// Three tries at once, then one every 30 minutes for 24 hours, as the vendor does for payments; refunds alike,
    /// since a notification that is sent once is lost.
    public var retrySchedule: RetrySchedule {
        RetrySchedule(delaysSeconds: [5, 10] + Array(repeating: 1800, count: 48))
    }
}
