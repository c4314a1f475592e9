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
    func started() { self.delegate.tpdApplePayDidStartPayment?(self.applePay) }

    func cancelled() { self.delegate.tpdApplePayDidCancelPayment?(self.applePay) }

    func finished() { self.delegate.tpdApplePayDidFinishPayment?(self.applePay) }

    func selected(_ method: PKPaymentMethod, cart: TPDCart) -> TPDCart {
        (self.delegate.tpdApplePay?(self.applePay, didSelect: method, cart: cart) ?? cart) ?? cart
    }

    func selected(_ method: PKShippingMethod) { self.delegate.tpdApplePay?(self.applePay, didSelect: method) }

    func canAuthorize(_ contact: PKContact) -> Bool {
        self.delegate.tpdApplePay?(self.applePay, canAuthorizePaymentWithShippingContact: contact) ?? true
    }
    #else
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
