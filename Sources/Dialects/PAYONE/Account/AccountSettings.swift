//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
import Payments
public import Redaction

/// A merchant's account as this dialect reads it. Its key on the wire is the portal's id.
struct AccountSettings: Sendable {
    // The names of settings and secrets.
    static let merchantIDName = "mid"
    static let subAccountsName = "aids"
    static let notificationURLName = "notificationURL"
    static let captureModeDefaultName = "captureModeDefault"
    static let cardTypesName = "cardTypes"
    static let keyName = "key"
    /// A key that has been replaced, and is still accepted. Notifications carry the other.
    static let secondKey = "key2"

    private let settings: [String: String]

    init(_ merchant: MerchantContext) {
        self.settings = merchant.settings
    }

    var merchantID: String? { self.settings[Self.merchantIDName] }

    /// The sub-accounts that may be used through the portal.
    var subAccounts: [String] {
        (self.settings[Self.subAccountsName] ?? "").split(separator: ",").map { String($0.filter { $0 != " " }) }
    }

    /// Where TransactionStatus notifications go; `nil` for nowhere.
    var notificationURL: String? {
        self.settings[Self.notificationURLName].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// What a capture without `capturemode` is; `nil` if there must be one.
    var captureModeDefault: PAYONE.CaptureMode? {
        self.settings[Self.captureModeDefaultName].flatMap(PAYONE.CaptureMode.init(rawValue:))
    }

    /// The networks of the card types in the account's contract; `nil` for all.
    var networks: Set<CardNetwork>? {
        guard let text = self.settings[Self.cardTypesName], !text.isEmpty else { return nil }
        let types = text.split(separator: ",").compactMap { PAYONE.CardType(rawValue: String($0.filter { $0 != " " })) }
        return Set(types.flatMap(\.networks))
    }
}

extension PAYONE {
    /// `capturemode`: whether further captures may follow.
    public enum CaptureMode: String, CaseIterable, Hashable, Sendable {
        case completed
        case notcompleted
    }

    /// `cardtype`: a card type that a contract can have.
    public enum CardType: String, CaseIterable, Hashable, Sendable {
        case visa = "V"
        case mastercard = "M"
        case amex = "A"
        case discoverAndDiners = "D"
        case jcb = "J"
        case unionPay = "P"
        case girocard = "G"

        var networks: [CardNetwork] {
            switch self {
            case .visa: [.visa]
            case .mastercard: [.mastercard]
            case .amex: [.amex]
            case .discoverAndDiners: [.discover]
            case .jcb: [.jcb]
            case .unionPay: [.unionPay]
            // girocard has no range of its own, and the token's parts do not name the network.
            case .girocard: [.girocard, .other]
            }
        }
    }

    /// What an account of this dialect is made of. The account's key is the portal's id, six or seven digits.
    ///
    /// - Parameters:
    ///   - mid: the merchant's id, five digits.
    ///   - aids: the sub-accounts that may be used, five digits each.
    ///   - key: the portal's key. Requests carry its MD5 or SHA-384, notifications its MD5.
    ///   - notificationURL: where TransactionStatus notifications go; `nil` for nowhere.
    ///   - captureModeDefault: what a capture without `capturemode` is. The vendor's page requires one, but some shops'
    ///     clients send none; `nil` refuses theirs.
    ///   - cardTypes: the card types of the account's contract; `nil` for all.
    public static func accountDraft(
        mid: String, aids: [String], key: Redacted<String>, notificationURL: String? = nil,
        captureModeDefault: CaptureMode? = nil, cardTypes: [CardType]? = nil
    ) -> (settings: [String: String], secrets: [String: Redacted<String>]) {
        var settings = [
            AccountSettings.merchantIDName: mid,
            AccountSettings.subAccountsName: aids.joined(separator: ","),
        ]
        settings[AccountSettings.notificationURLName] = notificationURL
        settings[AccountSettings.captureModeDefaultName] = captureModeDefault?.rawValue
        settings[AccountSettings.cardTypesName] = cardTypes?.map(\.rawValue).joined(separator: ",")
        return (settings, [AccountSettings.keyName: key])
    }
}
