//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import TestRandom

/// Which kind of upstream the simulated acquirer is like, for all merchants of an epoch: settings of its accounts.
///
/// Not among them is what ends with an operator's decision alone; a run through PAYONE or Radial has that
/// (``OperatorDesk``).
public enum ChaosBehavior: String, CaseIterable, Sendable {
    /// It answers queries, and remembers the reversal of what has not arrived.
    case remembering
    /// It answers no queries.
    case silent
    /// It remembers no reversals: what it has not heard of never was when its quiet time is over.
    case forgetful
    /// The same, and a fresh operation is not found for some seconds.
    case slowIndex
    /// It accepts everything, and decides later.
    case deferring
    /// It knows operations by names that it gives away before.
    case naming
    /// It refuses repeats without a word about the first.
    case refusingRepeats
    /// It answers no queries, accepts everything, and reports by itself how it ended. What it never hears of a ``BookDesk``
    /// decides.
    case reporting

    /// Longer than a message can be on its way: the gateways' deadline, a process that is stopped, held connections.
    private static let quietSeconds = 25

    /// As `pomona acquirer settings` takes them.
    var settings: [String] {
        switch self {
        case .remembering: []
        case .silent: ["recovery=reversal"]
        case .forgetful: ["recovery=query", "quietSeconds=\(Self.quietSeconds)"]
        case .slowIndex: ["recovery=query", "quietSeconds=\(Self.quietSeconds)", "findsAfterSeconds=4"]
        case .deferring: ["acceptsForSeconds=3"]
        case .naming: ["namesOperations=true"]
        case .refusingRepeats: ["refusesRepeats=true"]
        case .reporting: ["recovery=reports", "acceptsForSeconds=3"]
        }
    }

    /// By a word of the command line: a name, `all` for each in turn, `mixed` for an order that the seed draws.
    public static func named(_ word: String, seed: UInt64) -> [ChaosBehavior]? {
        switch word {
        case "all": return self.allCases
        case "mixed":
            var random = SeededRandom(seed: seed)
            return self.allCases.shuffled(using: &random)
        default: return ChaosBehavior(rawValue: word).map { [$0] }
        }
    }
}
