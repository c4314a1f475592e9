//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import Payments
import StrictJSON

extension AlphaPay {
    /// From the vendor's sample: 14:15:22 to 14:45:22.
    static let orderLifetimeSeconds: Int64 = 1800

    func preOrder(_ request: PreOrderRequest, _ merchant: MerchantContext) async throws(AlphaPayResult) -> JSON {
        let idempotency = CallContext.Idempotency(
            operation: "preOrder", key: request.paymentRequestID, digest: request.digest)
        let command = CreateOrderCommand(
            context: CallContext(merchant: merchant, idempotency: idempotency), reference: request.paymentRequestID,
            amount: request.amount, summary: request.summary, notifyURL: request.notifyURL,
            merchantIdentifier: request.merchantIdentifier, lifetimeSeconds: Self.orderLifetimeSeconds)
        do throws(GatewayRefusal) {
            let outcome = try await self.gateway.createOrder(command)
            return self.preOrderAnswer(outcome.order, merchant)
        } catch {
            throw AlphaPayResult(refusal: error)
        }
    }

    /// "F: Payment failed" (AlphaPay, "Apple Pay", pay): that is not said of an order for which another call may be
    /// about to charge the customer, whatever is wrong with this one.
    func pay(_ body: RequestObject, _ merchant: MerchantContext) async throws(AlphaPayResult) -> JSON {
        let orderID = body.value("paymentId")?.string.flatMap { OrderID($0) }
        do throws(AlphaPayResult) {
            if let orderID { self.attempts.begin(orderID, of: merchant.merchant.id) }
            defer { if let orderID { self.attempts.end(orderID, of: merchant.merchant.id) } }
            return try await self.pay(PayRequest(reading: body), merchant)
        } catch {
            guard let orderID else { throw error }
            // First the calls, then the order: what a call has begun before it ends is found with the order.
            let hasOthers = self.attempts.areUnderWay(orderID, of: merchant.merchant.id)
            guard let found = try? await self.gateway.order(orderID, merchant: merchant) else {
                // The store may not answer; the other calls are known all the same.
                throw hasOthers ? Self.payInProcess(besides: error) : error
            }
            throw self.payRefusal(error, of: found, othersUnderWay: hasOthers)
        }
    }

    private func pay(_ request: PayRequest, _ merchant: MerchantContext) async throws(AlphaPayResult) -> JSON {
        let orderID = try Self.orderID(request.paymentID)
        do throws(GatewayRefusal) {
            let command = AuthorizeCommand(
                context: CallContext(merchant: merchant, idempotency: request.idempotency),
                instrument: try .applePay(json: request.tokenJSON), amount: nil, order: .placed(orderID),
                purpose: .sale, details: ChargeDetails(customer: Customer(id: request.customerID)),
                labels: OperationLabels(fields: request.keptFields))
            return self.payAnswer(try await self.gateway.authorize(command))
        } catch {
            throw AlphaPayResult(refusal: error)
        }
    }

    func inquiryPayment(
        _ request: InquiryPaymentRequest, _ merchant: MerchantContext
    ) async throws(AlphaPayResult) -> JSON {
        guard let paymentID = request.paymentID else {
            guard let name = request.paymentRequestID else { throw AlphaPayResult(.orderNotExist) }
            let named = try await self.order(named: name, merchant)
            return self.paymentAnswer(named.order, named.payment)
        }
        let found = try await self.order(paymentID, merchant)
        // The id decides. A name that no payment has denies none that was made.
        if let name = request.paymentRequestID,
            let named = try await self.found(
                else: .orderNotExist,
                { () async throws(AlphaPayResult) in try await self.order(named: name, merchant) }),
            named.order.id != found.order.id
        {
            throw AlphaPayResult(.orderNotExist, "paymentId and paymentRequestId name different payments.")
        }
        return self.paymentAnswer(found.order, found.payment)
    }

    /// What is looked for; `nil` where the code says that there is none.
    func found<Found>(
        else code: ResultCode, _ look: () async throws(AlphaPayResult) -> Found
    ) async throws(AlphaPayResult) -> Found? {
        do throws(AlphaPayResult) {
            return try await look()
        } catch {
            guard error.code == code else { throw error }
            return nil
        }
    }

    func cancel(_ request: PaymentNameRequest, _ merchant: MerchantContext) async throws(AlphaPayResult) -> JSON {
        let orderID = try Self.orderID(request.paymentID)
        do throws(GatewayRefusal) {
            let outcome = try await self.gateway.cancelOrder(
                orderID, context: CallContext(merchant: merchant, idempotency: nil))
            return self.cancelAnswer(outcome.order)
        } catch {
            throw AlphaPayResult(refusal: error)
        }
    }

    func order(_ paymentID: String, _ merchant: MerchantContext) async throws(AlphaPayResult) -> OrderOutcome {
        let orderID = try Self.orderID(paymentID)
        do throws(GatewayRefusal) {
            return try await self.gateway.order(orderID, merchant: merchant)
        } catch {
            throw AlphaPayResult(refusal: error)
        }
    }

    private func order(
        named name: String, _ merchant: MerchantContext
    ) async throws(AlphaPayResult) -> OrderOutcome {
        do throws(GatewayRefusal) {
            return try await self.gateway.order(named: name, merchant: merchant)
        } catch {
            throw AlphaPayResult(refusal: error)
        }
    }

    /// What the wire calls paymentId is the order's id; what cannot be one names no order.
    static func orderID(_ paymentID: String) throws(AlphaPayResult) -> OrderID {
        guard let orderID = OrderID(paymentID) else { throw AlphaPayResult(.orderNotExist) }
        return orderID
    }
}
