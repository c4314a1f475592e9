//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The documentation's sample view controller for Swift ("Apple Pay in Apps"), word for word, so that what is printed
// there compiles and runs. It differs in these lines, each marked where it stands:
//
//  1. `UIViewController` and its `viewDidLoad` are NSObject and `setUp()`: there is no UIKit here.
//  2. Putting the button into the view and giving it its target (`view.addSubview`, `center`, `addTarget` with
//     `#selector`) needs UIKit and the Objective-C runtime, and so does `@objc`: left out.
//  3. The sample's `didReceivePrime` lacks the word `func`: added.
//  4. `print` writes to the test's `lines`.
//
// The sample prints optional values as they are. A compiler that is asked for strictness warns of that; the overload
// of `appendInterpolation` below says that it is meant.
//
// These are the documentation's lines, set as it sets them:
// swift-format-ignore-file

import Foundation
import PassKit

@testable import TPDirect

extension DefaultStringInterpolation {
    fileprivate mutating func appendInterpolation<Wrapped>(_ value: Wrapped?) {
        self.appendInterpolation(String(describing: value))
    }
}

@MainActor class ViewController: NSObject {  // 1
    var applePay: TPDApplePay!
    var applePayButton: PKPaymentButton!
    var merchant: TPDMerchant!
    var consumer: TPDConsumer!
    var cart: TPDCart!

    // 4
    var lines: [String] = []
    func print(_ text: String) { self.lines.append(text) }

    func setUp() {  // 1
        self.merchantSetting()
        self.consumerSetting()
        self.cartSetting()
        self.paymentButtonSetting()
    }

    func merchantSetting() {
        merchant = TPDMerchant()
        merchant.merchantName               = "TapPay!";
        merchant.merchantCapability         = .capability3DS;
        merchant.applePayMerchantIdentifier = "merchant.apple.pay";
        merchant.countryCode                = "TW";
        merchant.currencyCode               = "TWD";
        merchant.supportedNetworks          = [.amex, .masterCard, .visa, .JCB]
    }

    func consumerSetting() {
        consumer = TPDConsumer()
        consumer.requiredShippingAddressFields  = [.email, .name, .phone]
        consumer.requiredBillingAddressFields   = [.postalAddress]
    }

    func cartSetting() {
        cart = TPDCart()
        let book = TPDPaymentItem(itemName:"Book",
                                withAmount: NSDecimalNumber(string: "100.00"))
        cart.add(book)
        cart.shippingType   = .shipping;
    }

    func deferredCartSetting() {
        cart = TPDCart()
        cart.isAmountPending = true
        cart.isShowTotalAmount = false
        let initialCharge = TPDPaymentItem(itemName: "Initial Charge", withAmount:
        NSDecimalNumber(string: "100.00"))
        cart.add(initialCharge)
        let improvementSurcharge = TPDPaymentItem.pendingPaymentItem(withItemName:
        "NT$5 per miles")
        cart.add(improvementSurcharge)
    }

    func paymentButtonSetting() {
        // Check if the card can use Apple Pay.
        if (TPDApplePay.canMakePayments(usingNetworks: self.merchant.supportedNetworks))
        {
            applePayButton = PKPaymentButton.init(paymentButtonType: .buy,
            paymentButtonStyle: .black)
        } else {
            applePayButton = PKPaymentButton.init(paymentButtonType: .setUp,
            paymentButtonStyle: .black)
        }
        // 2: view.addSubview(applePayButton)
        // 2: applePayButton.center = view.center
        // 2: applePayButton.addTarget(self, action:
        // 2:     #selector(ViewController.didClickBuyButton(sender:)), for: .touchUpInside)
    }

    // 2: @objc
    func didClickBuyButton(sender:PKPaymentButton) {
        applePay = TPDApplePay.setupWthMerchant(merchant, with: consumer, with: cart,
        withDelegate: self)
        applePay.startPayment()
    }
}

