//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import PassKit
import StrictJSON

#if os(macOS)
import AppKit
#elseif targetEnvironment(macCatalyst) || os(visionOS)
import UIKit
#endif

/// PassKit's sheet, as the session sees it.
@MainActor final class Sheet {
    enum Signal {
        case authorized(Authorization)
        /// - The answer: the new lines, or `nil` for a cart that breaks the rules.
        case choseCard(PKPaymentMethod, answer: ([PKPaymentSummaryItem]?) -> Void)
        case choseShipping(PKShippingMethod, answer: ([PKPaymentSummaryItem]?) -> Void)
        case closed
    }

    /// An authorization waits for its end, and has one.
    @MainActor final class Authorization {
        let payment: PKPayment
        private var completion: ((PKPaymentAuthorizationResult) -> Void)?

        init(payment: PKPayment, completion: @escaping (PKPaymentAuthorizationResult) -> Void) {
            self.payment = payment
            self.completion = completion
        }

        /// The token's JSON, if it has any.
        var paymentData: JSON? {
            guard let json = try? JSON.parse(self.payment.token.paymentData), json.object != nil else { return nil }
            return json
        }

        func end(_ isSuccess: Bool) {
            self.completion?(PKPaymentAuthorizationResult(status: isSuccess ? .success : .failure, errors: nil))
            self.completion = nil
        }
    }

    private let controller: PKPaymentAuthorizationController
    private let listener: SheetListener

    init(request: PKPaymentRequest, receive: @escaping @MainActor (Signal) -> Void) {
        self.controller = PKPaymentAuthorizationController(paymentRequest: request)
        self.listener = SheetListener(receive: receive)
        self.controller.delegate = self.listener
    }

    func present(completion: @escaping @MainActor (Bool) -> Void) {
        self.controller.present { @Sendable isShown in
            MainQueue.run { completion(isShown) }
        }
    }

    func dismiss(completion: @escaping @MainActor () -> Void) {
        self.controller.dismiss { @Sendable in
            MainQueue.run { completion() }
        }
    }
}

/// Takes PassKit's calls from whatever thread they come on to the main actor.
private final class SheetListener: NSObject, PKPaymentAuthorizationControllerDelegate {
    private let receive: @MainActor (Sheet.Signal) -> Void

    // Where an app has several windows PassKit requires it to say which one the sheet belongs to: the one that the
    // customer is in.
    #if os(macOS)
    private let window: NSWindow?

    func presentationWindow(for controller: PKPaymentAuthorizationController) -> NSWindow? { self.window }
    #elseif targetEnvironment(macCatalyst) || os(visionOS)
    private let window: UIWindow?

    func presentationWindow(for controller: PKPaymentAuthorizationController) -> UIWindow? { self.window }
    #endif

    @MainActor init(receive: @escaping @MainActor (Sheet.Signal) -> Void) {
        self.receive = receive
        #if os(macOS)
        self.window = NSApplication.shared.keyWindow
        #elseif targetEnvironment(macCatalyst) || os(visionOS)
        let scenes = UIApplication.shared.connectedScenes
        self.window = scenes.lazy.compactMap { ($0 as? UIWindowScene)?.keyWindow }.first
        #endif
        super.init()
    }

    func paymentAuthorizationControllerDidFinish(_ controller: PKPaymentAuthorizationController) {
        let receive = self.receive
        MainQueue.run { receive(.closed) }
    }

    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didAuthorizePayment payment: PKPayment,
        handler completion: @escaping (PKPaymentAuthorizationResult) -> Void
    ) {
        let receive = self.receive
        // PassKit hands these over and keeps no hold on them; it waits for the completion. So with the methods below.
        nonisolated(unsafe) let payment = payment
        nonisolated(unsafe) let completion = completion
        MainQueue.run {
            receive(.authorized(Sheet.Authorization(payment: payment, completion: completion)))
        }
    }

    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectPaymentMethod paymentMethod: PKPaymentMethod,
        handler completion: @escaping (PKPaymentRequestPaymentMethodUpdate) -> Void
    ) {
        let receive = self.receive
        nonisolated(unsafe) let paymentMethod = paymentMethod
        nonisolated(unsafe) let completion = completion
        MainQueue.run {
            receive(
                .choseCard(paymentMethod) { items in
                    let update = PKPaymentRequestPaymentMethodUpdate(paymentSummaryItems: items ?? [])
                    if items == nil { update.status = .failure }
                    completion(update)
                })
        }
    }

    func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingMethod shippingMethod: PKShippingMethod,
        handler completion: @escaping (PKPaymentRequestShippingMethodUpdate) -> Void
    ) {
        let receive = self.receive
        nonisolated(unsafe) let shippingMethod = shippingMethod
        nonisolated(unsafe) let completion = completion
        MainQueue.run {
            receive(
                .choseShipping(shippingMethod) { items in
                    let update = PKPaymentRequestShippingMethodUpdate(paymentSummaryItems: items ?? [])
                    if items == nil { update.status = .failure }
                    completion(update)
                })
        }
    }
}
