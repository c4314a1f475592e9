//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// What a cart holds, and the rules that make a payment sheet of it: a value, without PassKit and without a clock.
struct CartContents: Hashable, Sendable {
    struct Item: Hashable, Sendable {
        var name: String
        /// `nil` while it is pending; not a number if the app gave none.
        var amount: Decimal?
        var isVisible = true
    }

    /// What the sheet shows.
    struct Plan: Hashable, Sendable {
        /// The visible lines, without the total.
        var lines: [Item]
        /// What is authorized.
        var total: Decimal
        /// Whether "amount pending" stands in the total's place.
        var isTotalPending: Bool
        /// Whether the prime is to be one of 30 days instead of 90 seconds.
        var isDeferred: Bool
    }

    var items: [Item]
    var isAmountPending = false
    /// `nil` if the app never said.
    var isShowTotalAmount: Bool?
    var shipping: Item?

    /// `nil` if nothing has an amount.
    var sum: Decimal? {
        let amounts = self.items.compactMap(\.amount)
        guard !amounts.isEmpty else { return nil }
        return (amounts + [self.shipping?.amount ?? 0]).reduce(0, +)
    }

    /// - Parameter systemMajorVersion: iOS's, e.g. 12.
    func plan(systemMajorVersion: Int) throws(TPDFailure) -> Plan {
        let isTotalPending = try self.isTotalPending()
        let sum = self.sum
        let total = sum ?? 0
        guard !total.isNaN else { throw TPDFailure(.lostParameter) }
        // A total that is shown must be above zero; one that is pending may be zero, of an empty cart not even that.
        guard total > 0 || (isTotalPending && total == 0 && !self.items.isEmpty) else {
            throw TPDFailure(.itemAmountZero)
        }
        return Plan(
            lines: (self.items + [self.shipping].compactMap(\.self).filter { $0.amount != 0 }).filter(\.isVisible),
            total: Self.needsOne(sum, isTotalPending: isTotalPending, systemMajorVersion) ? 1 : total,
            isTotalPending: isTotalPending, isDeferred: self.isAmountPending)
    }

    /// Up to iOS 12 a sheet's total must be above zero even while it is pending. The total is 1 there if all items are
    /// pending, or if their sum is 0.
    private static func needsOne(_ sum: Decimal?, isTotalPending: Bool, _ systemMajorVersion: Int) -> Bool {
        isTotalPending && systemMajorVersion <= 12 && (sum == nil || sum == 0)
    }

    /// The three tables of deferred payments, for carts whose items all have amounts, are all pending, or are mixed.
    private func isTotalPending() throws(TPDFailure) -> Bool {
        let hasPending = self.items.contains { $0.amount == nil }
        let hasAmounts = self.items.contains { $0.amount != nil }
        switch (self.isAmountPending, self.isShowTotalAmount) {
        case (true, true?):
            // With nothing but pending items there is no total to show.
            if hasPending && !hasAmounts { throw TPDFailure(.totalOfPendingItems) }
            return false
        case (true, _):
            return true
        case (false, true?):
            if hasPending { throw TPDFailure(.pendingItemNeedsPendingAmount) }
            return false
        case (false, false?):
            throw TPDFailure(.amountAndTotalBothHidden)
        case (false, nil):
            // The tables begin where the app has said how to show the total. Without that the cart is an ordinary one.
            if hasPending { throw TPDFailure(.pendingItemInOrdinaryCart) }
            return false
        }
    }
}
