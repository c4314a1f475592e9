//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The sample of PAYONE's documentation for apps ("Apple Pay In-App"), word for word, so that what is printed there runs
// over the stand-in for PassKit. It differs in one word: `Error` has `any` before it, which this package's settings ask
// for. script/typecheck-apple compiles it as it stands (Vectors/PAYONE/Apps).
//
// These are the documentation's lines, set as it sets them:
// swift-format-ignore-file

import Foundation
import PassKit

@MainActor final class PaymentHandler: NSObject, PKPaymentAuthorizationControllerDelegate {
    var paymentStatus = PKPaymentAuthorizationStatus.failure

    func paymentAuthorizationControllerDidFinish(_ controller: PKPaymentAuthorizationController) {}

static let supportedNetworks: [PKPaymentNetwork] = [
    .masterCard,
    .visa,
        .girocard
]

func paymentAuthorizationController(_ controller: PKPaymentAuthorizationController, didAuthorizePayment payment: PKPayment, handler completion: @escaping (PKPaymentAuthorizationResult) -> Void) {
    // Perform some very basic validation on the provided contact information
    var errors = [any Error]()
    var status = PKPaymentAuthorizationStatus.success
    if payment.shippingContact?.postalAddress?.isoCountryCode != "US" {
        let pickupError = PKPaymentRequest.paymentShippingAddressUnserviceableError(withLocalizedDescription: "Sample App only picks up in the United States")
        let countryError = PKPaymentRequest.paymentShippingAddressInvalidError(withKey: CNPostalAddressCountryKey, localizedDescription: "Invalid country")
        errors.append(pickupError)
        errors.append(countryError)
        status = .failure
    } else {
        // Here you would send the payment token to your server or payment provider to process
        // Once processed, return an appropriate status in the completion handler (success, failure, etc)
                // PAYONE suggests sending the data to your backend first and requesting the PAYONE Server API from there
         }
    self.paymentStatus = status
    completion(PKPaymentAuthorizationResult(status: status, errors: errors))
}
}
