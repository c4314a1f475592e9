//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import DialectKit
import Gateway
import HTTPTypes
import Payments
import Time

/// Finds out who calls, and makes sure of it.
struct Authenticator: Sendable {
    /// How far Request-Time may be from the gateway's clock, either way.
    static let skewSecondsMax: Int64 = 300

    let gateway: Gateway
    let dialect: DialectName
    let nonces: NonceMemory
    let limits: CallerLimits

    /// Whether the request's signature is to be looked at: not while its address has to wait.
    func attempt(of request: WireRequest) -> CredentialAttempt {
        self.limits.attempt(
            self.dialect, account: request.headers[.merchantCode] ?? "", credential: "", from: request)
    }

    /// The account that the request names, whether or not it is the caller's: replies are signed for it.
    func account(of request: WireRequest) async throws(AlphaPayResult) -> MerchantContext {
        let code = try self.header(.merchantCode, "Merchant-Code", of: request)
        guard code.utf8.count <= 64 else { throw AlphaPayResult(.merchantCodeUnknown) }
        let found: MerchantContext?
        do throws(GatewayRefusal) {
            found = try await self.gateway.account(dialect: self.dialect, key: code)
        } catch {
            throw AlphaPayResult(refusal: error)
        }
        guard let found else { throw AlphaPayResult(.merchantCodeUnknown) }
        return found
    }

    /// Refuses a request that the account's holder did not sign, or not just now, or that has been here before.
    ///
    /// The nonce is looked at last, so that nobody but the merchant can use one up.
    func authenticate(
        _ request: WireRequest, as merchant: MerchantContext, _ attempt: CredentialAttempt
    ) throws(AlphaPayResult) {
        let time = try self.header(.requestTime, "Request-Time", of: request)
        let nonce = try self.header(.nonce, "Nonce", of: request)
        let header = try SignatureHeader(parsing: try self.header(.signature, "Signature", of: request))
        let settings = AccountSettings(merchant)
        guard settings.canSignReplies else { throw AlphaPayResult(.accountNotConfigured) }
        let keys = settings.requestKeys(ofVersion: header.keyVersion)
        guard !keys.isEmpty else {
            attempt.failed(of: merchant)
            throw AlphaPayResult(.keyVersionUnknown)
        }
        let signed = SignedText(
            method: request.method.rawValue, path: request.path, merchantCode: merchant.accountKey, time: time,
            nonce: nonce, body: request.body)
        // Public keys: which of them it was is no secret.
        let key = keys.first { merchant.isValidRSASignature(header.signature, over: signed.bytes, key: $0) }
        guard let key else {
            attempt.failed(of: merchant)
            throw AlphaPayResult(.signatureInvalid)
        }
        try self.checkFreshness(time: time, nonce: nonce, of: merchant)
        // A request that is sent again by whoever has seen it is none of the merchant's.
        attempt.succeeded()
        self.gateway.noteUse(of: key, by: merchant, in: request)
    }

    /// Refuses a merchant that asks too often.
    func checkRate(of merchant: MerchantContext) throws(AlphaPayResult) {
        if let seconds = self.limits.take(merchant) { throw .throttled(seconds) }
    }

    /// Whether a refusal may be signed for a caller who has not proved who it is: a request that somebody makes up, or
    /// sends again, must not keep the gateway busy with signatures.
    func maySignRefusal(to request: WireRequest) -> Bool {
        self.limits.maySignRefusal(self.dialect, to: request)
    }

    private func checkFreshness(time: String, nonce: String, of merchant: MerchantContext) throws(AlphaPayResult) {
        guard let requestTime = Timestamp(rfc3339: time) else { throw AlphaPayResult(.requestTimeMalformed) }
        let now = self.gateway.now()
        let skewMilliseconds = Self.skewSecondsMax * 1000
        guard now.milliseconds(since: requestTime).magnitude <= skewMilliseconds else {
            throw AlphaPayResult(.requestTimeOutOfRange)
        }
        // No ".", which separates the parts of the signed text.
        guard (16...64).contains(nonce.utf8.count), nonce.utf8.allSatisfy(ASCII.isNameCharacter) else {
            throw AlphaPayResult(.nonceMalformed)
        }
        // A millisecond longer than the request is fresh.
        let end = requestTime.adding(milliseconds: skewMilliseconds + 1)
        switch self.nonces.remember(nonce, scope: merchant.accountKey, until: end, now: now) {
        case .fresh: return
        case .reused: throw AlphaPayResult(.nonceReused)
        case .full: throw AlphaPayResult(.systemBusy)
        }
    }

    private func header(
        _ name: HTTPField.Name, _ text: String, of request: WireRequest
    ) throws(AlphaPayResult) -> String {
        guard let value = request.headers[name], !value.isEmpty else {
            throw AlphaPayResult(.headerMissing, "The header \(text) is missing.")
        }
        return value
    }
}
