//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ConnectorKit
public import Payments
public import Settings

/// Connects to TapPay, which takes Apple Pay tokens as they came and pays with what it makes of them, a *prime*.
/// docs/connectors/tappay.md says what is sent and how each answer is read.
public struct TapPayConnector: UpstreamConnector {
    public static let connectorName = AcquirerName("tappay")

    private let parts: UpstreamParts

    public init(_ parts: UpstreamParts) {
        self.parts = parts
    }

    public var name: AcquirerName { Self.connectorName }
    public var settings: [SettingDescription] { TapPayAccount.settings }
    public var secrets: [SecretDescription] { TapPayAccount.secrets }

    public func open(_ account: OpenedAcquirerAccount) throws(ConnectorError) -> any Acquirer {
        TapPayAcquirer(name: self.name, calls: try self.calls(account))
    }

    public func check(_ account: OpenedAcquirerAccount) async -> [ConnectorFinding] {
        do throws(ConnectorError) {
            return await TapPayCheck(calls: try self.calls(account)).findings()
        } catch {
            return [ConnectorFinding("settings", isGood: false, "\(error)")]
        }
    }

    public func read(_ call: NoticeCall, for account: OpenedAcquirerAccount) -> NoticeReading? {
        account.settings[TapPayAccount.Setting.notificationURL].map { _ in TapPayNotice.read(call) }
    }

    private func calls(_ account: OpenedAcquirerAccount) throws(ConnectorError) -> TapPayCalls {
        let opened = try TapPayAccount(account)
        return TapPayCalls(
            account: opened, calls: self.parts.calls(of: account, to: opened.address, opened.tls))
    }
}
