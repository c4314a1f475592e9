//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import PassKit

/// The optional calls, which on Apple's systems ask first whether the method is there.
@MainActor struct DelegateCalls {
    let delegate: any TPDApplePayDelegate
    let applePay: TPDApplePay

    #if canImport(ObjectiveC)
    func received(_ prime: Prime) {
        let cardInfo = TPDCardInfo(prime.card)
        let reference: [AnyHashable: Any] = prime.merchantReferenceInfo
        let isTaken: Void? =
            self.delegate.tpdApplePay?(
                self.applePay, didReceivePrime: prime.prime, withExpiryMillis: prime.expiryMillis,
                withCardInfo: cardInfo, withMerchantReferenceInfo: reference)
            ?? self.delegate.tpdApplePay?(
                self.applePay, didReceivePrime: prime.prime, withExpiryMillis: prime.expiryMillis, with: cardInfo,
                withMerchantReferenceInfo: reference)
        // Nobody will pay with it: the customer sees a failure, and not a sheet that waits for its end.
        if isTaken == nil { self.applePay.showPaymentResult(false) }
    }

    func started() { self.delegate.tpdApplePayDidStartPayment?(self.applePay) }

    func cancelled() { self.delegate.tpdApplePayDidCancelPayment?(self.applePay) }

    func finished() { self.delegate.tpdApplePayDidFinishPayment?(self.applePay) }

    func selected(_ method: PKPaymentMethod, cart: TPDCart) -> TPDCart {
        // Without the type the compiler would unwrap what the delegate returns, and an app that returns nil would crash.
        let selected: TPDCart? = self.delegate.tpdApplePay?(self.applePay, didSelect: method, cart: cart)
        return selected ?? cart
    }

    func selected(_ method: PKShippingMethod) { self.delegate.tpdApplePay?(self.applePay, didSelect: method) }

    func canAuthorize(_ contact: PKContact) -> Bool {
        self.delegate.tpdApplePay?(self.applePay, canAuthorizePaymentWithShippingContact: contact) ?? true
    }
    #else
    func received(_ prime: Prime) {
        self.delegate.tpdApplePay(
            self.applePay, didReceivePrime: prime.prime, withExpiryMillis: prime.expiryMillis,
            withCardInfo: TPDCardInfo(prime.card), withMerchantReferenceInfo: prime.merchantReferenceInfo)
    }

    func started() { self.delegate.tpdApplePayDidStartPayment(self.applePay) }

    func cancelled() { self.delegate.tpdApplePayDidCancelPayment(self.applePay) }

    func finished() { self.delegate.tpdApplePayDidFinishPayment(self.applePay) }

    func selected(_ method: PKPaymentMethod, cart: TPDCart) -> TPDCart {
        self.delegate.tpdApplePay(self.applePay, didSelect: method, cart: cart) ?? cart
    }

    func selected(_ method: PKShippingMethod) { self.delegate.tpdApplePay(self.applePay, didSelect: method) }

    func canAuthorize(_ contact: PKContact) -> Bool {
        self.delegate.tpdApplePay(self.applePay, canAuthorizePaymentWithShippingContact: contact)
    }
    #endif
}
