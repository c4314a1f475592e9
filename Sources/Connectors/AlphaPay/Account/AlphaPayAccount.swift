//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ConnectorKit
import Payments
import Settings
import Time

/// An account's settings and secrets, read and found to be allowed.
struct AlphaPayAccount: Sendable {
    let address: UpstreamAddress
    let tls: UpstreamTLS
    let keys: AlphaPayKeys
    let networks: Set<CardNetwork>
    /// Apple's identifier of the merchant, where an order has to name it.
    let merchantIdentifier: String?
    /// Where AlphaPay reports payments and refunds that have succeeded; `nil` where it is not asked to.
    let notifyURL: String?
    /// The path that notices come to, which their signatures cover.
    let noticePath: String

    init(
        _ account: OpenedAcquirerAccount, clock: @escaping @Sendable () -> Timestamp,
        random: @escaping @Sendable (Int) -> [UInt8]
    ) throws(ConnectorError) {
        self.address = try Self.address(of: account)
        self.tls = try UpstreamTLS(of: account)
        for description in Self.settings {
            guard let value = account.settings[description.name], let problem = description.rule(value) else {
                continue
            }
            throw .settingNotAllowed(description.name, must: String(problem.trimmingPrefix("must be ")))
        }
        self.keys = try AlphaPayKeys(account, clock: clock, random: random)
        self.networks = Self.networks(account.settings[Setting.networks])
        self.merchantIdentifier = account.settings[Setting.merchantIdentifier]
        self.notifyURL = account.settings[Setting.notifyURL]
        self.noticePath = self.notifyURL.map(Self.path) ?? "/acquirers/\(account.id)/notices"
    }

    /// - Throws: ``ConnectorError`` for a host that the account's mode must not reach. AlphaPay has two that move money
    ///   (AlphaPay, "Overview", API Domain).
    private static func address(of account: OpenedAcquirerAccount) throws(ConnectorError) -> UpstreamAddress {
        let address = try Self.hosts.address(of: account)
        if account.mode == .sandbox { _ = try Self.hostsOfUSD.address(of: account) }
        return address
    }

    private static func networks(_ text: String?) -> Set<CardNetwork> {
        guard let text else { return Set(self.defaultNetworks) }
        return Set(SettingRules.elements(text).compactMap { CardNetwork(rawValue: $0) })
    }

    /// Of a URL with "https://": "/notify" of "https://shop.example/notify?shop=1".
    private static func path(_ url: String) -> String {
        let rest = url.dropFirst("https://".count).prefix { $0 != "?" && $0 != "#" }
        return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
    }
}
