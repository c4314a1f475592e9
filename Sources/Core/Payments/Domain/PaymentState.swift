//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money

/// Where a payment stands, in one word. Closed: a dialect maps each.
public enum PaymentState: String, Hashable, Sendable, CaseIterable {
    /// The acquirer has been asked and has not answered, or not decided.
    case authorizing
    /// The acquirer's answer was lost or said nothing; recovery is at work.
    case authorizationUnknown
    /// Also of an authorization or a sale that the acquirer had approved, and that came to nothing.
    case declined
    /// The acquirer has not done anything with it, and never will.
    case notProcessed
    /// The authorization's outcome could not be known, or was not what was asked for, and has been taken back.
    case reversed
    case authorized
    /// The card has been verified; there is nothing to capture.
    case verified
    case voided
    /// Some of the authorization is captured, and nothing is refunded.
    case partiallyCaptured
    /// All of the authorization, or as much as a final capture took, is captured, and nothing is refunded.
    case captured
    case partiallyRefunded
    case refunded

    /// Whether what the payment began with came to nothing, and it is known: nothing is held on the card. A capture that was
    /// under way when an authorization failed late may have taken money all the same.
    public var cameToNothing: Bool {
        switch self {
        case .declined, .notProcessed, .reversed: true
        case .authorizing, .authorizationUnknown, .authorized, .verified, .voided, .partiallyCaptured, .captured,
            .partiallyRefunded, .refunded:
            false
        }
    }
}

extension Payment {
    /// The state, from the operations alone. Pending captures, voids and refunds do not change it until they succeed.
    public var state: PaymentState {
        guard let opening = self.opening else { return .authorizing }
        switch opening.state {
        case .pending, .accepted: return .authorizing
        case .unknown: return .authorizationUnknown
        case .failed(.declined): return .declined
        case .failed(.reversed): return .reversed
        case .failed(.notProcessed): return .notProcessed
        case .succeeded where opening.kind == .verification: return .verified
        case .succeeded: break
        }
        if self.authorizationHasFailedLate { return .declined }
        if self.isVoided { return .voided }
        let captured = self.capturedAmount
        let refunded = self.refundedAmount
        guard captured.isPositive else { return .authorized }
        if refunded == captured { return .refunded }
        if refunded.isPositive { return .partiallyRefunded }
        return self.heldAmount.isPositive ? .partiallyCaptured : .captured
    }
}
