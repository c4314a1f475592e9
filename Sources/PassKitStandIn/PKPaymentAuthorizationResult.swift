//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Foundation

public enum PKPaymentAuthorizationStatus: Int, Sendable {
    case success = 0
    case failure = 1
}

/// The app's answer to an authorization.
public final class PKPaymentAuthorizationResult: NSObject {
    public var status: PKPaymentAuthorizationStatus
    public var errors: [any Error]

    public init(status: PKPaymentAuthorizationStatus, errors: [any Error]?) {
        self.status = status
        self.errors = errors ?? []
        super.init()
    }
}

/// The app's answer to a choice that the customer made in the sheet.
public class PKPaymentRequestUpdate: NSObject {
    public var status: PKPaymentAuthorizationStatus = .success
    public var paymentSummaryItems: [PKPaymentSummaryItem]

    public init(paymentSummaryItems: [PKPaymentSummaryItem]) {
        self.paymentSummaryItems = paymentSummaryItems
        super.init()
    }
}

public final class PKPaymentRequestPaymentMethodUpdate: PKPaymentRequestUpdate {}

public final class PKPaymentRequestShippingMethodUpdate: PKPaymentRequestUpdate {}
