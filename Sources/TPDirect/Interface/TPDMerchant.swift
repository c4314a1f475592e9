//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The published interface has these types without a question mark; apps written for it compile against no other.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Foundation
public import PassKit

/// The merchant of a payment, as the sheet and Apple need to know it.
#if canImport(ObjectiveC)
@objcMembers
#endif
public final class TPDMerchant: NSObject {
    /// The label of the total: "Pay …".
    public var merchantName: String!
    /// How the merchant takes cards; 3-D Secure unless changed.
    // By its value, since Apple has renamed the member: 1 is PKMerchantCapability3DS.
    public var merchantCapability = PKMerchantCapability(rawValue: 1 << 0)
    /// The merchant's name at the acquirer; pay-by-prime names it, the SDK does not send it.
    public var acquirerMerchantID: String!
    /// The Apple merchant identifier.
    public var applePayMerchantIdentifier: String!
    /// ISO 3166-1 alpha-2. The United Kingdom is GB: UK is refused.
    public var countryCode: String! = "TW"
    /// ISO 4217.
    public var currencyCode: String! = "TWD"
    public var supportedNetworks: [PKPaymentNetwork]!
    /// The ways to ship that the sheet offers; the first is chosen to begin with.
    public var shippingMethods: [PKShippingMethod]?

    public override init() {
        super.init()
    }

    /// The networks that the gateway takes and this system knows.
    public static func availableNetworks() -> [PKPaymentNetwork] {
        self.availableNetworks(systemMajorVersion: Device.systemMajorVersion)
    }

    #if canImport(ObjectiveC)
    @nonobjc
    #endif
    /// American Express, Mastercard and Visa are known from iOS 8 on, JCB from iOS 10 on.
    static func availableNetworks(systemMajorVersion: Int) -> [PKPaymentNetwork] {
        let networks: [PKPaymentNetwork] = [.amex, .masterCard, .visa]
        return systemMajorVersion >= 10 ? networks + [.JCB] : networks
    }
}
