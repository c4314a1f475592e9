//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments

/// Which alarms a look at something may begin and end: those of a kind, and of one node where the thing is a node's
/// own.
public struct AlarmScope: Hashable, Sendable {
    public let kind: Alarm.Kind
    /// The node that has looked at what is its own: its disk, its clock. `nil` for what all nodes see alike.
    public let node: String?

    public init(_ kind: Alarm.Kind, node: String? = nil) {
        self.kind = kind
        self.node = node
    }

    /// Whether an alarm that nobody has found any more has ended.
    func holds(_ alarm: Alarm) -> Bool {
        guard alarm.kind == self.kind else { return false }
        return self.node.map { alarm.subject == $0 || alarm.subject.hasPrefix($0 + "/") } ?? true
    }
}

/// What a look has found that is an alarm.
public struct AlarmFinding: Hashable, Sendable {
    public let kind: Alarm.Kind
    /// Unique among the findings of a kind.
    public let subject: String
    public let finding: Finding
    /// The node that has found it for itself; `nil` for what all nodes see alike.
    public let node: String?

    /// - Parameters:
    ///   - subject: `nil` for the finding's own, with its merchant.
    ///   - node: whose it is, where it is a node's own.
    /// - Returns: `nil` for what is as it should be.
    public init?(_ kind: Alarm.Kind, _ finding: Finding, subject: String? = nil, node: String? = nil) {
        guard finding.severity != .good else { return nil }
        self.kind = kind
        self.node = node
        var named = subject ?? finding.subject.map { own in finding.merchant.map { "\($0)/\(own)" } ?? own }
        // That a domain's certificate ends is no part of what is wrong with its file: each begins and ends by itself.
        if kind == .domain, finding.step != nil { named = named.map { "\($0)/certificate" } }
        self.subject =
            switch (node, named) {
            case (let node?, let named?): "\(node)/\(named)"
            case (let node?, nil): node
            case (nil, let named?): named
            case (nil, nil): finding.area.rawValue
            }
        self.finding = finding
    }
}

extension Alarm.Severity {
    init?(_ severity: Finding.Severity) {
        switch severity {
        case .good: return nil
        case .notice: self = .notice
        case .warning: self = .warning
        case .failure: self = .failure
        }
    }

    fileprivate var rank: Int {
        switch self {
        case .notice: 0
        case .warning: 1
        case .failure: 2
        }
    }
}

extension Alarm {
    /// Whether what is found now is worse than what the alarm said: closer to the end, or more severe.
    func isWorse(_ severity: Alarm.Severity, step: Int?) -> Bool {
        if severity.rank != self.severity.rank { return severity.rank > self.severity.rank }
        guard let step, let own = self.step else { return false }
        return step < own
    }
}
