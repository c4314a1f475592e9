//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit

/// Sends messages to the operator's own address, with the same care as merchants' webhooks: no redirects, bounded in
/// time and size, to public addresses unless the operator says otherwise.
public struct OperatorNotifier: Sendable {
    private let sender: NotificationSender
    private let reach: TargetCheck.Reach
    private let target: String

    /// - Parameters:
    ///   - target: the whole address.
    ///   - allowsPrivateTargets: whether it may be on this machine or in its network.
    public init(target: String, allowsPrivateTargets: Bool, resolver: Resolver = .system, timeoutSeconds: Int64 = 10) {
        self.target = target
        self.sender = NotificationSender(check: TargetCheck(resolver: resolver), timeoutSeconds: timeoutSeconds)
        self.reach = allowsPrivateTargets ? .anywhere : .publicInternet
    }

    /// - Returns: how it ended, in a word as they stand in the outbox ("http_200", "timed_out"), and whether it was
    ///   taken: by any 2xx.
    public func send(_ notification: OutgoingNotification) async -> (word: String, isTaken: Bool) {
        do throws(SendFailure) {
            let answer = try await self.sender.send(notification, to: self.target, within: self.reach)
            return ("http_\(answer.status)", (200..<300).contains(answer.status))
        } catch {
            return (error.rawValue, false)
        }
    }
}
