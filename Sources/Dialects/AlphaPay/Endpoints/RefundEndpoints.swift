//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments
import StrictJSON

extension AlphaPay {
    func refund(_ request: RefundRequest, _ merchant: MerchantContext) async throws(AlphaPayResult) -> JSON {
        let orderID = try Self.orderID(request.paymentID)
        let command = FollowUpCommand(
            context: CallContext(merchant: merchant, idempotency: request.idempotency), payment: .order(orderID),
            action: .refund(request.amount),
            labels: OperationLabels(
                reference: request.refundRequestID, memo: request.description, notifyURL: request.notifyURL),
            references: request.refundRequestID.map { [RefundRequest.reference($0)] } ?? [])
        do throws(GatewayRefusal) {
            let outcome = try await self.gateway.followUp(command)
            return self.refundAnswer(outcome.operation, of: outcome.payment)
        } catch {
            throw AlphaPayResult(refusal: error)
        }
    }

    func inquiryRefund(
        _ request: InquiryRefundRequest, _ merchant: MerchantContext
    ) async throws(AlphaPayResult) -> JSON {
        guard let text = request.refundID else {
            guard let name = request.refundRequestID else { throw AlphaPayResult(.refundNotExist) }
            let named = try await self.refund(named: name, merchant)
            return self.refundInquiryAnswer(named.operation, of: named.payment)
        }
        guard let id = OperationID(text) else { throw AlphaPayResult(.refundNotExist) }
        let found = try await self.refund(.operation(id), merchant)
        // The id decides. A name that no refund has denies none that was made: clients send one with every inquiry, and
        // refund without.
        if let name = request.refundRequestID,
            let named = try await self.found(
                else: .refundNotExist,
                { () async throws(AlphaPayResult) in try await self.refund(named: name, merchant) }),
            named.operation.id != found.operation.id
        {
            throw AlphaPayResult(.refundNotExist, "refundId and refundRequestId name different refunds.")
        }
        return self.refundInquiryAnswer(found.operation, of: found.payment)
    }

    private func refund(
        named name: String, _ merchant: MerchantContext
    ) async throws(AlphaPayResult) -> OperationOutcome {
        try await self.refund(.reference(RefundRequest.reference(name)), merchant)
    }

    private func refund(
        _ selector: PaymentSelector, _ merchant: MerchantContext
    ) async throws(AlphaPayResult) -> OperationOutcome {
        let outcome: OperationOutcome
        do throws(GatewayRefusal) {
            outcome = try await self.gateway.operation(selector, merchant: merchant)
        } catch {
            throw error == .paymentNotFound ? AlphaPayResult(.refundNotExist) : AlphaPayResult(refusal: error)
        }
        // An id of ours may name any operation, and a payment of another dialect's.
        guard outcome.operation.kind == .refund, outcome.payment.dialect == self.name else {
            throw AlphaPayResult(.refundNotExist)
        }
        return outcome
    }
}
