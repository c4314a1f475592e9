//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Countries
import DialectKit
import Payments

/// Who pays and where the goods go: `customer`, `billing` and `shipping`. All of it is for the acquirer alone.
enum ContactFields {
    private static let customer = ["email", "firstName", "lastName", "mobilePhone", "phone"]
    private static let address = ["street", "street2", "company", "city", "stateProvince", "postcodeZip", "country"]

    /// The fields with a value of their own.
    static let paths: [String] =
        customer.map { "customer." + $0 } + customer.map { "shipping.contact." + $0 }
        + address.map { "billing.address." + $0 } + address.map { "shipping.address." + $0 }
}

extension Customer {
    /// `customer.*`, and the address and browser of the device.
    init(reading fields: RequestFields, _ device: DeviceFields) throws(CommWebError) {
        self.init(
            firstName: try fields.text("customer.firstName", max: 50, as: .text),
            lastName: try fields.text("customer.lastName", max: 50, as: .text),
            email: try fields.text("customer.email", max: 255), phone: try fields.phone(under: "customer."),
            ipAddress: device.values["ipAddress"], userAgent: device.values["browser"])
    }
}

extension RequestFields {
    /// `billing.address`, for the issuer's check. Whose it is, `customer` says.
    func billing() throws(CommWebError) -> PostalAddress? { try self.address("billing.address.").filled }

    /// `shipping.address`, and who is there: `shipping.contact`.
    func shipping() throws(CommWebError) -> PostalAddress? {
        let contact = "shipping.contact."
        var address = try self.address("shipping.address.")
        address.firstName = try self.text(contact + "firstName", max: 50, as: .text)
        address.lastName = try self.text(contact + "lastName", max: 50, as: .text)
        address.email = try self.text(contact + "email", max: 255)
        address.phone = try self.phone(under: contact)
        return address.filled
    }

    /// Of two numbers the one that is not of a mobile phone.
    fileprivate func phone(under prefix: String) throws(CommWebError) -> String? {
        let mobile = try self.text(prefix + "mobilePhone", max: 30, as: .text)
        return try self.text(prefix + "phone", max: 30, as: .text) ?? mobile
    }

    private func address(_ prefix: String) throws(CommWebError) -> PostalAddress {
        let lines = [
            try self.text(prefix + "street", max: 100, as: .text),
            try self.text(prefix + "street2", max: 100, as: .text),
        ]
        let company = try self.text(prefix + "company", max: 100, as: .text)
        let city = try self.text(prefix + "city", max: 100, as: .text)
        let mainDivision = try self.text(prefix + "stateProvince", max: 20, as: .text)
        let postalCode = try self.text(prefix + "postcodeZip", max: 10, as: .text)
        let countryCode = try self.text(prefix + "country", max: 3)
        if let countryCode {
            guard countryCode.utf8.count == 3, countryCode.utf8.allSatisfy(ASCII.isCapital) else {
                throw .invalid(prefix + "country", "must be a three-letter country code of ISO 3166")
            }
        }
        // The wire has three letters for a country and acquirers two. A code that ISO has not assigned is left out: the
        // check is of street and postal code.
        return PostalAddress(
            company: company, lines: lines.compactMap(\.self), city: city, mainDivision: mainDivision,
            postalCode: postalCode, countryCode: countryCode.flatMap(Country.alpha2(ofAlpha3:)))
    }
}
