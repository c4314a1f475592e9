//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The published interface has these types without a question mark; apps written for it compile against no other.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Foundation
public import PassKit

/// What is paid for. The rules are ``CartContents``'s.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class TPDCart: NSObject {
    /// What the sheet calls the shipping.
    public var shippingType: PKShippingType = .shipping
    /// The way to ship that the customer chose; the merchant's first until then, and one without a name and a price
    /// if the merchant offers none.
    public var shippingMethod: PKShippingMethod! = PKShippingMethod(label: "", amount: NSDecimalNumber.zero)
    /// Whether the payment is deferred: the prime then lives for 30 days, and pay-by-prime says the amount.
    public var isAmountPending = false
    /// Whether the total is shown as an amount or as pending. Reads as false until it is set; a cart in which neither
    /// this nor ``isAmountPending`` was ever set is an ordinary one, with its total shown.
    public var isShowTotalAmount: Bool {
        get { self.saysShowTotalAmount ?? false }
        set { self.saysShowTotalAmount = newValue }
    }
    private var saysShowTotalAmount: Bool?
    private var items: [TPDPaymentItem] = []

    public override init() {
        super.init()
    }

    /// The sum of all amounts, the hidden items' and the chosen shipping's among them; `nil` as long as nothing in
    /// the cart has an amount.
    public var totalAmount: NSDecimalNumber? {
        self.contents.sum.map { NSDecimalNumber(decimal: $0) }
    }

    public func add(_ paymentItem: TPDPaymentItem) {
        self.items.append(paymentItem)
    }

    #if canImport(ObjectiveC)
    @nonobjc
    #endif
    public func add(_ paymentItems: [TPDPaymentItem]) {
        self.items += paymentItems
    }

    /// Removes that very item.
    public func remove(_ paymentItem: TPDPaymentItem) {
        self.items.removeAll { $0 === paymentItem }
    }

    /// Puts the item in the place of another. An index that the cart does not have changes nothing.
    public func updateCart(_ paymentItem: TPDPaymentItem, with index: Int) {
        guard self.items.indices.contains(index) else { return }
        self.items[index] = paymentItem
    }

    public func fetchAllPaymentItems() -> [TPDPaymentItem] { self.items }

    var contents: CartContents {
        CartContents(
            items: self.items.map { item in
                CartContents.Item(
                    name: item.itemName ?? "",
                    amount: item.type == .pending ? nil : item.amount?.decimalValue ?? .nan,
                    isVisible: item.isVisible)
            },
            isAmountPending: self.isAmountPending, isShowTotalAmount: self.saysShowTotalAmount,
            shipping: self.shippingMethod.map { method in
                CartContents.Item(name: method.label, amount: method.amount.decimalValue, isVisible: true)
            })
    }
}