extension ViewController :TPDApplePayDelegate {
  func tpdApplePayDidStartPayment(_ applePay: TPDApplePay!) {
    print("=====================================================")
    print("Apple Pay On Start")
    print("=====================================================\n\n")
  }
  func tpdApplePay(_ applePay: TPDApplePay!, didSuccessPayment result:
TPDTransactionResult!) {
    print("=====================================================")
    print("Apple Pay Did Success ==> Amount : \(result.amount.stringValue)")
    print("shippingContact.name : \(applePay.consumer.shippingContact?.name?.givenName) \( applePay.consumer.shippingContact?.name?.familyName)")
    print("shippingContact.emailAddress : \(applePay.consumer.shippingContact?.emailAddress)")
    print("shippingContact.phoneNumber : \(applePay.consumer.shippingContact?.phoneNumber?.stringValue)")
    print("Shipping Method.identifier : \(applePay.cart.shippingMethod.identifier)")
    print("Shipping Method.detail : \(applePay.cart.shippingMethod.detail)")
    print("=====================================================\n\n")
  }
  func tpdApplePay(_ applePay: TPDApplePay!, didFailurePayment result:
TPDTransactionResult!) {
    print("=====================================================")
    print("Apple Pay Did Failure ==> Message : \(result.message), ErrorCode : \(result.status)")
    print("=====================================================\n\n")
  }
  func tpdApplePayDidCancelPayment(_ applePay: TPDApplePay!) {
    print("=====================================================")
    print("Apple Pay Did Cancel")
    print("=====================================================\n\n")
  }
  func tpdApplePayDidFinishPayment(_ applePay: TPDApplePay!) {
    print("=====================================================")
    print("Apple Pay Did Finish")
    print("=====================================================\n\n")
  }
  func tpdApplePay(_ applePay: TPDApplePay!, didSelect shippingMethod:
PKShippingMethod!) {
    print("=====================================================")
    print("======> didSelectShippingMethod: ")
    print("Shipping Method.identifier : \(shippingMethod.identifier)")
    print("Shipping Method.detail : \(shippingMethod.detail)")
    print("=====================================================\n\n")
  }
  func tpdApplePay(_ applePay: TPDApplePay!, didSelect paymentMethod:
PKPaymentMethod!, cart: TPDCart!) -> TPDCart! {
    print("=====================================================");
    print("======> didSelectPaymentMethod: ");
     print("=====================================================\n\n");
    if paymentMethod.type == .debit {
      self.cart.add(TPDPaymentItem(itemName: "Discount", withAmount:
NSDecimalNumber(string: "-1.00")))
    }
    return self.cart;
  }
  func tpdApplePay(_ applePay: TPDApplePay!,
canAuthorizePaymentWithShippingContact shippingContact: PKContact!) -> Bool {
    print("=====================================================")
    print("======> canAuthorizePaymentWithShippingContact ")
    print("shippingContact.name : \(applePay.consumer.shippingContact?.name?.givenName) \( applePay.consumer.shippingContact?.name?.familyName)")
    print("shippingContact.emailAddress : \(shippingContact.emailAddress)")
    print("shippingContact.phoneNumber : \(shippingContact.phoneNumber?.stringValue)")
    print("=====================================================\n\n")
    return true;
  }
  func tpdApplePay(_ applePay: TPDApplePay!, didReceivePrime prime: String!, withExpiryMillis  // 3
expiryMillis: Int, withCardInfo cardInfo: TPDCardInfo, withMerchantReferenceInfo
merchantReferenceInfo: [AnyHashable : Any]!) {
    // 1. Send Your Prime To Your Server, And Handle Payment With Result
    // ...
    print("=====================================================");
    print("======> didReceivePrime");
    print("Prime : \(prime!)");
    print("Expiry Millis : \(expiryMillis)");
    print("total Amount :   \(applePay.cart.totalAmount!)")
    print("Client IP : \(applePay.consumer.clientIP!)")
    print("shippingContact.name : \(applePay.consumer.shippingContact?.name?.givenName) \(applePay.consumer.shippingContact?.name?.familyName)");
    print("shippingContact.emailAddress : \(applePay.consumer.shippingContact?.emailAddress)");
    print("shippingContact.phoneNumber : \(applePay.consumer.shippingContact?.phoneNumber?.stringValue)");
    let paymentMethod = self.consumer.paymentMethod!
    print("type : \(paymentMethod.type.rawValue)")
    print("Network : \(paymentMethod.network!.rawValue)")
    print("Display Name : \(paymentMethod.displayName!)")
    print("===================================================== \n\n");
    // 2. If Payment Success, applePay.
    let paymentResult = true;
    applePay.showPaymentResult(paymentResult)
    }
}
