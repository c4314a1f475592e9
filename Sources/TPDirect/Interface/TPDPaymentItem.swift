//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The published interface has these types without a question mark; apps written for it compile against no other.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Foundation
public import PassKit

/// A line of the cart. An amount below zero is a discount.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class TPDPaymentItem: NSObject {
    public var itemName: String!
    public var amount: NSDecimalNumber!
    /// A hidden item counts in the total and is not shown.
    public var isVisible: Bool
    /// Whether the amount is known; a pending item's is shown as three dots and counts nothing.
    public var type: PKPaymentSummaryItemType

    /// - Parameter amount: in the currency's unit, e.g. 100.00.
    public convenience init(itemName: String!, withAmount amount: NSDecimalNumber!) {
        self.init(itemName: itemName, withAmount: amount, withIsVisible: true)
    }

    public convenience init(itemName: String!, withAmount amount: NSDecimalNumber!, withIsVisible isVisible: Bool) {
        self.init(itemName: itemName, amount: amount, isVisible: isVisible, type: .final)
    }

    private init(itemName: String!, amount: NSDecimalNumber!, isVisible: Bool, type: PKPaymentSummaryItemType) {
        self.itemName = itemName
        self.amount = amount
        self.isVisible = isVisible
        self.type = type
        super.init()
    }

    /// An item whose price is not known yet, such as one that depends on the way travelled.
    public static func pendingPaymentItem(withItemName itemName: String!) -> TPDPaymentItem {
        TPDPaymentItem(itemName: itemName, amount: NSDecimalNumber.zero, isVisible: true, type: .pending)
    }
}
