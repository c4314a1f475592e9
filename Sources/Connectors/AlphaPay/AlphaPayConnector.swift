//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import ConnectorKit
public import Payments
public import Settings
public import Time

/// Payments through AlphaPay's open API: an order is asked for, paid with an Apple Pay token that AlphaPay opens, and
/// refunded. All of it is signed, in both directions.
///
/// docs/connectors/alphapay.md says what is sent, how answers are read, and from which source each of it is.
public struct AlphaPayConnector: Connector {
    public static let connectorName = AcquirerName("alphapay")

    private let parts: UpstreamParts
    private let clock: @Sendable () -> Timestamp
    private let random: @Sendable (Int) -> [UInt8]

    /// - Parameters:
    ///   - client: shared by all accounts; whoever made it shuts it down.
    ///   - clock: the time that requests are signed with.
    ///   - random: that many bytes of a cryptographically secure source, for nonces.
    ///   - now: by what clock deadlines are counted.
    public init(
        client: UpstreamClient, deadlines: UpstreamDeadlines = UpstreamDeadlines(),
        clock: @escaping @Sendable () -> Timestamp, random: @escaping @Sendable (Int) -> [UInt8],
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.parts = UpstreamParts(client: client, deadlines: deadlines, now: now)
        self.clock = clock
        self.random = random
    }

    public var name: AcquirerName { Self.connectorName }
    public var settings: [SettingDescription] { AlphaPayAccount.settings }
    public var secrets: [SecretDescription] { AlphaPayAccount.secrets }

    public func open(_ account: OpenedAcquirerAccount) throws(ConnectorError) -> any Acquirer {
        AlphaPayAcquirer(name: self.name, calls: try self.calls(account))
    }

    public func check(_ account: OpenedAcquirerAccount) async -> [ConnectorFinding] {
        do throws(ConnectorError) {
            return await AlphaPayCheck(calls: try self.calls(account), today: self.clock()).findings()
        } catch {
            return [ConnectorFinding("settings", isGood: false, "\(error)")]
        }
    }

    public func read(_ call: NoticeCall, for account: OpenedAcquirerAccount) -> NoticeReading? {
        do throws(ConnectorError) {
            return AlphaPayNotice.read(call, for: try self.account(account))
        } catch {
            // It is sent again, and read when the account is mended.
            return .refused(NoticeAnswer(status: 503), word: "account_not_usable")
        }
    }

    private func account(_ account: OpenedAcquirerAccount) throws(ConnectorError) -> AlphaPayAccount {
        try AlphaPayAccount(account, clock: self.clock, random: self.random)
    }

    private func calls(_ opened: OpenedAcquirerAccount) throws(ConnectorError) -> AlphaPayCalls {
        let account = try self.account(opened)
        return AlphaPayCalls(account: account, calls: self.parts.calls(of: opened, to: account.address, account.tls))
    }
}
