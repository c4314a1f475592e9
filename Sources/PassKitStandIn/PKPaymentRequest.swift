//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Foundation

/// What the app asks the customer to pay for, and how.
public final class PKPaymentRequest: NSObject {
    public var merchantIdentifier = ""
    public var countryCode = ""
    public var currencyCode = ""
    public var supportedNetworks: [PKPaymentNetwork] = []
    public var merchantCapabilities: PKMerchantCapability = []
    public var paymentSummaryItems: [PKPaymentSummaryItem] = []
    public var requiredBillingContactFields: Set<PKContactField> = []
    public var requiredShippingContactFields: Set<PKContactField> = []
    public var billingContact: PKContact?
    public var shippingContact: PKContact?
    public var shippingMethods: [PKShippingMethod]?
    public var shippingType: PKShippingType = .shipping
    public var applicationData: Data?

    public override init() {
        super.init()
    }
}
