//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Money
import Payments
public import Redaction

/// A merchant's account as this dialect reads it. The account's key is the merchant ID.
struct AccountSettings: Sendable {
    // The names of settings and secrets.
    static let password = "password"
    static let secondPassword = "password2"
    static let notificationSecret = "notificationSecret"
    static let notifyURLName = "notifyURL"
    static let notificationFormatName = "notificationFormat"
    static let clientCertificateSHA256Name = "clientCertificateSHA256"
    static let allowedOperationsName = "allowedOperations"
    static let allowInsecureNotifyName = "allowInsecureNotify"
    static let currenciesName = "currencies"

    private let merchant: MerchantContext

    init(_ merchant: MerchantContext) {
        self.merchant = merchant
    }

    /// How notifications are written.
    var notificationFlavor: Flavor {
        self.merchant.settings[Self.notificationFormatName]?.uppercased() == "NVP" ? .nvp : .rest
    }

    /// Whether a certificate is one of the account's: SHA-256 of its DER, hex, with or without colons; several are
    /// separated by commas, so that one can follow another.
    func isOwnCertificate(sha256 fingerprint: String) -> Bool {
        guard let listed = self.merchant.settings[Self.clientCertificateSHA256Name] else { return false }
        let own = Self.plainHex(fingerprint)
        return own.utf8.count == 64 && listed.split(separator: ",").contains { Self.plainHex($0) == own }
    }

    /// A merchant without a list may do everything.
    func permits(_ operation: APIOperation) -> Bool {
        guard let list = self.merchant.settings[Self.allowedOperationsName] else { return true }
        return list.split(separator: ",").contains { $0.filter { $0 != " " } == operation.rawValue }
    }

    /// What the merchant may be paid in, in its own order; without a list, every currency.
    var currencies: [Currency] {
        guard let list = self.merchant.settings[Self.currenciesName] else { return Currency.all }
        return list.split(separator: ",").compactMap { code in Currency.alphabetic(code.filter { $0 != " " }) }
    }

    /// Whether notifications may go to http addresses. Never for a live merchant.
    var allowsInsecureNotify: Bool {
        self.merchant.merchant.mode == .sandbox && self.merchant.settings[Self.allowInsecureNotifyName] == "true"
    }

    private static func plainHex(_ text: some StringProtocol) -> String {
        text.lowercased().filter { $0 != ":" && $0 != " " }
    }
}

extension CommWeb {
    /// What an account of this dialect is made of.
    ///
    /// - Parameters:
    ///   - password: the integration password of Basic authentication and of NVP's `apiPassword`.
    ///   - secondPassword: taken as well, so that one password can follow another.
    ///   - notificationSecret: sent with notifications as X-Notification-Secret.
    ///   - notifyURL: where notifications go for requests that give no `order.notificationUrl`.
    ///   - clientCertificateSHA256: SHA-256 of the DER of the merchant's TLS client certificates, hex; it
    ///     authenticates without a password, and permits UNMASK.
    ///   - allowedOperations: the apiOperations that the merchant may use; `nil` for all.
    ///   - allowsInsecureNotify: whether a sandbox merchant may give http addresses for its notifications.
    public static func accountDraft(
        password: Redacted<String>, secondPassword: Redacted<String>? = nil,
        notificationSecret: Redacted<String>? = nil, notifyURL: String? = nil,
        clientCertificateSHA256: [String] = [], allowedOperations: [String]? = nil, allowsInsecureNotify: Bool = false
    ) -> (settings: [String: String], secrets: [String: Redacted<String>]) {
        var settings: [String: String] = [:]
        settings[AccountSettings.notifyURLName] = notifyURL
        if !clientCertificateSHA256.isEmpty {
            settings[AccountSettings.clientCertificateSHA256Name] = clientCertificateSHA256.joined(separator: ",")
        }
        settings[AccountSettings.allowedOperationsName] = allowedOperations?.joined(separator: ",")
        if allowsInsecureNotify { settings[AccountSettings.allowInsecureNotifyName] = "true" }
        var secrets = [AccountSettings.password: password]
        secrets[AccountSettings.secondPassword] = secondPassword
        secrets[AccountSettings.notificationSecret] = notificationSecret
        return (settings, secrets)
    }
}
