//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The published interface has these types without a question mark; apps written for it compile against no other.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Foundation
public import PassKit

#if canImport(ObjectiveC)
/// What the SDK reports to the app, on the main thread. Success and failure are required, and one of the two methods that
/// take a prime: an app that has neither sees every payment fail once it is authorized.
///
/// After `startPayment` the app hears of exactly one end: success, failure or cancellation. The one exception is
/// a prime whose result the app never shows: only the app knows how that ended.
@objc
@MainActor public protocol TPDApplePayDelegate: NSObjectProtocol {
    /// The prime, to be handed to the app's server, which pays with it; then comes `showPaymentResult`.
    ///
    /// The label of the card is the documentation's, and the selector is the published framework's.
    @objc(tpdApplePay:didReceivePrime:withExpiryMillis:withCardInfo:withMerchantReferenceInfo:)
    optional func tpdApplePay(
        _ applePay: TPDApplePay!, didReceivePrime prime: String!, withExpiryMillis expiryMillis: Int,
        withCardInfo cardInfo: TPDCardInfo, withMerchantReferenceInfo merchantReferenceInfo: [AnyHashable: Any]!)

    /// The same, with the label that Swift made of the published framework's selector. Called if the one above is
    /// absent.
    @objc(tpdApplePay:didReceivePrime:withExpiryMillis:with:withMerchantReferenceInfo:)
    optional func tpdApplePay(
        _ applePay: TPDApplePay!, didReceivePrime prime: String!, withExpiryMillis expiryMillis: Int,
        with cardInfo: TPDCardInfo, withMerchantReferenceInfo merchantReferenceInfo: [AnyHashable: Any]!)

    /// The payment has been made, and the sheet has gone.
    @objc(tpdApplePay:didSuccessPayment:)
    func tpdApplePay(_ applePay: TPDApplePay!, didSuccessPayment result: TPDTransactionResult!)

    /// The payment has not been made, or could not be begun.
    @objc(tpdApplePay:didFailurePayment:)
    func tpdApplePay(_ applePay: TPDApplePay!, didFailurePayment result: TPDTransactionResult!)

    /// The sheet is shown.
    @objc(tpdApplePayDidStartPayment:)
    optional func tpdApplePayDidStartPayment(_ applePay: TPDApplePay!)

    /// The customer chose a card: the cart may be changed now.
    @objc(tpdApplePay:didSelectPaymentMethod:cart:)
    optional func tpdApplePay(
        _ applePay: TPDApplePay!, didSelect paymentMethod: PKPaymentMethod!, cart: TPDCart!
    ) -> TPDCart!

    /// The customer chose one of the merchant's `shippingMethods`.
    @objc(tpdApplePay:didSelectShippingMethod:)
    optional func tpdApplePay(_ applePay: TPDApplePay!, didSelect shippingMethod: PKShippingMethod!)

    /// The customer authorized the payment; false refuses it, and no prime is asked for.
    @objc(tpdApplePay:canAuthorizePaymentWithShippingContact:)
    optional func tpdApplePay(
        _ applePay: TPDApplePay!, canAuthorizePaymentWithShippingContact shippingContact: PKContact!
    ) -> Bool

    /// The customer cancelled, and nothing was paid.
    @objc(tpdApplePayDidCancelPayment:)
    optional func tpdApplePayDidCancelPayment(_ applePay: TPDApplePay!)

    /// The sheet has gone. How the payment ended comes after this.
    @objc(tpdApplePayDidFinishPayment:)
    optional func tpdApplePayDidFinishPayment(_ applePay: TPDApplePay!)
}
#else
/// What the SDK reports to the app, on the main actor. Success and failure are required, and one of the two methods that
/// take a prime: an app that has neither sees every payment fail once it is authorized. The others have a body that
/// does nothing.
///
/// After `startPayment` the app hears of exactly one end: success, failure or cancellation. The one exception is
/// a prime whose result the app never shows: only the app knows how that ended.
@MainActor public protocol TPDApplePayDelegate: NSObjectProtocol {
    /// The prime, to be handed to the app's server, which pays with it; then comes `showPaymentResult`.
    ///
    /// The label of the card is the documentation's.
    func tpdApplePay(
        _ applePay: TPDApplePay!, didReceivePrime prime: String!, withExpiryMillis expiryMillis: Int,
        withCardInfo cardInfo: TPDCardInfo, withMerchantReferenceInfo merchantReferenceInfo: [AnyHashable: Any]!)

