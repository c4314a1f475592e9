//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Gateway
public import Redaction

/// A merchant's account as this dialect reads it. Its key on the wire is the portal's id.
struct AccountSettings: Sendable {
    // The names of settings and secrets.
    static let merchantIDName = "mid"
    static let subAccountsName = "aids"
    static let notificationURLName = "notificationURL"
    static let captureModeDefaultName = "captureModeDefault"
    static let keyName = "key"

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
}

extension PAYONE {
    /// `capturemode`: whether further captures may follow.
    public enum CaptureMode: String, CaseIterable, Hashable, Sendable {
        case completed
        case notcompleted
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
    public static func accountDraft(
        mid: String, aids: [String], key: Redacted<String>, notificationURL: String? = nil,
        captureModeDefault: CaptureMode? = nil
    ) -> (settings: [String: String], secrets: [String: Redacted<String>]) {
        var settings = [
            AccountSettings.merchantIDName: mid,
            AccountSettings.subAccountsName: aids.joined(separator: ","),
        ]
        settings[AccountSettings.notificationURLName] = notificationURL
        settings[AccountSettings.captureModeDefaultName] = captureModeDefault?.rawValue
        return (settings, [AccountSettings.keyName: key])
    }
}
