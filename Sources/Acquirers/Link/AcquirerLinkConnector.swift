//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments
public import Settings
import Time

/// A kind of acquirer in another process, for any number of accounts: what an account is made of and can do is known here,
/// and what it is asked to do is done there.
///
/// Each end opens an account by itself, and the far end serves it only where both find the same. A live account is sent over
/// a link with ``AcquirerLinkTLS`` alone: the shared secret proves who is at the other end and protects nothing of what
/// follows, so that without TLS somebody on the way could read card numbers and write approvals.
public struct AcquirerLinkConnector: Connector {
    /// While there is no connection: how long until the next try at the most.
    private static let pauseMilliseconds: Int64 = 1000

    private let described: any Connector
    private let client: AcquirerLinkClient
    private let sleep: @Sendable (_ milliseconds: Int64) async throws -> Void
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameters:
    ///   - connector: the kind of acquirer that the other end serves. It opens accounts here too, and sends nothing.
    ///   - client: to the other end.
    public init(
        _ connector: any Connector, over client: AcquirerLinkClient, surroundings: AcquirerLinkSurroundings
    ) {
        self.described = connector
        self.client = client
        self.sleep = surroundings.sleep
        self.now = surroundings.now
    }

    public var name: AcquirerName { self.described.name }
    public var settings: [SettingDescription] { self.described.settings }
    public var secrets: [SecretDescription] { self.described.secrets }

    public func open(_ account: OpenedAcquirerAccount) throws(ConnectorError) -> any Acquirer {
        let capabilities = try self.described.open(account).capabilities
        guard account.mode == .sandbox || self.client.isProtected else { throw .linkNotProtected }
        return self.client.acquirer(of: self.forTheFarEnd(account), capabilities)
    }

    /// What the connector has not described is the gateway's own: which Apple Pay keys are held elsewhere, say.
    private func forTheFarEnd(_ account: OpenedAcquirerAccount) -> OpenedAcquirerAccount {
        let settings = Set(self.settings.map(\.name))
        let secrets = Set(self.secrets.map(\.name))
        return OpenedAcquirerAccount(
            id: account.id, mode: account.mode, acceptor: account.acceptor,
            settings: account.settings.filter { settings.contains($0.key) },
            secrets: account.secrets.filter { secrets.contains($0.key) })
    }

    /// First the link, then what the other end finds of the account.
    public func check(_ account: OpenedAcquirerAccount) async -> [ConnectorFinding] {
        let capabilities: AcquirerCapabilities
        do throws(ConnectorError) {
            capabilities = try self.open(account).capabilities
        } catch {
            return [ConnectorFinding("settings", isGood: false, "\(error)")]
        }
        if let failure = await self.client.connect() { return [failure.finding] }
        let link =
            self.client.state == .signedOff
            ? LinkFailure.signedOff.finding
            : ConnectorFinding("link", isGood: true, "The acquirer's process answers, and knows the link's secret.")
        return switch await self.client.check(self.forTheFarEnd(account), capabilities) {
        case .success(let findings): [link] + findings
        case .failure(let failure): [failure.finding]
        }
    }

    /// Those of the link, and the other end's connector's own.
    public var commands: [ConnectorCommand] {
        LinkServerCommand.allCases.map(\.command) + self.described.commands
    }

    public func perform(_ command: ConnectorCommand, for account: OpenedAcquirerAccount) async -> ConnectorFinding {
        let begun = self.now()
        let result: Result<ConnectorFinding, LinkFailure>
        do throws(ConnectorError) {
            let capabilities = try self.open(account).capabilities
            result = await self.client.command(command.name, self.forTheFarEnd(account), capabilities)
        } catch {
            return ConnectorFinding(command.name, isGood: false, "\(error)")
        }
        switch result {
        case .failure(let failure): return failure.finding
        case .success(let finding) where command.name == LinkServerCommand.echo.rawValue:
            let milliseconds = self.now().milliseconds(after: begun)
            return ConnectorFinding(
                finding.subject, isGood: finding.isGood, "\(finding.text) Answered in \(milliseconds) ms.")
        case .success(let finding): return finding
        }
    }

    public func read(_ call: NoticeCall, for account: OpenedAcquirerAccount) -> NoticeReading? {
        self.described.read(call, for: account)
    }

    /// Keeps the connection, also while nothing is called: what the acquirer reports by itself comes over it.
    public func run(_ reports: AcquirerReports) async {
        self.client.take(reports)
        while !Task.isCancelled {
            self.client.beginToConnect()
            guard (try? await self.sleep(Self.pauseMilliseconds)) != nil else { break }
        }
        self.client.take(nil)
    }
}