    /// The same, with the label that Swift made of the published framework's selector. Called if the one above is
    /// absent.
    func tpdApplePay(
        _ applePay: TPDApplePay!, didReceivePrime prime: String!, withExpiryMillis expiryMillis: Int,
        with cardInfo: TPDCardInfo, withMerchantReferenceInfo merchantReferenceInfo: [AnyHashable: Any]!)

    /// The payment has been made, and the sheet has gone.
    func tpdApplePay(_ applePay: TPDApplePay!, didSuccessPayment result: TPDTransactionResult!)

    /// The payment has not been made, or could not be begun.
    func tpdApplePay(_ applePay: TPDApplePay!, didFailurePayment result: TPDTransactionResult!)

    /// The sheet is shown.
    func tpdApplePayDidStartPayment(_ applePay: TPDApplePay!)

    /// The customer chose a card: the cart may be changed now.
    func tpdApplePay(
        _ applePay: TPDApplePay!, didSelect paymentMethod: PKPaymentMethod!, cart: TPDCart!
    ) -> TPDCart!

    /// The customer chose one of the merchant's `shippingMethods`.
    func tpdApplePay(_ applePay: TPDApplePay!, didSelect shippingMethod: PKShippingMethod!)

    /// The customer authorized the payment; false refuses it, and no prime is asked for.
    func tpdApplePay(
        _ applePay: TPDApplePay!, canAuthorizePaymentWithShippingContact shippingContact: PKContact!
    ) -> Bool

    /// The customer cancelled, and nothing was paid.
    func tpdApplePayDidCancelPayment(_ applePay: TPDApplePay!)

    /// The sheet has gone. How the payment ended comes after this.
    func tpdApplePayDidFinishPayment(_ applePay: TPDApplePay!)
}

extension TPDApplePayDelegate {
    public func tpdApplePay(
        _ applePay: TPDApplePay!, didReceivePrime prime: String!, withExpiryMillis expiryMillis: Int,
        withCardInfo cardInfo: TPDCardInfo, withMerchantReferenceInfo merchantReferenceInfo: [AnyHashable: Any]!
    ) {
        self.tpdApplePay(
            applePay, didReceivePrime: prime, withExpiryMillis: expiryMillis, with: cardInfo,
            withMerchantReferenceInfo: merchantReferenceInfo)
    }

    public func tpdApplePay(
        _ applePay: TPDApplePay!, didReceivePrime prime: String!, withExpiryMillis expiryMillis: Int,
        with cardInfo: TPDCardInfo, withMerchantReferenceInfo merchantReferenceInfo: [AnyHashable: Any]!
    ) {
        applePay.showPaymentResult(false)
    }

    public func tpdApplePayDidStartPayment(_ applePay: TPDApplePay!) {}

    public func tpdApplePay(
        _ applePay: TPDApplePay!, didSelect paymentMethod: PKPaymentMethod!, cart: TPDCart!
    ) -> TPDCart! { cart }

    public func tpdApplePay(_ applePay: TPDApplePay!, didSelect shippingMethod: PKShippingMethod!) {}

    public func tpdApplePay(
        _ applePay: TPDApplePay!, canAuthorizePaymentWithShippingContact shippingContact: PKContact!
    ) -> Bool { true }

    public func tpdApplePayDidCancelPayment(_ applePay: TPDApplePay!) {}

    public func tpdApplePayDidFinishPayment(_ applePay: TPDApplePay!) {}
}
#endif
