//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Gateway
import Payments
public import Redaction

/// A store's account as this dialect reads it.
struct AccountSettings: Sendable {
    // The names of settings and secrets.
    static let apiKey = "apikey"
    /// A key that has been replaced, and is still accepted.
    static let secondAPIKey = "apikey2"
    static let webhookPassword = "webhookPassword"
    static let webhookURLName = "webhookURL"
    static let cancelWebhookURLName = "cancelWebhookURL"
    static let webhookUserName = "webhookUser"
    static let webhookFormName = "webhookForm"
    static let allowedTendersName = "allowedTenders"
    static let decryptBlobName = "decryptBlob"

    private let merchant: MerchantContext

    init(_ merchant: MerchantContext) {
        self.merchant = merchant
    }

    /// Which secret a key is: the store's, or the one that it had before; `nil` for any other key.
    func secretName(ofAPIKey key: Redacted<String>) -> String? {
        self.merchant.matching(key, of: Self.apiKey, or: Self.secondAPIKey)
    }

    /// Which settings say where PaymentSettlementStatus goes. Without them the store is not notified.
    static let settlementAddresses = [Self.webhookURLName]

    /// Which say where PaymentAuthCancelReply goes, the first that is set.
    static let cancellationAddresses = [Self.cancelWebhookURLName, Self.webhookURLName]

    /// Whether events come in their list form, which the vendor means for webhooks.
    var usesLists: Bool { self.merchant.settings[Self.webhookFormName] != "single" }

    /// What authenticates the gateway to the store's endpoint (RFC 7617), where the account has it.
    var webhookAuthorization: Redacted<String>? {
        guard let user = self.merchant.settings[Self.webhookUserName],
            let password = self.merchant.secret(Self.webhookPassword)
        else { return nil }
        return password.map { "Basic " + Base64.encode("\(user):\($0)".utf8) }
    }

    /// The tender types that the store takes; `nil` for all.
    var allowedTenders: Set<TenderType>? {
        self.merchant.settings[Self.allowedTendersName].map { text in
            Set(text.split(separator: ",").compactMap { TenderType(rawValue: String($0.filter { $0 != " " })) })
        }
    }

    /// The networks of those tender types; `nil` for all.
    var networks: Set<CardNetwork>? {
        self.allowedTenders.map { tenders in Set(CardNetwork.allCases.filter { tenders.contains(TenderType($0)) }) }
    }

    func allows(_ tender: TenderType) -> Bool { self.allowedTenders?.contains(tender) ?? true }

    /// Whether the store may have tokens decrypted, and so sees device account numbers.
    var allowsDecryption: Bool { self.merchant.settings[Self.decryptBlobName] == "true" }
}

extension Radial {
    /// What an account of this dialect is made of.
    ///
    /// - Parameters:
    ///   - apiKey: the header `apikey` of the store's requests.
    ///   - webhookURL: where settlements are reported, and cancellations too unless they have an address of their own.
    ///   - cancelWebhookURL: where cancellations are reported.
    ///   - webhookCredentials: HTTP Basic credentials that the store's endpoint asks for.
    ///   - usesLists: whether events come in their list form (PaymentSettlementStatusList) or singly.
    ///   - allowedTenders: the tender types that the store takes ("VC", "MC", "AM", "DC" …); `nil` for all.
    ///   - allowsDecryption: whether decryptblob answers; the store then sees device account numbers.
    public static func accountDraft(
        apiKey: Redacted<String>, webhookURL: String? = nil, cancelWebhookURL: String? = nil,
        webhookCredentials: (user: String, password: Redacted<String>)? = nil, usesLists: Bool = true,
        allowedTenders: [String]? = nil, allowsDecryption: Bool = false
    ) -> (settings: [String: String], secrets: [String: Redacted<String>]) {
        var settings: [String: String] = [:]
        var secrets = [AccountSettings.apiKey: apiKey]
        settings[AccountSettings.webhookURLName] = webhookURL
        settings[AccountSettings.cancelWebhookURLName] = cancelWebhookURL
        if let webhookCredentials {
            settings[AccountSettings.webhookUserName] = webhookCredentials.user
            secrets[AccountSettings.webhookPassword] = webhookCredentials.password
        }
        if !usesLists { settings[AccountSettings.webhookFormName] = "single" }
        settings[AccountSettings.allowedTendersName] = allowedTenders?.joined(separator: ",")
        if allowsDecryption { settings[AccountSettings.decryptBlobName] = "true" }
        return (settings, secrets)
    }
}
