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
}
