//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments

/// A connector whose accounts' calls all go over one HTTP client.
public protocol UpstreamConnector: Connector {
    init(_ parts: UpstreamParts)
}

/// What such a connector is made of.
public struct UpstreamParts: Sendable {
    let client: UpstreamClient
    let deadlines: UpstreamDeadlines
    let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameters:
    ///   - client: shared by all accounts; whoever made it shuts it down.
    ///   - deadlines: of accounts that say nothing else.
    ///   - now: by what clock deadlines are counted.
    public init(
        client: UpstreamClient, deadlines: UpstreamDeadlines = UpstreamDeadlines(),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.client = client
        self.deadlines = deadlines
        self.now = now
    }

    /// The calls of one account.
    public func calls(
        of account: OpenedAcquirerAccount, to address: UpstreamAddress, _ tls: UpstreamTLS
    ) -> ClientCalls {
        ClientCalls(
            client: self.client, account: account.id, address: address, tls: tls,
            deadlines: self.deadlines.with(account.settings),
            now: self.now)
    }
}

extension UpstreamConnector {
    /// As ``UpstreamParts/init(client:deadlines:now:)``.
    public init(
        client: UpstreamClient, deadlines: UpstreamDeadlines = UpstreamDeadlines(),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.init(UpstreamParts(client: client, deadlines: deadlines, now: now))
    }
}
