//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Payments

/// By what right somebody acts, where an act may need a second person.
public struct Authority: Sendable {
    public enum Ground: Sendable {
        /// His own: what needs a second person is refused.
        case own
        /// A second person approves by doing it.
        case approval(ApprovalDecision)
        /// Whoever administers the machine does it alone, and the log says so.
        case override(reason: String)
    }

    public var ground: Ground
    /// The most that whoever acts may refund at once, in minor units: nothing in a currency that is not named. `nil` where
    /// there is no limit.
    public var refundLimits: [Currency: Int64]?
    /// Of which merchants whoever acts may know; `nil` for all. Of others what is answered names none.
    public var merchants: Set<MerchantID>?

    public init(
        _ ground: Ground = .own, refundLimits: [Currency: Int64]? = nil, merchants: Set<MerchantID>? = nil
    ) {
        self.ground = ground
        self.refundLimits = refundLimits
        self.merchants = merchants
    }

    func sees(_ merchant: MerchantID) -> Bool { self.merchants?.contains(merchant) ?? true }

    /// Whether the own limit covers a refund.
    func covers(_ amount: Money) -> Bool {
        guard let limits = self.refundLimits else { return true }
        return limits[amount.currency].map { amount.minorUnits <= $0 } ?? false
    }

    var isApproval: Bool {
        guard case .approval = self.ground else { return false }
        return true
    }
}

/// That somebody approves what another has asked for.
public struct ApprovalDecision: Sendable {
    public let id: ApprovalID
    public let party: Approval.Party
    public let reason: String?

    public init(_ id: ApprovalID, by party: Approval.Party, reason: String? = nil) {
        self.id = id
        self.party = party
        self.reason = reason
    }
}
