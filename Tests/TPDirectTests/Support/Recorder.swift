//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import PassKit

@testable import TPDirect

/// A delegate that writes down what it hears.
@MainActor final class Recorder: NSObject, TPDApplePayDelegate {
    enum Event: Hashable, Sendable {
        case started
        case choseCard(String)
        case choseShipping(String)
        case askedToAuthorize(email: String?)
        case prime(String)
        case succeeded(amount: String)
        case failed(Int)
        case cancelled
        case finished
    }

    private(set) var events: [Event] = []
    private var waiters: [(event: Event, continuation: CheckedContinuation<Void, Never>)] = []

    var canAuthorize = true
    /// What to say as soon as there is a prime; `nil` says nothing.
    var showsResult: Bool?
    var onCard: ((PKPaymentMethod, TPDCart) -> TPDCart)?
    var onShipping: (() -> Void)?
    private(set) var cardInfo: TPDCardInfo?
    private(set) var expiryMillis = 0
    private(set) var reference: [AnyHashable: Any] = [:]
    private(set) var result: TPDTransactionResult?

    func heard(_ event: Event) async {
        guard !self.events.contains(event) else { return }
        await withCheckedContinuation { self.waiters.append((event, $0)) }
    }

    private func note(_ event: Event) {
        self.events.append(event)
        let ready = self.waiters.filter { $0.event == event }
        self.waiters.removeAll { $0.event == event }
        for waiter in ready { waiter.continuation.resume() }
    }

    func tpdApplePay(
        _ applePay: TPDApplePay!, didReceivePrime prime: String!, withExpiryMillis expiryMillis: Int,
        withCardInfo cardInfo: TPDCardInfo, withMerchantReferenceInfo merchantReferenceInfo: [AnyHashable: Any]!
    ) {
        self.cardInfo = cardInfo
        self.expiryMillis = expiryMillis
        self.reference = merchantReferenceInfo
        self.note(.prime(prime))
        if let showsResult { applePay.showPaymentResult(showsResult) }
    }

    func tpdApplePay(_ applePay: TPDApplePay!, didSuccessPayment result: TPDTransactionResult!) {
        self.result = result
        self.note(.succeeded(amount: result.amount.stringValue))
    }

    func tpdApplePay(_ applePay: TPDApplePay!, didFailurePayment result: TPDTransactionResult!) {
        self.result = result
        self.note(.failed(result.status))
    }

    func tpdApplePayDidStartPayment(_ applePay: TPDApplePay!) { self.note(.started) }

    func tpdApplePay(
        _ applePay: TPDApplePay!, didSelect paymentMethod: PKPaymentMethod!, cart: TPDCart!
    ) -> TPDCart! {
        self.note(.choseCard(paymentMethod.displayName ?? ""))
        return self.onCard?(paymentMethod, cart)
    }

    func tpdApplePay(_ applePay: TPDApplePay!, didSelect shippingMethod: PKShippingMethod!) {
        self.onShipping?()
        self.note(.choseShipping(shippingMethod.identifier ?? ""))
    }

    func tpdApplePay(
        _ applePay: TPDApplePay!, canAuthorizePaymentWithShippingContact shippingContact: PKContact!
    ) -> Bool {
        self.note(.askedToAuthorize(email: shippingContact.emailAddress))
        return self.canAuthorize
    }

    func tpdApplePayDidCancelPayment(_ applePay: TPDApplePay!) { self.note(.cancelled) }

    func tpdApplePayDidFinishPayment(_ applePay: TPDApplePay!) { self.note(.finished) }
}

/// A delegate of an app that was written against the published framework: the card has the label that Swift made of its
/// selector, and the list of affiliate codes is unwrapped by force, as in the vendor's example.
@MainActor final class FrameworkDelegate: NSObject, TPDApplePayDelegate {
    private(set) var primes: [String] = []
    private(set) var lastFour: String?
    private(set) var affiliateCodes: [String]?
    private(set) var results: [Int] = []

    func tpdApplePay(
        _ applePay: TPDApplePay!, didReceivePrime prime: String!, withExpiryMillis expiryMillis: Int,
        with cardInfo: TPDCardInfo, withMerchantReferenceInfo merchantReferenceInfo: [AnyHashable: Any]!
    ) {
        self.primes.append(prime)
        self.lastFour = cardInfo.lastFour
        self.affiliateCodes = merchantReferenceInfo["affiliateCodes"]! as? [String]
        applePay.showPaymentResult(true)
    }

    func tpdApplePay(_ applePay: TPDApplePay!, didSuccessPayment result: TPDTransactionResult!) {
        self.results.append(result.status)
    }

    func tpdApplePay(_ applePay: TPDApplePay!, didFailurePayment result: TPDTransactionResult!) {
        self.results.append(result.status)
    }
}

/// A delegate that takes a prime under both labels.
@MainActor final class Bilingual: NSObject, TPDApplePayDelegate {
    private(set) var labels: [String] = []

    func tpdApplePay(
        _ applePay: TPDApplePay!, didReceivePrime prime: String!, withExpiryMillis expiryMillis: Int,
        withCardInfo cardInfo: TPDCardInfo, withMerchantReferenceInfo merchantReferenceInfo: [AnyHashable: Any]!
    ) {
        self.labels.append("withCardInfo")
        applePay.showPaymentResult(true)
    }

    func tpdApplePay(
        _ applePay: TPDApplePay!, didReceivePrime prime: String!, withExpiryMillis expiryMillis: Int,
        with cardInfo: TPDCardInfo, withMerchantReferenceInfo merchantReferenceInfo: [AnyHashable: Any]!
    ) {
        self.labels.append("with")
        applePay.showPaymentResult(true)
    }

    func tpdApplePay(_ applePay: TPDApplePay!, didSuccessPayment result: TPDTransactionResult!) {}

    func tpdApplePay(_ applePay: TPDApplePay!, didFailurePayment result: TPDTransactionResult!) {}
}

/// A delegate that takes no prime, under neither label.
@MainActor final class Primeless: NSObject, TPDApplePayDelegate {
    private(set) var status: Int?

    func tpdApplePay(_ applePay: TPDApplePay!, didSuccessPayment result: TPDTransactionResult!) {
        self.status = result.status
    }

    func tpdApplePay(_ applePay: TPDApplePay!, didFailurePayment result: TPDTransactionResult!) {
        self.status = result.status
    }
}

/// A delegate with the required methods alone.
@MainActor final class Laconic: NSObject, TPDApplePayDelegate {
    private(set) var hasSucceeded = false

    func tpdApplePay(
        _ applePay: TPDApplePay!, didReceivePrime prime: String!, withExpiryMillis expiryMillis: Int,
        withCardInfo cardInfo: TPDCardInfo, withMerchantReferenceInfo merchantReferenceInfo: [AnyHashable: Any]!
    ) {
        applePay.showPaymentResult(true)
    }

    func tpdApplePay(_ applePay: TPDApplePay!, didSuccessPayment result: TPDTransactionResult!) {
        self.hasSucceeded = true
    }

    func tpdApplePay(_ applePay: TPDApplePay!, didFailurePayment result: TPDTransactionResult!) {}
}
