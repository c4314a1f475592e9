//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What an examination has found out about one thing.
public struct Finding: Hashable, Sendable {
    public enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
        /// As it should be.
        case good
        /// Nothing is wrong yet; something will have to be done.
        case notice
        /// Payments work, and something that they or their merchants need does not, or is about to end.
        case warning
        /// Payments are refused or get stuck.
        case failure

        public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

        /// From 0 for what is as it should be to 3 for a failure: what metrics say.
        public var rank: Int {
            switch self {
            case .good: 0
            case .notice: 1
            case .warning: 2
            case .failure: 3
            }
        }
    }

    /// What was looked at.
    public enum Area: String, Hashable, Sendable, CaseIterable {
        case configuration
        case directory
        case disk
        case clock
        case store
        case audit
        case merchant
        case certificate
        case domain
        case apple
        case acquirer
        case route
        case webhooks
        case operations
    }

    public let area: Area
    /// A stable name of what was found: "certificate_ends".
    public let code: String
    public let severity: Severity
    /// Whose, by name; `nil` for what belongs to the gateway.
    public let merchant: String?
    /// Which one: a certificate's key, a domain, an account's name.
    public let subject: String?
    /// What was found. Never a secret.
    public let text: String
    /// Why it matters.
    public let reason: String
    /// What to do about it; `nil` where there is nothing to do.
    public let advice: String?
    /// The command that does it, without the program's name and the data directory: ["route", "list", …].
    public let command: [String]?
    /// The threshold that was crossed, where there are several: for what ends, the days of ``EndStep``.
    public let step: Int?

    public init(
        _ area: Area, _ code: String, _ severity: Severity, merchant: String? = nil, subject: String? = nil,
        _ text: String, because reason: String, advice: String? = nil, command: [String]? = nil,
        step: Int? = nil
    ) {
        self.area = area
        self.code = code
        self.severity = severity
        self.merchant = merchant
        self.subject = subject
        self.text = text
        self.reason = reason
        self.advice = advice
        self.command = command
        self.step = step
    }
}

extension Finding {
    /// The worst of some findings.
    public static func worst(of findings: [Finding]) -> Severity { findings.map(\.severity).max() ?? .good }
}

/// How close the end of a certificate is: Apple's run for 25 months, and a new one takes a person at Apple's
/// developer portal. What a program renews runs for days, and the steps fit its life. Doctor, alarms and metrics all go
/// by these.
public struct EndStep: Hashable, Sendable {
    /// Days before the end from which on it counts, part of a day as a whole one; 0 once it is over.
    public let days: Int
    public let severity: Finding.Severity

    /// The closest first, for a certificate of ``fullLifeDays`` or more.
    private static let all: [(days: Int64, severity: Finding.Severity)] = [
        (0, .failure), (1, .failure), (7, .failure), (14, .failure), (30, .warning), (60, .notice),
    ]

    /// What runs for less has nearer steps, in proportion. So a warning comes when a quarter of the life is left, and
    /// thirty days before the end at most: a program renews when a third is left (RFC 9773 has the authority say when), and
    /// what it has done in time is nothing to warn of.
    private static let fullLifeDays: Int64 = 120

    /// - Parameters:
    ///   - secondsLeft: until the end; negative after that.
    ///   - lifeSeconds: of the certificate, from its beginning to its end.
    /// - Returns: `nil` while the end is far.
    public init?(secondsLeft: Int64, lifeSeconds: Int64 = .max) {
        let fullSeconds = Self.fullLifeDays * 86_400
        let life = min(max(0, lifeSeconds), fullSeconds)
        for (days, severity) in Self.all {
            let bound = days * 86_400 * life / fullSeconds
            guard days == 0 ? secondsLeft <= 0 : secondsLeft < bound else { continue }
            // What a program renews is none to speak of before it has had its turn.
            guard severity != .notice || life == fullSeconds else { return nil }
            self.days = Int((bound + 86_399) / 86_400)
            self.severity = severity
            return
        }
        return nil
    }
}
