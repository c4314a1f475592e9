//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Clients
import ConnectorKit
import Payments
import Redaction
import Settings

/// An account's settings and secrets, read and found to be allowed.
struct TapPayAccount: Sendable {
    let address: UpstreamAddress
    let tls: UpstreamTLS
    let mode: Mode
    let merchantID: String
    let appKeys: TapPayKeys
    let partnerKeys: TapPayKeys
    /// The keys, which may stand nowhere in what is kept.
    let secrets: [Redacted<String>]
    let features: TapPayFeatures
    let cardholder: CardholderDefaults
    /// Where TapPay reports what becomes of a payment; `nil` where it is not asked to.
    let notificationURL: String?

    static let hosts = UpstreamHosts(sandbox: "sandbox.tappaysdk.com", live: "prod.tappaysdk.com")

    init(_ account: OpenedAcquirerAccount) throws(ConnectorError) {
        self.address = try Self.hosts.address(of: account)
        self.tls = try UpstreamTLS(of: account)
        self.mode = account.mode
        try Self.checkRules(account)
        guard let appID = Int(try account.setting(Setting.appID)) else {
            throw .settingNotAllowed(Setting.appID, must: "the app's number")
        }
        let merchantID = try account.setting(Setting.merchantID)
        self.merchantID = merchantID
        let identifier = try Self.identifier(account)
        let appName = account.settings[Setting.appName] ?? Self.defaultAppName
        let names = [Secret.appKey, Secret.secondAppKey, Secret.partnerKey, Secret.secondPartnerKey]
        self.secrets = names.compactMap { account.secrets[$0] }
        func client(_ appKey: Redacted<String>, _ partnerKey: Redacted<String>) -> TapPayClient {
            var credentials = TapPayClient.Credentials(
                appID: appID, appKey: appKey, partnerKey: partnerKey, merchantID: merchantID,
                merchantIdentifier: identifier)
            credentials.appName = appName
            return TapPayClient(credentials)
        }
        let (appKey, partnerKey) = (try account.secret(Secret.appKey), try account.secret(Secret.partnerKey))
        self.appKeys = try TapPayKeys([Secret.appKey, Secret.secondAppKey], of: account) { client($0, partnerKey) }
        self.partnerKeys = try TapPayKeys([Secret.partnerKey, Secret.secondPartnerKey], of: account) {
            client(appKey, $0)
        }
        self.features = try TapPayFeatures(account)
        self.cardholder = CardholderDefaults(account.settings)
        self.notificationURL = account.settings[Setting.notificationURL]
    }

    /// What the gateway has checked when they were set is checked again: an account may be older than a rule.
    private static func checkRules(_ account: OpenedAcquirerAccount) throws(ConnectorError) {
        for setting in Self.settings {
            guard let value = account.settings[setting.name], let problem = setting.rule(value) else { continue }
            throw .settingNotAllowed(setting.name, must: problem.replacing("must be ", with: ""))
        }
    }

    /// - Throws: ``ConnectorError`` where tokens for other merchant identifiers would be handed to this account.
    private static func identifier(_ account: OpenedAcquirerAccount) throws(ConnectorError) -> String {
        let identifier = try account.setting(Setting.appleMerchantID)
        let custody = KeyCustody(account.settings).merchantIdentifiers
        guard custody.isEmpty || custody == [identifier] else {
            throw .settingNotAllowed(
                KeyCustody.identifiersName, must: "the one of \(Setting.appleMerchantID) and no other")
        }
        return identifier
    }

    /// A prime's first letters say of which environment it is, where they say anything.
    func takes(prime: String) -> Bool {
        switch self.mode {
        case .live: !prime.hasPrefix("test_") && !prime.hasPrefix("ap_test_")
        case .sandbox: !prime.hasPrefix("prod_")
        }
    }
}

/// What is sent of a cardholder of whom the merchant says nothing: TapPay wants a name, an address for mail and a number.
struct CardholderDefaults: Sendable {
    let name: String?
    let email: String?
    let phone: String?

    init(_ settings: [String: String]) {
        self.name = settings[TapPayAccount.Setting.cardholderName]
        self.email = settings[TapPayAccount.Setting.cardholderEmail]
        self.phone = settings[TapPayAccount.Setting.cardholderPhone]
    }
}
