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

        private var rank: Int {
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
/// developer portal.
public struct EndStep: Hashable, Sendable {
    /// Days before the end from which on it counts; 0 once it is over.
    public let days: Int
    public let severity: Finding.Severity

    /// The closest first.
    private static let all = [
        EndStep(days: 0, severity: .failure), EndStep(days: 1, severity: .failure),
        EndStep(days: 7, severity: .failure),
        EndStep(days: 14, severity: .failure), EndStep(days: 30, severity: .warning),
        EndStep(days: 60, severity: .notice),
    ]

    private init(days: Int, severity: Finding.Severity) {
        self.days = days
        self.severity = severity
    }

    /// - Parameters:
    ///   - secondsLeft: until the end; negative after that.
    ///   - daysMax: the step that is spoken of first. What a program renews a month before its end is none to speak of
    ///     two months before.
    /// - Returns: `nil` while the end is far.
    public init?(secondsLeft: Int64, daysMax: Int = 60) {
        let step = Self.all.first { step in
            step.days == 0 ? secondsLeft <= 0 : secondsLeft < Int64(step.days) * 86_400
        }
        guard let step, step.days <= daysMax else { return nil }
        self = step
    }
}
