//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ConnectorKit
public import Payments
public import Settings

/// Payments through the Radial Payment Service: XML over POST, an API key for each store, Apple Pay tokens that the
/// service opens.
///
/// docs/connectors/radial.md says what is sent, how answers are read, and from which source each of it is.
public struct RadialConnector: UpstreamConnector {
    public static let connectorName = AcquirerName("radial")

    private let parts: UpstreamParts

    public init(_ parts: UpstreamParts) {
        self.parts = parts
    }

    public var name: AcquirerName { Self.connectorName }
    public var settings: [SettingDescription] { RadialAccount.settings }
    public var secrets: [SecretDescription] { RadialAccount.secrets }

    public func open(_ account: OpenedAcquirerAccount) throws(ConnectorError) -> any Acquirer {
        let opened = try RadialAccount(account)
        return RadialAcquirer(name: self.name, account: opened, calls: self.calls(account, opened))
    }

    public func check(_ account: OpenedAcquirerAccount) async -> [ConnectorFinding] {
        do throws(ConnectorError) {
            let opened = try RadialAccount(account)
            return await RadialCheck(
                account: opened, calls: self.calls(account, opened), takesNotices: RadialNotices(account) != nil
            ).findings()
        } catch {
            return [ConnectorFinding("settings", isGood: false, "\(error)")]
        }
    }

    public func read(_ call: NoticeCall, for account: OpenedAcquirerAccount) -> NoticeReading? {
        RadialNotices(account).map { $0.read(call) }
    }

    private func calls(_ account: OpenedAcquirerAccount, _ opened: RadialAccount) -> RadialCalls {
        RadialCalls(keys: opened.keys, calls: self.parts.calls(of: account, to: opened.address, opened.tls))
    }
}
