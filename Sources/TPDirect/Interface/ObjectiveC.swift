//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(ObjectiveC)
public import Foundation

// Objective-C's names, where they are not what Swift makes of its own: `canMakePayments(usingNetworks:)` has the
// selector `canMakePaymentsUsingNetworks:` already. Compiled on Apple's systems alone; script/typecheck-apple checks it.

extension TPDSetup {
    @objc(setWithAppId:withAppKey:withServerType:)
    @available(swift, obsoleted: 5)
    @discardableResult
    public static func objectiveCSet(
        appId: Int32, appKey: String, serverType: TPDServerType
    ) -> TPDSetup {
        self.setWithAppId(appId, withAppKey: appKey, with: serverType)
    }
}

extension TPDPaymentItem {
    @objc(paymentItemWithItemName:withAmount:)
    @available(swift, obsoleted: 5)
    public static func objectiveCItem(name: String, amount: NSDecimalNumber) -> TPDPaymentItem {
        TPDPaymentItem(itemName: name, withAmount: amount)
    }

    @objc(paymentItemWithItemName:withAmount:withIsVisible:)
    @available(swift, obsoleted: 5)
    public static func objectiveCItem(name: String, amount: NSDecimalNumber, isVisible: Bool) -> TPDPaymentItem {
        TPDPaymentItem(itemName: name, withAmount: amount, withIsVisible: isVisible)
    }
}

extension TPDCart {
    @objc(addPaymentItem:)
    @available(swift, obsoleted: 5)
    public func objectiveCAdd(_ paymentItem: TPDPaymentItem) { self.add(paymentItem) }

    @objc(addPaymentItems:)
    @available(swift, obsoleted: 5)
    public func objectiveCAdd(_ paymentItems: [TPDPaymentItem]) { self.add(paymentItems) }

    @objc(removePaymentItem:)
    @available(swift, obsoleted: 5)
    public func objectiveCRemove(_ paymentItem: TPDPaymentItem) { self.remove(paymentItem) }

    @objc(updateCart:withIndex:)
    @available(swift, obsoleted: 5)
    public func objectiveCUpdate(_ paymentItem: TPDPaymentItem, index: Int) {
        self.updateCart(paymentItem, with: index)
    }
}

extension TPDCart {
    /// As the documentation's sample spells it.
    @objc(isShowTotalamount)
    @available(swift, obsoleted: 5)
    public var objectiveCIsShowTotalAmount: Bool {
        get { self.isShowTotalAmount }
        @objc(setIsShowTotalamount:) set { self.isShowTotalAmount = newValue }
    }
}

extension TPDApplePay {
    @objc(setupWthMerchant:withConsumer:withCart:withDelegate:)
    @available(swift, obsoleted: 5)
    public static func objectiveCSetup(
        merchant: TPDMerchant?, consumer: TPDConsumer?, cart: TPDCart?, delegate: (any TPDApplePayDelegate)?
    ) -> TPDApplePay {
        self.setupWthMerchant(merchant, with: consumer, with: cart, withDelegate: delegate)
    }
}
#endif
