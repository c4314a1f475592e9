//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money

/// How an acquirer call ended.
public enum AcquirerOutcome: Hashable, Sendable {
    case approved(AcquirerApproval)
    case declined(AcquirerDecline)
    /// The acquirer has it, and reports later how it ended. It is never taken back for being slow.
    case accepted(AcquirerAcceptance)
    /// Nothing was done, and nothing will be: nobody's decline.
    case notProcessed(NotProcessed)
    /// Nobody knows.
    case unknown(UnknownOutcome)
}

/// An outcome that nobody knows.
public struct UnknownOutcome: Hashable, Sendable {
    public let reason: UnknownReason
    /// A word for the log: "connection_lost". Nothing is decided by it.
    public let word: String
    /// What is known all the same, for the query that follows.
    public var memo = AcquirerMemo()

    public init(_ reason: UnknownReason, _ word: String) {
        self.reason = reason
        self.word = word
    }

    /// The answer did not come in time.
    public static func timedOut(_ word: String = "timed_out") -> UnknownOutcome { UnknownOutcome(.timedOut, word) }

    /// The connection broke, or the answer said nothing that could be understood.
    public static func unclear(_ word: String) -> UnknownOutcome { UnknownOutcome(.unclear, word) }
}

extension AcquirerOutcome {
    public static func timedOut(_ word: String = "timed_out") -> AcquirerOutcome { .unknown(.timedOut(word)) }

    public static func unclear(_ word: String) -> AcquirerOutcome { .unknown(.unclear(word)) }
}

/// Why an acquirer has done nothing.
public struct NotProcessed: Hashable, Sendable {
    public let reason: NotProcessedReason
    /// A word for the log: "connect_timeout", "http_401". Nothing is decided by it.
    public let word: String

    public init(_ reason: NotProcessedReason, _ word: String) {
        self.reason = reason
        self.word = word
    }
}

public struct AcquirerApproval: Hashable, Sendable {
    /// What was approved; less than was asked for in a partial approval.
    public let amount: Money
    @Boxed public private(set) var answer: AcquirerAnswer
    public let memo: AcquirerMemo

    public init(amount: Money, answer: AcquirerAnswer, memo: AcquirerMemo = AcquirerMemo()) {
        self.amount = amount
        self.answer = answer
        self.memo = memo
    }
}

public struct AcquirerDecline: Hashable, Sendable {
    public let reason: DeclineReason
    @Boxed public private(set) var answer: AcquirerAnswer
    public let memo: AcquirerMemo
    /// Whether the connector has declined it itself: it has not sent the request, not earlier either, and never will. A
    /// decline of what may have been sent before says less (``AcquirerCapabilities/Recovery-swift.enum/reports(repeats:)``).
    public let wasNeverSent: Bool

    public init(
        reason: DeclineReason, answer: AcquirerAnswer, memo: AcquirerMemo = AcquirerMemo(), wasNeverSent: Bool = false
    ) {
        self.reason = reason
        self.answer = answer
        self.memo = memo
        self.wasNeverSent = wasNeverSent
    }
}

public struct AcquirerAcceptance: Hashable, Sendable {
    @Boxed public private(set) var answer: AcquirerAnswer
    public let memo: AcquirerMemo

    public init(_ answer: AcquirerAnswer = AcquirerAnswer(), memo: AcquirerMemo = AcquirerMemo()) {
        self.answer = answer
        self.memo = memo
    }
}

extension AcquirerOutcome {
    /// What the connector notes with it.
    public var memo: AcquirerMemo {
        switch self {
        case .approved(let approval): approval.memo
        case .declined(let decline): decline.memo
        case .accepted(let acceptance): acceptance.memo
        case .notProcessed: AcquirerMemo()
        case .unknown(let unknown): unknown.memo
        }
    }
}

/// What an acquirer says about an operation it is asked about.
public enum AcquirerQueryOutcome: Hashable, Sendable {
    case approved(AcquirerApproval)
    case declined(AcquirerDecline)
    /// The acquirer has it, and does not know yet how it ends.
    case accepted(AcquirerAcceptance)
    /// It was taken back.
    case reversed
    /// The acquirer has never heard of it. It may still be on its way, so this alone resolves nothing.
    case notFound
    case unknown(UnknownOutcome)
}
