//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import DialectKit
import Gateway
import HTTPTypes
import StrictJSON
import Time

/// Signs what the gateway sends: replies and notifications.
struct Signer: Sendable {
    let gateway: Gateway

    /// A reply to a request, signed over the request's method and path.
    ///
    /// - Throws: `AccountKeyError`.
    func reply(
        _ body: JSON, status: HTTPResponse.Status, to request: WireRequest, for merchant: MerchantContext
    ) throws -> WireResponse {
        var response = Self.unsigned(body, status: status)
        let (time, nonce) = (self.gateway.now().description, self.makeNonce())
        let signature = try self.signature(
            SignedText(
                method: request.method.rawValue, path: request.path, merchantCode: merchant.accountKey, time: time,
                nonce: nonce, body: response.body), by: merchant)
        response.headers[.responseTime] = time
        response.headers[.nonce] = nonce
        response.headers[.signature] = signature
        return response
    }

    /// A notification to a target, signed over the target's path.
    ///
    /// - Throws: `AccountKeyError`.
    func notification(
        _ body: JSON, to target: NotificationTarget, for merchant: MerchantContext
    ) throws -> OutgoingNotification {
        let bytes = body.serialized()
        let (time, nonce) = (self.gateway.now().description, self.makeNonce())
        let signature = try self.signature(
            SignedText(
                method: "POST", path: target.path, merchantCode: merchant.accountKey, time: time, nonce: nonce,
                body: bytes), by: merchant)
        return OutgoingNotification(
            headers: [
                .init("Content-Type", jsonContentType), .init("Merchant-Code", merchant.accountKey),
                .init("Request-Time", time), .init("Nonce", nonce), .init("Signature", signature),
            ],
            body: bytes)
    }

    /// For callers that nobody knows.
    static func unsigned(_ body: JSON, status: HTTPResponse.Status) -> WireResponse {
        WireResponse(status: status, headers: [.contentType: jsonContentType], body: body.serialized())
    }

    private func signature(_ text: SignedText, by merchant: MerchantContext) throws -> String {
        SignatureHeader(
            keyVersion: AccountSettings(merchant).keyVersion,
            signature: try merchant.rsaSignature(over: text.bytes, key: AccountSettings.gatewayPrivateKey)
        ).text
    }

    /// 32 characters, as the vendor's SDK makes them.
    private func makeNonce() -> String {
        Hex.encode(self.gateway.randomBytes(16))
    }
}
