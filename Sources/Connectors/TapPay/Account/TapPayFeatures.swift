//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Payments
import Settings

/// What the merchant's contract with TapPay lets be done.
struct TapPayFeatures: Sendable {
    /// A prime lives for ninety seconds (TapPay, "Pay by Prime API"), and one that is older pays nothing.
    private static let primeSeconds: Int64 = 90
    /// For TapPay's records to show what has been done.
    private static let recordSeconds: Int64 = 60
    /// With the deadlines that an account has if it says nothing else.
    static let quietBounds: ClosedRange<Int64> = 120...86_400

    /// TapPay, "Apple Pay in Apps", supportedNetworks of the example.
    static let defaultNetworks: [CardNetwork] = [.visa, .mastercard, .amex, .jcb]
    static let defaultNetworksText = Self.defaultNetworks.map(\.rawValue).joined(separator: ", ")

    let currencies: Set<TapPayCurrency>
    let networks: Set<CardNetwork>
    let authorizes: Bool
    let sells: Bool
    let cancelsCaptures: Bool
    let cancelsRefunds: Bool
    let isNotified: Bool
    /// As the account says it.
    private let quietSeconds: Int64?

    /// - Parameter account: its settings have been checked by their rules.
    init(_ account: OpenedAcquirerAccount) throws(ConnectorError) {
        typealias Setting = TapPayAccount.Setting
        let settings = account.settings
        self.currencies =
            settings[Setting.currencies].map {
                Set(SettingRules.elements($0).compactMap(TapPayCurrency.init(rawValue:)))
            } ?? [.twd]
        self.networks =
            settings[Setting.networks].map {
                Set(SettingRules.elements($0).compactMap(CardNetwork.init(rawValue:)))
            } ?? Set(Self.defaultNetworks)
        self.authorizes = settings[Setting.authorize] != "false"
        self.sells = settings[Setting.sale] != "false"
        self.cancelsCaptures = settings[Setting.cancelCapture] != "false"
        self.cancelsRefunds = settings[Setting.cancelRefund] != "false"
        self.isNotified = settings[Setting.notificationURL] != nil
        self.quietSeconds = settings[Setting.quietSeconds].flatMap { Int64($0) }
        guard self.authorizes || self.sells else {
            throw .settingNotAllowed(Setting.sale, must: "true where \(Setting.authorize) is false")
        }
    }

    /// We give up writing when the longest call ends, so that nothing of a payment can act later than a prime's life
    /// after that. What follows a payment has no prime: there it is a proxy in between that may still hold the request,
    /// which gives up earlier, after sixty seconds by the usual default.
    private func quietSeconds(_ calls: ClientCalls) -> Int64 {
        let least = Self.primeSeconds + calls.longestSeconds
        return max(least, self.quietSeconds ?? least + Self.recordSeconds)
    }

    func capabilities(_ calls: ClientCalls) -> AcquirerCapabilities {
        var voids: Set<AcquirerCapabilities.Voidable> = [.authorization, .sale]
        if self.cancelsCaptures { voids.insert(.capture) }
        if self.cancelsRefunds { voids.insert(.refund) }
        return AcquirerCapabilities(
            forms: [.sealedApplePayToken], proofs: [], networks: self.networks, currencies: self.terms,
            // "not supported: Apple Pay", of all that would be paid later by the merchant alone (TapPay, "Pay by Prime API").
            takesMerchantInitiated: false, authorizes: self.authorizes,
            sells: self.sells,
            // cap takes no amount.
            capturesInParts: false, refundsInParts: true, adjustments: [], voids: voids, verifiesCards: false,
            // A record may be pending, and a capture planned.
            decidesLater: true,
            // What follows a payment is asked after by the trade's id, which only the payment's answer has.
            memos: .prepared, notifiesByShortName: self.isNotified,
            recovery: .query(quietSeconds: self.quietSeconds(calls)), deadlines: calls.limits)
    }
}
