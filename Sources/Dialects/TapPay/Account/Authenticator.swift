//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import HTTPTypes
import Hosts
import Redaction
import StrictJSON

/// Finds out which partner calls the back end.
struct Authenticator: Sendable {
    private static let keyBytesMax = 256

    let gateway: Gateway
    let limits: CallerLimits

    /// The account of the partner key, which stands in the header x-api-key, in the body, or in both.
    func merchant(of request: WireRequest, _ body: BackEndBody) async throws(TapPayFailure) -> MerchantContext {
        let key = try self.partnerKey(of: request, body)
        // The key alone says whose account it is: each guess is at another account.
        let account = TapPay.alias(ofPartnerKey: key)
        let attempt = self.limits.attempt(
            TapPay.dialectName, account: account, countedAs: "", credential: key.reveal(), from: request)
        if let seconds = attempt.waitSeconds { throw .throttled(seconds) }
        let found: MerchantContext?
        do throws(GatewayRefusal) {
            found = try await self.gateway.account(dialect: TapPay.dialectName, key: account)
        } catch {
            throw TapPayFailure(backEnd: error)
        }
        guard let merchant = found, let matching = AccountSettings(merchant).secretName(ofPartnerKey: key) else {
            attempt.failed(of: found)
            throw TapPayFailure(.partnerNotFound, Self.hint(about: key))
        }
        attempt.succeeded()
        if let allowed = AccountSettings(merchant).allowedAddresses {
            guard let address = request.remoteAddress.flatMap(IPAddress.init),
                allowed.contains(where: { $0.contains(address) })
            else {
                throw TapPayFailure(
                    .ipMismatch, "The address that the request came from is none of the account's allowedAddresses.")
            }
        }
        self.gateway.noteUse(of: matching, by: merchant, in: request)
        if let seconds = self.limits.take(merchant) { throw .throttled(seconds) }
        return merchant
    }

    private func partnerKey(
        of request: WireRequest, _ body: BackEndBody
    ) throws(TapPayFailure) -> Redacted<String> {
        let inHeader = request.headers[.apiKey].flatMap { $0.isEmpty ? nil : $0 }
        let inBody = try body.rawText("partner_key")
        if let inBody {
            guard !inBody.isEmpty else {
                throw TapPayFailure(.missingPartnerKey, "partner_key is empty: has your server been given its key?")
            }
            guard inBody.utf8.count <= Self.keyBytesMax else { throw TapPayFailure(.partnerKeyOutOfRange) }
        }
        switch (inHeader, inBody) {
        case (let header?, let body?):
            guard header.isExactly(body) else {
                throw TapPayFailure(.invalidKey, "The header x-api-key and the field partner_key differ.")
            }
            return Redacted(header)
        case (let key?, nil), (nil, let key?):
            guard key.utf8.count <= Self.keyBytesMax else { throw TapPayFailure(.invalidKey) }
            return Redacted(key)
        case (nil, nil):
            let hint =
                body.value("partnerkey") == nil && body.value("partnerKey") == nil
                ? "" : " The fields of 2017 (partnerkey, merchantid …) are not read any more."
            throw TapPayFailure(.invalidKey, "Send the partner key in the header x-api-key and in partner_key." + hint)
        }
    }

    private static func hint(about key: Redacted<String>) -> String {
        key.reveal().hasPrefix("app_")
            ? "This is an app key, which makes primes. Paying with them takes the partner key."
            : "No account of this gateway has the partner key. A sandbox key is of no use in production, nor "
                + "a live one in the sandbox."
    }
}

extension TapPay {
    /// Makes sure that what the wire calls a merchant is the caller's.
    func check(merchantID: String, of merchant: MerchantContext) async throws(TapPayFailure) {
        if AccountSettings(merchant).merchantIDs.contains(where: merchantID.isExactly) { return }
        let other: MerchantContext?
        do throws(GatewayRefusal) {
            other = try await self.gateway.account(
                dialect: Self.dialectName, key: Self.alias(ofMerchantID: merchantID))
        } catch {
            throw TapPayFailure(backEnd: error)
        }
        guard other == nil else {
            throw TapPayFailure(.partnerUnauthorized, "The merchant_id is another partner's.")
        }
        throw TapPayFailure(.merchantNotFound)
    }
}
