//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import HTTPTypes
import StrictJSON

/// What the merchant's server can call, by path.
enum BackEndEndpoint: String, CaseIterable, Sendable {
    case payByPrime = "/tpc/payment/pay-by-prime"
    case payByToken = "/tpc/payment/pay-by-token"
    case refund = "/tpc/transaction/refund"
    case refundCancel = "/tpc/transaction/refund/cancel"
    case query = "/tpc/transaction/query"
    case capture = "/tpc/transaction/cap"
    case captureCancel = "/tpc/transaction/cap/cancel"
    case tradeHistory = "/tpc/transaction/trade-history"
    case reconciliation = "/tpc/transaction/reconciliation"
    case bindCard = "/tpc/card/bind"
    case removeCard = "/tpc/card/remove"
    case cardMetadata = "/tpc/card/metadata"
    /// Of 2017: the merchant's server paid with the token itself. What it asked and answered is nowhere described.
    case payByPaymentToken = "/tpc/applepay/paymenttoken/pay"

    /// The paths of 2017. A body in today's fields is taken there too.
    static let formerPaths: [String: BackEndEndpoint] = [
        "/tpc/partner/directpay/paybyprime": .payByPrime,
        "/tpc/partner/directpay/paybytoken": .payByToken,
        "/tpc/partner/fastrefund": .refund,
        "/tpc/partner/getrecordsplus": .query,
        "/tpc/partner/captoday": .capture,
    ]

    /// What the fields of 2017 are called now. The partner key's is not among them: a request may show it in the header
    /// alone.
    static let formerFields: [(former: String, present: String)] = [
        ("merchantid", "merchant_id"), ("rectradeid", "rec_trade_id"), ("rowsperpage", "records_per_page"),
        ("orderby", "order_by"), ("authtocapperiodinday", "delay_capture_in_days"),
    ]
}

extension TapPay {
    /// No request of the back end is larger; a prime has 61 characters.
    static let backEndBodyBytesMax = 64 * 1024

    var backEndRoutes: [WireRoute] {
        let handler = self
        let paths = BackEndEndpoint.allCases.map { ($0.rawValue, $0) } + BackEndEndpoint.formerPaths.map { ($0, $1) }
        return paths.map { path, endpoint in
            WireRoute(method: .post, path: PathPattern(path), bodyBytesMax: Self.backEndBodyBytesMax) { request, _ in
                await handler.handle(request, endpoint)
            }
        }
    }

    /// Every answer that concerns a trade has HTTP status 200; 401 is for keys that nobody has.
    func handle(_ request: WireRequest, _ endpoint: BackEndEndpoint) async -> WireResponse {
        do throws(TapPayFailure) {
            if let problem = request.contentCodingProblem { throw TapPayFailure(.wrongJSONFormat, problem) }
            let body = try BackEndBody(parsing: request.body)
            let merchant = try await Authenticator(gateway: self.gateway, limits: self.limits).merchant(
                of: request, body)
            if BackEndEndpoint.formerPaths[request.path] != nil { try body.refuseFormerFields() }
            let call = BackEndCall(body: body, merchant: merchant, idempotencyKey: request.headers[.idempotencyKey])
            return Self.response(try await self.perform(endpoint, call))
        } catch {
            let refusal = WireRefusal(error.code, of: endpoint)
            guard let seconds = error.retryAfterSeconds else {
                return Self.response(error.members, status: error.code.isAboutKeys ? .unauthorized : .ok)
                    .refused(as: refusal)
            }
            var response = Self.response(error.members, status: .tooManyRequests).refused(as: refusal)
            response.headers[.retryAfter] = String(seconds)
            return response
        }
    }

    private func perform(
        _ endpoint: BackEndEndpoint, _ call: BackEndCall
    ) async throws(TapPayFailure) -> JSONObject {
        switch endpoint {
        case .payByPrime: return try await self.payByPrime(call)
        case .refund: return try await self.refund(call)
        case .refundCancel: return try await self.cancelRefund(call)
        case .query: return try await self.query(call)
        case .capture: return try await self.capture(call)
        case .captureCancel: return try await self.cancelCapture(call)
        case .tradeHistory: return try await self.tradeHistory(call)
        case .reconciliation: return try await self.reconciliation(call)
        case .payByToken, .bindCard, .removeCard, .cardMetadata:
            // TapPay, "Pay by Prime API": remembering a card is not offered for Apple Pay.
            throw TapPayFailure(
                .paymentMethodNotSupported,
                "Cards are not kept: Apple Pay makes a new prime for every payment. Use /tpc/payment/pay-by-prime.")
        case .payByPaymentToken:
            throw TapPayFailure(
                .paymentMethodNotSupported,
                "This call of 2017 paid with the token itself, and is no longer served. Make a prime of the token with "
                    + "/tpc/applepay/getprime and the app key, and pay with it by /tpc/payment/pay-by-prime.")
        }
    }

    static func response(_ members: JSONObject, status: HTTPResponse.Status = .ok) -> WireResponse {
        WireResponse(
            status: status, headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: JSON.object(members).serialized())
    }
}

/// A call whose caller is known.
struct BackEndCall: Sendable {
    let body: BackEndBody
    let merchant: MerchantContext
    /// What the header Idempotency-Key says.
    let idempotencyKey: String?

    var settings: AccountSettings { AccountSettings(self.merchant) }

    /// The context of a follow-up: repeated under the merchant's own name for it, or under the header's.
    func context(_ operation: String, name: String?) throws(TapPayFailure) -> CallContext {
        guard let key = name ?? self.idempotencyKey else {
            return CallContext(merchant: self.merchant, idempotency: nil)
        }
        guard (1...255).contains(key.utf8.count) else {
            throw TapPayFailure(.wrongJSONFormat, "The header Idempotency-Key must have 1 to 255 characters.")
        }
        return CallContext(
            merchant: self.merchant,
            idempotency: .init(
                operation: name == nil ? operation + "/header" : operation, key: key,
                digest: requestDigest(self.body.digestBytes)))
    }
}

extension HTTPField.Name {
    static let apiKey = HTTPField.Name.known("X-Api-Key")
    static let idempotencyKey = HTTPField.Name.known("Idempotency-Key")
}

extension TapPayCode {
    /// What is answered with HTTP status 401.
    var isAboutKeys: Bool { self == .invalidKey || self == .partnerNotFound || self == .missingPartnerKey }
}
