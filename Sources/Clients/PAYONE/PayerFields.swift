//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Hosts

/// The customer of a (pre)authorization. What PAYONE demands must be there; what it can do without and does not fit its
/// formats is left out, because it would refuse the payment for it.
struct PayerFields {
    let parameters: [(String, String)]

    /// PAYONE wants `state` where the address has one.
    private static let countriesWithStates: Set = ["US", "CA", "CN", "JP", "MX", "BR", "AR", "ID", "TH", "IN"]

    init(_ charge: ChargeFields) throws(ClientError) {
        guard charge.customer.familyName ?? charge.billing?.company != nil, let country = charge.billing?.countryCode
        else {
            throw ClientError(.fieldMissing, "PAYONE demands the customer's last name or company, and country.")
        }
        let address = charge.billing
        var parameters: [(String, String)] = []
        func add(
            _ name: String, _ text: String?, _ lengths: ClosedRange<Int>, where fits: (String) -> Bool = { _ in true }
        ) {
            guard let text, lengths.contains(text.count), !text.unicodeScalars.contains(where: ASCII.isControl),
                fits(text)
            else { return }
            parameters.append((name, text))
        }
        add("narrative_text", charge.description.map { String($0.prefix(81)) }, 1...81)
        add("customerid", charge.customer.id, 1...20)
        add("firstname", charge.customer.givenName, 1...50)
        if let lastName = charge.customer.familyName { parameters.append(("lastname", lastName)) }
        add("company", address?.company, 2...50)
        add("street", address?.lines.first, 1...50)
        add("addressaddition", address?.lines.dropFirst().first, 1...50)
        add("zip", address?.postalCode, 2...50) { $0.utf8.allSatisfy(Self.isPostal) }
        add("city", address?.city, 2...50)
        parameters.append(("country", country))
        if Self.countriesWithStates.contains(country) {
            guard let region = address?.region, !region.isEmpty else {
                throw ClientError(.fieldMissing, "PAYONE demands the state of an address in \(country).")
            }
            parameters.append(("state", region))
        }
        add("email", charge.customer.email, 5...254, where: Self.isEmail)
        add("telephonenumber", charge.customer.phone, 1...50)
        add("ip", charge.customer.ipAddress, 2...39) { $0.utf8.allSatisfy(IPAddress.isCharacter) }
        if let shipping = charge.shipping {
            add("shipping_firstname", shipping.givenName, 1...50)
            add("shipping_lastname", shipping.familyName, 1...50)
            add("shipping_company", shipping.company, 2...50)
            add("shipping_street", shipping.lines.first, 1...50)
            add("shipping_addressaddition", shipping.lines.dropFirst().first, 1...50)
            add("shipping_zip", shipping.postalCode, 2...50) { $0.utf8.allSatisfy(Self.isPostal) }
            add("shipping_city", shipping.city, 2...50)
            let hasStates = shipping.countryCode.map(Self.countriesWithStates.contains) ?? false
            add("shipping_state", hasStates ? shipping.region : nil, 1...6) { $0.utf8.allSatisfy(Self.isOfState) }
            add("shipping_country", shipping.countryCode, 2...2)
        }
        self.parameters = parameters
    }

    private static func isPostal(_ byte: UInt8) -> Bool { ASCII.isAlphanumeric(byte) || "_./- ".utf8.contains(byte) }

    private static func isOfState(_ byte: UInt8) -> Bool {
        ASCII.isCapital(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-")
    }

    /// Plain ones alone: at most 63 characters before the "@", a name of the domain and one to four suffixes.
    private static func isEmail(_ text: String) -> Bool {
        let halves = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard halves.count == 2, (1...63).contains(halves[0].count),
            halves[0].allSatisfy({ ASCII.isAlphanumeric($0) || "_-+".utf8.contains($0) || $0 == UInt8(ascii: ".") }),
            halves[0].first != UInt8(ascii: "."), halves[0].last != UInt8(ascii: "."), !text.contains("..")
        else { return false }
        let labels = halves[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return (2...5).contains(labels.count)
            && labels.allSatisfy { label in
                (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                    && label.allSatisfy { ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
            } && labels.last.map { $0.count >= 2 } == true
    }
}
