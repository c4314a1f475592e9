//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ConnectorKit
public import Payments
public import Settings

/// Payments through Mastercard Payment Gateway Services: one product that many banks sell under names of their own
/// (CommWeb, eGate, NAB Transact's successor …), each at a host of its own.
///
/// docs/connectors/mpgs.md says what is sent, how answers are read, and from which source each of it is.
public struct MPGSConnector: UpstreamConnector {
    public static let connectorName = AcquirerName("mpgs")

    private let parts: UpstreamParts

    public init(_ parts: UpstreamParts) {
        self.parts = parts
    }

    public var name: AcquirerName { Self.connectorName }
    public var settings: [SettingDescription] { MPGSAccount.settings }
    public var secrets: [SecretDescription] { MPGSAccount.secrets }

    public func open(_ account: OpenedAcquirerAccount) throws(ConnectorError) -> any Acquirer {
        MPGSAcquirer(name: self.name, calls: try self.calls(account))
    }

    public func check(_ account: OpenedAcquirerAccount) async -> [ConnectorFinding] {
        do throws(ConnectorError) {
            return await MPGSCheck(calls: try self.calls(account)).findings()
        } catch {
            return [ConnectorFinding("settings", isGood: false, "\(error)")]
        }
    }

    public func read(_ call: NoticeCall, for account: OpenedAcquirerAccount) -> NoticeReading? {
        account.secrets[MPGSAccount.Secret.notification].map { MPGSNotice.read(call, secret: $0) }
    }

    private func calls(_ account: OpenedAcquirerAccount) throws(ConnectorError) -> MPGSCalls {
        let opened = try MPGSAccount(account)
        return MPGSCalls(account: opened, calls: self.parts.calls(of: account, to: opened.address, opened.tls))
    }
}
