//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Foundation

public enum PKPaymentMethodType: UInt, Sendable {
    case unknown = 0
    case debit = 1
    case credit = 2
    case prepaid = 3
    case store = 4
    case eMoney = 5
}

/// The card that the customer chose.
public final class PKPaymentMethod: NSObject {
    public let displayName: String?
    public let network: PKPaymentNetwork?
    public let type: PKPaymentMethodType

    init(displayName: String?, network: PKPaymentNetwork?, type: PKPaymentMethodType) {
        self.displayName = displayName
        self.network = network
        self.type = type
        super.init()
    }
}

/// The authorized payment's token.
public final class PKPaymentToken: NSObject {
    public let paymentMethod: PKPaymentMethod
    public let transactionIdentifier: String
    /// JSON: version, data, signature, header.
    public let paymentData: Data

    init(paymentMethod: PKPaymentMethod, transactionIdentifier: String, paymentData: Data) {
        self.paymentMethod = paymentMethod
        self.transactionIdentifier = transactionIdentifier
        self.paymentData = paymentData
        super.init()
    }

    /// Names the token and shows nothing of its data.
    public override var description: String { "PKPaymentToken(\(self.transactionIdentifier))" }
}

/// What the customer has authorized.
public final class PKPayment: NSObject {
    public let token: PKPaymentToken
    public let billingContact: PKContact?
    public let shippingContact: PKContact?
    public let shippingMethod: PKShippingMethod?

    init(
        token: PKPaymentToken, billingContact: PKContact?, shippingContact: PKContact?,
        shippingMethod: PKShippingMethod?
    ) {
        self.token = token
        self.billingContact = billingContact
        self.shippingContact = shippingContact
        self.shippingMethod = shippingMethod
        super.init()
    }
}
