//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import ConnectorKit
import Payments
import StrictJSON

/// What is known about a payment beside the card and the amount, in the fields that the API reference has for it and
/// within their limits.
struct DetailFields {
    let details: ChargeDetails
    let acceptor: CardAcceptor

    /// The objects and fields that are set here: a payment can do without each.
    private static let paths = [
        "billing", "customer", "device", "order.certainty", "order.description", "order.merchantCategoryCode",
        "order.reference", "order.statementDescriptor", "shipping",
    ]

    /// Whether a field that the gateway complains of is one of them.
    static func has(_ path: String?) -> Bool {
        guard let path else { return false }
        return self.paths.contains { path == $0 || path.hasPrefix($0 + ".") }
    }

    func set(_ fields: inout JSONFields, movesMoney: Bool) {
        fields.set("order.reference", FieldText.plain(self.details.orderReference, max: 40))
        fields.set("order.description", FieldText.plain(self.details.description, max: 127))
        let descriptor = self.details.statementDescriptor ?? self.acceptor.descriptor
        fields.set("order.statementDescriptor.name", FieldText.plain(descriptor, max: 100))
        fields.set(
            "order.merchantCategoryCode",
            FieldText.whole(self.acceptor.categoryCode, 4...4, where: ASCII.isDigit))
        if movesMoney { fields.set("order.certainty", self.certainty) }
        self.setCustomer(&fields)
        self.set(self.details.billing, under: "billing.address", &fields)
        self.set(self.details.shipping, under: "shipping.address", &fields)
    }

    private var certainty: String? {
        switch self.details.certainty {
        case .final: "FINAL"
        case .estimated: "ESTIMATED"
        case nil: nil
        }
    }

    private func setCustomer(_ fields: inout JSONFields) {
        let customer = self.details.customer
        fields.set("customer.email", FieldText.email(customer.email))
        fields.set("customer.firstName", FieldText.plain(customer.firstName, max: 50))
        fields.set("customer.lastName", FieldText.plain(customer.lastName, max: 50))
        fields.set("customer.phone", Self.phone(customer.phone))
        fields.set("device.ipAddress", FieldText.whole(customer.ipAddress, 7...45, where: Self.isAddressCharacter))
        fields.set("device.browser", FieldText.plain(customer.userAgent, max: 2048))
    }

    private func set(_ address: BillingAddress?, under path: String, _ fields: inout JSONFields) {
        guard let address else { return }
        fields.set("\(path).street", FieldText.plain(address.line1, max: 100))
        fields.set("\(path).city", FieldText.plain(address.city, max: 100))
        fields.set("\(path).stateProvince", FieldText.plain(address.mainDivision, max: 20))
        fields.set("\(path).postcodeZip", FieldText.whole(address.postalCode, 1...10, where: Self.isPostcodeCharacter))
        fields.set("\(path).country", FieldText.countryAlpha3(address.countryCode))
    }

    /// "+", the country's code, a space and the rest, with single spaces, at most 15 digits (ITU-T E.123, as the API
    /// reference has it). A number without that space does not say where the country ends.
    static func phone(_ text: String?) -> String? {
        guard let text, text.hasPrefix("+") else { return nil }
        let groups = text.dropFirst().split(separator: " ", omittingEmptySubsequences: false)
        guard groups.count >= 2, (1...3).contains(groups[0].utf8.count),
            groups.allSatisfy({ ASCII.isDigits($0) }),
            (5...15).contains(groups.reduce(0) { $0 + $1.utf8.count })
        else { return nil }
        return text
    }

    private static func isAddressCharacter(_ byte: UInt8) -> Bool {
        ASCII.isHexDigit(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }

    private static func isPostcodeCharacter(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-")
    }
}
