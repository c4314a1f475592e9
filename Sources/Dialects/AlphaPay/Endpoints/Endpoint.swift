//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import HTTPTypes
import StrictJSON

/// The endpoints, by the end of their path. What lies under `payments/pay` (QR codes and other scenarios) is no part of
/// this gateway.
enum Endpoint: String, CaseIterable, Sendable {
    case preOrder = "apple-pay/preOrder"
    case pay = "apple-pay/pay"
    case inquiryPayment
    case refund
    case inquiryRefund
    case cancel
    case transactions
    case settlements
}

extension AlphaPay {
    private static let jsonLimits = JSONLimits.ofRequest(bytesMax: AlphaPay.bodyBytesMax, depthMax: 16, valuesMax: 2000)

    /// Every answer has HTTP status 200 and a `result`, and is signed for the account that the request names, if there
    /// is one. To a caller who has not proved to be the account's holder so many are signed and no more.
    func handle(_ request: WireRequest, _ endpoint: Endpoint) async -> WireResponse {
        let attempt = self.authenticator.attempt(of: request)
        // Neither looked up nor signed, so that it does not show whether there is such an account.
        if let seconds = attempt.waitSeconds {
            let result = AlphaPayResult.throttled(seconds)
            return Self.throttled(Signer.unsigned(["result": result.json], status: .ok), seconds)
                .refused(as: WireRefusal(result.code, of: endpoint))
        }
        let merchant: MerchantContext
        do throws(AlphaPayResult) {
            merchant = try await self.authenticator.account(of: request)
        } catch {
            if error.code == .merchantCodeUnknown { attempt.failed() }
            return Signer.unsigned(["result": error.json], status: .ok)
                .refused(as: WireRefusal(error.code, of: endpoint))
        }
        let body: JSON
        var refusal: WireRefusal?
        var retryAfterSeconds: Int?
        var isAuthenticated = false
        do throws(AlphaPayResult) {
            // Its signature may be of the body as it was before it was coded.
            if let problem = request.contentCodingProblem { throw AlphaPayResult(.mediaTypeNotSupported, problem) }
            try self.authenticator.authenticate(request, as: merchant, attempt)
            isAuthenticated = true
            try self.authenticator.checkRate(of: merchant)
            body = try await self.perform(endpoint, try self.read(request), merchant)
        } catch {
            body = error.refusal
            refusal = WireRefusal(error.code, of: endpoint)
            retryAfterSeconds = error.retryAfterSeconds
        }
        let isSigned = isAuthenticated || self.authenticator.maySignRefusal(to: request)
        var response =
            isSigned ? self.signed(body, status: .ok, to: request, for: merchant) : Signer.unsigned(body, status: .ok)
        response.refusal = refusal
        return retryAfterSeconds.map { Self.throttled(response, $0) } ?? response
    }

    private static func throttled(_ response: WireResponse, _ seconds: Int) -> WireResponse {
        var response = response
        response.status = .tooManyRequests
        response.headers[.retryAfter] = String(seconds)
        return response
    }

    private func read(_ request: WireRequest) throws(AlphaPayResult) -> RequestObject {
        guard let contentType = request.headers[.contentType], MediaType.isUTF8(contentType, "application/json")
        else {
            throw AlphaPayResult(.mediaTypeNotSupported)
        }
        let json: JSON
        do throws(JSONError) {
            json = try JSON.parse(request.body, limits: Self.jsonLimits)
        } catch {
            throw AlphaPayResult(.jsonMalformed, "The body is not valid JSON: \(error.description).")
        }
        do throws(FieldError) {
            return try RequestObject(json)
        } catch {
            throw AlphaPayResult(error)
        }
    }

    private func perform(
        _ endpoint: Endpoint, _ body: RequestObject, _ merchant: MerchantContext
    ) async throws(AlphaPayResult) -> JSON {
        switch endpoint {
        case .preOrder: try await self.preOrder(PreOrderRequest(reading: body, for: merchant), merchant)
        case .pay: try await self.pay(body, merchant)
        case .inquiryPayment: try await self.inquiryPayment(InquiryPaymentRequest(reading: body), merchant)
        case .refund: try await self.refund(RefundRequest(reading: body, for: merchant), merchant)
        case .inquiryRefund: try await self.inquiryRefund(InquiryRefundRequest(reading: body), merchant)
        case .cancel: try await self.cancel(PaymentNameRequest(reading: body), merchant)
        case .transactions: try await self.transactions(TransactionsRequest(reading: body), merchant)
        case .settlements: try await self.settlements(SettlementsRequest(reading: body), merchant)
        }
    }
}
