//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What the device says about the card. It stands outside of the signature: show it, but decide nothing by it.
public struct TokenPaymentMethod: Hashable, Sendable {
    /// The card as the wallet shows it, e.g. "Visa 1234".
    public let displayName: String?
    /// The payment network, e.g. "Visa", "MasterCard", "AmEx".
    public let network: String?
    /// "credit", "debit", "prepaid" or "store".
    public let type: String?

    public init(displayName: String? = nil, network: String? = nil, type: String? = nil) {
        self.displayName = displayName
        self.network = network
        self.type = type
    }

    /// The name of a PKPaymentMethodType, which apps have as a number (PassKit, PKPaymentMethodType: 0 is unknown) and
    /// Apple Pay on the web as the name (ApplePayPaymentMethodType).
    static func typeName(_ rawValue: Int64) -> String? {
        switch rawValue {
        case 1: "debit"
        case 2: "credit"
        case 3: "prepaid"
        case 4: "store"
        default: nil
        }
    }
}
