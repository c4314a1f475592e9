//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
import Time

extension TapPay {
    /// The trade that a follow-up names. Another merchant's does not exist.
    func trade(_ recTradeID: String, of merchant: MerchantContext) async throws(TapPayFailure) -> Payment {
        do throws(GatewayRefusal) {
            return try await self.gateway.operation(
                .reference(TradeReference.recTradeID(recTradeID)), merchant: merchant
            ).payment
        } catch {
            throw TapPayFailure(backEnd: error)
        }
    }

    /// What an earlier call under the same key did; `nil` if there was none.
    func earlier(_ context: CallContext) async throws(TapPayFailure) -> OperationOutcome? {
        do throws(GatewayRefusal) {
            return try await self.gateway.earlier(context)
        } catch {
            throw TapPayFailure(backEnd: error)
        }
    }

    /// Takes something back.
    ///
    /// - Parameters:
    ///   - voidedBefore: what is said when somebody else was quicker with the same void.
    ///   - otherwise: what is said of what this dialect has words of its own for.
    func void(
        _ command: FollowUpCommand, voidedBefore: TapPayFailure, otherwise: [GatewayRefusal: TapPayFailure]
    ) async throws(TapPayFailure) -> OperationOutcome {
        do throws(GatewayRefusal) {
            return try await self.gateway.followUp(command)
        } catch {
            if error == .payment(.alreadyVoided) { throw voidedBefore }
            if let failure = otherwise[error] { throw failure }
            throw TapPayFailure(backEnd: error)
        }
    }

    func captureDueAt(of payment: Payment) async throws(TapPayFailure) -> Timestamp? {
        do throws(GatewayRefusal) {
            return try await self.gateway.captureDueAt(of: payment.id)
        } catch {
            throw TapPayFailure(backEnd: error)
        }
    }

    func takeBackCapturePlan(of payment: Payment, _ merchant: MerchantContext) async throws(TapPayFailure) {
        do throws(GatewayRefusal) {
            _ = try await self.gateway.scheduleCapture(of: .payment(payment.id), at: nil, merchant: merchant)
        } catch {
            throw TapPayFailure(backEnd: error)
        }
    }
}

extension Payment {
    /// The capture that counts: trades of this dialect are captured whole, and a capture that was taken back is as if
    /// it had not been.
    var standingCapture: Operation? {
        self.operations.last { $0.kind == .capture && $0.state == .succeeded && !self.isUndone($0.id) }
    }

    /// How many captures stand.
    var capturesCount: Int {
        self.operations.count { $0.kind == .capture && $0.state == .succeeded && !self.isUndone($0.id) }
    }

    var pendingCapture: Operation? {
        self.operations.last { $0.kind == .capture && !$0.state.isResolved }
    }

    var pendingRefund: Operation? {
        self.operations.last { $0.kind == .refund && !$0.state.isResolved }
    }

    /// The void that gave the authorization back before it was captured: what the wire calls a refund, too.
    var authorizationVoid: Operation? {
        self.operations.last { $0.kind == .void && $0.target == nil && $0.state == .succeeded }
    }
}

extension Operation {
    /// When it was done, or begun as long as it is not.
    var occurredAt: Timestamp { self.resolvedAt ?? self.begunAt }
}
