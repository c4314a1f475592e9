//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// An app that pays with Apple Pay through a gateway, up to the prime that its server pays by. On an iPhone PassKit is Apple's; on
// Linux it is the stand-in, and main.swift is the hand that holds the phone.

import Foundation
import PassKit
import TPDirect

@MainActor final class Checkout: NSObject, TPDApplePayDelegate {
    /// What the app prints in the end.
    private(set) var end = "nothing happened"
    private let merchant = TPDMerchant()
    private let cart = TPDCart()

    init(host: URL, appID: Int32, appKey: String, merchantIdentifier: String) throws {
        super.init()
        TPDSetup.setWithAppId(appID, withAppKey: appKey, with: .sandBox)
        try TPDSetup.setHost(host)
        self.merchant.merchantName = "A shop"
        self.merchant.applePayMerchantIdentifier = merchantIdentifier
        self.merchant.supportedNetworks = TPDMerchant.availableNetworks()
        self.cart.add(TPDPaymentItem(itemName: "A book", withAmount: NSDecimalNumber(string: "100.00")))
    }

    /// What the button does.
    func pay() {
        TPDApplePay.setupWthMerchant(self.merchant, with: TPDConsumer(), with: self.cart, withDelegate: self)
            .startPayment()
    }

    func tpdApplePay(
        _ applePay: TPDApplePay!, didReceivePrime prime: String!, withExpiryMillis expiryMillis: Int,
        withCardInfo cardInfo: TPDCardInfo, withMerchantReferenceInfo merchantReferenceInfo: [AnyHashable: Any]!
    ) {
        // Here the app hands the prime to its server, which calls pay-by-prime and says whether it was paid.
        self.end = "prime \(prime ?? "") of a card that ends with \(cardInfo.lastFour ?? "")"
        applePay?.showPaymentResult(true)
    }

    func tpdApplePay(_ applePay: TPDApplePay!, didSuccessPayment result: TPDTransactionResult!) {}

    func tpdApplePay(_ applePay: TPDApplePay!, didFailurePayment result: TPDTransactionResult!) {
        self.end = "failed: \(result.status) \(result.message ?? "")"
    }
}
