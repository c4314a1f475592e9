//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What the sheet asks the customer for: the older way to say it.
public struct PKAddressField: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    public static let postalAddress = PKAddressField(rawValue: 1 << 0)
    public static let phone = PKAddressField(rawValue: 1 << 1)
    public static let email = PKAddressField(rawValue: 1 << 2)
    public static let name = PKAddressField(rawValue: 1 << 3)
    public static let all: PKAddressField = [.postalAddress, .phone, .email, .name]
}

/// What the sheet asks the customer for.
public struct PKContactField: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let postalAddress = PKContactField(rawValue: "post")
    public static let emailAddress = PKContactField(rawValue: "email")
    public static let phoneNumber = PKContactField(rawValue: "phone")
    public static let name = PKContactField(rawValue: "name")
}
