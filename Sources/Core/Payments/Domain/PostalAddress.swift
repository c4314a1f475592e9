//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Where somebody is reached by post, and who that is: where the cardholder's statements go, for the issuer's check of the
/// address (AVS), or where the goods do.
public struct PostalAddress: Hashable, Sendable {
    /// Who is there. Of a billing address `nil`: that is the ``ChargeDetails/customer``, whose name, e-mail address and
    /// phone number stand there.
    public var firstName: String?
    public var lastName: String?
    public var company: String?
    public var email: String?
    public var phone: String?
    /// Street and house, then suite, building and what else is needed, in the order in which they are written.
    public var lines: [String]
    public var city: String?
    /// State or province.
    public var mainDivision: String?
    public var postalCode: String?
    /// ISO 3166-1 alpha-2.
    public var countryCode: String?

    public init(
        firstName: String? = nil, lastName: String? = nil, company: String? = nil, email: String? = nil,
        phone: String? = nil, lines: [String] = [], city: String? = nil, mainDivision: String? = nil,
        postalCode: String? = nil, countryCode: String? = nil
    ) {
        self.firstName = firstName
        self.lastName = lastName
        self.company = company
        self.email = email
        self.phone = phone
        self.lines = lines
        self.city = city
        self.mainDivision = mainDivision
        self.postalCode = postalCode
        self.countryCode = countryCode
    }

    /// The address, or `nil` where it says nothing.
    public var filled: PostalAddress? { self == PostalAddress() ? nil : self }
}
