//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ConnectorKit
public import Payments
public import Settings

/// Payments through PAYONE's Server API, which opens Apple Pay tokens with a key of its own.
///
/// docs/connectors/payone.md says what is sent, how answers are read, and from which source each of it is.
public struct PAYONEConnector: UpstreamConnector {
    public static let connectorName = AcquirerName("payone")

    private let parts: UpstreamParts

    public init(_ parts: UpstreamParts) {
        self.parts = parts
    }

    public var name: AcquirerName { Self.connectorName }
    public var settings: [SettingDescription] { PAYONEAccount.settings }
    public var secrets: [SecretDescription] { PAYONEAccount.secrets }

    public func open(_ account: OpenedAcquirerAccount) throws(ConnectorError) -> any Acquirer {
        PAYONEAcquirer(name: self.name, calls: try self.calls(account))
    }

    public func check(_ account: OpenedAcquirerAccount) async -> [ConnectorFinding] {
        do throws(ConnectorError) {
            return await PAYONECheck(calls: try self.calls(account)).findings()
        } catch {
            return [ConnectorFinding("settings", isGood: false, "\(error)")]
        }
    }

    public func read(_ call: NoticeCall, for account: OpenedAcquirerAccount) -> NoticeReading? {
        do throws(ConnectorError) {
            return TransactionStatus.read(call, try PAYONEAccount(account))
        } catch {
            // The sender tries again, and by then somebody may have mended the account.
            return .refused(NoticeAnswer(status: 503), word: "account_not_usable")
        }
    }

    private func calls(_ account: OpenedAcquirerAccount) throws(ConnectorError) -> PAYONECalls {
        let opened = try PAYONEAccount(account)
        return PAYONECalls(
            account: opened, calls: self.parts.calls(of: account, to: opened.address, opened.tls))
    }
}
