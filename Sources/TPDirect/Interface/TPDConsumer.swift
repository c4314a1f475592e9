//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The published interface has these types without a question mark; apps written for it compile against no other.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Foundation
public import PassKit

/// The customer of a payment: what the app asks for, and what the sheet answered.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class TPDConsumer: NSObject {
    /// The card, once the customer has chosen one.
    public var paymentMethod: PKPaymentMethod!
    /// An address on file, to fill the sheet with; after the authorization the one that the customer gave.
    public var billingContact: PKContact?
    /// An address on file, to fill the sheet with; after the authorization the one that the customer gave.
    public var shippingContact: PKContact?
    /// Nothing unless set.
    public var requiredBillingAddressFields: PKAddressField = []
    /// Nothing unless set.
    public var requiredShippingAddressFields: PKAddressField = []
    /// The address that the gateway saw the request come from; set with the prime, empty if the gateway named none.
    public var clientIP: String?

    public override init() {
        super.init()
    }
}
