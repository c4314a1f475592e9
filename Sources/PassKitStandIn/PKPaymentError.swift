//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Foundation

/// What is wrong with what the customer gave, as the sheet is given it.
public struct PKPaymentError: CustomNSError, LocalizedError {
    public enum Code: Int, Sendable {
        case unknownError = -1
        case shippingContactInvalidError = 1
        case billingContactInvalidError = 2
        case shippingAddressUnserviceableError = 3
    }

    public let code: Code
    /// The part of the address that is wrong: one of Contacts' keys.
    public let postalAddressKey: String?
    public let errorDescription: String?

    public static var errorDomain: String { "PKPaymentErrorDomain" }
    public var errorCode: Int { self.code.rawValue }
    public var errorUserInfo: [String: Any] {
        var values: [String: Any] = [:]
        values[NSLocalizedDescriptionKey] = self.errorDescription
        values["PKPaymentErrorPostalAddressUserInfoKey"] = self.postalAddressKey
        return values
    }
}

extension PKPaymentRequest {
    /// The merchant does not ship to that address.
    public static func paymentShippingAddressUnserviceableError(
        withLocalizedDescription localizedDescription: String?
    ) -> any Error {
        PKPaymentError(
            code: .shippingAddressUnserviceableError, postalAddressKey: nil, errorDescription: localizedDescription)
    }

    /// A part of the shipping address is wrong.
    public static func paymentShippingAddressInvalidError(
        withKey postalAddressKey: String, localizedDescription: String?
    ) -> any Error {
        PKPaymentError(
            code: .shippingContactInvalidError, postalAddressKey: postalAddressKey,
            errorDescription: localizedDescription)
    }
}

/// The key of an address's country (of Apple's Contacts framework).
// swift-format-ignore: AlwaysUseLowerCamelCase
// As Apple spells it.
public let CNPostalAddressCountryKey = "country"
