//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// The worker's numbers.
public struct WebhookSettings: Hashable, Sendable {
    /// How many notifications are under way at once.
    public var concurrencyMax: Int
    /// How long one attempt may take in all.
    public var timeoutSeconds: Int64
    /// How long the worker waits when there is nothing to send.
    public var idleMilliseconds: Int64
    /// Whether sandbox merchants may be notified at addresses that are not on the public internet. Live merchants never
    /// are.
    public var allowsPrivateTargets: Bool

    public init(
        concurrencyMax: Int = 64, timeoutSeconds: Int64 = 10, idleMilliseconds: Int64 = 500,
        allowsPrivateTargets: Bool = false
    ) {
        self.concurrencyMax = concurrencyMax
        self.timeoutSeconds = timeoutSeconds
        self.idleMilliseconds = idleMilliseconds
        self.allowsPrivateTargets = allowsPrivateTargets
    }
}
