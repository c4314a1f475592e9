//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(ObjectiveC)
public import Foundation
public import PassKit

// Objective-C's names, where they are not what Swift would make of its own. Compiled on a Mac alone.

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

extension TPDApplePay {
    @objc(setupWthMerchant:withConsumer:withCart:withDelegate:)
    @available(swift, obsoleted: 5)
    public static func objectiveCSetup(
        merchant: TPDMerchant?, consumer: TPDConsumer?, cart: TPDCart?, delegate: (any TPDApplePayDelegate)?
    ) -> TPDApplePay {
        self.setupWthMerchant(merchant, with: consumer, with: cart, withDelegate: delegate)
    }

    @objc(canMakePaymentsUsingNetworks:)
    @available(swift, obsoleted: 5)
    public static func objectiveCCanMakePayments(networks: [PKPaymentNetwork]) -> Bool {
        self.canMakePayments(usingNetworks: networks)
    }
}
#endif
