//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import HTTPTypes
import Payments
import Redaction

/// Which app or page calls. Its key is no secret to whoever reads the app, and lets it make primes and nothing else.
struct AppCredentials: Sendable {
    /// An integer; the account's key.
    let appID: String
    let appKey: Redacted<String>
    let appName: String?

    static let appKeyCharactersMax = 128
    static let appNameCharactersMax = 128

    /// - Parameter requiresName: getprime's callers always send `app_name`.
    init(reading fields: FrontEndFields, requiresName: Bool) throws(TapPayFailure) {
        guard let value = fields.value(["app_id", "appId"]), let number = WireText.integer(value),
            (1...Int64(Int32.max)).contains(number)
        else { throw TapPayFailure(.invalidAppID, "app_id must be the app's number.") }
        self.appID = String(number)
        self.appKey = Redacted(
            try fields.text(
                "app_key", "appKey", max: Self.appKeyCharactersMax, missing: .missingAppKey,
                outOfRange: .appKeyOutOfRange))
        let name = try fields.optionalText(
            "app_name", "appName", max: Self.appNameCharactersMax, outOfRange: .appNameOutOfRange)
        if requiresName, name == nil { throw TapPayFailure(.missingAppName) }
        self.appName = name
    }

    /// What is said of an app key that is not the app's. By its look alone: compared with the partner key, it would
    /// help those who guess at that one.
    var hint: String {
        self.appKey.reveal().hasPrefix("partner_")
            ? "This looks like a partner key. One must never leave your server: replace it, and send the app key."
            : "The app key is not this app's. Check that both are of the same environment."
    }
}

extension TapPay {
    /// The account that an app or page belongs to. Wrong app keys, and ids of apps that there are not, are counted by
    /// address, as wrong partner keys are.
    ///
    /// - Throws: ``TapPayFailure``, `GatewayRefusal`.
    func account(of app: AppCredentials, _ request: WireRequest) async throws -> MerchantContext {
        if let seconds = self.limits.takeDeviceCall(Self.dialectName, from: request) {
            throw TapPayFailure.throttled(seconds)
        }
        // All apps together: the id may itself be the guess.
        let attempt = self.limits.attempt(
            Self.dialectName, account: app.appID, countedAs: "app", credential: app.appKey.reveal(), from: request)
        if let seconds = attempt.waitSeconds { throw TapPayFailure.throttled(seconds) }
        guard let merchant = try await self.gateway.account(dialect: Self.dialectName, key: app.appID) else {
            attempt.failed()
            throw TapPayFailure(
                .appIDNotFound, "This gateway has no such app. An app of the sandbox is not known in production.")
        }
        guard merchant.secret(AccountSettings.appKey) != nil else {
            throw TapPayFailure(.unknownAppError, "The app has no app key. The gateway's operator must give it one.")
        }
        guard let matching = AccountSettings(merchant).secretName(ofAppKey: app.appKey) else {
            attempt.failed(of: merchant)
            throw TapPayFailure(.appKeyMismatch, app.hint)
        }
        // The apps send the app key in the header too; pages send it in the body alone.
        if let header = request.headers[.apiKey], !header.isEmpty {
            guard AccountSettings(merchant).secretName(ofAppKey: Redacted(header)) != nil else {
                attempt.failed(of: merchant)
                throw TapPayFailure(.invalidKey, "The x-api-key of an app or a page is its app key.")
            }
        }
        attempt.succeeded()
        self.gateway.noteUse(of: matching, by: merchant, in: request, isOfCustomer: true)
        if let seconds = self.limits.takeDeviceCall(of: merchant) { throw TapPayFailure.throttled(seconds) }
        if let name = app.appName {
            guard FrontEndSettings(merchant).permits(appName: name) else {
                throw TapPayFailure(
                    .appNameMismatch, "The account lists its apps' names, and app_name is none of them.")
            }
        }
        return merchant
    }

    /// Refuses a merchant identifier that is none of the merchant's, or that the operator has switched off.
    ///
    /// - Throws: ``TapPayFailure``, `GatewayRefusal`.
    func check(merchantIdentifier: String, of merchant: MerchantContext) async throws {
        guard try await self.gateway.isMerchantIdentifier(merchantIdentifier, of: merchant) else {
            throw TapPayFailure(
                .appleMerchantIDDisabled,
                "No certificate of this merchant is for the apple_merchant_id. Check its spelling, or import one.")
        }
        guard !FrontEndSettings(merchant).isDisabled(merchantIdentifier: merchantIdentifier) else {
            throw TapPayFailure(.appleMerchantIDDisabled, "The gateway's operator has switched it off.")
        }
    }
}
