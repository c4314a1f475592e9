//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What must hold on one payment when a thousand calls come at once, on two nodes, over any store.
public enum ConcurrencyLaw: String, Hashable, Sendable, CaseIterable {
    /// As many partial captures succeed as fit into the authorization, and not one more.
    case capturesNeverExceedTheAuthorization
    /// As many partial refunds succeed as fit into what is captured, and not one more.
    case refundsNeverExceedTheCapture
    /// The same when half of them are an operator's; and each of those that succeed, and no other, stands in the audit log.
    case operatorsRefundsNeverExceedTheCapture
    /// Of all voids one succeeds.
    case voidsTakeBackOnce
    /// Of captures and voids either some captures succeed or one void.
    case capturesAndVoidsExcludeEachOther
    /// Captures, refunds, voids of captures and adjustments all together.
    case everythingAtOnceKeepsTheLimits
    /// The same call again and again is one operation, one booking and one answer.
    case repeatsBookOnce
    /// One cryptogram, many payments: one is made.
    case cryptogramsPayOnce
    /// First payments of one agreement, some of which are declined: none is refused, and one that has succeeded is the one
    /// that later payments name.
    case agreementsAreNamed
}

/// A law that does not hold.
public struct ConcurrencyFailure: Error, CustomStringConvertible {
    public let law: ConcurrencyLaw
    public let problems: [String]

    public var description: String { "\(self.law.rawValue): \(self.problems.joined(separator: "; "))" }
}
