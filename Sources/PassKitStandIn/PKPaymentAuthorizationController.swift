//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Foundation

/// What the sheet reports to the app. On Apple's systems only the first method is required; here the others have an empty
/// body to start from, since there is no Objective-C runtime to ask whether a method is there. Each method is the main
/// actor's, as in Apple's header.
public protocol PKPaymentAuthorizationControllerDelegate: NSObjectProtocol {
    /// The sheet is through and asks to be dismissed: the customer cancelled, the system took it away, or the result
    /// has been shown.
    @MainActor func paymentAuthorizationControllerDidFinish(_ controller: PKPaymentAuthorizationController)

    @MainActor func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didAuthorizePayment payment: PKPayment,
        handler completion: @escaping (PKPaymentAuthorizationResult) -> Void)

    @MainActor func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectPaymentMethod paymentMethod: PKPaymentMethod,
        handler completion: @escaping (PKPaymentRequestPaymentMethodUpdate) -> Void)

    @MainActor func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingMethod shippingMethod: PKShippingMethod,
        handler completion: @escaping (PKPaymentRequestShippingMethodUpdate) -> Void)
}

extension PKPaymentAuthorizationControllerDelegate {
    @MainActor public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didAuthorizePayment payment: PKPayment,
        handler completion: @escaping (PKPaymentAuthorizationResult) -> Void
    ) {
        completion(PKPaymentAuthorizationResult(status: .failure, errors: nil))
    }

    @MainActor public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectPaymentMethod paymentMethod: PKPaymentMethod,
        handler completion: @escaping (PKPaymentRequestPaymentMethodUpdate) -> Void
    ) {
        completion(PKPaymentRequestPaymentMethodUpdate(paymentSummaryItems: []))
    }

    @MainActor public func paymentAuthorizationController(
        _ controller: PKPaymentAuthorizationController, didSelectShippingMethod shippingMethod: PKShippingMethod,
        handler completion: @escaping (PKPaymentRequestShippingMethodUpdate) -> Void
    ) {
        completion(PKPaymentRequestShippingMethodUpdate(paymentSummaryItems: []))
    }
}

/// Presents the sheet: here ``SimulatedSheet``, in the wallet that ``SimulatedWallet/current`` is.
@MainActor public final class PKPaymentAuthorizationController: NSObject {
    public weak var delegate: (any PKPaymentAuthorizationControllerDelegate)?
    private let request: PKPaymentRequest
    private let wallet: SimulatedWallet?
    private var sheet: SimulatedSheet?

    public init(paymentRequest request: PKPaymentRequest) {
        self.request = request
        self.wallet = SimulatedWallet.current
        super.init()
    }

    public static func canMakePayments() -> Bool {
        SimulatedWallet.current?.canMakePayments ?? false
    }

    public static func canMakePayments(usingNetworks networks: [PKPaymentNetwork]) -> Bool {
        guard let wallet = SimulatedWallet.current, wallet.canMakePayments else { return false }
        return wallet.holdsCard(of: networks)
    }

    /// - Parameter completion: called with whether the sheet is on the screen.
    public func present(completion: ((Bool) -> Void)? = nil) {
        guard let wallet, wallet.canMakePayments, self.sheet == nil,
            let sheet = SimulatedSheet(request: self.request, wallet: wallet, controller: self)
        else {
            completion?(false)
            return
        }
        self.sheet = sheet
        wallet.show(sheet)
        completion?(true)
        sheet.chooseDefaultCard()
    }

    public func dismiss(completion: (() -> Void)? = nil) {
        self.sheet?.dismiss()
        completion?()
    }
}
