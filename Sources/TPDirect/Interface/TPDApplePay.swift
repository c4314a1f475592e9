//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The published interface has these types without a question mark; apps written for it compile against no other.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Foundation
public import PassKit

/// One payment by Apple Pay: shows the sheet, turns what the customer authorizes into a prime, and shows the result.
///
/// ```swift
/// applePay = TPDApplePay.setupWthMerchant(merchant, with: consumer, with: cart, withDelegate: self)
/// applePay.startPayment()
/// ```
///
/// The delegate is held strongly from `startPayment` until the payment has ended, and weakly at other times; the
/// payment holds itself as long, so that nothing need be kept for it to arrive.
#if canImport(ObjectiveC)
@objcMembers
#endif
@MainActor public final class TPDApplePay: NSObject {
    public var merchant: TPDMerchant!
    public var consumer: TPDConsumer!
    public var cart: TPDCart!
    /// Set to `nil` while a payment is under way, it ends the payment: no prime is handed out any more.
    public weak var delegate: (any TPDApplePayDelegate)? {
        didSet { self.session.delegateChanged() }
    }

    private(set) lazy var session = PaymentSession(applePay: self, surroundings: self.surroundings)
    private let surroundings: Surroundings

    init(
        merchant: TPDMerchant?, consumer: TPDConsumer?, cart: TPDCart?, delegate: (any TPDApplePayDelegate)?,
        surroundings: Surroundings
    ) {
        self.merchant = merchant
        self.consumer = consumer
        self.cart = cart
        self.delegate = delegate
        self.surroundings = surroundings
        super.init()
    }

    /// A payment that has not begun.
    public static func setupWthMerchant(
        _ merchant: TPDMerchant!, with consumer: TPDConsumer!, with cart: TPDCart!,
        withDelegate delegate: (any TPDApplePayDelegate)!
    ) -> TPDApplePay {
        TPDApplePay(
            merchant: merchant, consumer: consumer, cart: cart, delegate: delegate,
            surroundings: Surroundings.system)
    }

    /// Leads the customer to the system's screen on which a card is added.
    public static func showSetupView() {
        #if os(iOS) || os(Linux)
        PKPassLibrary().openPaymentSetup()
        #endif
    }

    /// Whether the device knows Apple Pay.
    public static func canMakePayments() -> Bool {
        PKPaymentAuthorizationController.canMakePayments()
    }

    /// Whether the wallet holds a card of one of these networks.
    public static func canMakePayments(usingNetworks networks: [PKPaymentNetwork]!) -> Bool {
        guard let networks else { return false }
        return PKPaymentAuthorizationController.canMakePayments(usingNetworks: networks)
    }

    /// Shows the sheet. What stands against it is reported to the delegate as a failure at once. While a payment is
    /// under way, another call does nothing.
    public func startPayment() {
        self.session.start()
    }

    /// Shows how pay-by-prime ended. Counts once, and only when a prime has been handed out; if the sheet has gone by
    /// then, the delegate gets the result all the same.
    public func showPaymentResult(_ result: Bool) {
        self.session.send(.resultShown(isSuccess: result))
    }
}
