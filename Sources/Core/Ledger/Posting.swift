//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money

/// An account of the ledger, by its path: "merchant/mer_…/payable", "acquirer/simulator/receivable".
public struct LedgerAccount: Hashable, Sendable, CustomStringConvertible {
    public let path: String

    public init(path: String) {
        self.path = path
    }

    public var description: String { self.path }
}

/// Whether a posting moves money or holds it.
///
/// An authorization is a pending entry; a capture takes its part out of the pending layer and books it in the posted
/// one; a void takes the rest out. So a hold is never a balance, and both layers sum to zero on their own.
public enum LedgerLayer: String, Hashable, Sendable, CaseIterable {
    case pending
    case posted
}

public enum LedgerSide: String, Hashable, Sendable, CaseIterable {
    case debit
    case credit
}

/// One line of a journal entry. Immutable; its amount is positive, its direction is the side.
public struct Posting: Hashable, Sendable {
    public let account: LedgerAccount
    public let layer: LedgerLayer
    public let side: LedgerSide
    public let amount: Money

    public init(account: LedgerAccount, layer: LedgerLayer, side: LedgerSide, amount: Money) {
        self.account = account
        self.layer = layer
        self.side = side
        self.amount = amount
    }
}
