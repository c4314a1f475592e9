//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments
import Time

/// An order that may be paid now.
struct PayableOrder {
    var order: Order
    /// The order's newest payment, if that has to be given back first.
    var replaced: PaymentID?
}

/// Why nothing is kept of a commit that all has been found right of: an earlier authorization is to be given back first.
struct MustGiveBack: Error {
    let paymentID: PaymentID
}

extension Gateway {
    /// Gives back an authorization that another one is to take the place of. One void is made however often that is asked.
    ///
    /// - Throws: ``PaymentRefusal/voidPending`` while nobody knows how the void ends and where it could not be sent,
    ///   ``GatewayRefusal/orderPaid`` where it was declined, and what the payment's own rules refuse, when something
    ///   has been captured since.
    func giveBack(_ id: PaymentID, for command: AuthorizeCommand) async throws(GatewayRefusal) {
        // The merchant has not asked for it and is not notified: he would take it for the end of the order. If he asks
        // for it later, he is.
        var void = FollowUpCommand(
            context: CallContext(merchant: command.context.merchant, idempotency: nil), payment: .payment(id),
            action: .void(nil))
        void.labels.notifySettingsOnRequest = command.reauthorization.notifySettings
        void.earlier = { payment in
            payment.operations.last { operation in
                if case .failed = operation.state { return false }
                return operation.kind == .void && operation.target == nil
            }?.id
        }
        switch try await self.followUp(void).operation.state {
        case .succeeded: return
        case .pending, .unknown, .accepted: throw .payment(.voidPending)
        // Nobody has declined it: the same call made again may give it back.
        case .failed(.notProcessed(let reason)) where reason.isRetryable: throw .payment(.voidPending)
        case .failed: throw .orderPaid
        }
    }

    /// How much of the deadline a call has left for its authorization, when it has given another one back.
    ///
    /// - Throws: ``PaymentRefusal/voidPending`` where it is too late for one, as for a further route: less than an eighth is
    ///   left. The same call made again finds the order open.
    func millisecondsAfterGivingBack(since beganAt: ContinuousClock.Instant) throws(GatewayRefusal) -> Int64 {
        let deadline = self.settings.acquirerDeadlineSeconds * 1000
        let left = deadline - self.steadyClock().milliseconds(after: beganAt)
        guard left >= deadline / 8 else { throw .payment(.voidPending) }
        return left
    }
}
