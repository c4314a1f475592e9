//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

public enum AlarmTag: IdentifierTag { public static let prefix = "alm_" }

public typealias AlarmID = Identifier<AlarmTag>

/// Something that an operator has to know of without asking: it begins once and ends once, however many nodes look
/// and however often they start.
public struct Alarm: Hashable, Sendable, Identifiable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// An Apple certificate of a merchant's ends soon or has ended.
        case certificate
        /// A listener's own certificate ends soon, has ended or cannot be read.
        case serverCertificate = "server_certificate"
        /// A domain's certificate ends soon, or Apple could not read its file there.
        case domain
        /// Tokens come that are sealed for a key that is not the merchant's.
        case wrongKey = "wrong_key"
        /// The end of an operation is not known for more than a minute.
        case unknownOutcome = "unknown_outcome"
        /// An acquirer, or an account with it, fails.
        case acquirer
        /// The link to an acquirer in another process is down.
        case acquirerLink = "acquirer_link"
        /// Events were given up.
        case deadWebhooks = "dead_webhooks"
        /// The books do not add up.
        case ledger
        /// The audit log is not as it was written.
        case audit
        /// The disk is nearly full.
        case disk
        /// The clock is wrong, or has jumped.
        case clock
        /// Work is due and nobody does it.
        case work
    }

    public enum Severity: String, Hashable, Sendable, CaseIterable {
        case notice
        case warning
        case failure
    }

    /// What the operator's webhook reports.
    public enum Message: String, Hashable, Sendable, CaseIterable {
        case begun
        case ended
    }

    public let id: AlarmID
    public let kind: Kind
    /// Which one, unique among the standing alarms of a kind: a certificate's key, a domain, an account.
    public let subject: String
    /// The name of the merchant whose it is; `nil` for what belongs to the gateway.
    /// Of a domain that several have, all of them: "pears, plums".
    public let merchant: String?
    public var severity: Severity
    /// The stable name of what was found: "certificate_ends".
    public var code: String
    /// The threshold that was crossed, where there are several: days for certificates. Less is worse.
    public var step: Int?
    /// What was found. Never a secret.
    public var text: String
    /// What to do about it; empty where there is nothing to do.
    public var advice: String
    public let begunAt: Timestamp
    /// Of what one node sees for itself: when that node was last known to be there, to some minutes, by the store's
    /// clock where it has one. `nil` for what all nodes see alike.
    public var seenAt: Timestamp?
    /// `nil` while it stands.
    public var endedAt: Timestamp?
    /// Whether it ended because a worse one took its place; then its end is not reported.
    public var isSuperseded: Bool
    /// The message that the operator has not taken yet; `nil` when there is none.
    public var pendingMessage: Message?
    /// When that is tried next. While a node is sending it, when its lease ends.
    public var dueAt: Timestamp?
    /// How often it was tried; once it is taken, how often the last one was.
    public var attemptsCount: Int

    public init(
        id: AlarmID, kind: Kind, subject: String, merchant: String?, severity: Severity, code: String, step: Int? = nil,
        text: String, advice: String = "", begunAt: Timestamp, seenAt: Timestamp? = nil, endedAt: Timestamp? = nil,
        isSuperseded: Bool = false, pendingMessage: Message? = nil, dueAt: Timestamp? = nil, attemptsCount: Int = 0
    ) {
        self.id = id
        self.kind = kind
        self.subject = subject
        self.merchant = merchant
        self.severity = severity
        self.code = code
        self.step = step
        self.text = text
        self.advice = advice
        self.begunAt = begunAt
        self.seenAt = seenAt
        self.endedAt = endedAt
        self.isSuperseded = isSuperseded
        self.pendingMessage = pendingMessage
        self.dueAt = dueAt
        self.attemptsCount = attemptsCount
    }

    /// The names of the merchants whose it is.
    public var merchants: [String] {
        self.merchant?.split(separator: ",").map { String($0.drop { $0 == " " }) } ?? []
    }
}
