//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import DialectKit

/// Hands a webhook that has come to this machine on to a shop's server, as a developer's tool does: the same bytes, to an
/// address of this machine, bounded in time and size as every webhook is.
public struct WebhookForwarder: Sendable {
    /// What the shop's server said.
    public struct Answer: Hashable, Sendable {
        public let status: Int
        public let contentType: String?
        /// At most 64 KiB.
        public let body: [UInt8]
    }

    /// Why there is no answer: a word like those in the outbox ("connection_failed", "target_not_loopback").
    public struct Failure: Error, Hashable, Sendable {
        public let word: String
        public var isTimeout: Bool { self.word == SendFailure.timedOut.rawValue }
    }

    private let sender: NotificationSender
    private let reach: TargetCheck.Reach

    /// - Parameters:
    ///   - allowsRemote: whether other machines may be asked, too.
    ///   - timeoutSeconds: less than the sender of the webhook waits.
    public init(allowsRemote: Bool, resolver: Resolver = .system, timeoutSeconds: Int64 = 8) {
        self.sender = NotificationSender(check: TargetCheck(resolver: resolver), timeoutSeconds: timeoutSeconds)
        self.reach = allowsRemote ? .anywhere : .loopback
    }

    /// - Parameter target: the whole address.
    public func forward(_ webhook: OutgoingNotification, to target: String) async throws(Failure) -> Answer {
        do throws(SendFailure) {
            let answer = try await self.sender.send(webhook, to: target, within: self.reach)
            return Answer(status: answer.status, contentType: answer.contentType, body: answer.body)
        } catch {
            throw Failure(word: error.rawValue)
        }
    }
}
