//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Foundation

/// The customer's particulars, as far as the request asked for them.
public final class PKContact: NSObject {
    public var name: PersonNameComponents?
    public var postalAddress: CNPostalAddress?
    public var phoneNumber: CNPhoneNumber?
    public var emailAddress: String?

    public override init() {
        super.init()
    }
}

/// A phone number (of Apple's Contacts framework).
public final class CNPhoneNumber: NSObject {
    public let stringValue: String

    public init(stringValue: String) {
        self.stringValue = stringValue
        super.init()
    }
}

/// A postal address (of Apple's Contacts framework, where the one that can be changed is a class of its own).
public final class CNPostalAddress: NSObject {
    public let street: String
    public let city: String
    public let postalCode: String
    public let isoCountryCode: String

    public init(street: String, city: String, postalCode: String, isoCountryCode: String) {
        self.street = street
        self.city = city
        self.postalCode = postalCode
        self.isoCountryCode = isoCountryCode
        super.init()
    }
}
