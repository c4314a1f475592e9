//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// A payment network, by the name that `PKPaymentMethod.network` carries.
public struct PKPaymentNetwork: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public init(_ rawValue: String) {
        self.init(rawValue: rawValue)
    }

    public static let amex = PKPaymentNetwork("AmEx")
    public static let chinaUnionPay = PKPaymentNetwork("ChinaUnionPay")
    public static let discover = PKPaymentNetwork("Discover")
    public static let girocard = PKPaymentNetwork("girocard")
    // swift-format-ignore: AlwaysUseLowerCamelCase
    // Upper case, as Apple spells it in Swift.
    public static let JCB = PKPaymentNetwork("JCB")
    public static let masterCard = PKPaymentNetwork("MasterCard")
    public static let visa = PKPaymentNetwork("Visa")
}
